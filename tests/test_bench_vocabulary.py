"""The report of which answers a model can hear."""

from evening import card

from host.bench.vocabulary import Vocabulary, entry

SOUNDS = {
    "a": (("AH",),), "fork": (("F", "AO", "R", "K"),), "tim": (("T", "IH", "M"),), "buck": (("B", "AH", "K"),),
    "two": (("T", "UW"),), "timbuktu": (("T", "IH", "M", "B", "AH", "K", "T", "UW"),),
    "lincoln": (("L", "IH", "NG", "K", "AH", "N"),), "linking": (("L", "IH", "NG", "K", "IH", "NG"),),
    "zyx": (("Z", "IH", "K", "S"),),
}
KNOWN = {"a", "fork", "tim", "buck", "two", "linking"}
WORDS = Vocabulary(SOUNDS, KNOWN.__contains__)


def test_an_answer_of_known_words_is_known() -> None:
    """A form in words of the model is enough."""
    assert entry(card(1, "a fork"), WORDS).kind == "known"
    assert entry(card(1, "zyx", aliases=("a fork",)), WORDS).kind == "known"


def test_an_unknown_word_is_heard_by_words_that_sound_like_it() -> None:
    """Several known words in a row that sound exactly the same, or one that is near."""
    assert entry(card(1, "Timbuktu"), WORDS) .how == "tim buck two"
    assert entry(card(1, "Lincoln"), WORDS).how == "linking"


def test_what_nothing_sounds_like_is_hopeless() -> None:
    """The word that can't be heard is named."""
    found = entry(card(1, "a zyx"), WORDS)
    assert (found.kind, found.how) == ("hopeless", "zyx")
