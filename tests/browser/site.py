"""The built site as a static host serves it: under a folder, compressed, with the right types and a strict policy."""

from __future__ import annotations

import fcntl
import gzip
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
BASE = "/rooflines/"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
    ".wasm": "application/wasm",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".ipynb": "application/json",
}
COMPRESSED = {".html", ".css", ".js", ".json", ".svg", ".xml", ".wasm", ".ipynb"}
PUBLISHED = re.search(r"^site_url: (\S+)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)[1]


def build(folder: Path) -> Path:
    """The site that `ROOFLINES_SITE` names, or one built once for all test processes."""
    named = os.environ.get("ROOFLINES_SITE")
    if named:
        return Path(named)
    site = folder / "site"
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (site / "sitemap.xml").exists():
            command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site)]  # quiet, it counts no warning
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"`mkdocs build` failed:\n{done.stderr[-4000:]}"
    return site


Fault = Literal["spoilt", "cut", "foreign"]


def spoilt(body: bytes) -> bytes:
    """The same length and, in the middle, another byte."""
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]


class Site:
    """A built site and how a host answers for it."""

    def __init__(self, folder: Path, base: str = BASE) -> None:
        self.folder = folder
        self.base = base
        self.address = ""
        self.broken: set[str] = set()  # requests with one of these in their path are refused
        self.faults: dict[str, Fault] = {}  # what befalls an answer with this in its path
        self.link: Callable[[bytes], Iterable[bytes]] = lambda body: [body]  # pieces of an answer as they are sent
        self._packed: dict[Path, bytes] = {}

    @cached_property
    def headers(self) -> dict[str, str]:
        """The headers that the site wants of its host for every answer, its content security policy among them."""
        every = (self.folder / "_headers").read_text("utf-8").partition("\n\n")[0]
        return dict(line.strip().split(": ", 1) for line in every.splitlines()[1:])

    def find(self, path: str) -> tuple[int, Path]:
        """The status and the file for a path."""
        inside = unquote(path).removeprefix(self.base)
        wanted = self.folder / inside / "index.html" if path.endswith("/") else self.folder / inside
        known = path.startswith(self.base) and wanted.is_file() and ".." not in inside
        return (200, wanted) if known else (404, self.folder / "404.html")

    def content(self, path: Path) -> bytes:
        """A file; the sitemap, by which the theme knows its own pages, names them where they are served."""
        data = path.read_bytes()
        here = path.name == "sitemap.xml" and self.base == BASE
        return data.replace(PUBLISHED.encode(), self.address.encode()) if here else data

    def packed(self, path: Path) -> bytes:
        """A file, compressed."""
        if path not in self._packed:
            self._packed[path] = gzip.compress(self.content(path), 6)
        return self._packed[path]

    def sent(self, path: Path) -> bytes:
        """The bytes of a file on their way to a browser that takes it compressed."""
        return self.packed(path) if path.suffix in COMPRESSED else self.content(path)

    def pages(self) -> list[str]:
        """The paths of all pages, below the site's own."""
        found = (page.relative_to(self.folder).as_posix() for page in self.folder.rglob("*.html"))
        return sorted(path.removesuffix("index.html") for path in found if path != "404.html")

    def page_of(self, figure: str) -> str:
        """The page that draws a figure: the lecture, if more than one does."""
        mark = f'class="rl-figure" id="{figure.partition("/")[2]}" data-figure="{figure}"'
        drawn = [path for path in self.pages() if mark in (self.folder / path / "index.html").read_text("utf-8")]
        assert drawn, f"No page draws {figure}."
        return max(drawn, key=len)


class Handler(BaseHTTPRequestHandler):
    """Answers like a static host; `site` is set on the class that a server gets."""

    site: Site
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        """Answer until the reader has left, be it without a word."""
        with suppress(ConnectionResetError):
            super().handle()

    def do_GET(self) -> None:
        """Send a file."""
        path = urlsplit(self.path).path
        refused = any(part in path for part in self.site.broken)
        status, file = (503, self.site.folder / "404.html") if refused else self.site.find(path)
        fault = next((fault for part, fault in self.site.faults.items() if part in path), None)
        if fault == "foreign":  # a gateway that answers in the host's place
            file = self.site.folder / "404.html"
        zipped = file.suffix in COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", "")
        body = self.site.packed(file) if zipped else self.site.content(file)
        if fault == "spoilt":
            body = gzip.compress(spoilt(self.site.content(file)), 1) if zipped else spoilt(body)
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(file.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(body)))
        for name, value in self.site.headers.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "max-age=600" if status == 200 else "no-store")
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):  # the reader has left
            for piece in self.site.link(body[: len(body) // 2] if fault == "cut" else body):
                self.wfile.write(piece)
        self.close_connection |= fault == "cut"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, base: str = BASE) -> Iterator[Site]:
    """Serve a built site on a free loopback port, under the path for which it was built or under another."""
    site = Site(folder, base)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"site": site}))
    server.daemon_threads = True
    site.address = f"http://127.0.0.1:{server.server_port}{base}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
