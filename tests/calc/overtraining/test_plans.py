"""Two plans of training as areas: equal loss, and areas that are the operations."""

from __future__ import annotations

import pytest

from calc.overtraining import scaling_law
from calc.overtraining.figures.setting import FITS, law
from tests.calc.figure import asking

answer, number = asking.of("overtraining")


@pytest.mark.parametrize("fit", FITS)
def test_both_plans_reach_one_loss(fit):
    found = answer("plans", fit=fit).values
    lower = scaling_law.loss(law(fit), found["params"].number, found["tokens"].number)
    assert lower == pytest.approx(scaling_law.loss(law(fit), 435e9, 7.32e12))
    assert found["tokens"].number == pytest.approx(2000 * found["params"].number)


def test_by_the_refit_the_plans_are_the_guess_and_the_model_of_its_loss_that_is_cheapest_to_train():
    found = answer("plans").values
    assert [found["params"].number, found["tokens"].number] == pytest.approx([100e9, 200e12], rel=1e-3)
    assert number("plans", "training") == pytest.approx(number("splits", "refit_least_training"), rel=2e-3)
    assert number("plans", "life") == pytest.approx(number("splits", "refit_least_life"), rel=2e-3)
    assert number("plans", "pays") == pytest.approx(
        number("guess", "bill") / 4, rel=0.01
    )  # “a quarter of reinforcement”


def test_the_other_model_is_not_called_longer_trained_where_it_is_trained_for_less():
    found = answer("plans", ratio=5)
    assert found.values["tokens"].number < 7.32e12
    assert "onger-trained" not in " ".join(value.label for value in found.values.values()) + found.description


def test_an_area_is_half_its_operations():
    areas = answer("plans", later="5e14").tables["areas"]
    for start, end, size, operations in zip(
        areas["from"], areas["to"], areas["size"], areas["operations"], strict=True
    ):
        assert 2 * abs(size) * (end - start) == pytest.approx(operations)


def test_the_lower_plan_is_the_cheaper_one_once_it_has_paid():
    pays = number("plans", "pays")
    assert number("plans", "life", later=0.9 * pays) > 1 > number("plans", "life", later=1.1 * pays)
    assert answer("plans", later="100T").finding.endswith("its whole life 1.3×")


def test_up_to_the_marks_the_areas_of_the_two_plans_are_equal():
    found = answer("plans").tables["paid"]
    above, below = (abs(size) * end for size, end in zip(found["size"], found["passes"], strict=True))
    assert above == pytest.approx(below)
    assert not answer("plans", later="100T").tables["paid"]["passes"]  # this life ends before
