"""Fit the scaling law to Chinchilla's runs again, and to samples of them: `python -m calc.overtraining.refit FILE`.

FILE is `data/svg_extracted_data.csv` of https://github.com/epoch-research/analyzing-chinchilla, the runs that Besiroglu
et al. (2024) read off a figure of Chinchilla's paper. Its repository names no licence, so the course does not carry it.
As they do, the five runs of the highest losses are left out, and the Huber loss (1e-3) of log loss is least. It prints
the fit, and a hundred of 4,000 fits to samples with replacement, for `calc.overtraining.resampled`; seconds suffice.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Array

OUTLIERS, DELTA = 5, 1e-3
START = np.array([np.log(1.8172), np.log(482.01), np.log(2085.43), 0.3478, 0.3658])  # the published refit
SAMPLES, KEPT, SEED = 4000, 100, 0
STEPS, STALLED = 400, 1e10
AT = 100e9, 200e12  # the fits are ranked by what a token saves there: Pope's guess


@dataclass(frozen=True)
class ReadOffRuns:
    """Logarithms of size, tokens and loss of training runs."""

    params: Array
    tokens: Array
    loss: Array

    def only(self, chosen: NDArray[Any]) -> ReadOffRuns:
        """Some of the runs, or some of them more than once."""
        return ReadOffRuns(self.params[chosen], self.tokens[chosen], self.loss[chosen])


def read_off(path: str) -> ReadOffRuns:
    """The runs of a file with columns of size, operations and loss, without the worst; tokens are C / 6N.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> rows = [f"1e9,1.2e20,{loss}" for loss in (2.5, 3.1, 3.2, 3.3, 3.4, 3.5)]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "runs.csv")
    ...     _ = path.write_text("\\n".join(["Model Size,Training FLOP,loss", *rows]), encoding="utf-8")
    ...     found = read_off(str(path))
    >>> np.exp([found.tokens, found.loss]).round(1).tolist()
    [[20000000000.0], [2.5]]
    """
    with open(path, encoding="utf-8", newline="") as file:  # noqa: PTH123  (as in tables.py)
        rows = [[row["Model Size"], row["Training FLOP"], row["loss"]] for row in csv.DictReader(file)]
    params, operations, loss = np.array([[float(each) for each in row] for row in rows if all(row)]).T
    kept = loss < np.sort(loss)[-OUTLIERS]
    return ReadOffRuns(np.log(params), np.log(operations / 6 / params), np.log(loss)).only(kept)


def log_loss(constants: Array, runs: ReadOffRuns) -> tuple[Array, Array]:
    """Log loss by constants ln E, ln A, ln B, alpha, beta, and its slopes by each of them.

    >>> forecast, slopes = log_loss(START, ReadOffRuns(np.log([1e9]), np.log([2e10]), np.log([2.6])))
    >>> f"{np.exp(forecast[0]):.3f}", slopes.shape
    ('2.530', (1, 5))
    """
    floor, size, data, by_size, by_data = constants
    parts = np.stack([np.full_like(runs.loss, floor), size - by_size * runs.params, data - by_data * runs.tokens])
    top = parts.max(0)
    share = np.exp(parts - top)
    total = share.sum(0)
    share = share / total
    slopes = np.stack([*share, -share[1] * runs.params, -share[2] * runs.tokens], axis=1)
    return top + np.log(total), slopes


def huber_loss(off: Array) -> float:
    """The sum of squares of small errors and of sizes of large ones.

    >>> f"{huber_loss(np.array([5e-4, 1.0])):.6f}"
    '0.001000'
    """
    size = np.abs(off)
    return float(np.where(size <= DELTA, size**2 / 2, DELTA * (size - DELTA / 2)).sum())


def refitted(runs: ReadOffRuns, start: Array = START) -> Array:
    """Constants of least Huber loss, from a start near them, by damped steps of weighted least squares.

    >>> size, tokens = np.log(np.geomspace(1e8, 1e10, 40)), np.log(1e9 * (1 + np.arange(40) * 7 % 40))
    >>> runs = ReadOffRuns(size, tokens, log_loss(START, ReadOffRuns(size, tokens, 0 * size))[0])
    >>> bool(np.allclose(refitted(runs, START + 0.01), START, atol=1e-3))
    True
    """
    constants, damping = start, 1e-3
    forecast, slopes = log_loss(constants, runs)
    least = huber_loss(runs.loss - forecast)
    for _ in range(STEPS):
        off = runs.loss - forecast
        weight = np.minimum(1, DELTA / np.maximum(np.abs(off), 1e-12))
        curved = (slopes * weight[:, None]).T @ slopes
        step = np.linalg.solve(curved + damping * np.diag(np.diag(curved)), slopes.T @ (weight * off))
        ahead, ahead_slopes = log_loss(constants + step, runs)
        found = huber_loss(runs.loss - ahead)
        if found < least:
            done = least - found < 1e-12 * least
            constants, forecast, slopes, least = constants + step, ahead, ahead_slopes, found
            damping = max(damping / 5, 1e-10)
        else:
            damping *= 5
            done = damping > STALLED
        if done:
            break
    return constants


def resampled_fits(runs: ReadOffRuns, many: int = SAMPLES, seed: int = SEED) -> Array:
    """Constants fitted to samples of the runs with replacement, each as many as the runs, a row for each.

    >>> size, tokens = np.log(np.geomspace(1e8, 1e10, 40)), np.log(1e9 * (1 + np.arange(40) * 7 % 40))
    >>> runs = ReadOffRuns(size, tokens, log_loss(START, ReadOffRuns(size, tokens, 0 * size))[0])
    >>> resampled_fits(runs, many=3).shape
    (3, 5)
    """
    draw, start = np.random.default_rng(seed), refitted(runs)
    count = len(runs.loss)
    return np.array([refitted(runs.only(draw.integers(0, count, count)), start) for _ in range(many)])


def thinned(fits: Array, kept: int = KEPT) -> Array:
    """Some of the fits, evenly spaced by what a token saves at the guess: their quantiles there are those of all.

    >>> steeper = START + np.outer(np.arange(6), [0, 0, 0, 0, 0.01])
    >>> (thinned(steeper, kept=2)[:, 4] - START[4]).round(2).tolist()
    [0.04, 0.01]
    """
    size, tokens = np.log(AT)
    _, by_size, by_data, alpha, beta = fits.T
    ranked: Array = fits[np.argsort(np.log(beta / alpha) + by_data - beta * tokens - by_size + alpha * size)]
    places = ((np.arange(kept) + 0.5) * len(fits) / kept).astype(int)
    return np.asarray(ranked[places])


def recorded_row(constants: Array) -> str:
    """E, A, B, alpha and beta as a row of the record.

    >>> recorded_row(START)
    '1.8172 482.01 2085.4 0.3478 0.3658'
    """
    return " ".join(f"{each:.5g}" for each in [*np.exp(constants[:3]), *constants[3:]])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the fit, the standard errors, and the record.

    >>> try:
    ...     main(["not-here.csv"])
    ... except FileNotFoundError:
    ...     print("The file is not here.")
    The file is not here.
    """
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("file")
    runs = read_off(asked.parse_args(arguments).file)
    fits = resampled_fits(runs, SAMPLES)
    print(f"{len(runs.loss)} runs: E, A, B, alpha, beta {recorded_row(refitted(runs))}")
    print("standard errors", recorded_row(np.concatenate([np.log(np.exp(fits[:, :3]).std(0)), fits[:, 3:].std(0)])))
    print("\n".join(recorded_row(each) for each in thinned(fits)))


if __name__ == "__main__":
    main()
