"""Whichever chapter is opened first, with the reader's values in its address, Python starts once and lacks nothing."""

from __future__ import annotations

import pytest

from calc.figure import registry


def addressed() -> dict[str, tuple[str, str]]:
    """The first figure of each chapter with a number to set, and an address that sets one to its highest."""
    found: dict[str, tuple[str, str]] = {}
    for figure in registry.every():
        for given in figure.inputs:
            high = given.declaration().get("high")
            if high is not None:
                found.setdefault(figure.name.partition("/")[0], (figure.name, f"{given.name}={high:.12g}"))
    return found


@pytest.mark.parametrize(("figure", "query"), addressed().values(), ids=addressed())
def test_a_first_visit_needs_no_function_that_was_left_out(figure, query, visit, site):
    reader = visit(site.page_of(figure), query, first=True).wait_live()
    assert [each for each in reader.troubles if "starts again" in each] == []
    machines = [address for address in reader.saw("/pyodide.") if address.endswith(".wasm")]
    assert len(machines) == 1
    packs = {address.rpartition("/")[2].partition(".")[0] for address in reader.requests if address.endswith(".bin")}
    shown = reader.page.eval_on_selector_all(".rl-declaration", "all => all.map((each) => each.dataset.figure)")
    chapter = figure.partition("/")[0]
    assert chapter in packs
    assert packs & {*registry.LECTURES} <= {each.partition("/")[0] for each in shown}
