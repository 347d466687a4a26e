"""A second look: was it the answer, or something that sounds near to it and stands in no list?

The first grammar puts whatever is said on its nearest phrase, sound-alikes ("the bermuda trickle") with full
confidence. Here the stretch of sound in which it heard the answer is compared with the answer's phones
(`host.ears.fit`): the margin says by how much they fit it better than with one phone replaced, as natural logarithm of
the likelihood. What it is worth is measured (docs/BENCH.md): the judge weighs it, nothing is decided here.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host.clock import samples
from host.ears import trunk
from host.ears.fit import Row, goodness
from host.ears.hcl import UNKNOWN
from host.ears.lexicon import Pronunciation
from host.events import Word

EDGE = samples(0.3)
"""Sound on either side of the answer that is looked at with it, for words' times are vague."""
WAYS = 12
"""So many ways of saying the answer are tried."""
ARTICLES = frozenset(("a", "an", "the"))
"""Come and go in what is heard, and are never compared."""


class SecondLook:
    """Looks again at the answers that it is told to watch for."""

    def __init__(self, net: trunk.Trunk) -> None:
        self._net = net
        self._context = trunk.context(len(net.layers))
        self._forms: tuple[tuple[str, ...], ...] = ()
        self._sounds: Mapping[str, tuple[Pronunciation, ...]] = {}

    def watch(self, forms: Iterable[tuple[str, ...]], sounds: Mapping[str, tuple[Pronunciation, ...]]) -> None:
        """Watch for these forms of an answer, in words of the model, pronounced so; none: look at nothing."""
        rows = {tuple(word for word in form if word not in ARTICLES) for form in forms}
        self._forms = tuple(sorted((row for row in rows if row), key=lambda row: (-len(row), row)))
        self._sounds = sounds

    def heard(self, words: Sequence[Word]) -> tuple[int, int] | None:
        """The first and the last but one place of the answer in the grammar's words; None if it is not there."""
        telling = [at for at, word in enumerate(words) if word.text not in ARTICLES]
        texts = [words[at].text for at in telling]
        for form in self._forms:
            for first in range(len(texts) - len(form) + 1):
                if tuple(texts[first : first + len(form)]) == form:
                    return telling[first], telling[first + len(form) - 1] + 1
        return None

    def margin(self, words: Sequence[Word], pcm: bytes) -> float | None:
        """By how much the answer among the grammar's words fits best; None where there is none, or no sound of it.

        `pcm` is the sound of the utterance, 16 bit mono; the words' times count from its first sample.
        """
        place = self.heard(words)
        if place is None:
            return None
        stretch = words[place[0] : place[1]]
        ways = [self._sounds.get(word.text, ()) for word in stretch if word.text != UNKNOWN]
        if any(word.ended <= word.began for word in stretch) or not all(ways):
            return None  # words that only a partial had: nobody knows where they are; or nobody knows their sound
        first = max(0, stretch[0].began - EDGE)
        sound = np.frombuffer(pcm, "<i2")[first : stretch[-1].ended + EDGE]
        return goodness(self._states(sound), [Row.of(way) for way in islice(product(*ways), WAYS)])

    def _states(self, sound: NDArray[np.int16]) -> trunk.Array:
        """The net's scores of every third frame; beyond the ends it sees the first frame and the last again."""
        frames = trunk.cepstra(sound)
        if not len(frames):
            return np.zeros((0, self._net.last[-1].size), np.float32)
        padded = np.pad(frames, ((self._context, self._context), (0, 0)), mode="edge")
        return self._net.states(padded)


def open_second(folder: Path) -> SecondLook | None:
    """One on the net of the model in that folder; None where it has no such net."""
    try:
        return SecondLook(_net(folder))
    except (trunk.FormError, OSError):
        return None


@cache
def _net(folder: Path) -> trunk.Trunk:
    """One for all ears: it is some 20 MB."""
    return trunk.read(folder)
