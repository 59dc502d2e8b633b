"""From people to SI: the quantity that someone means by what they write.

Prefixes are decimal (k = 1,000); the binary ones count in 1,024 only where they are written with their i (KiB, MiB,
GiB). Where a text could be meant in two ways (5m, 80gb, 0,5) it is refused, not guessed.
"""

from __future__ import annotations

import math
import re

from calc.quantities.errors import CalcError, WrongType
from calc.quantities.units import RAISED, singular

DECIMAL = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15, "b": 1e9, "t": 1e12}
SMALL = {"n": 1e-9, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "m": 1e-3}
BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
TIMES = {
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
    **dict.fromkeys(("week", "weeks"), 604800.0),
}

_SPACE = "[ \u00a0\u2009\u202f]"
_GROUPED = rf"[1-9][0-9]{{0,2}}(?:(?P<mark>{_SPACE}|[,_'’])[0-9]{{3}})(?:(?P=mark)[0-9]{{3}})*(?:\.[0-9]*)?"
_PLAIN = r"[0-9]+\.?[0-9]*|\.[0-9]+"
_TO = rf"\^[+-]?[0-9]+|[{RAISED}]+"
_POWER = rf"[eE](?P<e>[+-]?[0-9]+)|\s*[×x*]\s*10(?P<ten>{_TO})|(?P<to>{_TO})"
_NUMBER = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{_GROUPED}|{_PLAIN})(?:{_POWER})?(?P<suffix>.*)", re.DOTALL)
_DOWN = str.maketrans(RAISED, "0123456789-", "^")


def parse(text: str, unit: str = "") -> float:
    """The number, in base units, that a person means by `text` where a quantity in `unit` is asked for.

    >>> parse("8k"), parse("200 000"), parse("1e6"), parse("1.5M"), parse("3 × 10²⁴"), parse("2^20")
    (8000.0, 200000.0, 1000000.0, 1500000.0, 3e+24, 1048576.0)
    >>> parse("1.5 TB/s", "B/s"), parse("2 GiB", "B"), parse("20 ms", "s"), parse("50 %", "%"), parse("$2", "$")
    (1500000000000.0, 2147483648.0, 0.02, 0.5, 2.0)
    >>> parse("400 Gb/s", "B/s"), parse("0.31 $/Mtok", "$/Mtok")
    (50000000000.0, 0.31)

    A decimal prefix moves the point, so that nothing is lost by multiplying:

    >>> parse("8.03B"), 8.03 * 1e9
    (8030000000.0, 8029999999.999999)
    """
    if not isinstance(text, str):
        raise WrongType("text", text, "a number as text, such as “8k” or “1.5 TB/s”")
    match = _NUMBER.fullmatch(_without_dollar(text.strip().replace("−", "-"), unit))
    if match is None:
        raise CalcError("text", text, "a number, such as “200 000”, “8k”, “1e6” or “1.5M”")
    value = _number(match, _scale(match["suffix"].strip(), unit, text))
    if not math.isfinite(value):
        raise CalcError("text", text, "a number that is not infinite")
    return value


def _number(match: re.Match[str], scale: float) -> float:
    """The number of so large a unit: a mantissa and a power of ten (3 × 10²⁴), or any number and its power (2¹⁰)."""
    digits = re.sub(rf"{_SPACE}|[,_'’]", "", match["digits"])
    power = (match["e"] or match["ten"] or match["to"] or "0").translate(_DOWN)
    try:
        if not match["to"]:
            places, rest = _shift(scale)
            return float(f"{match['sign']}{digits}e{int(power) + places}") * rest
        size = float(f"1e{power}") if float(digits) == 10 else float(digits) ** int(power)
        return (-size if match["sign"] == "-" else size) * scale
    except (ArithmeticError, ValueError):
        return math.nan


def _shift(scale: float) -> tuple[int, float]:
    """By how many places a scale moves the decimal point, and the factor left: all of it if it is no power of ten.

    >>> _shift(1e9), _shift(0.01), _shift(1 / 8e9), _shift(2.0**10)
    ((9, 1.0), (-2, 1.0), (0, 1.25e-10), (0, 1024.0))
    """
    places = int(f"{scale:e}".partition("e")[2])
    return (places, 1.0) if float(f"1e{places}") == scale else (0, scale)


def _without_dollar(text: str, unit: str) -> str:
    if unit.startswith("$"):
        return re.sub(rf"^([+-]?)\${_SPACE}?", r"\1", text)
    return text


def _scale(suffix: str, unit: str, text: str) -> float:
    if unit == "%":
        return 0.01 if suffix in ("", "%") else _refuse(text, unit)
    if unit == "s" and suffix in TIMES:
        return TIMES[suffix]
    for symbol, factor in _symbols(unit).items():
        if suffix.endswith(symbol):
            prefix = suffix.removesuffix(symbol).strip()
            # A bare m is refused: it is milli to one, million or minutes to the next.
            small = SMALL if symbol and unit in ("s", "$", "J", "W") else {}
            words = {} if unit.startswith("B") else WORDS
            known = {**DECIMAL, **BINARY, **small, **words}
            if prefix in known and not (factor != 1 and prefix in BINARY):
                return known[prefix] * factor
    return _refuse(text, unit)


def _symbols(unit: str) -> dict[str, float]:
    """How a unit is written, with what each way of writing it is worth; the longest are tried first."""
    ways = {unit: 1.0}
    if unit == "B":
        ways |= {"byte": 1.0, "bytes": 1.0}  # no bits: 8 kb of storage is as often meant as kilobytes
    if unit == "B/s":
        ways |= {"Bps": 1.0, "bytes/s": 1.0, "b/s": 1 / 8, "bit/s": 1 / 8, "bps": 1 / 8}
    if unit == "FLOP/s":
        ways |= dict.fromkeys(("FLOPs", "FLOPS", "flops", "FLOP", "F"), 1.0)
    if unit == "FLOP":
        ways |= {"FLOPs": 1.0}
    if unit == "x":
        ways |= {"×": 1.0}
    if unit.startswith("$"):
        ways |= {unit[1:]: 1.0}
    ways |= {singular(unit): 1.0}
    return dict(sorted(ways.items(), key=lambda way: -len(way[0]))) | {"": 1.0}


def written(unit: str) -> dict[str, float]:
    """How a quantity in `unit` may be written after its number and any prefix, with what each way is worth.

    A bare number is among them where it can mean one thing only: bytes, seconds and rates come with their prefixes.

    >>> written("%"), written("tokens")
    ({'%': 0.01, '': 0.01}, {'tokens': 1.0, 'token': 1.0, '': 1.0})
    >>> written("s")["ms"], written("B")["bytes"], "" in written("B/s")
    (0.001, 1.0, False)
    """
    if unit == "%":
        return {"%": 0.01, "": 0.01}
    small = {f"{prefix}{unit}": factor for prefix, factor in SMALL.items()} if unit in ("s", "$", "J", "W") else {}
    ways = _symbols(unit) | small | (TIMES if unit == "s" else {})
    if unit in ("s", "B", "B/s", "FLOP", "FLOP/s", "J", "W"):
        del ways[""]
    return ways


def _refuse(text: str, unit: str) -> float:
    usual = f"a number in {unit}, or without a unit" if unit else "a number without a unit"
    raise CalcError("text", text, f"{usual}, its decimals after a point" if re.search(r"\d,\d", text) else usual)
