"""Every public name of `calc` is described once, under its lecture, with what its arguments accept in words."""

from __future__ import annotations

import html
import inspect
import pkgutil
import re

import pytest

import calc
from calc.quantities.check import checked
from web import api_pages
from web.cache import ROOT

PAGES = api_pages.markdown()
EVERYTHING = "\n".join(PAGES.values())
DESCRIBED = [module for module in api_pages.modules() if module.name != "calc"]
ENTRIES = [(module, entry) for module in DESCRIBED for entry in module.entries]


def public_names(module: api_pages.Module) -> set[str]:
    """The names that `inspect` finds defined in a module, however they are defined."""
    held = vars(module.loaded).items()
    return {
        name
        for name, member in held
        if not name.startswith("_")
        and (inspect.isclass(member) or inspect.isfunction(member))
        and member.__module__ == module.name
    }


def section(module: str, name: str) -> str:
    """The part of a page that describes one function or class."""
    page = next(page for page in PAGES.values() if f"{{ #{module}-{name} }}" in page)
    return page[page.index(f"{{ #{module}-{name} }}") :].split("\n### ")[0]


def test_every_module_is_described_on_one_page() -> None:
    names = {found.name for found in pkgutil.walk_packages(calc.__path__, "calc.")}
    expected = {
        name
        for name in names
        if not api_pages.PRESENTED & set(name.split(".")) and not name.startswith(api_pages.CLAIMS)
    }
    assert {module.name for module in DESCRIBED} == expected
    for module in DESCRIBED:
        assert EVERYTHING.count(f"\n## {module.name} {{ #") == 1


@pytest.mark.parametrize("module", DESCRIBED, ids=lambda module: module.name)
def test_every_public_name_is_described_once(module: api_pages.Module) -> None:
    described = [entry.name for entry in module.entries]
    assert len(set(described)) == len(described)
    assert public_names(module) <= set(described)
    for entry in module.entries:
        if entry.kind != "constant":
            assert EVERYTHING.count(f"{{ #{entry.anchor} }}") == 1
        else:
            assert EVERYTHING.count(f'<div id="{entry.anchor}">') == 1


def test_what_a_package_hands_on_is_described_where_it_is_defined() -> None:
    from calc import catalog

    described = {entry.name for module, entry in ENTRIES if module.name.startswith("calc.catalog")}
    assert set(catalog.__all__) <= described


def test_every_checked_argument_says_what_it_accepts() -> None:
    held = 0
    for _, entry in ENTRIES:
        for argument in entry.arguments:
            assert "Annotated" not in argument.accepts
            held += "number" in argument.accepts
    assert held > 500
    assert "<dt><code>batch</code></dt><dd>a finite number above 0</dd>" in section("batching-step", "step_time")
    sparsity = "<dt><code>sparsity</code></dt><dd>a finite number of at least 1; <code>1.0</code> unless given</dd>"
    assert sparsity in section("batching-balance", "balanced_batch")


def test_a_description_has_the_equation_the_unit_and_an_example_with_its_result() -> None:
    shown = section("batching-step", "compute_seconds")
    assert "2 B N_a / F seconds" in shown
    assert "compute_seconds(batch, active_params, flops) → Quantity" in shown
    code = html.unescape(re.sub(r"<[^>]+>", "", shown[shown.index("<pre>") : shown.index("</pre>")]))
    assert code == ">>> compute_seconds(1000, 50e9, 1e15)\n0.1"
    assert "balanced_batch(ratio, sparsity=…)" in section("batching-balance", "balanced_batch")
    assert "(batch, context, *, active_params," in section("batching-step", "step_time")


def test_every_function_of_a_lecture_shows_an_example() -> None:
    bare = [
        entry.anchor
        for module, entry in ENTRIES
        if module.page not in (api_pages.FACTS, api_pages.FOUNDATIONS)
        and entry.kind == "function"
        and ">>>" not in entry.doc
    ]
    assert bare == []


def test_a_module_that_is_named_is_a_link_that_leads_to_it() -> None:
    linked = set(re.findall(r'<a href="\.\./([^"]+)"><code>calc\.', EVERYTHING))
    assert len(linked) > 20
    for place in linked:
        slug, anchor = place.split("/#")
        assert f"{{ #{anchor} }}" in PAGES[f"reference/api/{slug}.md"]


def test_members_of_a_class_are_part_of_it() -> None:
    shown = section("batching-step", "StepTime")
    assert "StepTime.bound → Quantity" in shown
    assert '<section class="rl-member" id="batching-step-StepTime-utilisation">' in shown
    made = section("setting-machine", "Machine")
    assert "Machine.published(system) → Machine" in made


def test_prose_escapes_what_is_not_markup() -> None:
    assert api_pages.prose("a < b and `c < d` *e*", "") == "<p>a &lt; b and <code>c &lt; d</code> *e*</p>"
    listed = api_pages.prose("- one\n- two `x`", "")
    assert listed == "<ul><li>one</li><li>two <code>x</code></li></ul>"


def test_pages_say_nothing_of_this_machine_and_are_the_same_twice() -> None:
    assert " at 0x" not in EVERYTHING
    assert str(ROOT) not in EVERYTHING
    assert api_pages.markdown() == PAGES


def test_the_navigation_names_every_page() -> None:
    overview, *titled = api_pages.nav()
    named = {place: title for entry in titled for title, place in entry.items()}
    assert {overview, *named} == set(PAGES)
    for place, title in named.items():
        assert f"\n# Python: {title}\n" in PAGES[place]


def test_a_function_that_checks_keeps_its_signature() -> None:
    assert inspect.signature(checked(lambda: None)) == inspect.signature(lambda: None)
