"""What the host's voice would say for every word of the cards, against how the word is said.

No sound is made: the voice's phonemes are compared with the recogniser's lexicon and the card's own `sounds`.
A word far from all of its pronunciations is for a person to listen to; host/voices/names.py mends it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from host.packs import Card
from host.packs.text import Lexicon, Phones, alike, phones, words

FAR = 0.67
"""Share of equal phones below which a word is said otherwise; the consonants must differ too."""
FAR_CONSONANTS = 0.8
_VOWELS = frozenset((
    "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW",
))
_PHONES = {
    "A": "EY", "I": "AY", "O": "OW", "W": "AW", "Y": "OY", "ʤ": "JH", "ʧ": "CH", "ɹ": "R", "ᵊ": "AH", "ᵻ": "IH",
    "ə": "AH", "ɐ": "AH", "T": "T", "æ": "AE", "ɑ": "AA", "ɔ": "AO", "ɛ": "EH", "ɪ": "IH", "i": "IY", "u": "UW",
    "ʊ": "UH", "ʌ": "AH", "ŋ": "NG", "b": "B", "d": "D", "f": "F", "ɡ": "G", "h": "HH", "j": "Y", "k": "K", "l": "L",
    "m": "M", "n": "N", "p": "P", "s": "S", "ʃ": "SH", "t": "T", "θ": "TH", "ð": "DH", "v": "V", "w": "W", "z": "Z",
    "ʒ": "ZH",
}
"""The natural voice's signs as ARPABET."""
USUAL = frozenset((
    "am", "an", "baa", "beret", "cervantes", "earl", "genoese", "hercule", "mainz", "nightshirt", "oaxaca", "qu", "ras",
    "samuel", "shui", "tyre", "tzu", "uruguay", "used", "xian",
))
"""Looked at: the voice says them well, only otherwise than the lexicon."""


class Telling(Protocol):
    """A voice that tells its phonemes."""

    def phonemes(self, text: str) -> list[tuple[str, str]]:
        """(word, phonemes) of a text in order."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A word that is said otherwise than the lexicon has it."""

    card: str
    word: str
    said: Phones
    known: tuple[Phones, ...]

    def __str__(self) -> str:
        """One line for people."""
        known = ", ".join(" ".join(way) for way in self.known)
        return f'{self.card}: "{self.word}" is said {" ".join(self.said)}; the lexicon has {known}'


def arpabet(phonemes: str) -> Phones:
    """The voice's signs as phones; stress is dropped."""
    plain = phonemes.replace("ˈ", "").replace("ˌ", "").replace("ɜɹ", "R*").replace("əɹ", "R*")
    found = []
    for at, sign in enumerate(plain):
        if sign == "*":
            continue
        found += ["ER"] if plain[at : at + 2] == "R*" else [_PHONES[sign]] if sign in _PHONES else []
    return tuple(found)


def _skeleton(way: Phones) -> Phones:
    return tuple("*" if phone in _VOWELS else phone for phone in way)


def is_far(said: Phones, known: Iterable[Phones]) -> bool:
    """Whether a word is said otherwise than in all of its pronunciations."""
    ways = list(known)
    return bool(ways) and max(alike(said, way) for way in ways) < FAR and max(
        alike(_skeleton(said), _skeleton(way)) for way in ways) < FAR_CONSONANTS


def texts(card: Card) -> list[str]:
    """All that the host says of a card."""
    told = [card.answer, *card.statements, card.false_statement, card.note]
    return [text if text.endswith((".", "!", "?")) else f"{text}." for text in told if text]


def odd(cards: Iterable[Card], voice: Telling, lexicon: Lexicon) -> list[Saying]:
    """Words of the cards that the voice says far otherwise than known, each once."""
    found: dict[tuple[str, Phones], Saying] = {}
    for card in cards:
        own = [(" ".join(words(word)), phones(spelt)) for word, spelt in card.sounds]
        for text in texts(card):
            for word, phonemes in voice.phonemes(text):
                known = (*lexicon.get(word, ()), *(way for name, way in own if name == word))
                said = arpabet(phonemes)
                if len(word) > 1 and word not in USUAL and is_far(said, known):
                    found.setdefault((word, said), Saying(card.id, word, said, tuple(dict.fromkeys(known))))
    return list(found.values())
