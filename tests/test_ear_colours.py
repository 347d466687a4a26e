"""The second ear for colours: what the grammar's reading and the net's scores make together; the stream (CE-16)."""

import numpy as np
import pytest
from ear_clips import MODEL

from host.bench.train_colours import PLAN
from host.bench.venn_learning import fresh
from host.ears import trunk
from host.ears.colours import UNSURE, ColourEar, Colours, Limits, Peak, believed
from host.ears.fronts import Layer
from host.ears.keyword import Finder, Net
from host.events import Word

NAMES = ("red", "blue", "green")
LIMITS = Limits(put=0.8, swap=0.9, deny=0.05)
ROW = {"blue": (8_000, 12_000), "red": (8_000, 12_000), "read": (8_000, 12_000), "[unk]": (8_000, 12_000),
       "the": (14_000, 16_000), "moon": (16_000, 20_000), "white": (14_000, 16_000)}


@pytest.fixture(scope="module")
def colours() -> Colours:
    """A net that has learnt nothing, on the shipped model's layers."""
    shape = PLAN.shape
    finder = Finder(Net(fresh(2, shape), shape=shape), Layer(trunk.read(MODEL)))
    return Colours(finder, NAMES, LIMITS, {"read": "red"})


def row(text: str) -> tuple[Word, ...]:
    return tuple(Word(word, *ROW[word], 0.6) for word in text.split())


def peaks(at: int, **scores: float) -> tuple[Peak, ...]:
    """Each colour's peak at the same place; those not named score next to nothing, but not denied."""
    found = [Peak(at, name, scores.get(name, 0.06)) for name in NAMES]
    return tuple(sorted(found, key=lambda peak: -peak.score))


@pytest.mark.parametrize(("heard", "at", "scores", "wanted"), [
    ("the moon", 13_000, {"blue": 0.9}, "blue the moon"),
    ("the moon", 13_000, {"blue": 0.7}, "the moon"),
    ("[unk] the moon", 13_500, {"blue": 0.9}, "blue the moon"),
    ("the moon", 26_000, {"blue": 0.9}, "the moon blue"),
    ("the moon", 20_500, {"blue": 0.99}, "the moon"),
    ("", 13_000, {"blue": 0.9}, "blue"),
    ("red the moon", 13_500, {"blue": 0.95}, "blue the moon"),
    ("red the moon", 13_500, {"blue": 0.85}, "red the moon"),
    ("red the moon", 40_000, {"blue": 0.95}, "red the moon"),
    ("read the moon", 13_500, {"red": 0.95}, "red the moon"),
    ("blue the moon", 13_500, {}, "blue the moon"),
])
def test_what_both_together_make(
    colours: Colours, heard: str, at: int, scores: dict[str, float], wanted: str,
) -> None:
    """A colour is put in front or behind, taken instead of another at its place, never put into an answer."""
    found = believed(row(heard), peaks(at, **scores), colours)
    assert " ".join(word.text for word in found) == wanted


def test_what_the_net_denies_is_unsure(colours: Colours) -> None:
    """CE-16: a colour of the grammar's that the net finds nowhere may not be sure enough to cost anybody anything."""
    found = believed(row("blue the moon"), peaks(13_500, blue=0.01), colours)
    assert [word.text for word in found] == ["blue", "the", "moon"]
    assert found[0].confidence == UNSURE
    assert found[2].confidence == 0.6


def test_agreement_makes_sure(colours: Colours) -> None:
    """A colour that both have heard is as sure as the surer of the two."""
    assert believed(row("blue the moon"), peaks(13_500, blue=0.97), colours)[0].confidence == 0.97


def test_without_scores_the_grammar_stands(colours: Colours) -> None:
    """Where the net has not listened, nothing changes."""
    assert believed(row("blue the moon"), (), colours) == row("blue the moon")


@pytest.mark.parametrize("block", [480, 1111])
def test_a_stream_has_the_scores_of_the_whole(colours: Colours, block: int) -> None:
    """However it is cut, the peaks are those of the whole sound, at samples counted from where it began."""
    sound = np.random.default_rng(1).normal(0, 900, 40_000).astype(np.int16)
    ear = ColourEar(colours)
    ear.wanted = True
    for at in range(0, len(sound), block):
        ear.hear(70_000 + at, sound[at : at + block])
    rows = colours.finder.front.whole(sound)
    scores = colours.finder.net.each(rows[None])[0]
    for peak in ear.peaks(70_000, 200_000):
        place = NAMES.index(peak.name)
        assert peak.score == pytest.approx(float(scores[:, place].max()), abs=1e-4)


def test_nothing_is_heard_while_no_colour_is_wanted(colours: Colours) -> None:
    """No computing is spent in Venn and in the menu, and a stretch that was not heard is forgotten."""
    ear = ColourEar(colours)
    ear.hear(0, np.zeros(40_000, np.int16))
    assert ear.peaks(0, 40_000) == ()
    assert ear.believed(row("red the moon"), 0, 40_000) == row("red the moon")
