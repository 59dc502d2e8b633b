"""A plugin of mypy: a formula gives a float where each of its arguments is a single number.

`calc.quantities.check.checked` sees to that at run time, and no signature can say it. mypy loads this by the path that
`pyproject.toml` names; nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, assert_type

from mypy.nodes import ARG_STAR2, Var
from mypy.plugin import MethodContext, Plugin
from mypy.types import Instance, LiteralType, NoneType, Type, UnionType, get_proper_type

FORMULA = "calc.quantities.check.Formula.__call__"
SINGLE = {"builtins.float", "builtins.int", "builtins.bool", "builtins.str", "numpy.floating"}


class Formulas(Plugin):
    """Calls of what `checked` guards."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """The type of a call, where it is one of a formula."""
        return _found if fullname == FORMULA else None


def plugin(_: str) -> type[Plugin]:
    """Where mypy begins, whatever its version."""
    return Formulas


def _found(call: MethodContext) -> Type:
    found = get_proper_type(call.default_return_type)
    if isinstance(found, UnionType) and all(_single(each) for each in _given(call)):
        return UnionType.make_union([each for each in found.items if not _named(each, "numpy.ndarray")])
    return call.default_return_type


def _given(call: MethodContext) -> Iterator[Type]:
    """The types of the arguments; of `**settings`, that of its values."""
    for kinds, types in zip(call.arg_kinds, call.arg_types, strict=True):
        for kind, given in zip(kinds, types, strict=True):
            held = get_proper_type(given)
            yield held.args[-1] if kind == ARG_STAR2 and isinstance(held, Instance) and held.args else held


def _single(given: Type, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a type has room for no array: a number, a word, nothing, or a record of such."""
    held = get_proper_type(given)
    if isinstance(held, UnionType):
        return all(_single(each, seen) for each in held.items)
    if not isinstance(held, Instance):
        return isinstance(held, NoneType | LiteralType)
    name = held.type.fullname
    if name in SINGLE or name in seen:
        return True
    ours = [base for base in held.type.mro if base.fullname.startswith("calc.")]
    nodes = [each.node for base in ours for each in base.names.values()]
    kept = [node.type for node in nodes if isinstance(node, Var) and not node.is_property]
    return bool(ours) and all(each is not None and _single(each, seen | {name}) for each in kept)


def _named(given: Type, name: str) -> bool:
    held = get_proper_type(given)
    return isinstance(held, Instance) and held.type.fullname == name


if TYPE_CHECKING:  # the proof, which mypy makes whenever it runs
    import numpy as np

    from calc.batching import read_seconds
    from calc.quantities.check import Quantity

    settings = {"stored_bytes": 1.0, "bandwidth": 2.0}
    assert_type(read_seconds(1, bandwidth=2.0), float)
    assert_type(read_seconds(**settings), float)
    assert_type(read_seconds(np.ones(3), 2.0), Quantity)
