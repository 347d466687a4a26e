"""Faults known from the field that concern the call "VENN!" (KEY), through the real ear with the net and the model."""

from collections.abc import Callable

import numpy as np
import pytest
import soundfile
from ear_clips import MODEL, hear

from host.app.paths import FIXTURES
from host.bench.venn_clips import SOUND, distance
from host.ears import graph
from host.ears.kaldi import VoskEngine
from host.ears.keyword import shipped
from host.ears.vosk import VoskEar
from host.events import Heard
from host.games import Expects
from host.table.venn_words import listens

WORDS = ("river", "heavy", "wedding", "fold", "soldier", "sour", "camera", "lonely", "desert", "piano", "brave",
         "statue")
CALLS = ("ear/venn.flac", "demo_venn/venn_rms.flac", "demo_venn/venn_slt.flac")
PLACING = Expects(call=True, words=WORDS, teams=("Foxes", "Owls"), commands=("repeat_all", "word"))
Fires = Callable[[np.ndarray], bool]


@pytest.fixture(scope="module")
def fires(tmp_path_factory: pytest.TempPathFactory) -> Fires:
    """Whether the ear hears a call in a sound while art cards are placed."""
    engine = VoskEngine(graph.prepare(MODEL, {"venn": (("V", "EH", "N"),)}, tmp_path_factory.mktemp("cache")))

    def found(sound: np.ndarray) -> bool:
        ear = VoskEar(engine, net=shipped())
        ear.listen(listens(("anna", "ben"), PLACING, "placing"))
        pcm = np.clip(sound + 6 * pink(len(sound), 1), -32768, 32767).astype(np.int16)
        events = [*hear(ear, pcm), *ear.end()]
        ear.close()
        return any(word.text == "venn" for event in events if isinstance(event, Heard) for word in event.words)

    return found


def clip(name: str) -> np.ndarray:
    """A clip of the fixtures at -26 dBFS, with the room before and behind it."""
    return framed(soundfile.read(str(FIXTURES / name), dtype="float32")[0])


def framed(sound: np.ndarray) -> np.ndarray:
    loud = np.abs(sound) > 0.02 * np.abs(sound).max()
    first, last = np.flatnonzero(loud)[[0, -1]]
    level = np.sqrt(np.mean(np.square(sound[loud])))
    return np.pad(sound[first : last + 1] * (1640 / level), (16_000, 14_000))


def pink(length: int, seed: int) -> np.ndarray:
    """Noise like a fan's, of the level 1."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(length))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 8))
    noise = np.fft.irfft(spectrum, length)
    return noise / np.sqrt(np.mean(noise**2))


def test_the_nearest_words_are_near() -> None:
    """KEY-03: distances in sounds, counted by hand."""
    assert distance(("W", "EH", "N"), SOUND) == 1
    assert distance(("S", "EH", "V", "AH", "N"), SOUND) == 3
    assert distance(("V", "EH", "N", "T"), SOUND) == 1
    assert distance(SOUND, SOUND) == 0


@pytest.mark.parametrize(("decibel", "least"), [(20, 3), (10, 1)])
def test_it_need_not_be_yelled_over_a_fan(fires: Fires, decibel: int, least: int) -> None:
    """KEY-06: at 20 dB above a fan's noise all three calls are heard, spoken as always, at 10 dB one at least."""
    heard = [fires(clip(name) + 1640 * 10 ** (-decibel / 20) * pink(len(clip(name)), 7)) for name in CALLS]
    assert sum(heard) >= least


@pytest.mark.parametrize("louder", [0.0, 12.0])
def test_a_shout_that_clips_is_a_call(fires: Fires, louder: float) -> None:
    """KEY-07: as it is, and cut off at the microphone's limit, all three calls are heard."""
    assert all(fires(clip(name) * 10 ** (louder / 20)) for name in CALLS)
