"""Reading aloud: which words are lost, cut or swallowed, what is understood, and what is told of it."""

import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ear_clips import StubEngine
from evening import PACKS
from hypothesis import given
from hypothesis import strategies as st

from host.app import AppError
from host.bench.aloud import (
    Reading,
    Sentence,
    drawn,
    kept,
    length_fault,
    misheard,
    missed,
    read,
    recall,
    section,
    sentences,
    sound_faults,
    write_wav,
)
from host.bench.sayings import arpabet, is_far, odd
from host.events import Line, Word
from host.sound import Clip

RATE = 24_000
TEXT = "I was sold for five dollars."
SAID = ("i", "was", "sold", "for", "five", "dollars")


def clip(words: tuple[str, ...] = SAID) -> Clip:
    """A tone in which each word takes a third of a second."""
    step = RATE // 3
    tone = (8000 * np.sin(np.arange(step * len(words)) / 12)).astype(np.int16)
    times = tuple(Word(word, at * step, at * step + step - 200) for at, word in enumerate(words))
    return Clip("line", tone, RATE, times)


def test_a_good_clip_has_no_faults() -> None:
    """All words named, sounding, long enough, inside the sound."""
    assert sound_faults(clip(), TEXT) == []


def silenced(made: Clip, at: int) -> Clip:
    pcm = made.pcm.copy()
    pcm[made.words[at].began : made.words[at].ended] = 0
    return replace(made, pcm=pcm)


def shortened(made: Clip, at: int) -> Clip:
    word = made.words[at]
    times = list(made.words)
    times[at] = Word(word.text, word.began, word.began + 300)
    return replace(made, words=tuple(times))


