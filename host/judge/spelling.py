"""How an English reader says a word that stands in no lexicon: spelling to phones by a few rules.

Rough on purpose, and pure: it is only used where someone typed a word that the model does not know ("kangaru"),
to compare it by sound with an answer. What is spoken comes in words of the model, whose sounds are known.
"""

from functools import lru_cache

_VOWELS = "aeiouy"
_SOUNDS = {
    "tion": "SH AH N", "sion": "ZH AH N", "ough": "AO", "eigh": "EY", "augh": "AO", "igh": "AY", "tch": "CH",
    "sch": "SH", "dge": "JH", "air": "EH R", "ear": "IH R", "eer": "IH R", "our": "AO R", "oor": "AO R", "eau": "OW",
    "sh": "SH", "ch": "CH", "th": "TH", "ph": "F", "ck": "K", "qu": "K W", "wh": "W", "gh": "G", "kh": "K", "zh": "ZH",
    "rh": "R", "oo": "UW", "ee": "IY", "ea": "IY", "ou": "AW", "ow": "OW", "ai": "EY", "ay": "EY", "ei": "EY",
    "ey": "IY", "au": "AO", "aw": "AO", "oa": "OW", "oi": "OY", "oy": "OY", "ie": "IY", "ue": "UW", "ew": "UW",
    "eu": "UW", "ui": "UW", "er": "ER", "ir": "ER", "ur": "ER", "ar": "AA R", "or": "AO R", "ng": "NG", "nk": "NG K",
    "x": "K S", "j": "JH", "b": "B", "d": "D", "f": "F", "h": "HH", "k": "K", "l": "L", "m": "M", "n": "N", "p": "P",
    "q": "K", "r": "R", "s": "S", "t": "T", "v": "V", "w": "W", "z": "Z", "a": "AE", "e": "EH", "i": "IH", "o": "AA",
    "u": "AH",
}
_LONG = {"a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW", "y": "AY"}
_LAST = {"a": "AH", "e": "", "i": "IY", "o": "OW", "u": "UW", "y": "IY"}
_FIRST = {"kn": "N", "gn": "N", "wr": "R", "ps": "S", "x": "Z", "y": "Y", "mc": "M AH K"}


@lru_cache(maxsize=4096)
def spelt_phones(word: str) -> tuple[str, ...]:
    """The word's phones; none where it has a sign that is no letter of the English alphabet."""
    word = word.lower().replace("'", "")
    if not word.isascii() or not word.isalpha():
        return ()
    phones: list[str] = []
    at = 0
    while at < len(word):
        length, sound = _step(word, at)
        phones += sound.split()
        at += length
    return tuple(phone for place, phone in enumerate(phones) if not place or phone != phones[place - 1])


def _step(word: str, at: int) -> tuple[int, str]:
    """How many letters are read at that place, and as what."""
    if at == 0:
        for letters, sound in _FIRST.items():
            if word.startswith(letters) and len(word) > len(letters):
                return len(letters), sound
    letter, rest = word[at], word[at:]
    if len(rest) == 1 and letter in _LAST and at:
        return 1, _LAST[letter] if any(vowel in _VOWELS for vowel in word[:at]) or letter != "e" else "IY"
    if _magic(rest):
        return 1, _LONG[letter]
    for length in (4, 3, 2):
        letters = rest[:length]
        if len(letters) == length and letters in _SOUNDS and not _parted(word, at, letters):
            if letters == "ng" and rest[2:3] and rest[2] in _VOWELS:
                return 2, "NG G"
            return length, _SOUNDS[letters]
    if letter == "c":
        return 1, "S" if rest[1:2] and rest[1] in "eiy" else "K"
    if letter == "g":
        return 1, "JH" if rest[1:2] and rest[1] in "eiy" else "G"
    if letter == "y":
        return 1, "IH"
    return 1, _SOUNDS[letter]


def _magic(rest: str) -> bool:
    """A vowel, one consonant and a silent e at the end: "kite"."""
    return len(rest) == 3 and rest[0] in _LONG and rest[1] not in _VOWELS + "wx" and rest[2] == "e"


def _parted(word: str, at: int, letters: str) -> bool:
    """Whether an R belongs to the next syllable: "or" in "norad" does not make one sound, "er" in "era" neither."""
    behind = word[at + len(letters) : at + len(letters) + 1]
    return letters in ("er", "ir", "ur", "ar", "or") and behind != "" and behind in _VOWELS
