"""Lecture 8's inputs, and the sheet of what the reader describes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from calc import catalog
from calc.catalog import Model
from calc.figure import scenario
from calc.figure.inputs import InputError, Number, Text
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, PRECISION
from calc.quantities.errors import CalcError
from calc.quantities.units import show
from calc.serving.request import MOST_CACHED, Request
from calc.serving.sheet import Sheet, passes, sheet
from calc.serving.usual import usual
from calc.setting import Architecture, Machine, Setting
from calc.setting.configuration import KINDS, configuration
from calc.setting.configured import Configured, configured
from calc.setting.described import described as read_text
from calc.setting.described import file, line
from calc.setting.stated import Stated, in_lines, of_catalogue, one_line, stated
from calc.step import Step
from calc.step.forecasting import FIT

OWN, KEPT = "own", 32
FAR = 0.1  # of a published rent, from which the reader's is another one
MODEL = replace(
    scenario.MODEL,
    options={**scenario.MODELS, OWN: "Your own model"},
    help="From the catalogue, or your own: describe it in its figure, by hand or by its config.json.",
)


def _starts() -> dict[str, str]:
    return {catalog.model(name).name: line(configured(configuration(name)).counted) for name in KINDS}


_FIRST = configured(configuration(MODEL.default)).counted
TEXT = Text(
    name=OWN,
    label="Your model",
    default=line(_FIRST),
    written=file(_FIRST),
    starts=_starts(),
    goes_with="model",
    help="A config.json, as models are published with. It is read on your device and sent nowhere.",
)
SYSTEM = replace(
    scenario.SYSTEM,
    options={**scenario.SYSTEMS, OWN: "Your own system"},
    help="From the catalogue, or your own: change the facts of one in the figure of your own model.",
)
MACHINE = Text(
    name="machine",
    label="Your system",
    default=one_line(of_catalogue(SYSTEM.default)),
    written=in_lines(of_catalogue(SYSTEM.default)),
    goes_with="system",
    most=2000,
    help="The facts of the chosen system: change one, and it is yours. Rates and sizes are of one chip, links one way.",
)
ELSEWHERE = (replace(TEXT, elsewhere="own", starts={}), replace(MACHINE, elsewhere="own-machine"))
CONTEXT = replace(scenario.CONTEXT, label="Input", help="Tokens that a request brings.")
OUTPUT = Number(
    name="output",
    label="Answer",
    default=1000,
    low=1,
    high=200_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that a request gets back.",
)
CACHED = Number(
    name="cached",
    label="Found in a cache",
    default=50,
    low=0,
    high=100 * MOST_CACHED,
    unit="%",
    help="Share of the input that another request has brought before.",
)
PROMISE = Number(
    name="promise",
    label="Promised speed",
    default=50,
    low=1,
    high=1000,
    unit="tokens/s",
    log=True,
    help="Tokens a second that every user is to see.",
)
WITHIN = Number(
    name="within",
    label="First token within",
    default=10,
    low=0.01,
    high=600,
    unit="s",
    log=True,
    help="Promised to every request: so few prompts share a pass that two passes last no longer.",
)
FITTED = catalog.forecast_fit(FIT)
REACHED = tuple(
    Number(
        name=f"{name}_reached",
        label=f"{name.capitalize()} reached",
        default=round(100 * getattr(FITTED, f"{field}_share"), 6),
        low=1,
        high=100,
        unit="%",
        help=f"Share of the published rate{of} that your engine reaches; at first what measurements were fitted to.",
    )
    for name, field, of in (
        ("memory", "memory", " of memory"),
        ("arithmetic", "arithmetic", " of arithmetic"),
        ("links", "link", " of the links"),
    )
)
INPUTS = (MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, BATCH, OUTPUT, CACHED, RENT)


def own_model(text: str) -> Configured:
    """The reader's own model, refused beside the field in which it is described."""
    try:
        return read_text(text)
    except CalcError as error:
        sentence = str(error)
        named = "_" in sentence.partition(" ")[0]  # a field of the file is written as it is there
        raise InputError(OWN, sentence if named else sentence[:1].upper() + sentence[1:]) from None


def own_system(text: str) -> Stated:
    """The reader's own system, refused beside the field in which its facts stand."""
    try:
        return stated(text, name="your system")
    except CalcError as error:
        sentence = str(error)
        raise InputError(MACHINE.name, sentence[:1].upper() + sentence[1:]) from None


def chosen(system: str, machine: str) -> Stated:
    """The facts of the chosen system, from the catalogue or the reader's own."""
    return own_system(machine) if system == OWN else of_catalogue(system)


def rent_of(system: str) -> float | None:
    """The published rent of a system's chip, if there is one."""
    try:
        return None if system == OWN else catalog.rent(system).dollars_per_chip_hour
    except CalcError:
        return None


def other_rent(system: str, price: float, cost: float | None = None) -> str:
    """Where the reader's rent is not near the published one of the system: that, and a million written tokens at it.

    >>> other_rent("gb200-nvl72", 4.54), other_rent("tpu-v4-pod", 4.54)
    ('', '')
    >>> other_rent("hgx-h100", 4.54, 1.49)
    'HGX H100 was offered at $3.65 a chip-hour, at which a million written tokens would cost $1.20; the box says $4.54.'
    """
    offered = rent_of(system)
    if offered is None or abs(price - offered) <= FAR * offered:
        return ""
    name = catalog.system(system).name.partition(" (")[0]
    then = f", at which a million written tokens would cost {show(cost * offered / price, '$')}" if cost else ""
    return f"{name} was offered at {show(offered, '$')} a chip-hour{then}; the box says {show(price, '$')}."


@lru_cache(KEPT)
def described(model: str, own: str, system: str, precision: str, machine: str = "") -> Setting:
    """The reader's model on the reader's system, as it is usually laid out."""
    known: Architecture | Model = own_model(own).model if model == OWN else catalog.model(model)
    place: Machine | str = own_system(machine).machine if system == OWN else system
    return usual(Setting.published(known, place, precision))


@lru_cache(KEPT)
def _read(request: Request, *named: str) -> Step:
    """The passes of a request, which neither a batch nor a rent changes."""
    return passes(described(*named), request)


def priced(
    *,
    model: str,
    own: str,
    system: str,
    machine: str,
    precision: str,
    context: float,
    batch: float,
    output: float,
    cached: float,
    price: float,
    within: float,
    **reached: float,
) -> Sheet:
    """The reader's sheet, at the shares of the three rates that are reached."""
    request = Request(context, output, cached / 100)
    fit = FITTED
    if any(reached[given.name] != given.default for given in REACHED):
        memory, arithmetic, links = (reached[given.name] / 100 for given in REACHED)
        fit = replace(FITTED, memory_share=memory, arithmetic_share=arithmetic, link_share=links)
    named = (model, own, system, precision, machine)
    return sheet(described(*named), request, batch, price, fit, within, _read(request, *named))
