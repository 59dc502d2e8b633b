"""The worker in a real browser, under the site's content security policy."""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Browser, Page

from calc.figure import registry
from calc.figure.answering import respond
from tests.browser.reader import KEPT, wait_until, wait_until_kept
from web import bundle
from web.bundle import wasm
from web.bundle.calls import MACHINE
from web.bundle.engine import Workshop
from web.bundle.pack import pack
from web.bundle.parity import outline
from web.hashed import hashed

ROOT = Path(__file__).parents[2]
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'"
PATIENCE = 120.0
FIGURE = "batching/step-time"
IDLE = int(re.search(r"const IDLE = (\d+);", (ROOT / "web/browser/worker.js").read_text("utf-8"))[1])
RESTS = f"""{{
  const later = self.setTimeout;
  const rest = async (then) => {{ await then(); self.postMessage({{ type: "rested" }}); }};
  self.setTimeout = (then, wait, ...given) => wait === {IDLE} ? later(rest, 0, then) : later(then, wait, ...given);
}}"""


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder; files whose name begins with `refused` are not found."""

    daemon_threads = True
    refused: str | None = None
    asked: list[str]


class Handler(http.server.SimpleHTTPRequestHandler):
    server: Server
    extensions_map: ClassVar[dict[str, str]] = {
        ".wasm": "application/octet-stream",  # as from a host that has never heard of it
        ".js": "text/javascript",
        ".html": "text/html",
        "": "application/octet-stream",
    }

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        self.server.asked.append(name)
        if self.server.refused and name.startswith(self.server.refused):
            self.send_error(503)
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def engine() -> bundle.Bundle:
    return bundle.build(ROOT, print)


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(ROOT, ROOT / ".cache" / "rooflines", print)


def installed(engine: bundle.Bundle, folder: Path) -> Path:
    """A folder with the engine, and the page that talks to it."""
    engine.install(folder)
    shutil.copy(Path(__file__).with_name("engine_page.js"), folder / "page.js")
    shutil.copy(ROOT / "web/browser/engine/keep.js", folder / "keep.js")
    body = f'<body data-worker="{engine.worker}"><script type="module" src="page.js"></script>'
    (folder / "index.html").write_text(f"<!doctype html><title>engine</title>{body}", "utf-8")
    return folder


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """The folder, served."""
    with Server(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Visitor:
    """A browser with storage of its own: what one visit keeps, the next one finds."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.context = browser.new_context()
        self.server = server
        self.addresses: list[str] = []

    def __call__(self) -> Page:
        """Open the page as a new visit: the one before is closed."""
        page = self.context.new_page()
        page.on("request", lambda request: self.addresses.append(request.url))
        for old in self.context.pages[:-1]:
            old.close()
        page.goto(f"http://127.0.0.1:{self.server.server_port}/index.html")
        return page

    @property
    def page(self) -> Page:
        """The page that is open."""
        return self.context.pages[-1]

    def keep(self) -> None:
        """See to it that the memory is kept."""
        page = self.page if self.context.pages else self()
        if not page.evaluate(KEPT):
            ask(page)
            wait_until_kept(page)


@pytest.fixture
def site(engine: bundle.Bundle, tmp_path: Path) -> Path:
    return installed(engine, tmp_path)


@pytest.fixture
def server(site: Path) -> Iterator[Server]:
    with serving(site) as server:
        yield server


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visitor]:
    visitor = Visitor(browser, server)
    yield visitor
    visitor.context.close()


