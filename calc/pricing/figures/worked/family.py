"""Hits inside one family of models: their prices beside the caches that they keep, and what its leaner one reads."""

from __future__ import annotations

from calc import catalog
from calc.batching.figures.shared import BLACKBOARD
from calc.catalog import Price
from calc.figure.declared import Answer, Figure, Value
from calc.pricing.figures.setting import attention_context
from calc.pricing.figures.shared import AT_RATE, CROSSOVER, HALF, LEFT_OUT, Slower, linear_in_context, meeting
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.setting import Setting, published_precisions

FAMILY = {"pro": "deepseek-v4-pro", "flash": "deepseek-v4-flash"}
LISTS = ("first", "second", "later")
OLDER, OLDER_SHEET = "deepseek-v3", "deepseek-chat"


def family() -> Answer:
    """Hits over input beside cache over active parameters, within one maker's models."""
    size = {name: _size(model) for name, model in (FAMILY | {"older": OLDER}).items()}
    values: dict[str, Value] = {}
    for name, model in FAMILY.items():
        for when, row in zip(LISTS, _dated(model), strict=False):
            digits = 3 if when == "later" else 2  # two would not give the ratio that is quoted
            values[f"{name}_{when}"] = Value(_hit(row), "%", f"{row.name}, {row.since}", digits)
    older = _dated(OLDER_SHEET)[1]
    asked = [row.output for row in catalog.hosts(FAMILY["flash"]).values()]
    return Answer(
        finding="Hits over input within one family",
        values=values
        | {
            **{f"flash_{what}": value for what, value in _kept(FAMILY["flash"]).items()},
            "size": Value(size["flash"] / size["pro"], "x", "Cache a parameter, Flash over Pro", 2),
            **{
                when: Value(values[f"flash_{when}"].number / values[f"pro_{when}"].number, "x", f"Hits, {when}", 2)
                for when in LISTS
            },
            "flash_spread": Value(max(asked) / min(asked), "x", "Dearest host over the cheapest, V4-Flash", 2),
            "size_older": Value(size["older"] / size["pro"], "x", "Cache a parameter, V3 over V4-Pro", 2),
            **{
                f"hit_older{end}": Value(
                    _hit(older) / values[f"pro_{when}"].number, "x", f"Hits, V3 over V4-Pro, {when}", 2
                )
                for when, end in zip(LISTS, ("", "_second", "_later"), strict=True)
            },
            **_crossing(),
        },
    )


def _dated(sheet: str) -> list[Price]:
    return sorted(catalog.history(Price, "prices", sheet), key=lambda row: row.since)


def _hit(row: Price) -> float:
    return row.known("cached_input") / row.input


def _size(model: str) -> float:
    """Bytes of cache that a token keeps, over the parameters that it uses."""
    row = catalog.model(model)
    return row.kv_bytes_per_token("fp8") / row.active_params


def _kept(model: str) -> dict[str, Value]:
    row = catalog.model(model)
    return {
        "kept": Value(row.kv_bytes_per_token("fp8"), "B", f"Cache of a token, {row.name}"),
        "active": Value(row.active_params, "parameters", f"Active, {row.name}"),
    }


