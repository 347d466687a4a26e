"""Faults known from the field that concern the call "VENN!" (KEY), through the real ear with the net and the model."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import soundfile
import soxr
from ear_clips import MODEL, finals, hear

from host.app.paths import FIXTURES
from host.bench.venn_clips import SOUND, distance
from host.ears import graph
from host.ears.kaldi import VoskEngine
from host.ears.keyword import shipped
from host.ears.vosk import VoskEar
from host.events import Heard, Line
from host.games import Expects
from host.table.chair_words import Wish, naming
from host.table.venn_chair_words import venn_wish
from host.table.venn_chairs import between_rounds
from host.table.venn_words import CALL, PERHAPS, listens
from host.voices.espeak import EspeakVoice
from host.voices.natural import NaturalVoice

WORDS = ("river", "heavy", "wedding", "fold", "soldier", "sour", "camera", "lonely", "desert", "piano", "brave",
         "statue")
CALLS = ("ear/venn.flac", "demo_venn/venn_rms.flac", "demo_venn/venn_slt.flac")
PLACING = Expects(call=True, words=WORDS, teams=("Foxes", "Owls"), commands=("repeat_all", "word"))
NEAR = ("when", "then", "ten", "men", "end", "vent", "van", "fan", "seven", "eleven", "pen", "ben", "been", "again",
        "even", "vein", "them", "friend", "went", "event")
GAP = 13_000
"""Samples between two words."""
Fires = Callable[[np.ndarray], bool]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> VoskEngine:
    return VoskEngine(graph.prepare(MODEL, {"venn": (("V", "EH", "N"),)}, tmp_path_factory.mktemp("cache")))


def called(engine: VoskEngine, sound: np.ndarray) -> list[int]:
    """The samples at which the ear has heard a call, sure or not, while art cards are placed."""
    ear = VoskEar(engine, finder=shipped(MODEL))
    ear.listen(listens(("anna", "ben"), PLACING, "placing"))
    pcm = np.clip(sound + 6 * pink(len(sound), 1), -32768, 32767).astype(np.int16)
    events = [*hear(ear, pcm), *ear.end()]
    ear.close()
    return [(word.began + word.ended) // 2 for event in events if isinstance(event, Heard)
            for word in event.words if word.text in (CALL, PERHAPS)]


@pytest.fixture(scope="module")
def fires(engine: VoskEngine) -> Fires:
    """Whether the ear hears a call in a sound while art cards are placed."""
    return lambda sound: bool(called(engine, sound))


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


def said(voice: Any, bend: float) -> tuple[np.ndarray, list[tuple[str, int, int]]]:
    """The near words and a call in a row, by a voice made deeper (under 1) or higher; with where each of them is."""
    parts, spans, at = [np.zeros(GAP)], [], GAP
    for word in (*NEAR, CALL):
        clip = voice.speak(Line("word", f"{word.capitalize()}."))
        sound = soxr.resample(clip.pcm.astype(float), clip.rate * bend, 16_000)
        sound *= 1640 / np.sqrt(np.mean(np.square(sound[np.abs(sound) > 0.02 * np.abs(sound).max()])))
        spans.append((word, at, at + len(sound)))
        parts += [sound, np.zeros(GAP)]
        at += len(sound) + GAP
    return np.concatenate(parts), spans


def test_near_words_said_alone_are_taken_for_a_call_less_often_than_by_the_grammar(engine: VoskEngine) -> None:
    """KEY-03: twenty near words by two voices, alone, dry. Wanted is less than one taken; measured were 8 of these 40
    (23 of 120 with six voices). A third may be, 13: the grammar alone takes two of five. Both calls among them are
    heard."""
    taken, heard = [], 0
    for voice, bend in ((EspeakVoice(), 1.0), (NaturalVoice(), 0.88)):
        sound, spans = said(voice, bend)
        found = called(engine, sound)
        words = {word for word, began, ended in spans for at in found if began - 1600 <= at < ended + GAP // 2}
        heard += CALL in words
        taken += sorted(words - {CALL})
    assert heard == 2
    assert len(taken) <= 13, taken


@pytest.mark.parametrize(("decibel", "least"), [(20, 3), (10, 1)])
def test_it_need_not_be_yelled_over_a_fan(fires: Fires, decibel: int, least: int) -> None:
    """KEY-06: at 20 dB above a fan's noise all three calls are heard, spoken as always, at 10 dB one at least."""
    heard = [fires(clip(name) + 1640 * 10 ** (-decibel / 20) * pink(len(clip(name)), 7)) for name in CALLS]
    assert sum(heard) >= least


@pytest.mark.parametrize("louder", [0.0, 12.0])
def test_a_shout_that_clips_is_a_call(fires: Fires, louder: float) -> None:
    """KEY-07: as it is, and cut off at the microphone's limit, all three calls are heard."""
    assert all(fires(clip(name) * 10 ** (louder / 20)) for name in CALLS)


BETWEEN = {
    "Dan is leaving.": Wish("leave", (1,)), "Anna and Dan change places.": Wish("trade", (0, 1)),
    "Eva changes teams.": Wish("over", (3,)), "I want to play too.": Wish("join"),
    "I want to join the Owls.": Wish("join", team=1), "Dan goes over to the Foxes.": Wish("over", (1,), team=0),
    "I'm ready.": None,
}


def test_who_comes_and_goes_is_heard_between_two_rounds(engine: VoskEngine) -> None:
    """VN-1: sentences about teams and "ready", by a natural voice through the ear and the grammar of that moment: at
    most one of seven is missed, and none is taken for another."""
    names, teams = ("anna", "dan", "ben", "eva"), ("foxes", "owls")
    named, voice = naming([(name,) for name in names]), NaturalVoice()
    wanted = between_rounds(listens(names, Expects(ready=True), "between"), names, teams, True)
    missed = []
    for text, wish in BETWEEN.items():
        clip = voice.speak(Line("wish", text))
        sound = framed(soxr.resample(clip.pcm.astype(float), clip.rate, 16_000))
        ear = VoskEar(engine)
        ear.listen(wanted)
        events = [*hear(ear, (sound + 6 * pink(len(sound), 1)).astype(np.int16)), *ear.end()]
        ear.close()
        rows = [tuple(word.text for word in row) for event in finals(events) for row in (event.dictation, event.words)]
        found = [made for row in rows if (made := venn_wish(row, named, ("maya",), teams)) is not None][:1]
        assert found in ([], [wish])
        if not found and (wish is not None or "ready" not in " ".join(rows[-1])):
            missed.append(text)
    assert len(missed) <= 1, missed
