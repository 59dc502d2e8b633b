"""The reader's own model and system: pasted, chosen, typed by hand, refused, carried, and undone."""

from __future__ import annotations

import json
import re

from calc.setting.configuration import configuration

PAGE = "lectures/serving/"
LLAMA = configuration("llama-3-70b")
PASTE = """(box, text) => {
    box.focus();
    box.value = text;
    box.dispatchEvent(new InputEvent('input', {bubbles: true, inputType: 'insertFromPaste'}));
}"""


def opened(live, query=""):
    reader = live(PAGE, query)
    figure = reader.figure("serving/own")
    figure.element.scroll_into_view_if_needed()
    figure.element.locator(".rl-number-box").first.wait_for()
    return reader, figure


def test_a_pasted_file_becomes_the_model_of_the_page_and_the_way_back_undoes_it(live):
    reader, figure = opened(live)
    before = reader.number("serving/sheet.output")
    file = LLAMA | {"rope_theta": 500_000.0, "mystery": {"a": [1]}}
    figure.input("own").evaluate(PASTE, json.dumps(file, indent=2))
    reader.page.wait_for_url(re.compile("own=llama~"))
    reader.settle()
    assert figure.finding.startswith("Your model has 70.6B parameters")
    assert "mystery" in figure.element.locator("#own-own-remark").inner_text()
    assert json.loads(figure.input("own").input_value()) == LLAMA
    assert reader.number("serving/sheet.output") != before
    assert "{" not in reader.address
    address = reader.address
    reader.page.go_back()
    reader.page.wait_for_url(lambda url: "own=" not in url)
    reader.settle()
    assert figure.finding.startswith("DeepSeek-V3")
    assert reader.number("serving/sheet.output") == before
    again, same = opened(live, address)
    again.settle()
    assert same.finding.startswith("Your model has 70.6B parameters")


def test_numbers_by_hand_and_a_beginning_from_the_catalogue(live):
    reader, figure = opened(live)
    figure.element.locator(".rl-starts").select_option(label="Qwen3-32B")
    reader.page.wait_for_url(re.compile("own=qwen3~"))
    reader.settle()
    box = figure.element.get_by_label("Layers", exact=True)
    assert box.input_value() == "64"
    box.fill("32")
    box.press("Enter")
    reader.page.wait_for_url(re.compile(r"num_hidden_layers\.32"))
    reader.settle()
    assert reader.number("serving/own.layers") == "32"
    box.fill("many")
    box.press("Tab")
    assert "Layers takes a whole number" in figure.error("own").inner_text()


def test_what_is_no_model_is_told_why_and_nothing_is_lost(live):
    reader, figure = opened(live)
    good = figure.values
    for text, words in (
        ('{"model_type": "llama", ', "ends too early"),
        ('{"model_type": "mamba2"}', "are not known"),
        ('{"model_type": "llama", "hidden_size": 64}', "num_hidden_layers, vocab_size"),
        ("   ", "There is no text"),
    ):
        figure.input("own").evaluate(PASTE, text)
        figure.error("own").get_by_text(words).wait_for()
        assert figure.input("own").input_value() == text
        assert figure.values == good
    assert figure.input("own").get_attribute("aria-invalid") == "true"
    figure.reset("own").click()
    figure.settle()
    assert figure.error("own").is_hidden()
    assert reader.number("serving/own.total") == "671B"


def test_a_fact_of_the_chosen_system_is_changed_and_the_page_is_of_that_one(live):
    reader, figure = opened(live)
    figure.compute("system", "hgx-h200")
    box = figure.input("machine")
    assert "bandwidth: 4.8 TB/s" in box.input_value()
    reader.settle()
    before = reader.number("serving/step.weights")
    box.focus()
    box.fill(box.input_value().replace("bandwidth: 4.8 TB/s", "bandwidth: 0.6 TB/s") + "\ncolour: red")
    box.press("Tab")
    reader.page.wait_for_url(re.compile("system=own.*bandwidth.6e11"))
    reader.settle()
    assert "bandwidth: 600 GB/s" in box.input_value()
    assert "Not read: colour" in figure.element.locator("#own-machine-remark").inner_text()
    assert reader.number("serving/step.weights") != before
    address = reader.address
    good = box.input_value()
    for text, words in (
        ("bandwidth: 0 TB/s", "Bandwidth must be above 0"),
        ("bandwidth: 8", "Bandwidth must be a number with its unit"),
        ("chips: -8", "Chips must be a whole number"),
    ):
        bad = re.sub(rf"{text.partition(':')[0]}: .*", text, good)
        box.evaluate(PASTE, bad)
        figure.error("machine").get_by_text(words).wait_for()
        assert box.input_value() == bad
    reader.settle()
    again, same = opened(live, address)
    assert again.number("serving/step.weights") != before
    assert same.input("system").input_value() == "own"
    same.compute("system", "hgx-h100")
    assert "bandwidth: 3.35 TB/s" in same.input("machine").input_value()
    same.compute("system", "own")
    assert "bandwidth: 600 GB/s" in same.input("machine").input_value()


def test_a_system_that_is_chosen_to_be_ones_own_begins_as_the_one_before(live):
    reader, _ = opened(live, "system=hgx-h100")
    reader.settle()
    before = reader.number("serving/sheet.output")
    reader.figure("serving/sheet").compute("system", "own")
    reader.settle()
    assert "machine=bf16.9.89e14" in reader.address
    assert reader.number("serving/sheet.output") == before


def test_a_dot_of_the_frontier_that_is_pointed_at_is_promised(live):
    reader = live(PAGE)
    figure = reader.figure("serving/frontier")
    figure.element.scroll_into_view_if_needed()
    dots = figure.element.locator(".rl-stage .mark-symbol path").locator("visible=true")
    dots.first.wait_for(state="attached")
    reader.settle()  # or the chart is drawn once more, and the dot is elsewhere
    before = figure.finding
    measured = int(reader.number("serving/frontier.runs")) + 1  # and the ring around one of them
    dot = dots.nth(measured + 40)
    dot.evaluate("mark => mark.scrollIntoView({block: 'center'})")  # or the header may lie over it
    dot.click(force=True)  # what is read off the chart lies over it
    reader.page.wait_for_url(re.compile("frontier.promise="))
    reader.settle()
    assert figure.finding != before
    assert "for every user a million tokens should cost" in figure.finding
