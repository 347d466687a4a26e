"""Pages and the WebSocket: one `Client` a connection, a snapshot first and then what changed."""

import asyncio
import contextlib
import itertools
import json
import statistics
from collections import deque
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from host.server import messages
from host.server.guard import Bucket, Pairing, host_allowed, is_here, origin_allowed
from host.server.hub import Hub
from host.server.messages import Echo, Hello, Join, Key, Leave, Message, Press, Sit, Touch
from host.server.seats import Seats, key_of

STATIC = Path(__file__).with_name("static")
PAGES = {"/": "phone.html", "/screen": "screen.html"}
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
}
CLIENTS = 24
"""Connections at once."""
PATIENCE = 10.0
"""Seconds in which a client must say who it is."""
STEP = 0.03
"""A client is sent something at most this often."""
PING = 2.0
WAY = 0.1
"""A phone's press counts at most so many seconds before it came in."""
TEAMS = ("-", "0", "1")
"""In place of a colour where players have none: any team, or which one."""
FLOOD = 300
"""After so many messages over the limit the connection is ended."""


class Guarded:
    """Refuses every request whose Host is not ours, before anything looks at it (SEC-01)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or answer 421 (a WebSocket: 403)."""
        if scope["type"] in ("http", "websocket"):
            headers = dict(scope["headers"])
            host = headers.get(b"host", b"").decode("latin-1")
            origin = headers.get(b"origin")
            fine = host_allowed(host)
            if scope["type"] == "websocket":
                fine = fine and origin_allowed(None if origin is None else origin.decode("latin-1"), host)
            if not fine:
                await _refuse(scope, receive, send)
                return
        await self.app(scope, receive, send)


async def _refuse(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await PlainTextResponse("Open this page by the address on the screen.", 421)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008})


class Web:
    """The application: files, and clients around a hub."""

    def __init__(self, hub: Hub, pairing: Pairing, join: Callable[[], dict[str, Any]] = dict) -> None:
        """`join` gives what a screen shows for phones to join: address, picture."""
        self.hub, self.pairing, self.join = hub, pairing, join
        self.seats = Seats(pairing)
        self.clients: dict[int, Client] = {}
        self._present: set[str] = set()
        self._numbers = itertools.count(1)
        files = {f"/{path.name}": path for path in STATIC.iterdir() if path.suffix in TYPES}
        self._files = {**{page: STATIC / name for page, name in PAGES.items()}, **files}
        routes: list[Any] = [Route(path, self._file) for path in self._files]
        routes.append(Route("/alive", self._alive))
        pages = Starlette(routes=[*routes, WebSocketRoute("/ws", self._socket)])
        pages.router.redirect_slashes = False
        self.app = Guarded(pages)

    async def _file(self, request: Request) -> Response:
        path = self._files[request.url.path]
        return Response(path.read_bytes(), headers=HEADERS, media_type=TYPES[path.suffix])

    async def _alive(self, request: Request) -> Response:
        """For the keeper of the browser on this machine (KIO-06): how many of its screens are connected."""
        if not is_here(request.client.host if request.client else ""):
            return PlainTextResponse("", 404)
        count = sum(client.role == "screen" and client.is_here for client in self.clients.values())
        return PlainTextResponse(str(count))

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.clients) >= CLIENTS:
            await socket.close(1013)
            return
        await socket.accept()
        number = next(self._numbers)
        client = Client(self, socket, number)
        self.clients[number] = client
        try:
            await client.live()
        finally:
            del self.clients[number]
            self.seats.lost(number)
            self.changed()

    def changed(self) -> None:
        """Something is new to show; to be called in the server's thread."""
        present = {key_of(*player) for player in self.hub.players()}
        for seat in self._present - present:  # a player has left the game, and the phone has no seat any more
            self.seats.drop(seat)
        self._present = present
        for client in self.clients.values():
            client.dirty.set()

    def index(self, seat: str | None) -> int | None:
        """The number of a seat at the table."""
        if seat is None:
            return None
        players = self.hub.players()
        return next((at for at, player in enumerate(players) if key_of(*player) == seat), None)


