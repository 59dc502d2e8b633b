"""Words that only a person would read leave the machine, and nothing else moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.bundle.test_linked import MINE, at, machine, named, store
from web.bundle.engine import Workshop
from web.bundle.linked import Linked
from web.bundle.words import LEAST, Words, without_words

ROOT = Path(__file__).parents[3]
TOLD = b"What this function does, in so many words that nobody takes it for a message."
OTHER = b"Documentation of another one, of which the end has a name of its own elsewhere."
LEFT = b"\0name(x)\n--\n\n" + TOLD + b"\0next\0"
FROZEN = b"<a module with its docstrings>"
SAID = Words([TOLD, OTHER, b"short"], {FROZEN: b"<a shorter one>"})


def emptied(data: bytes, *bodies: bytes, pointers: bytes = b"") -> bytes:
    module = machine(pointers, *bodies, data=data)
    made = without_words(Linked(module), SAID)
    assert len(made) == len(module)
    return Linked(made).data


def test_documentation_becomes_zeros_behind_a_signature_and_by_itself() -> None:
    assert emptied(LEFT) == LEFT.replace(TOLD, bytes(len(TOLD)))
    assert emptied(b"\0" + TOLD + b"\0\0") == bytes(len(TOLD) + 3)


def test_a_text_of_which_the_machine_names_a_part_stays() -> None:
    data = b"\0" + OTHER + b"\0" * 8
    assert emptied(data, named(20)) == data
    assert emptied(data, pointers=store(len(data) - 4, MINE + at(20))) == data
    begin = named(1)  # it is how documentation is named
    assert emptied(data, begin) == bytes(len(data))


@pytest.mark.parametrize("data", [b"\0short\0", b"x" + TOLD + b"\0", b"\0" + TOLD + b" And more.\0"])
def test_a_short_text_and_a_part_of_another_stay(data: bytes) -> None:
    assert len("short") < LEAST < len(TOLD)
    assert emptied(data) == data


def test_a_module_that_lies_in_the_machine_becomes_shorter_in_its_place() -> None:
    assert emptied(b"ab" + FROZEN + b"yz") == b"ab" + b"<a shorter one>".ljust(len(FROZEN), b"\0") + b"yz"


def test_the_words_of_this_release_are_found() -> None:
    workshop = Workshop(ROOT, ROOT / ".cache" / "rooflines", print)
    said = workshop.words
    assert any(text.startswith(b"Return the absolute value of the argument.") for text in said.told)
    assert any(b"Add arguments element-wise." in text for text in said.told), "numpy's too"
    assert sum(map(len, said.frozen.values())) < 0.8 * sum(map(len, said.frozen))
