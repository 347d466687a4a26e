"""An utterance taken apart: rows of timed words, phrases found in them, what was guessed in one breath.

The theory of "one breath" (CE-14b): markers cut a row of words into segments. After a correction ("no", "I
mean") only what follows counts; after a negation ("not a fork") what follows is no guess, until something
else begins; "or" separates guesses; a carrier ("is it") in the middle begins anew, but only one at the
beginning, or after a negation, says that a guess is meant: talk is full of the others. A known answer of
several words is never cut ("to be or not to be", "Dr No").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from host.events import Word
from host.judge.carriers import AFTERTHOUGHTS, CARRIERS, HEDGES, NEGATIONS, TALK
from host.judge.normal import ARTICLES, UNKNOWN, heard_keys, keys, plain
from host.understand.phrases import CORRECTIONS

Words: TypeAlias = tuple[Word, ...]
Phrase: TypeAlias = tuple[str, ...]


def phrase(text: str) -> Phrase:
    """A phrase of the tables as words."""
    return tuple(text.split())


def longest_first(texts: Iterable[str]) -> tuple[Phrase, ...]:
    """Phrases as words, the longest first, so that the first match is the longest."""
    return tuple(sorted({phrase(text) for text in texts}, key=lambda words: (-len(words), words)))


def texts(words: Sequence[Word]) -> Phrase:
    """The bare words of a row, lower case."""
    return tuple(word.text.lower() for word in words)


def match(row: Phrase, at: int, phrases: Sequence[Phrase]) -> int:
    """How many words the longest phrase that stands at that place has; 0 if none does."""
    return next((len(words) for words in phrases if row[at : at + len(words)] == words), 0)


def trimmed(row: Phrase, idle: frozenset[str]) -> Phrase:
    """The row without idle words at either end."""
    first, last = 0, len(row)
    while first < last and row[first] in idle:
        first += 1
    while last > first and row[last - 1] in idle:
        last -= 1
    return row[first:last]


class Known:
    """The known answers, found whole or at a place in a row of words."""

    def __init__(self, forms: tuple[str, ...]) -> None:
        rows = [plain(form) for form in forms]
        self.keys = frozenset(key for row in rows if row for key in keys(row))
        self.longest = max((len(row) for row in rows), default=0) + 1

    def whole(self, row: Phrase) -> bool:
        """Whether the whole row is a known answer."""
        return bool(row) and len(row) <= self.longest and not heard_keys(row).isdisjoint(self.keys)

    def at(self, row: Phrase, place: int) -> int:
        """How many words the longest known answer at that place has; 0 if none is there."""
        for length in range(min(self.longest, len(row) - place), 0, -1):
            if self.whole(row[place : place + length]):
                return length
        return 0


@lru_cache(maxsize=32)
def known(forms: tuple[str, ...]) -> Known:
    """The known answers, made once for a set of forms."""
    return Known(forms)


_CORRECTIONS = longest_first(CORRECTIONS)
_NEGATIONS = longest_first(NEGATIONS)
_CARRIERS = longest_first(CARRIERS)
_MIDDLE = longest_first([text for text in (*CARRIERS, *HEDGES) if " " in text or text in ("it's", "that's", "maybe")])
_HEDGES = longest_first(HEDGES)
_AFTER = longest_first(AFTERTHOUGHTS)
_IDLE = TALK - ARTICLES
_TRAILING = TALK | {"no", "wait", "sorry", "actually"}
_LEADING = _IDLE | {"what", "wait"}


@dataclass
class _Segment:
    """A stretch between two markers while a row is being cut."""

    first: int
    last: int = 0
    negated: bool = False
    follows: str = ""
    """The marker before it: "", "or", "carrier"."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A row cut into guesses: (first, last) places, and what was found around them."""

    spans: tuple[tuple[int, int], ...] = ()
    carrier: bool = False
    hedged: bool = False
    markers: int = 0
    """How many corrections, negations and alternatives were heard."""
    opened: int = 0
    """Where what is said begins, carriers and idle words in front of it left out."""

    @property
    def single(self) -> bool:
        """Whether all that was said is one guess."""
        return len(self.spans) == 1 and not self.markers and self.spans[0][0] == self.opened


