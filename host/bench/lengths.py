"""Every sentence of all cards in the host's voice: does each word get the time that its sounds need?

No recogniser: the voice tells when each word begins and ends, and of which sounds it is made. What was measured
is kept in the cache by voice and text, so a run that was cut goes on, and after a card was changed only its new
sentences are spoken; whether a length is a fault is judged anew every time.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from host.bench.aloud import Sentence, sound_faults
from host.bench.aloud import sentences as read_out
from host.bench.card_table import markdown
from host.bench.sayings import arpabet
from host.devices.levels import dbfs
from host.events import Line
from host.packs import Card
from host.packs.text import seconds as expected
from host.sound import Clip

LEAST = 0.0175
"""Seconds a sound that a word takes at least. The word that was known to be swallowed took 0.010; in the first 900
sentences only "at", "it", "of", "a" and "are" were ever below 0.018, and all other words had 0.019 or more."""
QUIET = 32.0
"""dB by which a word may be below the loudest one of its sentence; the last one often is by 25."""
SHORTER, LONGER = 0.7, 1.5
"""A sentence's length to what its letters let expect: beyond these something was added or lost."""
SLACK = 0.5
"""Seconds more or less that are no fault, however short the sentence."""
_BRIEF = 8
"""Words that the report names."""
_TOLD = 500
"""Sentences between two lines about how far it is."""


class Telling(Protocol):
    """A voice that tells its phonemes."""

    name: str

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """The sound of a line, with word times."""

    def phonemes(self, text: str) -> list[tuple[str, str]]:
        """(word, phonemes) of a text in order."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A word as it is said."""

    text: str
    sounds: int
    """Phones that it is made of."""
    seconds: float
    """From its beginning to its last audible sound."""
    slot: float
    """From its beginning to the next word's; the last word's to the end of the sound."""
    level: float
    """dBFS of its time."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence as it is said."""

    seconds: float
    words: tuple[Timed, ...]
    faults: tuple[str, ...]
    """What the sound alone tells: words that are lost or cut, holes, tails."""


def sentences(card: Card) -> list[Sentence]:
    """All that is read of a card: statements, note, the false statement, the answer."""
    told = [*read_out(card), Sentence(card.id, "the answer", f"It was {card.answer}.")]
    return [*told, Sentence(card.id, "the false statement", card.false_statement)] if card.false_statement else told


def timed(voice: Telling, text: str) -> Spoken:
    """Say a text and measure its words."""
    clip = voice.speak(Line("length", text))
    rate = clip.rate
    counts = [len(arpabet(phonemes)) for _, phonemes in voice.phonemes(text)]
    begins = [word.began for word in clip.words[1:]] + [len(clip.pcm)]
    words = tuple(
        Timed(word.text, sounds, (word.ended - word.began) / rate, (after - word.began) / rate,
              float(dbfs(clip.pcm[word.began : word.ended])) if word.ended > word.began else -99.0)
        for word, after, sounds in zip(clip.words, begins, counts, strict=False))
    faults = [*sound_faults(clip, text)]
    if len(counts) != len(clip.words):
        faults.append(f"{len(counts)} words have sounds, {len(clip.words)} have times")
    return Spoken(len(clip.pcm) / rate, words, tuple(faults))


def faults(spoken: Spoken, text: str) -> list[str]:
    """Words with too little time or loudness for their sounds, and a length that can't be."""
    found = list(spoken.faults)
    loudest = max((word.level for word in spoken.words), default=0.0)
    for word in spoken.words:
        told = f'"{word.text}"'
        if any(told in fault for fault in found):
            continue
        if word.seconds < LEAST * max(1, word.sounds):
            found.append(f"swallowed: {told} takes {word.seconds:.2f} s for {word.sounds} sounds")
        elif word.level < loudest - QUIET:
            found.append(f"lost: {told} is {loudest - word.level:.0f} dB below the loudest word")
    wanted = expected(text)
    low, high = min(SHORTER * wanted, wanted - SLACK), max(LONGER * wanted, wanted + SLACK)
    if not low <= spoken.seconds <= high:
        found.append(f"it takes {spoken.seconds:.1f} s, and about {wanted:.1f} s were expected")
    return found


