"""A whole round with the host's own number cards, every outgoing byte searched for them (VN-4).

Screen and phones, what is spoken and printed, the log, the memory of used cards, MQTT, the report and the pages: until
a card is revealed nothing but its clue giver's own phone may hold it, in digits, in words, or by the words it points
to. Other tests leak it on purpose, each way once, and must be caught.
"""

import importlib
import io
import itertools
import json
import re
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from evening import log_at
from server_table import CODE
from test_server_venn import VennServed
from venn_evening import FOUR, SAID
from venn_table import packs

from host.__main__ import main
from host.app import report
from host.app.printing import Printer
from host.events import Keep, Say
from host.games import venn, venn_round
from host.games.venn_words import card_id
from host.home import mqtt
from host.lines import number
from host.memory import Memory
from host.server.guard import Pairing
from host.server.messages import Hello, Sit
from host.server.web import STATIC, Client, Web

NUMBERS = ((1, 5, 9), (2, 7, 12), (3, 8, 11), (4, 6, 10))
ASKED = ("score", "turn", "guesses", "where", "help", "repeat", "repeat_all", "word 7")
SHIPPED = tuple(path.read_text(encoding="utf-8") for path in STATIC.iterdir())
PAGES = ("", "screen", "phone.js", "screen.js", "common.js", "alive", "log", "state", "games")


def places(card: tuple[int, ...], words: tuple[str, ...], text: str) -> list[str]:
    """Where a text holds all three numbers in a row, in any order: as digits, as words, or as the words of the list."""
    spelt = [(r"(?<!\d)", [str(one) for one in card], r"\D{1,4}", r"(?!\d)"),
             (r"\b", [number(one) for one in card], r"\W+(?:and\W+)?", r"\b"),
             (r"\b", [words[one - 1].removeprefix("to ") for one in card], r"\W+(?:(?:and|to)\W+)*", r"\b")]
    found = []
    for before, parts, between, after in spelt:
        for row in itertools.permutations(parts):
            found += re.findall(before + between.join(map(re.escape, row)) + after, text, re.IGNORECASE)
    return found


@pytest.mark.parametrize(("text", "held"), [
    ('{"secret":[1,5,9]}', True), ("one, five and nine", True), ("9/1/5", True), ("NINE FIVE ONE", True),
    ("river, soldier, desert", True), ("desert river and soldier", True), ("1 5 19", False), ("11, 5, 9", False),
    ("one, five", False), ("river, heavy, wedding, to fold, soldier", False), ("Five, soldier. Nine, desert.", False),
])
def test_the_search_finds_every_spelling(text: str, held: bool) -> None:
    """VN-4: digits, words, JSON, the list's words, in any order; and nothing where they are not all there."""
    assert bool(places((1, 5, 9), tuple(word for card in SAID for word in card), text)) is held


class Peer:
    """A connection from this machine."""

    client = SimpleNamespace(host="127.0.0.1")
    headers = {"origin": "http://localhost"}  # noqa: RUF012 - read only


def sent(client: Client) -> list[dict[str, Any]]:
    """What that client is sent now: notes and tokens, then what it has not seen yet."""
    messages = [client._outbox.popleft() for _ in range(len(client._outbox))]
    change = client.change()
    return messages if change is None else [*messages, change]


