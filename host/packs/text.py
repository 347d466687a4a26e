"""Words of clue cards: cleaned, split, stemmed, compared by spelling and by sound."""

import gzip
import html
import itertools
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from rapidfuzz.distance import Levenshtein

Phones = tuple[str, ...]
Lexicon = Mapping[str, tuple[Phones, ...]]
"""word in small letters -> its pronunciations in ARPABET without stress."""

_FUNCTION_WORDS = """
    a about after again all also am an and another any are as at away back be because been before being both but by
    can could did do does down each either else even ever every few first for from get gets got had has have he her
    here hers him his how i if in into is it its itself just last less like made make makes many may me might mine
    more most much must my myself never no nobody none nor not nothing now of off often on once one only or other
    others our ours out over own per quite rather same second several shall she should since so some somebody
    someone something still such than that the their theirs them then there these they third this those though
    through till to together too two under until up upon us very was we were what when where whether which while
    who whom whose why will with within without would yes yet you your yours im ive id ill its thats
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that a statement may share with an answer."""

ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_ARTICLE = re.compile(r"^(?:the|an|a)\s+(?=\S)", re.IGNORECASE)
_PAUSE = re.compile(r"[,;:.!?…—](?=\s|$)")
PER_LETTER, PER_WORD, PER_PAUSE = 0.059, 0.012, 0.147
"""Seconds, fitted to 100 statements in the natural voice: off by 0.2 s as a rule, 0.5 s at most."""
NEAR = 0.8
"""Share of equal phones from which two words of five phones or more sound alike."""


def clean(text: str) -> str:
    """Entities decoded (ANS-15, CON-01), letters composed (NFC), invisible signs gone, single blanks."""
    text = ENTITY.sub(lambda match: html.unescape(match.group()), text)
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", text)).split())


@lru_cache(maxsize=100_000)
def fold(text: str) -> str:
    """Small letters without accents, plain apostrophes."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded; hyphens part words."""
    return tuple(_WORD.findall(fold(text)))


def without_article(text: str) -> str:
    """The text without its leading article."""
    return _ARTICLE.sub("", text)


def normal(text: str) -> str:
    """A form by which answers are compared: folded words without a leading article."""
    return " ".join(words(without_article(text)))


def content_words(text: str) -> tuple[str, ...]:
    """The words that carry meaning, without a possessive "'s"."""
    bare = (word.removesuffix("'s").replace("'", "") for word in words(text))
    return tuple(word for word in bare if word and word not in FUNCTION_WORDS)


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The word without its inflection: plural, -ed, -ing, -ly; "stones" and "stone" agree, "flower" keeps its er."""
    for suffix, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("ly", ""), ("es", ""), ("s", "")):
        root = word.removesuffix(suffix)
        if root == word or len(root) < 3 or not re.search("[aeiouy]", root):
            continue
        if suffix == "s" and root[-1] in "su":
            break
        if suffix == "es" and root[-1] not in "sxzh":
            continue
        word = _undoubled(root) if suffix in ("ing", "ed") else root + instead
        break
    word = word[:-1] if len(word) > 3 and word.endswith("e") else word
    return word[:-1] + "i" if len(word) > 2 and word.endswith("y") else word


HOW = ("word", "stem", "part", "perhaps a part")
"""What `related` says, the worst first."""


def related(answer: str, said: str) -> str:
    """How a statement's word gives an answer's word away: "word", "stem", "part", "perhaps a part" or ""."""
    if answer == said:
        return "word"
    if stem(answer) == stem(said):
        return "stem"
    short, long = sorted((answer, said), key=len)
    if len(short) >= 5 and long.startswith(short):
        return "part"
    at_edge = long.startswith(short) or long.endswith(short)
    if at_edge and (len(short) >= 5 or (len(short) == 4 and len(long) >= 7)):
        return "perhaps a part"
    return ""


def phones(spelt: str) -> Phones:
    """A spelling such as "T UW1 TH" as phones without stress; blanks and case don't matter."""
    return tuple(phone.rstrip("012") for phone in spelt.upper().split())


def read_lexicon(path: Path) -> dict[str, tuple[Phones, ...]]:
    """A lexicon file, lines of `word PHONE PHONE ...`, with the extra_words.txt beside it; both may be .gz.

    Raises OSError, EOFError, UnicodeDecodeError.
    """
    found: dict[str, list[Phones]] = {}
    extra = path.with_name("extra_words.txt")
    for one in (path, extra) if extra.is_file() else (path,):
        with gzip.open(one, "rt", encoding="utf-8") if one.suffix == ".gz" else one.open(encoding="utf-8") as file:
            for line in file:
                word, _, spelt = line.split("#")[0].strip().partition(" ")
                if spelt:
                    found.setdefault(word.partition("@")[0], []).append(phones(spelt))
    return {word: tuple(ways) for word, ways in found.items()}


def pronunciations(text: str, lexicon: Lexicon, most: int = 6) -> tuple[Phones, ...]:
    """The ways to say a text, at most `most`; none where a word is unknown."""
    each = [lexicon.get(word) or lexicon.get(word.removesuffix("'s"), ()) for word in words(text)]
    ways = itertools.islice(itertools.product(*each), most) if each else ()
    return tuple(tuple(itertools.chain.from_iterable(way)) for way in ways)


def alike(one: Phones, other: Phones) -> float:
    """Share of equal phones, 0 to 1."""
    return float(Levenshtein.normalized_similarity(one, other))


def seconds(text: str) -> float:
    """About how long the host reads a text, pauses included."""
    return PER_LETTER * sum(map(len, words(text))) + PER_WORD * len(words(text)) + PER_PAUSE * len(_PAUSE.findall(text))
