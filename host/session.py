"""The loop: blocks of sound in, sound out, and in between one queue in one order.

`Session.block` is a function of one block: it cleans it of the host's own voice, asks the ear what was
heard, puts that and whatever else came in into the order of its samples, steps the table with each event,
writes what came in to the log, syncs it, and only then lets anything be heard. No clock is read here.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from host import log as logs
from host.clock import BLOCK, RATE, Samples, samples
from host.events import (
    Adjust,
    Chime,
    Effect,
    Heard,
    Hush,
    In,
    Keep,
    Line,
    Listens,
    Part,
    Quit,
    Resumed,
    Said,
    Say,
    Speaking,
    TimeUp,
    Trouble,
)
from host.sound import Block, Cleaned, Clip, Pcm

GRACE = samples(0.5)
"""How long after its end a word of the host still counts as being said, for masking."""
SYNC_BLOCKS = 3
"""An event without consequences is synced within this many blocks (90 ms)."""
SPIN = 200
"""More deadlines than this within one block are a programmer's mistake."""


class Table(Protocol):
    """What the loop needs of the table: pure functions of its state."""

    def start(self) -> tuple[Any, tuple[Effect, ...]]:
        """The state before anything came in, and its first effects."""

    def step(self, state: Any, event: In) -> tuple[Any, tuple[Effect, ...]]:
        """What follows from an event."""

    def listens(self, state: Any) -> Listens:
        """What the ear should listen for."""

    def deadline(self, state: Any) -> Samples | None:
        """When TimeUp is wanted."""


class Ear(Protocol):
    """What the loop needs of an ear (host.ears)."""

    def listen(self, listens: Listens) -> None:
        """Set what is worth hearing."""

    def hear(self, sound: Cleaned) -> Iterable[In]:
        """Take a block: `Speaking`, `Heard`, and what is known beside them (host.ears.voiceprint)."""


class Device(Protocol):
    """What the loop needs of a device (host.devices)."""

    def read(self) -> Block | None:
        """The next block."""

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip."""

    def hush(self) -> None:
        """Fall silent."""


class Canceller(Protocol):
    """What the loop needs of an echo canceller."""

    def clean(self, mic: Pcm, far: Pcm) -> tuple[Pcm, float]:
        """The block without the host's voice, and the level of what is left of it, dBFS."""


@dataclass(frozen=True)
class Parts:
    """What a session is made of, beside its table."""

    device: Device
    ears: Sequence[Ear]
    """One a channel."""
    cancellers: Sequence[Canceller]
    """One a channel; empty for recordings without a far end."""
    speak: Callable[[Line, float], Clip]
    """The voice: a line and a speed factor to PCM."""
    chime: Callable[[str], Clip]
    """A tone by name."""
    keep: Callable[[str, str], None] = lambda deck, card: None  # noqa: ARG005 - a default that keeps nothing
    """Remembers a used card (CE-20)."""
    volume: Callable[[float], None] = lambda factor: None  # noqa: ARG005 - a device without volume
    """Sets the speaker's volume factor."""
    watch: Callable[[In, Any, tuple[Effect, ...]], None] = lambda event, state, effects: None  # noqa: ARG005
    """Sees every event with what followed, for screens, prints and benches."""
    notice: Callable[[str], None] = lambda text: None  # noqa: ARG005
    """Tells whoever reads the terminal or the journal of a trouble, in one sentence."""


@dataclass(frozen=True, slots=True)
class _Sounding:
    clip: Clip
    began: Samples | None = None
    ended: Samples | None = None

    def words(self, now: Samples) -> tuple[str, ...]:
        """The words sounding at `now` or ended within GRACE before it."""
        if self.began is None:
            return ()
        scale = RATE / self.clip.rate
        last = now if self.ended is None else min(now, self.ended)
        return tuple(
            word.text
            for word in self.clip.words
            if self.began + word.began * scale <= last and now < self.began + word.ended * scale + GRACE
        )


