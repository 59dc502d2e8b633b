"""Titles and descriptions of the pictures at other settings: true, and in whole words."""

from __future__ import annotations

import re

import pytest

from calc.figure import registry
from calc.figure.inputs import Choice, InputError
from calc.figure.scenario import MODELS
from calc.quantities.errors import CalcError
from tests.calc.figure import asking

answer, number = asking.of("moe")

DRAWN = [figure for figure in registry.of_chapter("moe").values() if figure.chart]
ONE = re.compile(r"(?<![\d.,–])1 (chips|experts|tokens|sequences|racks|copies|picks)\b")


def _ends():
    for figure in DRAWN:
        for given in figure.inputs:
            ends = given.options if isinstance(given, Choice) else (given.low, given.high)
            yield from (pytest.param(figure, {given.name: end}, id=f"{figure.slug}-{given.name}-{end}") for end in ends)


@pytest.mark.parametrize(("figure", "inputs"), list(_ends()))
def test_the_words_of_a_picture_are_whole_at_every_end_and_choice(figure, inputs):
    try:
        found = figure.answer(**inputs)
    except (CalcError, InputError):
        return  # it is refused in a sentence, which other tests read
    for said in (found.finding, found.description, *found.notes):
        assert "not a number" not in said
        assert not ONE.search(said)


@pytest.mark.parametrize("system", ["gb200-nvl72", "hgx-h100", "tpu-v7-pod", "tpu-v5e-pod"])
@pytest.mark.parametrize("model", ["deepseek-v3", "mixtral-8x7b"])
def test_one_chip_has_as_many_tokens_in_every_picture(model, system):
    tokens = {number(slug, "tokens", model=model, system=system) for slug in ("travel", "speed")}
    assert len(tokens) == 1


def test_tokens_found_in_a_cache_are_whole():
    for slug, values in (("way", ("held", "new")), ("fleet", ("held",))):
        for name in values:
            assert number(slug, name, cached=95) % 1 == 0


def test_there_are_dense_models_to_describe():
    dense = [name for name in MODELS if "dense" in answer("rack", model=name).finding]
    assert dense
    for name in dense:
        for slug in ("rack", "travel"):
            assert "experts" not in answer(slug, model=name).description
