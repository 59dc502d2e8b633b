"""Public models against the rule, and how busy their training kept its chips."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import key
from calc.overtraining import training_run
from calc.overtraining.figures.shared import EXAMPLE_CHIP

HOURS_ON = {
    "deepseek-v3": "h800-sxm",
    "llama-3-8b": EXAMPLE_CHIP,
    "llama-3-70b": EXAMPLE_CHIP,
    "llama-3-405b": EXAMPLE_CHIP,
    "llama-4-scout": EXAMPLE_CHIP,
    "llama-4-maverick": EXAMPLE_CHIP,
}
LONG_KNOWN = ("deepseek-v3", "llama-3-8b", "llama-3-70b", "llama-3-405b")
TABLED = ("deepseek-v3", "llama-3-8b", "llama-3-405b")
NAMED, NEWER = ("llama-3.2-1b", "qwen3-8b", "deepseek-v3"), "llama-4-scout"


def public() -> Answer:
    """Some public models by active and by all parameters."""
    rows = {name: catalog.model(name) for name in (*NAMED, NEWER)}
    values = {
        f"{key(name)}_active": Value(
            overtraining.overtraining_factor(rows[name].active_params, rows[name].known("train_tokens")),
            "x",
            rows[name].name,
        )
        for name in (*NAMED, NEWER)
    }
    v3, mai = rows["deepseek-v3"], catalog.model("mai-base-1")
    every = overtraining.overtraining_factor(v3.total_params, v3.known("train_tokens"))
    largest = max(
        (row for row in catalog.models().values() if row.train_tokens), key=lambda row: row.known("train_tokens")
    )
    ratio = mai.known("train_tokens") / mai.active_params
    own = [catalog.datum(f"mai-own-optimum-{end}").value for end in ("low", "high")]
    values |= {
        "deepseek_v3_all": Value(every, "x", f"{v3.name}, by all parameters"),
        "largest_tokens": Value(largest.known("train_tokens"), "tokens", f"Most that a maker reports: {largest.name}"),
        "mai_ratio": Value(ratio, "", f"{mai.name}, tokens for each active parameter"),
        "mai_low": Value(own[0], "", "near its maker's optimum, from"),
        "mai_high": Value(own[1], "", "to"),
        "code_repeats": Value(catalog.datum("mai-code-repeats").value, "x", f"{mai.name} read its code", 2),
        "web_repeats": Value(catalog.datum("mai-web-repeats").value, "%", "and of its web text", 2),
    }
    return Answer(finding="Public models against the rule", values=values)


def reported() -> Answer:
    """The share of the multipliers that published runs kept busy, from their hours."""
    shares: dict[str, float] = {}
    counted: dict[str, float] = {}
    for name, chip in HOURS_ON.items():
        row = catalog.model(name)
        hours = counted[name] = row.pretrain_chip_hours or row.known("train_chip_hours")
        operations = overtraining.training_operations(row.active_params, row.known("train_tokens"))
        rate = catalog.chip(chip).known("bf16_flops")
        shares[name] = training_run.achieved_utilisation(operations, rate, hours)
    return Answer(
        finding="Published runs kept this share of the multipliers busy",
        values={
            **{f"{key(name)}_busy": Value(shares[name], "%", catalog.model(name).name) for name in LONG_KNOWN},
            **{f"{key(name)}_hours": Value(counted[name], "", catalog.model(name).name, 3) for name in TABLED},
            "low": Value(min(shares.values()), "%", "Lowest"),
            "high": Value(max(shares.values()), "%", "Highest"),
            "times_low": Value(1 / max(shares.values()), "x", "Hours over the bound, least", 2),
            "times_high": Value(1 / min(shares.values()), "x", "Hours over the bound, most", 2),
        },
    )


FIGURES = (
    Figure(
        name="overtraining/public",
        compute=public,
        sources=("llama-models", "deepseek-v3-report", "qwen3-paper", "mai-thinking-report", "mimo-v2.5-card"),
    ),
    Figure(name="overtraining/reported", compute=reported, sources=("llama-models", "deepseek-v3-report")),
)
