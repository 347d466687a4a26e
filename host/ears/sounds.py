"""Pronunciations for the judge: those of the packs, and beyond them whatever the model's lexicon knows.

The judge compares by sound what dictation wrote, and dictation may write any word of the model. As Python
objects the lexicon would take some 60 MB; here it is one sorted text of 3 MB that is searched by halving.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache

from host.ears.lexicon import Lexicon, Pronunciation, open_text


class Sounds(Mapping[str, tuple[Pronunciation, ...]]):
    """word -> pronunciations. Asked by word it knows both; what it lists (`len`, `in a loop`) are the packs' own."""

    def __init__(self, own: Mapping[str, tuple[Pronunciation, ...]], lexicon: Lexicon) -> None:
        """Reads the lexicon once. Raises LexiconError if it can't be read."""
        self._own = dict(own)
        lines = sorted(line.strip().replace(" ", "\t", 1) for line in open_text(lexicon.path) if " " in line)
        self._text = "\n".join(lines)
        self._extra = dict(lexicon.extra.sounds)
        self._looked_up = lru_cache(maxsize=8192)(self._look_up)

    def __getitem__(self, word: str) -> tuple[Pronunciation, ...]:
        found = self._own.get(word) or self._looked_up(word)
        if not found:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)

    def __bool__(self) -> bool:
        return True

    def _look_up(self, word: str) -> tuple[Pronunciation, ...]:
        key = f"{word}\t"
        at = bisect_left(_Lines(self._text), key)
        found = list(self._extra.get(word, ()))
        start = _line_start(self._text, at)
        while self._text.startswith(key, start):
            end = self._text.find("\n", start)
            end = len(self._text) if end < 0 else end
            found.append(tuple(self._text[start + len(key) : end].split()))
            start = end + 1
        return tuple(dict.fromkeys(found))


class _Lines:
    """A sorted text as a sequence of its lines, found by any character of them: `bisect` needs no more."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __len__(self) -> int:
        return len(self._text)

    def __getitem__(self, at: int) -> str:
        start = _line_start(self._text, at)
        end = self._text.find("\n", at)
        return self._text[start : end if end >= 0 else len(self._text)]


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1
