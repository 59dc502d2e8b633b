"""Calculations of the ledger: the numbers that a function gives, and all that a reader needs to run it elsewhere."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import TypeAlias

import numpy as np

Numbers: TypeAlias = tuple[float, ...]
Found: TypeAlias = object
"""Whatever a calculation gives that numpy takes for numbers: one, a list, an array; true and false among them."""
Calculation: TypeAlias = Callable[[], Found]


def evaluate(calculation: Calculation) -> Numbers:
    """The numbers that a calculation gives, true as 1 and false as 0.

    >>> evaluate(lambda: [True, 2])
    (1.0, 2.0)
    """
    return flat(calculation())


def flat(result: object) -> Numbers:
    """Plain numbers from whatever a calculation gives.

    >>> flat(np.ones((2, 1)))
    (1.0, 1.0)
    """
    return tuple(float(number) for number in np.atleast_1d(np.asarray(result, dtype=float)).flat)


def as_written(calculation: Calculation) -> str:
    """A calculation as a reader can paste it: what it imports, what it takes as given, the function, and its call."""
    source = inspect.getsource(calculation).rstrip()
    above = _above(sys.modules[calculation.__module__])
    needed = {*_names(source)}
    while more := {name for used in needed if used in above for name in _names(above[used])} - needed:
        needed |= more
    lines = list(dict.fromkeys(text for name, text in above.items() if name in needed))
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    givens = [line for line in lines if line not in imports]
    blocks = ["\n".join(imports), "\n".join(givens), source, f"{calculation.__name__}()"]
    return "\n\n".join(block for block in blocks if block).replace(" -> Found:", ":")


def modules(*calculations: Calculation) -> tuple[str, ...]:
    """The modules of `calc` that calculations ask, by the names under which they use them."""
    found = set()
    for calculation in calculations:
        text = ast.parse(as_written(calculation))
        imported = [node for node in text.body if isinstance(node, ast.ImportFrom)]
        found |= {alias.name for node in imported for alias in node.names}
    return tuple(sorted(found))


@cache
def _above(module: ModuleType) -> dict[str, str]:
    """A module's imports and constants by the name that each binds, an import for each name of its own."""
    source = inspect.getsource(module)
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                head = f"from {node.module} import " if isinstance(node, ast.ImportFrom) else "import "
                found[alias.asname or alias.name] = head + ast.unparse(alias)
        elif isinstance(node, ast.Assign):
            bound = (part.id for part in ast.walk(node.targets[0]) if isinstance(part, ast.Name))
            found |= dict.fromkeys(bound, ast.get_source_segment(source, node) or "")
    return found


def _names(source: str) -> set[str]:
    """Names that a text of Python reads."""
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)} - {"Found"}
