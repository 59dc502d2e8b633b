"""A bad network or a bad host is told in a sentence, and one press mends what can be mended."""

from __future__ import annotations

import re

from playwright.sync_api import expect

LECTURE = "lectures/batching/"
FIGURE = "batching/step-time"
FORM = "#step-time .rl-inputs"
LOUD = ("503", "Failed to load", "ERR_", "MIME")  # what the browser itself writes to its console


def begin(reader):
    """Have the calculator start, as a reader does."""
    reader.expects(*LOUD)
    reader.page.locator(f"{FORM} .rl-box").first.focus()
    return reader.figure(FIGURE)


def failed(figure):
    """The sentence of a start that failed, and what is folded below it."""
    figure.element.locator(".rl-status[data-state=failed]").wait_for()
    folded = figure.status.locator(".rl-detail")
    detail = folded.locator("code").text_content() if folded.count() else ""
    return figure.status.locator("span").inner_text(), detail


def retry(figure, said):
    """Press Retry; what is said after that."""
    figure.status.get_by_role("button", name="Retry").click()
    expect(figure.status.locator("span")).not_to_have_text(said)


def test_every_file_that_does_not_come_is_named_and_retry_asks_again(visit, site):
    """None of them comes; whichever is named comes from then on."""
    lacking = {
        name: {file.name for file in site.folder.glob("assets/engine/{}.*.{}".format(*name.split(".")))}
        for name in ("pyodide.wasm", "pyodide.js", "python.bin", "calc.bin", "batching.bin", "_multiarray_umath.wasm")
    }
    site.broken.update(*lacking.values())
    figure = begin(visit(first=True))
    failed(figure)
    figure.set("batch", "8k")
    assert figure.stale
    assert "2,048" in figure.finding
    while lacking:
        said, _ = failed(figure)
        name = re.fullmatch(r"The calculator could not start\. The file (\S+) could not be fetched: .* 503\.", said)[1]
        site.broken -= lacking.pop(name)
        retry(figure, said)
    figure.settle()
    assert "8,000" in figure.finding
    assert not figure.stale


def test_bytes_that_are_not_the_builds_are_refused_and_healed(visit, site):
    """Every file is at fault in one way or another, or in both; whichever is named has one fault less from then on."""
    faults = {
        **{"/pyodide.": ["spoilt"], "/python.": ["spoilt", "cut"]},
        **{"/_umath_linalg.": ["spoilt"], "/_multiarray_umath.": ["foreign"]},
    }
    site.faults |= {part: each[0] for part, each in faults.items()}
    figure = begin(visit(first=True))
    while site.faults:
        said, detail = failed(figure)
        assert detail
        found = re.fullmatch(
            r"The calculator could not start\. The file (\w+\.)\w+ (arrived damaged|did not arrive whole)\.", said
        )
        part = f"/{found[1]}"
        del faults[part][0]
        if faults[part]:
            site.faults[part] = faults[part][0]
        else:
            del site.faults[part]
        retry(figure, said)
    assert "8,000" in figure.compute("batch", "8k").finding


def test_damage_that_the_browser_keeps_is_mended_without_a_word(visit, site):
    site.faults |= {".wasm": "spoilt", ".bin": "spoilt"}
    reader = visit(first=True)
    keep = "files => Promise.all(files.map(file => fetch(file).then(answer => answer.arrayBuffer())))"
    files = [f"{site.address}assets/engine/{file.name}" for file in site.folder.glob("assets/engine/*.[wb]*")]
    reader.page.evaluate(keep, files)
    site.faults.clear()
    assert "8,000" in begin(reader).compute("batch", "8k").finding


def test_a_worker_that_comes_damaged_is_fetched_past_what_the_browser_keeps(visit, site):
    site.faults["/worker."] = "cut"
    figure = begin(visit(first=True))
    said, _ = failed(figure)
    assert said == "The calculator could not start. Its script did not come, or not whole."
    site.faults["/worker."] = "foreign"
    retry(figure, said)
    said, _ = failed(figure)
    assert said == "The calculator could not start. The file worker.js arrived damaged."
    site.faults.clear()
    retry(figure, said)
    assert "8,000" in figure.compute("batch", "8k").finding


