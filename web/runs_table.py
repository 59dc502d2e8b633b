"""Every run that the page against the world shows, as a table to take away."""

from __future__ import annotations

import csv
import io

from calc.world import against

SECONDS = ("measured", "bound", "serial", "forecast")


def files() -> dict[str, str]:
    """The table by its place in the site; times say their unit."""
    columns = against.table()
    out = io.StringIO()
    written = csv.writer(out, lineterminator="\n")
    written.writerow([f"{name}_seconds" if name in SECONDS else name for name in columns])
    written.writerows(zip(*columns.values(), strict=True))
    return {"reference/world/runs.csv": out.getvalue()}
