"""The 24 Venture cards that come with the game: what each does on the board, and that its text says so (CE-18)."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from clever_table import make_board, make_packs

from host.games.clever_board import Drew, Pieces, lay_out, walk
from host.packs import Venture
from host.packs.decks import load_ventures

SHIPPED = {card.id: card for card in load_ventures(Path(__file__).resolve().parents[1] / "clues" / "ventures.toml")}
NOTHING = Venture("nothing", "Nothing.", "shield", "self", 0)
"""The card below, for whoever lands on the triangle by a swap."""
START = (5, 9, 2, 12)
"""Seat 0 walks one space to the triangle on 6 and draws; 1 sits to its left, 3 to its right and leads, 2 is last."""
MOVED = {
    "short-cut": (9, 9, 2, 12), "roller-skates": (8, 9, 2, 12), "shoelace": (5, 9, 2, 12), "own-map": (4, 9, 2, 12),
    "open-door": (6, 11, 2, 12), "old-joke": (6, 9, 2, 13), "kind-driver": (6, 9, 5, 12),
    "autographs": (6, 9, 2, 10), "brass-band": (7, 10, 3, 13), "sheep": (5, 8, 1, 11), "birthday-cake": (6, 10, 3, 13),
    "wrong-coats": (9, 6, 2, 12), "revolving-door": (12, 9, 2, 6), "good-manners": (2, 9, 6, 12),
    "borrowed-crown": (12, 9, 2, 6), "tandem": (9, 9, 2, 12), "picnic": (6, 9, 6, 12),
}
"""Where all stand after each card that moves somebody."""
PROMISED = {
    "mild-judge": ("free", (1, 0, 0, 0)), "on-the-house": ("free", (1, 1, 1, 1)), "moth": ("fewer", 1),
    "paper-plane": ("fewer", 2), "wound-up": ("bonus", (2, 0, 0, 0)), "tail-wind": ("bonus", (0, 0, 2, 0)),
    "cushion": ("shield", (2, 0, 0, 0)),
}
"""What each of the other cards promises for later."""
STAYING = (6, 9, 2, 12)
NUMBERS = {"one": 1, "two": 2, "three": 3}


def drawn(name: str) -> tuple[Pieces, Drew]:
    """The board after seat 0 has drawn this card, and what was told of it."""
    packs = replace(make_packs(board=make_board(triangles=(6,))), ventures=(SHIPPED[name], NOTHING))
    pieces, told = walk(packs, replace(lay_out(4, (0, 1)), places=START), 0, 1)
    return pieces, next(event for event in told if isinstance(event, Drew))


def test_every_shipped_card_stands_in_a_table() -> None:
    """24 cards, each with its effect written down here."""
    assert set(SHIPPED) == {*MOVED, *PROMISED}
    assert len(SHIPPED) == 24


@pytest.mark.parametrize("name", MOVED)
def test_a_card_that_moves(name: str) -> None:
    """CE-18: pieces stand where the card's text puts them, and nothing is promised."""
    pieces, told = drawn(name)
    assert told.venture == SHIPPED[name]
    assert pieces.places == MOVED[name]
    assert (pieces.free, pieces.bonus, pieces.shield, pieces.fewer) == ((0,) * 4, (0,) * 4, (0,) * 4, 0)


@pytest.mark.parametrize("name", PROMISED)
def test_a_card_that_promises(name: str) -> None:
    """CE-18: nobody moves but the drawer to the triangle, and the promise is kept for whom it is for."""
    pieces, _ = drawn(name)
    kind, wanted = PROMISED[name]
    assert pieces.places == STAYING
    assert getattr(pieces, kind) == wanted
    rest = {other: getattr(pieces, other) for other in ("free", "bonus", "shield", "fewer") if other != kind}
    assert set(rest.values()) <= {(0, 0, 0, 0), 0}


@pytest.mark.parametrize("name", SHIPPED)
def test_the_text_says_what_the_card_does(name: str) -> None:
    """The number, the direction and the person that are read aloud are those of the effect."""
    card = SHIPPED[name]
    text = card.text.lower()
    if card.n:
        assert abs(card.n) in [NUMBERS[word] for word in re.findall(r"\b(one|two|three)\b", text)], card.text
    if card.kind == "move":
        assert ("forward" in text) == (card.n > 0)
        assert ("back " in text) == (card.n < 0)
    words = {"left": ["left"], "right": ["right"], "leader": ["leader"], "last": ["last"], "others": ["other players"],
             "all": ["everybody", "next card", "the next one"], "self": ["you", "go forward"]}[card.who]
    assert any(word in text for word in words)


def test_no_card_is_cruel() -> None:
    """CE-18, kind to everybody: nobody is sent back more than two spaces or to START, and nobody loses a turn."""
    assert min(card.n for card in SHIPPED.values()) >= -2
    assert not any("miss a turn" in card.text.lower() or "start" in card.text.lower() for card in SHIPPED.values())
