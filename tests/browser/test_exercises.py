"""An exercise takes an answer with its unit, and says how far off it is; without scripts its folded answer is all."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from calc.figure import registry
from calc.quantities.units import show
from tests.browser.conftest import Visit
from tests.browser.reader import Reader
from tests.browser.site import Site

PAGE = "lectures/batching/"
ASKED = registry.find("batching/exercise").answer().values


def form(reader: Reader, label: str) -> Locator:
    """The form whose field has this label."""
    field = reader.page.get_by_label(label, exact=True)
    field.scroll_into_view_if_needed()
    return reader.page.locator(".rl-answer").filter(has=field)


def answer(reader: Reader, label: str, text: str) -> Locator:
    """Write an answer by keyboard; where the page speaks of it."""
    asked = form(reader, label)
    asked.get_by_role("textbox").fill(text)
    asked.get_by_role("textbox").press("Enter")
    return asked.locator(".rl-said")


def test_an_answer_is_judged_beside_its_field(visit: Visit) -> None:
    reader = visit(PAGE)
    floor = float(ASKED["floor"].number)
    expect(answer(reader, "Latency floor", show(floor, "s"))).to_have_text(f"Right: {show(floor, 's')}.")
    expect(answer(reader, "Latency floor", show(8 * floor, "s"))).to_contain_text(
        "8 times too much. This is the factor"
    )
    expect(answer(reader, "Latency floor", "10")).to_contain_text("with its unit")
    expect(reader.page.locator(".rl-voice")).to_contain_text("with its unit")
    expect(form(reader, "Latency floor").get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    form(reader, "Latency floor").get_by_role("textbox").press_sequentially(" ms")
    expect(form(reader, "Latency floor").locator(".rl-said")).to_be_empty()
    assert reader.page.url.endswith(PAGE)


def test_a_guess_is_good_within_its_factor(visit: Visit) -> None:
    reader = visit(PAGE)
    guessed = 1.5 * float(ASKED["qwen_balanced"].number)
    expect(answer(reader, "Balanced batch, guessed", f"{guessed:.0f}")).to_contain_text("A good guess")


def test_a_script_that_does_not_come_is_told_and_asked_for_again(visit: Visit, site: Site) -> None:
    site.broken.add("/acts.")
    reader = visit(PAGE, first=True)
    reader.expects("503", "Failed to load", "ERR_", "MIME")
    floor = show(float(ASKED["floor"].number), "s")
    expect(answer(reader, "Latency floor", floor)).to_have_text("The script that does this did not come. Try it again.")
    site.broken.clear()
    expect(answer(reader, "Latency floor", floor)).to_have_text(f"Right: {floor}.")


def test_forms_answer_on_the_next_page_too(visit: Visit) -> None:
    reader = visit(PAGE)
    reader.follow("lectures/pricing/")
    day = registry.find("pricing/exercise").answer().values["own_now"].text
    expect(answer(reader, "A day as it is", day)).to_have_text(f"Right: {day}.")


def test_nothing_reaches_past_a_narrow_page(visit: Visit) -> None:
    reader = visit(PAGE)
    reader.page.set_viewport_size({"width": 320, "height": 700})
    answer(reader, "Latency floor", "nonsense")
    box = form(reader, "Latency floor").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
