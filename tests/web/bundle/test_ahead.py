"""Methods of dataclasses that come compiled are those that Python would have written."""

from __future__ import annotations

import builtins
import dataclasses
from types import ModuleType
from typing import Any

import pytest

from web.bundle import ahead

CLASS = """
@dataclasses.dataclass(frozen=True, order=True)
class Pair:
    left: int
    right: list = dataclasses.field(default_factory=list)
    note: str = dataclasses.field(default="none", compare=False)
"""


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The texts that Python writes for the class, with their hashes."""
    found: dict[str, int] = {}

    def execute(text: str, *where: Any) -> None:
        found[text] = hash(text)
        builtins.exec(text, *where)

    monkeypatch.setattr(dataclasses, "exec", execute, raising=False)
    defined(CLASS)
    return found


def defined(source: str) -> Any:
    """The class of a source, as one of this module."""
    scope: dict[str, Any] = {"dataclasses": dataclasses, "__name__": __name__}
    exec(source, scope)
    return scope["Pair"]


def loaded(source: bytes, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that is made, when Python has imported it."""
    monkeypatch.setattr(dataclasses, "exec", None, raising=False)
    made = ModuleType(ahead.NAME)
    exec(source, made.__dict__)
    return made


def test_a_class_with_methods_made_ahead_is_like_any_other(
    texts: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = defined(CLASS)
    made = loaded(ahead.source(texts), monkeypatch)
    pair = defined(CLASS)
    assert made.UNKNOWN == []
    assert pair.__init__.__globals__ is globals()
    for one in ((1,), (1, [2]), (1, [2], "so")):
        assert repr(pair(*one)) == repr(plain(*one))
        assert dataclasses.astuple(pair(*one)) == dataclasses.astuple(plain(*one))
    assert pair(1) == pair(1, note="so") != pair(2)
    assert pair(1) < pair(1, [2])
    assert pair(1).right is not pair(1).right
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair(1).left = 2
    with pytest.raises(TypeError, match="left"):
        pair()


def test_a_class_that_nobody_knew_is_compiled_as_ever(texts: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    made = loaded(ahead.source(texts), monkeypatch)
    other = defined(CLASS.replace("left", "first"))
    assert other(3).first == 3
    assert made.UNKNOWN
