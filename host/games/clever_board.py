"""Clever Endeavor's paths, pieces and Venture cards: where everybody stands after a move.

No time, no words, no players' names: seats and places only. A place is the index of a space on the
path, which is the same for every player: 0 is START, the last one the Winner's Circle (CE-2).

The theory of a move (CE-18, CE-19)
-----------------------------------
One *effect* (steps, or a Venture card) moves pieces; all of them move first. Then, in this order:

1. Whoever stands in the Winner's Circle has won and the rest is dropped (CE-3).
2. Every moved piece that stands on an arrow follows it, the drawer's first, then to the left.
3. Every moved piece that stands on a triangle now owes a draw, in the same order.
4. The first draw owed is made. What it causes is followed to its end before the next draw owed.

A draw once owed is made even if another card has moved the piece away meanwhile: it did land there.
A piece whose place has not changed has not moved and not landed (CE-12).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from host.packs import Board, Packs, Venture

MOST_DRAWS = 24
"""After so many draws in one chain no more are drawn (CE-18)."""


def check_board(board: Board) -> tuple[str, ...]:
    """What is wrong with a board by CE-2, a sentence each; empty if nothing is."""
    spaces, last = board.spaces, len(board.spaces) - 1
    if last < 3:
        return (f"Board {board.id} needs START, a white space, a red space and the Winner's Circle at least.",)
    faults = []
    for index, name in ((0, "START"), (last, "the Winner's Circle")):
        if spaces[index].triangle or spaces[index].arrow is not None:
            faults.append(f"Board {board.id}: take the triangle or arrow away from {name}.")
        if spaces[index].red:
            faults.append(f"Board {board.id}: {name} belongs to neither zone, so make it not red.")
    reds = [index for index in range(1, last) if spaces[index].red]
    if not reds or reds[0] == 1 or reds != list(range(reds[0], last)):
        faults.append(f"Board {board.id}: put a zone that is not red first, then one red zone up to the Circle.")
    for index in range(1, last):
        space = spaces[index]
        if space.arrow is None:
            continue
        if space.triangle:
            faults.append(f"Board {board.id}, space {index}: it has a triangle and an arrow; take one away.")
        if not space.red:
            faults.append(f"Board {board.id}, space {index}: an arrow needs a red space.")
        if not 0 < space.arrow < index or not spaces[space.arrow].red or spaces[space.arrow].arrow is not None:
            faults.append(f"Board {board.id}, space {index}: let its arrow point back to a red space without an arrow.")
    return tuple(faults)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Where everybody stands, what their Venture cards have promised them, and the deck of those."""

    places: tuple[int, ...]
    deck: tuple[int, ...]
    """Venture cards as indices into the pack, the top one first."""
    free: tuple[int, ...]
    """More free guesses on the next card, a seat each."""
    bonus: tuple[int, ...]
    """More spaces with the next right guess."""
    shield: tuple[int, ...]
    """Penalty steps that will be forgiven."""
    fewer: int = 0
    """So many statements fewer on the next card."""
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece went from one place to another."""

    seat: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slid:
    """A piece followed an arrow back (CE-19)."""

    seat: int
    end: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A player drew a Venture card (CE-18); `whom` are the seats that it speaks of."""

    seat: int
    venture: Venture
    whom: tuple[int, ...]


Happening: TypeAlias = Moved | Slid | Drew


def lay_out(seats: int, deck: tuple[int, ...]) -> Pieces:
    """All pieces on START (CE-1)."""
    none = (0,) * seats
    return Pieces(places=none, deck=deck, free=none, bonus=none, shield=none)


def around(seat: int, seats: int) -> tuple[int, ...]:
    """All seats from one to its left, clockwise (CE-1)."""
    return tuple((seat + step) % seats for step in range(seats))


def in_red(packs: Packs, pieces: Pieces, seat: int) -> bool:
    """Does that piece stand in the red zone (CE-11)?"""
    return packs.board.spaces[pieces.places[seat]].red


