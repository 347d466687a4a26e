"""What was played is kept per pack, and players mark cards by voice (CE-20, CON-04): from the table to the disk."""

from dataclasses import replace
from pathlib import Path

import pytest
from evening import CARDS, PACKS, Evening

from host.app.evening import keeper
from host.events import Part
from host.memory import Memory

KNOWN = ("we know this one", "i know this card", "we had this one")
BAD = ("bad card", "this card is wrong")


def at_first_statement() -> tuple[Evening, str]:
    """A table at its first card, and that card's id."""
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    card = evening.table.rules.expects(evening.state.game).card
    assert card is not None
    return evening, card.id


@pytest.mark.parametrize(("said", "kind"), [*((text, "known") for text in KNOWN), *((text, "bad") for text in BAD)])
def test_a_card_is_marked_by_voice_and_skipped(said: str, kind: str) -> None:
    """"We know this one" and "bad card" mark the open card, say so, and the next card comes."""
    evening, card = at_first_statement()
    evening.say(said)
    evening.until("card2/statement1")
    assert (kind, card) in evening.kept
    assert any(name == "table/marked" for _, name, _ in evening.said)
    assert evening.table.rules.expects(evening.state.game).card.id != card


def test_marks_outlive_the_evening(tmp_path: Path) -> None:
    """What was marked at the table is on the disk for the author; twice bad is never drawn again."""
    path = tmp_path / "memory.json"
    for _ in range(2):
        evening, card = at_first_statement()
        keep = keeper(Memory.open(path), evening.table.packs)
        evening.say("bad card")
        evening.until("card2/statement1")
        for deck, one in evening.kept:
            keep(deck, one)
    assert Memory.open(path).skipped() == (card,)
    assert card in Memory.open(path).used("clues")


def test_ce_20_a_deck_that_begins_anew_forgets_only_its_own_packs(tmp_path: Path) -> None:
    """All cards of one pack were played: they come again, and those of a pack that stayed in the box stay played."""
    memory = Memory.open(tmp_path / "memory.json")
    family, kids = replace(PACKS, clues=CARDS[:3]), replace(PACKS, clues=CARDS[3:])
    for packs in (family, kids):
        for card in packs.clues:
            keeper(memory, packs)("clues", card.id)
    keeper(memory, kids)("clues", "")
    assert memory.used("clues") == tuple(card.id for card in family.clues)


def test_without_a_memory_nothing_is_kept_and_a_full_disk_is_told(tmp_path: Path) -> None:
    """No memory is no fault; what the memory has to tell is told."""
    keeper(None, PACKS)("clues", "thing-1")
    (tmp_path / "file").write_text("")
    told: list[str] = []
    keeper(Memory.open(tmp_path / "file" / "memory.json"), PACKS, told.append)("clues", "thing-1")
    assert len(told) <= 1
