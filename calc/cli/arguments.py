"""Input that the command line accepts: sub-commands, names from the catalogue, quantities as people write them."""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Callable
from typing import Any, NoReturn

import calc
from calc.cli import answers, configuration, here, records, serve, sheets
from calc.cli.report import Report
from calc.ledger.claims import VERDICTS
from calc.quantities import parsing, units
from calc.quantities.errors import CalcError
from calc.setting.precisions import PRESETS

EPILOG = """examples:
  rooflines step deepseek-v3 gb200-nvl72 --batch 2k --context 8k
  rooflines balance hgx-h100 deepseek-v3 --precision FP8
  rooflines fits llama-3-405b hgx-h100 --precision fp8 --batch 64 --context 32k
  rooflines price deepseek-v3 hgx-h800 --expert 144 --batch 12k --rent 2
  rooflines sweep kimi-k2 gb200-nvl72 --context 16k --json
  rooflines figure serving/sheet model=llama-3-70b system=hgx-h100 price=3.65 batch=64
  rooflines here
  rooflines claims --verdict "does not hold"
  rooflines catalog chips h100-sxm

Quantities are written as people write them: 8k, 1e6, 1.5M, 200 000, "1.5 TB/s", "20 ms", 50%."""

DECLARATION = """Models, systems, precisions and [[workloads]] of input_tokens and output_tokens; optionally
dollars_per_chip_hour, and lists or {from, to, points} of batch, tensor, expert and stages. Every combination is served;
run again, a sweep that was cut off goes on."""

FORMATS = f"format of weights, cache and arithmetic (fp8), or a usual choice: {', '.join(PRESETS)}"
MOST = 1e12  # sequences, or tokens of one
LEAST_SHARE = 1e-4


class Parser(argparse.ArgumentParser):
    """A parser that refuses in the same family of errors as `calc`, and knows its sub-commands."""

    commands: tuple[str, ...] = ()

    def error(self, message: str) -> NoReturn:
        """Refuse with a sentence and where to read more; no usage wall."""
        raise WrongUse(message, self.prog)


class WrongUse(CalcError):
    """Words on the command line that no sub-command understands."""

    def __init__(self, message: str, program: str) -> None:
        super().__init__("command line", message, f"as “{program} --help” says")
        self.args = (f"{message}. Try “{program} --help”.",)


def quantity(unit: str = "", *, low: float = 0.0, high: float = float("inf")) -> Callable[[str], float]:
    """A reader of quantities in a unit, within bounds, for argparse."""

    def read(text: str) -> float:
        try:
            value = parsing.parse(text, unit)
        except CalcError as error:
            raise argparse.ArgumentTypeError(f"must be {error.accepted}; it was “{text}”") from None
        if not low <= value <= high:
            most = f" to {units.show(high, unit, 6)}" if high < float("inf") else " up"
            raise argparse.ArgumentTypeError(f"must be from {units.show(low, unit, 6)}{most}; it was “{text}”")
        return value

    return read


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a day, written YYYY-MM-DD; it was “{text}”") from None


