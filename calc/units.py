"""Between people and SI: how a quantity is read from what someone writes, and shown so that someone can read it.

Everything inside `calc` is in base units: bytes, operations, seconds, dollars, tokens. Prefixes are decimal
(k = 1,000); the binary ones count in 1,024 only where they are written with their i (KiB, MiB, GiB).
"""

from __future__ import annotations

import math
import re

from calc.errors import CalcError, UnknownName, WrongType

DECIMAL = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
SMALL = {"n": 1e-9, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "m": 1e-3}
BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
TIMES = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
BITS_PER_ELEMENT = {"fp32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8} | dict.fromkeys(
    ("fp4", "mxfp4", "nvfp4", "int4"), 4
)

_CLOCK = (  # the value from which on the next line applies, factor, symbol
    (1e-6, 1e9, "ns"),
    (1e-3, 1e6, "µs"),
    (1.0, 1e3, "ms"),
    (120.0, 1.0, "s"),
    (7200.0, 1 / 60, "min"),
    (172800.0, 1 / 3600, "h"),
    (math.inf, 1 / 86400, "days"),
)
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)", re.DOTALL)
_GROUPED = re.compile(r"(?<=\d)[  \u2009\u202f,_'’](?=\d{3}(?!\d))")


def parse(text: str, unit: str = "") -> float:
    """The number, in base units, that a person means by `text` where a quantity in `unit` is asked for.

    >>> parse("8k"), parse("200 000"), parse("1e6"), parse("1.5M")
    (8000.0, 200000.0, 1000000.0, 1500000.0)
    >>> parse("1.5 TB/s", "B/s"), parse("2 GiB", "B"), parse("20 ms", "s"), parse("50 %", "%")
    (1500000000000.0, 2147483648.0, 0.02, 0.5)
    """
    if not isinstance(text, str):
        raise WrongType("text", text, "a number as text, such as “8k” or “1.5 TB/s”")
    match = _NUMBER.fullmatch(_GROUPED.sub("", text.strip().removeprefix("$").replace("−", "-")))
    if match is None:
        raise CalcError("text", text, "a number, such as “200 000”, “8k”, “1e6” or “1.5M”")
    value = float(match[1]) * _scale(match[2].strip(), unit, text)
    if not math.isfinite(value):
        raise CalcError("text", text, "a number that is not infinite")
    return value


def _scale(suffix: str, unit: str, text: str) -> float:
    if unit == "%":
        return 0.01 if suffix in ("", "%") else _refuse(text, unit)
    if unit == "s" and suffix in TIMES:
        return TIMES[suffix]
    for symbol in dict.fromkeys((unit, unit.replace("FLOP/s", "FLOPs"), unit.replace("B", "byte"), "")):
        if suffix.endswith(symbol):
            prefix = suffix.removesuffix(symbol).strip() if symbol else suffix
            known = {**DECIMAL, **BINARY, **(SMALL if unit in ("s", "$", "J", "W") else {})}
            if prefix in known:
                return known[prefix]
    return _refuse(text, unit)


def _refuse(text: str, unit: str) -> float:
    raise CalcError("text", text, f"a number in {unit}, or without a unit" if unit else "a number without a unit")


def show(value: float, unit: str = "", digits: int = 3) -> str:
    """`value` in base units as a person writes it, rounded to `digits` significant digits.

    >>> show(0.00116, "s"), show(5.76e14, "B/s"), show(671e9, "parameters"), show(5441.2)
    ('1.16 ms', '576 TB/s', '671B parameters', '5,440')
    >>> show(0.134, "%"), show(2.7, "x"), show(0.31, "$/Mtok"), show(70272, "B")
    ('13.4%', '2.7×', '$0.31/Mtok', '70.3 kB')
    """
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "unlimited" if value > 0 else "−unlimited"
    if unit.startswith("$"):
        return f"{'−' if value < 0 else ''}${_money(abs(value), digits)}{unit[1:]}"
    if unit == "%":
        return f"{plain(100 * value, digits)}%"
    if unit == "x":
        return f"{plain(value, digits)}×"
    if unit == "s":
        return _seconds(value, digits)
    if unit in ("B", "B/s", "FLOP", "FLOP/s", "W"):
        return _prefixed(value, unit, digits)
    return f"{short(value, digits)} {unit}".rstrip()


def plain(value: float, digits: int = 3) -> str:
    """`value` rounded to `digits` significant digits, with thousands separated and no exponent.

    >>> plain(1234567), plain(0.0012345), plain(2.0)
    ('1,230,000', '0.00123', '2')
    """
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    text = f"{rounded:,.{max(places, 0)}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def short(value: float, digits: int = 3) -> str:
    """`value` with a suffix (M, B, T) from ten million on; plain, with separators, below that.

    >>> short(14.8e12), short(128000), short(37e9)
    ('14.8T', '128,000', '37B')
    """
    for size, letter in ((1e15, " quadrillion"), (1e12, "T"), (1e9, "B"), (1e7, "M")):
        if abs(value) >= size * (1 - 0.5 * 10**-digits):
            return plain(value / (1e6 if letter == "M" else size), digits) + letter
    return plain(value, digits)


def bytes_per_element(precision: str) -> float:
    """Bytes that one number takes in a storage format.

    >>> bytes_per_element("bf16"), bytes_per_element("FP8"), bytes_per_element("fp4")
    (2.0, 1.0, 0.5)
    """
    bits = BITS_PER_ELEMENT.get(str(precision).lower())
    if bits is None:
        raise UnknownName("precision", precision, BITS_PER_ELEMENT)
    return bits / 8


def _money(value: float, digits: int) -> str:
    if value >= 1e7 or value == 0:
        return short(value, digits)
    return f"{value:,.2f}" if 0.1 <= value < 1000 else plain(value, digits)


def _seconds(value: float, digits: int) -> str:
    if value == 0:
        return "0 s"
    factor, symbol = next(line[1:] for line in _CLOCK if abs(value) < line[0] * (1 - 0.5 * 10**-digits))
    return f"{plain(value * factor, digits)} {symbol}"


def _prefixed(value: float, unit: str, digits: int) -> str:
    size = abs(value) * (1 + 0.5 * 10**-digits)
    for scale, prefix in ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= scale:
            return f"{plain(value / scale, digits)} {prefix}{unit}"
    return f"{plain(value, digits)} {unit}"
