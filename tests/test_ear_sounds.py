"""Pronunciations beyond the packs: the whole lexicon, searched in one text."""

import random

import pytest

from host.ears.lexicon import Lexicon
from host.ears.models import find
from host.ears.sounds import Sounds

LEXICON = Lexicon(find("vosk-model-small-en-gamehost") / "lang")
OWN = {"zyzzyva": (("Z", "IH"),), "apply": (("AH",),)}
SOUNDS = Sounds(OWN, LEXICON)


def test_every_word_of_the_lexicon_is_found_as_it_stands_there() -> None:
    """A thousand words, the first and the last among them, have exactly the lexicon's pronunciations."""
    known = LEXICON.find()
    words = [*random.Random(5).sample(sorted(known), 1000), min(known), max(known), *LEXICON.extra.sounds]
    for word in words:
        if word not in OWN:
            assert set(SOUNDS[word]) == set(known[word]), word


def test_the_packs_own_pronunciations_come_first_and_are_all_that_is_listed() -> None:
    """Own words win; length and loop are over them only, since the vocabulary is built from those."""
    assert SOUNDS["apply"] == (("AH",),)
    assert dict(SOUNDS.items()) == OWN
    assert bool(Sounds({}, LEXICON))


@pytest.mark.parametrize("word", ["", " ", "qqqq", "apply\t", "appl", "\n", "zzzzzz", "0"])
def test_what_is_no_word_has_no_pronunciation(word: str) -> None:
    """Beginnings of words, blanks and nonsense are unknown."""
    assert SOUNDS.get(word) is None or word in LEXICON.find([word])
    assert (word in SOUNDS) == (word in LEXICON.find([word]))
