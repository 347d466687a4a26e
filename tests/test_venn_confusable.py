"""The measurement of confusable words: its arithmetic, without a recogniser (VN-2)."""

import tomllib
from collections import Counter

import pytest
from venn_table import packs

pytest.importorskip("soundfile", reason="soundfile is not installed")
pytest.importorskip("soxr", reason="soxr is not installed")

from host.bench.confusable import Tally, closest, nearest, noisy, pair_of, written  # - after the skips

NEAR, FAR, FARTHER = ("ail", "ale"), ("cat", "moon"), ("cat", "zebra")
DISTANCES = {NEAR: 0.21, FAR: 0.5, FARTHER: 0.7}


def test_pairs_are_named_alphabetically_without_articles() -> None:
    """A pair has one name, however it is asked for."""
    assert pair_of("to fold", "the Apple") == pair_of("apple", "fold") == ("apple", "fold")


@pytest.mark.parametrize(("confused", "threshold"), [
    ({}, 0.0), ({NEAR: 20}, 0.22), ({NEAR: 20, FAR: 20}, 0.52), ({FARTHER: 1}, 0.0),
])
def test_the_threshold_is_where_confusions_begin(confused: dict[tuple[str, str], int], threshold: float) -> None:
    """From the far end inwards: the first distance at which more than one trial in 500 is confused shuts the door."""
    tally = Tally(trials=Counter(dict.fromkeys(DISTANCES, 1000)), confused=Counter(confused))
    assert closest(tally, DISTANCES) == pytest.approx(threshold)


def test_the_table_is_toml_with_the_worst_pairs_first() -> None:
    """What is written can be read again."""
    tally = Tally(Counter({NEAR: 9, FAR: 9}), Counter({FAR: 1, NEAR: 3}), heard=18, missed=Counter({"moon": 2}))
    table = tomllib.loads(written(tally, DISTANCES, 0.4, "some-model"))
    assert table == {"model": "some-model", "closest": 0.4, "pairs": [list(NEAR), list(FAR)]}


def test_the_nearest_words_leave_out_what_is_apart_already() -> None:
    """A word's worst round: eleven nearest others, without pairs that are kept apart."""
    words = tuple(word for card in packs(6).words for word in card)
    parts = {part for word in words for part in word.split()}
    sounds = {part: (tuple("T" if char in "aeiou" else "M" for char in part),) for part in parts}
    small = packs(6, pronunciations=sounds)
    found = nearest(words[0], words, small, set())
    assert len(found) == 11
    assert words[0] not in found
    assert found[0] not in nearest(words[0], words, small, {pair_of(words[0], found[0])})


def test_noise_has_the_level_asked_for() -> None:
    """Pink noise stands so many decibel below speech at 0.05; dry is untouched; the same seed is the same noise."""
    np = pytest.importorskip("numpy")
    silence = np.zeros(16_000)
    noise = noisy(silence, 20.0, "a")
    assert np.sqrt(np.mean(noise**2)) == pytest.approx(0.005, rel=0.01)
    assert np.array_equal(noise, noisy(silence, 20.0, "a"))
    assert noisy(silence, None, "a") is silence
