"""A module of `calc`, read for its reference: names, signatures, accepted ranges, docstrings.

mkdocstrings reads source text, in which a range is a name such as `PositiveShare`. Its words (“above 0 up to 1”) are
what `str` gives of an object, so the module is imported and asked here.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from types import ModuleType
from typing import Any, TypeVar, get_args, get_type_hints

from calc.quantities.check import Range


@dataclass(frozen=True)
class Argument:
    """One argument or field: what it is called, what it accepts in words, what it is unless given."""

    name: str
    accepts: str
    default: str = ""


@dataclass(frozen=True)
class Entry:
    """One public name: a function, a class, one of its members, or a constant."""

    name: str
    anchor: str
    kind: str
    signature: str
    doc: str
    arguments: tuple[Argument, ...] = ()
    members: tuple[Entry, ...] = ()


def entries(module: ModuleType) -> tuple[Entry, ...]:
    """The members that a module defines under public names, in its own order."""
    written = dict(_defined(module))
    held = {name: getattr(module, name) for name in written}
    return tuple(
        _entry(module.__name__, name, member, written[name])
        for name, member in held.items()
        if not _is_type_variable(member)
    )


def _defined(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The public names that a module binds itself, in order, with what a constant is written as."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found = [(node.name, "")]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found = [(target.id, ast.unparse(node.value)) for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from ((name, written) for name, written in found if not name.startswith("_"))


def _is_type_variable(member: object) -> bool:
    return isinstance(member, TypeVar) or type(member).__name__ == "ParamSpec"


def _entry(module: str, name: str, member: Any, written: str) -> Entry:
    anchor = f"{module}.{name}".removeprefix("calc.").replace(".", "-")
    if inspect.isclass(member):
        held = tuple(_members(anchor, member))
        return Entry(
            name, anchor, "class", _made_from(member), inspect.getdoc(member) or "", tuple(_fields(member)), held
        )
    if inspect.isfunction(member):
        return _function(name, anchor, member)
    return Entry(name, anchor, "constant", "", written if len(written) <= 60 else f"{written[:59]}…")


def _function(name: str, anchor: str, member: Any, bound: bool = False) -> Entry:
    signature = inspect.signature(member)
    hints = get_type_hints(inspect.unwrap(member), include_extras=True)
    parameters = list(signature.parameters.values())[int(bound) :]
    shown = f"({', '.join(_starred(parameters))}) → {signature.return_annotation}"
    given = _defaults(member)
    arguments = (Argument(p.name, _accepts(hints[p.name], p.annotation), given.get(p.name, "")) for p in parameters)
    return Entry(name, anchor, "function", shown, inspect.getdoc(member) or "", tuple(arguments))


def _starred(parameters: Iterable[inspect.Parameter]) -> Iterator[str]:
    """Names as a call writes them, with the star behind which they must be named."""
    starred = False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield parameter.name + ("=…" if parameter.default is not parameter.empty else "")


def _accepts(hint: Any, written: str) -> str:
    """The range that an annotation holds an argument to, in words; else the annotation as it is written."""
    accepted = next(_ranges(hint), None)
    if accepted is None:
        return written
    return f"{accepted}, or nothing" if type(None) in get_args(hint) else f"{accepted}"


def _ranges(hint: Any) -> Iterator[Range]:
    for part in (*getattr(hint, "__metadata__", ()), *get_args(hint)):
        if isinstance(part, Range):
            yield part
        else:
            yield from _ranges(part)


def _defaults(member: Any) -> dict[str, str]:
    """The value of each argument unless given, as its author wrote it."""
    node = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(member)))).body[0]
    assert isinstance(node, ast.FunctionDef)
    placed = node.args.posonlyargs + node.args.args
    last = zip(placed[len(placed) - len(node.args.defaults) :], node.args.defaults, strict=True)
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return {argument.arg: ast.unparse(value) for argument, value in (*last, *named) if value}


def _fields(member: type) -> Iterator[Argument]:
    if not is_dataclass(member):
        return
    hints = get_type_hints(member, include_extras=True)
    for field in fields(member):
        label, unit = field.metadata.get("label", ""), field.metadata.get("unit", "")
        accepts = f"{label}, in {unit}" if label and unit else label or _accepts(hints[field.name], str(field.type))
        plain = isinstance(field.default, int | float | str)
        yield Argument(field.name, accepts, repr(field.default) if plain else "")


def _members(anchor: str, member: type) -> Iterator[Entry]:
    """The properties and methods that a class defines itself."""
    for name, part in vars(member).items():
        if name.startswith("_"):
            continue
        if isinstance(part, property):
            returned = f" → {inspect.signature(part.fget).return_annotation}" if part.fget else ""
            yield Entry(name, f"{anchor}-{name}", "property", returned, inspect.getdoc(part) or "")
        elif inspect.isfunction(part) or isinstance(part, classmethod):
            bound = getattr(member, name)
            yield _function(name, f"{anchor}-{name}", bound, bound=inspect.isfunction(part))


def _made_from(member: type) -> str:
    """The fields that an object of a class is made from; for a class without fields, its bases."""
    if is_dataclass(member) and "__init__" in vars(member):
        return f"({', '.join(_starred(inspect.signature(member).parameters.values()))})"
    names = [base.__name__ for base in member.__bases__ if base is not object]
    return f"({', '.join(names)})" if names else ""