class Listened(VennServed):
    """A game with pages, phones, printer, log, memory and MQTT, all of whose output is kept by its way out."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch = folder, monkeypatch
        self.sent: list[str] = []
        self.printed = io.StringIO()
        self.printer = Printer(self.printed)
        self.spoken_texts: list[str] = []
        self.memory = Memory.open(folder / "memory.json")
        monkeypatch.setattr(importlib, "import_module", self._library(importlib.import_module))
        self.home = mqtt.Home(mqtt.Broker("nowhere"), lambda _: None, "1", "box")
        (folder / "games").mkdir(exist_ok=True)
        super().__init__(packs=packs(words=SAID, numbers=NUMBERS), numbers="host",
                         log=log_at(folder / "games" / "2026-01-01T20-00-00-venn.jsonl"))
        speak = self.session.parts.speak

        def spoken(line: Any, speed: float) -> Any:
            self.spoken_texts.append(line.text)
            return speak(line, speed)

        self.session.parts = replace(self.session.parts, speak=spoken)
        self.web = Web(self.hub, Pairing(code=CODE))
        self.raw: dict[str, list[str]] = {}
        self.clients: dict[str, Client] = {}
        for name in ("screen", "phone", *(f"phone {player.name}" for player in FOUR)):
            client = Client(self.web, Peer(), len(self.clients))  # type: ignore[arg-type]  # all that it asks of a socket
            self.web.clients[client.number] = self.clients[name] = client
            client.take(Hello(name.partition(" ")[0], CODE))

    def _library(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """The MQTT client's library, of which only what is sent is wanted."""
        def publish(topic: str, payload: str, **_: Any) -> None:
            self.sent.append(f"{topic} {payload}")

        client = SimpleNamespace(publish=publish, will_set=lambda *_, **__: None, reconnect_delay_set=lambda *_: None)
        fake = SimpleNamespace(Client=lambda **_: client)
        return lambda name, *more: fake if name.startswith("paho") else real(name, *more)

    def _watch(self, event: Any, state: Any, effects: tuple[Any, ...]) -> None:
        super()._watch(event, state, effects)
        view = self.table.view(state, None)
        self.printer.watch(event, state, effects, view)
        self.home.tell(view)
        for effect in effects:
            if isinstance(effect, Say):
                self.spoken_texts.append(effect.line.text)

        for name, client in getattr(self, "clients", {}).items():
            self.raw.setdefault(name, []).extend(json.dumps(message) for message in sent(client))

    def sit(self) -> None:
        """Each player's phone takes its seat."""
        for player in FOUR:
            self.clients[f"phone {player.name}"].take(Sit(player.name.lower()))

    def out(self) -> dict[str, str]:
        """All that has gone out so far, by its way."""
        self.session.log.sync()
        for deck, card in self.kept:
            if card:
                self.memory.add(deck, card)
        games = next((self.folder / "games").iterdir())
        bundle = self.folder / "report.zip"
        self.monkeypatch.setattr(report, "said_by", lambda *_: "")
        assert main(["report", "--data", str(self.folder), "--out", str(bundle)]) == 0
        with zipfile.ZipFile(bundle) as file:
            packed = "\n".join(file.read(name).decode() for name in file.namelist() if name != "versions.txt")
        bundle.unlink()
        return {
            **{name: "\n".join(texts) for name, texts in self.raw.items()},
            "spoken": "\n".join(self.spoken_texts), "printed": self.printed.getvalue(), "mqtt": "\n".join(self.sent),
            "log": games.read_text(encoding="utf-8"), "memory": self.memory_text(), "report": packed,
            "pages": "\n".join(self.page(name) for name in PAGES),
        }

    def memory_text(self) -> str:
        path = self.folder / "memory.json"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def page(self, name: str) -> str:
        """What a request is answered, "" where it is the file as it is shipped: that knows no game."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/{name}", timeout=5) as answer:
                text = str(answer.read().decode())
        except urllib.error.HTTPError as error:
            text = str(error.read().decode())
        return "" if text in SHIPPED else text

    def found(self, card: tuple[int, ...]) -> set[str]:
        """The ways on which that card has gone out."""
        words = tuple(self.words)
        return {way for way, text in self.out().items() if places(card, words, text)}


def play(served: Listened) -> tuple[set[str], set[str], set[str]]:
    """A round: where the first card had gone before its reveal, and after it; where the second had before its own."""
    served.ended("again")
    served.sit()
    for asked in ASKED:
        served.inbox.type(None, f"command {asked}")
        served.wait(0.3)
    served.wait(60.0)
    served.say("no")
    if served.phase == "telling":  # the words were said again
        served.ended("again")
        served.say("no")
    served.wait(10.0)
    for giver in ("anna", "dan"):
        served.say(f"{giver} is ready")
    served.until("round1/go")
    served.wait(3.0)
    served.say("[unk] venn [unk]")
    served.ended("which")
    served.say("foxes")
    served.ended("guess")
    first, second = served.state.game.secret
    served.say(served.plain(first[0], second[0]))
    served.inbox.type(None, "command guesses")
    served.wait(4.0)
    served.say(served.plain(first[1]))
    assert served.phase == "revealing"
    before = served.found(first)
    served.wait(12.0)
    after = served.found(first)
    served.say(served.plain(second[1], first[2]))
    served.wait(1.0)
    served.say(served.plain(second[2]))
    assert served.phase == "revealing"
    other = served.found(second)
    served.wait(12.0)
    assert served.phase == "between"
    return before, after, other


def test_no_outgoing_byte_holds_a_card_before_its_reveal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """VN-4: until then only its clue giver's phone has it; afterwards all have, so the search sees what goes out."""
    with Listened(tmp_path, monkeypatch) as served:
        before, after, other = play(served)
        assert before == {"phone Anna"}
        assert other == {"phone Dan"}
        assert after >= {"screen", "phone", "phone Ben", "phone Dan", "spoken", "printed", "log", "report", "memory"}
        assert served.sent, "MQTT was told something"


def in_every_view(monkeypatch: pytest.MonkeyPatch) -> None:
    real = venn.view
    monkeypatch.setattr(venn, "view", lambda state, seat: {**real(state, seat), "hint": list(map(list, state.secret))})


def in_a_guessers_view(monkeypatch: pytest.MonkeyPatch) -> None:
    real = venn.view
    monkeypatch.setattr(venn, "view", lambda state, seat: {
        **real(state, seat), **({"secret": list(state.secret[0])} if seat == 2 and state.secret else {})})


def aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    real = venn_round.ask_ready

    def told(desk: Any) -> None:
        real(desk)
        desk.say("hint", f"Psst: {', '.join(number(one) for one in desk.state.secret[0])}.")

    monkeypatch.setattr(venn_round, "ask_ready", told)


def remembered_too_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    real = venn_round._deal_numbers

    def dealt(desk: Any, count: int) -> Any:
        cards = real(desk, count)
        desk.effects.extend(Keep("numbers", card_id(card)) for card in cards)
        return cards

    monkeypatch.setattr(venn_round, "_deal_numbers", dealt)


def to_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    real = mqtt.summary
    monkeypatch.setattr(mqtt, "summary", lambda view: {**real(view), "hint": str(LEAKED)})


LEAKED = (1, 5, 9)


@pytest.mark.parametrize(("leak", "ways"), [
    (in_every_view, {"screen", "phone", "phone Ben", "phone Dan", "phone Eva"}), (in_a_guessers_view, {"phone Ben"}),
    (aloud, {"spoken", "printed", "log", "report", "screen"}), (remembered_too_soon, {"memory", "report"}),
    (to_the_home, {"mqtt"}),
])
def test_a_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], ways: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """VN-4: the same round with a card given away on purpose: the search names the ways on which it went out."""
    leak(monkeypatch)
    with Listened(tmp_path, monkeypatch) as served:
        monkeypatch.setitem(globals(), "LEAKED", served.state.game.secret[0] if served.state.game else LEAKED)
        before, _, _ = play(served)
        assert before - {"phone Anna"} >= ways
