"""Goodness of fit: rows of phones aligned to the scores of states, against naive enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.ears.fit import NONE, NUMBER, Lattice, Row, goodness

SIZE = 3
"""Phones of the tiny cases, silence among them."""


def aligned(states: np.ndarray, phones: tuple[int, ...]) -> float:
    """The best of all ways to share out all frames among the phones, each at least one."""
    if not phones:
        return 0.0 if not len(states) else NONE
    best = NONE
    for end in range(1, len(states) + 1):
        own = states[0, 2 * phones[0]] + states[1:end, 2 * phones[0] + 1].sum()
        best = max(best, own + aligned(states[end:], phones[1:]))
    return best


def anything(states: np.ndarray, penalty: float) -> float:
    """The best of all rows of phones over these frames."""
    return max(aligned(states, row) - penalty * count
               for count in range(len(states) + 1) for row in product(range(SIZE), repeat=count))


def naive(states: np.ndarray, row: Row, penalty: float) -> float:
    """The best of the row, any phones before and behind, with each choice of the optional ones."""
    kept = [[True, False] if maybe else [True] for maybe in row.optional]
    rows = {tuple(p for p, there in zip(row.phones, choice, strict=True) if there) for choice in product(*kept)}
    size = len(states)
    return max(anything(states[:t], penalty) + aligned(states[t:u], phones) + anything(states[u:], penalty)
               for t in range(size + 1) for u in range(t, size + 1) for phones in rows)


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, Row]:
    """Scores of a few frames, and a row of one or two words."""
    frames = draw(st.integers(1, 5))
    values = draw(st.lists(st.integers(-8, 8), min_size=2 * SIZE * frames, max_size=2 * SIZE * frames))
    words = draw(st.lists(st.lists(st.integers(1, SIZE - 1), min_size=1, max_size=2), min_size=1, max_size=2))
    phones: list[int] = []
    optional: list[bool] = []
    for word in words:
        if phones:
            phones.append(0)
            optional.append(True)
        phones += word
        optional += [False] * len(word)
    return np.array(values, float).reshape(frames, -1), Row(tuple(phones), tuple(optional))


def close(found: float, wanted: float) -> bool:
    """Equal, or both of nothing at all."""
    return found == pytest.approx(wanted, abs=1e-6) or (found < NONE / 2 and wanted < NONE / 2)


@settings(max_examples=40)
@given(cases(), st.integers(0, 4))
def test_scores_agree_with_enumeration(case: tuple[np.ndarray, Row], penalty: int) -> None:
    """The row's score and that of every row with one phone replaced are those of the naive search."""
    states, row = case
    lattice = Lattice(states, penalty)
    assert close(lattice.score(row), naive(states, row, penalty))
    found = lattice.replaced(row)
    for at, other in product(range(len(row.phones)), range(SIZE)):
        edited = Row((*row.phones[:at], other, *row.phones[at + 1 :]),
                     (*row.optional[:at], False, *row.optional[at + 1 :]))
        assert close(found[at, other], naive(states, edited, penalty))


def test_words_have_optional_silence_between_them() -> None:
    """ "the moon" is five phones and a pause that may be missing."""
    row = Row.of([("DH", "AH"), ("M", "UW", "N")])
    assert row.optional == (False, False, True, False, False, False)
    assert row.phones[2] == 0


def test_a_stretch_that_is_too_short_fits_nothing() -> None:
    """Fewer frames than phones: no alignment, and no error."""
    assert goodness(np.zeros((2, 80)), [Row.of([("M", "UW", "N")])]) is None


def spoken(*phones: str) -> np.ndarray:
    """Scores of three frames a phone, each 5 for it and 0 for all others."""
    states = np.zeros((3 * len(phones), 80))
    for at, phone in enumerate(phones):
        states[3 * at, 2 * NUMBER[phone]] = states[3 * at + 1 : 3 * at + 3, 2 * NUMBER[phone] + 1] = 5.0
    return states


def test_the_answer_beats_and_the_sound_alike_is_beaten() -> None:
    """ "moon" fits its own sound; "boon" taken for it does not; but where both may be said so, neither denies."""
    moon, boon = Row.of([("M", "UW", "N")]), Row.of([("B", "UW", "N")])
    assert goodness(spoken("M", "UW", "N"), [moon]) > 5
    assert goodness(spoken("B", "UW", "N"), [moon]) < -5
    assert goodness(spoken("B", "UW", "N"), [moon, boon]) > 5
