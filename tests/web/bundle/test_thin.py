"""Compiled modules with less in them: what stays works as before, and what was left out ends the machine."""

from __future__ import annotations

import inspect
import marshal
import traceback
from types import CodeType, ModuleType

import pytest

from web.bundle import thin

SOURCE = '''
def outer(scale, *rest, unit="s", **named):
    """Said."""
    def inner():
        return scale
    return inner() + sum(rest)

def unused(first, second=2, *, third):
    return (lambda: first + second)()

def picture():
    import altair
    return altair.Chart()

def wrong():
    raise ValueError("no line is told")
'''
CALLING = """
class Answer:
    def __len__(self):
        return self.seldom()

    def seldom(self):
        return 5

    def never(self):
        return self.other()

def asked(rare):
    return [Answer() for _ in range(2)] if rare is None else far.helper(rare)

def helper(value):
    return (lambda: deep(value))()

def deep(value):
    return 2 * value

def never_asked():
    return never_named()

def never_named():
    return 0
"""
HEADER = bytes(range(thin.HEADER))


class Ended(BaseException):
    """The machine has ended."""


@pytest.fixture(autouse=True)
def end(monkeypatch: pytest.MonkeyPatch) -> None:
    def abort() -> None:
        raise Ended

    monkeypatch.setattr("posix.abort", abort)


def file(source: str) -> bytes:
    """A compiled file."""
    return HEADER + marshal.dumps(compile(source, "source.py", "exec", dont_inherit=True))


def loaded(lacks: thin.Lacks, source: str = SOURCE) -> ModuleType:
    """The source's module, compiled, thinned and run."""
    made = thin.compiled(file(source), lacks)
    assert made[: thin.HEADER] == HEADER[:8] + bytes(8)
    module = ModuleType("source")
    exec(marshal.loads(made[thin.HEADER :]), module.__dict__)
    return module


def test_functions_that_were_called_work_and_the_others_end_the_machine() -> None:
    lacks = thin.uncalled({("source.py", "outer", 2), ("source.py", "outer.<locals>.inner", 4)})
    module = loaded(lacks)
    assert module.outer(1, 2, 3) == 6
    with pytest.raises(Ended):
        module.unused(1, third=3)
    with pytest.raises(Ended):
        module.wrong()


def test_what_a_called_function_names_stays_at_any_remove() -> None:
    called = CALLING[: CALLING.index("def asked")].count("\n") + 1
    module = loaded(thin.unnamed({("source.py", "asked", called)}, [file(CALLING)]), CALLING)
    assert len(module.asked(None)[0]) == 5
    assert module.helper(3) == 6
    for lost in (module.never_asked, module.never_named, module.Answer().never):
        with pytest.raises(Ended):
            lost()


def test_a_function_that_answers_no_figure_anew_goes_though_its_name_is_said() -> None:
    called = CALLING[: CALLING.index("def asked")].count("\n") + 1
    lacks = thin.unnamed({("source.py", "asked", called)}, [file(CALLING)], {("source.py", "helper")})
    module = loaded(lacks, CALLING)
    with pytest.raises(Ended):
        module.helper(3)


def test_a_private_name_stands_for_the_function_of_its_own_file_if_it_has_one() -> None:
    def named(source: str, path: str) -> bytes:
        return HEADER + marshal.dumps(compile(source, path, "exec", dont_inherit=True))

    asking, other = "def asked():\n    return _inner()\n", "def _inner():\n    return 1\n"
    files = [named(asking + other, "own.py"), named(other, "other.py"), named(asking, "without.py")]
    own, far, _ = (marshal.loads(each[thin.HEADER :]).co_consts for each in files)
    inner = {
        code.co_filename: code for consts in (own, far) for code in consts if getattr(code, "co_name", "") == "_inner"
    }
    lacks = thin.unnamed({("own.py", "asked", 1)}, files)
    assert [lacks(inner[path]) for path in ("own.py", "other.py")] == [False, True]
    lacks = thin.unnamed({("without.py", "asked", 1)}, files)
    assert [lacks(inner[path]) for path in ("own.py", "other.py")] == [False, False]


def test_a_function_that_was_left_out_is_still_asked_in_the_same_way() -> None:
    whole, empty = loaded(lambda code: False), loaded(lambda code: True)
    for name in ("outer", "unused", "picture"):
        assert inspect.signature(getattr(empty, name)) == inspect.signature(getattr(whole, name))
        assert getattr(empty, name).__qualname__ == name
    assert empty.outer.__doc__ == ""
    assert empty.unused.__doc__ is None
    with pytest.raises(TypeError, match="third"):
        empty.unused(1)


def test_nothing_but_what_draws_is_left_out_where_nobody_has_looked() -> None:
    module = loaded(thin.drawing)
    assert module.unused(1, third=3) == 3
    with pytest.raises(Ended):
        module.picture()


def test_an_error_is_told_without_its_line() -> None:
    with pytest.raises(ValueError, match="no line is told") as caught:
        loaded(thin.drawing).wrong()
    told = traceback.format_exception(caught.value)
    assert told[-1] == "ValueError: no line is told\n"
    assert any("in wrong" in each for each in told)


def test_the_last_time_functions_lose_the_lines_in_which_they_began() -> None:
    once, last = (marshal.loads(thin.compiled(file(SOURCE), thin.drawing, at)[thin.HEADER :]) for at in (False, True))
    lines = [{each.co_firstlineno for each in _codes(code)} for code in (once, last)]
    assert len(lines[0]) > 3
    assert lines[1] == {1}
    assert [each.co_code for each in _codes(once)] == [each.co_code for each in _codes(last)]


def test_the_last_time_local_names_go_but_not_those_by_which_a_function_is_asked_or_shares() -> None:
    source = """
def asked(first, *rest, named=3, **more):
    total = first + named
    shared = total * sum(rest)
    def inner():
        return shared, more
    return inner()
"""
    code = marshal.loads(thin.compiled(file(source), thin.drawing, last=True)[thin.HEADER :])
    module = ModuleType("source")
    exec(code, module.__dict__)
    assert module.asked(1, 2, named=4, other=5) == (10, {"other": 5})
    assert list(inspect.signature(module.asked).parameters) == ["first", "rest", "named", "more"]
    assert b"total" not in marshal.dumps(code)
    assert b"<locals>" not in marshal.dumps(code)


def _codes(code: CodeType) -> list[CodeType]:
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [code, *(found for each in inner for found in _codes(each))]


DOCUMENTED = '''
"""The module's."""
NAME = "first"

class Kind:
    """The class's."""
    name = "kept"

    def told(self):
        """The method's."""
        return "kept"

    def same(self):
        """kept"""
        return "kept"

def plain():
    return "first"

texts = [(lambda: "kept")(), *("kept" for _ in range(1))]
'''


def test_docstrings_go_and_other_texts_stay() -> None:
    module = ModuleType("documented")
    exec(thin.unsaid(compile(DOCUMENTED, "source.py", "exec", dont_inherit=True)), module.__dict__)
    kind = module.Kind()
    assert (module.__doc__, kind.__doc__, kind.told.__doc__, module.plain.__doc__) == ("", "", "", None)
    assert (kind.__class__.__qualname__, module.NAME, module.plain(), kind.name) == ("Kind", "first", "first", "kept")
    assert (kind.told(), kind.same(), module.texts) == ("kept", "kept", ["kept", "kept"])