class Kept:
    """What was measured, by voice and text: one line of JSON each; a torn line is measured again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Spoken] = {}
        self._file: IO[str] | None = None
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
                try:
                    key, length, words, told = json.loads(line)
                    self._known[key] = Spoken(length, tuple(Timed(*word) for word in words), tuple(told))
                except (ValueError, TypeError):
                    continue

    def get(self, voice: Telling, text: str) -> Spoken | None:
        """What was measured of that text in that voice."""
        return self._known.get(_key(voice, text))

    def add(self, voice: Telling, text: str, spoken: Spoken) -> None:
        """Keep it. Raises OSError where the disk refuses."""
        key = _key(voice, text)
        self._known[key] = spoken
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a", encoding="utf-8")
            self._file.write("\n")  # ends a line that a cut has torn
        words = [[w.text, w.sounds, round(w.seconds, 4), round(w.slot, 4), round(w.level, 1)] for w in spoken.words]
        self._file.write(json.dumps([key, round(spoken.seconds, 4), words, spoken.faults]) + "\n")
        self._file.flush()


def _key(voice: Telling, text: str) -> str:
    """A digest of what is said, and of how: a name that is said otherwise since is another sound."""
    return hashlib.sha256(repr((voice.name, voice.phonemes(text), text)).encode()).hexdigest()[:24]


def look(cards: Sequence[Card], voice: Telling, kept: Kept) -> list[tuple[Sentence, Spoken]]:
    """Every sentence with what was measured of it, spoken now where it was not before."""
    told = [sentence for card in cards for sentence in sentences(card)]
    found = []
    for number, sentence in enumerate(told, 1):
        spoken = kept.get(voice, sentence.text)
        if spoken is None:
            spoken = timed(voice, sentence.text)
            kept.add(voice, sentence.text, spoken)
        found.append((sentence, spoken))
        if number % _TOLD == 0 or number == len(told):
            print(f"read: {number} of {len(told)} sentences, at {sentence.card}", file=sys.stderr, flush=True)
    return found


def told(found: Iterable[tuple[Sentence, Spoken]]) -> list[str]:
    """One line for each sentence with faults."""
    return [f"{sentence.card}, {sentence.part}: {'; '.join(wrong)}: {sentence.text}"
            for sentence, spoken in found if (wrong := faults(spoken, sentence.text))]


def section(found: Sequence[tuple[Sentence, Spoken]], voice: str) -> str:
    """The section "lengths" of clues/REPORT.md."""
    words = [word for _, spoken in found for word in spoken.words if word.sounds]
    least: dict[str, Timed] = {}
    for word in words:
        known = least.get(word.text)
        if known is None or word.seconds / word.sounds < known.seconds / known.sounds:
            least[word.text] = word
    brief = sorted(least.values(), key=lambda word: word.seconds / word.sounds)[:_BRIEF]
    wrong = [(sentence.card, sentence.part, "; ".join(faults(spoken, sentence.text)))
             for sentence, spoken in found if faults(spoken, sentence.text)]
    lines = [
        "## Lengths of words", "",
        f"`gamehost packs read --lengths`: every sentence of all cards in the host's voice ({voice}), by its own word "
        f"times: {len(found)} sentences, {len(words)} words. A word is swallowed below {LEAST * 1000:g} ms for each of "
        f"its sounds, lost where it has no time or is {QUIET:g} dB below the loudest of its sentence; holes, tails and "
        "lengths that can't be are faults too.", "",
        f"- sentences with a fault: {len(wrong)}",
        "- the shortest words, ms a sound: "
        + ", ".join(f"{word.text} {word.seconds / word.sounds * 1000:.1f}" for word in brief),
    ]
    return "\n".join(lines + (["", *markdown(("card", "part", "what"), wrong)] if wrong else [])) + "\n"
