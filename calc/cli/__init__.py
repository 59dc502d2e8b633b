"""The command line: `rooflines`, one sub-command a question, a table for people or `--json` for programs.

Exit status: 0 for an answer, 1 where the answer is no (it does not fit, a verdict is not borne out), 2 for input that
cannot be used, 130 after Ctrl-C, 141 where nobody reads the output any longer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from calc.cli.arguments import Parser, parser
from calc.cli.report import Report
from calc.quantities.errors import CalcError, UnknownName

REFUSED, INTERRUPTED, PIPE_CLOSED = 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _write_anyway()
        status = _answer(parser(), given)
        sys.stdout.flush()
        return status
    except CalcError as error:
        print(f"rooflines: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains again as it exits
        return PIPE_CLOSED


def _answer(command_line: Parser, given: list[str]) -> int:
    if given and not given[0].startswith("-") and given[0] not in command_line.commands:
        raise UnknownName("command", given[0], command_line.commands)
    options = command_line.parse_args(given)
    report: Report = options.ask(options)
    print(report.json() if options.json else report.text())
    return report.status


def _write_anyway() -> None:
    """A terminal that has no × gets a question mark, not a traceback."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
