"""The built site as files: every link leads somewhere, nothing comes from elsewhere, nothing is left unfilled."""

from __future__ import annotations

import filecmp
import html
import os
import re
import subprocess
import sys
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from fontTools.ttLib import TTFont

from tests.browser.site import ROOT
from web import charts, flashcards, fonts, formula_faces
from web.contents import LECTURES
from web.packages import unpacked

FACES = {"mathnormal": "KaTeX_Math-Italic", "mathbf": "KaTeX_Main-Bold"}  # of formulas, by the class that sets it alone
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "form": "action"}
FETCHED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "manifest"}
DRAWING = re.compile(r'<svg font-family[^>]* viewBox="0 0 (\d+) \d+">(.*?)</svg>', re.S)
ABSENT = re.compile(
    r"#!value|<!-- (?:flashcards|claims|ledger|changes|bibliography|lectures|minutes|repository)|"
    r"\{\{|\bundefined\b|\bNaN\b"
)
# Addresses inside the theme's and Vega's own code: names of XML namespaces, and hosts that the theme would ask for
# features that this site does not have. The browser tests see that no page asks for any of them.
DORMANT = re.compile(
    r"https?://(?:www\.w3\.org/|unpkg\.com/(?:mermaid|iframe-worker|resize-observer)|api\.github\.com/|\$\{\w\}/api/|"
    r"(?:www\.)?(?:github\.com/vega|vega\.github\.io)|giscus\.app|localhost|fb\.me/|mths\.be/|clipboardjs\.com/|bit\.ly/2s3ChXG|fontawesome\.com)"
)


