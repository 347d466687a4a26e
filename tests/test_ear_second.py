"""The second look: where an answer stands among the words, and how well its phones fit the sound."""

import numpy as np
import pytest
from ear_clips import MODEL, StubEngine, clips, finals, hear, hiss

from host.ears import trunk
from host.ears.detector import SpeechDetector
from host.ears.fit import NUMBER
from host.ears.lexicon import Lexicon
from host.ears.opinion import DICTATION_LAG
from host.ears.second import EDGE, SecondLook, open_second
from host.ears.vosk import QUICK, VoskEar
from host.events import Listens, Word


class Net:
    """An acoustic model that hears one row of phones, three frames of each, whatever the sound."""

    layers = (None,) * 14
    last = (np.zeros(80),)

    def __init__(self, *phones: str) -> None:
        self.asked: list[int] = []
        self.scores = np.zeros((3 * len(phones), 80), np.float32)
        for at, phone in enumerate(phones):
            self.scores[3 * at, 2 * NUMBER[phone]] = 5.0
            self.scores[3 * at + 1 : 3 * at + 3, 2 * NUMBER[phone] + 1] = 5.0

    def states(self, given: np.ndarray) -> np.ndarray:
        self.asked.append(len(given) - 2 * trunk.context(len(self.layers)))
        return self.scores


def row(text: str) -> tuple[Word, ...]:
    return tuple(Word(word, 16_000 * at, 16_000 * at + 8_000) for at, word in enumerate(text.split()))


SOUNDS = {"moon": (("M", "UW", "N"),), "landing": (("L", "AE", "N", "D", "IH", "NG"),)}
SILENCE = bytes(2 * 16_000 * 8)


def look(net: Net | None = None) -> SecondLook:
    made = SecondLook(net or Net())
    made.watch([("the", "moon", "landing"), ("a", "moon"), ("moon",), ("a", "rover")], SOUNDS)
    return made


@pytest.mark.parametrize(("heard", "place"), [
    ("blue the moon", (2, 3)), ("moon", (0, 1)), ("is it moon landing red", (2, 4)), ("a moon a landing", (1, 4)),
    ("the boon", None), ("", None), ("[unk] moon", (1, 2)), ("the", None),
])
def test_the_answer_is_found_among_the_words(heard: str, place) -> None:
    """Whole forms, the longest first; articles come and go, one in front is not part of it."""
    assert look().heard(row(heard)) == place


