"""A long request in numbers: its price, and its cost in designs whose attention is left out or counted."""

from __future__ import annotations

from calc import catalog, pricing
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODELS
from calc.pricing.context_price import decode_cost
from calc.pricing.figures.reading import full_times, reading_times, writing_times
from calc.pricing.figures.request import ANSWER, ATTENTION, FRESH, HITS, READ, SHEET, WRITTEN, asked, costs
from calc.pricing.figures.shared import (
    ANYWHERE,
    AT_RATE,
    CROSSOVER,
    HALF,
    LEFT_OUT,
    Slower,
    attention_work,
    measured,
    ratio_of,
)
from calc.quantities.arithmetic import MILLION
from calc.setting import Setting

READS = MILLION  # tokens of a prompt past the step
KINDS = {"fresh": READ, "found": HITS, "written": ANSWER}
LONG = {"fresh": FRESH * READS, "found": (1 - FRESH) * READS, "written": WRITTEN}
LEAN = "deepseek-v4-pro"  # its attention makes a long request least dear
ASKED = {"pro": LEAN, "405b": "llama-3-405b", "v3": "deepseek-v3"}


def whole_request() -> Answer:
    """A long request by its three prices, and its cost if short requests are sold at cost."""
    paid, base = ({kind: asked(READS, past=past)[part] for kind, part in KINDS.items()} for past in (True, False))
    grown = float(decode_cost(READS, CROSSOVER.default))
    plain = base | {"written": base["written"] * grown}
    readings = {name: reading_times(name, LONG["fresh"], LONG["found"]) for name in MODELS}
    whole = {short: _attended(name) for short, name in ASKED.items()}
    price, cost = sum(paid.values()), sum(plain.values())
    full = full_times(LEAN, LONG["fresh"], LONG["found"])
    alike = LONG["written"] * SHEET.input * grown / MILLION
    before, weights = LONG["found"] + LONG["fresh"] / 2, 2 * catalog.model(LEAN).active_params
    written = weights + float(attention_work(catalog.model(LEAN), READS))
    lasts = {
        name: _paid_for(sum(base.values()) - base["written"], SHEET.input * times, SHEET.known("output_above"), READS)
        for name, times in {"lasts": ratio_of(SHEET), "lasts_day": measured()}.items()
    }
    return Answer(
        finding="A whole request past the step",
        values={
            **{kind: Value(tokens, "tokens", kind, 9) for kind, tokens in LONG.items()},
            "share": Value(LONG["found"] / READS, "%", "Hits, of the prompt"),
            **{f"{kind}_paid": Value(dollars, "$", f"Sold, {kind}") for kind, dollars in paid.items()},
            "written_cost": Value(plain["written"], "$", "Cost, written"),
            "prompt_paid": Value(price - paid["written"], "$", "Sold, the prompt"),
            "prompt_cost": Value(cost - plain["written"], "$", "Cost, the prompt"),
            **{
                f"asks_{short}": Value(sum(whole[short]) / price, "x", f"Over cost, {MODELS[name]}")
                for short, name in ASKED.items()
            },
            **{
                f"asks_{short}_half": Value(sum(_attended(ASKED[short], HALF)) / price, "x", "at half the rate")
                for short in ("pro", "v3")
            },
            "writing_v3_half": Value(writing_times(ASKED["v3"], READS, HALF), "x", "Dearer, written, at half the rate"),
            **{
                f"{what}_{short}": value
                for short in ("pro", "v3")
                for what, value in _apart(ASKED[short], readings[ASKED[short]], before, price).items()
            },
            **{
                f"alike_{short}": Value((prompt + answer / ratio_of(SHEET)) / price, "x", "as read", 2)
                for short, (prompt, answer) in whole.items()
            },
            "hits_pro": Value((sum(whole["pro"]) - base["found"] / 2) / price, "x", "Hits at half"),
            "grows_pro": Value((readings[LEAN] - full) / before * weights, "FLOP", "A token before", 4),
            "weights_pro": Value(weights, "FLOP", "Weights"),
            "windows_pro": Value((full - 1) * weights, "FLOP", "Attention at any length"),
            "works_pro": Value(readings[LEAN] * weights, "FLOP", "A token read, in all"),
            "works_written": Value(written, "FLOP", "A token written, in all"),
            "multiplies_pro": Value(written / weights, "x", "Multiplying for it, over a short token's"),
            "fetches_pro": Value(Setting.published(LEAN, ANYWHERE, "fp8").read_bytes(READS), "B", "One written"),
            "full_pro": Value((sum(whole["pro"]) + base["found"] * (full - 1)) / full / price, "x", "short ones too"),
            **{
                name: Value(_alone(base["found"], slower, price), "x", "Over cost, reading alone, else at cost", 3)
                for name, slower in {"alone_pro": AT_RATE, "alone_pro_half": HALF}.items()
            },
            **{f"prompt_{short}": Value(each, "$", f"Cost, prompt, {short}") for short, (each, _) in whole.items()},
            **{f"answer_{short}": Value(each, "$", f"Cost, answer, {short}") for short, (_, each) in whole.items()},
            "gap_pro": Value(price - sum(base.values()) + base["written"] - whole["pro"][1], "$", "Left for attention"),
            "attention_pro": Value(base["fresh"] * (readings[LEAN] - 1), "$", "Attention in reading"),
            **{f"{kind}_short": Value(dollars, "$", f"In short requests, {kind}") for kind, dollars in base.items()},
            "before": Value(before, "tokens", "Before a token read, in the mean", 9),
            "limit": Value(catalog.datum("answer-gemini-3.1-pro").value, "tokens", "Longest answer", 9),
            "paid": Value(price, "$", "Price of the request"),
            "cost": Value(cost, "$", "Cost of the request"),
            "margin": Value(pricing.margin(price, cost), "%", "Margin of the request", 2),
            "alike": Value(alike, "$", "Answer, if a short token cost what a read one does"),
            "bearable": Value(paid["written"] / alike, "x", "Short token written over one read, at most"),
            **{name: Value(tokens, "tokens", "Answer that the prompt pays for", 2) for name, tokens in lasts.items()},
        },
    )


