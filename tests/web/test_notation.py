"""Whatever the notation says is in the code is in the code."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module

import calc
from calc.catalog import KINDS, Model, System
from web.cache import ROOT

PAGE = (ROOT / "docs/reference/notation.md").read_text("utf-8")


def names_of_the_package() -> Iterator[str]:
    """Functions, their arguments, and the fields of the catalogue."""
    yield from dir(Model) + dir(System)
    yield from (field.name for kind in KINDS.values() for field in fields(kind))
    for module in pkgutil.iter_modules(calc.__path__, "calc."):
        if module.ispkg or module.name == "calc.__main__":
            continue
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
            yield from (name, *inspect.signature(function).parameters)


def test_every_name_is_one_of_the_package() -> None:
    cells = re.findall(r"^\|.*\| ([^|]*) \|$", PAGE, re.MULTILINE)
    names = {name for cell in cells for name in re.findall(r"`(\w+)(?:\(\w+\))?`", cell)} - {"calc"}
    assert len(names) >= 15
    assert names - set(names_of_the_package()) == set()
