"""Names that the natural voice's dictionary has wrong."""

from types import SimpleNamespace

import pytest

from host.voices import names
from host.voices.names import NAMES, SWALLOWED, genitive, said

SIGNS = set("æɑɔəɛɜɪiuʊʌᵊᵻAIOWYbdfɡhjklmnpsʃtTθðvwzʒʤʧɹŋˈˌ")


def test_every_name_is_written_in_the_voices_signs() -> None:
    """Small letters on the left, the voice's signs with one main stress on the right."""
    assert len(NAMES) > 100
    for name, phonemes in NAMES.items():
        assert name == name.lower()
        assert set(phonemes) <= SIGNS, name
        assert phonemes.count("ˈ") == 1, name
    for word, phonemes in SWALLOWED.items():
        assert phonemes[0] == "ˌ", word
        assert set(phonemes) <= SIGNS, word


@pytest.mark.parametrize(("word", "phonemes"), [
    ("Gogh", "ɡˈO"), ("GOGH", "ɡˈO"), ("Pelé", "pˈɛlA"), ("Bolívar", "bˈɑləvəɹ"), ("Pepys's", "pˈipsᵻz"),
    ("Bligh's", "blˈIz"), ("Bligh’s", "blˈIz"), ("Marrakesh's", "mˌæɹəkˈɛʃᵻz"), ("house", None), ("van", None),
    ("", None), ("Goghs", None), ("at", "ˌæt"), ("It", "ˌɪt"), ("it's", "ˌɪts"), ("its", None), ("attic", None),
])
def test_names_are_found_with_accents_capitals_and_genitives(word: str, phonemes: str | None) -> None:
    """A name is said as in the table, its genitive with the ending that fits; other words are left alone."""
    assert said(word) == phonemes


@pytest.mark.parametrize(("phonemes", "ending"), [("blˈI", "z"), ("pˈips", "ᵻz"), ("lAnˈɛk", "s"), ("mˌæɹəkˈɛʃ", "ᵻz")])
def test_genitives(phonemes: str, ending: str) -> None:
    """After a hiss a syllable, after a voiceless sound s, else z."""
    assert genitive(phonemes) == ending


def test_the_voice_takes_them() -> None:
    """Tokens of names get the table's phonemes, also where the genitive is a token of its own."""
    natural = pytest.importorskip("host.voices.natural")
    tokens = [SimpleNamespace(text=text, phonemes=None) for text in ("Gogh", "'s", "ear", "'s", "Laennec", "’s")]
    found = natural._names_known(tokens)
    assert [token.phonemes for token in found] == ["ɡˈO", "z", None, None, "lAnˈɛk", "s"]
    assert names.NAMES["gogh"] == "ɡˈO"