class Page(HTMLParser):
    """A page's links, what it loads, and what it offers as anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.headings: list[str] = []
        self.formulas: dict[str, set[str]] = defaultdict(set)  # letters by the typeface that is theirs alone, if any
        self.within: list[str] = []  # the classes of the elements of a formula that are open
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "span" and (self.within or given.get("class") == "katex-html"):
            self.within.append(given.get("class") or "")
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag == "link" and FETCHED_LINKS & set(str(given.get("rel")).split()):
            self.loads.append(str(given["href"]))
        if given.get(LOADED.get(tag, "")):
            self.loads.append(str(given[LOADED[tag]]))
        if tag == "img":
            self.images.append(given)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self.within:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if self.within:
            classes = [each for given in self.within for each in given.split() if each in FACES]
            self.formulas[FACES[classes[-1]] if classes else ""].update(data)


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[Path, Page]:
    """Every page of the site."""
    return {path: Page(path) for path in sorted(built.rglob("*.html"))}


def test_no_page_carries_a_script_a_stylesheet_or_a_handler(built):
    for path in sorted(built.rglob("*.html")):
        text = path.read_text("utf-8")
        inside = [
            tag for tag, script in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL) if script.strip()
        ]
        assert [tag for tag in inside if "application/json" not in tag] == [], path.relative_to(built)
        assert not re.search(r"<style\b|<[a-z][^<>]*\son[a-z]+=", text), path.relative_to(built)


def target(page: Page, address: str, built: Path) -> tuple[Path, str]:
    """The file and the anchor that an address inside the site means."""
    parts = urlsplit(address)
    base = built if page.path.name == "404.html" else page.path.parent
    path = parts.path.removeprefix("/rooflines") if parts.path.startswith("/") else parts.path
    file = (built / path.lstrip("/") if parts.path.startswith("/") else base / unquote(path)).resolve()
    if not parts.path:
        file = page.path
    return (file / "index.html" if file.is_dir() else file), unquote(parts.fragment)


def test_every_link_inside_the_site_leads_to_a_page_and_an_anchor_that_exist(built, pages):
    broken = []
    for page in pages.values():
        for address in page.links:
            if urlsplit(address).scheme:
                continue
            file, anchor = target(page, address, built.resolve())
            known = (
                pages.get(built / file.relative_to(built.resolve())) if file.is_relative_to(built.resolve()) else None
            )
            if not file.exists() or (anchor and known and anchor not in known.ids and anchor != "__top"):
                broken.append(f"{page.path.relative_to(built)}: {address}")
    assert broken == []


def test_everything_that_a_page_loads_is_the_sites_own_and_there(built, pages):
    for page in pages.values():
        for address in page.loads:
            assert not urlsplit(address).netloc, f"{page.path.relative_to(built)} loads {address}"
            asks_upwards = page.path.name == "404.html" and address.startswith("./../")
            if not address.startswith("data:") and not asks_upwards:
                assert target(page, address, built.resolve())[0].exists(), f"{page.path}: {address} is missing"


def test_the_one_style_sheet_finds_all_that_it_fetches(built):
    (sheet,) = built.glob("assets/site.*.css")
    fetched = re.findall(r"url\(([^'\")]+)\)", sheet.read_text("utf-8"))
    assert len(fetched) > 20
    assert [address for address in fetched if not (sheet.parent / address).is_file()] == []


def test_every_chart_finds_its_specification(built):
    told = {name for page in built.rglob("*.html") for name in re.findall(r'"vega":"([^"]+)"', page.read_text("utf-8"))}
    assert len(told) > 50
    assert [name for name in told if not (built / charts.FOLDER / name).is_file()] == []


def test_every_drawing_gives_its_plot_most_of_its_room_also_on_a_phone(built, pages):
    drawn = 0
    for path in pages:
        for number, (width, svg) in enumerate(DRAWING.findall(path.read_text("utf-8")), 1):
            drawn += 1
            plot = re.search(r'<path d="M0,0h([\d.]+)v', svg)
            assert plot is not None
            assert float(plot[1]) > 0.4 * float(width), f"{path.parent.name}, drawing {number}"
    assert drawn > 150


def test_no_stylesheet_and_no_script_names_a_foreign_host(built):
    for file in sorted([*built.rglob("*.css"), *built.rglob("*.js")]):
        text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL)  # licences name their projects
        named = {address for address in re.findall(r"https?://[^\s\"'`)<>\\]+", text) if not DORMANT.match(address)}
        assert named == set(), f"{file.relative_to(built)} names {sorted(named)}"


def test_ids_are_unique_headings_begin_with_one_h1_and_images_have_words(pages):
    for page in pages.values():
        assert len(page.ids) == len(set(page.ids)), f"{page.path}: {[i for i in page.ids if page.ids.count(i) > 1]}"
        assert page.headings.count("h1") == 1, page.path
        assert all(image.get("alt") is not None for image in page.images), page.path


def test_nothing_is_left_unfilled(built, pages):
    for path in pages:
        prose = re.sub(r"<(script|template|code|pre)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
        found = ABSENT.search(prose)
        assert found is None, f"{path.relative_to(built)}: {prose[max(found.start() - 60, 0) : found.end() + 20]!r}"


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda each: each.chapter)
def test_every_further_section_says_so_in_its_heading_and_follows_the_takeaway(built, lecture):
    page = (built / "lectures" / lecture.chapter / "index.html").read_text("utf-8")
    marked = lecture.text.count("{ .further }\n")
    assert marked > 0
    assert page.count('rl-further">further</span><a class="headerlink"') == marked
    cards = page.count('rl-further">further</span></summary>')
    assert cards == sum(bool(card.further) for card in flashcards.cards(lecture.chapter))
    assert page.count('rl-further">further</span>') == marked + cards
    assert page.index('id="takeaway"') < page.index('id="going-further"') < page.index('<h3 class="further"')


def test_the_typefaces_have_every_letter_that_a_reader_meets(pages):
    """Only those that the whole typefaces have: others, such as arrows and Greek, come from the reader's own."""
    shown = re.compile(r"<(script|template|math)\b.*?</\1>", re.DOTALL)
    met = set().union(*(html.unescape(shown.sub("", path.read_text("utf-8"))) for path in pages))
    for face in fonts.FACES:
        has = {chr(code) for code in TTFont(fonts._path(*face)).getBestCmap()}
        assert (met & has) - set(fonts.letters()) == set(), face


def test_the_typefaces_of_formulas_have_every_letter_that_formulas_show(built, pages):
    shown = {
        face: {ord(letter) for page in pages.values() for letter in page.formulas[face]}
        for face in ("", *FACES.values())
    }
    assert all(shown.values())
    faces = {path.name: path for path in built.glob(formula_faces.FACES)}
    for whole in (unpacked("katex") / "dist").glob("fonts/*.woff2"):
        letters = shown.get(whole.stem, shown[""])
        assert set(TTFont(faces[whole.name]).getBestCmap()) == letters & set(TTFont(whole).getBestCmap())


@pytest.mark.skipif("ROOFLINES_SITE" in os.environ, reason="the site was built elsewhere")
def test_a_second_build_is_the_same_to_the_byte(built, tmp_path):
    again = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(again)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    names = [
        sorted(str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()) for site in (built, again)
    ]
    assert names[0] == names[1]
    _, differing, _ = filecmp.cmpfiles(built, again, names[0], shallow=False)
    assert differing == []
