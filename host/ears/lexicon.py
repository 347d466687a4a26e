"""Words and their sounds: how a text becomes tokens, and the lexicon that a model brings along.

A token is what the recogniser knows and returns: lower case, without punctuation but for apostrophes
inside a word (`o'neill`), hyphens taken as spaces, accents folded to ASCII (`café` -> `cafe`): the
shipped lexicon is plain ASCII, and the judge folds what it compares in the same way. `fold=False`
keeps the accents, for models that know such words (REC-04, REC-25).
"""

import gzip
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Pronunciation: TypeAlias = tuple[str, ...]
"""ARPABET phones without stress, such as ("V", "EH", "N")."""

PHONES = (
    "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY", "JH", "K",
    "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH",
)
"""The phones of the shipped model, in the order of its numbering; silence comes before them."""

_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'", "‘": "'"}
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*", re.UNICODE)


class LexiconError(Exception):
    """A lexicon or a pronunciation can't be used; the message is one sentence that says what to do."""


def fold_accents(text: str) -> str:
    """Letters without their accents, in lower case: "São" -> "sao"."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(char for char in plain if not unicodedata.combining(char))


def tokens(text: str, fold: bool = True) -> tuple[str, ...]:
    """The words of a text as the recogniser writes them.

    `&` becomes "and"; everything else that is neither letter, digit nor inner apostrophe parts words.
    """
    text = text.replace("&", " and ").replace("’", "'").replace("‘", "'")
    text = fold_accents(text) if fold else unicodedata.normalize("NFC", text.lower())
    return tuple(_WORD.findall(text))


def open_text(path: Path) -> Iterator[str]:
    """The lines of a text file, packed with gzip or not. Raises LexiconError if it can't be read."""
    try:
        with gzip.open(path, "rt", encoding="utf8") if path.suffix == ".gz" else path.open(encoding="utf8") as file:
            yield from file
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise LexiconError(f"{path} can't be read ({error}); put the model folder back as it was shipped") from error


@dataclass(frozen=True)
class Extra:
    """Words beside the lexicon: pronunciations, and log10 of their probability in free dictation."""

    sounds: Mapping[str, tuple[Pronunciation, ...]] = field(default_factory=dict)
    chances: Mapping[str, float] = field(default_factory=dict)


def read_extra(path: Path) -> Extra:
    """Read lines such as `venn@-4.5 V EH N`; `#` begins a remark; a word may have several lines."""
    sounds: dict[str, tuple[Pronunciation, ...]] = {}
    chances: dict[str, float] = {}
    for line in open_text(path):
        head, *phones = line.split("#")[0].split() or [""]
        word, _, chance = head.lower().partition("@")
        if not word:
            continue
        check_phones(word, tuple(phones))
        sounds[word] = (*sounds.get(word, ()), tuple(phones))
        if chance:
            chances[word] = float(chance)
    return Extra(sounds, chances)


def check_phones(word: str, phones: Pronunciation) -> None:
    """Raise LexiconError unless `phones` are some of the model's."""
    wrong = [phone for phone in phones if phone not in PHONES]
    if wrong or not phones:
        what = f"unknown phones {' '.join(wrong)}" if wrong else "no phones"
        raise LexiconError(f'the pronunciation of "{word}" has {what}; use ARPABET without stress: {" ".join(PHONES)}')


class Lexicon:
    """The pronunciations that come with a model.

    It is read anew for every question and only what was asked for is kept: as Python objects the whole
    would take some 60 MB, which a Pi has better use for.
    """

    def __init__(self, folder: Path) -> None:
        """Open the lexicon in the model's folder `lang`."""
        found = [folder / name for name in ("lexicon.txt.gz", "lexicon.txt") if (folder / name).is_file()]
        if not found:
            raise LexiconError(f"{folder} holds no lexicon.txt.gz; put the model folder back as it was shipped")
        self.path = found[0]
        extra = folder / "extra_words.txt"
        self.extra = read_extra(extra) if extra.is_file() else Extra()

    def find(self, words: Iterable[str] | None = None) -> dict[str, tuple[Pronunciation, ...]]:
        """The pronunciations of those of `words` (None: all) that the lexicon knows."""
        wanted = None if words is None else set(words)
        found: dict[str, tuple[Pronunciation, ...]] = {}
        shared: dict[str, str] = {phone: phone for phone in PHONES}
        for line in open_text(self.path):
            word, _, rest = line.partition(" ")
            if wanted is not None and word not in wanted:
                continue
            phones = tuple(shared.get(phone, phone) for phone in rest.split())
            if phones and phones not in found.get(word, ()):
                found[word] = (*found.get(word, ()), phones)
        for word, sounds in self.extra.sounds.items():
            if wanted is None or word in wanted:
                known = found.get(word, ())
                found[word] = (*known, *(phones for phones in sounds if phones not in known))
        return found

    def digest(self) -> str:
        """A hash of everything in it."""
        total = hashlib.sha256(self.path.read_bytes())
        total.update(repr((sorted(self.extra.sounds.items()), sorted(self.extra.chances.items()))).encode())
        return total.hexdigest()


def missing(texts: Iterable[str], lexicon: Lexicon) -> tuple[str, ...]:
    """The words of `texts` that the lexicon does not know, in the order of their first appearance."""
    wanted = list(dict.fromkeys(token for text in texts for token in tokens(text)))
    known = lexicon.find(wanted)
    return tuple(word for word in wanted if word not in known)
