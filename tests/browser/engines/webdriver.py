"""The commands of the W3C's WebDriver, spoken to a driver over HTTP, or to Firefox over its own socket."""

from __future__ import annotations

import base64
import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, Self

STARTING = 30.0
ANSWERING = 60.0
PATIENCE = 120.0  # for Python to start on a busy machine
LEAVING = "unload event"  # ends what WebKit says of a script whose page goes away under it
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# The standard's commands that the core asks for, and their places below the address of a session.
COMMANDS = {
    "Navigate": ("POST", "/url"),
    "Back": ("POST", "/back"),
    "Refresh": ("POST", "/refresh"),
    "SetWindowRect": ("POST", "/window/rect"),
    "FindElement": ("POST", "/element"),
    "ElementClick": ("POST", "/element/{id}/click"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "PerformActions": ("POST", "/actions"),
    "Print": ("POST", "/print"),
    "DeleteSession": ("DELETE", ""),
}


class Refused(Exception):
    """The browser would not do what it was asked; the message begins with the standard's name of the error."""


class Wire(Protocol):
    """A way to a browser; closed, it ends the session, and with it the browser."""

    def ask(self, command: str, parameters: dict[str, Any]) -> Any:
        """Its answer to a command of the standard."""

    def __enter__(self) -> Self:
        """The wire itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the session."""
        with suppress(Refused, OSError):
            self.ask("DeleteSession", {})


class Http(Wire):
    """A driver that listens for HTTP, as WebKit's does."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/session"
        session = patiently(lambda: self._send("POST", "", {"capabilities": {}}))
        self.address += f"/{session['sessionId']}"

    def ask(self, command: str, parameters: dict[str, Any]) -> Any:
        """Its answer."""
        method, path = COMMANDS[command]
        return self._send(method, path.format(**parameters), parameters)

    def _send(self, method: str, path: str, parameters: dict[str, Any]) -> Any:
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWERING) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                value = json.load(error)["value"]
            raise Refused(f"{value['error']}: {value['message']}") from None


class Marionette(Wire):
    """Firefox, which takes the same commands on a socket: `length:[0, number, name, parameters]`, and answers so."""

    def __init__(self, port: int) -> None:
        self.socket = patiently(lambda: socket.create_connection(("127.0.0.1", port), timeout=ANSWERING))
        self.stream = self.socket.makefile("rb")
        self._read()
        self.asked = 0
        self.ask("NewSession", {})

    def ask(self, command: str, parameters: dict[str, Any]) -> Any:
        """Its answer."""
        self.asked += 1
        message = json.dumps([0, self.asked, f"WebDriver:{command}", parameters]).encode()
        self.socket.sendall(f"{len(message)}:".encode() + message)
        _, _, error, answer = self._read()
        if error:
            raise Refused(f"{error['error']}: {error['message']}")
        return answer["value"] if isinstance(answer, dict) and set(answer) == {"value"} else answer

    def __exit__(self, *error: object) -> None:
        """End the session, and close the socket."""
        super().__exit__(*error)
        self.stream.close()
        self.socket.close()

    def _read(self) -> Any:
        length = b""
        while (character := self.stream.read(1)) != b":":
            if not character:
                raise ConnectionError("Firefox has closed the connection.")
            length += character
        return json.loads(self.stream.read(int(length)))


class Session:
    """One window of a browser and what a reader does in it."""

    def __init__(self, wire: Wire) -> None:
        self.ask = wire.ask

    def open(self, address: str) -> None:
        """Go there, and wait until it is loaded."""
        self.ask("Navigate", {"url": address})

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited."""
        return self.ask("ExecuteScript", {"script": f"return ({expression})", "args": []})

    def until(self, expression: str, patience: float = PATIENCE) -> Any:
        """The value of an expression as soon as it is true; a page that goes away at the question is asked again."""
        deadline = time.monotonic() + patience
        while not (value := self._run_unless_leaving(expression)):
            assert time.monotonic() < deadline, f"It never became true at {self.run('location.href')}: {expression}"
            time.sleep(0.05)
        return value

    def click(self, selector: str) -> None:
        """Press the first element that matches."""
        self.ask("ElementClick", {"id": self._find(selector)})

    def write(self, selector: str, text: str) -> None:
        """Replace what a box holds, key by key."""
        self.run(f"document.querySelector({selector!r}).select()")
        self.ask("ElementSendKeys", {"id": self._find(selector), "text": text, "value": list(text)})

    def press(self, *keys: str) -> None:
        """Press and release keys, one after the other, wherever the focus is."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("PerformActions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def size(self, width: int, height: int) -> None:
        """Make the window so large."""
        self.ask("SetWindowRect", {"x": 0, "y": 0, "width": width, "height": height})

    def printed(self) -> bytes:
        """The page on paper, as a PDF."""
        return base64.b64decode(self.ask("Print", {}))

    def _run_unless_leaving(self, expression: str) -> Any:
        try:
            return self.run(expression)
        except Refused as refusal:
            if LEAVING not in str(refusal):
                raise
            return None

    def _find(self, selector: str) -> str:
        return str(self.ask("FindElement", {"using": "css selector", "value": selector})[ELEMENT])


def patiently(attempt: Callable[[], Any]) -> Any:
    """The outcome of an attempt, which is repeated while nobody listens yet."""
    deadline = time.monotonic() + STARTING
    while True:
        try:
            return attempt()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