def _apart(name: str, reads: float, before: float, price: float) -> dict[str, Value]:
    """Factors of a design's own crossover and attention, and the request without attention, over its price."""
    model = MODELS[name]
    full = full_times(name, LONG["fresh"], LONG["found"])
    plain = sum(costs(name, READS, LEFT_OUT).values())
    return {
        "always": Value(full - 1, "x", f"Attention over the weights at any length, read, {model}"),
        "each": Value(before / (reads - full), "tokens", f"And once more for each, {model}"),
        "halved": Value(reading_times(name, LONG["fresh"], LONG["found"], HALF), "x", "Read, at half the rate", 4),
        "reading": Value(reads, "x", f"Dearer by attention, read, {model}"),
        "writing": Value(writing_times(name, READS), "x", f"Dearer, written, {model}"),
        "plain": Value(plain / price, "x", f"Over the price, attention left out, {model}"),
    }


def _attended(name: str, slower: Slower = AT_RATE) -> tuple[float, float]:
    """Cost of the prompt and of the answer, attention counted at a rate so many times slower than the weights'."""
    parts = costs(name, READS, slower)
    return parts[HITS] + parts[READ] + parts[ATTENTION], parts[ANSWER]


def _alone(found: float, slower: Slower, price: float) -> float:
    """Times its cost at which reading must be sold, if hits and the answer are sold at cost, in the lean design."""
    prompt, answer = _attended(LEAN, slower)
    return (prompt - found) / (price - found - answer)


def _paid_for(surplus: float, short: float, sold: float, before: float) -> float:
    """Tokens of an answer whose loss is as large as a surplus, attention left out; prices are of a million tokens.

    A token written behind L others costs `short` times L / L*, its answer's own among them.

    >>> _paid_for(0.38, 12, 18, 1e6) < 0.38e6 / (60 - 18)
    True
    """
    rise = short / CROSSOVER.default / MILLION  # for each token more
    lost = short * float(decode_cost(before, CROSSOVER.default)) / MILLION - sold / MILLION
    return float(2 * surplus / (lost + (lost**2 + 2 * rise * surplus) ** 0.5))


FIGURES = (
    Figure(name="pricing/request", compute=whole_request, sources=("llm-prices", "lecture", "gemini-3.1-pro-model")),
)
