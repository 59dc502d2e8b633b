"""Compiled modules with less in them; this runs inside Pyodide too, on the Python that will run what it makes.

The standard library and numpy hold thousands of functions that no figure calls, and `calc` some hundreds: those of
figures that no reader can change, which are answered when the site is built. They keep their names, arguments and
flags, and their bodies end the machine, upon which the worker starts the whole one (web/browser/worker.js). Line tables
are left out everywhere: a reader is told what went wrong, not in which line. Where functions began and within what, by
which they are told apart until it is known which are called, goes last, with the names of their locals.
"""

from __future__ import annotations

import dis
import marshal
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import CodeType

HEADER, HASH = 16, 8  # bytes at the beginning of a compiled file; the last of them are a hash that nobody checks
UNITS = 8  # instructions, at most, that an entry of a line table speaks for
NOWHERE = 0xF8  # an entry that knows no line
Lacks = Callable[[CodeType], bool]
Place = tuple[str, str, int]  # of a function: its file, name and first line
LOCAL = ""  # no name that a program can say
FUNCTION = 1  # the flag of code that is a function's and not a module's or a class's


def left_out() -> None:
    """End the machine: no caller can go on with an answer that is not one."""
    __import__("posix").abort()


def compiled(data: bytes, lacks: Lacks, last: bool = False) -> bytes:
    """A compiled file without line tables and without the bodies of the functions that it may lack.

    The `last` time it loses what only a person or this module would read (`unplaced`).
    """
    code = thin(marshal.loads(data[HEADER:]), lacks)
    if last:
        code = unplaced(code)
    return data[: HEADER - HASH] + bytes(HASH) + marshal.dumps(code)


def uncalled(called: Collection[Place]) -> Lacks:
    """The functions that are not among these."""
    return lambda code: _place(code) not in called


def unnamed(called: Collection[Place], files: Iterable[bytes], settled: Collection[tuple[str, str]] = ()) -> Lacks:
    """The functions of these compiled files that neither were called nor are named, at any remove, by one that was.

    Which functions a run calls depends on what it is asked. So all stay that could be called by their name, and those
    that Python calls without one. The `settled` ones, told by file and name, answer figures that nobody asks anew: a
    name that another function shares with them keeps none of them.
    """
    functions = {_place(each): each for data in files for each in _functions(marshal.loads(data[HEADER:]))}
    homes: defaultdict[str | tuple[str, str], list[Place]] = defaultdict(list)
    for place, code in functions.items():
        homes[code.co_name].append(place)
        homes[place[0], code.co_name].append(place)
    kept: set[Place] = set()
    ended = {place for place in functions if place not in called and place[:2] in settled}
    found = [place for place, code in functions.items() if place in called or _special(code)]
    while found:
        place = found.pop()
        if place not in kept and place not in ended:
            kept.add(place)
            inside = list(_functions(functions[place]))
            found += map(_place, inside)
            names = {name for code in (functions[place], *inside) for name in code.co_names}
            found += [home for name in names for home in _homes(homes, place[0], name)]
    return lambda code: bool(code.co_flags & FUNCTION) and _place(code) not in kept


def _homes(homes: Mapping[str | tuple[str, str], list[Place]], file: str, name: str) -> list[Place]:
    """The functions that a name may stand for in a file; a private name for those of the file itself, if it has any."""
    own = homes.get((file, name), []) if name.startswith("_") else []
    return own or homes.get(name, [])


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _special(code: CodeType) -> bool:
    """Whether nobody says the name of a function: a method with which Python asks, a lambda outside any other."""
    return code.co_name.startswith(("__", "<")) and "<locals>" not in code.co_qualname


def _within(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _within(each)


def _functions(code: CodeType) -> Iterator[CodeType]:
    return (each for each in _within(code) if each.co_flags & FUNCTION)


def drawing(code: CodeType) -> bool:
    """Whether a function draws with Altair, which is not in the browser."""
    return "altair" in code.co_names


def thin(code: CodeType, lacks: Lacks) -> CodeType:
    """This code and that of its functions."""
    kept = [_inner(each, lacks) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.replace(co_consts=tuple(kept), co_linetable=_nowhere(code))


def unplaced(code: CodeType) -> CodeType:
    """This code and that of its functions, all in the first line, with short names and one for all that is local."""
    kept = [unplaced(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    given = _given(code)
    local = code.co_varnames[:given] + (LOCAL,) * (len(code.co_varnames) - given)
    return code.replace(co_consts=tuple(kept), co_firstlineno=1, co_varnames=local, co_qualname=code.co_name)


def unsaid(code: CodeType) -> CodeType:
    """This code and that of its functions without line tables and docstrings."""
    told = _docstring(code)
    kept = [unsaid(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    kept = ["" if at == told else each for at, each in enumerate(kept)]
    return code.replace(co_consts=tuple(kept), co_linetable=_nowhere(code))


def _docstring(code: CodeType) -> int | None:
    """The place of a docstring among the constants: a module stores it, a function has it first and never loads it."""
    steps = list(dis.get_instructions(code))
    loaded = [step.arg for step in steps if step.opcode in dis.hasconst]
    stored = next((at for at, step in enumerate(steps) if step.argval == "__doc__"), 0)
    place = 0 if code.co_flags & FUNCTION else steps[stored - 1].arg if stored else None
    uses = 0 if code.co_flags & FUNCTION else 1
    said = place is not None and isinstance(next(iter(code.co_consts[place:]), None), str)
    return place if said and loaded.count(place) == uses else None


def _inner(code: CodeType, lacks: Lacks) -> CodeType:
    return _emptied(code) if lacks(code) else thin(code, lacks)


def _emptied(code: CodeType) -> CodeType:
    ending = left_out.__code__
    documented = isinstance(next(iter(code.co_consts), None), str)
    given = _given(code)
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


def _given(code: CodeType) -> int:
    """The number of names with which its callers may give a function something; they are the first of its own."""
    return code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 1) + (code.co_flags >> 3 & 1)


def _nowhere(code: CodeType) -> bytes:
    units = len(code.co_code) // 2
    whole, rest = divmod(units, UNITS)
    return bytes([NOWHERE | UNITS - 1] * whole + [NOWHERE | rest - 1] * bool(rest))
