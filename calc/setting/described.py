"""A model in one line of text, short enough for an address: the fields of its configuration that count.

    llama~hidden_size.8192~intermediate_size.28672~num_hidden_layers.80~…

The kind of model comes first, then its fields. A list of layers has a letter for each (`f` full attention, `w` windows,
`l` linear), and is cut short where it begins to repeat itself: `lllf` for as many layers as there are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, cycle, islice
from types import MappingProxyType
from typing import Any

from calc.quantities.errors import CalcError, Unreadable
from calc.setting.configured import MOST_LAYERS, Configured, configured
from calc.setting.layer_kinds import FULL, LINEAR, RATIOS, WINDOW

KIND, COUNT, LAYERS, PLACES = "model_type", "num_hidden_layers", "layer_types", "mlp_only_layers"
DEEPEST = 100
LETTERS = MappingProxyType({FULL: "f", WINDOW: "w", LINEAR: "l"})
_LINE = re.compile(r"[a-z0-9_]+(~[a-z0-9_]+\.[a-z0-9-]+)*")
_WORDS = {"true": True, "false": False}
_BARE = re.compile(r"null|true|false|[0-9]+")  # JSON that could be taken for a kind of model


def described(text: str, name: str = "Your model") -> Configured:
    """The model of a line, or of a whole `config.json`.

    >>> text = "llama~hidden_size.64~intermediate_size.128~num_attention_heads.4~num_hidden_layers.2~vocab_size.100"
    >>> round(described(text).model.params)
    94720
    """
    return configured(fields(text), name=name)


def fields(text: str) -> dict[str, Any]:
    """The fields that a line names, or those of a `config.json`.

    >>> fields("llama~layer_types.lf~num_hidden_layers.3")["layer_types"]
    ['linear_attention', 'full_attention', 'linear_attention']
    """
    bare = text.strip().removeprefix("\ufeff")
    return _of_line(bare) if _LINE.fullmatch(bare) and not _BARE.fullmatch(bare) else _of_json(bare)


def line(counted: Mapping[str, Any]) -> str:
    """The line of a model's fields that count, in the order of their names.

    >>> line({"vocab_size": 100, "model_type": "llama", "layer_types": ["full_attention"] * 6, "hidden_size": 64})
    'llama~hidden_size.64~layer_types.f~vocab_size.100'
    """
    others = (f"{name}.{_written(name, counted[name])}" for name in sorted(counted) if name != KIND)
    return "~".join([counted[KIND], *others])


def file(counted: Mapping[str, Any]) -> str:
    """The same fields as the text of a `config.json`, a field a line.

    >>> print(file({"model_type": "llama", "hidden_size": 64}))
    {
      "hidden_size": 64,
      "model_type": "llama"
    }
    """
    rows = (f"  {json.dumps(name)}: {json.dumps(counted[name])}" for name in sorted(counted))
    return "{\n" + ",\n".join(rows) + "\n}"


def _written(name: str, value: Any) -> str:
    if name == LAYERS:
        return _shortest("".join(LETTERS[each] for each in value))
    if name in (PLACES, RATIOS):
        return "-".join(str(place) for place in value)
    return str(value).lower() if isinstance(value, bool) else str(int(value))


def _shortest(letters: str) -> str:
    """The shortest beginning that gives the whole when it is repeated, the last time perhaps not to its end."""
    sizes = range(1, len(letters) + 1)
    return letters[: next(n for n in sizes if letters[n:] == letters[: len(letters) - n])]


def _of_line(text: str) -> dict[str, Any]:
    kind, *others = text.split("~")
    found = {KIND: kind} | {name: _read(name, value) for name, value in (other.split(".") for other in others)}
    if LAYERS in found:
        found[LAYERS] = list(islice(cycle(found[LAYERS]), min(found.get(COUNT, 0), int(MOST_LAYERS))))
    return found


def _read(name: str, value: str) -> Any:
    if name == LAYERS:
        return _layers(value)
    if name in (PLACES, RATIOS):
        return [_whole(name, place) for place in value.split("-")]
    return _WORDS[value] if value in _WORDS else _whole(name, value)


def _layers(value: str) -> Sequence[str]:
    names = {letter: kind for kind, letter in LETTERS.items()}
    if not set(value) <= set(names):
        raise CalcError(LAYERS, value, "letters of layers: f with full attention, w with windows, l linear")
    return [names[letter] for letter in value]


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 12:
        raise CalcError(name, text, "a whole number")
    return int(text)


def _in_short(text: str) -> str:
    """A piece of a text, in quotation marks."""
    words = re.sub(r"\s+", " ", text)
    return f"“{words}”" if len(words) <= 30 else f"“{words[:29]}…”"


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of a part, refused where one stands there with two values."""
    found = dict(pairs)
    for name, value in pairs:
        if found[name] != value:
            raise Unreadable(name, value, f"{_in_short(name)} stands in this text twice, with two values.")
    return found


def _of_json(text: str) -> dict[str, Any]:
    if not text:
        raise Unreadable("text", text, "Nothing is written here: a config.json belongs here.")
    if max(accumulate((sign in "[{") - (sign in "]}") for sign in text), default=0) > DEEPEST:
        raise Unreadable("text", text[:30], f"This text has more than {DEEPEST} braces within one another.")
    try:
        read = json.loads(text, object_pairs_hook=_once)
    except CalcError:
        raise
    except json.JSONDecodeError as error:
        if error.pos >= len(text) or error.msg.startswith("Unterminated"):
            raise Unreadable("text", text[-30:], f"This JSON ends too early, after {_in_short(text[-30:])}.") from None
        where = f"line {error.lineno}, column {error.colno}"
        begins = _in_short(text[error.pos : error.pos + 30])
        raise Unreadable("text", text, f"This text is no JSON: it stops being so at {where}, with {begins}.") from None
    except ValueError:
        raise Unreadable("text", text[:30], "This JSON has a number of more digits than any of a model.") from None
    if not isinstance(read, dict):
        raise Unreadable("text", text[:30], f"A config.json is named fields in braces, and this is {_in_short(text)}.")
    return read
