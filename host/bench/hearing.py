"""Utterances as the table hears them: clip, room, ear, `Hearing`, verdict, and how long it took.

Nothing here is a stand-in: the ear is the real one with the real grammar of the open card, what it hears goes
through `understand` and `judge` as at the table, and the CPU time of every block is measured, so that a slow
machine's lag can be charged to the verdict (docs/DESIGN.md, "Benches").
"""

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from host import log
from host.app.evening import Setup, load_packs, prepare
from host.bench.library import Library, blocks
from host.bench.voices import Speaker
from host.clock import BLOCK, Samples, seconds
from host.devices.levels import Floats, speech_span
from host.ears.kaldi import Engine, Recogniser, VoskEngine
from host.ears.second import SecondLook, open_second
from host.ears.vosk import VoskEar
from host.events import Heard, Listens, Verdict, Word
from host.games import Expects, Player
from host.judge import DECISION, Evidence, evidence
from host.packs import Card, Packs
from host.sound import Cleaned
from host.table.hearing import Hearing
from host.table.state import State
from host.understand import Said

BEFORE, BEHIND = 0.6, 1.5
"""Seconds of the room around what is said."""
CHARGES = (0.0, 1.0, 4.0)
"""Factors on the decoding time: none, this machine, a Pi 4."""
MOUTH = seconds(2 * BLOCK)
"""From a verdict to the first sample of its sound: the rest of a block, and the mouth's block."""
PLAYERS = ("anna", "ben", "carla", "david")


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that is said at the table."""

    card: str
    kind: str
    """answer, alias, rival, other, soundalike."""
    said: str
    """Without colour and carrier."""
    voice: str
    room: str
    snr: float | None
    text: str
    """As it is spoken."""
    seats: tuple[str, ...]
    """The four colours of this table."""
    owner: int | None
    seed: int

    @property
    def right(self) -> bool:
        """Whether it is the answer."""
        return self.kind in ("answer", "alias")

    @property
    def condition(self) -> str:
        """The row of the tables that it belongs to."""
        return "dry" if self.snr is None else f"room {self.snr:g} dB"


@dataclass(frozen=True)
class Row:
    """What was heard of an utterance."""

    utterance: Utterance
    finals: tuple[Heard, ...]
    waits: tuple[tuple[float, ...], ...]
    """For each final: seconds from the last sample of speech to its being known, for each of `CHARGES`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the table makes of it."""

    verdict: Verdict
    owner: int | None
    wait: tuple[float, ...] = ()
    """Seconds from the last sample of speech to the verdict's first, for each of `CHARGES`."""
    words: str = ""
    dictation: str = ""
    sure: bool = True
    """Sure enough of the owner for a wrong guess to cost it something."""

    @property
    def charged(self) -> int | None:
        """The seat that a wrong guess costs something."""
        return self.owner if self.sure and self.verdict is Verdict.WRONG else None


@dataclass
class Listener:
    """One microphone at a table, with any card open."""

    packs: Packs
    engine: Engine
    library: Library = field(default_factory=Library)
    hearing: Hearing = None  # type: ignore[assignment]  # made of the packs where none is given
    folder: Path = Path()
    """What the engine was loaded from."""
    second: SecondLook | None = None

    def __post_init__(self) -> None:
        self.hearing = self.hearing or Hearing(self.packs)
        self.speaker = Speaker(self.library)
        self.cards = {card.id: card for card in self.packs.clues}
        self._ear = VoskEar(self.engine, second=self.second)
        self._at: Samples = 0

    @classmethod
    def open(cls, model: str | None = None, second: bool | None = None) -> "Listener":
        """With the shipped packs. Raises AppError where the model can't be used.

        `second`: with the second look; unless said, only where the shipped decision makes use of it.
        """
        packs, folder = prepare(Setup(), load_packs(Setup()), model)
        engine = VoskEngine(folder)
        look = DECISION.looks if second is None else second
        return cls(packs, engine, folder=folder, second=open_second(folder) if look else None)

    def listens(self, card: Card, seats: Sequence[str]) -> Listens:
        """What the table listens for while this card is open."""
        return self.hearing.listens(state(seats), expects(card))

    def hear(self, card: Card, seats: Sequence[str], sound: Floats) -> tuple[list[tuple[Heard, float]], list[float]]:
        """Finals with the second (from the sound's first sample) at which each came; CPU seconds of every block."""
        self._ear.listen(self.listens(card, seats))
        finals, costs = [], []
        start = self._at
        for pcm in blocks(sound):
            busy = time.thread_time()
            events = self._ear.hear(Cleaned(self._at, pcm))
            costs.append(time.thread_time() - busy)
            self._at += BLOCK
            finals += [(event, seconds(self._at - start)) for event in events
                       if isinstance(event, Heard) and event.final]
        finals += [(event, seconds(self._at - start)) for event in self._ear.end()
                   if isinstance(event, Heard) and event.final]
        self._at += 4 * BLOCK
        return finals, costs

    def evidence(self, card: Card, said: Said) -> Evidence | None:
        """What the decision on a guess is made on; None where the grammar did not hear the answer."""
        others = tuple(other.answer for other in self.packs.clues if other is not card)
        return evidence(card, said.words, said.dictation, others, self.packs.pronunciations, said.margin)

    def row(self, utterance: Utterance) -> Row:
        """Say it, hear it."""
        clip = self.speaker.clip(utterance.voice, utterance.text)
        sound = self.library.played(clip, utterance.room, utterance.snr, utterance.seed, before=BEFORE, behind=BEHIND)
        ended = BEFORE + seconds(speech_span(clip)[1])
        finals, costs = self.hear(self.cards[utterance.card], utterance.seats, sound)
        waits = tuple(tuple(ready(came, costs, charge) - ended for charge in CHARGES) for _, came in finals)
        return Row(utterance, tuple(event for event, _ in finals), waits)


