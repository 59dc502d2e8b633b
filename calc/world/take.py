"""Taking in a release of the source: `python -m calc.world.take FILE` says what it would add and what it refuses.

Rows that are in the catalogue already stay as they are: some were repaired from the history of their benchmark, which
the source does not carry. `--write` adds the rest to the table.

    git show COMMIT:aic-core/src/aiconfigurator_core/systems/silicon_sample.csv > FILE
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calc.catalog.measurement import FOLDER, Measurement, measurements, write
from calc.world.repairs import measurement, without_repeats
from calc.world.replicas import Raw, Refused

TABLE = Path(FOLDER) / "serving.csv"


@dataclass(frozen=True)
class Taken:
    """A release, sorted: known already, new, and refused with reasons."""

    known: int
    new: tuple[Measurement, ...]
    refused: tuple[Refused, ...]

    def lines(self) -> list[str]:
        """The report: counts, then refusals by reason, then every refused row."""
        aside = Counter(row.set_aside for row in self.new if row.set_aside)
        reasons = Counter(_kind(each.reason) for each in self.refused)
        said = [f"{self.known} rows known already, {len(self.new)} new, {len(self.refused)} refused."]
        said += [f"New and set aside, {why}: {count}" for why, count in sorted(aside.items())]
        said += [f"Refused, {why}: {count}" for why, count in sorted(reasons.items())]
        return said + [f"  {each.id}: {each.reason}" for each in self.refused]


def sort(rows: Iterable[Raw], already: Sequence[Measurement] = ()) -> Taken:
    """Every row of a release as known, new or refused."""
    ids = {row.id for row in already}
    known, new, refused = 0, [], []
    for raw in rows:
        if raw["id"] in ids:
            known += 1
            continue
        made = measurement(raw)
        if isinstance(made, Refused):
            refused.append(made)
        else:
            new.append(made)
    kept, repeats = without_repeats(new, already)
    return Taken(known, tuple(kept), (*refused, *repeats))


def _kind(reason: str) -> str:
    """A reason without what differs from row to row."""
    return "repeat" if reason.startswith("repeat") else reason.partition(":")[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read a release, print what it brings, and add it to the table if asked to."""
    parser = argparse.ArgumentParser(prog="python -m calc.world.take", description=__doc__)
    parser.add_argument("file", type=Path, help="silicon_sample.csv of a release")
    parser.add_argument("--write", action="store_true", help="add the new rows to the catalogue")
    given = parser.parse_args(arguments)
    with given.file.open(encoding="utf-8", newline="") as release:
        taken = sort(csv.DictReader(release), measurements())
    print(*taken.lines(), sep="\n")
    if given.write:
        TABLE.write_text(write((*measurements(), *taken.new), Measurement), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
