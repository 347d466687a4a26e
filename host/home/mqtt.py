"""MQTT with Home Assistant's discovery: state, whose turn, scores, last verdict; buttons to start, pause and skip.

    gamehost/NODE/status     online | offline (retained; the broker says offline for a box that is gone)
    gamehost/NODE/state      JSON, retained: what `summary` makes out of everybody's view
    gamehost/NODE/command    start | pause | skip, from outside
    homeassistant/.../config what is offered, so that Home Assistant needs no settings of its own (retained)

What leaves here is what everybody's screen shows, and less. The client library runs on a thread of its own; a
broker that is away, or comes later, is tried again by it for ever, and the game never waits for it.
"""

import contextlib
import importlib
import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

PORT, SECURE_PORT = 1883, 8883
DISCOVERY = "homeassistant"
COMMANDS = {"start": ("ready", "Start or go on"), "pause": ("command pause", "Pause"), "skip": ("command skip", "Skip")}
"""Payloads that are taken, what the table is told, and the button's name."""
SENSORS = {"phase": ("State", "mdi:dice-multiple"), "turn": ("Turn", "mdi:account-arrow-right"),
           "scores": ("Scores", "mdi:podium"), "verdict": ("Last verdict", "mdi:gavel")}
LONGEST = 255
"""Characters of a state that Home Assistant takes."""


class HomeError(Exception):
    """MQTT can't be used; the message is one clear sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is: `mqtt://[user:password@]host[:port]`, or mqtts for TLS."""

    host: str
    port: int = PORT
    user: str = ""
    password: str = ""
    secure: bool = False

    @staticmethod
    def of(url: str) -> "Broker":
        """Raises HomeError."""
        try:
            parts = urlsplit(url if "://" in url else f"mqtt://{url}")
            secure = parts.scheme == "mqtts"
            port = parts.port or (SECURE_PORT if secure else PORT)
        except ValueError as error:
            raise HomeError(f"--mqtt: the address is none ({error}); write mqtt://homeassistant.local.") from error
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname:
            raise HomeError("--mqtt: write an address like mqtt://user:password@homeassistant.local.")
        return Broker(parts.hostname, port, unquote(parts.username or ""), unquote(parts.password or ""), secure)


def node_name(name: str | None = None) -> str:
    """The box's name in topics: the machine's, in plain letters."""
    return re.sub(r"[^a-z0-9_]+", "_", (name or socket.gethostname()).lower()).strip("_") or "box"


def summary(view: Mapping[str, Any]) -> dict[str, str | int]:
    """What the home may know, out of the table's view for everybody."""
    game, players = view.get("game") or {}, [name for name, _ in view.get("players", ())]
    return {
        "phase": _phase(view, game), "title": view.get("title", ""), "turn": _turn(view, game, players)[:LONGEST],
        "scores": _scores(game)[:LONGEST], "verdict": _verdict(game, players)[:LONGEST],
        "card": (game.get("card") or {}).get("number") or game.get("round") or 0,
        "trouble": ", ".join(view.get("troubles", ()))[:LONGEST],
    }


def _phase(view: Mapping[str, Any], game: Mapping[str, Any]) -> str:
    if view.get("done"):
        return "over"
    if view.get("paused"):
        return "paused"
    if view.get("gathering") or not game:
        return "gathering"
    return "won" if game.get("winner") is not None else "playing"


def _turn(view: Mapping[str, Any], game: Mapping[str, Any], players: list[str]) -> str:
    """Who has the floor, else whose card or round it is."""
    if view.get("floor") is not None and view["floor"] < len(players):
        return str(players[view["floor"]])
    if game.get("teams") is not None:
        guessing = game.get("guessing")
        return str(game["teams"][guessing]["name"]) if guessing is not None else ""
    reader = game.get("reader")
    return players[reader] if reader is not None and reader < len(players) else ""


def _scores(game: Mapping[str, Any]) -> str:
    if game.get("teams") is not None:
        return ", ".join(f"{team['name']} {team['points']}" for team in game["teams"])
    return ", ".join(f"{player['name']} {player['place']}" for player in game.get("players", ()))


def _verdict(game: Mapping[str, Any], players: list[str]) -> str:
    rulings = game.get("all_verdicts") or game.get("verdicts") or ()
    if not rulings:
        return ""
    last = rulings[-1]
    seat, value = last.get("seat"), last.get("verdict")
    who = players[seat] if seat is not None and seat < len(players) else "somebody"
    return f"{who}: {last.get('text', '')}: {getattr(value, 'value', value)}"


