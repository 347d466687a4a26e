"""Cards read aloud by the host's voice, and heard again: are all words there, and are they understood?

Two witnesses. The voice's own word times and the sound tell of words that were lost (not in the list, or silent
where they should sound), cut (sound ends before the word) or swallowed (far too short). The recogniser's free
dictation tells what a listener understands, beside a plain voice (flite's rms) with the same sentences: what
both voices are not understood in is the recogniser's fault, what only the host is not is the host's.
"""

import random
import wave
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr
from rapidfuzz.distance import LCSseq

from host.app import AppError
from host.bench.card_table import markdown
from host.bench.frame import Share
from host.clock import RATE
from host.devices.levels import Floats, dbfs
from host.ears.kaldi import Engine
from host.ears.lexicon import tokens
from host.events import Line, Word
from host.packs import Card
from host.sound import Clip, Pcm
from host.voices import Voice
from host.voices.spoken import spoken, words_of

PLAIN = "rms"
"""The voice to compare with."""
MARGIN = 0.03
"""By so much the host's word recall may be below the plain voice's."""
PAUSE = 0.7
"""Seconds between two sentences in the WAV file."""
SILENT = -48.0
"""dBFS over a word's time, below which it does not sound."""
PER_LETTER = 0.012
"""Seconds a letter below which a word is swallowed."""
HALT = 0.9
"""Seconds between two words that are a hole."""
EDGE = 0.5
"""Seconds that may lie between the last word's end and the clip's."""
SLOWEST, FASTEST = 1.8, 0.55
"""The host's length to the plain voice's: beyond these something was added or lost."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that the host reads of a card."""

    card: str
    part: str
    """"statement 1" to "statement 6", "note"."""
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence, read aloud and heard again."""

    sentence: Sentence
    words: tuple[str, ...]
    """As they are said."""
    missed: tuple[int, ...]
    """Which of them were not understood of the host."""
    plain_missed: tuple[int, ...] | None
    """The same of the plain voice; None where it is not here."""
    faults: tuple[str, ...]
    """Lost, cut and swallowed words, and lengths that can't be."""
    seconds: float
    heard: str = ""

    @property
    def own(self) -> tuple[str, ...]:
        """Words in which only the host was not understood."""
        plain = self.plain_missed or ()
        return tuple(self.words[at] for at in self.missed if at not in plain)


def drawn(cards: Sequence[Card], count: int, seed: int) -> list[Card]:
    """So many cards, drawn by seed, in the order of the packs."""
    chosen = random.Random(seed).sample(range(len(cards)), min(count, len(cards)))
    return [cards[at] for at in sorted(chosen)]


def sentences(card: Card) -> list[Sentence]:
    """What the host reads of it: the statements and the note."""
    found = [Sentence(card.id, f"statement {number}", text) for number, text in enumerate(card.statements, 1)]
    return [*found, Sentence(card.id, "note", card.note)] if card.note else found


def missed(said: Sequence[str], heard: Sequence[str]) -> tuple[int, ...]:
    """Which of the words said are not in what was heard, in order (longest common subsequence)."""
    return tuple(step.src_pos for step in LCSseq.editops(said, heard) if step.tag == "delete")


def sound_faults(clip: Clip, text: str) -> list[str]:
    """Words that are lost, silent, cut or swallowed by the clip's word times, and holes in it."""
    said = words_of(spoken(text))
    named = tuple(word.text for word in clip.words)
    faults = [f'lost: "{said[at]}" has no time' for at in missed(said, named)]
    length = len(clip.pcm)
    for word in clip.words:
        seconds = (word.ended - word.began) / clip.rate
        if word.ended > length or word.began >= word.ended:
            faults.append(f'cut: "{word.text}" goes on after the end of the sound')
        elif dbfs(clip.pcm[word.began : word.ended]) < SILENT:
            faults.append(f'lost: "{word.text}" is silent')
        elif seconds < PER_LETTER * len(word.text):
            faults.append(f'swallowed: "{word.text}" takes {seconds:.2f} s')
    for one, other in zip(clip.words, clip.words[1:], strict=False):
        if (other.began - one.ended) / clip.rate > HALT:
            faults.append(f'a hole of {(other.began - one.ended) / clip.rate:.1f} s after "{one.text}"')
    if clip.words and (length - clip.words[-1].ended) / clip.rate > EDGE:
        faults.append(f'{(length - clip.words[-1].ended) / clip.rate:.1f} s of sound after "{clip.words[-1].text}"')
    return faults


def length_fault(seconds: float, plain: float) -> list[str]:
    """Whether a sentence takes far longer or shorter than the plain voice needs for it."""
    if plain and not FASTEST <= seconds / plain <= SLOWEST:
        return [f"it takes {seconds:.1f} s, the plain voice {plain:.1f} s"]
    return []


def at_16k(clip: Clip) -> Pcm:
    """A clip's sound as the ear takes it."""
    sound = clip.pcm if clip.rate == RATE else soxr.resample(clip.pcm, clip.rate, RATE)
    return np.asarray(sound, dtype=np.int16)


