"""What the host says is held when somebody speaks, and goes on at the sentence when that was nothing."""

from itertools import pairwise

import numpy as np
import pytest

from host.clock import BLOCK, RATE, samples
from host.devices.holding import BREATH, PATIENCE, Holding, sentence_start
from host.devices.mouth import Mouth
from host.events import Effect, Heard, In, Line, Listens, Part, Said, Say, Speaking, Word
from host.log import Log, NoDisk
from host.session import Parts, Session
from host.sound import Block, Clip

SENTENCE, PAUSE = samples(2.0), samples(0.3)


def spoken(line: str, sentences: int = 3, rate: int = RATE) -> Clip:
    """Sentences of two seconds, 0.3 s between them; sentence n has samples of n thousand."""
    pieces, words = [], []
    for number in range(1, sentences + 1):
        start = sum(map(len, pieces))
        words.append(Word(f"word{number}", start, start + 8_000))
        pieces += [np.full(SENTENCE * rate // RATE, 1_000 * number), np.zeros(PAUSE * rate // RATE)]
    return Clip(line, np.concatenate(pieces).astype(np.int16), rate, tuple(words))


class Speaker:
    """A device that only plays; its marks come `late` blocks late, as a sound card's do."""

    def __init__(self, late: int = 0) -> None:
        self.mouth, self.now, self.late = Mouth(RATE), 0, late
        self.waiting: list[tuple] = [()] * late
        self.played: list[np.ndarray] = []

    def read(self) -> Block:
        far, marks = self.mouth.pull(BLOCK, self.now)
        self.played.append(far)
        self.waiting.append(marks)
        at, self.now = self.now, self.now + BLOCK
        return Block(at, np.zeros((1, BLOCK), np.int16), far, self.waiting.pop(0))

    def play(self, clip: Clip, at: int) -> None:
        self.mouth.play(clip, at)

    def hush(self) -> None:
        self.mouth.hush(self.now)


def run(sut: Holding, blocks: int) -> list[tuple[str, Part, int]]:
    """What the game is told in so many blocks."""
    return [(mark.line, mark.part, mark.at) for _ in range(blocks) for mark in sut.read().marks]


def sounding(device: Speaker) -> list[int]:
    """The levels that were played one after the other, fades left out."""
    values = np.concatenate(device.played)
    values = values[:-1][values[1:] == values[:-1]]
    return [int(values[0]), *(int(after) for before, after in pairwise(values) if after != before)]


@pytest.mark.parametrize("late", [0, 3])
@pytest.mark.parametrize(("cut", "sentence"), [(0.5, 1), (1.5, 1), (2.6, 2), (4.0, 2), (5.5, 3)])
def test_it_goes_on_at_the_sentence(cut: float, sentence: int, late: int) -> None:
    """Silent within a block and 5 ms, 0.2 s after the end of the talk the sentence is said again, then the rest."""
    device = Speaker(late)
    sut = Holding(device)
    sut.play(spoken("a"), 0)
    told = run(sut, samples(cut) // BLOCK)
    decided = device.now
    sut.hold()
    told += run(sut, 40)
    assert not np.concatenate(device.played)[decided + BLOCK + samples(0.006) :].any()
    sut.go_on()
    resumed = device.now
    told += run(sut, samples(9.0) // BLOCK)
    first = int(np.flatnonzero(np.concatenate(device.played)[resumed:])[0])
    assert abs(first - BREATH) <= (late + 3) * BLOCK
    assert [value // 1_000 for value in sounding(device) if value] == [*range(1, int(cut / 2.3) + 2),
                                                                       *range(sentence, 4)]
    assert [part for _, part, _ in told] == [Part.BEGAN, Part.FIRST_WORD, Part.ENDED]


def test_what_is_queued_behind_it_is_kept_in_order() -> None:
    """Lines played before and during the hold come after it, tones at once; each begins and ends once."""
    device = Speaker()
    sut = Holding(device)
    sut.play(spoken("a", 1), 0)
    sut.play(spoken("b", 1), 0)
    told = run(sut, 50)
    sut.hold()
    sut.play(spoken("c", 1), device.now)
    sut.play(Clip("", np.full(BLOCK, 9_000, np.int16), RATE), device.now)
    told += run(sut, 30)
    assert 9_000 in np.concatenate(device.played[50:])
    sut.go_on()
    told += run(sut, 400)
    assert [(line, part) for line, part, _ in told] == [
        (line, part) for line in "abc" for part in (Part.BEGAN, Part.FIRST_WORD, Part.ENDED)]


@pytest.mark.parametrize("late", [0, 3])
def test_a_hush_drops_what_is_held(late: int) -> None:
    """"Stop" while a line is held: every line is reported as cut, once, and nothing sounds any more."""
    device = Speaker(late)
    sut = Holding(device)
    sut.play(spoken("a"), 0)
    sut.play(spoken("b"), 0)
    told = run(sut, 40)
    sut.hold()
    sut.play(spoken("c"), device.now)
    told += run(sut, 20)
    sut.hush()
    told += run(sut, 100)
    assert sorted((line, part) for line, part, _ in told if part is Part.CUT) == [(line, Part.CUT) for line in "abc"]
    sut.go_on()
    before = len(device.played)
    run(sut, 100)
    assert not np.concatenate(device.played[before:]).any()


def test_babble_does_not_silence_the_host_for_good() -> None:
    """After four seconds in all a line is said over whoever speaks."""
    device = Speaker()
    sut = Holding(device)
    sut.play(spoken("a", 1), 0)
    run(sut, 40)
    sut.hold()
    run(sut, PATIENCE // BLOCK + 2)
    sut.hold()
    told = run(sut, 100)
    assert [part for _, part, _ in told] == [Part.ENDED]


def test_a_line_that_has_just_ended_is_not_said_again() -> None:
    """The speaker finished it before the hold came to it: it ended, and nothing is left to say."""
    device = Speaker(late=3)
    sut = Holding(device)
    sut.play(Clip("a", np.full(10 * BLOCK, 1_000, np.int16), RATE), 0)
    run(sut, 10)
    sut.hold()
    told = run(sut, 10)
    sut.go_on()
    told += run(sut, 60)
    assert [part for _, part, _ in told][-1] is Part.ENDED
    assert sounding(device) == [1_000, 0]


def test_the_words_that_mask_move_along() -> None:
    """BAR-05: when a line goes on in its second sentence, that sentence's words are where they now sound."""
    device = Speaker()
    sut = Holding(device)
    sut.play(spoken("a"), 0)
    run(sut, samples(4.0) // BLOCK)
    sut.hold()
    run(sut, 40)
    sut.moved()
    sut.go_on()
    run(sut, 30)
    began = sut.moved()["a"]
    values = np.concatenate(device.played)
    again = int(np.flatnonzero(values[samples(4.2) :] == 2_000)[0]) + samples(4.2)
    assert began + SENTENCE + PAUSE == pytest.approx(again, abs=samples(0.05))


@pytest.mark.parametrize("rate", [16_000, 22_050, 24_000])
def test_pauses_are_found_in_the_sound(rate: int) -> None:
    """At any rate: the last pause before the cut, 20 ms early at the most; the start where there is none."""
    clip = spoken("a", 3, rate)
    for said, sentence in ((0.5, 0), (1.9, 0), (2.2, 0), (2.9, 1), (4.5, 1), (5.0, 2), (60.0, 2)):
        wanted = sentence * (SENTENCE + PAUSE) * rate // RATE
        assert wanted - 0.041 * rate <= sentence_start(clip, samples(said)) <= wanted


class Chatty:
    """Says one long line; whatever is heard means nothing to it, but for "stop"."""

    def start(self) -> tuple[tuple, tuple[Effect, ...]]:
        return (), (Say(Line("help", "long")),)

    def step(self, state: tuple, event: In) -> tuple[tuple, tuple[Effect, ...]]:
        return (*state, event), ()

    def listens(self, state: tuple) -> Listens:
        return Listens(())

    def deadline(self, state: tuple) -> None:
        return None


class Coughs:
    """An ear that hears a cough."""

    def listen(self, listens: Listens) -> None:
        """Whatever is asked for."""

    def hear(self, sound) -> list:
        if sound.at == samples(3.0):
            return [Speaking(sound.at + BLOCK, sound.at, 1)]
        if sound.at == samples(3.9):
            return [Heard(sound.at + BLOCK, samples(3.0), samples(3.4), (), (), 1)]
        return []


def test_a_cough_costs_no_line() -> None:
    """The session holds the line when somebody begins, and goes on when the final is empty: it ends, uncut."""
    device = Holding(Speaker())
    parts = Parts(device, [Coughs()], [], lambda line, speed: spoken(line.id), lambda name: None)
    session = Session(Chatty(), parts, Log(NoDisk()))
    session.begin()
    for _ in range(samples(12.0) // BLOCK):
        session.block(device.read())
    said = [event.part for event in session.state if isinstance(event, Said)]
    assert said == [Part.BEGAN, Part.FIRST_WORD, Part.ENDED]
    assert sounding(device._device) == [1_000, 0, 2_000, 0, 2_000, 0, 3_000, 0]