def discovery(node: str, version: str) -> dict[str, dict[str, Any]]:
    """Topic -> what is offered there, as Home Assistant reads it."""
    base = f"gamehost/{node}"
    common = {
        "availability_topic": f"{base}/status",
        "device": {"identifiers": [f"gamehost_{node}"], "name": "Game host", "manufacturer": "gamehost",
                   "sw_version": version},
    }
    found: dict[str, dict[str, Any]] = {}
    for key, (name, icon) in SENSORS.items():
        found[f"{DISCOVERY}/sensor/{node}/{key}/config"] = {
            **common, "name": name, "icon": icon, "unique_id": f"gamehost_{node}_{key}",
            "state_topic": f"{base}/state", "value_template": f"{{{{ value_json.{key} }}}}",
        }
    for key, (_, name) in COMMANDS.items():
        found[f"{DISCOVERY}/button/{node}/{key}/config"] = {
            **common, "name": name, "unique_id": f"gamehost_{node}_{key}", "command_topic": f"{base}/command",
            "payload_press": key,
        }
    return found


class NoHome:
    """No home wants to know."""

    def tell(self, _view: Mapping[str, Any]) -> None:
        """Tell nobody."""

    def close(self) -> None:
        """Nothing to close."""


class Home:
    """The link to one broker. `tell` is called by the loop, `post` by the library's thread."""

    def __init__(
        self, broker: Broker, post: Callable[[str], None], version: str = "", node: str | None = None,
        notice: Callable[[str], None] = print,
    ) -> None:
        """`post` takes a message for the table. Raises HomeError where the library is missing."""
        try:
            library: Any = importlib.import_module("paho.mqtt.client")
        except ImportError as error:
            raise HomeError("MQTT needs paho-mqtt: sudo apt install python3-paho-mqtt.") from error
        self.node = node_name(node)
        self._base, self._post, self._version, self._notice = f"gamehost/{self.node}", post, version, notice
        self._told: dict[str, str | int] | None = None
        self._said = ""
        arguments: dict[str, Any] = {"client_id": f"gamehost-{self.node}"}
        if hasattr(library, "CallbackAPIVersion"):  # paho 2; Debian 12 has 1.6
            arguments["callback_api_version"] = library.CallbackAPIVersion.VERSION2
        self._client = library.Client(**arguments)
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password or None)
        if broker.secure:
            self._client.tls_set()
        self._client.will_set(f"{self._base}/status", "offline", qos=1, retain=True)
        self._client.on_connect, self._client.on_message = self._connected, self._came
        self._client.reconnect_delay_set(1, 60)
        self._broker = broker

    def start(self) -> "Home":
        """Connect, now or whenever the broker is there."""
        self._client.connect_async(self._broker.host, self._broker.port, keepalive=30)
        self._client.loop_start()
        return self

    def tell(self, view: Mapping[str, Any]) -> None:
        """What everybody sees has changed; sent only where the home would see a difference."""
        now = summary(view)
        if now != self._told:
            self._told = now
            self._client.publish(f"{self._base}/state", json.dumps(now), qos=0, retain=True)

    def close(self) -> None:
        """Say goodbye."""
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            self._client.publish(f"{self._base}/status", "offline", qos=1, retain=True).wait_for_publish(1.0)
            self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any = None) -> None:
        failed = reason.is_failure if hasattr(reason, "is_failure") else reason != 0
        if failed:
            if str(reason) != self._said:
                self._said = str(reason)
                self._notice(f"MQTT: {self._broker.host} refuses ({reason}): check user and password in --mqtt.")
            return
        client.subscribe(f"{self._base}/command", qos=1)
        for topic, offer in discovery(self.node, self._version).items():
            client.publish(topic, json.dumps(offer), qos=1, retain=True)
        client.publish(f"{self._base}/status", "online", qos=1, retain=True)
        if self._told is not None:
            client.publish(f"{self._base}/state", json.dumps(self._told), qos=0, retain=True)

    def _came(self, _client: Any, _data: Any, message: Any) -> None:
        payload = message.payload.decode("utf-8", errors="replace").strip().lower()
        if payload in COMMANDS and not message.retain:  # a kept press is not pressed again at each start
            self._post(COMMANDS[payload][0])
