"""Refusals of a browser, and how the words of the core meet them; no browser is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.engines.webdriver import Refused, Session, Wire

UNLOADED = "no such frame: Callback was not called before the unload event."
WRONG = "javascript error: ReferenceError: nothing"


class Scripted(Wire):
    """A browser that gives the answers it was told to, one after the other."""

    def __init__(self, *answers: Any) -> None:
        self.answers: Iterator[Any] = iter(answers)

    def ask(self, command: str, parameters: dict[str, Any]) -> Any:
        """Its next answer; an exception is raised."""
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_a_page_that_goes_away_at_the_question_is_asked_again() -> None:
    assert Session(Scripted(Refused(UNLOADED), False, "there")).until("anything") == "there"


def test_an_expression_that_is_wrong_is_not_asked_again() -> None:
    with pytest.raises(Refused, match="ReferenceError"):
        Session(Scripted(Refused(WRONG), "there")).until("anything")
