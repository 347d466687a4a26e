"""Where an utterance began is looked for again, with what was heard before it and with its words (CE-13)."""

import numpy as np
import pytest
from ear_clips import StubEngine, clips, finals, hear, hiss, scene
from hypothesis import given
from hypothesis import strategies as st

from host.clock import BLOCK, samples
from host.ears.detector import QUIET
from host.ears.onset import WORD, risen, settled
from host.ears.opinion import Moment
from host.ears.vosk import VoskEar
from host.events import Listens, Speaking, Word

END = samples(2.0)


def moments(residue, length: int = BLOCK) -> list[Moment]:
    """What was known of two seconds of blocks, the residue by the block's first sample."""
    return [Moment(at, at + length, -40.0, residue(at), ()) for at in range(0, END, length)]


def hum(count: int, loud: float) -> np.ndarray:
    """A room's noise: strong below 300 Hz, next to nothing above."""
    spectrum = np.fft.rfft(hiss(count, -20).astype(float))
    spectrum[np.fft.rfftfreq(count, 1 / 16_000) > 300] *= 0.003
    noise = np.fft.irfft(spectrum, count)
    return noise * 32_768 * 10 ** (loud / 20) / np.sqrt(np.mean(noise**2))


def mixed(*sounds: tuple[int, np.ndarray]) -> np.ndarray:
    """Two seconds in which sounds begin at their samples."""
    total = np.zeros(END)
    for at, sound in sounds:
        total[at : at + len(sound)] += sound[: END - at]
    return total.clip(-32_768, 32_767).astype(np.int16)


@pytest.mark.parametrize("before", [0.06, 0.11, 0.2])
@pytest.mark.parametrize("off", [0, 33, 77])
def test_a_soft_beginning_is_found_in_its_band(before: float, off: int) -> None:
    """CE-13: a hiss as quiet as the room's hum, before a loud vowel, is where the word began, to 10 ms."""
    began = END - samples(before) + off
    hissed = np.diff(hiss(END, -45).astype(float), prepend=0)
    sound = mixed((0, hum(END, -45)), (began, hissed), (END - 640, hum(640, -22)))
    assert abs(risen(sound, END, moments(lambda _: QUIET)) - began) <= 160


@pytest.mark.parametrize("began", [END - 1_600, END - 2_400])
@pytest.mark.parametrize("length", [BLOCK, 320, 700])
def test_what_is_left_of_the_host_is_no_beginning(began: int, length: int) -> None:
    """CE-13: the host grows louder 0.1 s before a player begins, as its residue foretold: the player's onset counts."""
    louder = began - samples(0.1)
    rest = np.concatenate([hiss(louder, -55), hiss(END - louder, -43)]).astype(float)
    sound = mixed((0, rest), (began, hiss(END, -26, seed=9).astype(float)))
    known = moments(lambda at: -46.0 if at + length <= louder else -34.0, length)
    assert abs(risen(sound, END, known) - began) <= 160
    unknown = risen(sound, END, moments(lambda _: QUIET))
    assert abs(unknown - louder) <= 160


def test_too_little_sound_tells_nothing() -> None:
    """Half a second must have been heard; with less, or none, there is no opinion."""
    for count in (0, 79, samples(0.4)):
        assert risen(hiss(count), count, moments(lambda _: QUIET)) is None
    assert risen(np.zeros(END, np.int16), END, moments(lambda _: QUIET)) is not None


@given(st.tuples(*[st.integers(0, 10**6)] * 3))
def test_two_of_three_opinions_hold(three: tuple[int, int, int]) -> None:
    """The onset that counts is the median: as many opinions lie before it as behind, and none moves it alone."""
    told, rose, word = three
    found = settled(told, rose, word + WORD)
    assert sum(one <= found for one in three) >= 2
    assert sum(one >= found for one in three) >= 2
    assert settled(told, None, word) == settled(told, rose, None) == told


@pytest.mark.parametrize(("word", "counts"), [(-0.3, "lowest"), (0.3, "highest")])
def test_the_final_tells_the_better_onset(word: float, counts: str) -> None:
    """CE-13: `Speaking` is told at once with the detector's onset; the final carries the median with the first word."""
    engine = StubEngine("red")
    sound = scene(3.0, clips()["red is it the danube"], 2.0)
    events = hear(VoskEar(engine, Listens(("red",))), sound, start=480)
    told = next(event for event in events if isinstance(event, Speaking))
    rose = risen(sound[: told.at - 480][-2 * 16_000 :], told.at, [Moment(0, 1 << 30, -60.0, QUIET, ())])
    first = told.at
    engine.final = lambda one: (Word("red", *at(one), 1.0),) if one.phrases else ()

    def at(one) -> tuple[int, int]:
        decoded = finals(events)[0].at - len(one.fed) // 2
        return told.began + samples(word) - decoded, told.began + samples(word) + 800 - decoded

    again = hear(VoskEar(engine, Listens(("red",))), sound, start=480)
    final = finals(again)[0]
    assert next(event for event in again if isinstance(event, Speaking)) == told
    assert told.began != rose
    assert final.began == (min if counts == "lowest" else max)(told.began, rose) < first
    assert finals(events)[0].began == told.began