def plain_finals(finals: Iterable[Heard]) -> list[Any]:
    """Finals as plain JSON values."""
    return [log.encode(final) for final in finals]


def finals_of(plain: Iterable[dict[str, Any]]) -> tuple[Heard, ...]:
    """Finals out of their plain values. Raises LogError where they are none."""
    found = tuple(log.decode(one) for one in plain)
    if not all(isinstance(one, Heard) for one in found):
        raise log.LogError("what was kept is no utterance; remove the folder bench/heard from the cache")
    return found  # type: ignore[return-value]  # all are Heard


def ready(came: float, costs: Sequence[float], charge: float) -> float:
    """When an event that the ear gave with the block ending at `came` is known, decoding charged: a queue."""
    now = 0.0
    for number, cost in enumerate(costs[: round(came / seconds(BLOCK))], start=1):
        now = max(now, number * seconds(BLOCK)) + charge * cost
    return now


def state(seats: Sequence[str]) -> State:
    """A table at which four people play."""
    return State(players=tuple(Player(name.capitalize(), colour) for name, colour in zip(PLAYERS, seats, strict=True)))


def expects(card: Card) -> Expects:
    """A card is open and everybody may guess."""
    return Expects(card=card, guessing=(0, 1, 2, 3))


def decide(
    hearing: Hearing, card: Card, seats: Sequence[str], finals: Iterable[Heard],
    waits: Iterable[tuple[float, ...]] = (),
) -> Outcome:
    """The best verdict among all finals; a guess that is not addressed to the host counts only if right (CE-16)."""
    best = Outcome(Verdict.NONE, None)
    owner: int | None = None
    delays = [*waits]
    for number, heard in enumerate(finals):
        busy = time.thread_time()
        understood = hearing.understand(state(seats), expects(card), heard)
        addressed = understood.addressed or owner is not None
        owner = understood.owner if understood.owner is not None else owner
        if understood.owner_only:
            continue
        verdicts = [hearing.judge(card, said) for said in understood.guesses] or [Verdict.NONE]
        busy = time.thread_time() - busy
        wait = tuple(delay + charge * busy + MOUTH
                     for delay, charge in zip(delays[number], CHARGES, strict=True)) if delays else ()
        for verdict in verdicts:
            counts = verdict is Verdict.RIGHT or (addressed and verdict is not Verdict.NONE)
            found = verdict if counts else Verdict.NONE
            if _RANK[found] > _RANK[best.verdict] or (not best.words and not best.dictation):
                best = Outcome(found, owner, wait, _text(heard.words), _text(heard.dictation), understood.owner_sure)
    return best if best.owner is not None or owner is None else _owned(best, owner)


_RANK = {Verdict.NONE: 0, Verdict.WRONG: 1, Verdict.UNSPECIFIC: 2, Verdict.AGAIN: 3, Verdict.RIGHT: 4}


def _owned(found: Outcome, owner: int) -> Outcome:
    return replace(found, owner=owner)


def _text(words: Iterable[Word]) -> str:
    return " ".join(f"{word.text}" if word.confidence >= 0.995 else f"{word.text}:{word.confidence:.2f}"
                    for word in words)


def guesses(hearing: Hearing, card: Card, seats: Sequence[str], finals: Iterable[Heard]) -> Iterator[Said]:
    """Every guess that was understood."""
    for heard in finals:
        yield from hearing.understand(state(seats), expects(card), heard).guesses


# --- one sound, many cards -----------------------------------------------------------------------


@dataclass
class _Tape:
    """What dictation made of an utterance, feed by feed."""

    partials: list[str] = field(default_factory=list)
    final: tuple[Word, ...] | None = None


class Remembering:
    """An engine whose dictation is decoded once for all cards that a sound is tried against.

    Only the grammar differs between the cards: the second time the same samples come, dictation's words are
    read off. Where an utterance goes on longer than before it is decoded anew.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.tapes: dict[bytes, _Tape] = {}

    def knows(self, word: str) -> bool:
        """As the engine."""
        return self._engine.knows(word)

    def grammar(self, phrases: Sequence[str]) -> Recogniser:
        """As the engine."""
        return self._engine.grammar(phrases)

    def dictation(self) -> Recogniser:
        """A recogniser that remembers."""
        return _Remembered(self._engine, self.tapes)


class _Remembered:
    def __init__(self, engine: Engine, tapes: dict[bytes, _Tape]) -> None:
        self._engine, self._tapes = engine, tapes
        self._digest: Any = hashlib.sha256()
        self._fed: list[bytes] = []
        self._real: Recogniser | None = None

    def feed(self, pcm: bytes) -> None:
        self._fed.append(pcm)
        self._digest.update(pcm)
        if self._real is not None:
            self._real.feed(pcm)

    def _tape(self) -> _Tape:
        return self._tapes.setdefault(self._digest.digest(), _Tape())

    def _decoded(self) -> Recogniser:
        if self._real is None:
            self._real = self._engine.dictation()
            for pcm in self._fed:
                self._real.feed(pcm)
        return self._real

    def partial(self) -> str:
        tape = self._tape()
        if not tape.partials:
            tape.partials.append(self._decoded().partial())
        return tape.partials[0]

    def finish(self) -> tuple[Word, ...]:
        tape = self._tape()
        if tape.final is None:
            tape.final = self._decoded().finish()
        return tape.final
