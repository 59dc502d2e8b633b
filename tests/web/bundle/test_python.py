"""Only what is imported or may be asked for is packed for the reader's Python."""

from __future__ import annotations

from web.bundle.python import only


def test_tables_are_packed_and_measurements_are_not() -> None:
    files = {
        "calc/batching/step.pyc": b"1",
        "calc/world/take.pyc": b"2",
        "calc/catalog/chips.json": b"3",
        "calc/moe/shares.csv": b"4",
        "calc/catalog/measurements/serving.csv": b"5",
    }
    kept = only(files, ["calc/batching/step.pyc"])
    assert list(kept) == ["calc/batching/step.pyc", "calc/catalog/chips.json", "calc/moe/shares.csv"]


def test_measurements_that_a_figure_reads_are_packed() -> None:
    path = "calc/catalog/measurements/serving.csv"
    assert only({path: b"5"}, [path]) == {path: b"5"}
