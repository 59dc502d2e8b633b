"""The engine that is built from this repository."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import re
from pathlib import Path

import pytest

from calc.chapters import CHAPTERS
from web import bundle
from web.bundle import absent, ahead
from web.bundle.build import sources
from web.bundle.engine import SITE_PACKAGES, STDLIB_HOME, Workshop, browser_sources
from web.bundle.pack import members, pack, unpack
from web.bundle.python import STDLIB, untold
from web.bundle.thin import left_out

ROOT = Path(__file__).parents[3]
STORE = ROOT / ".cache" / "rooflines"


@pytest.fixture(scope="module")
def engine() -> bundle.Bundle:
    return bundle.build(ROOT, print)


@pytest.fixture(scope="module")
def python(engine: bundle.Bundle) -> dict[str, bytes]:
    packs = [engine.files[name] for name in engine.live if name.endswith(".bin")]
    return {path: data for pack in packs for path, data in unpack(pack.read_bytes()).items()}


def test_a_second_build_does_nothing_and_says_nothing(engine: bundle.Bundle) -> None:
    said: list[str] = []
    assert bundle.build(ROOT, said.append) == engine
    assert said == []


def test_another_release_of_a_package_makes_another_engine() -> None:
    locks = {ROOT / "web" / name for name in ("npm/package-lock.json", "wheels/compile.txt", "wheels/engine.txt")}
    assert locks <= set(sources(ROOT))


def test_the_same_sources_give_the_same_bytes(engine: bundle.Bundle, tmp_path: Path) -> None:
    """Also where the lean machine and the smallest packs are made anew."""
    store, filled = tmp_path / "store", tmp_path / "filled"
    for folder in (store, filled):
        folder.mkdir()
    for made in STORE.iterdir():
        if not made.name.startswith(("lean-", "packed-")):
            (store / made.name).symlink_to(made)
    Workshop(ROOT, store, print).fill(filled)
    again = {path.name: path.read_bytes() for path in filled.iterdir() if path.name != "index.json"}
    assert again == {name: path.read_bytes() for name, path in engine.files.items()}


def test_every_name_carries_the_hash_of_its_bytes(engine: bundle.Bundle) -> None:
    for name, path in engine.files.items():
        assert name.split(".")[1] == hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def test_the_worker_knows_every_file_and_its_size(engine: bundle.Bundle) -> None:
    worker = engine.files[Path(engine.worker).name].read_text("utf-8")
    for name, path in engine.files.items():
        if name.startswith(("worker", "vega")):
            continue
        size = rf"\[{path.stat().st_size},"
        assert re.search(rf'"{re.escape(name)}"(: ?|, ?"size": ?){size}', worker)


def test_what_is_imported_is_kept_and_what_is_not_is_left_out(python: dict[str, bytes]) -> None:
    kept = ["/lib/python3.13/json/decoder.pyc", f"{SITE_PACKAGES}numpy/_core/multiarray.pyc"]
    kept += [
        f"{SITE_PACKAGES}calc/{name}" for name in ("figure/answering.pyc", "batching/step.pyc", "catalog/chips.json")
    ]
    assert [path for path in kept if path not in python] == []
    left = ("/tests/", "/f2py/", "numpy/random", "idlelib", "tkinter", "unittest", "pydoc", ".pyi", "dist-info")
    assert [path for path in python if any(part in path for part in left)] == []
    assert [path for path in python if not path.endswith((".pyc", ".json"))] == []


def test_what_no_figure_needs_is_not_imported_by_others(python: dict[str, bytes]) -> None:
    gone = ("asyncio/events", "concurrent", "logging", "socket", "pathlib", "tempfile", "zipfile", "_typing/_array")
    assert [path for path in python if any(part in path for part in gone)] == []
    assert [path for path in python if "/calc/world/" in path] == [], "what fits and judges stays at the build"


def test_the_modules_that_others_do_without_are_there_to_be_replaced() -> None:
    """Or the next release of Pyodide or numpy has renamed one, and both would travel."""
    workshop = Workshop(ROOT, STORE, print)
    assert set(absent.STDLIB) <= set(members(workshop.pyodide / STDLIB))
    assert set(absent.NUMPY) <= set(members(workshop.numpy_wheel))


def test_numpy_keeps_no_documentation(python: dict[str, bytes]) -> None:
    assert [path for path, data in python.items() if b">>> np." in data and "/numpy/" in path] == []


def test_python_travels_without_the_functions_that_no_figure_calls(engine: bundle.Bundle) -> None:
    live, whole = sorted((name for name in engine.files if name.startswith("python.")), key=engine.live.count)[::-1]
    lean, full = (unpack(engine.files[name].read_bytes()) for name in (live, whole))
    assert whole not in engine.live
    assert list(lean) == list(full)
    encoder = "/lib/python3.13/json/encoder.pyc"
    assert len(lean[encoder]) > len(full[encoder]) / 3, "every answer is written in JSON"
    assert sum(map(len, lean.values())) < 0.6 * sum(map(len, full.values()))


def test_calc_travels_without_what_answers_figures_that_no_reader_changes(engine: bundle.Bundle) -> None:
    live, whole = sorted((name for name in engine.files if name.startswith("calc.")), key=engine.live.count)[::-1]
    assert whole not in engine.live
    shared, full = (unpack(engine.files[name].read_bytes()) for name in (live, whole))
    own = lectures(engine)
    lean = dict(pair for files in (shared, *map(unpack, own.values())) for pair in files.items())
    assert lean.keys() == full.keys()
    shown, settled = (f"{SITE_PACKAGES}calc/{path}.pyc" for path in ("batching/step", "moe/figures/worked/example"))
    assert len(lean[shown]) > 0.95 * len(full[shown]), "it loses names alone"
    assert len(lean[settled]) < 0.7 * len(full[settled])
    formulas = pack({path: data for path, data in shared.items() if ahead.NAME not in path})
    assert len(formulas) < 140e3, "what the formulas and facts that lectures share may weigh"
    assert max(map(len, own.values())) < 56e3, "what the figures of a lecture may weigh"
    assert sum(map(len, own.values())) < 270e3, "and those of eight"


def lectures(engine: bundle.Bundle) -> dict[str, bytes]:
    """The packs of single lectures, by lecture."""
    own = {name.partition(".")[0]: path.read_bytes() for name, path in engine.files.items()}
    return {chapter.name: own[chapter.name] for chapter in CHAPTERS}


def test_a_lecture_travels_with_its_own_figures_alone(engine: bundle.Bundle) -> None:
    for chapter, data in lectures(engine).items():
        rooms = {path.removeprefix(f"{SITE_PACKAGES}calc/").partition("/")[0] for path in unpack(data)}
        assert chapter in rooms
        assert not rooms & ({each.name for each in CHAPTERS} - {chapter})


def test_every_method_made_ahead_travels(python: dict[str, bytes]) -> None:
    """A dataclass may be asked for one that no figure needed while the engine was built."""
    *_, ending = left_out.__code__.co_names
    emptied = {path for path, data in python.items() if ending.encode() in data}
    assert f"{STDLIB_HOME}inspect.pyc" in emptied
    assert f"{SITE_PACKAGES}{ahead.NAME}.pyc" not in emptied


def test_functions_of_calc_travel_without_their_docstrings(python: dict[str, bytes]) -> None:
    shown = {path: data for path, data in python.items() if "/calc/" in path and path.endswith(".pyc")}
    assert not [path for path, data in shown.items() if b"No decode step is faster" in data or b"Symbols: " in data]


def test_annotations_stay_where_something_reads_them() -> None:
    function = b'def double(x: float) -> float:\n    """Twice x."""\n    return 2 * x\n'
    assert untold(function) == b'def double(x):\n    """"""\n    return 2 * x'
    formula = b"@checked\ndef double(x: Number) -> Number:\n    return 2 * x"
    assert untold(formula) == formula
    record = b'@dataclass\nclass Record:\n    """A record."""\n    value: float'
    assert untold(record) == record.replace(b"A record.", b".")


def test_words_of_a_declaration_that_only_its_page_shows_stay_at_home() -> None:
    number = b"BATCH = Number(name='batch', label='Batch', help='Sequences.', low=1)"
    assert untold(number) == number.replace(b" help='Sequences.',", b"")
    figure = b"COST = Figure(name='a/cost', compute=cost, chart=chart, assumptions=('None.',), sources=('lecture',))"
    assert untold(figure) == b"COST = Figure(name='a/cost', compute=cost)"
    command = b"parser.add_argument('file', help='a table')"
    assert untold(command) == command


def test_the_bytes_to_live_stay_below_their_budget(engine: bundle.Bundle) -> None:
    travelling = {name: len(gzip.compress(path.read_bytes())) for name, path in engine.files.items()}
    assert sum(travelling[name] for name in engine.live) < 2.45e6
    assert sum(travelling[name] for name in engine.small) < 2e6


def test_over_a_slow_link_the_same_machine_comes_packed(engine: bundle.Bundle) -> None:
    modules = [name for name in engine.live if name.endswith(".wasm")]
    packed = [name for name in engine.small if name not in engine.live]
    assert [name.split(".")[0] for name in packed] == [name.split(".")[0] for name in modules]
    for plain, small in zip(modules, packed, strict=True):
        assert lzma.decompress(engine.files[small].read_bytes()) == engine.files[plain].read_bytes()
    assert set(engine.small) - set(packed) == set(engine.live) - set(modules)


def test_vega_stays_small(engine: bundle.Bundle) -> None:
    assert len(gzip.compress(engine.files[Path(engine.vega).name].read_bytes())) < 150e3


def test_it_is_installed_beside_what_is_there(engine: bundle.Bundle, tmp_path: Path) -> None:
    engine.install(tmp_path)
    engine.install(tmp_path)
    assert (tmp_path / engine.worker).is_file()
    assert {path.name for path in (tmp_path / "assets/engine").iterdir()} == set(engine.files)


def test_every_script_of_ours_in_the_engine_is_among_its_sources() -> None:
    """Or an edit of one would leave the bundle of before in its place."""
    browser = ROOT / "web" / "browser"
    known = {path.relative_to(browser).as_posix() for path in browser_sources()}
    folders = {f"{path.parent.name}/{path.name}" for name in ("engine", "vega") for path in (browser / name).iterdir()}
    imported = {
        f"{name}.js"
        for name in ("worker", "parts", "protocol", "sound", "trouble", "number", "overlaid", "pinned_tables")
    }
    assert folders | imported <= known
    assert not {"main.js", "page.js", "stage.js"} & known, "scripts of the page"


def test_our_own_javascript_names_no_host() -> None:
    for path in browser_sources():
        assert not re.search(r"https?://", path.read_text("utf-8")), path


def test_calc_alone_is_compiled_again_when_it_changes(
    engine: bundle.Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which functions are called is not looked for again: the change is one that no figure can see."""
    called = Workshop(ROOT, STORE, print).called()
    monkeypatch.setattr(Workshop, "called", lambda _: called)
    root = tmp_path / "repository"
    copied = root / "calc"
    for path in (ROOT / "calc").rglob("*"):
        if path.suffix in {".py", ".toml"}:
            place = copied / path.relative_to(ROOT / "calc")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())
    units = copied / "quantities" / "units.py"
    units.write_text(units.read_text("utf-8") + "\nCHANGED = True\n", "utf-8")
    said: list[str] = []
    workshop = Workshop(root, STORE, said.append)
    workshop.fill(tmp_path)
    assert not [line for line in said if "numpy" in line or "stdlib" in line or "fetching" in line]
    index = json.loads((tmp_path / "index.json").read_text("utf-8"))
    changed = set(index["files"]) - set(engine.files)
    assert {name.split(".")[0] for name in changed} == {"calc", "worker"}
    assert len(index["files"]) == len(engine.files)
