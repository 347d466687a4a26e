"""An evening without sound: the real table, rules and loop, with words put in by the test."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from host.clock import BLOCK, RATE, Samples, samples
from host.devices.mouth import Mouth
from host.events import Heard, In, Line, Part, Pressed, Say, Speaking, Word
from host.games import Player, clever_endeavor
from host.log import Log, NoDisk
from host.packs import Board, Card, Packs, Space, Venture
from host.session import Parts, Session
from host.sound import Block, Clip
from host.table import Table
from host.voices.silent import SilentVoice

PLAYERS = (Player("Anna", "blue"), Player("Ben", "red"), Player("Cleo", "green"), Player("Dan", "white"))


SIX = ("one", "two", "three", "four", "five", "six")


def card(number: int, answer: str, essential: str = "", **more: Any) -> Card:
    """A card for tests whose statements say only their numbers."""
    statements = tuple(f"Statement number {word} of card {number}." for word in SIX)
    return Card(
        id=f"thing-{number}", category="Thing", answer=answer, essential=(essential or answer,),
        statements=statements, false_statement="This one is false.", note=f"A note on {number}.", **more,
    )


CARDS = (
    card(1, "a toothbrush", "toothbrush", prompt=("a brush",), rivals=("a comb", "a fork")),
    card(2, "an umbrella", "umbrella", rivals=("a tent", "a parasol")),
    card(3, "the piano", "piano", rivals=("a guitar", "an organ")),
    card(4, "a compass", "compass", rivals=("a map", "a watch")),
    card(5, "Theodore Roosevelt", "theodore roosevelt", prompt=("Roosevelt",), rivals=("Abraham Lincoln",)),
    card(6, "a kangaroo", "kangaroo", rivals=("a wallaby",)),
)
BOARD = Board("plain", "Plain", (Space(), *(Space() for _ in range(15)), *(Space(red=True) for _ in range(8)), Space()))
VENTURES = (Venture("rest", "Nothing happens.", "shield", "self", 1),)
PACKS = Packs(CARDS, VENTURES, BOARD)


class Quiet:
    """A device with a mouth and silence around it."""

    def __init__(self, start: Samples = 0) -> None:
        self.now = start
        self.mouth = Mouth(RATE)

    def read(self) -> Block:
        at, self.now = self.now, self.now + BLOCK
        far, marks = self.mouth.pull(BLOCK, at)
        return Block(at, np.zeros((1, BLOCK), np.int16), far, marks)

    def play(self, clip: Clip, at: Samples) -> None:
        self.mouth.play(clip, at)

    def hush(self) -> None:
        self.mouth.hush(self.now)


class Evening:
    """Drive a table by what is said, and see what the host says."""

    def __init__(
        self, players: Sequence[Player] = PLAYERS, packs: Packs = PACKS, log: Log | None = None,
        rules: Any = clever_endeavor, state: Any = None, start: Samples = 0, seed: int = 3,
        youngest: int | None = 0, **options: Any,
    ) -> None:
        self.table = Table(
            rules, packs, options, seed, players=tuple(players), names=("anna", "ben", "cleo", "dan"),
            youngest=youngest,
        )
        self.device = Quiet(start)
        self.kept: list[tuple[str, str]] = []
        self.said: list[tuple[Samples, str, Part]] = []
        """(sample, line id without number, part)"""
        self.lines: dict[str, Line] = {}
        self.posts: list[In] = []
        voice = SilentVoice()
        parts = Parts(
            self.device, (), (), lambda line, speed: voice.speak(line, speed),
            lambda name: Clip("", np.zeros(800, np.int16), RATE), keep=lambda *pair: self.kept.append(pair),
            watch=self._watch,
        )
        self.session = Session(self.table, parts, log or Log(NoDisk()))
        self.count = 0
        self.session.begin(state, start)

    def _watch(self, event: In, _state: Any, effects: tuple[Any, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Say):
                self.lines[effect.line.id] = effect.line
        if hasattr(event, "line"):
            self.said.append((event.at, event.line.partition("#")[0], event.part))

    # --- moving on ------------------------------------------------------------------------------

    @property
    def now(self) -> Samples:
        return self.device.now

    @property
    def state(self) -> Any:
        return self.session.state

    @property
    def game(self) -> Any:
        return self.table.rules.view(self.state.game, None)

    def block(self) -> None:
        posts, self.posts = self.posts, []
        self.session.block(self.device.read(), posts)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(samples(seconds) // BLOCK):
            if self.session.over:
                return
            self.block()

    def until(self, line: str, part: Part = Part.BEGAN, limit: float = 120.0, nth: int = 1) -> Samples:
        """Let time pass until a line has come to a part; its sample. Fails after `limit` seconds."""
        end = self.now + samples(limit)
        seen = len([1 for _, name, p in self.said if (name, p) == (line, part)])
        while True:
            found = [at for at, name, p in self.said if (name, p) == (line, part)]
            if len(found) >= seen + nth:
                return found[-1]
            assert self.now < end, f"{line} {part} never came; said {[n for _, n, _ in self.said][-12:]}"
            assert not self.session.over, f"over before {line} {part}"
            self.block()

    # --- what players do ------------------------------------------------------------------------

    def say(self, text: str, dictation: str | None = None, took: float | None = None, settle: float = 0.3,
            confidence: float = 1.0) -> None:
        """Somebody says something now: it is spoken, then recognised `settle` seconds after its end."""
        words = text.split()
        took = took if took is not None else 0.35 * max(1, len(words))
        began, self.count = self.now, self.count + 1
        self.posts.append(Speaking(began + 1600, began, self.count))
        self.wait(max(took + settle, 0.12))
        self.posts.append(self.heard(text, dictation, began, samples(took), confidence))
        self.block()

    def heard(self, text: str, dictation: str | None, began: Samples, took: Samples, confidence: float = 1.0) -> Heard:
        """A final with its words spread evenly."""
        def spread(line: str) -> tuple[Word, ...]:
            row = line.split()
            step = took // max(1, len(row))
            return tuple(Word(w, began + i * step, began + (i + 1) * step, confidence) for i, w in enumerate(row))

        open_words = text if dictation is None else dictation
        return Heard(self.now, began, began + took, spread(text), spread(open_words), self.count)

    def press(self, button: str) -> None:
        self.posts.append(Pressed(self.now, button))
        self.block()

    # --- what the host did ----------------------------------------------------------------------

    def spoken(self, key: str) -> list[str]:
        """The texts of all lines whose id (without number) is `key`, in order."""
        return [line.text for name, line in self.lines.items() if name.partition("#")[0].partition("~")[0] == key]

    def places(self) -> list[int]:
        return [player["place"] for player in self.game["players"]]

    def start_card(self, number: int = 1) -> None:
        """Say "go" to the reader's question, and wait for the first statement."""
        self.until(f"card{number}/ready", Part.ENDED)
        self.say("go")
        self.until(f"card{number}/statement1", Part.BEGAN)


def log_at(path: Path) -> Log:
    from host.log import FileDisk

    log = Log(FileDisk(path))
    log.header({})
    return log