def test_what_draws_charts_is_asked_for_once_and_again_when_the_reader_says_so(visit, site):
    site.broken.add("/vega.")
    reader = visit(first=True)
    figure = begin(reader).compute("batch", "8k")
    for batch in ("9k", "10k", "11k"):
        figure.compute("batch", batch)
    note = figure.element.locator(".rl-stale-note")
    assert note.locator("span").inner_text() == (
        "What draws the charts did not come. The numbers follow your inputs; the chart does not."
    )
    assert len(reader.saw("/vega.")) == 1
    assert "11,000" in figure.finding
    assert not figure.stale
    assert figure.chart.count() == 1
    site.broken.clear()
    note.get_by_role("button", name="Retry").click()
    figure.element.locator(".rl-stage").first.wait_for(state="attached")
    note.wait_for(state="hidden")


def lost(visit, site):
    """A visitor whose network goes before Python and what draws charts have come, and who then makes a change."""
    site.broken |= {"/vega.", "/python."}
    reader = visit(first=True)
    figure = begin(reader)
    said, _ = failed(figure)
    figure.set("batch", "8k")
    return reader, figure, said


def test_one_press_fetches_python_and_what_draws_charts(visit, site):
    reader, figure, said = lost(visit, site)
    reader.page.wait_for_timeout(500)  # what draws is asked for, and does not come, before the network is back
    asked = len(reader.saw("/vega."))
    site.broken.clear()
    retry(figure, said)
    figure.settle()
    assert asked <= 1
    figure.element.locator(".rl-stage").first.wait_for(state="attached")
    assert not figure.element.locator(".rl-stale-note").is_visible()
    assert "8,000" in figure.finding


def test_what_did_not_come_is_fetched_when_the_network_returns(visit, site):
    reader, figure, _ = lost(visit, site)
    site.broken -= {"/python."}
    reader.page.evaluate("dispatchEvent(new Event('online'))")
    figure.settle()
    expect(figure.status.locator("span")).to_have_text("Live numbers, earlier chart")
    site.broken.clear()
    reader.page.evaluate("dispatchEvent(new Event('online'))")
    figure.element.locator(".rl-stage").first.wait_for(state="attached")
    expect(figure.status.locator("span")).to_have_text("Live: computed in your browser")


def test_what_a_suggestion_sets_going_is_told_in_view(visit, site):
    """A failure stays below the header beside a change that waits, and where nothing waits it goes with its figure."""
    site.broken |= {"/python."}
    reader = visit("lectures/pricing/", first=True, viewport={"width": 390, "height": 664})
    reader.expects(*LOUD)
    figure = reader.figure("pricing/steps")
    figure.element.locator("a.rl-suggestion").first.click()
    said, _ = failed(figure)
    assert "could not start" in said
    tries = reader.page.locator("#steps .rl-try")
    tries.evaluate("each => scrollTo(0, scrollY + each.getBoundingClientRect().top - 300)")
    top = figure.status.evaluate("each => each.getBoundingClientRect().top")
    header = reader.page.locator(".md-header").evaluate("each => each.getBoundingClientRect().bottom")
    assert 0 <= top - header < 4
    site.broken.clear()
    retry(figure, said)
    figure.settle()
    assert figure.status.locator("span").evaluate("each => each.getBoundingClientRect().bottom") < header


def test_an_act_whose_script_does_not_come_says_so_and_works_when_tried_again(visit, site):
    site.broken.add("assets/acts.")
    reader = visit(first=True)
    reader.expects(*LOUD)
    figure = reader.figure(FIGURE)
    note = figure.element.locator(".rl-stale-note")
    figure.button("cite").click()
    note.wait_for()
    assert note.locator("span").inner_text() == "The script that does this did not come. Try it again."
    site.broken.clear()
    figure.button("cite").click()
    reader.page.get_by_role("dialog", name="Cite Figure 1.11").wait_for()
    assert not note.is_visible()


def test_a_page_whose_script_does_not_come_says_so(visit, site):
    site.broken.add("assets/page.")
    reader = visit(first=True)
    reader.expects(*LOUD)
    said = reader.page.locator("#step-time .rl-unscripted")
    said.scroll_into_view_if_needed()
    assert not said.is_visible()
    reader.page.evaluate(
        "document.getAnimations().forEach((each) => each.finish())"
    )  # the seconds that it gives a script
    said.wait_for()
    said.scroll_into_view_if_needed()  # its fonts may have moved it
    expect(said).to_contain_text("has not come", use_inner_text=True)
    assert reader.page.locator(".rl-status", has_text="Live").locator("visible=true").count() == 0
    site.broken.clear()
    reader.page.reload()
    assert "8,000" in reader.wait_live().figure(FIGURE).compute("batch", "8k").finding
    assert reader.page.locator(".rl-unscripted").count() == 0