def walk(packs: Packs, pieces: Pieces, seat: int, steps: int) -> tuple[Pieces, tuple[Happening, ...]]:
    """The piece goes so many spaces (negative: back) and all that follows from it happens."""
    goals: Mapping[int, int] = {seat: pieces.places[seat] + steps}
    told: list[Happening] = []
    owed: list[int] = []  # seats that owe a draw, the next one last
    drawer, draws = seat, 0
    while True:
        pieces, landed = _go(packs.board, pieces, drawer, goals, told)
        owed.extend(reversed(landed))
        if pieces.winner is not None or not owed or draws == MOST_DRAWS or not pieces.deck:
            return pieces, tuple(told)
        drawer, draws = owed.pop(), draws + 1
        top, *rest = pieces.deck
        venture = packs.ventures[top]
        whom = _whom(venture.who, pieces.places, drawer)
        told.append(Drew(drawer, venture, whom))
        pieces, goals = _effect(replace(pieces, deck=(*rest, top)), venture, drawer, whom)


def _go(
    board: Board, pieces: Pieces, drawer: int, goals: Mapping[int, int], told: list[Happening],
) -> tuple[Pieces, tuple[int, ...]]:
    """Move the pieces of one effect; returns the seats that landed on a triangle, in their order."""
    last = len(board.spaces) - 1
    places = list(pieces.places)
    order = around(drawer, len(places))
    moved = []
    for seat in order:
        end = min(max(goals.get(seat, places[seat]), 0), last)
        if end != places[seat]:
            told.append(Moved(seat, places[seat], end))
            places[seat] = end
            moved.append(seat)
    there = [seat for seat in moved if places[seat] == last]
    if there:
        return replace(pieces, places=tuple(places), winner=there[0]), ()
    for seat in moved:
        arrow = board.spaces[places[seat]].arrow
        if arrow is not None:
            told.append(Slid(seat, arrow))
            places[seat] = arrow
    return replace(pieces, places=tuple(places)), tuple(s for s in moved if board.spaces[places[s]].triangle)


def _whom(who: str, places: tuple[int, ...], drawer: int) -> tuple[int, ...]:
    """The seats that a card speaks of; of several leaders (or last ones) the first to the drawer's left."""
    self, *left = around(drawer, len(places))
    # The drawer comes last where places are equal: "whoever is last" then means somebody else.
    ordered = (*left, self)
    match who:
        case "self":
            return (self,)
        case "left":
            return tuple(left[:1])
        case "right":
            return tuple(left[-1:])
        case "leader":
            return (max(ordered, key=lambda seat: places[seat]),)
        case "last":
            return (min(ordered, key=lambda seat: places[seat]),)
        case "others":
            return tuple(left)
        case "all":
            return (self, *left)
    raise ValueError(f"A Venture card speaks of {who!r}; let it be self, left, right, leader, last, others or all.")


def _effect(
    pieces: Pieces, venture: Venture, drawer: int, whom: tuple[int, ...],
) -> tuple[Pieces, Mapping[int, int]]:
    """What a Venture card does: promises kept in the pieces, and the places to which pieces go."""
    places = pieces.places
    match venture.kind:
        case "move":
            return pieces, {seat: places[seat] + venture.n for seat in whom}
        case "swap":
            return pieces, {drawer: places[whom[0]], whom[0]: places[drawer]} if whom else {}
        case "join":
            return pieces, {
                seat: min((place for place in places if place > places[seat]), default=places[seat]) for seat in whom
            }
        case "free":
            return replace(pieces, free=_more(pieces.free, whom, venture.n)), {}
        case "bonus":
            return replace(pieces, bonus=_more(pieces.bonus, whom, venture.n)), {}
        case "shield":
            return replace(pieces, shield=_more(pieces.shield, whom, venture.n)), {}
        case "fewer":
            return replace(pieces, fewer=pieces.fewer + venture.n), {}
    raise ValueError(f"Venture card {venture.id} is of kind {venture.kind!r}, which is none of the rules' kinds.")


def _more(counts: tuple[int, ...], whom: tuple[int, ...], n: int) -> tuple[int, ...]:
    """The counts with n more for each of these seats."""
    return tuple(count + n if seat in whom else count for seat, count in enumerate(counts))
