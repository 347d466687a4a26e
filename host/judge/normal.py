"""Text as the recogniser writes it, and text as it is compared. Shared by `judge` and `understand`.

Two steps. `plain` turns any writing into the lower-case words that a recogniser would write: no accents,
entities, punctuation (REC-25, ANS-01, ANS-15); numbers stay as they are written. `canonical` turns such
words into what is compared: numbers as numbers, articles gone, one spelling of "saint" and of
words that are spelt in two ways (ANS-06, ANS-07, REC-22). Titles stay: "Captain America" is not America.
"""

import html
import re
import unicodedata
from functools import lru_cache

from host.judge.numerals import MONTHS, bag, numbered, roman, spoken_numbers

ARTICLES = frozenset(("the", "a", "an"))
SPELLINGS = {
    "st": "saint", "mt": "mount", "dr": "doctor", "mr": "mister", "prof": "professor", "vs": "versus",
    "jr": "junior", "missus": "mrs", "grey": "gray", "colour": "color", "colours": "colors", "theatre": "theater",
    "centre": "center",
    "harbour": "harbor", "tyre": "tire", "pyjamas": "pajamas", "aluminium": "aluminum", "aeroplane": "airplane",
    "yoghurt": "yogurt", "doughnut": "donut", "ok": "okay", "telly": "television", "tv": "television",
    "ny": "newyork", "nyc": "newyork", "usa": "unitedstates", "uk": "unitedkingdom", "nought": "zero", "naught": "zero",
    "n": "and", "plus": "and", "jewellery": "jewelry", "ketchup": "ketchup", "catsup": "ketchup",
    "moustache": "mustache", "plough": "plow", "axe": "ax", "mum": "mom", "mummy": "mummy", "whisky": "whiskey",
    "draughts": "drafts", "cheque": "check", "kerb": "curb", "storey": "story", "defence": "defense",
    "neighbour": "neighbor", "neighbours": "neighbors", "armour": "armor", "rumour": "rumor", "fibre": "fiber",
    "metre": "meter", "litre": "liter", "sceptre": "scepter", "labour": "labor", "honour": "honor",
    "favourite": "favorite", "humour": "humor", "odour": "odor", "savour": "savor", "tumour": "tumor",
    "skilful": "skillful", "licence": "license", "programme": "program", "sulphur": "sulfur",
}
SAID = {"st": "saint", "mt": "mount", "dr": "doctor", "mr": "mister", "mrs": "missus", "prof": "professor",
        "jr": "junior", "vs": "versus", "ny": "new york", "ok": "okay"}
"""Abbreviations as they are spoken."""
FILLERS = bag("um uh er erm ah oh hmm mm hm eh huh well so like okay ok please now then")
"""Sounds and small words that carry nothing at the edge of an utterance."""
UNKNOWN = "[unk]"

_SEPARATORS = re.compile(r"[^a-z0-9'.\s]+")
_POSSESSIVE = re.compile(r"'s?$")
_DIGIT_COMMA = re.compile(r"(?<=\d),(?=\d{3}\b)")
_LETTERS = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe",
                          "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'", "‘": "'", "ʻ": "'", "`": "'"})


@lru_cache(maxsize=65_536)
def plain(text: str) -> tuple[str, ...]:
    """The words of a writing: lower case, a-z, digits and inner apostrophes only. `[unk]` stays."""
    text = html.unescape(html.unescape(text)).translate(_LETTERS)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).lower()
    text = text.replace(UNKNOWN, " 0unk0 ").replace("&", " and ").replace("%", " percent ").replace("$", " dollar ")
    text = _SEPARATORS.sub(" ", _DIGIT_COMMA.sub("", text))
    words = []
    for word in text.split():
        if word == "0unk0":
            words.append(UNKNOWN)
        elif re.fullmatch(r"\d+\.\d+", word):
            words.append(word)
        elif re.fullmatch(r"(?:[a-z]\.)+[a-z]?", word):
            words += [letter for letter in word if letter != "."]
        else:
            words += [part.strip("'") for piece in word.split(".") for part in _mixed(piece) if part.strip("'")]
    return tuple(words)


def _mixed(word: str) -> list[str]:
    """Letters and digits told apart ("r2d2" is r 2 d 2), but "6th" and "1960s" kept."""
    return [word] if re.fullmatch(r"\d+(?:st|nd|rd|th|s)?", word) else re.findall(r"\d+|[^\d]+", word)


