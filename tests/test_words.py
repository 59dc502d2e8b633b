"""Docstrings and comments name the thing first: no sentence of theirs begins with "What", "Who" or "Of"."""

from __future__ import annotations

import ast
import doctest
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("calc", "docs", "web", "tests")
WRITTEN = (".py", ".js", ".mjs", ".css")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in WRITTEN)
BEGINNING = re.compile(r"""(?:^|\n\s*\n|\n\s*[-*]|[.!?]["'”’)`]*\s)\s*(["'“‘(]*(?:What|Who|Of)\b[^\n]*)""")


def beginnings(text: str) -> list[str]:
    """Sentences of a text that begin with one of the words, as far as the end of their line."""
    return BEGINNING.findall(text)


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Strings that stand as statements, those of attributes too, without the examples in them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            parts = doctest.DocTestParser().parse(node.value.value)
            yield node.lineno, "\n\n".join(part for part in parts if isinstance(part, str))


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments, those on lines that follow each other as one text."""
    last, begun, text = -1, 0, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            said = token.string.lstrip("#!: ")
            if token.start[0] == last + 1:
                text += f"\n{said}"
            else:
                yield begun, text
                begun, text = token.start[0], said
            last = token.start[0]
    yield begun, text


def script_comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments of a script or a style sheet on lines of their own, those that follow each other as one text."""
    for block in re.finditer(r"(?:^[ \t]*//.*\n?)+|^[ \t]*/\*(?:.|\n)*?\*/", source, re.MULTILINE):
        line = source.count("\n", 0, block.start()) + 1
        yield line, re.sub(r"^[ \t]*(?://|/\*+)?[ \t]*", "", block.group(), flags=re.MULTILINE)


def found(path: Path) -> list[str]:
    """Places in a file where a sentence begins with one of the words, with the sentence."""
    source = path.read_text("utf-8")
    python = path.suffix == ".py"
    texts = [*docstrings(ast.parse(source)), *comments(source)] if python else [*script_comments(source)]
    name = path.relative_to(ROOT)
    return [f"{name}:{line}: {sentence}" for line, text in texts for sentence in beginnings(text)]


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_comments_name_the_thing_first(room):
    paths = [path for path in SOURCES if path.relative_to(ROOT).parts[0] == room]
    assert paths
    assert [each for path in paths for each in found(path)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What a chip holds.", ["What a chip holds."]),
        ("A sum. Who waits.", ["Who waits."]),
        ('Text.\n\n    "Of these, one."', ['"Of these, one."']),
        ("Rooms:\n- What is here.", ["What is here."]),
        ("It says\nwhat it is. A table of what is.", []),
        ("Whoever waits. Often it helps.", []),
    ],
)
def test_a_sentence_that_begins_so_is_found(text, found):
    assert beginnings(text) == found


def test_docstrings_of_attributes_count_and_examples_do_not():
    tree = ast.parse('A = 1\n"""What it is."""\n\ndef f():\n    """One.\n\n    >>> print("What")\n    What\n    """\n')
    assert [sentence for _, text in docstrings(tree) for sentence in beginnings(text)] == ["What it is."]


def test_comments_on_lines_that_follow_are_one_text():
    texts = [*comments("# It is.\n# Who waits\n# for it.\na = 1  # Of it.\n")]
    assert [sentence for _, text in texts for sentence in beginnings(text)] == ["Who waits", "Of it."]
    scripts = [*script_comments("// It is.\n  // What\n// it is\nlet a;\n")]
    assert [sentence for _, text in scripts for sentence in beginnings(text)] == ["What"]
    styles = [*script_comments("a { }\n/* It is.\n   Who\n   waits. */\n/* What it is. */\n")]
    assert [(line, *beginnings(text)) for line, text in styles] == [(2, "Who"), (5, "What it is. */")]
