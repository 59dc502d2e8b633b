"""Instant navigation, theme, back and forth: what is live stays live."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser import chromium
from tests.browser.conftest import ARGUMENTS, DESK, SHORT
from tests.browser.reader import DEAR, Reader

LECTURE = "lectures/batching/"
FIGURE = "batching/step-time"

# Something small on the screen, and how far down the page is.
SMALL_AND_NEAR = """() => {
  window.near = [0.3, 0.4, 0.5, 0.6]
    .flatMap((x) => [150, 200, 250, 300].map((y) => document.elementFromPoint(innerWidth * x, y)))
    .find((each) => each?.closest("article") && !each.closest(".rl-chart") && each.getBoundingClientRect().height < 80);
  window.was = window.near?.getBoundingClientRect().top;
  return (window.at = scrollY);
}"""
# How far it has moved on the screen when the page has scrolled and what came in has been laid out; null if it is gone.
MOVED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (scrollY === window.at) await frame();
  for (let more = 0; more < 3; more += 1) await frame();
  return window.near?.isConnected ? window.near.getBoundingClientRect().top - window.was : null;
}"""
# The page is below its top, and where it was a moment ago.
AT_REST = """() => {
  const was = window.place;
  window.place = scrollY;
  return scrollY > innerHeight && scrollY === was;
}"""


def test_the_worker_lives_through_a_visit(live):
    reader = live("")
    reader.figure(FIGURE).compute("batch", "8k")
    reader.follow(LECTURE)
    reader.page.locator("h1", has_text="Batch size").wait_for()  # home has the figure too
    reader.page.locator("#step-time .rl-status[data-state=live]").wait_for(state="attached")
    assert reader.page.evaluate("window.sameDocument")
    assert len(reader.saw("worker.")) == 1
    figure = reader.figure(FIGURE)
    reader.page.locator("#step-time .rl-finding", has_text="8,000").wait_for()
    assert "8,000" in figure.finding
    figure.compute("batch", "16k")
    assert "16,000" in figure.finding


def test_back_and_forward_agree_with_the_address(live):
    reader = live("", "batch=512")
    reader.follow(LECTURE)
    figure = reader.figure(FIGURE)
    figure.compute("batch", "8k")
    assert reader.address == "batch=8k"
    reader.page.go_back()
    reader.page.wait_for_url(re.compile(r"rooflines/\?batch=512$"))
    reader.page.locator(".rl-hero, h1", has_not_text="Batch size").first.wait_for()
    reader.page.locator("#step-time-batch").and_(reader.page.locator("[value]")).wait_for()
    figure.element.locator("[data-role=finding]", has_text="512").wait_for()
    assert figure.input("batch").input_value() == "512"
    reader.page.go_forward()
    figure.element.locator("[data-role=finding]", has_text="8,000").wait_for()
    assert (figure.input("batch").input_value(), reader.address) == ("8,000", "batch=8k")


def test_a_page_without_figures_keeps_the_scenario(live):
    reader = live()
    reader.figure(FIGURE).compute("batch", "8k")
    reader.follow("reference/")
    reader.page.locator("#step-time").wait_for(state="detached")
    reader.page.goto(reader.site.address + LECTURE)
    assert reader.figure(FIGURE).input("batch").input_value() == "8,000"


@pytest.fixture
def returning(browser, site):
    """A reader whose browser keeps a page that is left as it is, which Playwright forbids unless asked."""
    kept = browser.browser_type.launch(
        executable_path=chromium.find(whole=True),
        args=[*ARGUMENTS, SHORT],
        ignore_default_args=["--disable-back-forward-cache"],
    )
    context = kept.new_context(viewport=DESK)
    context.add_init_script("addEventListener('pageshow', ({persisted}) => { window.cameBack = persisted; })")
    reader = Reader(context.new_page(), site)
    yield reader
    kept.close()
    assert reader.unexpected() == []


def go_back_to_the_kept(reader):
    """A page that comes back does not load, so there is nothing to wait for but its address."""
    reader.page.go_back(wait_until="commit")
    reader.page.wait_for_function("place => location.pathname.endsWith(place)", arg=LECTURE)
    if not reader.page.evaluate("window.cameBack"):
        pytest.skip("This browser keeps no page that is left.")