@pytest.mark.parametrize(("said", "believed"), [(("M", "UW", "N"), True), (("B", "UW", "N"), False)])
def test_the_margin_tells_the_answer_from_what_sounds_alike(said: tuple[str, ...], believed: bool) -> None:
    """ "moon" or "boon" was said and the grammar heard "moon": only the stretch of it is looked at."""
    net = Net(*said)
    margin = look(net).margin(row("blue the moon"), SILENCE)
    assert margin is not None
    assert (margin > 0) is believed
    assert net.asked == [(8_000 + 2 * EDGE - trunk.FRAME) // trunk.HOP + 1]


@pytest.mark.parametrize("words", [row("blue boon"), (Word("moon", 5, 5),), (), row("the rover")])
def test_where_there_is_no_answer_there_is_no_margin(words) -> None:
    """No answer, or none whose place and sounds are known: nothing is computed."""
    net = Net()
    assert look(net).margin(words, SILENCE) is None
    assert not net.asked


def test_where_there_is_no_sound_there_is_no_margin() -> None:
    """Words that stand behind the end of the sound."""
    assert look(Net("M", "UW", "N")).margin(row("blue blue moon"), bytes(100)) is None


def test_a_model_of_another_form_has_no_second_look(tmp_path) -> None:
    """No net that we know, or none at all: the ear goes without."""
    assert open_second(tmp_path) is None
    (tmp_path / "am").mkdir()
    (tmp_path / "am" / "final.mdl").write_bytes(b"something else")
    assert open_second(tmp_path) is None


def test_in_noise_new_words_tell_that_somebody_speaks() -> None:
    """Where the detector goes on hearing voices and no words come, the utterance ends a little later all the same."""
    engine = StubEngine("moon landing boon")
    engine.partial = lambda r: "moon landing" if len(r.fed) > 20_000 else ""
    engine.final = lambda _: (Word("moon", 8_000, 11_000), Word("landing", 11_000, 14_000))
    sound = np.concatenate([hiss(16_000, -70, 1), hiss(64_000, -20, 2), hiss(32_000, -70, 3)])
    heard = finals(hear(ear_of(engine), sound))[0]
    assert heard.at < 16_000 + 16_000 + DICTATION_LAG + QUICK
    assert heard.text == "moon landing"


# --- in the ear ----------------------------------------------------------------------------------


def voiced(samples) -> float:
    return 1.0 if np.mean(np.square(samples)) > 10 ** (-35 / 10) else 0.0


def ear_of(engine: StubEngine, net: Net | None = None) -> VoskEar:
    listens = Listens(("moon", "moon landing"), complete=("moon landing",), answers=("moon",), likely=("moon",),
                      sounds=tuple(SOUNDS.items()))
    return VoskEar(engine, listens, detector=SpeechDetector(voicing=(voiced, lambda: None)),
                   second=SecondLook(net or Net("M", "UW", "N")))


@pytest.mark.parametrize("text", ["moon", "moon landing"])
def test_the_final_carries_the_margin(text: str) -> None:
    """Whether it ended by patience or as a complete phrase, the second look was taken once."""
    engine, net = StubEngine("moon landing boon"), Net("M", "UW", "N")
    engine.partial = lambda r: text if len(r.fed) > 20_000 else ""
    engine.final = lambda _: tuple(Word(word, 8_000, 14_000) for word in text.split())
    (heard,) = finals(hear(ear_of(engine, net),
                           np.concatenate([hiss(16_000, -70, 1), hiss(9_600, -20, 2), hiss(32_000, -70, 3)])))
    assert heard.margin is not None
    assert heard.margin > 0
    assert len(net.asked) == 1


def test_what_goes_on_after_all_is_decoded_whole() -> None:
    """A complete phrase that is finished early and then goes on: every sample reaches the last grammar."""
    engine = StubEngine("moon landing boon")
    engine.partial = lambda r: ("" if len(r.fed) < 30_000 else "moon landing"
                                if r.phrases is not None or len(r.fed) < 44_000 else "moon landing red")
    engine.final = lambda _: (Word("moon", 8_000, 11_000), Word("landing", 11_000, 14_000))
    sound = np.concatenate([hiss(16_000, -70, 1), hiss(9_600, -20, 2), hiss(2_200, -70, 3), hiss(9_600, -20, 4),
                            hiss(32_000, -70, 5)])
    (heard,) = finals(hear(ear_of(engine), sound))
    grammars = [made for made in engine.made if made.phrases is not None]
    dictation = next(made for made in engine.made if made.phrases is None)
    assert len(grammars) >= 2
    assert grammars[-1].fed == dictation.fed[: len(grammars[-1].fed)]
    assert len(grammars[-1].fed) >= 2 * (9_600 + 2_200 + 9_600)
    assert heard.at > 16_000 + 9_600 + 2_200 + 9_600


def test_what_was_said_fits_better_than_what_was_not() -> None:
    """The real model: words of a shipped clip fit their sound better than others that are put in their place."""
    net = open_second(MODEL)
    assert net is not None
    text, pcm = next((text, pcm) for text, pcm in clips().items() if len(text.split()) >= 4)
    said = tuple(text.lower().replace(",", "").replace(".", "").split())
    other = (*said[:-1], "moon" if said[-1] != "moon" else "river")
    margins = []
    sounds = Lexicon(MODEL / "lang").find({*said, *other})
    for words in (said, other):
        net.watch([words], sounds)
        step = len(pcm) // len(words)
        placed = [Word(word, step * at, step * (at + 1)) for at, word in enumerate(words)]
        margins.append(net.margin(placed, pcm.astype("<i2").tobytes()))
    assert margins[0] > margins[1] + 2