class Session:
    """One evening at one table. `state` is the table's; everything else here is plumbing."""

    def __init__(self, table: Table, parts: Parts, log: logs.Log) -> None:
        self.table, self.parts, self.log = table, parts, log
        self.state: Any = None
        self.now: Samples = 0
        self.over = False
        self._quitting = False
        self._speed = 1.0
        self._sounding: dict[str, _Sounding] = {}
        self._lost: list[Said] = []  # lines that could not be spoken: the game is told that they were cut
        self._listens: Listens | None = None
        self._unsynced_blocks = 0
        self._told = False
        self._speaking: frozenset[tuple[int, int]] = frozenset()  # channels and utterances that have no final yet
        self._synced: list[tuple[Samples, tuple[Effect, ...]]] = []

    def begin(self, state: Any = None, at: Samples = 0) -> None:
        """Start afresh, or go on from a state that was lived again (`Resumed`)."""
        self.now = at
        if state is None:
            self.state, effects = self.table.start()
            self._carry_out(at, effects)
        else:
            self.state = state
            self._take(Resumed(at))
        self._flush()

    def run(self, inbox: Callable[[], Sequence[In]] = tuple) -> Any:
        """Read blocks until there are no more or the table quits; returns the last state."""
        while not self.over and (block := self.parts.device.read()) is not None:
            self.block(block, inbox())
        self.log.close()
        return self.state

    def block(self, block: Block, posts: Sequence[In] = ()) -> None:
        """Take one block and what was posted meanwhile (presses, messages)."""
        self.now = block.at + BLOCK
        came: list[In] = [Said(mark.at, mark.line, mark.part) for mark in block.marks]
        came += self._lost
        self._lost = []
        for mark in block.marks:
            self._follow(mark.line, mark.part, mark.at)
        for line, began in (self._ask_device("moved") or {}).items():
            self._follow(line, Part.BEGAN, began)
        for channel, ear in enumerate(self.parts.ears):
            came += ear.hear(self._clean(block, channel))
        if any(getattr(ear, "suspects", False) for ear in self.parts.ears):
            self._ask_device("duck")
        came += posts
        for event in sorted(came, key=lambda event: event.at):
            self._take(event)
        self._deadlines()
        self._troubles()
        self._hold(came)
        self._flush()
        if not self._speaking:
            self._ask_device("go_on")
        self.over = self._quitting and all(line.ended is not None for line in self._sounding.values())

    def _clean(self, block: Block, channel: int) -> Cleaned:
        pcm, residue = block.mic[channel], -120.0
        if self.parts.cancellers:
            pcm, residue = self.parts.cancellers[channel].clean(pcm, block.far)
        words = tuple(word for line in self._sounding.values() for word in line.words(block.at))
        return Cleaned(block.at, pcm, residue, words, channel)

    def _hold(self, came: Iterable[In]) -> None:
        """What sounds when somebody begins to speak is held until all has been heard, unless it is hushed for good."""
        for event in came:
            if isinstance(event, Speaking):
                self._speaking |= {(event.channel, event.utterance)}
                hushed = any(isinstance(effect, Hush) for _, effects in self._synced for effect in effects)
                if not hushed:
                    self._ask_device("hold")
            elif isinstance(event, Heard) and event.final:
                self._speaking -= {(event.channel, event.utterance)}

    def _ask_device(self, what: str) -> Any:
        """Not every device can be turned down for a moment, or hold what it says."""
        ask = getattr(self.parts.device, what, None)
        return None if ask is None else ask()

    def _deadlines(self) -> None:
        """Fire what is due by the end of the next block: the mouth starts sample-exact (CE-6)."""
        for _ in range(SPIN):
            due = self.table.deadline(self.state)
            if due is None or due > self.now + BLOCK:
                return
            self._take(TimeUp(due))
        raise RuntimeError(f"the deadline {due} does not move on: {self.state!r:.500}")

    def _take(self, event: In) -> None:
        before = self.state
        self.state, effects = self.table.step(before, event)
        idle = not effects and self.state == before
        if not (idle and isinstance(event, Heard) and not event.final):  # partials: only where they changed something
            self.log.event(event, effects, self.state)
        self.parts.watch(event, self.state, effects)
        if effects:
            self._synced.append((event.at, effects))

    def _flush(self) -> None:
        """Sync what came in, then let its consequences be heard."""
        self._unsynced_blocks += 1
        if self._synced or self._unsynced_blocks >= SYNC_BLOCKS:
            self.log.sync()
            self._unsynced_blocks = 0
        waiting, self._synced = self._synced, []
        for at, effects in waiting:
            self._carry_out(at, effects)
        listens = self.table.listens(self.state)
        if listens != self._listens:
            self._listens = listens
            for ear in self.parts.ears:
                ear.listen(listens)

    def _carry_out(self, at: Samples, effects: tuple[Effect, ...]) -> None:
        at = max(at, self.now)
        for effect in effects:
            match effect:
                case Say(line, gap):
                    self._say(line, gap, at)
                case Chime(name, gap):
                    self.parts.device.play(replace(self.parts.chime(name), line="", gap=gap), at)
                case Hush():
                    self.parts.device.hush()
                case Adjust(speed, volume):
                    self._speed = speed if speed is not None else self._speed
                    if volume is not None:
                        self.parts.volume(volume)
                case Keep(deck, card):
                    self.parts.keep(deck, card)
                case Quit():
                    self._quitting = True

    def _say(self, line: Line, gap: Samples, at: Samples) -> None:
        try:
            clip = replace(self.parts.speak(line, self._speed), line=line.id, gap=gap)
        except Exception as error:  # noqa: BLE001 - whatever the synthesiser does, the evening goes on
            self._lost.append(Said(self.now, line.id, Part.CUT))
            self.parts.notice(f"the voice failed: {error}")
            return
        self._sounding[line.id] = _Sounding(clip)
        self.parts.device.play(clip, at)

    def _follow(self, line: str, part: Part, at: Samples) -> None:
        if (sounding := self._sounding.get(line)) is not None:
            if part is Part.BEGAN:
                self._sounding[line] = replace(sounding, began=at)
            elif part in (Part.ENDED, Part.CUT):
                self._sounding[line] = replace(sounding, ended=at)
        self._sounding = {
            key: value for key, value in self._sounding.items() if value.ended is None or value.ended + GRACE > at
        }

    def _troubles(self) -> None:
        if self.log.failed and not self._told:
            self._told = True
            self.parts.notice(f"the log can't be written ({self.log.failed}); nothing will be kept of this evening")
            self._take(Trouble(self.now, "disk"))


class ReplayError(Exception):
    """Living a log again led elsewhere; the message says where."""


def relive(table: Table, records: Sequence[logs.Record], check: bool = True) -> tuple[Any, Samples]:
    """Step the table through a log; returns the state and the last sample.

    Raises ReplayError where a state's digest, or what went out, differs from the log's.
    """
    state, _ = table.start()
    at = 0
    for index, record in enumerate(records):
        state, effects = table.step(state, record.event)
        at = max(at, record.event.at)
        if not check:
            continue
        if tuple(logs.encode(effect) for effect in effects) != record.out:
            raise ReplayError(f"event {index + 1} ({type(record.event).__name__} at {at}) had other consequences")
        if logs.digest(state) != record.state:
            raise ReplayError(f"event {index + 1} ({type(record.event).__name__} at {at}) led to another state")
    return state, at