class Client:
    """One connection."""

    def __init__(self, web: Web, socket: WebSocket, number: int) -> None:
        self.web, self.socket, self.number = web, socket, number
        self.role = ""
        """phone or screen, once it was let in."""
        self.dirty = asyncio.Event()
        self._shown: dict[str, Any] | None = None
        self._bucket = Bucket()
        self._pings: dict[int, float] = {}
        self._ways: deque[float] = deque(maxlen=8)
        self._outbox: deque[dict[str, Any]] = deque(maxlen=20)
        self._address = socket.client.host if socket.client else ""

    @property
    def is_here(self) -> bool:
        """Whether the page runs on this machine."""
        return is_here(self._address)

    @property
    def way(self) -> float:
        """Seconds from the phone to here, at most WAY (half the median round trip)."""
        return min(WAY, statistics.median(self._ways) / 2) if self._ways else 0.0

    async def live(self) -> None:
        """Serve the connection until it ends."""
        tasks = [asyncio.create_task(work()) for work in (self._receive, self._send, self._ping)]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                error = task.exception()
                if error is not None and not isinstance(error, WebSocketDisconnect | RuntimeError | OSError):
                    raise error
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # --- in --------------------------------------------------------------------------------------

    async def _receive(self) -> None:
        clock = self.web.hub.clock
        deadline = clock() + PATIENCE
        while True:
            wait = None if self.role else max(0.0, deadline - clock())
            try:
                frame = await asyncio.wait_for(self.socket.receive(), wait)
            except TimeoutError:
                await self.socket.close(1008)
                return
            if frame["type"] == "websocket.disconnect":
                return
            if not self._bucket.takes(clock()):
                if self._bucket.dropped > FLOOD:
                    await self.socket.close(1008)
                    return
                continue
            message = messages.read(frame.get("text"))
            if message is not None:
                self.take(message)
                self.dirty.set()

    def take(self, message: Message) -> None:
        """Do what a message asks for, as far as this client may."""
        match message:
            case Hello():
                self._hello(message)
            case Echo(number):
                if (sent := self._pings.pop(number, None)) is not None:
                    self._ways.append(self.web.hub.clock() - sent)
            case _ if self.role == "phone":
                self._phone(message)
            case _ if self.role == "screen":
                self._screen(message)

    def _hello(self, hello: Hello) -> None:
        web = self.web
        if self.role:
            return
        if hello.role == "screen" and is_here(self._address) and self.socket.headers.get("origin"):
            self.role = "screen"
            return
        back = web.seats.back(hello.token, self.number) if hello.token and hello.role == "phone" else None
        if back is not None:
            self.role = "phone"
            web.changed()
            return
        if not hello.code:
            self._outbox.append({"type": "code", "why": ""})
            return
        why = web.pairing.admits(hello.code, self._address, web.hub.clock())
        if why:
            self._outbox.append({"type": "code", "why": why})
            web.changed()  # the code may be a new one
        else:
            self.role = hello.role

    def _phone(self, message: Message) -> None:
        web, posts = self.web, self.web.hub.posts
        seat = web.seats.seat(self.number)
        match message:
            case Sit(wanted) if web.index(wanted) is not None:
                self._sit(wanted)
            case Join(colour, name):
                self._join(colour, name)
            case Leave():
                web.seats.leave(self.number)
                web.changed()
            case Press() if seat is not None and web.index(seat) is not None:
                posts.press(seat, web.hub.clock() - self.way)
            case Touch(text) if messages.may_touch(text, False) and (index := web.index(seat)) is not None:
                posts.type(index, text)

    def _sit(self, seat: str) -> None:
        token = self.web.seats.sit(seat, self.number)
        if token:
            self._outbox.append({"type": "token", "token": token})
        else:
            self._note(f"Another phone is {seat}.")
        self.web.changed()

    def _join(self, colour: str, name: str) -> None:
        hub, taken = self.web.hub, self.web.seats.taken
        players, colours, free = hub.players(), hub.colours(), hub.joining()
        key = key_of(name, colour if colours else "")
        other = [one for one, its in players if its != colour and one.lower() == name.lower() and its]
        if not key or colour not in (colours or TEAMS):
            return
        if other:
            self._note(f"There is another {other[0]}: choose another name.")
        elif key in taken and self.web.seats.seat(self.number) != key:
            self._note(f"Another phone is {key}.")
        elif not colours and self.web.index(key) is not None:
            self._sit(key)  # that name is at the table already
        elif free is not None and not (colour in free or (free and colour == TEAMS[0])):
            self._note(f"{colour.capitalize()} is taken: choose another colour." if colours else
                       "There is no place in that team." if free else "Nobody more can join.")
        else:
            hub.posts.type(None, f"join {colour} {name}".strip())
            self._sit(key)

    def _note(self, text: str) -> None:
        self._outbox.append({"type": "note", "text": text})

    def _screen(self, message: Message) -> None:
        hub = self.web.hub
        match message:
            case Touch(text) if messages.may_touch(text, True):
                hub.posts.type(None, text)
            case Key(key) if key in hub.keys:
                hub.posts.press(hub.keys[key], hub.clock() - self.way)

    # --- out -------------------------------------------------------------------------------------

    async def _ping(self) -> None:
        for number in itertools.count():
            self._pings = {key: sent for key, sent in self._pings.items() if key > number - 5}
            self._pings[number] = self.web.hub.clock()
            await self.socket.send_text(json.dumps({"type": "ping", "n": number}))
            await asyncio.sleep(PING)

    async def _send(self) -> None:
        while True:
            hub = self.web.hub
            with_next = hub.speech.next_word(hub.clock()) if self.role else None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.dirty.wait(), with_next)
            self.dirty.clear()
            while self._outbox:
                await self.socket.send_text(json.dumps(self._outbox.popleft()))
            if self.role and (change := self.change()) is not None:
                await self.socket.send_text(json.dumps(change))
            await asyncio.sleep(STEP)

    def change(self) -> dict[str, Any] | None:
        """What this client has not been shown yet: a snapshot the first time, then what differs."""
        view, before = self.view(), self._shown
        self._shown = view
        if before is None:
            return {"type": "snapshot", "view": view}
        change: dict[str, Any] = {}
        for part, new, old in (("game", view["game"], before["game"]), ("view", view, before)):
            changed = {key: value for key, value in new.items() if key != "game" and old.get(key, _UNSEEN) != value}
            gone = [key for key in old if key not in new]
            if changed:
                change[part] = changed
            if gone:
                change[f"{part}_gone"] = gone
        return {"type": "set", **change} if change else None

    def view(self) -> dict[str, Any]:
        """All that this client may see now."""
        web = self.web
        seat = web.seats.seat(self.number)
        index = web.index(seat)
        view = web.hub.seen(index)
        view["taken"] = web.seats.taken
        if self.role == "phone":
            view["you"] = {"seat": seat, "index": index}
        else:
            view["code"] = web.pairing.code
            view["join"] = web.join()
        return view


_UNSEEN = object()
