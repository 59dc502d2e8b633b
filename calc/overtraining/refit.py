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

import numpy as np

from calc.overtraining.law_fit import TrainedRuns, refitted
from calc.quantities.check import Array

OUTLIERS = 5
START = np.array([np.log(1.8172), np.log(482.01), np.log(2085.43), 0.3478, 0.3658])  # the published refit
SAMPLES, KEPT, SEED = 4000, 100, 0
AT = 100e9, 200e12  # the fits are ranked by what a token saves there: Pope's guess


def read_off(path: str) -> TrainedRuns:
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
    return TrainedRuns(np.log(params), np.log(operations / 6 / params), np.log(loss)).only(kept)


def resampled_fits(runs: TrainedRuns, many: int = SAMPLES, seed: int = SEED) -> Array:
    """Constants fitted to samples of the runs with replacement, each as many as the runs, a row for each.

    >>> size, tokens = np.log(np.geomspace(1e8, 1e10, 40)), np.log(1e9 * (1 + np.arange(40) * 7 % 40))
    >>> from calc.overtraining.law_fit import log_loss
    >>> runs = TrainedRuns(size, tokens, log_loss(START, TrainedRuns(size, tokens, 0 * size))[0])
    >>> resampled_fits(runs, many=3).shape
    (3, 5)
    """
    draw, start = np.random.default_rng(seed), refitted(runs, START)
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
    print(f"{len(runs.loss)} runs: E, A, B, alpha, beta {recorded_row(refitted(runs, START))}")
    print("standard errors", recorded_row(np.concatenate([np.log(np.exp(fits[:, :3]).std(0)), fits[:, 3:].std(0)])))
    print("\n".join(recorded_row(each) for each in thinned(fits)))


if __name__ == "__main__":
    main()
