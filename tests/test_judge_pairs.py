"""The judge against tables of pairs: a card, what was said, and what a fair person would say to it."""

import csv
import tomllib
from pathlib import Path

import pytest

from host.events import Verdict, Word
from host.judge import forms, judge, judge_text, wrong_forms
from host.judge.normal import plain
from host.packs import Card

DATA = Path(__file__).parent / "data"


def cards() -> dict[str, Card]:
    """The cards of the tests by id."""
    table = tomllib.loads((DATA / "judged_cards.toml").read_text(encoding="utf-8"))
    return {
        raw["id"]: Card(
            id=raw["id"], category=raw["category"], answer=raw["answer"], essential=tuple(raw["essential"]),
            statements=(), false_statement="", aliases=tuple(raw.get("aliases", ())),
            prompt=tuple(raw.get("prompt", ())), never=tuple(raw.get("never", ())), rivals=tuple(raw["rivals"]),
        )
        for raw in table["card"]
    }


CARDS = cards()


def rows(name: str) -> list[list[str]]:
    """The rows of a table, its comments left out."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file, delimiter="|", quoting=csv.QUOTE_NONE) if row and row[0][0] != "#"]


def timed(text: str, confidence: float = 1.0) -> tuple[Word, ...]:
    """Words of 0.3 s each, one after another."""
    return tuple(Word(word, at * 4800, at * 4800 + 4800, confidence) for at, word in enumerate(text.split()))


PAIRS = rows("judged_pairs.csv")


def test_there_are_enough_pairs_and_enough_hard_ones() -> None:
    """The table holds 250 pairs or more, and at least 40 % of them are neither exact nor plainly another thing."""
    hard = [row for row in PAIRS if row[3] not in ("exact", "rival", "other")]
    assert len(PAIRS) >= 250
    assert len(hard) >= 0.4 * len(PAIRS)
    assert len({(row[0], row[1]) for row in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: f"{row[0]}-{row[1]}-{row[3]}")
def test_pair_gets_its_verdict(row: list[str]) -> None:
    """A reading about which nothing is doubtful gets the verdict of the table (ANS-01..16, REC-22, REC-25)."""
    card, text, verdict, _ = row
    assert judge_text(CARDS[card], text).verdict is Verdict(verdict), judge_text(CARDS[card], text)


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: f"{row[0]}-{row[1]}-{row[3]}")
def test_pair_heard_alike_twice_is_right_only_where_it_should_be(row: list[str]) -> None:
    """Grammar and dictation agreeing word for word give the same right verdicts, and rob or gift nobody."""
    card, text, verdict, _ = row
    words = tuple(Word(word, 0, 0) for word in plain(text))
    heard = judge(CARDS[card], words, words).verdict
    assert (heard is Verdict.RIGHT) == (verdict == "right"), judge(CARDS[card], words, words)


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_answer_aliases_and_answer_is_are_right(card: Card) -> None:
    """GAM-01: the answer, every alias and "the answer is X" are right on every card, in every spoken form."""
    for text in (card.answer, *card.aliases):
        assert judge_text(card, text).verdict is Verdict.RIGHT, text
        assert judge_text(card, f"answer is {text}").verdict is Verdict.RIGHT, text
        assert judge_text(card, f"the answer is {text}").verdict is Verdict.RIGHT, text


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_every_form_listened_for_is_judged_as_what_it_is(card: Card) -> None:
    """What the grammar may hear of the answer is right or too general, of the others never right."""
    for form in forms(card):
        opinion = judge(card, timed(form), timed(form))
        assert opinion.verdict in (Verdict.RIGHT, Verdict.UNSPECIFIC), form
        assert plain(form) == tuple(form.split()), form
    assert judge(card, timed(forms(card)[0]), ()).verdict is Verdict.RIGHT
    for form in wrong_forms(card):
        assert judge(card, timed(form), timed(form)).verdict in (Verdict.WRONG, Verdict.UNSPECIFIC), form


CARRIED = (
    "is it {}", "it's {}", "i think it is {}", "i think it's {}", "um {}", "the answer is {}", "could it be {}",
    "what about {}", "that's {}", "my guess is {}", "i'd say {}", "it must be {}", "are you {}", "you are {}",
    "maybe it's {}", "uh is it um {}", "{} i think", "is that {}", "{} isn't it", "what is {}", "oh i know it's {}",
)


@pytest.mark.parametrize("carrier", CARRIED)
def test_carrier_changes_no_verdict(carrier: str) -> None:
    """ANS-10: twenty carriers around ten answers and ten wrong ones leave their verdicts as they are."""
    chosen = [card for card in CARDS.values() if len(card.answer) > 3][:10]
    for card in chosen:
        for text in (card.answer, card.rivals[0], card.rivals[1]):
            bare = judge_text(card, text).verdict
            assert judge_text(card, carrier.format(text)).verdict is bare, carrier.format(text)


def test_short_decoys_are_never_accepted() -> None:
    """ANS-03: a hundred short words are right on no card of which they are not the answer."""
    decoys = (  # noqa: SIM905 - a list of 100 quoted words is hard to read
        "a an as at be by do go he hi if in is it me my no of oh on or so to up us we air ear art oil ice ton lip her "
        "his hat cat dog cow pig man sun sea ash ant bee bat car bus cap cup can pot pan pen pin tin tea toe tie top "
        "red hot cold old new big low one two three ten the and but not yes yeah well like just back with from here "
        "there then when men pet net set let map tap lap nap rap ran fan van pal gal rum"
    ).split()
    assert len(decoys) >= 100
    for card in CARDS.values():
        for decoy in decoys:
            assert judge_text(card, decoy).verdict is not Verdict.RIGHT, (card.id, decoy)


def test_answers_of_other_cards_are_wrong() -> None:
    """No card's answer is right on another card, and a shared surname is asked back."""
    others = tuple(card.answer for card in CARDS.values())
    for card in CARDS.values():
        for other in CARDS.values():
            if other.id != card.id:
                assert judge_text(card, other.answer, others).verdict is not Verdict.RIGHT, (card.id, other.id)
    assert judge_text(CARDS["lincoln"], "lincoln", ("Lincoln Memorial", "Blake Lincoln")).verdict is Verdict.UNSPECIFIC
