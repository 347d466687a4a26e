"""The packs that come with the game pass their own check."""

from collections import Counter
from pathlib import Path

import pytest

from host.packs.checks import check
from host.packs.decks import load_board, load_numbers, load_ventures, load_words
from host.packs.files import PHONES, clue_files, load_pack, load_packs
from host.packs.text import read_lexicon, words

NUMBERS_AND_COLOURS = frozenset(words("""
    one two three four five six seven eight nine ten eleven twelve number
    pink blue yellow green red purple brown black white orange gray grey
"""))
COMMANDS = frozenset(words("""
    repeat pause continue score object objection undo skip slower faster louder quieter help stop ready venn card nobody
    yes no
"""))
CLUES = Path(__file__).resolve().parents[1] / "clues"
FILES = clue_files(CLUES)
LEXICONS = sorted((CLUES.parent / "models").glob("*/lang/lexicon.txt*"))


@pytest.mark.skipif(not FILES, reason="no packs in clues/ yet")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shipped_pack_has_no_faults(path: Path) -> None:
    """No error in any card of the pack."""
    assert [str(fault) for fault in check([load_pack(path)]) if fault.severity != "warning"] == []


@pytest.mark.skipif(not FILES, reason="no packs in clues/ yet")
def test_shipped_packs_have_no_faults_together() -> None:
    """No subject, statement or name twice over all packs; nothing sounds like its answer where there is a lexicon."""
    lexicon = read_lexicon(LEXICONS[0]) if LEXICONS else None
    assert [str(fault) for fault in check(load_packs(CLUES), lexicon) if fault.severity != "warning"] == []


def test_there_are_500_cards_as_the_box_wants_them() -> None:
    """500 cards: so many persons, places, things, events and mysteries; every card in one of the four packs."""
    cards = [card for pack in load_packs(CLUES) for card in pack.cards]
    assert Counter(card.category for card in cards) == {
        "Person": 110, "Place": 100, "Thing": 120, "Event": 80, "Mystery": 90}
    assert {card.pack for card in cards} == {"family", "classic", "kids", "expert"}
    assert {card.difficulty for card in cards} == {1, 2, 3}


def test_subjects_come_from_all_continents_and_ages() -> None:
    """Every continent has cards, none more than 35 % (so no country has); all centuries from 1400 on, and old ones."""
    cards = [card for pack in load_packs(CLUES) for card in pack.cards]
    regions = Counter(card.region for card in cards)
    placed = {region: count for region, count in regions.items() if region not in ("none", "world")}
    assert set(placed) == {"africa", "asia", "europe", "north-america", "south-america", "oceania", "antarctica"}
    assert max(placed.values()) + regions["world"] <= 0.35 * len(cards)
    centuries = Counter(card.century for card in cards)
    assert all(centuries[century] for century in range(15, 22))
    assert sum(count for century, count in centuries.items() if century < 0) >= 40
    assert sum(count for century, count in centuries.items() if 1 <= century <= 14) >= 40


@pytest.mark.parametrize("path", sorted((CLUES / "boards").glob("*.toml")), ids=lambda path: path.name)
def test_a_shipped_board_is_lawful_and_says_that_it_is_not_the_original(path: Path) -> None:
    """CE-2: 24 to 30 spaces, about 8 of them red, in one zone before the Winner's Circle."""
    board = load_board(path)
    red = [number for number, space in enumerate(board.spaces) if space.red]
    assert 24 <= len(board.spaces) <= 30
    assert 6 <= len(red) <= 10
    assert red == list(range(red[0], len(board.spaces) - 1))
    assert "not the original" in board.title


def test_the_shipped_venture_deck_has_24_cards() -> None:
    """CE-18: 24 Venture cards, all different."""
    path = CLUES / "ventures.toml"
    if not path.exists():
        pytest.skip("no clues/ventures.toml yet")
    cards = load_ventures(path)
    assert len(cards) == 24
    assert len({card.text for card in cards}) == 24


@pytest.mark.parametrize(("name", "load"), [("words", load_words), ("numbers", load_numbers)])
def test_shipped_venn_cards_can_be_loaded(name: str, load: object) -> None:
    """Venn's words and numbers have no faults."""
    path = CLUES / "venn" / f"{name}.toml"
    if not path.exists():
        pytest.skip(f"no clues/venn/{name}.toml yet")
    assert callable(load)
    assert load(path)


def test_shipped_venn_words_are_no_numbers_commands_or_colours() -> None:
    """VN-2: a list word must not be mistaken for its number, a command or a team."""
    path = CLUES / "venn" / "words.toml"
    if not path.exists():
        pytest.skip("no clues/venn/words.toml yet")
    entries = [entry for card in load_words(path) for entry in card]
    assert [entry for entry in entries if set(words(entry)) & NUMBERS_AND_COLOURS or entry in COMMANDS] == []


@pytest.mark.skipif(not LEXICONS, reason="no lexicon in models/ yet")
def test_phones_of_packs_are_those_of_the_lexicon() -> None:
    """What `sounds` may be written with is what the recogniser's lexicon is written with."""
    assert {phone for ways in read_lexicon(LEXICONS[0]).values() for way in ways for phone in way} == PHONES
