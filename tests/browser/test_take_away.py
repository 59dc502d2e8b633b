"""Things that a reader takes away: the link, the citation, the data, the drawing."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

FIGURE = "batching/step-time"


def edited(settled):
    """A reader and the figure at another batch."""
    reader = settled("lectures/batching/")
    return reader, reader.figure(FIGURE).compute("batch", "8k")


def clipboard(reader):
    return reader.page.evaluate("navigator.clipboard.readText()")


def dialog_of(reader, figure, button, title):
    """The dialog that a button opens, by the keyboard."""
    figure.button(button).press("Enter")
    return reader.page.get_by_role("dialog", name=title)


def copied(reader, dialog, what):
    """The text that a button of a dialog copies."""
    dialog.get_by_role("button", name=f"Copy {what}").click()
    dialog.get_by_role("button", name="Copied").wait_for()
    expect(dialog.get_by_role("status").filter(has_text="Copied.")).to_have_count(1)
    return clipboard(reader)


def closes(reader, dialog, figure, button):
    """Whether Escape closes a dialog and leads back to the button that opened it."""
    reader.page.keyboard.press("Escape")
    back = figure.button(button).evaluate("button => button === document.activeElement")
    return back and dialog.count() == 0


def test_the_link_is_copied_with_its_values(settled):
    reader, figure = edited(settled)
    figure.button("share").click()
    reader.page.get_by_role("button", name="Copied").wait_for()
    expect(reader.page.locator(".rl-voice")).to_have_text("Copied.")
    assert clipboard(reader).endswith("lectures/batching/?batch=8k#step-time")


def test_a_refused_clipboard_shows_the_link(visit):
    refuse = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error())}})"
    reader = visit(before=refuse)
    reader.figure(FIGURE).button("share").click()
    assert "lectures/batching/#step-time" in reader.page.get_by_role("dialog", name="Link to this figure").inner_text()


def test_a_citation_carries_the_values(settled):
    reader, figure = edited(settled)
    dialog = dialog_of(reader, figure, "cite", "Cite Figure 1.11")
    said = dialog.inner_text()
    assert "?batch=8k#step-time" in said
    assert "Batch 8,000 sequences" in said
    assert figure.finding in said
    assert "@misc{rooflines-batching-step-time," in said
    assert copied(reader, dialog, "BibTeX").startswith("@misc{")
    assert closes(reader, dialog, figure, "cite")


def test_the_data_come_as_csv_even_before_it_is_live(visit):
    reader = visit(viewport={"width": 1280, "height": 300})
    with reader.page.expect_download() as waiting:
        reader.figure(FIGURE).button("csv").click()
    assert waiting.value.suggested_filename == "rooflines-batching-step-time.csv"
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    assert {row["table"] for row in rows} >= {"curve", "here", "values"}
    assert all(row["label"] for row in rows if row["table"] == "values")
    assert all(float(row["bound"]) > 0 for row in rows if row["table"] == "curve")


def test_the_data_say_which_inputs_they_are_of(settled):
    reader, figure = edited(settled)
    with reader.page.expect_download() as waiting:
        figure.button("csv").click()
    rows = csv.DictReader(io.StringIO(waiting.value.path().read_text()))
    given = {row["name"]: row for row in rows if row["table"] == "inputs"}
    assert given["model"]["text"] == "deepseek-v3"
    assert (float(given["batch"]["number"]), given["batch"]["unit"]) == (8000, "sequences")
    assert given["address"]["text"].endswith("lectures/batching/?batch=8k#step-time")


def test_lines_to_run_elsewhere_carry_the_inputs_and_the_answer(settled):
    reader, figure = edited(settled)
    dialog = dialog_of(reader, figure, "along", "Compute Figure 1.11 elsewhere")
    said = dialog.inner_text()
    assert "batch=8000," in said
    assert "rooflines figure batching/step-time model=deepseek-v3" in said
    taken = json.loads(copied(reader, dialog, "JSON"))
    assert taken["inputs"]["batch"] == 8000
    assert taken["finding"] == figure.finding
    assert closes(reader, dialog, figure, "along")


def drawn(reader, figure):
    """The drawing that a button saves: its file's name, and what is in it."""
    with reader.page.expect_download() as waiting:
        figure.button("drawing").click()
    return waiting.value.suggested_filename, waiting.value.path().read_text("utf-8")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_drawing_comes_as_a_file_that_needs_no_page(visit, width, scheme):
    reader = visit("lectures/batching/", viewport={"width": width, "height": 800}, color_scheme=scheme).wait_live()
    figure = reader.figure(FIGURE).compute("batch", "8k")
    name, text = drawn(reader, figure)
    assert name == "rooflines-batching-step-time.svg"
    root = ElementTree.fromstring(text)
    said = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert root.find("{http://www.w3.org/2000/svg}title").text == figure.finding
    assert said[-2] == "Figure 1.11, Rooflines, CC BY 4.0"
    assert said[-1].endswith("lectures/batching/?batch=8k#step-time")
    assert "var(" not in text
    alone = reader.page.context.new_page()
    alone.set_content(f"<body style='margin: 0'>{text}</body>")
    ends = "all => all.map((each) => each.getBoundingClientRect().right)"
    assert max(alone.locator("svg > text").evaluate_all(ends)) <= alone.locator("svg").bounding_box()["width"]


def test_a_drawing_of_an_earlier_answer_says_so(visit, site):
    site.broken.add("/vega.")
    reader = visit(first=True)
    reader.expects("503", "vega")
    figure = reader.figure(FIGURE).compute("batch", "8k")
    figure.element.locator(".rl-stale-note").wait_for()
    assert "Drawn before the last change of its inputs" in drawn(reader, figure)[1]
