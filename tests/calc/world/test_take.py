"""A release of the source is sorted into known, new and refused, and says which and why."""

from __future__ import annotations

import csv

import pytest

from calc.catalog.measurement import Measurement, measurements, read
from calc.world import take
from calc.world.repairs import measurement
from tests.calc.world.test_repairs import ROW

OTHER = {**ROW, "id": "other", "silicon_tpot_ms": "25"}
REPEAT = {**ROW, "id": "again", "system": "h200_sxm"}
IMPOSSIBLE = {**ROW, "id": "odd", "tp_size": "2", "silicon_tpot_ms": "30"}


@pytest.fixture
def release(tmp_path):
    path = tmp_path / "silicon_sample.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(ROW))
        table.writeheader()
        table.writerows([ROW, OTHER, REPEAT, IMPOSSIBLE])
    return path


def test_equal_times_are_one_run_noted_twice():
    taken = take.sort([ROW, OTHER, REPEAT])
    assert [row.id for row in taken.new] == [ROW["id"], "other"]
    assert [(each.id, each.reason) for each in taken.refused] == [("again", f"repeat of {ROW['id']}")]


def test_a_row_of_the_catalogue_stays_and_its_repeat_is_refused():
    known = measurement(ROW)
    taken = take.sort([ROW, REPEAT], [known])
    assert (taken.known, taken.new) == (1, ())
    assert [each.id for each in taken.refused] == ["again"]


def test_the_command_prints_what_it_refused_and_why_and_writes_only_when_asked(release, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(take, "TABLE", tmp_path / "serving.csv")
    assert take.main([str(release)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "0 rows known already, 2 new, 2 refused."
    assert "Refused, impossible layout: 1" in said
    assert "  odd: impossible layout: experts over 8 chips of 2" in said
    assert not (tmp_path / "serving.csv").exists()
    take.main([str(release), "--write"])
    written = list(read(Measurement, (tmp_path / "serving.csv").read_text("utf-8")))
    assert written[: len(measurements())] == list(measurements())
    assert [row.id for row in written[len(measurements()) :]] == [ROW["id"], "other"]