def dictated(engine: Engine, pcm: Pcm) -> tuple[Word, ...]:
    """What free dictation writes for a sound."""
    recogniser = engine.dictation()
    quiet = np.zeros(RATE // 2, np.int16)
    whole = np.concatenate([quiet, pcm, quiet])
    for first in range(0, len(whole), RATE // 5):
        recogniser.feed(whole[first : first + RATE // 5].tobytes())
    return recogniser.finish()


def read(
    engine: Engine, voice: Voice, plain: Callable[[str], Floats] | None, sentence: Sentence
) -> tuple[Reading, Clip]:
    """Read a sentence, hear it. `plain` says a text in the plain voice: samples at 16 kHz."""
    clip = voice.speak(Line(f"{sentence.card} {sentence.part}", sentence.text))
    said = spoken(sentence.text)
    words = tokens(said)
    heard = tuple(word.text for word in dictated(engine, at_16k(clip)))
    seconds = len(clip.pcm) / clip.rate
    faults = sound_faults(clip, sentence.text)
    plain_missed = None
    if plain is not None:
        sound = plain(said)
        other = tuple(word.text for word in dictated(engine, sound.astype(np.int16)))
        plain_missed = missed(words, other)
        faults += length_fault(seconds, len(sound) / RATE)
    return Reading(sentence, words, missed(words, heard), plain_missed, tuple(faults), seconds, " ".join(heard)), clip


def write_wav(path: Path, clips: Iterable[Clip]) -> None:
    """The clips of a card one after the other. Raises AppError where the disk refuses."""
    clips = list(clips)
    rate = clips[0].rate
    pause = np.zeros(round(PAUSE * rate), np.int16)
    whole = np.concatenate([part for clip in clips for part in (clip.pcm, pause)])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(whole.astype("<i2").tobytes())
    except OSError as error:
        raise AppError(f"{path} can't be written: {error.strerror}") from error


# --- what came of it -----------------------------------------------------------------------------


def recall(readings: Iterable[Reading], plain: bool = False) -> Share:
    """Words understood of all words, of the host or of the plain voice."""
    hits = total = 0
    for one in readings:
        lost = one.plain_missed if plain else one.missed
        if lost is not None:
            hits += len(one.words) - len(lost)
            total += len(one.words)
    return Share(hits, total)


def statements(readings: Iterable[Reading]) -> list[Reading]:
    """The goal is on these; the notes are only looked at."""
    return [one for one in readings if one.sentence.part != "note"]


def kept(readings: Sequence[Reading]) -> bool:
    """Whether the host is understood as well as the plain voice, but for `MARGIN`, and no word was lost."""
    ours, plain = recall(statements(readings)), recall(statements(readings), plain=True)
    as_good = not plain.total or ours.rate >= plain.rate - MARGIN
    return as_good and not any(one.faults for one in readings)


def section(readings: Sequence[Reading], voice: str, seed: int) -> str:
    """The section "read" of clues/REPORT.md."""
    said = statements(readings)
    ours, plain = recall(said), recall(said, plain=True)
    cards = list(dict.fromkeys(one.sentence.card for one in readings))
    rows = []
    for card in cards:
        of_card = [one for one in said if one.sentence.card == card]
        alone = [word for one in of_card for word in one.own]
        rows.append((card, _rate(recall(of_card)), _rate(recall(of_card, plain=True)),
                     f"{sum(one.seconds for one in readings if one.sentence.card == card):.0f}",
                     str(sum(len(one.faults) for one in readings if one.sentence.card == card)), ", ".join(alone)))
    lines = [
        "## Read aloud", "",
        f"`gamehost packs read --cards {len(cards)} --seed {seed}`: {len(cards)} cards drawn at random, read by the "
        f"host's voice ({voice}) and heard again by the recogniser's free dictation, beside flite's {PLAIN} with the "
        "same sentences. Lost, cut and swallowed words are found by the word times, the level in each word's time, "
        f"and the length beside {PLAIN}'s.", "",
        f"- word recall of the statements: the host {ours}, {PLAIN} {plain}; wanted: not below by more than "
        f"{MARGIN * 100:.0f} points",
        f"- words lost, cut or swallowed: {sum(len(one.faults) for one in readings)}",
        f"- longest statement: {max((one.seconds for one in said), default=0.0):.1f} s, on average "
        f"{sum(one.seconds for one in said) / max(1, len(said)):.1f} s", "",
    ]
    lines += markdown(("card", "host", PLAIN, "seconds", "faults", "words in which only the host was not understood"),
                      rows)
    faults = [(one.sentence.card, one.sentence.part, "; ".join(one.faults)) for one in readings if one.faults]
    if faults:
        lines += ["", "### Faults", "", *markdown(("card", "part", "what"), faults)]
    return "\n".join(lines) + "\n"


def _rate(share: Share) -> str:
    return f"{share.rate:.0%}" if share.total else "-"


def misheard(readings: Iterable[Reading]) -> list[tuple[str, int]]:
    """Words in which only the host was not understood, the most frequent first."""
    count = Counter(word for one in readings for word in one.own)
    return sorted(count.items(), key=lambda item: (-item[1], item[0]))
