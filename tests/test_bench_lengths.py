"""The lengths of words as the host says them: faults that are seeded are found, what was measured is kept."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from evening import PACKS

from host.bench import lengths
from host.bench.lengths import Kept, Spoken, Timed
from host.events import Line, Word
from host.sound import Clip

RATE = 24_000
TEXT = "I ride at the tail end, and overhear it all."
SAID = (("i", "I"), ("ride", "ɹId"), ("at", "æt"), ("the", "ðə"), ("tail", "tAl"), ("end", "ɛnd"), ("and", "ænd"),
        ("overhear", "Ovəɹhɪɹ"), ("it", "ɪt"), ("all", "ɔl"))


class Teller:
    """A voice that gives every word the seconds that a table says, 0.25 where it says nothing."""

    def __init__(self, **times: float) -> None:
        self.name, self.times, self.spoken = "teller", times, 0

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        self.spoken += 1
        at, words = 0, []
        for word, _ in SAID:
            length = round(self.times.get(word, 0.25) * RATE)
            words.append(Word(word, at, at + length))
            at += length + RATE // 50
        tone = (8000 * np.sin(np.arange(at) / 12)).astype(np.int16)
        return Clip(line.id, tone, RATE, tuple(words))

    def phonemes(self, text: str) -> list[tuple[str, str]]:
        return list(SAID)


def test_good_times_are_no_fault() -> None:
    """Every word as long as its sounds need: nothing is told."""
    assert lengths.faults(lengths.timed(Teller(), TEXT), TEXT) == []


@pytest.mark.parametrize(("times", "says"), [
    ({"at": 0.020}, 'swallowed: "at" takes 0.02 s'),
    ({"at": 0.030}, 'swallowed: "at" takes 0.03 s for 2 sounds'),
    ({"overhear": 0.10}, 'swallowed: "overhear" takes 0.10 s for 6 sounds'),
    ({word: 0.75 for word, _ in SAID}, "it takes 7.7 s, and about"),
    ({word: 0.06 for word, _ in SAID}, "it takes 0.8 s, and about"),
], ids=["known", "short", "long word", "slow", "fast"])
def test_seeded_faults_are_found(times: dict[str, float], says: str) -> None:
    """The word that was once swallowed (0.02 s), a long one that is too short, a sentence too slow or too fast."""
    assert any(says in fault for fault in lengths.faults(lengths.timed(Teller(**times), TEXT), TEXT))


def test_a_word_far_below_the_others_is_told_once() -> None:
    """32 dB below the loudest is lost, 25 is how sentences end; a word that is swallowed too is told once."""
    loud = Timed("one", 3, 0.3, 0.3, -20.0)
    def told(level: float, seconds: float = 0.3) -> list[str]:
        return [fault for fault in lengths.faults(
            Spoken(1.0, (loud, Timed("two", 2, seconds, 0.3, level)), ()), "One two, one two, one.") if "two" in fault]
    assert told(-45.0) == []
    assert told(-53.0) == ['lost: "two" is 33 dB below the loudest word']
    assert told(-53.0, 0.01) == ['swallowed: "two" takes 0.01 s for 2 sounds']


def test_a_word_without_a_time_is_told() -> None:
    """More words with sounds than with times is a fault of its own."""
    voice = Teller()
    voice.phonemes = lambda text: [*SAID, ("more", "mɔɹ")]  # type: ignore[method-assign]
    assert "11 words have sounds, 10 have times" in lengths.timed(voice, TEXT).faults


def test_what_was_measured_is_not_spoken_again(tmp_path: Path) -> None:
    """A second run speaks nothing, after a torn line one sentence, and another voice everything."""
    card = replace(PACKS.clues[0], statements=(TEXT,), note="", false_statement="")
    path, voice = tmp_path / "lengths.jsonl", Teller(at=0.02)
    first = lengths.look([card], voice, Kept(path))
    assert voice.spoken == len(first) == 2
    with path.open("a") as file:
        file.write('["torn", 1.0, [["at"')
    again = lengths.look([card], voice, Kept(path))
    assert voice.spoken == 2
    assert [faults for _, spoken in again if (faults := lengths.faults(spoken, TEXT))]
    assert lengths.told(again)[0].startswith(f'{card.id}, statement 1: swallowed: "at"')
    other = Teller()
    other.name = "another"
    lengths.look([card], other, Kept(path))
    assert other.spoken == 2
    changed = replace(card, statements=(TEXT, "And more of it all at once."))
    lengths.look([changed], voice, Kept(path))
    assert voice.spoken == 3


def test_the_report_names_faults_and_the_shortest_words() -> None:
    """The counts, each sentence with a fault, and the shortest word by the time for each of its sounds."""
    card = replace(PACKS.clues[0], statements=(TEXT,), note="", false_statement="")
    voice = Teller(at=0.02)
    found = [(one, lengths.timed(voice, TEXT)) for one in lengths.sentences(card)]
    text = lengths.section(found, "teller")
    assert "(teller)" in text
    assert "2 sentences, 20 words" in text
    assert "- sentences with a fault: 2" in text
    assert "ms a sound: at 10.0, overhear" in text
    assert f"| {card.id} | statement 1 | swallowed" in text
    assert "| card |" not in lengths.section([(found[0][0], lengths.timed(Teller(), TEXT))], "teller")
