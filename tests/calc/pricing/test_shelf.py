"""The memories beneath a chip: a kept prefix in each of them."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.figure import registry

SHELF = registry.find("pricing/shelf")


def column(name: str, **asked: str) -> list[float]:
    return list(SHELF.answer(**asked).tables["shelves"][name])


def test_a_prefix_is_back_in_its_bytes_over_the_bandwidth_and_fits_as_often_as_there_is_room() -> None:
    answer = SHELF.answer(model="deepseek-v3", system="gb200-nvl72", precision="fp8", context="100k")
    prefix = answer.values["prefix"].number
    assert prefix == catalog.model("deepseek-v3").kv_elements_per_token * 100_000
    shelves = answer.tables["shelves"]
    assert list(shelves["back"]) == pytest.approx([prefix / rate for rate in shelves["bandwidth"]])
    for held, most in zip(shelves["fits"][1:], shelves["capacity"][1:], strict=True):
        assert held * prefix <= most < (held + 1) * prefix
    assert shelves["fits"][0] * prefix < shelves["capacity"][0]  # beside weights


def test_times_grow_alike_with_the_prefix() -> None:
    short, long = SHELF.answer(context="1000").values, SHELF.answer(context="10000").values
    for name in ("anew", "hbm", "dram", "flash", "disk"):
        assert long[name].number == pytest.approx(10 * short[name].number)


@pytest.mark.parametrize(("model", "sooner"), [("deepseek-v3", False), ("deepseek-v4-pro", True)])
def test_a_disk_gives_a_lean_prefix_back_sooner_than_a_chip_computes_it_and_v3s_later(model: str, sooner: bool) -> None:
    values = SHELF.answer(model=model).values
    assert (values["disk"].number < values["anew"].number) is sooner


def test_weights_that_fill_a_chip_leave_no_room_for_a_prefix() -> None:
    assert column("fits", model="llama-3-405b", system="hgx-h100", precision="bf16")[0] == 0


def test_the_title_names_the_prefix_and_the_chip() -> None:
    found = SHELF.answer(model="llama-3-70b", system="hgx-h100", context="100k").finding
    assert found.startswith("A prefix of 100,000 tokens of Llama 3 70B is back from")
    assert "a chip of HGX H100" in found


def test_a_memory_without_room_for_the_prefix_does_not_give_it_back() -> None:
    found = SHELF.answer(context="100M")
    assert [row for row, fits in zip(("HBM", "DRAM"), column("fits", context="100M"), strict=False) if fits] == []
    assert "is back from flash sooner" in found.finding
    assert SHELF.answer(system="hgx-a100", precision="bf16").finding.startswith(
        "A prefix of 4,096 tokens of DeepSeek-V3 is back from DRAM and flash"
    )
