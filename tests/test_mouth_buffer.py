"""The mouth: lines begin, end and fall silent to the sample."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.clock import BLOCK, RATE, samples
from host.devices.mouth import FADE, Mouth, Spoken
from host.events import Part, Word
from host.sound import Clip, Mark


def clip(line: str, length: int, rate: int = RATE, gap: int = 0, value: int = 1000, first: int = 0) -> Clip:
    """A clip of one constant value, so that where it sounds can be read off the samples."""
    words = (Word("Word", 0, first),) if first else ()
    return Clip(line, np.full(length, value, np.int16), rate, words, gap)


def pulled(mouth: Mouth, blocks: int, now: int = 0, size: int = BLOCK) -> tuple[np.ndarray, list[Mark]]:
    """Pull some blocks one after the other."""
    pieces, marks = [], []
    for number in range(blocks):
        pcm, found = mouth.pull(size, now + number * BLOCK)
        pieces.append(pcm)
        marks += found
    return np.concatenate(pieces), marks


def parts(marks: list[Mark]) -> dict[tuple[str, str], int]:
    return {(mark.line, mark.part.value): mark.at for mark in marks}


def test_a_line_begins_at_exactly_the_wanted_sample() -> None:
    """A line wanted at sample 777 sounds from sample 777 on, and says so."""
    mouth = Mouth()
    mouth.play(clip("a", 1000, first=300), 777)
    pcm, marks = pulled(mouth, 5)
    assert np.flatnonzero(pcm)[[0, -1]].tolist() == [777, 1776]
    assert parts(marks) == {("a", "began"): 777, ("a", "first_word"): 1077, ("a", "ended"): 1777}
    assert mouth.idle


@pytest.mark.parametrize(("rate", "size"), [(16_000, 480), (48_000, 1_440), (44_100, 1_323), (8_000, 240)])
def test_the_gap_between_lines_is_exact_at_every_rate(rate: int, size: int) -> None:
    """Five seconds between two statements are 80,000 samples on the game's clock."""
    mouth = Mouth(rate)
    mouth.play(clip("a", 22_051, 22_050), 1_234)
    mouth.play(clip("b", 5_000, 24_000, gap=80_000), 0)
    pcm, marks = pulled(mouth, 300, size=size)
    found = parts(marks)
    assert found["a", "began"] == 1_234
    assert found["b", "began"] - found["a", "ended"] == 80_000
    loud = np.flatnonzero(np.abs(pcm) > 500)
    silence = np.max(np.diff(loud)) / rate
    assert abs(silence - 5.0) < 0.001


def test_a_line_that_comes_late_begins_at_once() -> None:
    """A wanted time in the past means the next sample that can still be changed."""
    mouth = Mouth()
    pulled(mouth, 4)
    mouth.play(clip("a", 100), 5)
    _, marks = pulled(mouth, 1, now=4 * BLOCK)
    assert parts(marks)["a", "began"] == 4 * BLOCK


def test_a_gap_counts_from_the_end_of_the_line_before_even_when_asked_for_later() -> None:
    """Half a second of gap asked for a block after the last line ended is still half a second."""
    mouth = Mouth()
    mouth.play(clip("a", 100), 0)
    pulled(mouth, 2)
    mouth.play(clip("b", 100, gap=8_000), 100)
    _, marks = pulled(mouth, 40, now=2 * BLOCK)
    assert parts(marks)["b", "began"] == 8_100


def test_pieces_of_one_sound_leave_no_seam() -> None:
    """Clips of odd lengths at the speaker's own rate follow one another without a single sample between."""
    mouth = Mouth(48_000)
    sound = np.arange(1, 20_001, dtype=np.int16)
    cuts = [0, *np.sort(np.random.default_rng(3).choice(np.arange(1, 20_000), 40, replace=False)), 20_000]
    for start, stop in pairwise(cuts):
        mouth.play(Clip("", sound[start:stop], 48_000), 0)
    assert pulled(mouth, 14, size=1_440)[0][:20_000].tolist() == sound.tolist()


def test_hush_fades_in_five_milliseconds_and_marks_every_dropped_line() -> None:
    """After hush nothing sounds beyond 5 ms, no step is steep, and each dropped line is CUT once."""
    mouth = Mouth()
    for name in "abc":
        mouth.play(clip(name, 5_000, value=10_000), 0)
    pulled(mouth, 1)
    mouth.hush(BLOCK)
    pcm, marks = pulled(mouth, 20, now=BLOCK)
    assert np.flatnonzero(pcm)[-1] < FADE
    assert np.max(np.abs(np.diff(pcm[:FADE].astype(int)))) < 200
    assert [(mark.line, mark.part, mark.at) for mark in marks] == [(name, Part.CUT, BLOCK) for name in "abc"]
    assert mouth.idle


def test_a_line_played_after_hush_is_not_lost_and_not_late() -> None:
    """What is said in reply to an interruption begins at its time, over the fade."""
    mouth = Mouth()
    mouth.play(clip("a", 5_000), 0)
    pulled(mouth, 1)
    mouth.hush(BLOCK)
    mouth.play(clip("b", 100), BLOCK + 10)
    _, marks = pulled(mouth, 1, now=BLOCK)
    assert parts(marks)["b", "began"] == BLOCK + 10