def rewrite(worker: Path, change: Callable[[str], str]) -> None:
    """Change the worker's script."""
    text = change(worker.read_text("utf-8"))
    worker.unlink()  # it may be a link to the one in the cache
    worker.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def live(engine: bundle.Bundle, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A first visit that has had its first answer, for the tests that ask nothing of a start of their own."""
    with serving(installed(engine, tmp_path_factory.mktemp("engine"))) as server:
        visitor = Visitor(browser, server)
        assert_same(ask(visitor(), batch=64), here(batch=64))
        yield visitor
        visitor.context.close()


@pytest.fixture(scope="module")
def returning(engine: bundle.Bundle, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody whose worker keeps its memory as soon as it has answered."""
    folder = installed(engine, tmp_path_factory.mktemp("engine"))
    rewrite(folder / engine.worker, lambda text: f"{text}\n{RESTS}")
    with serving(folder) as server:
        visitor = Visitor(browser, server)
        yield visitor
        visitor.context.close()


def hear(page: Page, kind: str, after: int = 0) -> dict[str, Any]:
    """Wait for the worker to say something of this kind."""
    heard = page.evaluate("(wanted) => window.hear(...wanted)", [kind, after, PATIENCE * 1000])
    if heard is None:
        pytest.fail(f"The worker never said “{kind}”; it said {page.evaluate('window.heard')}")
    return dict(heard)


def ask(page: Page, figure: str = FIGURE, *, ways: bool = False, **inputs: object) -> Any:
    before = page.evaluate("window.count('answer')")
    room = next((each.rests_on for each in registry.every() if each.name == figure), "")
    request = {"figure": figure, "inputs": inputs, "room": room, "ways": ways}
    page.evaluate("(it) => window.say(it)", {"type": "run", "id": 7, "request": request})
    return hear(page, "answer", before)["answer"]


def spoil(page: Page, script: str) -> None:
    """Change the `bytes` of the kept memory: a `hash` of 32, and what it is the hash of."""
    page.evaluate(
        f"""async () => {{
          const {{ hash }} = await import("./keep.js");
          const store = await caches.open("rooflines-memory");
          const [key] = await store.keys();
          const bytes = new Uint8Array(await (await store.match(key)).arrayBuffer());
          {script}
          await store.put(key, new Response(bytes));
        }}"""
    )


def here(figure: str = FIGURE, *, ways: bool = False, **inputs: object) -> Any:
    """The answer of CPython; a worker sends back what it was asked."""
    return json.loads(respond(json.dumps({"figure": figure, "inputs": inputs, "ways": ways}))) | {"inputs": inputs}


def machines(server: Server) -> list[str]:
    """The WebAssembly of Python that was asked for, in turn: a second one has the functions that the first lacks."""
    return [name for name in server.asked if name.startswith("pyodide") and name.endswith(".wasm")]


def assert_same(there: Any, expected: Any) -> None:
    """Equal, numbers to 1e-12."""
    if isinstance(expected, dict):
        assert there.keys() == expected.keys()
        for key, value in expected.items():
            assert_same(there[key], value)
    elif isinstance(expected, list):
        assert len(there) == len(expected)
        for one, other in zip(there, expected, strict=True):
            assert_same(one, other)
    elif isinstance(expected, float):
        assert there == pytest.approx(expected, rel=1e-12)
    else:
        assert there == expected


def test_a_first_visit_starts_plainly_and_counts_its_bytes(live: Visitor) -> None:
    assert hear(live.page, "live")["restored"] is False
    progress = [it for it in live.page.evaluate("window.heard") if it["type"] == "progress"]
    assert [it["loaded"] for it in progress] == sorted(it["loaded"] for it in progress)
    assert progress[-1]["loaded"] == progress[-1]["total"] > 1_000_000


def test_no_request_leaves_the_site_and_none_is_made_twice(live: Visitor) -> None:
    assert live.addresses
    assert all(url.startswith(f"http://127.0.0.1:{live.server.server_port}/") for url in live.addresses)
    engine_files = [name for name in live.server.asked if name.endswith((".wasm", ".bin"))]
    assert len(engine_files) == len(set(engine_files)) > 3


def test_the_first_machine_tells_of_every_figure_how_its_inputs_can_be_moved(live: Visitor) -> None:
    for figure in registry.asked():
        assert_same(ask(live.page, figure.name, ways=True), here(figure.name, ways=True))
    assert len(machines(live.server)) == 1


def test_requests_are_answered_one_by_one_in_their_order(live: Visitor) -> None:
    before = live.page.evaluate("window.count('answer')")
    requests = [{"figure": FIGURE, "inputs": {"batch": batch}} for batch in (1, 10, 100)]
    live.page.evaluate("(all) => all.forEach((request, id) => window.say({type: 'run', id, request}))", requests)
    hear(live.page, "answer", before + 2)
    answers = [it["answer"] for it in live.page.evaluate("window.heard") if it["type"] == "answer"][before:]
    assert_same(answers, [here(**it["inputs"]) for it in requests])


def test_a_mistake_in_a_calculation_is_told_and_does_not_end_the_worker(live: Visitor) -> None:
    told = ask(live.page, "no/such")
    assert "mistake" in told["message"]
    assert "no/such" in told["detail"]
    assert_same(ask(live.page, batch=64), here(batch=64))


def test_what_goes_wrong_beside_the_calculation_is_told_at_once(live: Visitor) -> None:
    live.page.evaluate("window.say({type: 'run', id: 1})")
    heard = hear(live.page, "failed")
    assert "mistake" in heard["message"]
    assert "figure" in heard["detail"]
    assert_same(ask(live.page, batch=64), here(batch=64))


def test_a_second_visit_starts_from_the_kept_memory_and_answers_every_figure_alike(returning: Visitor) -> None:
    returning.keep()
    page = returning()
    assert_same(ask(page, batch=64), here(batch=64))
    assert hear(page, "live")["restored"] is True
    for figure in registry.asked():
        alike = outline if figure.measures_rounding else dict
        assert_same(alike(ask(page, figure.name)), alike(here(figure.name)))
    assert ask(page, batch="many")["errors"].keys() == {"batch"}


def test_a_lecture_comes_when_it_is_asked_for_and_again_where_it_did_not_come(visit: Visitor, server: Server) -> None:
    page, other = visit(), next(each.name for each in registry.asked() if each.name.startswith("overtraining/"))
    page.evaluate(f"window.say({{type: 'start', kept: '', slow: false, near: ['{FIGURE}']}})")
    assert_same(ask(page, batch=64), here(batch=64))
    came = {name.partition(".")[0] for name in server.asked} & set(registry.LECTURES)
    assert came == {FIGURE.partition("/")[0]}
    server.refused = "overtraining."
    told = ask(page, other)
    assert told["message"].startswith("What computes this figure did not come.")
    assert "503" in told["detail"]
    server.refused = None
    assert_same(ask(page, other), here(other))


def test_over_a_slow_link_the_machine_comes_packed_and_its_memory_is_kept(
    site: Path, engine: bundle.Bundle, visit: Visitor
) -> None:
    rewrite(site / engine.worker, lambda text: f"{text}\n{RESTS}")
    page = visit()
    page.evaluate("window.say({type: 'start', kept: '', slow: true})")
    assert_same(ask(page, batch=64), here(batch=64))
    progress = [it for it in page.evaluate("window.heard") if it["type"] == "progress"]
    assert progress[-1]["loaded"] == progress[-1]["total"] < 2_000_000
    wait_until_kept(page)
    page = visit()
    assert_same(ask(page, batch=64), here(batch=64))
    assert hear(page, "live")["restored"] is True
    lectures = {name for name in engine.files if name.partition(".")[0] in registry.LECTURES}
    needed = {Path(name).name for name in (*engine.small, engine.worker)} | lectures
    assert set(visit.server.asked) & set(engine.files) == needed, "every lecture is in the memory that is kept"


@pytest.mark.parametrize(
    "script",
    ["bytes[bytes.length >> 1] ^= 1;", "bytes.set(await hash(bytes.subarray(32).fill(0, 1000)));"],
    ids=["damaged", "hashes rightly but does not restore"],
)
def test_a_memory_that_is_not_what_it_was_gives_way_to_a_plain_start(returning: Visitor, script: str) -> None:
    returning.keep()
    spoil(returning.page, script)
    page = returning()
    assert_same(ask(page, batch=64), here(batch=64))
    assert hear(page, "live")["restored"] is False


SPARE = {
    "connection: {saveData: false}, deviceMemory: 8": 1,
    "connection: {saveData: true}, deviceMemory: 8": 0,
    "connection: {saveData: false}, deviceMemory: 2": 0,
    "storage: {estimate: async () => ({quota: 9e7, usage: 0}), getDirectory: async () => {}}": 0,
    "storage: {estimate: async () => ({quota: 1e9, usage: 0}), getDirectory: () => Promise.reject()}": 0,
}
# A worker that, instead of keeping its memory, tells when it would begin to: for each browser above in turn.
ASKED_AGAIN = f"""{{
  const real = Object.fromEntries(["connection", "deviceMemory", "storage"].map((name) => [name, navigator[name]]));
  const browsers = [{", ".join(f"{{{spare}}}" for spare in SPARE)}];
  self.Worker = class {{ constructor() {{ self.postMessage({{ type: "keeping" }}); }} }};
  const later = self.setTimeout;
  const each = async (decide) => {{
    for (const spare of browsers) {{
      for (const [name, value] of Object.entries({{ ...real, ...spare }})) {{
        Object.defineProperty(navigator, name, {{ value, configurable: true }});
      }}
      await decide();
      self.postMessage({{ type: "rested" }});
    }}
  }};
  self.setTimeout = (then, wait, ...given) => wait === {IDLE} ? later(each, 0, then) : later(then, wait, ...given);
}}"""


def test_memory_is_kept_only_where_data_and_room_are_to_spare(
    site: Path, engine: bundle.Bundle, visit: Visitor
) -> None:
    rewrite(site / engine.worker, lambda text: f"{text}\n{ASKED_AGAIN}")
    page = visit()
    ask(page)
    hear(page, "rested", len(SPARE) - 1)
    told = [it["type"] for it in page.evaluate("window.heard") if it["type"] in ("keeping", "rested")]
    assert told == [word for kept in SPARE.values() for word in ["keeping"] * kept + ["rested"]]
    assert page.evaluate(KEPT) == []


def test_the_work_of_keeping_is_done_once_even_where_its_fruit_is_lost(returning: Visitor) -> None:
    returning.keep()
    page = returning.page
    told = page.evaluate(KEPT)[0].rpartition("/")[2]
    page.evaluate("caches.delete('rooflines-memory')")
    page = returning()
    page.evaluate("(kept) => window.say({type: 'start', kept})", told)
    assert hear(page, "live")["restored"] is False
    hear(page, "rested")
    assert page.evaluate("window.count('kept')") == 0
    assert page.evaluate(KEPT) == []


def test_the_memory_of_another_version_is_not_used_and_goes(returning: Visitor) -> None:
    page = returning()
    page.evaluate("caches.delete('rooflines-memory')")
    page.evaluate(
        "caches.open('rooflines-memory').then((it) => it.put('/rooflines-memory/other', new Response('old')))"
    )
    ask(page)
    assert hear(page, "live")["restored"] is False
    told = hear(page, "kept")
    (only,) = wait_until(page, f"{KEPT}.then((kept) => kept.some((url) => url.endsWith('other')) ? null : kept)")
    assert only.endswith(told["id"])


def test_a_failed_start_says_so_and_can_be_started_again(visit: Visitor, server: Server) -> None:
    server.refused = "python"
    page = visit()
    both = [{"type": "start"}, {"type": "run", "id": 1, "request": {}}]  # in one breath, with no failure between
    page.evaluate("(both) => both.forEach(window.say)", both)
    assert hear(page, "failed")["message"]
    server.refused = None
    page.evaluate("window.say({type: 'start'})")
    hear(page, "live")
    assert page.evaluate("window.count('failed')") == 1, "one failure is told once to all who wait"
    assert_same(ask(page, batch=64), here(batch=64))


@pytest.mark.parametrize(("until", "lost"), [("starting", ""), ("answering", "wcsncpy")])
def test_a_function_that_was_left_out_brings_the_whole_machine_once_and_nothing_is_lost(
    until: str, lost: str, site: Path, engine: bundle.Bundle, workshop: Workshop, visit: Visitor, server: Server
) -> None:
    """A machine that lacks more than it may: it traps when the first figure is asked for, or while it starts."""
    lacking = replace_machine(site, engine, workshop, until, lost)
    page = visit()
    requests = [{"figure": FIGURE, "inputs": {"batch": batch}} for batch in (64, 640)]
    page.evaluate("(all) => all.forEach((request, id) => window.say({type: 'run', id, request}))", requests)
    hear(page, "answer", 1)
    answers = [it["answer"] for it in page.evaluate("window.heard") if it["type"] == "answer"]
    assert_same(answers, [here(batch=64), here(batch=640)])
    assert page.evaluate("window.count('failed')") == 0
    assert machines(server)[0] == lacking
    assert len(machines(server)) == 2
    hear(page, "kept")
    assert page.evaluate(KEPT) == [], "the memory of one machine does not fit another"
    page = visit()
    assert_same(ask(page, batch=64), here(batch=64))


def replace_machine(site: Path, engine: bundle.Bundle, workshop: Workshop, until: str, lost: str) -> str:
    """Have the worker begin with a machine that has what is called until then, but for one function; its name."""
    called = workshop.called()[until][MACHINE]
    name = next(name for name in engine.live if name.startswith("pyodide") and name.endswith("wasm"))
    folder = (site / engine.worker).parent
    data = wasm.lean((folder / name).read_bytes(), set(called) - wasm.exported(workshop.whole[MACHINE], {lost}))
    return replace(site, engine, name, data)


def replace(site: Path, engine: bundle.Bundle, name: str, data: bytes) -> str:
    """Have the worker fetch these bytes instead of a file; the name that they have."""
    stem, _, suffix = name.split(".")
    made = hashed(stem, data, suffix)
    ((site / engine.worker).parent / made).write_bytes(data)
    rewrite(site / engine.worker, lambda text: text.replace(name, made))
    return made


def test_a_function_of_python_that_was_left_out_brings_the_whole_machine(
    site: Path, engine: bundle.Bundle, workshop: Workshop, visit: Visitor, server: Server
) -> None:
    called = [each for each in workshop.called()["python"] if each[:2] != ["json/__init__.py", "dumps"]]
    assert len(called) < len(workshop.called()["python"])
    name = next(name for name in engine.live if name.startswith("python."))
    lacking = replace(site, engine, name, pack(workshop.compiler.thinned(workshop.parts["python"], called)))
    page = visit()
    assert_same(ask(page, batch=64), here(batch=64))
    packs = [name for name in server.asked if name.startswith("python.")]
    assert packs[0] == lacking
    assert len(set(packs)) == 2
    assert page.evaluate("window.count('failed')") == 0
