"""The example at three batches: what the text says of a step, a user's speed and a token's cost."""

from __future__ import annotations

from calc import batching, catalog
from calc.batching.figures.promise import promised_users
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario
from calc.step.forecasting import forecast


def batches() -> Answer:
    """One user, those of the answer, and the hundred."""
    where = Scenario.named(*OPENING)
    sure, _ = promised_users()
    users = {"alone": (1.0, 3), "sure": (sure, 4), "crowd": (CROWD, 3)}  # and digits
    alone, crowd = (float(forecast(where.setting, batch, EXAMPLE_CONTEXT).seconds) for batch in (1, CROWD))
    return Answer(
        finding="The example at three batches",
        values={
            f"{who}_{key}": value
            for who, (batch, digits) in users.items()
            for key, value in at_batch(where, batch, f"{batch:.0f} user" + "s" * (batch > 1), digits).items()
            if key == "forecast" or (who, key) == ("crowd", "cost")
        }
        | {"longer": Value(crowd / alone, "x", "Step of a hundred users over that of one, forecast")},
    )


def at_batch(where: Scenario, batch: float, who: str, digits: int = 3) -> dict[str, Value]:
    """A step of so many users at the context of the example, twice: the least, and the expected one.

    >>> found = at_batch(Scenario.named(*OPENING), 100, "a hundred")
    >>> bool(found["step"].number < found["forecast"].number)
    True
    """
    rent = catalog.rent(where.system.id).dollars_per_chip_hour * where.system.chips
    bound = float(batching.step_time(batch, EXAMPLE_CONTEXT, **where.step_arguments()).bound)
    likely = float(forecast(where.setting, batch, EXAMPLE_CONTEXT).seconds)
    least, cost = (MILLION * batching.dollars_per_token(batch, seconds, rent) for seconds in (bound, likely))
    return {
        "step": Value(bound, "s", f"Step of {who}, at least"),
        "cost": Value(least, "$/Mtok", f"A token of {who}, at least"),
        "forecast": Value(likely, "s", f"Step of {who}, forecast", digits),
        "forecast_cost": Value(cost, "$/Mtok", f"A token of {who}, forecast"),
    }


FIGURES = (Figure(name="batching/batches", compute=batches, sources=("lecture", "llama-models", "aiconfigurator")),)
