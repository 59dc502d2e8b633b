"""One model sold at three speeds, what users timed, and a fast mode whose prompts are dearer too."""

from __future__ import annotations

from calc import catalog
from calc.batching import fast_mode
from calc.figure.declared import Answer, Figure, Value

ASTRA, OPUS = "gpt-6-astra", "claude-opus-4.6"
TIMED = {"astra": "GPT-6 Astra", "luna": "GPT-5.6 Luna", "sol": "GPT-5.6 Sol"}


def speeds() -> Answer:
    """The two fast modes of one model: the first says by (9) how much speed the price of the second would buy."""
    sheet = catalog.price(ASTRA)
    price, speed, dearer, faster = (
        sheet.known(name) for name in ("fast_multiplier", "fast_speed", "ultrafast_multiplier", "ultrafast_speed")
    )
    first = fast_mode.fast_mode(price, speed)
    return Answer(
        finding="One model at three speeds",
        values={
            "price": Value(price, "", "Price of the fast mode"),
            "speed": Value(speed, "", "Its speed, at most"),
            "cache": Value(first.cache_to_weights, "", "What grows over what stays, by it"),
            "ceiling": Value(first.speed_ceiling, "x", "Speed at any price, by it"),
            "dearer": Value(dearer, "", "Price of the faster mode"),
            "faster": Value(faster, "", "Its speed, at most"),
            "bought": Value(fast_mode.speed_for_price(dearer, first.cache_to_weights), "x", "Its price would buy"),
            **{
                f"{who}_timed": Value(timed(who), "", f"{name} in its first fast mode, as one user timed it")
                for who, name in TIMED.items()
            },
            "sol_claimed": Value(catalog.datum("sol-fast-claimed").value, "", "GPT-5.6 in fast mode, as promised"),
        },
    )


def timed(who: str) -> float:
    """Speed of a fast mode over that of the ordinary one, as one user timed both.

    >>> round(timed("astra"), 2), round(timed("sol"), 2)
    (1.96, 1.75)
    """
    fast, ordinary = (catalog.datum(f"{who}-{mode}-speed").value for mode in ("fast", "ordinary"))
    return fast / ordinary


def dear_prompts() -> Answer:
    """The opening's offer once more, if the higher price of prompts pays for writing as well."""
    sheet = catalog.price(OPUS)
    price, speed = sheet.known("fast_multiplier"), sheet.known("fast_speed")
    prompts, answers = (catalog.datum(f"opus-4.6-fast-{kind}").value for kind in ("prompts", "answers"))
    values = {"each": Value(prompts / answers, "", "Tokens of prompts for each of answers")}
    for end, each in (("hits", sheet.known("cached_input")), ("fresh", sheet.input)):
        spent = prompts * each / (answers * sheet.output)
        dear = fast_mode.price_with_prompts(price, spent)
        implied = fast_mode.fast_mode(dear, speed)
        values |= {
            f"{end}_each": Value(each / sheet.output, "%", f"Price of a token of prompts over one of answers, {end}"),
            f"{end}_spent": Value(spent, "", f"Spent on prompts over answers, all {end}"),
            f"{end}_price": Value(dear, "", f"Price with that of prompts, all {end}", 4 if end == "hits" else 3),
            f"{end}_smaller": Value(1 / implied.batch_share, "", f"Fast batch, smaller by, all {end}"),
            f"{end}_ceiling": Value(implied.speed_ceiling, "x", f"Speed at any price, all {end}"),
        }
    return Answer(finding="A fast mode whose prompts are dearer too", values=values)


FIGURES = (
    Figure(
        name="batching/speeds",
        compute=speeds,
        sources=(
            "openai-ultrafast",
            "vercel-ultrafast",
            "nvidia-ultrafast",
            "pi-plugins-astra",
            "oh-my-pi-fast",
            "codex-speed-october",
            "openai-fast-api",
        ),
    ),
    Figure(
        name="batching/dear-prompts",
        compute=dear_prompts,
        sources=("anthropic-fast-mode", "openrouter-fast-usage"),
    ),
)
