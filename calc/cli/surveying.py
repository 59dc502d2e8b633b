"""`sweep FILE`: serve every part of a declaration, here or on a Dask scheduler, and go on where a run was cut off.

Each part that is served becomes a Parquet file of its own beside the output, under a name that no half-written file
has; the last step joins them in the declaration's order. So it makes no difference who served a part, or when.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

from calc.cli.report import Report, Value
from calc.quantities.errors import CalcError
from calc.serving.survey import Part, Served, parts, serve

EXTRA = "rooflines[sweep]"
BAR = 30
PATIENCE = "5s"  # with a scheduler that does not answer
SOURCES = {".py", ".toml", ".json", ".csv"}
Answers = Iterator[tuple[int, Served]]
Backend = Callable[[Mapping[int, Part]], Answers]


class Unfinished(CalcError):
    """A sweep that was cut off; its finished parts stay."""

    def __init__(self, why: str) -> None:
        super().__init__("sweep", why, "finished: run it again, and it goes on from here")


def survey(options: Namespace) -> Report:
    """Serve what a declaration asks for and write one table."""
    declaration, out = Path(options.model), Path(options.out or f"{Path(options.model).stem}.parquet")
    try:
        text = declaration.read_text("utf-8")
    except OSError as error:
        raise CalcError("declaration", str(declaration), f"a file that can be read ({error.strerror})") from None
    parquet = _needed("pyarrow.parquet")
    every = parts(text)
    folder = out.with_name(f"{out.name}.parts")
    _begin(folder, text)
    todo = {at: part for at, part in enumerate(every) if not _place(folder, at).exists()}
    backend: Backend = _on_dask(options.scheduler) if options.scheduler else _here(int(options.workers))
    begun, refusals = time.monotonic(), _serve(todo, backend, folder, len(every))
    taken = time.monotonic() - begun
    rows = _join(parquet, [_place(folder, at) for at in range(len(every))], out)
    shutil.rmtree(folder)
    tried = sum(part.points for part in todo.values())
    values = {
        "parts": Value("Parts", len(every)),
        "found_done": Value("of which served before", len(every) - len(todo)),
        "points": Value("Combinations tried now", tried),
        "rate": Value("a second", tried / taken if todo else 0.0),
        "rows": Value("Rows: those that are possible and fit", rows),
    }
    return Report(f"{out}: {len(every)} parts of {declaration.name}", values, notes=refusals)


def _serve(todo: Mapping[int, Part], backend: Backend, folder: Path, every: int) -> list[str]:
    """Keep each part as it comes, showing how far it is; gives why parts have no rows."""
    arrow, parquet = _needed("pyarrow"), _needed("pyarrow.parquet")
    refusals: dict[str, None] = {}
    _show(every - len(todo), every)
    for count, (at, served) in enumerate(backend(todo), every - len(todo) + 1):
        half = _place(folder, at).with_suffix(".half")
        parquet.write_table(arrow.table(served.columns), half)
        half.rename(_place(folder, at))
        if served.refusal:
            refusals[served.refusal] = None
        _show(count, every)
    return list(refusals)


def _here(workers: int) -> Backend:
    """Serve parts in processes of this machine."""

    def answers(todo: Mapping[int, Part]) -> Answers:
        with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=get_context("spawn")) as pool:
            places = {pool.submit(serve, part): at for at, part in todo.items()}
            try:
                yield from ((places[done], done.result()) for done in as_completed(places))
            except BrokenProcessPool:
                raise Unfinished("a process of it ended") from None
            finally:
                pool.shutdown(cancel_futures=True)

    return answers


def _on_dask(address: str) -> Backend:
    """Serve parts on the workers of a Dask scheduler; one whose worker ends is served by another."""
    distributed = _needed("distributed")

    def answers(todo: Mapping[int, Part]) -> Answers:
        try:
            client = distributed.Client(address, timeout=PATIENCE)
        except OSError as error:
            raise CalcError("scheduler", address, f"the address of a Dask scheduler ({error})") from None
        with client:
            places = {client.submit(serve, part, pure=False): at for at, part in todo.items()}
            for done in distributed.as_completed(list(places)):
                yield places.pop(done), done.result()
                done.release()

    return answers


def _begin(folder: Path, declaration: str) -> None:
    """A folder for the parts of this declaration, served by this version of the formulas and facts."""
    mark = folder / "declaration"
    key = hashlib.sha256(b"".join([declaration.encode(), *_sources()])).hexdigest()
    if folder.exists() and not (mark.is_file() and mark.read_text("utf-8") == key):
        known = "new, or hold parts of this very declaration, formulas and facts: remove it, or name another --out"
        raise CalcError("folder", str(folder), known)
    folder.mkdir(parents=True, exist_ok=True)
    mark.write_text(key, "utf-8")


def _sources() -> list[bytes]:
    """Every formula and fact that an answer may depend on."""
    package = Path(str(files("calc")))
    return [
        path.read_bytes() for path in sorted(package.rglob("*")) if path.suffix in (".py", ".toml", ".json", ".csv")
    ]


def _place(folder: Path, at: int) -> Path:
    return folder / f"{at:06d}.parquet"


def _join(parquet: ModuleType, places: Sequence[Path], out: Path) -> int:
    """One table of all parts, in their order; the number of its rows."""
    tables = (parquet.read_table(place) for place in places)
    kept = (table for table in tables if table.num_rows)
    first = next(kept, None)
    if first is None:
        raise CalcError("declaration", "no combination of it", "one of which some combination is possible and fits")
    half, rows = out.with_name(f"{out.name}.half"), first.num_rows
    with parquet.ParquetWriter(half, first.schema) as writer:
        writer.write_table(first)
        for table in kept:
            writer.write_table(table)
            rows += table.num_rows
    half.replace(out)
    return int(rows)


def _show(done: int, every: int) -> None:
    """How far it is, on a terminal."""
    if sys.stderr.isatty():
        filled = "█" * (BAR * done // every)
        print(
            f"\r{filled:·<{BAR}} {done:,} of {every:,} parts ", end="\n" * (done == every), file=sys.stderr, flush=True
        )


def _needed(name: str) -> ModuleType:
    """A module of the extra, or a sentence that says how to have it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        known = f"installed for sweeps that are declared: pip install '{EXTRA}'"
        raise CalcError(package, "missing", known) from None
