"""The face of a chapter: its package hands on what its modules define, and imports a module when a name of it is asked.

A page that asks for one formula so imports one module of a chapter and not all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def handed_on(package: str, *modules: str) -> Callable[[str], Any]:
    """A package's `__getattr__`: each of its modules by name, and what `modules` define, the first that has it.

    >>> handed_on("calc.batching", "step", "cost")("read_seconds")(80e9, 4e12)
    0.02
    """

    def find(name: str) -> Any:
        if not name.startswith("_"):
            if find_spec(f"{package}.{name}"):
                return import_module(f"{package}.{name}")
            for module in modules:
                found = vars(import_module(f"{package}.{module}"))
                if name in found:
                    setattr(sys.modules[package], name, found[name])
                    return found[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def named() -> list[str]:
        """Names that `find` finds, for completion: all modules, and functions and classes that are handed on."""
        from pkgutil import iter_modules  # no page completes names

        found = {each.name for each in iter_modules(sys.modules[package].__path__)}
        for module in (f"{package}.{each}" for each in modules):
            found |= {name for name, each in vars(import_module(module)).items() if _is_of(module, each)}
        return sorted(name for name in found if not name.startswith("_"))

    vars(sys.modules[package])["__dir__"] = named
    return find


def _is_of(module: str, each: object) -> bool:
    return getattr(each, "__module__", "") == module