def parser() -> Parser:
    """The whole command line."""
    made = Parser(
        prog="rooflines",
        description="The mathematics of how large language models are trained, served and priced. Times are bounds.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"rooflines {calc.__version__}")
    # Sub-commands are made by the parser's own class, so they refuse as it does.
    questions = made.add_subparsers(title="questions", metavar="QUESTION", required=True)

    def ask(name: str, answer: Callable[[Any], Report], line: str, example: str) -> Parser:
        question: Parser = questions.add_parser(
            name,
            help=line,
            description=f"{line}.",
            epilog=f"example:\n  rooflines {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        question.set_defaults(ask=answer)
        question.add_argument("--json", action="store_true", help="for programs: JSON, numbers in base units")
        return question

    step = ask(
        "step",
        serve.step,
        "How long a decode step takes: its bound and a forecast",
        "step kimi-k2 gb200-nvl72 --batch 2k",
    )
    _scenario(step, batch="1")
    _layout(step)

    balance = ask("balance", serve.balance, "From which batch on a system computes", "balance hgx-h100 deepseek-v3")
    balance.add_argument("system", help="a system of the catalogue")
    balance.add_argument("model", nargs="?", help="a model of the catalogue")
    _precision_and_context(balance, "format of weights, cache and arithmetic (fp8)")

    fits = ask("fits", serve.fits, "Whether weights and cache fit, and why not", "fits kimi-k2 hgx-h100 --context 8k")
    _scenario(fits, batch="1")
    _layout(fits)

    price = ask("price", sheets.price, "What a million tokens costs to make", "price kimi-k2 gb200-nvl72 --batch 2k")
    _scenario(price, batch="256")
    _layout(price)
    price.add_argument("--rent", type=quantity("$"), metavar="$", help="dollars per chip and hour (catalogue)")
    price.add_argument("--sheet", metavar="NAME", help="a price sheet of the catalogue to put beside it")

    sweep = ask("sweep", serve.sweep, "Which layouts and batches are worth having", "sweep kimi-k2 gb200-nvl72")
    sweep.add_argument("model", help="a model of the catalogue or its config.json; or a declaration of many: FILE.toml")
    sweep.add_argument("system", nargs="?", help="a system of the catalogue; a declaration names its own")
    _precision_and_context(sweep)
    _efficiency(sweep)
    sweep.add_argument("--rows", type=quantity(low=1), default=15.0, help="rows of the table (15); JSON has all")
    declared = sweep.add_argument_group("a declaration of many", DECLARATION)
    declared.add_argument("--out", metavar="FILE", help="the Parquet file to write (the declaration's name, .parquet)")
    declared.add_argument("--workers", type=quantity(low=1), default=0.0, help="processes here (one a core)")
    declared.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers serve it instead")

    read = ask("config", configuration.config, "A model from its config.json", "config config.json --context 32k")
    read.add_argument("file", help="a config.json as models are published with, or - for standard input")
    _precision_and_context(read)

    drawn = ask(
        "figure", answers.figure, "What a figure of the course says at your inputs", "figure serving/sheet batch=64"
    )
    drawn.add_argument("name", nargs="?", help="a figure, as its page calls it: serving/sheet; without it, all")
    drawn.add_argument("inputs", nargs="*", metavar="INPUT=VALUE", help="inputs of the figure; others stay as they are")
    drawn.add_argument("--matters", metavar="NUMBER", help="how far each input moves this number, such as output")

    own = ask("here", here.here, "What this computer itself reads and multiplies, timed", "here --size 2k")
    own.add_argument("--size", type=quantity(low=64, high=32768), default=4096.0, help="rows of the matrix (4096)")
    own.add_argument("--bytes", choices=[*map(str, here.FORMATS)], default="4", help="bytes of a number (4)")

    told = ask("claims", records.claims, "What was said of the subject, recomputed", "claims A9")
    told.add_argument("id", nargs="?", help="one claim, such as A9")
    told.add_argument("--verdict", help=", ".join(VERDICTS))
    told.add_argument("--chapter", help="a lecture, such as batching; or the recording")

    facts = ask("catalog", records.catalogue, "Dated facts with their sources", "catalog chips h100-sxm")
    facts.add_argument("table", nargs="?", help="chips, systems, models, prices, …")
    facts.add_argument("name", nargs="?", help="one row of it")

    checked = ask(
        "facts", records.check, "Facts that want reading again, by age and kind", "facts check --on 2027-03-01"
    )
    checked.add_argument("action", choices=("check",), help="list what was read longer ago than its kind allows")
    checked.add_argument("--on", type=_day, metavar="YYYY-MM-DD", help="as of this day (today)")

    made.commands = tuple(questions.choices)
    return made


def _scenario(question: Parser, batch: str) -> None:
    question.add_argument("model", help="a model of the catalogue")
    question.add_argument("system", help="a system of the catalogue")
    question.add_argument(
        "--batch", type=quantity(high=MOST), default=float(batch), help=f"sequences in flight ({batch})"
    )
    _precision_and_context(question)
    _efficiency(question)


def _precision_and_context(question: Parser, formats: str = FORMATS) -> None:
    question.add_argument("--precision", default="fp8", help=formats)
    question.add_argument(
        "--context", type=quantity("tokens", high=MOST), default=4096.0, help="tokens of a sequence (4096)"
    )


def _layout(question: Parser) -> None:
    question.add_argument("--tensor", type=quantity(low=1), help="chips that share each matrix")
    question.add_argument("--expert", type=quantity(low=1), help="groups of chips that share the experts")
    question.add_argument("--stages", type=quantity(low=1), default=1.0, help="stages of a pipeline (1)")


def _efficiency(question: Parser) -> None:
    for name, of in (("mfu", "the multipliers"), ("mbu", "memory bandwidth"), ("link", "the links")):
        said = f"percent reached of {of} (100)"
        question.add_argument(
            f"--{name}", type=quantity("%", low=LEAST_SHARE, high=1), default=1.0, metavar="%", help=said
        )
