"""What only the judge knows: matched in what dictation wrote, never listened for, never guessed at."""

from dataclasses import replace

import pytest
from evening import PACKS, Evening
from hypothesis import given
from hypothesis import strategies as st

from host.app.paths import CLUES
from host.bench.judge import MORE, PAIRS, pairs
from host.events import Verdict, Word
from host.games import Expects
from host.judge import forms, judge, judge_text, wrong_forms
from host.packs import Card
from host.packs.files import load_packs
from host.table.hearing import Hearing

CARD = Card(
    id="place-venice", category="Place", answer="Venice", essential=("venice",), statements=(), false_statement="",
    aliases=("the floating city",), aliases_written=("the lagoon city", "when the doge was drowned", "Verona"),
    prompt=("an Italian city",), prompt_written=("a city on the water", "Padua"), never=("Vienna",),
    rivals=("Verona", "Rome", "Padua", "Genoa"), region="europe",
)
SHIPPED = [card for pack in load_packs(CLUES) for card in pack.cards]


def words(text: str) -> tuple[Word, ...]:
    """The words, one after another, all sure."""
    return tuple(Word(word, at * 4800, at * 4800 + 4800, 1.0) for at, word in enumerate(text.split()))


@pytest.mark.parametrize(("said", "verdict"), [
    ("is it the lagoon city", Verdict.RIGHT),
    ("um the city lagoon", Verdict.RIGHT),
    ("a city on the water", Verdict.UNSPECIFIC),
    ("the lagoon kitty", Verdict.WRONG),
    ("the lagoon", Verdict.WRONG),
    ("verona", Verdict.WRONG),
    ("padua", Verdict.WRONG),
    ("vienna", Verdict.WRONG),
])
def test_written_entries_are_met_word_for_word(said: str, verdict: Verdict) -> None:
    """An entry is right, or too general, as it is written; nothing alike is, and rivals stay wrong."""
    assert judge_text(CARD, said).verdict is verdict


def test_the_grammars_words_are_not_met_by_written_entries() -> None:
    """What the grammar pieced together is no answer by a written entry, only what dictation wrote is."""
    assert judge(CARD, words("the lagoon city"), words("[unk]")).verdict is not Verdict.RIGHT
    assert judge(CARD, words("[unk]"), words("the lagoon city")).verdict is Verdict.RIGHT


@given(st.sampled_from(SHIPPED), st.lists(st.sampled_from(("the sea", "my house", "a nice thing")), max_size=3))
def test_written_entries_are_no_forms(card: Card, texts: list[str]) -> None:
    """With any written entries or none, the same forms are listened for."""
    other = replace(card, aliases_written=tuple(texts), prompt_written=tuple(texts))
    assert forms(other) == forms(card)
    assert wrong_forms(other) == wrong_forms(card)


def test_the_shipped_packs_grammar_has_no_written_entry() -> None:
    """Nothing that the shipped cards have for the judge alone is among the phrases of their grammar."""
    for card in SHIPPED:
        listened = {*forms(card), *wrong_forms(card)}
        bare = replace(card, aliases_written=(), prompt_written=())
        assert listened == {*forms(bare), *wrong_forms(bare)}


def test_the_ear_is_told_of_no_written_entry() -> None:
    """What the table listens for on a card is the same with its written entries and without them."""
    bare = replace(CARD, aliases_written=(), prompt_written=())
    told = []
    for card in (CARD, bare):
        packs = replace(PACKS, clues=(card, *PACKS.clues))
        told.append(Hearing(packs).listens(Evening(packs=packs).state, Expects(card=card)))
    assert "venice" in " ".join(told[0].phrases)
    assert told[0] == told[1]


SOUNDS = {
    "gandhi": (("G", "AE", "N", "D", "IY"),), "candy": (("K", "AE", "N", "D", "IY"),), "two": (("T", "UW"),),
    "tutu": (("T", "UW", "T", "UW"),), "desmond": (("D", "EH", "Z", "M", "AH", "N", "D"),),
    "wood": (("W", "UH", "D"),), "stock": (("S", "T", "AA", "K"),), "stop": (("S", "T", "AA", "P"),),
    "woodstock": (("W", "UH", "D", "S", "T", "AA", "K"),), "i": (("AY",),), "scream": (("S", "K", "R", "IY", "M"),),
    "ice": (("AY", "S"),), "cream": (("K", "R", "IY", "M"),), "stalk": (("S", "T", "AA", "K"),),
}
ALL = {card.id: card for card in SHIPPED}


@pytest.mark.parametrize(("card", "said", "verdict"), [
    ("place-eiffel-tower", "the eiffel tower in paris", Verdict.RIGHT),
    ("place-eiffel-tower", "the eiffel tower in las vegas", Verdict.WRONG),
    ("place-colosseum", "the colosseum in rome", Verdict.RIGHT),
    ("event-christmas", "christmas in england", Verdict.RIGHT),
    ("event-new-years-eve", "new year in thailand", Verdict.WRONG),
    ("event-new-years-eve", "new year", Verdict.RIGHT),
    ("person-beatrix-potter", "queen beatrix", Verdict.WRONG),
    ("person-beatrix-potter", "miss potter", Verdict.RIGHT),
    ("person-hillary", "president hillary", Verdict.WRONG),
    ("person-hillary", "sir edmund hillary", Verdict.RIGHT),
    ("person-mandela", "president mandela", Verdict.RIGHT),
    ("event-melbourne-cup", "the melbourne cup horse race", Verdict.RIGHT),
    ("event-moon-landing", "when they landed on the moon", Verdict.RIGHT),
    ("place-everest", "mount everest", Verdict.RIGHT),
    ("mystery-rainbow", "the end of the rainbow", Verdict.WRONG),
    ("mystery-rainbow", "and the rainbow", Verdict.RIGHT),
    ("person-desmond-tutu", "desmond two two", Verdict.RIGHT),
    ("thing-ice-cream", "i scream", Verdict.RIGHT),
    ("person-gandhi", "candy", Verdict.AGAIN),
    ("event-woodstock", "wood stop", Verdict.AGAIN),
    ("event-woodstock", "wood stalk", Verdict.RIGHT),
])
def test_what_stands_around_an_answer_and_what_sounds_like_it(card: str, said: str, verdict: Verdict) -> None:
    """Places, offices and kinds beside an answer, words that sound the same or nearly, as a fair person takes them."""
    others = tuple(other.answer for other in SHIPPED if other.id != card)
    assert judge_text(ALL[card], said, others, SOUNDS).verdict is verdict


def test_further_pairs_are_for_tuning_only() -> None:
    """No further pair is in the half that is measured, none is one of the others, and every card exists."""
    more, known = pairs(MORE), {card.id for card in SHIPPED}
    assert len(more) >= 250
    assert {pair.split for pair in more} == {"tuning"}
    assert not {(pair.card, pair.said) for pair in more} & {(pair.card, pair.said) for pair in pairs(PAIRS)}
    assert {pair.card for pair in more} <= known
    assert len({pair.id for pair in more}) == len(more)
