"""An evening without sound or recogniser: players who decide by what they see, on a silent device.

After each statement of a card there is one guess more, or none; whose and which depends on the card and on how many
were made, never on the clock: what was being said when the power went is said again, as people do it, and an evening
that was broken off and gone on with takes the same course. Lively players also speak while a statement is read, and
leave out their colour, so that the host asks whose it was.
"""

import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from host import log as logs
from host.app.evening import Setup, sign
from host.clock import BLOCK, RATE, Samples, samples
from host.devices.mouth import Mouth
from host.events import Heard, Speaking, Word
from host.games import Player
from host.session import Parts, Session
from host.sound import Block, Clip
from host.table import Table
from host.voices.silent import SilentVoice

PLAYERS = (Player("Anna", "blue"), Player("Ben", "red"), Player("Cleo", "green"), Player("Dan", "white"))
THINKING = samples(0.6)
"""From the host's last word to the player's first."""
SPOKEN = samples(0.5)
SETTLED = samples(0.3)
"""From a player's last word to the recogniser's final."""
EARLY = 0.3
"""Of the moments at which lively players could speak into a statement, they use so many."""
NAMELESS = 0.3
"""Of their right answers so many come without a colour."""


def setup(seed: int) -> Setup:
    """Four players at the shipped cards, with short pauses."""
    return Setup(players=PLAYERS, youngest=0, seed=seed, options={"pause": 3})


class Quiet:
    """A device with a mouth and silence around it."""

    def __init__(self, start: Samples = 0) -> None:
        self.now = start
        self.mouth = Mouth(RATE)
        self._mic = np.zeros((1, BLOCK), np.int16)

    def read(self) -> Block:
        """The next 30 ms, at once."""
        at, self.now = self.now, self.now + BLOCK
        far, marks = self.mouth.pull(BLOCK, at)
        return Block(at, self._mic, far, marks)

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip."""
        self.mouth.play(clip, at)

    def hush(self) -> None:
        """Fall silent."""
        self.mouth.hush(self.now)

    def close(self) -> None:
        """Nothing to give back."""


class Players:
    """Who says what, decided from the table's state alone."""

    def __init__(self, table: Table, rounds: int = 1, lively: bool = False) -> None:
        self._table, self._rounds, self._lively = table, rounds, lively

    def early(self, state: Any) -> bool:
        """Whether somebody speaks while this statement is still being read."""
        if not self._lively or state.question is not None or state.game is None or not state.saying[0].yields:
            return False
        game = state.game  # the view would be dear, at every block
        read, made = len(game.hand.reads), sum(ruling.card == game.number for ruling in game.rulings)
        reading = f"/statement{read}#" in state.saying[0].id  # its first word has been said
        return reading and random.Random(f"early {state.rounds}/{game.number}/{read}/{made}").random() < EARLY

    def words(self, state: Any) -> str:
        """What somebody says at this moment, or nothing."""
        if state.question is not None:
            another = "yes" if state.rounds < self._rounds else "no"
            return {"resume": "yes", "another": another}.get(state.question.kind, "")
        if state.game is None or state.done:
            return ""
        expects = self._table.rules.expects(state.game)
        game = self._table.rules.view(state.game, None)
        made, read = len(game["verdicts"]), (game.get("card") or {}).get("read", 0)
        card = f"{state.rounds}/{game['card'] and game['card']['number']}"
        dice = random.Random(f"{card}/guess {made}")
        if expects.claim:
            return str(dice.choice(PLAYERS).colour)
        if expects.yes_no:
            return "yes"
        if expects.ready:
            return "ready"
        wanted = sum(random.Random(f"{card}/statement {at}").random() < 0.8 for at in range(1, read + 1))
        if expects.card is None or not expects.guessing or made >= wanted:
            return ""
        colour = state.players[dice.choice(expects.guessing)].colour
        if dice.random() < 0.4:
            answer = expects.card.answer.lower()
            return answer if self._lively and dice.random() < NAMELESS else f"{colour} {answer}"
        return f"{colour} {dice.choice(expects.card.rivals).lower()}"


class Room:
    """The ear of a quiet evening: it hears the players, one at a time, when the host has ended."""

    def __init__(self, players: Players, state: Callable[[], Any], count: int = 0) -> None:
        self._players, self._state = players, state
        self._count = count
        self._silent_since: Samples | None = None
        self._open: tuple[Samples, str] | None = None
        self._asked: Any = None

    def listen(self, listens: Any) -> None:
        """What is worth hearing is of no interest to somebody who hears what is said."""

    def hear(self, sound: Any) -> Iterable[Speaking | Heard]:
        """What became known by the end of this block."""
        now, state = sound.at + BLOCK, self._state()
        if self._open is not None:
            began, text = self._open
            if now < began + SPOKEN + SETTLED:
                return ()
            self._open = None
            return (heard(now, began, text, self._count),)
        early = bool(state.saying) and self._players.early(state)
        if state.saying and not early:
            self._silent_since = None
            return ()
        self._silent_since = now if self._silent_since is None else self._silent_since
        if (now - self._silent_since < THINKING and not early) or state.game is self._asked:
            return ()
        self._asked = state.game
        text = self._players.words(state)
        if not text:
            return ()
        self._count += 1
        self._open = (now, text)
        self._asked = None
        return (Speaking(now, now, self._count),)


def heard(now: Samples, began: Samples, text: str, utterance: int) -> Heard:
    """A final whose words are spread evenly."""
    row = text.split()
    step = SPOKEN // len(row)
    words = tuple(Word(word, began + at * step, began + (at + 1) * step) for at, word in enumerate(row))
    return Heard(now, began, began + SPOKEN, words, words, utterance)


class Memoryless:
    """A place for `keep` that keeps nothing."""

    def __call__(self, _deck: str, _card: str) -> None:
        """Forget it."""


def open_session(
    table: Table, log: logs.Log, start: Samples = 0, keep: Callable[[str, str], None] | None = None,
    rounds: int = 1, count: int = 0, lively: bool = False,
) -> tuple[Session, Quiet]:
    """A session with its silent device; `begin` is left to the caller. `count` utterances were heard before."""
    voice, device = SilentVoice(), Quiet(start)
    room = Room(Players(table, rounds, lively), lambda: session.state, count)
    parts = Parts(device, (room,), (), lambda line, speed: voice.speak(line, speed), sign,
                  Memoryless() if keep is None else keep)
    session = Session(table, parts, log)
    return session, device