def test_a_page_that_the_browser_kept_is_live_at_once_and_its_scenario_holds_again(returning):
    figure = returning.open(LECTURE).wait_live().figure(FIGURE).compute("batch", "8k")
    returning.open("lectures/moe/", "batch=64")
    returning.page.locator("[data-input=batch] .rl-box").first.wait_for(state="attached")
    assert returning.figure("moe/exchange").input("batch").input_value() == "64"
    go_back_to_the_kept(returning)
    assert (figure.input("batch").input_value(), figure.status.get_attribute("data-state")) == ("8k", "live")
    assert "8,000" in figure.finding
    figure.compute("batch", "16k")
    assert "16,000" in figure.finding
    assert len(returning.saw("/worker.")) == 2, "one for each page that was opened, none for the way back"
    returning.open("lectures/moe/")
    assert returning.figure("moe/exchange").input("batch").input_value() == "16,000"


def test_what_the_visit_remembers_is_what_the_kept_page_shows(returning):
    """The page that was left in between has noted its own; a tab that is duplicated now begins with what is noted."""
    remembered = "JSON.parse(sessionStorage.getItem('rooflines.scenario')).batch"
    returning.open(LECTURE, "batch=8k").wait_live()
    returning.open("lectures/moe/", "batch=64").wait_live()
    go_back_to_the_kept(returning)
    returning.page.wait_for_function(f"() => {remembered} === 8000")


def test_the_theme_changes_the_chart_without_redrawing_it(visit):
    reader = visit(first=True, color_scheme="dark").wait_live()
    figure = reader.figure(FIGURE).compute("batch", "100")
    before = figure.drawing
    paint = "svg => getComputedStyle(svg.querySelector('.mark-text text, text')).fill"
    dark = figure.chart.evaluate(paint)
    reader.page.get_by_role("button", name="Switch to light").click()
    assert figure.chart.evaluate(paint) != dark
    assert figure.drawing == before


@pytest.mark.parametrize(("system", "other"), [("dark", "light"), ("light", "dark")])
def test_light_or_dark_is_as_the_system_has_it_until_the_reader_chooses_and_then_for_good(visit, site, system, other):
    ground = "getComputedStyle(document.body).backgroundColor"
    colours = {"light": "rgb(250, 249, 245)", "dark": "rgb(20, 29, 27)"}
    reader = visit(first=True, color_scheme=system)
    seen = [reader.page.evaluate(ground)]
    for choice in (f"Switch to {other}", f"Switch to {system}", "Follow the system", f"Switch to {other}"):
        reader.page.get_by_role("button", name=choice).press("Enter")
        seen.append(reader.page.evaluate(ground))
    assert seen == [colours[each] for each in (system, other, system, system, other)]
    again = Reader(reader.page.context.new_page(), site).open("reference/glossary/")
    assert again.page.evaluate(ground) == colours[other]
    assert again.page.get_by_role("button", name=f"Switch to {system}").is_visible()
    again.page.evaluate("localStorage.setItem('rooflines.scheme', 'pink')")
    again.open(LECTURE)
    assert again.page.evaluate(ground) == colours[system]
    again.page.get_by_role("button", name=f"Switch to {other}").click()
    assert again.page.evaluate(ground) == colours[other]


def test_the_cut_network_changes_nothing_once_it_is_live(visit):
    """Nor does it for what the reader has not come to: typefaces of formulas and charts further down are there."""
    reader = visit(first=True).wait_live()
    reader.page.wait_for_function(
        "() => ['KaTeX_Size3 normal', 'Source Serif 4 italic'].every((face) => [...document.fonts].some("
        "({ family, style, status }) => `${family} ${style}` === face && status === 'loaded'))"
    )
    reader.page.wait_for_load_state("networkidle")
    reader.page.context.set_offline(True)
    reader.expects("ERR_INTERNET_DISCONNECTED")  # of the picture that the browser may still ask for
    asked = len(reader.requests)
    figure = reader.figure(FIGURE).compute("batch", "12345")
    assert "12,345" in figure.finding
    assert figure.status.get_attribute("data-state") == "live"
    reader.page.evaluate("document.documentElement.dataset.whole = ''; document.fonts.ready.then(() => 0)")
    own = [address for address in reader.requests[asked:] if not address.endswith("favicon.svg")]  # the browser's, late
    assert own == []


def test_a_phone_sees_the_narrow_drawing_and_nothing_sideways(visit):
    reader = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).wait_live()
    figure = reader.figure(FIGURE)
    figure.slider("batch").tap()
    figure.settle()
    assert figure.chart.evaluate("svg => svg.viewBox.baseVal.width") < 400
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 390
    size = figure.input("batch").evaluate("box => parseFloat(getComputedStyle(box).fontSize)")
    assert size >= 16  # below that a phone zooms in on focus


