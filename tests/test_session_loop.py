"""The loop: exact in time, in one order, and nothing heard before what came in is safe."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from host.clock import BLOCK, samples
from host.events import (
    Effect,
    Heard,
    Hush,
    In,
    Keep,
    Line,
    Listens,
    Part,
    Pressed,
    Quit,
    Resumed,
    Said,
    Say,
    Speaking,
    TimeUp,
    Trouble,
    Word,
)
from host.log import FileDisk, Log, NoDisk, read
from host.session import Parts, ReplayError, Session, relive
from host.sound import Block, Cleaned, Clip, Mark


@dataclass(frozen=True)
class Toy:
    """Says "one", waits five seconds, says "two", and quits."""

    phase: str = "one"
    due: int | None = None
    came: tuple[In, ...] = ()


class ToyTable:
    def start(self) -> tuple[Toy, tuple[Effect, ...]]:
        return Toy(), (Say(Line("one", "one")),)

    def step(self, state: Toy, event: In) -> tuple[Toy, tuple[Effect, ...]]:
        state = replace(state, came=(*state.came, event))
        match state.phase, event:
            case "one", Said(at, "one", Part.ENDED):
                return replace(state, phase="pause", due=at + samples(5)), ()
            case "pause", TimeUp():
                return replace(state, phase="two", due=None), (Say(Line("two", "two")), Keep("deck", "card"), Quit())
            case _, Pressed():
                return state, (Hush(),)
        return state, ()

    def listens(self, state: Toy) -> Listens:
        return Listens((state.phase,))

    def deadline(self, state: Toy) -> int | None:
        return state.due


class ToyDevice:
    """A mouth of its own: plays each clip from `at` on, and reports it."""

    def __init__(self, blocks: int = 400) -> None:
        self.now, self.blocks, self.free = 0, blocks, 0
        self.marks: list[Mark] = []
        self.began: dict[str, int] = {}

    def read(self) -> Block | None:
        if self.blocks == 0:
            return None
        self.blocks -= 1
        at, self.now = self.now, self.now + BLOCK
        due = tuple(mark for mark in self.marks if mark.at < self.now)
        self.marks = [mark for mark in self.marks if mark.at >= self.now]
        quiet = np.zeros(BLOCK, np.int16)
        return Block(at, quiet[np.newaxis], quiet, due)

    def play(self, clip: Clip, at: int) -> None:
        start = max(at, self.free) + clip.gap
        assert start >= self.now, "the past can't be played"
        self.free = start + len(clip.pcm)
        self.began[clip.line] = start
        self.marks += [Mark(start, clip.line, Part.BEGAN), Mark(self.free, clip.line, Part.ENDED)]

    def hush(self) -> None:
        self.marks, self.free = [Mark(self.now, mark.line, Part.CUT) for mark in self.marks[:1]], self.now


class ToyEar:
    def __init__(self, events: dict[int, list[Speaking | Heard]]) -> None:
        self.events, self.listened, self.words = events, [], []

    def listen(self, listens: Listens) -> None:
        self.listened.append(listens)

    def hear(self, sound: Cleaned) -> list[Speaking | Heard]:
        self.words.append(sound.host_words)
        return self.events.pop(sound.at, [])


def parts(device: ToyDevice, ear: ToyEar, **more: object) -> Parts:
    def speak(line: Line, _speed: float) -> Clip:
        return Clip(line.id, np.zeros(16_123, np.int16), 16_000, (Word(line.text, 100, 16_000),))

    return Parts(device, [ear], (), speak, lambda name: Clip(name, np.zeros(9, np.int16), 16_000), **more)  # type: ignore[arg-type]


def test_a_pause_is_exact_to_the_sample() -> None:
    """Five seconds pass from the last sample of one line to the first of the next (CE-6)."""
    device = ToyDevice()
    session = Session(ToyTable(), parts(device, ToyEar({})), Log(NoDisk()))
    session.begin()
    session.run()
    assert device.began["two"] - (device.began["one"] + 16_123) == samples(5)
    assert session.over


def test_it_quits_only_after_its_last_line(tmp_path: Path) -> None:
    """Quit lets what is queued be said to its end."""
    device = ToyDevice()
    session = Session(ToyTable(), parts(device, ToyEar({})), Log(FileDisk(tmp_path / "log")))
    session.begin()
    state = session.run()
    assert state.came[-1] == Said(device.free, "two", Part.ENDED)


def test_events_of_a_block_are_taken_in_the_order_of_their_samples() -> None:
    """Marks, words and presses of one block are sorted by their samples."""
    ear = ToyEar({BLOCK: [Speaking(BLOCK + 300, BLOCK, 1)]})
    session = Session(ToyTable(), parts(ToyDevice(2), ear), Log(NoDisk()))
    session.begin()
    posts = iter([[], [Pressed(BLOCK + 7, "red"), Pressed(BLOCK + 400, "blue")]])
    state = session.run(lambda: next(posts))
    assert [event.at for event in state.came] == [0, 480 + 7, 480 + 300, 480 + 400]


def test_the_words_being_said_are_known_while_they_sound() -> None:
    """The ear is told which words of the host sound now, with half a second's grace."""
    ear = ToyEar({})
    session = Session(ToyTable(), parts(ToyDevice(80), ear), Log(NoDisk()))
    session.begin()
    session.run()
    first, last = ear.words.index(("one",)), len(ear.words) - 1 - ear.words[::-1].index(("one",))
    assert first <= 2
    assert abs(last * BLOCK - (BLOCK + 16_000 + samples(0.5))) <= 2 * BLOCK


