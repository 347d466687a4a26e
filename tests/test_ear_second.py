"""The second look: near words out of a lexicon, and by how much an answer beats them."""

from pathlib import Path

import numpy as np
import pytest
from ear_clips import MODEL, StubEngine, clips, finals, hear, hiss
from hypothesis import given, settings
from hypothesis import strategies as st

from host.ears.detector import SpeechDetector
from host.ears.lexicon import PHONES, Lexicon
from host.ears.near import FARTHEST, LEAST, NearWords, coded, distances
from host.ears.near import SHORT as FEWEST
from host.ears.opinion import DICTATION_LAG
from host.ears.second import EDGE, NEAR, SecondLook
from host.ears.vosk import QUICK, VoskEar
from host.events import Listens, Word
from host.phones import phone_distance, spread

ROWS = st.lists(st.sampled_from(PHONES), min_size=1, max_size=7).map(tuple)


@given(ROWS, st.integers(1, 7), st.data())
def test_the_whole_lexicon_is_compared_as_one_word_after_another(target, length: int, data: st.DataObject) -> None:
    """The distances worked out at once are those of `phone_distance`, and of those that are near none is missing."""
    rows = data.draw(st.lists(st.lists(st.sampled_from([p for p in PHONES if p != "ER"]), min_size=length,
                                       max_size=length), min_size=1, max_size=6))
    limit = data.draw(st.integers(0, 160)) / 20
    places, found = distances(coded(target), np.array([coded(tuple(row)) for row in rows], np.uint8), limit)
    naive = [phone_distance(target, row) for row in rows]
    wanted = [(at, distance) for at, distance in enumerate(naive) if distance <= limit + 1e-6]
    assert list(places) == [at for at, _ in wanted]
    assert list(found) == pytest.approx([distance for _, distance in wanted], abs=1e-4)


def lexicon(folder: Path, words: dict[str, str]) -> Lexicon:
    (folder / "lexicon.txt").write_text("".join(f"{word} {phones}\n" for word, phones in words.items()))
    return Lexicon(folder)


WORDS = {
    "triangle": "T R AY AE NG G AH L", "triangles": "T R AY AE NG G AH L Z", "trickle": "T R IH K AH L",
    "tryangle": "T R AY AE NG G AH L", "strangle": "S T R AE NG G AH L", "tangle": "T AE NG G AH L",
    "bang": "B AE NG", "moon": "M UW N", "boon": "B UW N", "soon": "S UW N", "sune": "S UW N",
}


def test_near_words_are_others_that_sound_near(tmp_path: Path) -> None:
    """The nearest first; no homophone, no plural, of each sound one; what is far is left out."""
    near = NearWords(lexicon(tmp_path, WORDS))
    found = near.of("triangle", (tuple(WORDS["triangle"].split()),), 10)
    assert set(found) == {"strangle", "tangle", "trickle"}
    assert near.of("triangle", (tuple(WORDS["triangle"].split()),), 1) == found[:1]
    assert near.of("moon", (("M", "UW", "N"),), 10) in (("boon", "soon"), ("soon", "boon"))
    assert near.of("zyx", (), 10) == ()


def test_words_that_the_model_lacks_are_not_offered(tmp_path: Path) -> None:
    """A grammar takes only words of the model."""
    near = NearWords(lexicon(tmp_path, WORDS), {"soon", "sune"}.__contains__)
    assert near.of("moon", (("M", "UW", "N"),), 10) == ("soon",)


@settings(max_examples=15)
@given(st.dictionaries(st.text("abcdefgh", min_size=2, max_size=6), ROWS, min_size=1, max_size=12), ROWS)
def test_near_words_agree_with_a_naive_search(tmp_path_factory, words, target) -> None:
    """Every word within the limits is found, and nothing else, however the lexicon looks."""
    near = NearWords(lexicon(tmp_path_factory.mktemp("lang"), {word: " ".join(ways) for word, ways in words.items()}))
    found = near.of("zz", (target,), 100)
    far = {word: phone_distance(target, phones) / max(len(spread(target)), FEWEST) for word, phones in words.items()
           if abs(len(spread(phones)) - len(spread(target))) <= 2}
    wanted = {tuple(spread(words[word])) for word, distance in far.items() if LEAST <= distance <= FARTHEST}
    assert {tuple(spread(words[word])) for word in found} == wanted
    assert len(found) == len(wanted)


