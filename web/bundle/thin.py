"""Compiled modules with less in them; this runs inside Pyodide too, on the Python that will run what it makes.

The standard library and numpy hold thousands of functions that no figure calls. They keep their names, arguments and
flags, and their bodies end the machine, upon which the worker starts the whole one (web/browser/worker.js). Line tables
are left out everywhere: a reader is told what went wrong, not in which line.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection
from types import CodeType

HEADER, HASH = 16, 8  # bytes at the beginning of a compiled file; the last of them are a hash that nobody checks
UNITS = 8  # instructions, at most, that an entry of a line table speaks for
NOWHERE = 0xF8  # an entry that knows no line
Lacks = Callable[[CodeType], bool]


def left_out() -> None:
    """End the machine: no caller can go on with an answer that is not one."""
    __import__("posix").abort()


def compiled(data: bytes, lacks: Lacks) -> bytes:
    """A compiled file without line tables and without the bodies of the functions that it may lack."""
    code = thin(marshal.loads(data[HEADER:]), lacks)
    return data[: HEADER - HASH] + bytes(HASH) + marshal.dumps(code)


def uncalled(called: Collection[tuple[str, str, int]]) -> Lacks:
    """The functions that are not among these, by file, name and first line."""
    return lambda code: (code.co_filename, code.co_qualname, code.co_firstlineno) not in called


def drawing(code: CodeType) -> bool:
    """Whether a function draws with Altair, which is not in the browser."""
    return "altair" in code.co_names


def thin(code: CodeType, lacks: Lacks) -> CodeType:
    """This code and that of its functions."""
    kept = [_inner(each, lacks) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.replace(co_consts=tuple(kept), co_linetable=_nowhere(code))


def _inner(code: CodeType, lacks: Lacks) -> CodeType:
    return _emptied(code) if lacks(code) else thin(code, lacks)


def _emptied(code: CodeType) -> CodeType:
    ending = left_out.__code__
    documented = isinstance(next(iter(code.co_consts), None), str)
    given = code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 1) + (code.co_flags >> 3 & 1)
    return code.replace(
        co_code=ending.co_code,
        co_consts=("" if documented else None, *ending.co_consts[1:]),
        co_names=ending.co_names,
        co_varnames=code.co_varnames[:given],
        co_nlocals=given,
        co_cellvars=(),
        co_stacksize=ending.co_stacksize,
        co_exceptiontable=b"",
        co_linetable=_nowhere(ending),
    )


def _nowhere(code: CodeType) -> bytes:
    units = len(code.co_code) // 2
    whole, rest = divmod(units, UNITS)
    return bytes([NOWHERE | UNITS - 1] * whole + [NOWHERE | rest - 1] * bool(rest))