@pytest.mark.parametrize(("made", "says"), [
    (clip(SAID[:2] + SAID[3:]), 'lost: "sold" has no time'),
    (silenced(clip(), 3), 'lost: "for" is silent'),
    (replace(clip(), pcm=clip().pcm[: -RATE // 6]), 'cut: "dollars" goes on'),
    (shortened(clip(), 5), 'swallowed: "dollars" takes 0.01 s'),
    (replace(clip(), pcm=np.concatenate([clip().pcm, np.zeros(RATE, np.int16)])), '1.0 s of sound after "dollars"'),
    (replace(clip(), words=tuple(word if at < 3 else Word(word.text, word.began + RATE, word.ended + RATE)
                                 for at, word in enumerate(clip().words)),
             pcm=np.concatenate([clip().pcm, clip().pcm[: RATE]])), 'a hole of 1.0 s after "sold"'),
], ids=["left out", "silent", "cut off", "swallowed", "tail", "hole"])
def test_seeded_faults_of_the_sound_are_found(made: Clip, says: str) -> None:
    """A word left out, silenced, cut off or far too short, a hole and a tail are each told."""
    assert any(says in fault for fault in sound_faults(made, TEXT)), sound_faults(made, TEXT)


def test_lengths_that_cannot_be_are_told() -> None:
    """Twice or half as long as the plain voice is a fault, a little more or less is not."""
    assert length_fault(6.0, 3.0)
    assert length_fault(1.5, 3.0)
    assert not length_fault(3.5, 3.0)
    assert not length_fault(3.0, 0.0)


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_missed_words_are_those_outside_the_longest_common_row(said: list[str], heard: list[str]) -> None:
    """As many words are missed as a plain table of longest common subsequences says, and the others are heard."""
    table = [[0] * (len(heard) + 1) for _ in range(len(said) + 1)]
    for i, one in enumerate(said):
        for j, other in enumerate(heard):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    lost = missed(said, heard)
    assert len(said) - len(lost) == table[-1][-1]
    rest = iter(heard)
    assert all(word in rest for at, word in enumerate(said) if at not in lost)


def reading(
    ours: tuple[int, ...], plain: tuple[int, ...] | None, faults: tuple[str, ...] = (), part: str = ""
) -> Reading:
    return Reading(Sentence("card", part or "statement 1", TEXT), SAID, ours, plain, faults, 2.0)


def test_the_goal_is_the_plain_voices_recall_minus_3_points() -> None:
    """One word in sixty more is within it, one in six is not; a lost word or a fault never is."""
    good = [reading((), ()) for _ in range(9)]
    assert kept([*good, reading((2,), ())])
    assert not kept([reading((2,), ())])
    assert not kept([*good, reading((), (), ("lost",))])
    assert kept([reading((2,), None)])
    assert recall([reading((0, 1), ()), reading((), (3,))]).rate == 10 / 12
    assert recall([reading((0, 1), ()), reading((), (3,))], plain=True).rate == 11 / 12


def test_only_the_hosts_own_words_are_named() -> None:
    """A word that the plain voice is not understood in either is the recogniser's fault."""
    found = [reading((2, 5), (5,)), reading((2,), ()), reading((0,), (), part="note")]
    assert misheard(found) == [("sold", 2), ("i", 1)]
    text = section(found, "voice", 7)
    assert "sold, sold" in text
    assert "--seed 7" in text


def test_cards_are_drawn_by_seed() -> None:
    """The same seed the same cards, another seed others, never more than there are."""
    assert drawn(PACKS.clues, 3, 1) == drawn(PACKS.clues, 3, 1)
    assert len({card.id for card in drawn(PACKS.clues, 3, 1)}) == 3
    assert drawn(PACKS.clues, 10_000, 1) == list(PACKS.clues)
    assert [one.part for one in sentences(PACKS.clues[0])][:2] == ["statement 1", "statement 2"]


class Teller:
    """A voice with a clip for every line."""

    name = "teller"

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        return clip()

    def close(self) -> None:
        """Nothing to free."""


def test_a_sentence_is_read_and_heard() -> None:
    """What dictation writes is compared with the words as they are said, numbers written out."""
    sentence = Sentence("card", "statement 1", "I was sold for 5 dollars.")
    engine = StubEngine()
    engine.final = lambda _: tuple(Word(word, 0, 0) for word in ["i", "was", "sold", "for", "dollars"])
    made, sound = read(engine, Teller(), None, sentence)
    assert made.words == SAID
    assert [SAID[at] for at in made.missed] == ["five"]
    assert made.plain_missed is None
    assert made.own == ("five",)
    assert made.faults == ()
    assert sound.rate == RATE


def test_a_card_becomes_one_wav_file(tmp_path: Path) -> None:
    """The clips with pauses between them, at the voice's rate; a folder that can't be made is one sentence."""
    write_wav(tmp_path / "out" / "01-card.wav", [clip(), clip()])
    with wave.open(str(tmp_path / "out" / "01-card.wav")) as file:
        assert file.getframerate() == RATE
        assert file.getnframes() == 2 * (len(clip().pcm) + round(0.7 * RATE))
    (tmp_path / "file").write_text("")
    with pytest.raises(AppError, match="can't be written"):
        write_wav(tmp_path / "file" / "x.wav", [clip()])


# --- words said otherwise than the lexicon has them ----------------------------------------------


@pytest.mark.parametrize(("phonemes", "phones"), [
    ("bˈiθOvən", "B IY TH OW V AH N"), ("sˈɜɹvᵊnt", "S ER V AH N T"), ("wˈɔTəɹ", "W AO T ER"), ("", ""),
    ("ʤˈʌʤ", "JH AH JH"), ("ɹˈOz", "R OW Z"),
])
def test_the_voices_signs_become_phones(phonemes: str, phones: str) -> None:
    """Every sign is its phone; the vowel of "her" and the r after it are one; stress is dropped."""
    assert arpabet(phonemes) == tuple(phones.split())


class Speller:
    """A voice that says words by a table."""

    def __init__(self, **said: str) -> None:
        self.said = said

    def phonemes(self, text: str) -> list[tuple[str, str]]:
        return [(word, self.said.get(word, "mˈʌm")) for word in text.lower().rstrip(".!?").split()]


def test_words_that_the_voice_says_otherwise_are_named_once() -> None:
    """Far from every pronunciation in lexicon and card is named; near to one of them, or unknown, is not."""
    lexicon = {"gogh": (("G", "OW"),), "mum": (("M", "AH", "M"),), "ras": (("R", "AE", "S"),)}
    card = replace(PACKS.clues[0], answer="Gogh", statements=("Mum saw Gogh.", "Quixote.") * 3, note="Peel.",
                   false_statement="", sounds=(("Quixote", "K IY HH OW T IY"), ("Peel", "P IY L")))
    voice = Speller(gogh="ɡˈOɡz", quixote="kwˈɪksOt", peel="pˈil", saw="sˈɔ")
    found = odd([card, card], voice, lexicon)
    assert [one.word for one in found] == ["gogh", "quixote"]
    assert '"gogh" is said G OW G Z; the lexicon has G OW' in str(found[0])
    assert not is_far(("G", "OW"), [("G", "AO", "G"), ("G", "OW")])
    assert not is_far(("G", "OW"), [])