def _crossing() -> dict[str, Value]:
    """Where reading overtakes the weights' arithmetic on the blackboard's chip, by what is read and not kept."""
    found: dict[str, Value] = {}
    for name, model in (FAMILY | {"v3": OLDER}).items():
        slope, fixed, budget = _reading(model)
        row, meet = catalog.model(model).name, meeting(model, BLACKBOARD)
        found |= {
            f"{name}_crossing": Value((budget - fixed) / slope, "tokens", f"Crossover by what is read, {row}"),
            f"{name}_meet": Value(meet, "tokens", f"Crossover, attention counted, {row}"),
        }
        half = meeting(model, BLACKBOARD, HALF)
        found[f"{name}_half"] = Value(
            half, "tokens", f"Crossover, attention but for an index at half of that, {row}", endless="never"
        )
        if model == OLDER:
            gains = budget / attention_context(model)
            found |= {
                "v3_budget": Value(budget, "B", f"Delivered while a token is multiplied, {row}", 4),
                "v3_gains": Value(gains, "B", f"Delivered while attention multiplies for a token of context, {row}", 4),
                "v3_implied": Value(budget / CROSSOVER.default, "B", f"Implied by the step, {row}"),
                "v3_implied_counted": Value(gains + budget / CROSSOVER.default, "B", "with attention"),
                "v3_multiplies": Value(1 + CROSSOVER.default / attention_context(model), "x", "Multiplying there", 2),
                "v3_slower": Value(1 + 2 * CROSSOVER.default / attention_context(model), "x", "at half the rate", 2),
                "v3_wide": Value(meet / 2, "tokens", "Crossover there, twice the bytes"),
                "v3_lacks": Value(slope - gains, "B", f"Fetched for a token of context beyond that, {row}", 4),
            }
            continue
        found |= {
            f"{name}_fixed": Value(fixed, "B", f"Read at any context, {row}"),
            f"{name}_read": Value(slope, "B", f"Read for a token of context, {row}", 4),
            f"{name}_budget": Value(budget, "B", f"Delivered while a token is multiplied, {row}", 4),
            f"{name}_fetched": Value(fixed + slope * meet, "B", f"Read at that crossover, {row}"),
            f"{name}_short": Value(_short(model), "x", "Read there, over (6)", 2),
            f"{name}_inferred": Value(budget / meet, "B", f"By (6), for a token of context, {row}"),
            f"{name}_each": Value(fixed / meet + slope, "B", f"Read there, for a token of context, {row}"),
        }
    pro = catalog.model(FAMILY["pro"])
    where = Setting.published(pro, "gb200-nvl72", "fp8")
    kept = where.kept_bytes_per_token
    slope, fixed, budget = _reading(FAMILY["pro"])
    always = float(where.kept_bytes(MILLION)) - kept * MILLION  # windows
    stored = Setting.published(pro, "gb200-nvl72", published_precisions(pro.id, "fp8"))  # experts in four bits
    share = stored.weight_bytes / stored.system_hbm_bytes

    meanwhile = budget / (2 * pro.active_params)  # bytes that memory delivers in the time of an operation

    def crosses(filled: Quantity, attention: Slower = LEFT_OUT) -> Quantity:
        more, first = linear_in_context(pro.id, attention)[1]
        each = filled / (1 - filled)  # bytes of weights to fetch for each of cache in memory
        spare = budget + meanwhile * first - fixed - always * each
        return spare / (slope + kept * each - meanwhile * more)

    return found | {
        "pro_active": Value(pro.active_params, "parameters", f"Active parameters, {pro.name}"),
        "pro_kept": Value(kept, "B", f"Kept for a token, {pro.name}"),
        "pro_windows": Value(always, "B", f"Kept at any length, {pro.name}"),
        "pro_shared": Value(
            crosses(0.5), "tokens", f"Crossover, caches and weights in half of the memory each, {pro.name}", 2
        ),
        "pro_shared_meet": Value(crosses(0.5, AT_RATE), "tokens", "the same, attention at the weights' rate", 2),
        "pro_share": Value(share, "%", f"Weights in the memory of a rack, {pro.name}", 2),
        "pro_shared_half": Value(
            crosses(0.5, HALF), "tokens", "the same, attention but for its index at half of the weights' rate", 2
        ),
        "pro_rack": Value(crosses(share), "tokens", f"Crossover there, {pro.name}", 3),
        "pro_rack_meet": Value(crosses(share, AT_RATE), "tokens", "the same, attention at the weights' rate", 3),
        "pro_rack_half": Value(
            crosses(share, HALF), "tokens", "the same, attention but for its index at half of it", 3
        ),
        **{
            f"{name}_ratio": Value(_at_step(model), "", f"Ratio of a chip on which {name} crosses at the step")
            for name, model in FAMILY.items()
        },
        "pro_compression": Value(pro.known("compression"), "", f"Tokens of an entry, {pro.name}"),
    }


def _short(model: str) -> float:
    """Bytes that a model fetches at its crossover, over those that (6) reads off it: its operations over 2 N_a."""
    _, (more, always) = linear_in_context(model)
    return 1 + (always + more * meeting(model, BLACKBOARD)) / (2 * catalog.model(model).active_params)


def _at_step(model: str) -> float:
    """Ratio of the chip on which fetching overtakes multiplying, attention counted, just at Gemini's step."""
    (each, fixed), (more, always) = linear_in_context(model)
    operations = 2 * catalog.model(model).active_params + always + more * CROSSOVER.default
    return operations / (2 * (fixed + each * CROSSOVER.default))


def _reading(model: str) -> tuple[Quantity, Quantity, Quantity]:
    """Bytes that a token reads for each token of context, at any, and those that its multiplying leaves time for."""
    where = Setting.published(model, "gb200-nvl72", "fp8")
    slope = where.read_bytes_per_token
    return slope, where.read_bytes(MILLION) - slope * MILLION, catalog.model(model).active_params / BLACKBOARD


FIGURES = (Figure(name="pricing/family", compute=family, sources=("deepseek-pricing", "llm-prices")),)