class Scorer:
    """Says of each sound how likely a grammar is: by the words in it."""

    def __init__(self, **chances: float) -> None:
        self.chances, self.asked = chances, []

    def knows(self, word: str) -> bool:
        return word != "unknown"

    def likelihood(self, phrases, pcm: bytes) -> tuple[float, str]:
        self.asked.append((tuple(phrases), len(pcm) // 2))
        best = max(phrases, key=lambda text: sum(self.chances.get(word, 0.0) for word in text.split()))
        return sum(self.chances.get(word, 0.0) for word in best.split()), best


class Near:
    """Near words as they are told."""

    def __init__(self, **words: tuple[str, ...]) -> None:
        self.words, self.asked = words, []

    def of(self, word: str, sounds, most: int) -> tuple[str, ...]:
        assert most == NEAR
        self.asked.append((word, tuple(sounds)))
        return self.words.get(word, ())


def row(text: str) -> tuple[Word, ...]:
    return tuple(Word(word, 16_000 * at, 16_000 * at + 8_000) for at, word in enumerate(text.split()))


SOUNDS = {"moon": (("M", "UW", "N"),)}
SILENCE = bytes(2 * 16_000 * 8)


def look(scorer: Scorer | None = None) -> SecondLook:
    made = SecondLook(scorer or Scorer(), Near(moon=("boon", "landing", "unknown"), landing=("landau",)))
    made.watch([("the", "moon", "landing"), ("a", "moon"), ("moon",)], SOUNDS)
    return made


@pytest.mark.parametrize(("heard", "place"), [
    ("blue the moon", (1, 3)), ("moon", (0, 1)), ("is it moon landing red", (2, 4)), ("a moon a landing", (0, 4)),
    ("the boon", None), ("", None), ("[unk] moon", (1, 2)), ("the", None),
])
def test_the_answer_is_found_among_the_words(heard: str, place) -> None:
    """Whole forms, the longest first, articles or none."""
    assert look().heard(row(heard)) == place


def test_the_margin_is_by_how_much_the_answer_is_likelier() -> None:
    """The answer alone against all that sounds near, a word replaced at a time, over its own stretch of sound."""
    scorer = Scorer(moon=-10.0, boon=-14.0, landing=0.0, landau=-1.0)
    assert look(scorer).margin(row("blue the moon landing"), SILENCE) == pytest.approx(1.0 - 10.0 + 0.0 + 10.0)
    (answer, one), (others, other) = scorer.asked
    assert answer == ("the moon landing",)
    assert set(others) == {"the boon landing", "the moon landau"}
    assert one == other == (3 * 16_000 + 8_000 + EDGE) - (16_000 - EDGE)


def test_an_answer_that_is_likelier_without_a_word_of_it_is_not_believed() -> None:
    """A grammar may leave words out; then nothing speaks for the answer."""
    scorer = Scorer(moon=-10.0, boon=-14.0)
    scorer.likelihood = lambda phrases, pcm: (5.0, "landing") if len(phrases) == 1 else (1.0, "boon")
    assert look(scorer).margin(row("the moon landing"), SILENCE) == 0.0


@pytest.mark.parametrize("words", [row("blue boon"), (Word("moon", 5, 5),), ()])
def test_where_there_is_no_answer_there_is_no_margin(words) -> None:
    """No answer, or none whose place is known: nothing is decoded."""
    scorer = Scorer()
    assert look(scorer).margin(words, SILENCE) is None
    assert not scorer.asked


def test_near_words_are_looked_for_while_nobody_speaks() -> None:
    """A word at a time, each once; a new answer keeps what is known of its words."""
    near = Near(moon=("boon",), landing=("landau",))
    made = SecondLook(Scorer(), near)
    made.watch([("moon", "landing")], SOUNDS)
    for _ in range(5):
        made.work()
    assert sorted(near.asked) == [("landing", ()), ("moon", SOUNDS["moon"])]
    made.watch([("moon", "river")], SOUNDS)
    made.work()
    made.margin(row("moon river"), SILENCE)
    assert [word for word, _ in near.asked].count("moon") == 1
    made.watch([], {})
    assert made.margin(row("moon river"), SILENCE) is None


def test_in_noise_new_words_tell_that_somebody_speaks() -> None:
    """Where the detector goes on hearing voices and no words come, the utterance ends a little later all the same."""
    engine, scorer = StubEngine("moon landing boon"), Scorer()
    engine.partial = lambda r: "moon landing" if len(r.fed) > 20_000 else ""
    engine.final = lambda _: (Word("moon", 8_000, 11_000), Word("landing", 11_000, 14_000))
    sound = np.concatenate([hiss(16_000, -70, 1), hiss(64_000, -20, 2), hiss(32_000, -70, 3)])
    heard = finals(hear(ear_of(engine, scorer), sound))[0]
    assert heard.at < 16_000 + 16_000 + DICTATION_LAG + QUICK
    assert heard.text == "moon landing"


# --- in the ear ----------------------------------------------------------------------------------


def voiced(samples) -> float:
    return 1.0 if np.mean(np.square(samples)) > 10 ** (-35 / 10) else 0.0


def ear_of(engine: StubEngine, scorer: Scorer) -> VoskEar:
    listens = Listens(("moon", "moon landing"), complete=("moon landing",), answers=("moon",), likely=("moon",))
    return VoskEar(engine, listens, detector=SpeechDetector(voicing=(voiced, lambda: None)),
                   second=SecondLook(scorer, Near(moon=("boon",))))


@pytest.mark.parametrize("text", ["moon", "moon landing"])
def test_the_final_carries_the_margin(text: str) -> None:
    """Whether it ended by patience or as a complete phrase, the second look was taken once."""
    engine, scorer = StubEngine("moon landing boon"), Scorer(moon=-1.0, boon=-4.0)
    engine.partial = lambda r: text if len(r.fed) > 20_000 else ""
    engine.final = lambda _: tuple(Word(word, 8_000, 14_000) for word in text.split())
    (heard,) = finals(hear(ear_of(engine, scorer),
                           np.concatenate([hiss(16_000, -70, 1), hiss(9_600, -20, 2), hiss(32_000, -70, 3)])))
    assert heard.margin == pytest.approx(3.0)
    assert len(scorer.asked) == 2


def test_what_goes_on_after_all_is_decoded_whole() -> None:
    """A complete phrase that is finished early and then goes on: every sample reaches the last grammar."""
    engine, scorer = StubEngine("moon landing boon"), Scorer()
    engine.partial = lambda r: ("" if len(r.fed) < 30_000 else "moon landing"
                                if r.phrases is not None or len(r.fed) < 44_000 else "moon landing red")
    engine.final = lambda _: (Word("moon", 8_000, 11_000), Word("landing", 11_000, 14_000))
    sound = np.concatenate([hiss(16_000, -70, 1), hiss(9_600, -20, 2), hiss(2_200, -70, 3), hiss(9_600, -20, 4),
                            hiss(32_000, -70, 5)])
    (heard,) = finals(hear(ear_of(engine, scorer), sound))
    grammars = [made for made in engine.made if made.phrases is not None]
    dictation = next(made for made in engine.made if made.phrases is None)
    assert len(grammars) >= 2
    assert grammars[-1].fed == dictation.fed[: len(grammars[-1].fed)]
    assert len(grammars[-1].fed) >= 2 * (9_600 + 2_200 + 9_600)
    assert heard.at > 16_000 + 9_600 + 2_200 + 9_600


def test_what_was_said_is_likelier_than_what_was_not() -> None:
    """The real model finds the words of a shipped clip likelier than the same with one word changed."""
    from host.ears.graph import prepare
    from host.ears.kaldi import VoskEngine

    engine = VoskEngine(prepare(MODEL, {}))
    text, pcm = next((text, pcm) for text, pcm in clips().items() if len(text.split()) >= 4)
    said = [word for word in text.lower().replace(",", "").replace(".", "").split() if engine.knows(word)]
    other = [*said[:-1], "moon" if said[-1] != "moon" else "river"]
    sound = pcm.astype("<i2").tobytes()
    assert engine.likelihood([" ".join(said)], sound)[0] > engine.likelihood([" ".join(other)], sound)[0] + 3
