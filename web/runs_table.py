"""Tables to take away: every run that the page against the world shows, and every timing of one chip."""

from __future__ import annotations

import csv
import io

from calc.catalog.measurement import text
from calc.world import against

SECONDS = ("measured", "bound", "serial", "forecast")


def files() -> dict[str, str]:
    """The tables by their places in the site; times of runs say their unit, those of the chip are as recorded."""
    columns = against.table()
    out = io.StringIO()
    written = csv.writer(out, lineterminator="\n")
    written.writerow([f"{name}_seconds" if name in SECONDS else name for name in columns])
    written.writerows(zip(*columns.values(), strict=True))
    return {"reference/world/runs.csv": out.getvalue(), "reference/chip/times.csv": text("chip.csv")}