def test_the_live_chart_takes_the_place_of_the_drawing_without_a_jump(visit):
    reader = visit()
    box = reader.figure(FIGURE).element.locator(".rl-chart").bounding_box()
    reader.wait_live()
    figure = reader.figure(FIGURE).compute("batch", "2049")
    assert figure.element.locator(".rl-stage").count() == 1
    after = figure.element.locator(".rl-chart").bounding_box()
    assert (after["width"], round(after["height"])) == (box["width"], round(box["height"]))


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_on_the_way_up_through_what_was_not_laid_out(visit, width):
    reader = visit("lectures/overtraining/", before=DEAR, viewport={"width": width, "height": 900})
    reader.page.evaluate("document.fonts.ready.then(() => 0)")
    reader.page.keyboard.press("End")
    reader.page.wait_for_function(AT_REST, polling=200)
    reader.page.mouse.move(width / 4, 400)
    moved = []
    while reader.page.evaluate(SMALL_AND_NEAR) > 2000:
        reader.page.mouse.wheel(0, -600)
        moved.append(reader.page.evaluate(MOVED))
    seen = [each for each in moved if each is not None]
    assert len(seen) > 30
    assert {round(each / 5) for each in seen} == {120}, sorted(set(seen))


# Follow a link that stands on the page, and remember the page that is left.
FOLLOW = """(href) => {
  window.left = document.querySelector("[data-md-component=content]");
  const link = Object.assign(document.createElement("a"), { href });
  window.left.querySelector("article").prepend(link);
  link.click();
}"""


