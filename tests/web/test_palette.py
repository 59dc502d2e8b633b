"""The charts' colours can be told apart on both pages, with every common kind of colour vision, and named on both."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from calc.figure import look
from web.cache import ROOT

CSS = (ROOT / "docs/stylesheets/rooflines.css").read_text("utf-8")
PAIRS = dict(re.findall(r"--rl-([\w-]+): light-dark\((#\w{6}, #\w{6})\)", CSS))
VISION = {  # Machado, Oliveira and Fernandes (2009), complete loss of one kind of cone, on linear RGB
    "all cones": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
DISTANCE = 9.0  # in Oklab, times a hundred: about four just noticeable differences
DISTANCE_FROM_ACCENT = 7.0  # a little less: the reader's own is a dot with a rim and a value besides
CONTRAST_OF_GRAPHICS, CONTRAST_OF_TEXT = 3.0, 4.5
THEMES = {"light": 0, "dark": 1}
PAGES = sorted([*ROOT.glob("lectures/*/index.md"), *ROOT.glob("docs/**/*.md")])


def colour(name: str, theme: str) -> np.ndarray:
    """A colour of the style sheet as linear RGB."""
    code = PAIRS[name].split(", ")[THEMES[theme]]
    parts = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    low, high = sorted(float(c @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def oklab(linear: np.ndarray) -> np.ndarray:
    cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    cones.append([0.0883024619, 0.2817188376, 0.6299787005])
    lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
    lab.append([0.0259040371, 0.7827717662, -0.8086757660])
    return np.array(lab) @ np.cbrt(np.clip(np.array(cones) @ linear, 0, 1))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_any_two_series_look_different(vision: str, theme: str) -> None:
    seen = [np.clip(VISION[vision] @ colour(f"series-{n}", theme), 0, 1) for n in range(1, len(look.SERIES) + 1)]
    nearest = min(100 * float(np.linalg.norm(oklab(a) - oklab(b))) for a, b in combinations(seen, 2))
    assert nearest >= DISTANCE


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("background", ["paper", "ground"])
def test_series_stand_out_and_text_is_legible(theme: str, background: str) -> None:
    behind = colour(background, theme)
    for place in range(1, len(look.SERIES) + 1):
        assert contrast(colour(f"series-{place}", theme), behind) >= CONTRAST_OF_GRAPHICS
    for name in ("ink", "muted", "accent", "link", "warn"):
        assert contrast(colour(name, theme), behind) >= CONTRAST_OF_TEXT


def test_a_chart_without_the_style_sheet_has_the_light_colours() -> None:
    for drawn in (*look.SERIES, look.INK, look.MUTED, look.GRID, look.ACCENT, look.PAPER, look.FAINT):
        name, fallback = re.fullmatch(r"var\(--rl-([\w-]+), (#\w{6})\)", drawn).groups()  # type: ignore[union-attr]
        assert PAIRS[name].split(", ")[0] == fallback


def test_colour_is_never_the_only_cue() -> None:
    names = [f"series {n}" for n in range(len(look.SERIES))]
    for cue in (look.dashes, look.shapes):
        steps = [str(step) for step in cue(*names)["range"]]
        assert len(set(steps)) == len(names)


def test_more_series_than_can_be_told_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 7 series"):
        look.series(*"abcdefgh")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("background", ["paper", "ground"])
@pytest.mark.parametrize("meant", [look.WEIGHTS, look.CACHE, look.ARITHMETIC, look.LINKS])
def test_the_four_colours_that_mean_something_can_be_read_as_words(meant: str, background: str, theme: str) -> None:
    name = re.search(r"series-\d", meant)
    assert name
    assert contrast(colour(name[0], theme), colour(background, theme)) >= CONTRAST_OF_TEXT


def test_a_series_that_is_named_after_a_bill_has_its_colour_in_every_chart() -> None:
    assert look.series("Cache", "Weights", "Other")["range"] == [look.CACHE, look.WEIGHTS, look.FREE[0]]
    assert look.series("One", "Bound", "Compute")["range"] == [look.FREE[0], look.INK, look.ARITHMETIC]


def test_a_series_that_means_nothing_has_a_free_colour_while_there_is_one() -> None:
    names = [f"series {n}" for n in range(len(look.SERIES))]
    drawn = look.series(*names)["range"]
    assert len(set(drawn)) == len(drawn)
    assert drawn[: len(look.FREE)] == list(look.FREE)
    assert not set(look.FREE) & {look.WEIGHTS, look.CACHE, look.ARITHMETIC, look.LINKS}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_a_series_is_not_taken_for_the_readers_own_setting(vision: str, theme: str) -> None:
    free = (int(match[1]) for match in (re.search(r"series-(\d)", hue) for hue in look.FREE) if match)
    names = ("accent", *(f"series-{place}" for place in free))
    accent, *seen = (oklab(np.clip(VISION[vision] @ colour(name, theme), 0, 1)) for name in names)
    assert min(100 * float(np.linalg.norm(accent - each)) for each in seen) >= DISTANCE_FROM_ACCENT


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_text_names_a_mark_by_a_shade_that_the_other_theme_turns_round(page):
    """A mark that is dark on paper is bright by night, and a pale one dark."""
    assert re.findall(r"(?i)\b(?:black|white|dark(?:er)?|bright(?:er)?|paler?)\b", page.read_text("utf-8")) == []
