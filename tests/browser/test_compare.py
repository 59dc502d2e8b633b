"""The catalogue's rows stand side by side: as a table for everybody, in columns for whoever chooses some."""

from __future__ import annotations

from playwright.sync_api import expect

from calc import catalog
from calc.quantities.units import plain
from tests.browser.conftest import Visit
from tests.browser.reader import Reader

PAGE = "reference/catalogue/chips/"


def columns(reader: Reader) -> list[list[str]]:
    """The comparison, row by row."""
    rows = reader.page.locator(".rl-columns tr")
    return rows.evaluate_all("rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))")


def arrived(reader: Reader) -> list[list[str]]:
    """The same once what an address compares has come: a page shows it when its script runs."""
    expect(reader.page.locator(".rl-columns tr").first).to_be_attached()
    return columns(reader)


def tick(reader: Reader, chip: str) -> None:
    reader.page.get_by_role("checkbox", name=f"Compare {catalog.chip(chip).name}", exact=True).click()


def test_chosen_chips_stand_in_columns_beside_the_first(visit: Visit) -> None:
    reader = visit(PAGE)
    tick(reader, "h100-sxm")
    assert columns(reader) == []
    tick(reader, "gb200")
    head, *rows = columns(reader)
    old, new = catalog.chip("h100-sxm"), catalog.chip("gb200")
    assert head == ["", old.name, new.name]
    found = {label: cells for label, *cells in rows}
    assert found["HBM bandwidth"][1].endswith(f"{plain(new.hbm_bandwidth / old.hbm_bandwidth)}×")
    assert "×" not in found["HBM bandwidth"][0] + "".join(found["In force since"])
    assert "FP4 in training, dense" not in found
    assert all(set(cells) != {"–"} for cells in found.values())


def test_one_sentence_says_what_is_compared_and_no_table_is_read_out(visit: Visit) -> None:
    reader = visit(PAGE)
    voice = reader.page.locator(".rl-voice")
    tick(reader, "h100-sxm")
    expect(voice).to_have_text("Tick another row to compare the two.")
    tick(reader, "gb200")
    expect(voice).to_have_text(f"In columns: {catalog.chip('h100-sxm').name}, {catalog.chip('gb200').name}.")
    assert reader.page.locator("article [aria-live], article [role=status]").count() == 0


def test_what_is_relayed_is_called_so_in_a_column_too(visit: Visit) -> None:
    head = arrived(visit(PAGE, "compare=h100-sxm,rubin"))[0]
    assert "secondary" not in head[1]
    assert head[2].endswith("secondary")


def test_the_address_keeps_what_is_compared(visit: Visit) -> None:
    reader = visit(PAGE, "compare=gb200,nobody,h100-sxm,gb200")
    assert arrived(reader)[0] == ["", catalog.chip("gb200").name, catalog.chip("h100-sxm").name]
    tick(reader, "h100-sxm")
    assert reader.page.evaluate("location.search") == "?compare=gb200"
    assert columns(reader) == []
    tick(reader, "gb200")
    assert reader.page.evaluate("location.search") == ""


def test_every_table_of_the_catalogue_can_be_compared_and_is_left_as_it_came(visit: Visit) -> None:
    reader = visit("reference/catalogue/prices/")
    expect(reader.page.locator(".rl-choose")).to_have_count(len(catalog.prices()))
    reader.follow("catalogue/tiers/")
    tiers = len(catalog.in_force(catalog.Tier, "tiers"))
    expect(reader.page.locator(".rl-choose")).to_have_count(tiers)  # once the page before is gone


def test_a_comparison_fits_a_phone(visit: Visit) -> None:
    reader = visit(PAGE, "compare=h100-sxm,gb200")
    reader.page.set_viewport_size({"width": 390, "height": 844})
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table = reader.page.locator(".rl-columns")
    assert table.evaluate("table => table.offsetWidth <= table.closest('.rl-scroll').clientWidth")
