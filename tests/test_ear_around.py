"""A whole guess is whole with a colour, a name or a carrier around it: the ear need not wait."""

import numpy as np
import pytest
from ear_clips import StubEngine, finals, hear, hiss

from host.ears.detector import SpeechDetector
from host.ears.vosk import SHORT, VoskEar
from host.events import Listens, Word

LISTENS = Listens(
    ("blue", "is it", "a fork", "the first", "the first flight", "blue is it a fork"),
    complete=("a fork", "the first flight"), around=("blue", "anna", "is it"),
)


def loud_is_speech(samples) -> float:
    return 1.0 if np.mean(np.square(samples)) > 10 ** (-35 / 10) else 0.0


@pytest.mark.parametrize(("text", "soon"), [
    ("a fork", True), ("blue a fork", True), ("a fork blue", True), ("blue is it a fork", True),
    ("is it a fork blue", True), ("blue", False), ("blue is it", False), ("the first", False),
    ("blue the first flight", True), ("a fork the first flight", False), ("[unk] a fork", False),
])
def test_what_may_stand_around_a_whole_guess_leaves_it_whole(text: str, soon: bool) -> None:
    """After 0.3 s of silence where a complete phrase with nothing but `around` beside it was heard, else patience."""
    engine = StubEngine("blue anna is it a fork the first flight")
    engine.partial = lambda r: text if len(r.fed) > 20_000 else ""
    engine.final = lambda _: tuple(Word(word, 8_000, 14_000) for word in text.split())
    ear = VoskEar(engine, LISTENS, detector=SpeechDetector(voicing=(loud_is_speech, lambda: None)))
    sound = np.concatenate([hiss(16_000, -70, 1), hiss(9_600, -20, 2), hiss(32_000, -70, 3)])
    (heard,) = finals(hear(ear, sound))
    assert heard.at - 25_600 == pytest.approx(SHORT if soon else LISTENS.patience, abs=1_100)


def test_what_stands_around_is_not_made_part_of_the_grammar() -> None:
    """Only phrases and complete phrases are listened for."""
    engine = StubEngine("blue anna is it a fork the first flight")
    ear = VoskEar(engine, LISTENS, detector=SpeechDetector(voicing=(loud_is_speech, lambda: None)))
    hear(ear, np.concatenate([hiss(16_000, -70, 1), hiss(9_600, -20, 2), hiss(32_000, -70, 3)]))
    grammar = next(made for made in engine.made if made.phrases is not None)
    assert "anna" not in grammar.phrases
    assert set(grammar.phrases) == {*LISTENS.phrases, *LISTENS.complete}
