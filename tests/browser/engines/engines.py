"""The browsers beside Chromium that the core suite runs in, each with a profile of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser.engines.webdriver import Http, Marionette, Session, patiently

# Firefox chooses a free port, tells it in its profile, and asks nobody in the network how it is.
PREFERENCES = {"marionette.port": "0", "network.captive-portal-service.enabled": "false"}
SCREEN = "-screen 0 1600x1200x24"
# To compile Python's WebAssembly once more, optimised, costs more than it saves in visits as short as these.
SHORT = {"JSC_useOMGJIT": "false"}


@contextmanager
def _firefox() -> Iterator[Session]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        profile = Path(folder)
        lines = [f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("".join(lines), "utf-8")
        program = _program("firefox-esr", "firefox")
        stack.enter_context(_running([program, "--headless", "--marionette", "--profile", folder]))
        port = patiently(lambda: int((profile / "MarionetteActivePort").read_text("ascii")))
        yield Session(stack.enter_context(Marionette(port)))


@contextmanager
def _webkit() -> Iterator[Session]:
    """WebKitGTK's small browser, which needs a screen: one that nobody sees."""
    port = _free_port()
    screen = [_program("xvfb-run"), "--auto-servernum", f"--server-args={SCREEN}"]
    with _running([*screen, _program("WebKitWebDriver"), f"--port={port}"], **SHORT), Http(port) as wire:
        yield Session(wire)


@dataclass(frozen=True)
class Engine:
    """A browser, the programs that drive it (one of each), and Debian's packages that have them."""

    name: str
    programs: tuple[tuple[str, ...], ...]
    packages: tuple[str, ...]
    start: Callable[[], AbstractContextManager[Session]]

    def missing(self) -> str:
        """A sentence that says what is not here, or nothing."""
        absent = [" or ".join(names) for names in self.programs if not any(map(shutil.which, names))]
        if not absent:
            return ""
        return f"Not tested in {self.name}: no {' and no '.join(absent)}; Debian has it in {', '.join(self.packages)}."


ENGINES = (
    Engine("Firefox", (("firefox-esr", "firefox"),), ("firefox-esr",), _firefox),
    Engine("WebKit", (("WebKitWebDriver",), ("xvfb-run",)), ("webkit2gtk-driver", "xvfb", "xauth"), _webkit),
)


def _program(*names: str) -> str:
    return next(found for name in names if (found := shutil.which(name)))


@contextmanager
def _running(command: Sequence[str], **environment: str) -> Iterator[None]:
    """A program and what it starts, for as long as it is needed."""
    quiet, env = subprocess.DEVNULL, os.environ | environment
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True, env=env) as process:
        try:
            yield
        finally:
            os.killpg(process.pid, 15)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
