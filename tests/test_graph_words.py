"""Texts become tokens, and tokens get their sounds."""

from pathlib import Path

import pytest

from host.ears.espeak import arpabet
from host.ears.lexicon import PHONES, Lexicon, LexiconError, missing, tokens
from host.ears.pronounce import given, guess, pronounce, vocabulary

LANG = Path(__file__).parent.parent / "models" / "vosk-model-small-en-gamehost" / "lang"


@pytest.mark.parametrize(("text", "wanted"), [
    ("Café Zoë", "cafe zoe"),
    ("São Tomé", "sao tome"),
    ("O’Neill", "o'neill"),
    ("AC/DC", "ac dc"),
    ("Spider-Man", "spider man"),
    ("Simon & Garfunkel", "simon and garfunkel"),
    ("'Hello,' she said.", "hello she said"),
    ("Łódź, Straße, Ærø", "lodz strasse aero"),
    ("Apollo 11", "apollo 11"),
    ("  ", ""),
    ("don't", "don't"),
    ("snake_case", "snake case"),
])
def test_a_text_becomes_tokens(text: str, wanted: str) -> None:
    """REC-04, REC-25: lower case, without accents or punctuation, apostrophes kept inside."""
    assert " ".join(tokens(text)) == wanted


def test_accents_stay_where_a_model_knows_them() -> None:
    """REC-04: unfolded tokens keep their accents, composed."""
    assert tokens("Cafe\u0301 Zoë!", fold=False) == ("café", "zoë")


@pytest.mark.parametrize(("ipa", "phones"), [
    ("pɪkˈætʃuː", "P IH K AE CH UW"),
    ("vˈɛn", "V EH N"),
    ("bjˈɔːɹk", "B Y AO R K"),
    ("ɑːkˈɔŋkwoʊ", "AA K AO NG K W OW"),
    ("", ""),
    ("?!", ""),
])
def test_ipa_becomes_the_model_s_phones(ipa: str, phones: str) -> None:
    """The longest known sign wins; what is no sound is left out."""
    assert " ".join(arpabet(ipa)) == phones


def test_the_order_is_lexicon_then_sounds_then_a_guess() -> None:
    """A known word keeps its sounds and gains the pack's; an unknown one takes the pack's, else a guess."""
    got = pronounce(
        ["paris", "hermione", "qwyzzlbrand", "pikachu"],
        [("Paris", "P AA1 R IY0"), ("Hermione", "HH ER M AY AH N IY"), ("Elsewhere", "EH L")],
        Lexicon(LANG),
    )
    assert got["paris"] == (*Lexicon(LANG).find(["paris"])["paris"], ("P", "AA", "R", "IY"))
    assert ("HH", "ER", "M", "AY", "AH", "N", "IY") in got["hermione"]
    assert len(got["qwyzzlbrand"]) == 1
    assert set(got["qwyzzlbrand"][0]) <= set(PHONES)
    assert list(got) == ["paris", "hermione", "qwyzzlbrand", "pikachu"]


def test_words_missing_from_the_lexicon_are_listed() -> None:
    """REC-01, CON-10: the words of answers and names that the model lacks are told, once each, in order."""
    assert missing(["The Qwyzzl Tower", "Blue Zzzzq qwyzzl"], Lexicon(LANG)) == ("qwyzzl", "zzzzq")


def test_a_vocabulary_covers_every_word_of_its_texts() -> None:
    """All tokens get a pronunciation, ASCII or not."""
    assert set(vocabulary(["Café Qwyzzl", "AC/DC"], [], Lexicon(LANG))) == {"cafe", "qwyzzl", "ac", "dc"}


@pytest.mark.parametrize(("sounds", "sentence"), [
    ([("venn", "V E N")], "unknown phones E"),
    ([("venn", "")], "no phones"),
    ([("venn diagram", "V EH N")], "one word at a time"),
])
def test_wrong_sounds_are_one_sentence(sounds, sentence: str) -> None:
    """A pack's author reads what to write instead."""
    with pytest.raises(LexiconError, match=sentence):
        given(sounds)


def test_espeak_failing_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dead child is told with the words it was to pronounce."""
    monkeypatch.setattr("host.ears.pronounce.sys.executable", "/bin/false")
    with pytest.raises(LexiconError, match="could not pronounce qwyzzl"):
        guess(["qwyzzl"])
