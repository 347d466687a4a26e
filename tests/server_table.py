"""An evening with pages: the real table, loop, hub and server; clients by WebSocket."""

import json
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from evening import Evening
from websockets.sync.client import ClientConnection, connect

from host.clock import BLOCK, RATE
from host.devices.buttons import Inbox
from host.events import In
from host.server.guard import Pairing
from host.server.hub import Hub
from host.server.run import Server

CODE = "24680"


class Served(Evening):
    """An evening whose loop the test moves, or that runs by itself in real time (`live`)."""

    def __init__(self, pairing: Pairing | None = None, port: int = 0, keys: dict[str, str] | None = None,
                 **options: Any) -> None:
        self.inbox = Inbox(lambda: self.session.now if hasattr(self, "session") else 0)
        self.hub = Hub(lambda state, seat: self.table.view(state, seat), self.inbox, keys)
        super().__init__(**options)
        speak = self.session.parts.speak

        def spoken(line: Any, speed: float) -> Any:
            clip = speak(line, speed)
            self.hub.clip(line, clip)
            return clip

        self.session.parts = replace(self.session.parts, speak=spoken)
        self.hub.begin(self.session.state)
        self.server = Server(self.hub, port, pairing or Pairing(code=CODE)).start()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def _watch(self, event: In, state: Any, effects: tuple[Any, ...]) -> None:
        super()._watch(event, state, effects)
        self.hub.watch(event, state, effects)

    def block(self) -> None:
        self.posts += self.inbox()
        super().block()

    def live(self) -> "Served":
        """From now on time passes by itself."""
        def run() -> None:
            due = time.monotonic()
            while not self._over.is_set() and not self.session.over:
                self.block()
                due += BLOCK / RATE
                time.sleep(max(0.0, due - time.monotonic()))

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        return self

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join(5)
        self.server.close()


class Client:
    """A phone or a screen as the tests write it."""

    def __init__(self, server: Server, role: str = "phone", code: str = CODE, token: str = "",
                 origin: str | None = None) -> None:
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(connect(
            f"ws://127.0.0.1:{server.port}/ws", origin=origin, open_timeout=5, ping_interval=None,
        ))
        self.view: dict[str, Any] = {}
        self.token = ""
        self.notes: list[str] = []
        self.refused: str | None = None
        self.raw: list[str] = []
        self.send(type="hello", role=role, code=code, token=token)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def take(self, seconds: float = 0.05) -> None:
        """Read what has come."""
        while True:
            try:
                text = self.socket.recv(timeout=seconds)
            except TimeoutError:
                return
            self.raw.append(str(text))
            self._read(json.loads(text))

    def _read(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "ping":
                self.send(type="echo", n=message["n"])
            case "snapshot":
                self.view = message["view"]
            case "set":
                self.view.update(message.get("view", {}))
                self.view["game"].update(message.get("game", {}))
                for key in message.get("view_gone", ()):
                    del self.view[key]
                for key in message.get("game_gone", ()):
                    del self.view["game"][key]
            case "token":
                self.token = message["token"]
            case "note":
                self.notes.append(message["text"])
            case "code":
                self.refused = message["why"]

    def until(self, true: Callable[["Client"], Any], served: Served | None = None, seconds: float = 5.0) -> "Client":
        """Read until something holds; the loop of `served` moves on meanwhile."""
        deadline = time.monotonic() + seconds
        while not true(self):
            assert time.monotonic() < deadline, f"never came; view {str(self.view)[:600]}, notes {self.notes}"
            if served is not None:
                served.block()
            self.take(0.02)
        return self

    def close(self) -> None:
        self._open.close()