def test_a_chime_makes_no_marks() -> None:
    """A clip without a line id sounds, and reports nothing, also when cut."""
    mouth = Mouth()
    mouth.play(clip("", 960), 0)
    pcm, marks = pulled(mouth, 1)
    assert pcm.any()
    assert not marks
    mouth.hush(BLOCK)
    assert not pulled(mouth, 1, now=BLOCK)[1]


def test_a_first_word_cut_short_is_never_reported() -> None:
    """A statement hushed inside its first word stays unread (CE-13)."""
    mouth = Mouth()
    mouth.play(clip("a", 5_000, first=BLOCK + 1), 0)
    _, marks = pulled(mouth, 1)
    mouth.hush(BLOCK)
    marks += pulled(mouth, 20, now=BLOCK)[1]
    assert [mark.part for mark in marks] == [Part.BEGAN, Part.CUT]


def test_volume_is_a_factor_without_a_click() -> None:
    """Halving the volume halves the samples after a ramp of 5 ms."""
    mouth = Mouth()
    mouth.play(clip("a", 5 * BLOCK, value=10_000), 0)
    pulled(mouth, 1)
    mouth.volume = 0.5
    pcm, _ = pulled(mouth, 2, now=BLOCK)
    assert np.max(np.abs(np.diff(pcm.astype(int)))) < 70
    assert set(pcm[FADE:].tolist()) == {5_000}


def test_loud_clips_saturate_instead_of_wrapping() -> None:
    """Volume above one clips at full scale."""
    mouth = Mouth()
    mouth.volume = 4.0
    mouth.play(clip("a", 3 * BLOCK, value=-20_000), 0)
    assert pulled(mouth, 3)[0].min() == -32768


def test_after_a_jump_in_time_the_rest_of_a_line_ends_later() -> None:
    """A second lost by the device moves the end of a sounding line by a second."""
    mouth = Mouth()
    mouth.play(clip("a", 2 * BLOCK), 0)
    pulled(mouth, 1)
    _, marks = pulled(mouth, 1, now=BLOCK + RATE)
    assert parts(marks)["a", "ended"] == 2 * BLOCK + RATE


def test_words_are_being_said_by_their_times_not_as_a_bag() -> None:
    """BAR-05: a word masks while it sounds and for the grace after it, and no longer."""
    mouth = Mouth()
    words = (Word("Stop", 0, 8_000), Word("sign", 8_000, 16_000))
    mouth.play(Clip("a", np.ones(16_000, np.int16), 16_000, words), 1_600)
    pulled(mouth, 40)
    assert mouth.saying(1_599) == ()
    assert mouth.saying(2_000) == ("stop",)
    assert mouth.saying(1_600 + 8_000 + 100) == ("stop", "sign")
    assert mouth.saying(1_600 + 16_000 + 100) == ("sign",)
    assert mouth.saying(1_600 + 16_000 + samples(1.0)) == ()


def test_words_after_a_cut_are_not_being_said() -> None:
    """The host does not say what it was kept from saying."""
    spoken = Spoken()
    spoken.began((Word("one", 0, 100), Word("two", 200, 300)), RATE, 0)
    spoken.cut(150)
    assert spoken.saying(250) == ("one",)


LINES = st.lists(
    st.tuples(st.integers(0, 3_000), st.integers(1, 1_500), st.integers(0, 900), st.integers(0, 5)),
    min_size=1, max_size=6,
)


@settings(max_examples=150, deadline=None)
@given(LINES, st.integers(1, 15))
def test_against_a_naive_schedule(lines: list[tuple[int, int, int, int]], hush_after: int) -> None:
    """However lines are queued and blocks fall, samples and marks are those of a schedule by hand."""
    mouth = Mouth()
    blocks = 16
    expected = np.zeros(blocks * BLOCK, int)
    marks: list[tuple[int, str, str]] = []
    free = 0
    cut = hush_after * BLOCK
    for number, (wanted, length, gap, queued) in enumerate(lines):
        queued = max(queued, max((line[3] for line in lines[:number]), default=0))  # calls come in order
        lines[number] = (wanted, length, gap, queued)
        if queued >= hush_after:
            continue
        begin = max(max(wanted, free) + gap, queued * BLOCK)
        free = begin + length
        name = f"line{number}"
        expected[begin : min(begin + length, cut)] = number + 1
        first = min(6_400, length)
        for at, part in ((begin, "began"), (begin + first, "first_word"), (begin + length, "ended")):
            if at < cut or (at == cut and part != "began"):
                marks.append((at, name, part))
        if free > cut:
            marks.append((cut, name, "cut"))
    found: list[Mark] = []
    pieces = []
    for block in range(blocks):
        for number, (wanted, length, gap, queued) in enumerate(lines):
            if queued == block and queued < hush_after:
                mouth.play(clip(f"line{number}", length, gap=gap, value=number + 1), wanted)
        if block == hush_after:
            mouth.hush(block * BLOCK)
        pcm, new = mouth.pull(BLOCK, block * BLOCK)
        pieces.append(pcm)
        found += new
    heard = np.concatenate(pieces)
    heard[cut : cut + FADE] = 0
    assert heard.tolist() == expected[: len(heard)].tolist()
    assert sorted((mark.at, mark.line, mark.part.value) for mark in found) == sorted(marks)
