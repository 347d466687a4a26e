"""The server's thread, its port and its addresses."""

import asyncio
import contextlib
import socket
import threading
from functools import lru_cache
from typing import Any

import segno
import uvicorn

from host.server import PORT, ServerError
from host.server.guard import Pairing
from host.server.hub import Hub
from host.server.web import Web


def listen(port: int) -> socket.socket:
    """A socket on that port of every network; 0 takes any free one. Raises ServerError."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(("0.0.0.0", port))  # noqa: S104 - phones come over the network; they need the code
        found.listen(64)
    except (OSError, OverflowError) as error:
        found.close()
        why = getattr(error, "strerror", None) or str(error)
        raise ServerError(f"port {port} can't be used ({why}): choose another one, like --screen 8200.") from error
    return found


def own_address() -> str:
    """The machine's address in the local network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"


@lru_cache(maxsize=4)
def qr(text: str) -> dict[str, Any]:
    """A QR code as an SVG path: {"size": modules with the quiet zone, "path": ...}."""
    rows = segno.make(text, error="m", micro=False).matrix
    quiet = 2
    path = "".join(
        f"M{x + quiet},{y + quiet}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return {"size": len(rows) + 2 * quiet, "path": path}


class Server:
    """Pages and phones of an evening, from `start` to `close`."""

    def __init__(self, hub: Hub, port: int = PORT, pairing: Pairing | None = None) -> None:
        """Raises ServerError where the port can't be had."""
        self._socket = listen(port)
        self.port = int(self._socket.getsockname()[1])
        self.hub, self.pairing = hub, Pairing() if pairing is None else pairing
        self._address = own_address()
        self.web = Web(hub, self.pairing, self._join)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pending = threading.Event()
        self._ready = threading.Event()
        self._server = uvicorn.Server(uvicorn.Config(
            self.web.app, log_config=None, access_log=False, server_header=False, proxy_headers=False,
            lifespan="off", loop="asyncio", http="h11", ws="websockets-sansio", ws_max_size=2048, ws_max_queue=32,
            ws_ping_interval=5.0, ws_ping_timeout=10.0, limit_concurrency=64,
            timeout_graceful_shutdown=1, timeout_keep_alive=5,
        ))
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    @property
    def address(self) -> str:
        """Where phones find us."""
        return f"http://{self._address}:{self.port}/"

    @property
    def screen(self) -> str:
        """The screen's page, on this machine."""
        return f"http://localhost:{self.port}/screen"

    def _join(self) -> dict[str, Any]:
        return {"address": self.address.removeprefix("http://").rstrip("/"),
                "qr": qr(f"{self.address}#{self.pairing.code}")}

    def start(self) -> "Server":
        """Serve."""
        self._thread.start()
        self._ready.wait(5.0)
        self.hub.wake = self._wake
        return self

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        await self._server.serve(sockets=[self._socket])

    def _wake(self) -> None:
        """From the loop's thread: show what is new, once for however many events."""
        loop = self._loop
        if loop is not None and not self._pending.is_set():
            self._pending.set()
            with contextlib.suppress(RuntimeError):  # the server is closing
                loop.call_soon_threadsafe(self._changed)

    def _changed(self) -> None:
        self._pending.clear()
        self.web.changed()

    def close(self) -> None:
        """Stop serving."""
        self.hub.wake = lambda: None
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(3.0)
        self._socket.close()
