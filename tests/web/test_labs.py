"""A lab becomes a light page of this site, complete without scripts, and a notebook that anybody can run."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from mkdocs.config import load_config
from mkdocs_jupyter.convert import nb2html

from calc.figure import look
from web import lab_charts, labs
from web.cache import ROOT

LAB = """# %% [markdown]
# # Lab: a rising line
# By [the lecture](../#model) it costs $x$.
#
# ## Then

# %%
import altair as alt

from calc.batching import hardware_ratio

print(hardware_ratio(2e15, 4e12, 1.0))

# %%
alt.Chart(alt.InlineData(values=[{"x": 1, "y": 2}, {"x": 2, "y": 5}])).mark_line().encode(x="x:Q", y="y:Q"){end}

# %% tags=["found"]
print("It rises by 3 < 4.")
"""
SITE, REPOSITORY = "https://course.example/", "https://code.example/course"
DESCRIBED = '.properties(description="A line <rises>")'
WHERE = "lectures/demo/lab.py"
SPEC = {
    "description": "One bar",
    "data": {"values": [{"a": 1}]},
    "mark": "bar",
    "encoding": {"x": {"field": "a", "type": "quantitative"}},
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a lab that was run."""
    return labs.tidy(run(tmp_path_factory.mktemp("lab"), DESCRIBED), WHERE)


def run(folder: Path, end: str) -> str:
    file = folder / "lab.py"
    file.write_text(LAB.replace("{end}", end))
    labs._prepare_kernel()
    html: str = nb2html(str(file), execute=True, kernel_name="python3", allow_errors=False)
    return html


def test_a_lab_runs_with_the_mathematics_of_the_course(page: str) -> None:
    assert "<pre>250" in page
    assert page.count('class="rl-output"') == 3


def test_a_chart_is_a_drawing_with_words_for_those_who_cannot_see_it(page: str) -> None:
    assert '<div aria-label="A line &lt;rises&gt;" class="rl-chart" role="img"><div class="rl-wide"><svg' in page
    assert f'stroke="{look.MUTED}"' in page


def test_a_chart_is_drawn_again_for_a_phone(page: str) -> None:
    wide, narrow = (
        int(width) for width in re.findall(r'<div class="rl-(?:wide|narrow)"><svg [^>]*?width="(\d+)', page)
    )
    assert narrow < 350 < wide


def test_each_code_has_a_button_that_copies_it(page: str) -> None:
    soup = BeautifulSoup(page, "html.parser")
    wanted = [button["data-clipboard-target"] for button in soup.select("button[data-md-type=copy]")]
    assert [soup.select_one(each) for each in wanted] == soup.select(".rl-code code")
    assert wanted


def test_a_lab_brings_no_styles_no_scripts_and_no_foreign_host(page: str) -> None:
    for part in ("<style", "<script", "<link", "cdn", "mathjax", "clipboard-copy"):
        assert part not in page.lower()
    assert "://" not in page.replace("http://www.w3.org", "")


def test_a_lab_is_light(page: str) -> None:
    assert len(gzip.compress(page.encode())) < 6_000


def test_headings_keep_their_addresses_and_the_notebook_is_offered(page: str) -> None:
    assert '<h1 id="lab-a-rising-line">' in page
    assert '<a class="headerlink" href="#then"' in page
    assert '<a href="demo.ipynb" download' in page


def test_a_lab_says_nothing_of_the_machine_that_built_it(page: str) -> None:
    assert str(Path.home()) not in page
    assert "cell-id" not in page


def test_a_chart_without_a_description_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="Say what the chart shows"):
        run(tmp_path, "")


def test_a_lab_that_warns_is_not_published() -> None:
    warned = (
        '<div class="jp-Notebook"><div class="jp-Cell" id="a"><div class="jp-OutputArea-output" '
        'data-mime-type="application/vnd.jupyter.stderr"><pre>Beware</pre></div></div></div>'
    )
    with pytest.raises(labs.LabError, match=r"lectures/demo/lab\.py warns: Beware"):
        labs.tidy(warned, WHERE)


def test_a_notebook_is_whole_unrun_and_always_the_same(tmp_path: Path) -> None:
    file = tmp_path / "lab.py"
    file.write_text(LAB.replace("{end}", DESCRIBED))
    written = labs.notebook(file, SITE, REPOSITORY)
    assert written == labs.notebook(file, SITE, REPOSITORY)
    made = nbformat.reads(written, as_version=4)
    nbformat.validate(made)
    assert [cell.cell_type for cell in made.cells] == ["markdown", "code", "code", "code"]
    assert not any(cell.get("outputs") for cell in made.cells)
    assert set(json.loads(written)["metadata"]) == {"kernelspec"}


def test_every_lab_of_the_course_is_offered_as_a_notebook(tmp_path: Path) -> None:
    for chapter in ("batching", "moe"):
        (tmp_path / "lectures" / chapter).mkdir(parents=True)
        (tmp_path / "lectures" / chapter / "lab.py").write_text("# %%\n1\n")
    made = labs.notebooks(SITE, REPOSITORY, tmp_path)
    assert sorted(made) == ["lectures/batching/lab/batching.ipynb", "lectures/moe/lab/moe.ipynb"]


def test_a_notebook_says_what_it_needs_and_leads_to_the_site(tmp_path: Path) -> None:
    file = tmp_path / "lectures" / "demo" / "lab.py"
    file.parent.mkdir(parents=True)
    file.write_text(LAB.replace("{end}", DESCRIBED))
    (written,) = labs.notebooks(SITE, REPOSITORY, tmp_path).values()
    head = json.loads(written)["cells"][0]["source"]
    assert "[the lecture](https://course.example/lectures/demo/#model)" in "".join(head)
    assert f"`{labs.INSTALL}` in a copy of [the course’s repository]({REPOSITORY})." in "".join(head)


def test_a_page_says_what_the_lab_found_and_how_to_run_it_before_any_code(page: str) -> None:
    head = page[: page.index("<pre")]
    assert "<p><strong>It rises by 3 &lt; 4.</strong></p>" in head
    assert f'<code>{labs.INSTALL}</code> in a copy of <a href="{labs.REPOSITORY}">' in head


def test_what_a_lab_imports_is_installed_by_what_it_says() -> None:
    said = {*labs.INSTALL.split(), "numpy", "calc"}  # the package and what it needs
    for lab in ROOT.glob("lectures/*/lab.py"):
        imported = set(re.findall(r"^(?:import|from) (\w+)", lab.read_text("utf-8"), re.M))
        assert imported <= said, lab


def test_a_chart_takes_the_look_of_the_site_unless_it_says_otherwise() -> None:
    ours = lab_charts.mime_bundle(dict(SPEC))["text/html"]
    theirs = lab_charts.mime_bundle(SPEC | {"config": {"bar": {"color": "teal"}}})["text/html"]
    bar = re.compile(r'aria-roledescription="bar"[^>]* fill="([^"]*)"')
    assert set(bar.findall(ours)) == {look.MUTED}
    assert set(bar.findall(theirs)) == {"teal"}


def test_a_lab_runs_again_when_calc_has_changed() -> None:
    assert load_config(str(ROOT / "mkdocs.yml")).plugins["mkdocs-jupyter"].config["cache"] is False