# The element at the top of the screen, and where it begins.
PLACE = """() => {
  const each = [...document.querySelectorAll("article > *")].find((it) => it.getBoundingClientRect().bottom > 100);
  return [each.textContent.trim().slice(0, 40), each.getBoundingClientRect().top];
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_the_way_back_leads_to_the_place_that_was_left(live, width):
    reader = live("lectures/moe/")
    reader.page.set_viewport_size({"width": width, "height": 900})
    reader.page.evaluate("scrollTo(0, 0)")
    reader.page.mouse.move(300, 400)
    for _ in range(30):
        reader.page.evaluate("window.at = scrollY")
        reader.page.mouse.wheel(0, 400)
        reader.page.wait_for_function("() => scrollY !== window.at")
    reader.page.wait_for_function(AT_REST, polling=200)
    reader.page.wait_for_function("() => history.state?.y === scrollY")  # the theme notes it when the reader rests
    first, top = reader.page.evaluate(PLACE)
    reader.page.evaluate("document.querySelector('a.md-logo').click()")
    reader.page.locator("#exchange").wait_for(state="detached")
    reader.page.wait_for_function("() => scrollY === 0")
    reader.page.wait_for_function("() => history.state?.y === 0")  # else the theme notes it when this page has gone
    reader.page.route("**/lectures/moe/", lambda route: (time.sleep(0.5), route.continue_()))  # as from afar
    reader.page.go_back()
    reader.page.locator("#exchange").wait_for(state="attached")
    reader.page.wait_for_function("() => document.documentElement.dataset.whole === undefined")
    assert reader.page.evaluate(PLACE) == [first, pytest.approx(top, abs=60)]


@pytest.mark.parametrize("width", [1280, 2000])
def test_the_contents_name_the_section_that_was_jumped_to(visit, width):
    reader = visit("lectures/moe/", viewport={"width": width, "height": 900})
    contents = reader.page.locator(".md-sidebar--secondary")
    for name in ("A second rack", "Going further", "How many chips", "Takeaway"):
        contents.get_by_role("link", name=name, exact=True).click()
        expect(contents.locator(".md-nav__link--active")).to_have_text(name)


def test_a_phone_finds_sections_below_the_title_of_a_lecture_but_not_at_home(visit):
    phone = {"viewport": {"width": 390, "height": 844}}
    assert visit("lectures/batching/", **phone).page.locator(".rl-contents summary").is_visible()
    assert visit("", **phone).page.locator(".rl-contents").count() == 0


@pytest.mark.parametrize("path", ["lectures/batching/", "lectures/batching/lab/"])
def test_the_menu_of_a_phone_opens_on_all_lectures(visit, path):
    reader = visit(path, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    reader.page.locator("label.md-header__button[for=__drawer]").tap()
    for lecture in ("moe", "serving"):
        expect(reader.page.locator(f".md-nav--primary a[href$='/lectures/{lecture}/']")).to_be_in_viewport()
    expect(reader.page.locator(".md-nav--primary a[href$='/lectures/batching/lab/']")).not_to_be_in_viewport()


def test_pages_that_are_gone_are_let_go(visit):
    """The theme holds on to them: without care, 30 pages would keep 600,000 nodes and 30 MB of script."""
    reader = visit(first=True)
    reader.page.wait_for_load_state("networkidle")  # without the site's map the theme leaves links to the browser
    session = reader.page.context.new_cdp_session(reader.page)
    session.send("Performance.enable")

    def held():
        session.send("HeapProfiler.collectGarbage")
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return metrics["Nodes"], metrics["JSHeapUsedSize"]

    def go(lecture, figure):
        reader.page.evaluate(FOLLOW, reader.site.address + lecture)
        reader.page.locator(f"#{figure}[data-figure]").wait_for(state="attached")
        reader.page.wait_for_function("() => window.left.querySelectorAll('*').length === 0")

    seen = []
    for _ in range(8):
        go("lectures/moe/", "exchange")
        go(LECTURE, "step-time")
        seen.append(held())
    nodes, heap = ([each[at] for each in seen] for at in (0, 1))
    assert max(nodes) < 2.5 * nodes[0]
    assert heap[-1] - heap[1] < 5e6, heap


BELOW = """() => document.getElementById('exercises').getBoundingClientRect().top"""
# Longer ago than a browser takes to restore a place.
RESTORED = "() => performance.now() - performance.getEntriesByType('navigation')[0].loadEventEnd > 1200"
# A browser that keeps no places itself, on a page where something far above grows.
GROW = """async (pixels) => {
  document.documentElement.style.overflowAnchor = "none";
  document.querySelector("article > p").style.paddingTop = `${pixels}px`;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""


@pytest.mark.parametrize("scenario", ["", "?batch=6k"])
def test_a_place_outlasts_a_browser_that_restores_another_when_a_page_is_loaded(visit, scenario):
    restores = "addEventListener('load', () => setTimeout(() => scrollBy(0, -88), 100))"
    reader = visit(f"{LECTURE}{scenario}#exercises", before=restores)
    reader.page.wait_for_function(RESTORED)
    reader.settle()  # its notice is shorter then
    here = reader.page.evaluate(BELOW)
    assert 0 < here < 88
    reader.page.reload()
    reader.page.wait_for_function(RESTORED)
    reader.settle()  # its notice is shorter then
    assert reader.page.evaluate(BELOW) == pytest.approx(here, abs=1)


# A part grows, and is measured, in the frame in which those far from the screen are left out again; whatever else waits
# for that moment comes in the same frame.
GROWN = """const later = setTimeout;
const acts = [];
const grow = () => {
  window.here ??= document.getElementById("exercises").getBoundingClientRect().top;
  document.querySelector(".rl-figure > *").style.paddingTop = "46px";
  document.body.getBoundingClientRect();
};
window.setTimeout = (act, after, ...more) => {
  if (after !== 1000 || document.readyState !== "complete") return later(act, after, ...more);
  acts.push(act);
  return later(() => {
    grow();
    while (acts.length) acts.shift()();
  }, after);
};"""


def test_a_place_outlasts_a_part_that_grows_just_before_those_far_from_it_are_left_out_again(visit):
    reader = visit(f"{LECTURE}#exercises", before=GROWN)
    reader.page.wait_for_function(RESTORED)
    assert reader.page.evaluate(BELOW) == pytest.approx(reader.page.evaluate("window.here"), abs=1)


@pytest.mark.parametrize("way", ["by its address", "loaded again", "from the contents"])
def test_a_reader_is_kept_at_a_place_until_they_scroll(visit, way):
    reader = visit(LECTURE if way == "from the contents" else f"{LECTURE}#exercises")
    if way == "from the contents":
        reader.page.locator(".md-nav--secondary a[href$='#exercises']").click()
    reader.page.wait_for_function(AT_REST, polling=200)
    if way == "loaded again":
        reader.page.mouse.move(600, 400)
        there = reader.page.evaluate(BELOW)
        reader.page.mouse.wheel(0, -100)
        reader.page.wait_for_function(f"there => ({BELOW})() > there + 99", arg=there)
        left = reader.page.evaluate(BELOW)
        reader.page.reload()
        reader.page.wait_for_function(AT_REST, polling=200)
        assert reader.page.evaluate(BELOW) == pytest.approx(left, abs=1)
    here = reader.page.evaluate(BELOW)
    assert 0 < here < 250
    reader.page.evaluate(GROW, 300)
    assert reader.page.evaluate(BELOW) == pytest.approx(here, abs=1)
    reader.page.wait_for_function(RESTORED)
    reader.page.evaluate("window.scrollBy(0, -40)")  # as by a scroll bar, of which a page hears nothing else
    reader.page.evaluate(GROW, 300)
    reader.page.evaluate(GROW, 500)
    assert reader.page.evaluate(BELOW) == pytest.approx(here + 240, abs=1)