def test_nothing_is_heard_before_what_came_in_is_on_the_disk() -> None:
    """The log is synced between an event and the sound that follows from it."""
    order: list[str] = []

    class Disk(NoDisk):
        def append(self, data: bytes) -> None:
            order.append("append" if b"TimeUp" in data else "other")

        def sync(self) -> None:
            order.append("sync")

    class Device(ToyDevice):
        def play(self, clip: Clip, at: int) -> None:
            order.append(f"play {clip.line}")
            super().play(clip, at)

    session = Session(ToyTable(), parts(Device(), ToyEar({})), Log(Disk()))
    session.begin()
    session.run()
    assert order.index("append") < order.index("sync", order.index("append")) < order.index("play two")


def test_partials_that_change_nothing_are_not_logged(tmp_path: Path) -> None:
    """A partial without consequence leaves no line in the log; a final does."""

    class Deaf(ToyTable):
        def step(self, state: Toy, event: In) -> tuple[Toy, tuple[Effect, ...]]:
            return (state, ()) if isinstance(event, Heard) else super().step(state, event)

    ear = ToyEar({960: [Heard(960, 0, 900, (), (), 1, final=False)], 1440: [Heard(1440, 0, 900, (), (), 1)]})
    session = Session(Deaf(), parts(ToyDevice(9), ear), Log(FileDisk(tmp_path / "log")))
    session.begin()
    session.log.header({})
    session.run()
    heard = [record.event for record in read(tmp_path / "log").records if isinstance(record.event, Heard)]
    assert heard == [Heard(1440, 0, 900, (), (), 1)]


def test_a_log_lived_again_gives_the_same_state_and_a_forged_one_is_refused(tmp_path: Path) -> None:
    """Stepping the log again ends in the same state; a changed event is noticed at its place."""
    log = Log(FileDisk(tmp_path / "log"))
    log.header({})
    session = Session(ToyTable(), parts(ToyDevice(), ToyEar({})), log)
    session.begin()
    state = session.run()
    records = list(read(tmp_path / "log").records)
    assert relive(ToyTable(), records)[0] == state
    records[1] = replace(records[1], event=replace(records[1].event, at=5))
    with pytest.raises(ReplayError, match="event 2"):
        relive(ToyTable(), records)


def test_a_resumed_session_goes_on_from_the_last_sample() -> None:
    """Beginning with a state sends Resumed at the sample where the log ended."""
    session = Session(ToyTable(), parts(ToyDevice(1), ToyEar({})), Log(NoDisk()))
    session.begin(Toy(phase="pause", due=None), at=12_345)
    assert session.state.came == (Resumed(12_345),)


def test_a_voice_that_fails_is_told_and_its_line_counts_as_cut() -> None:
    """Where the synthesiser raises, the table learns that the line was cut, and somebody is told why."""
    told: list[str] = []

    def broken(line: Line, speed: float) -> Clip:
        raise OSError("no voice")

    made = replace(parts(ToyDevice(2), ToyEar({})), speak=broken, notice=told.append)
    session = Session(ToyTable(), made, Log(NoDisk()))
    session.begin()
    state = session.run()
    assert Said(0, "one", Part.CUT) in state.came
    assert told == ["the voice failed: no voice"]


def test_a_full_disk_is_reported_once() -> None:
    """The table hears of a log that fails, once."""

    class Full(NoDisk):
        def append(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    session = Session(ToyTable(), parts(ToyDevice(9), ToyEar({})), Log(Full()))
    session.begin()
    state = session.run(lambda: [Pressed(5, "x")])
    assert [event for event in state.came if isinstance(event, Trouble)] == [Trouble(480, "disk")]


def test_a_deadline_that_never_moves_is_a_programmers_mistake() -> None:
    """A table that names a due deadline for ever raises instead of hanging."""

    class Stuck(ToyTable):
        def deadline(self, state: Toy) -> int | None:
            return 0

    session = Session(Stuck(), parts(ToyDevice(2), ToyEar({})), Log(NoDisk()))
    session.begin()
    with pytest.raises(RuntimeError, match="does not move on"):
        session.run()
