"""Records whose fields are checked as arguments are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from calc.quantities.check import Quantity, Range
from calc.quantities.errors import OutOfRange, ShapeMismatch, WrongType
from calc.quantities.fields import accept, of_kind, together


@dataclass(frozen=True)
class Box:
    width: Quantity
    height: Quantity = 1

    def __post_init__(self) -> None:
        accept(self, Range(0), height=Range(1))


def test_numbers_become_floats_and_lists_become_arrays():
    box = Box(2, [1, 2])
    assert isinstance(box.width, float)
    np.testing.assert_array_equal(box.height, np.array([1.0, 2.0]), strict=True)


@pytest.mark.parametrize(
    ("width", "height", "kind", "sentence"),
    [
        (-1, 1, OutOfRange, "width must be a finite number of at least 0; it was -1."),
        (1, 0.5, OutOfRange, "height must be a finite number of at least 1; it was 0.5."),
        (float("nan"), 1, OutOfRange, "width must be"),
        (1, "tall", WrongType, "height must be .*“tall”"),
        ([], 1, ShapeMismatch, "width must be a number or an array with at least one element"),
        ([1, 2], [1, 2, 3], ShapeMismatch, r"width must be an array that combines with height; .*\(2,\).*\(3,\)"),
    ],
)
def test_what_a_field_cannot_be_is_refused(width, height, kind, sentence):
    with pytest.raises(kind, match=sentence):
        Box(width, height)


def test_a_record_of_the_kind_is_passed_on_and_another_refused():
    box = Box(1)
    assert of_kind(Box, "box", box) is box
    with pytest.raises(WrongType, match="box must be a Box; it was 3"):
        of_kind(Box, "box", 3)


def test_records_and_quantities_that_combine_may_stand_together():
    assert together(box=Box([1, 2]), depth=np.ones((3, 1)), height=2.0) is None


def test_only_what_has_a_shape_is_named_when_nothing_combines():
    sentence = "box must be an array that combines with depth; it was “box (2,), depth (3,)”."
    assert _refusal(plain=1.0, box=Box([1, 2]), depth=np.ones(3)) == sentence
    assert "with depth and height; " in _refusal(box=Box([1, 2]), depth=np.ones(3), height=np.ones(4))


def _refusal(**parts):
    with pytest.raises(ShapeMismatch) as refused:
        together(**parts)
    return str(refused.value)
