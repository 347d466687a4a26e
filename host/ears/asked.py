"""What the ear was asked to listen for, in words of the model."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from host.ears.lexicon import tokens
from host.events import Listens


class Speller:
    """Spells phrases in words that the model knows, and remembers what it can't spell (REC-01)."""

    def __init__(
        self, knows: Callable[[str], bool], on_missing: Callable[[str, tuple[str, ...]], None] | None = None
    ) -> None:
        self._knows, self._on_missing = knows, on_missing
        self.missing: dict[str, tuple[str, ...]] = {}
        """Phrases that can't be in a grammar, and their unknown words; dictation may hear them."""
        self.spelt = lru_cache(maxsize=4096)(self._spelt)
        """A phrase in words of the model, and those that it does not know; the phrases of a table come again."""

    def _spelt(self, phrase: str) -> tuple[str, tuple[str, ...]]:
        said: list[str] = []
        unknown: list[str] = []
        for exact in tokens(phrase, fold=False):
            choices = [(exact,), tokens(exact)]
            best = next((words for words in choices if all(map(self._knows, words))), None)
            said += best or ()
            unknown += () if best else tokens(exact) or (exact,)
        return " ".join(said), tuple(unknown)

    def phrases(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Those that the model can hear whole; each that it can't is told once."""
        heard: dict[str, None] = {}
        for phrase in texts:
            said, unknown = self.spelt(phrase)
            if unknown and phrase not in self.missing:
                self.missing[phrase] = unknown
                if self._on_missing:
                    self._on_missing(phrase, unknown)
            if said and not unknown:
                heard[said] = None
        return tuple(heard)

    def known(self, texts: Iterable[str]) -> frozenset[str]:
        """The same without telling of the others."""
        return frozenset(said for said, unknown in map(self.spelt, texts) if said and not unknown)


def rows(texts: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Phrases as rows of words, the longest first."""
    return tuple(sorted({tuple(text.split()) for text in texts}, key=lambda words: (-len(words), words)))


class Asked:
    """A `Listens` in words of the model."""

    def __init__(self, listens: Listens, speller: Speller) -> None:
        self.listens = listens
        self.phrases = speller.phrases((*listens.phrases, *listens.complete))
        self._complete = speller.known(listens.complete)
        self._likely = speller.known(listens.likely)
        self._around = rows(speller.known(listens.around))
        self.answers = rows(speller.known(listens.answers))

    def complete(self, text: str) -> bool:
        """Whether a text is a `complete` phrase, with what may stand around it or without."""
        return self._one_of(text, self._complete)

    def likely(self, text: str) -> bool:
        """Whether it is a `likely` one."""
        return bool(self._likely) and self._one_of(text, self._likely)

    def _one_of(self, text: str, phrases: frozenset[str]) -> bool:
        words = tuple(text.split())
        while words:
            if " ".join(words) in phrases:
                return True
            shorter = next((words[len(one) :] for one in self._around if words[: len(one)] == one), words)
            if shorter == words:
                shorter = next((words[: -len(one)] for one in self._around if words[-len(one) :] == one), words)
            if shorter == words:
                return False
            words = shorter
        return False
