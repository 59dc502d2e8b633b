"""From SI to people: how a quantity in base units is shown, and what formats of numbers are called.

Everything inside `calc` is in base units: bytes, operations, seconds, dollars, tokens. `calc.quantities.parsing` goes
the other way.
"""

from __future__ import annotations

import math
import re
from typing import SupportsFloat

from calc.quantities.errors import UnknownName, WrongType

BITS_PER_ELEMENT = {"fp32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8} | dict.fromkeys(
    ("fp4", "mxfp4", "nvfp4", "int4"), 4
)
FORMATS = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32", "e4m3": "fp8", "e5m2": "fp8", "f8": "fp8"}

_ONE = {"people": "person", "copies": "copy", "S-boxes": "S-box", "passes": "pass"}  # the rest drop an s
_COUNTED = re.compile(r"[A-Za-z-]{3,}s(?= |/|$)|people")

_CLOCK = (  # the value from which on the next line applies, factor, symbol
    (1e-6, 1e9, "ns"),
    (1e-3, 1e6, "µs"),
    (1.0, 1e3, "ms"),
    (120.0, 1.0, "s"),
    (7200.0, 1 / 60, "min"),
    (172800.0, 1 / 3600, "h"),
    (math.inf, 1 / 86400, "days"),
)
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_HALVES_UP = 1 + 1e-14  # by so little a number is larger before it is rounded; at most 12 digits are asked for
_UP = str.maketrans("0123456789-", RAISED)


def show(quantity: SupportsFloat, unit: str = "", digits: int = 3) -> str:
    """One quantity in base units as a person writes it, rounded to `digits` significant digits.

    >>> show(0.00116, "s"), show(5.76e14, "B/s"), show(671e9, "parameters"), show(5441.2)
    ('1.16 ms', '576 TB/s', '671B parameters', '5,440')
    >>> show(0.134, "%"), show(2.7, "x"), show(0.31, "$/Mtok"), show(70272, "B"), show(3e300)
    ('13.4%', '2.7×', '$0.31/Mtok', '70.3 kB', '3 × 10³⁰⁰')
    >>> show(312.5), show(0.03125, "%")
    ('313', '3.13%')
    """
    value = float(quantity)
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "unlimited" if value > 0 else "−unlimited"
    if unit.startswith("$"):
        return f"{'−' if value < 0 else ''}${_money(abs(value), digits)}{unit[1:]}"
    if unit == "%":
        return f"{_readable(100 * value, digits)}%"
    if unit == "x":
        return f"{_readable(value, digits)}×"
    if unit == "s":
        return _seconds(value, digits)
    if unit in ("B", "B/s", "FLOP", "FLOP/s", "W"):
        return _prefixed(value, unit, digits)
    number = short(value, digits)
    return f"{number} {singular(unit) if number in ('1', '−1') else unit}".rstrip()


def proportion(part: SupportsFloat) -> str:
    """A part of a whole as a person writes it: one that leaves some of it over is never said to be 100%.

    >>> proportion(0.805), proportion(0.9997), proportion(1)
    ('80.5%', 'more than 99.9%', '100%')
    """
    value = float(part)
    return f"more than {show(0.999, '%')}" if 0.9995 <= value < 1 else show(value, "%")


def singular(unit: str) -> str:
    """A unit after the number 1: of what is counted, one. A unit of measure stays as it is.

    >>> singular("layers"), singular("tokens/s"), singular("copies"), singular("ms"), singular("tokens per parameter")
    ('layer', 'token/s', 'copy', 'ms', 'token per parameter')
    """
    counted = _COUNTED.match(unit)
    if counted is None:
        return unit
    return _ONE.get(counted[0], counted[0].removesuffix("s")) + unit[counted.end() :]


def plain(quantity: SupportsFloat, digits: int = 3) -> str:
    """One quantity rounded to `digits` significant digits, with thousands separated and no exponent.

    >>> plain(1234567), plain(0.0012345), plain(2.0)
    ('1,230,000', '0.00123', '2')
    >>> plain(1.2e26)
    '120,000,000,000,000,000,000,000,000'
    """
    value = float(quantity)
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    rounded = _rounded(value, digits)
    places = digits - 1 - _exponent(rounded)
    if places <= 0:
        tens = f"{rounded:.{digits - 1}e}".replace(".", "").partition("e")  # as a float the last digits would be noise
        return f"{int(tens[0]) * 10 ** (int(tens[2]) - digits + 1):,}".replace("-", "−")
    text = f"{rounded:,.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def short(value: float, digits: int = 3) -> str:
    """`value` with a suffix (M, B, T) from ten million on; plain, with separators, below that.

    >>> short(14.8e12), short(128000), short(37e9)
    ('14.8T', '128,000', '37B')
    """
    if abs(value) >= 1e21:
        return _readable(value, digits)
    rounded = abs(_rounded(value, digits))
    for size, letter in ((1e15, " quadrillion"), (1e12, "T"), (1e9, "B"), (1e7, "M")):
        if rounded >= size:
            return _readable(value / (1e6 if letter == "M" else size), digits) + letter
    return _readable(value, digits)


def precision(name: str) -> str:
    """A storage format by the name that `calc` uses for it.

    >>> precision("FP8"), precision("bfloat16"), precision("E4M3"), precision("MXFP4")
    ('fp8', 'bf16', 'fp8', 'mxfp4')
    """
    if not isinstance(name, str):
        raise WrongType("precision", name, "the name of a storage format, such as “fp8”")
    plain_name = name.strip().lower()
    plain_name = FORMATS.get(plain_name, plain_name)
    if plain_name not in BITS_PER_ELEMENT:
        raise UnknownName("precision", name, BITS_PER_ELEMENT)
    return plain_name


def bytes_per_element(name: str) -> float:
    """Bytes that one number takes in a storage format.

    >>> bytes_per_element("bf16"), bytes_per_element("FP8"), bytes_per_element("fp4")
    (2.0, 1.0, 0.5)
    """
    return BITS_PER_ELEMENT[precision(name)] / 8


def _rounded(value: float, digits: int) -> float:
    """Halves go up, as at school, also those that binary fractions put just below."""
    return float(f"{value * _HALVES_UP if abs(value) < 1e308 else value:.{digits - 1}e}")


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])


def _readable(value: float, digits: int) -> str:
    """Plain, or with a power of ten where plain would be a wall of zeros."""
    if value == 0 or 1e-5 <= abs(value) < 1e21:
        return plain(value, digits)
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    return f"{plain(float(mantissa), digits)} × 10{str(int(power)).translate(_UP)}"


def _money(value: float, digits: int) -> str:
    """Cents from one dollar to a hundred; else the digits asked for, and of parts of a dollar no fewer than cents."""
    if value >= 1e7 or value == 0:
        return short(value, digits)
    if 1 <= value < 100:
        return f"{value * _HALVES_UP:.2f}"
    text = _readable(value, digits)
    return f"{value * _HALVES_UP:.2f}" if 0.1 <= value < 1 and len(text) < len("0.00") else text


def _seconds(value: float, digits: int) -> str:
    size = abs(_rounded(value, digits))
    if value == 0:
        return "0 s"
    factor, symbol = next(line[1:] for line in _CLOCK if size < line[0])
    return f"{_readable(value * factor, digits)} {symbol}"


def _prefixed(value: float, unit: str, digits: int) -> str:
    size = abs(_rounded(value, digits))
    for scale, prefix in ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= scale:
            return f"{_readable(value / scale, digits)} {prefix}{unit}"
    return f"{_readable(value, digits)} {unit}"