def _spelt(word: str) -> str:
    word = _POSSESSIVE.sub("", word) if word != "'s" else ""
    word = word.replace("'", "")
    return SPELLINGS.get(word, word)


@lru_cache(maxsize=65_536)
def canonical(words: tuple[str, ...]) -> tuple[str, ...]:
    """What is compared: numbers as tokens (`#1945`), spelling and articles settled."""
    return _canonical(words)


def _canonical(words: tuple[str, ...]) -> tuple[str, ...]:
    numbers = numbered(_letters_joined([word for word in words if word != UNKNOWN]))
    spelt = [word if word.startswith("#") else _spelt(word) for word in numbers]
    named = [word for word in spelt if word]
    out = [word for at, word in enumerate(named) if word not in ARTICLES or at == len(named) - 1]
    if MONTHS & set(out):
        out = [word.rstrip("o") if word.startswith("#") else word for word in out if word != "of"]
        out.sort()
    return tuple(out)


def _letters_joined(words: list[str]) -> list[str]:
    """Letters said one by one are one word: "a c d c" is acdc, but "plan a" and "vitamin c" stay."""
    out: list[str] = []
    run: list[str] = []
    for word in [*words, ""]:
        if len(word) == 1 and word.isalpha():
            run.append(word)
            continue
        out += ["".join(run)] if len(run) > 1 and roman("".join(run)) is None else run
        run = []
        if word:
            out.append(word)
    return out


@lru_cache(maxsize=65_536)
def key(words: tuple[str, ...]) -> str:
    """One string for all ways of writing the same: canonical, joined, a pair around "and" in any order."""
    return _key(canonical(words))


def _key(tokens: tuple[str, ...]) -> str:
    if "and" in tokens:
        parts: list[list[str]] = [[]]
        for token in tokens:
            if token == "and":  # noqa: S105 - a word
                parts.append([])
            else:
                parts[-1].append(token)
        return "&".join(sorted("".join(part) for part in parts if part))
    return "".join(tokens)


def paired(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Canonical tokens with the parts of a pair around "and" in alphabetical order."""
    if tokens.count("and") != 1:
        return tokens
    at = tokens.index("and")
    first, second = sorted((tokens[:at], tokens[at + 1 :]))
    return (*first, "and", *second)


@lru_cache(maxsize=65_536)
def keys(words: tuple[str, ...]) -> frozenset[str]:
    """All keys by which a writing may be met: a roman number is cardinal and ordinal, "second war" is war two."""
    return _keys(canonical(words))


@lru_cache(maxsize=4_096)
def heard_keys(words: tuple[str, ...]) -> frozenset[str]:
    """The same of what was heard, of which every stretch is looked up: remembered while its partials come.

    With the memory of `keys`, which is for the cards, 600 utterances of an evening took 12 MB.
    """
    return _keys(_canonical(words))


def _keys(tokens: tuple[str, ...]) -> frozenset[str]:
    found = {_key(tokens)} if tokens else set()
    if any(is_number(token) and token.endswith("r") for token in tokens):
        for kind in ("", "o"):
            found.add(_key(tuple(token[:-1] + kind if token[:1] == "#" and token[-1] == "r" else token
                                 for token in tokens)))
    if "war" in tokens and tokens[0].startswith("#") and tokens[0].endswith("o"):
        found.add(_key((*tokens[1:], tokens[0][:-1])))
    return frozenset(found)


def is_number(token: str) -> bool:
    """Whether a canonical token is a number."""
    return token.startswith("#")


def spoken(text: str) -> tuple[tuple[str, ...], ...]:
    """The ways a writing is said, as words that a recogniser may write: numbers and initials in words."""
    words = plain(text)
    if len(words) == 1 and is_number_written(words[0]):
        return tuple(tuple(way.split()) for way in spoken_numbers(words[0]))
    initials = {word.lower() for word in re.findall(r"\b[A-Z]{2,5}\b", text) if roman(word.lower()) is None}
    found: list[tuple[str, ...]] = []
    for spell in (False, True) if initials else (False,):
        ways: list[tuple[str, ...]] = [()]
        for position, word in enumerate(words):
            options = [tuple(way.split()) for way in spoken_numbers(word)] if position or roman(word) is None else []
            if not options:
                options = [tuple(word) if spell and word in initials else tuple(SAID.get(word, word).split())]
            ways = [(*way, *option) for way in ways for option in options][:12]
        found += ways
    return tuple(dict.fromkeys(found))


def is_number_written(word: str) -> bool:
    """Whether a plain word is a number in digits."""
    return word[:1].isdigit()
