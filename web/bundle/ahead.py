"""Methods of dataclasses, compiled when the engine is built.

Python writes the methods of every dataclass as text when its module is imported, and compiles it: in a browser that was
a seventh of the time from the start of Python to its first answer. The texts are the same for every reader, so the
module that is made here carries them compiled, and hands them over where Python would compile them. A text that it does
not know is compiled as ever; the build fails if a figure leads to one (calls.mjs).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

NAME = "made_ahead"
MADE = "__made_"  # begins a name that nobody says, so that thin.py leaves none out
CREATE = "__create_fn__"  # the function in such a text, which makes the methods
BEGINNING = f"""
import builtins
import dataclasses
from types import FunctionType

def execute(text, module, into):
    made = MADE.get(hash(text))
    if made:
        into["{CREATE}"] = FunctionType(made.__code__, module)
    else:
        UNKNOWN.append(text)
        builtins.exec(text, module, into)

dataclasses.exec = execute
UNKNOWN = []
"""


def source(texts: Mapping[str, int]) -> bytes:
    """The module for these texts, each with its hash in the reader's Python.

    >>> text = "def __create_fn__(kind, zero):\\n def __init__(self, own: kind=zero): pass\\n return __init__,"
    >>> made = source({text: 7}).decode()
    >>> print(made[made.index("def __made") :])
    def __made_0(zero, **others):
    <BLANKLINE>
        def __init__(self, own=zero):
            pass
        return (__init__,)
    MADE = {7: __made_0}
    <BLANKLINE>
    """
    made = [_without_types(text, f"{MADE}{at}") for at, text in enumerate(texts)]
    table = ", ".join(f"{known}: {MADE}{at}" for at, known in enumerate(texts.values()))
    return "\n".join([BEGINNING, *made, f"MADE = {{{table}}}", ""]).encode()


def _without_types(text: str, name: str) -> str:
    """The function in a text, under another name, taking no annotations: nobody reads those of a method so made."""
    module = ast.parse(text)
    create = module.body[0]
    assert isinstance(create, ast.FunctionDef)
    for method in create.body:
        for each in ast.walk(method):
            if isinstance(each, ast.FunctionDef):
                each.returns = None
            if isinstance(each, ast.arg):
                each.annotation = None
    used = {each.id for method in create.body for each in ast.walk(method) if isinstance(each, ast.Name)}
    create.name, create.args.kwarg = name, ast.arg("others")
    create.args.args = [each for each in create.args.args if each.arg in used]
    return ast.unparse(module)
