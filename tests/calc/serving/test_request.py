"""A request is tokens in, tokens out and a share of a cache; anything else is none."""

from __future__ import annotations

import pytest

from calc.quantities.errors import CalcError
from calc.serving.request import Request


@pytest.mark.parametrize("bad", [(0, 1, 0.5), (1, 0, 0.5), (1, 1, -0.01), (1, 1, 1), (1, 1, float("nan"))])
def test_a_request_that_is_none_is_refused(bad):
    with pytest.raises(CalcError):
        Request(*bad)


def test_nothing_need_be_found_in_a_cache():
    assert Request(10, 1, 0).fresh == 10
