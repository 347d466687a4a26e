"""A second look: was it the answer, or something that sounds near to it and stands in no list?

The first grammar puts whatever is said on its nearest phrase, sound-alikes ("the bermuda trickle") with full
confidence. Here the stretch of sound in which it heard the answer is decoded twice more: once with the answer
alone, once with what else may have been said, the answer with one of its words replaced by a word of the lexicon
that sounds near. The margin is by how much the answer explains the sound better, as natural logarithm of the
likelihood. What it is worth is measured (docs/BENCH.md): the judge weighs it, nothing is decided here.

Near words are looked for while nobody speaks, a word a block: on a small machine one takes as long as a block.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from host.clock import samples
from host.ears.hcl import UNKNOWN
from host.ears.lexicon import Lexicon, Pronunciation
from host.ears.models import find
from host.ears.near import NearWords
from host.events import Word

NEAR = 80
"""So many near words take the place of each word: with 40 fewer sound-alikes are caught, with 160 no more."""
EDGE = samples(0.3)
"""Sound on either side of the answer that is decoded with it; with half of it fewer are caught, with all no more."""
ARTICLES = frozenset(("a", "an", "the"))
"""Come and go in what is heard, and are never replaced."""


class Scorer(Protocol):
    """What of an engine is needed here."""

    def knows(self, word: str) -> bool:
        """Whether the model can recognise the word."""

    def likelihood(self, phrases: Sequence[str], pcm: bytes) -> tuple[float, str]:
        """Log-likelihood of a sound by a grammar of the phrases, and its best reading."""


class Near(Protocol):
    """Finds what sounds near to a word."""

    def of(self, word: str, sounds: Iterable[Pronunciation], most: int) -> tuple[str, ...]:
        """Up to `most` words, the nearest first."""


class SecondLook:
    """Looks again at the answers that it is told to watch for."""

    def __init__(self, scorer: Scorer, near: Near) -> None:
        self._scorer, self._near = scorer, near
        self._forms: tuple[tuple[str, ...], ...] = ()
        self._own: frozenset[str] = frozenset()
        self._sounds: Mapping[str, tuple[Pronunciation, ...]] = {}
        self._found: dict[str, tuple[str, ...]] = {}
        self._todo: list[str] = []

    def watch(self, forms: Iterable[tuple[str, ...]], sounds: Mapping[str, tuple[Pronunciation, ...]]) -> None:
        """Watch for these forms of an answer, in words of the model, pronounced so; none: look at nothing."""
        rows = {tuple(word for word in form if word not in ARTICLES) for form in forms}
        self._forms = tuple(sorted((row for row in rows if row), key=lambda row: (-len(row), row)))
        self._own = frozenset(word for row in self._forms for word in row)
        self._sounds = sounds
        self._found = {word: near for word, near in self._found.items() if word in self._own}
        self._todo = [word for word in sorted(self._own) if word not in self._found]

    def work(self) -> None:
        """Look for the near words of one more word, if there is one to be done."""
        if self._todo:
            self._near_words(self._todo[-1])

    def _near_words(self, word: str) -> tuple[str, ...]:
        if word not in self._found:
            near = self._near.of(word, self._sounds.get(word, ()), NEAR)
            self._found[word] = tuple(other for other in near if other not in self._own and self._scorer.knows(other))
        if word in self._todo:
            self._todo.remove(word)
        return self._found[word]

    def heard(self, words: Sequence[Word]) -> tuple[int, int] | None:
        """The first and the last but one place of the answer in the grammar's words; None if it is not there."""
        telling = [at for at, word in enumerate(words) if word.text not in ARTICLES]
        texts = [words[at].text for at in telling]
        for form in self._forms:
            for first in range(len(texts) - len(form) + 1):
                if tuple(texts[first : first + len(form)]) == form:
                    begin = telling[first]
                    while begin and words[begin - 1].text in ARTICLES:
                        begin -= 1
                    return begin, telling[first + len(form) - 1] + 1
        return None

    def margin(self, words: Sequence[Word], pcm: bytes) -> float | None:
        """By how much the answer among the grammar's words beats what is near; None where there is no answer.

        `pcm` is the sound of the utterance, 16 bit mono; the words' times count from its first sample.
        """
        place = self.heard(words)
        if place is None:
            return None
        stretch = words[place[0] : place[1]]
        if any(word.ended <= word.began for word in stretch):
            return None  # words that only a partial had: nobody knows where they are
        row = [word.text for word in stretch if word.text != UNKNOWN]
        others = [" ".join((*row[:at], other, *row[at + 1 :]))
                  for at, word in enumerate(row) if word not in ARTICLES for other in self._near_words(word)]
        if not others:
            return None
        sound = pcm[2 * max(0, stretch[0].began - EDGE) : 2 * (stretch[-1].ended + EDGE)]
        likely, reading = self._scorer.likelihood([" ".join(row)], sound)
        margin = likely - self._scorer.likelihood(others, sound)[0]
        # a grammar lets words be left out: then the sound was better explained without one of them
        return margin if _telling(reading.split()) == _telling(row) else min(margin, 0.0)


def _telling(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text not in ARTICLES]


def open_second(scorer: Scorer) -> SecondLook:
    """One with near words out of the shipped lexicon. Raises ModelError or LexiconError where that is not there."""
    return SecondLook(scorer, NearWords(Lexicon(find(None) / "lang"), scorer.knows))