@dataclass
class _Cutter:
    """Walks along a row once; `cut` is its only entrance."""

    row: Phrase
    known: Known
    segments: list[_Segment] = field(default_factory=list)
    carrier: bool = False
    hedged: bool = False
    markers: int = 0

    def run(self) -> Cut:
        opened = at = self.opening(0)
        self.segments.append(_Segment(at))
        while at < len(self.row):
            length = self.known.at(self.row, at)
            step = length if length > 1 else self.marker(at)
            at += step or 1
            self.segments[-1].last = max(self.segments[-1].last, at) if not step or length > 1 else at
        return Cut(tuple(self.guesses()), self.carrier, self.hedged, self.markers, opened)

    def opening(self, at: int) -> int:
        """Skip carriers, hedges and idle words in front; note which kind they were."""
        while at < len(self.row):
            hedge, carrier = match(self.row, at, _HEDGES), match(self.row, at, _CARRIERS)
            if self.known.whole(self.row[at:]) or match(self.row, at, _NEGATIONS) > max(hedge, carrier):
                return at
            if hedge and hedge >= carrier:
                self.hedged, at = True, at + hedge
            elif carrier:
                self.carrier, at = True, at + carrier
            elif self.row[at] in _LEADING:
                at += 1
            else:
                return at
        return at

    def begin(self, at: int, follows: str, negated: bool = False) -> int:
        start = self.opening(at)
        self.segments.append(_Segment(start, start, negated, follows))
        return start

    def marker(self, at: int) -> int:
        """Cut at a marker, if one stands here, and return how far it and what opens the next segment reach."""
        negation, correction = match(self.row, at, _NEGATIONS), match(self.row, at, _CORRECTIONS)
        word = self.row[at]
        middle = match(self.row, at, _MIDDLE)
        if negation and negation >= correction and negation > middle:
            self.markers += 1
            return self.begin(at + negation, "or", negated=True) - at
        if correction and self.rest_names(at + correction):
            self.markers += 1
            self.segments.clear()
            return self.begin(at + correction, "") - at
        if word in ("or", "but", "and") and self.rest_names(at + 1):
            if word == "and" and not self.segments[-1].negated:
                return 0
            self.markers += word == "or"
            return self.begin(at + 1, "or", negated=word == "or" and self.segments[-1].negated) - at
        if middle and at > self.segments[-1].first and self.rest_names(at + middle):
            carrier = self.carrier or self.segments[-1].negated
            start = self.begin(at, "carrier")
            self.carrier = carrier
            return start - at
        return 0

    def rest_names(self, at: int) -> bool:
        """Whether anything but idle words and afterthoughts follows."""
        while at < len(self.row):
            step = match(self.row, at, _AFTER) or (self.row[at] in TALK)
            if not step:
                return True
            at += step
        return False

    def guesses(self) -> Iterator[tuple[int, int]]:
        for place, segment in enumerate(self.segments):
            if segment.negated:
                continue
            first, last = self.bounds(segment)
            silent = all(word == UNKNOWN for word in self.row[first:last])
            if first >= last or (silent and len(self.segments) > 1):
                continue
            follower = self.segments[place + 1] if place + 1 < len(self.segments) else None
            if follower and follower.follows == "carrier" and not self.known.whole(self.row[first:last]):
                continue
            yield first, last

    def bounds(self, segment: _Segment) -> tuple[int, int]:
        """The segment without idle words and afterthoughts at its ends."""
        first, last = segment.first, segment.last
        while first < last and self.row[first] in _IDLE and not self.known.whole(self.row[first:last]):
            first += 1
        while first < last and not self.known.whole(self.row[first:last]):
            after = next((len(words) for words in _AFTER if self.row[max(first, last - len(words)) : last] == words), 0)
            if not after and self.row[last - 1] in _TRAILING:
                after = 1
            if not after:
                break
            last -= after
        return first, last


def cut(row: Phrase, answers: Known) -> Cut:
    """Cut a row of words into what was guessed with it, in order."""
    return _Cutter(row, answers).run() if row else Cut()


def between(words: Words, began: float, ended: float) -> Words:
    """The words whose middle lies in that stretch of samples."""
    return tuple(word for word in words if began <= (word.began + word.ended) / 2 < ended)


def timeless(words: Words) -> bool:
    """Whether the words carry no times of their own (those of a partial)."""
    return len({word.began for word in words}) <= 1 and len(words) > 1
