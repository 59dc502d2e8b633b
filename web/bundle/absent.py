"""Modules that a reader's Python does without, in the few words that those who import them need to start.

Pyodide imports them for programs that wait, load packages or read resources, numpy to save arrays and for type
checkers: that took an eighth of the time from the start of Python to its first answer. Like every module that no figure
imports, they do not travel.
"""

from __future__ import annotations

STDLIB = {
    "asyncio/__init__.py": b"",
    "ctypes/__init__.py": b"raise ImportError",
    "importlib/resources/__init__.py": b"",
    "importlib/resources/abc.py": b"__all__ = ()",
    "pickle.py": b"",
    "tokenize.py": b"def generate_tokens(readline): return []",  # of what Pyodide is asked to run, for a last semicolon
    "pyodide/webloop.py": b"""
from pyodide_js._api import scheduleCallback  # Pyodide counts the objects of JavaScript in the memory that it keeps

def _initialize_event_loop(): pass
""",
    "pyodide/_package_loader.py": b"""
import site

from pyodide_js import loadedPackages  # which Pyodide counts, too

class Place:  # asked for as text
    def __init__(self, path): self.path = path
    def __str__(self): return self.path

SITE_PACKAGES, DSO_DIR = Place(site.getsitepackages()[0]), Place("/usr/lib")

def init_loaded_packages(): pass
""",
}
NUMPY = {
    "numpy/_typing/__init__.py": b"""
from typing import Any, TypeVar
import numpy

NBitBase = object
ArrayLike = DTypeLike = Any
NDArray = numpy.ndarray[Any, numpy.dtype[TypeVar("Scalar", bound=numpy.generic, covariant=True)]]
""",
}
