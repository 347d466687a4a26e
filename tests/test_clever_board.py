"""Clever Endeavor: boards, moves, landings and Venture cards, against a deliberately naive reference."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from clever_table import make_board, make_packs
from hypothesis import given, settings
from hypothesis import strategies as st

from host.games import clever_board as moves
from host.games.clever_board import Drew, Moved, Slid, check_board, lay_out, walk
from host.packs import VENTURE_KINDS, WHO, Board, Packs, Space, Venture

BOARDS = sorted((Path(__file__).parent.parent / "clues" / "boards").glob("*.toml"))


def read_board(path: Path) -> tuple[Board, dict]:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    arrows = {arrow["from"]: arrow["to"] for arrow in raw["arrow"]}
    spaces = tuple(Space(n in raw["red"], n in raw["triangles"], arrows.get(n)) for n in range(raw["length"]))
    return Board(raw["id"], raw["title"], spaces), raw


# --- boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_shipped_boards_keep_ce_2(path: Path) -> None:
    """CE-2: a shipped board has 24-30 spaces, about 8 red ones, triangles, arrows, and is not the original."""
    board, raw = read_board(path)
    assert check_board(board) == ()
    assert 24 <= len(board.spaces) <= 30
    assert 7 <= sum(space.red for space in board.spaces) <= 9
    assert any(space.triangle for space in board.spaces)
    assert any(space.arrow is not None for space in board.spaces)
    assert raw["original"] is False
    assert "not the original" in board.title


def test_a_board_is_shipped() -> None:
    """CE-2: there is a board to play on."""
    assert BOARDS


GOOD = make_board(10, 6, triangles=(2,), arrows=((8, 6),))


def put(index: int, **changes: object) -> Board:
    spaces = list(GOOD.spaces)
    spaces[index] = replace(spaces[index], **changes)
    return replace(GOOD, spaces=tuple(spaces))


@pytest.mark.parametrize(("board", "fault"), [
    (GOOD, None),
    (replace(GOOD, spaces=GOOD.spaces[:3]), "at least"),
    (put(0, triangle=True), "away from START"),
    (put(9, triangle=True), "away from the Winner's Circle"),
    (put(9, arrow=6), "away from the Winner's Circle"),
    (put(0, red=True), "START belongs to neither"),
    (put(9, red=True), "Circle belongs to neither"),
    (put(3, red=True), "zone"),
    (put(7, red=False), "zone"),
    (make_board(10, 1), "zone"),
    (make_board(10, 10), "zone"),
    (put(8, triangle=True), "triangle and an arrow"),
    (put(4, arrow=2), "needs a red space"),
    (put(8, arrow=3), "point back"),
    (put(8, arrow=8), "point back"),
    (put(7, arrow=8), "point back"),
    (put(6, arrow=0), "point back"),
    (put(7, arrow=-2), "point back"),
])
def test_check_board(board: Board, fault: str | None) -> None:
    """CE-2: a board is refused where triangles, arrows or zones are not as they must be, and says what to do."""
    faults = check_board(board)
    if fault is None:
        assert faults == ()
    else:
        assert any(fault in text for text in faults)


def test_arrow_to_an_arrow_is_refused() -> None:
    """CE-2: an arrow must not point to a space with an arrow."""
    assert check_board(make_board(12, 6, arrows=((8, 6), (9, 8))))


# --- moves ---------------------------------------------------------------------------------------


def set_up(places: tuple[int, ...], ventures: tuple[Venture, ...] = (), **board: object) -> tuple[Packs, moves.Pieces]:
    packs = make_packs(board=make_board(**board), ventures=ventures)
    return packs, replace(lay_out(len(places), tuple(range(len(ventures)))), places=places)


def card(kind: str, who: str = "self", n: int = 0) -> Venture:
    return Venture(f"{kind}-{who}-{n}", "Something happens.", kind, who, n)


def test_all_begin_on_start() -> None:
    """CE-1: every piece begins on START."""
    assert lay_out(8, ()).places == (0,) * 8


def test_nobody_goes_back_beyond_start() -> None:
    """CE-12: a step back from START moves nothing, so nobody lands."""
    packs, pieces = set_up((0, 3), (card("move", "self", 2),))
    assert walk(packs, pieces, 0, -1) == (pieces, ())


def test_the_first_in_the_circle_wins_with_more_steps_than_needed() -> None:
    """CE-3: more steps than needed are fine."""
    packs, pieces = set_up((25, 3))
    pieces, told = walk(packs, pieces, 0, 6)
    assert (pieces.winner, pieces.places, told) == (0, (27, 3), (Moved(0, 25, 27),))


@pytest.mark.parametrize(("who", "drawer", "near", "winner"), [
    ("all", 0, (0, 1, 2, 3), 0),
    ("all", 2, (0, 1, 2, 3), 2),
    ("others", 1, (0, 2, 3), 2),
    ("others", 3, (0, 1, 2), 0),
    ("others", 1, (0, 3), 3),
    ("all", 3, (1, 2), 1),
])
def test_two_in_the_circle_by_one_effect(who: str, drawer: int, near: tuple[int, ...], winner: int) -> None:
    """CE-3: of several brought there by one effect the drawer wins, else the next to the left; the rest is dropped."""
    places = [20 if seat in near else 5 for seat in range(4)]
    places[drawer] = 19 if drawer in near else 6
    packs, pieces = set_up(tuple(places), (card("move", who, 7), card("move", "all", -9)), triangles=(7, 12, 20))
    pieces, told = walk(packs, pieces, drawer, 1)
    assert pieces.winner == winner
    assert all(pieces.places[seat] == 27 for seat in near)
    assert sum(isinstance(event, Drew) for event in told) == 1


def test_triangle_draws_the_top_card_and_puts_it_under() -> None:
    """CE-18: a piece that lands on a triangle draws the top card, which goes under the deck and is done."""
    packs, pieces = set_up((2, 9), (card("swap", "left"), card("move", "self", 1)), triangles=(3,))
    pieces, told = walk(packs, pieces, 0, 1)
    assert pieces.places == (9, 4)
    assert pieces.deck == (0, 1)
    # the swapped piece landed on the triangle in its turn, and drew the second card
    assert [event.seat for event in told if isinstance(event, Drew)] == [0, 1]


def test_a_penalty_step_is_a_landing_too() -> None:
    """CE-18: penalty steps are landings."""
    packs, pieces = set_up((4,), (card("shield", "self", 1),), triangles=(3,))
    pieces, told = walk(packs, pieces, 0, -1)
    assert pieces.shield == (1,)
    assert [type(event) for event in told] == [Moved, Drew]


def test_arrow_leads_back_and_its_goal_is_landed_on() -> None:
    """CE-19, CE-18: the arrow is followed, and then the triangle to which it points."""
    packs, pieces = set_up((22, 0), (card("free", "all", 1),), triangles=(21,), arrows=((24, 21),))
    pieces, told = walk(packs, pieces, 0, 2)
    assert pieces.places == (21, 0)
    assert pieces.free == (1, 1)
    assert [type(event) for event in told] == [Moved, Slid, Drew]


def test_all_move_before_any_landing_and_the_drawers_comes_first() -> None:
    """CE-18: all pieces of one effect move first; then landings, the drawer's first, then to the left."""
    packs, pieces = set_up((2, 1, 5), (card("move", "all", 2), card("bonus", "self", 1), card("bonus", "self", 2),
                                       card("bonus", "self", 4)), triangles=(3, 5, 7))
    pieces, told = walk(packs, pieces, 0, 1)
    assert pieces.places == (5, 3, 7)
    assert [event.seat for event in told if isinstance(event, Drew)] == [0, 0, 1, 2]
    assert pieces.bonus == (1, 2, 4)


def test_a_draw_owed_is_made_though_the_piece_was_moved_away() -> None:
    """CE-18: who has landed on a triangle draws, even if another's card moved the piece meanwhile."""
    packs, pieces = set_up((2, 4), (card("move", "all", 1), card("move", "left", -1), card("bonus", "self", 9)),
                           triangles=(3, 4, 5))
    _, told = walk(packs, pieces, 0, 1)
    assert [event.seat for event in told if isinstance(event, Drew)][:4] == [0, 0, 1, 1]


def test_no_more_than_24_draws_in_a_chain() -> None:
    """CE-18: a chain that would never end stops after 24 draws."""
    packs, pieces = set_up((2, 9), (card("move", "self", 1), card("move", "self", -1)), triangles=(3, 4))
    pieces, told = walk(packs, pieces, 0, 1)
    assert sum(isinstance(event, Drew) for event in told) == 24
    assert pieces.deck == (0, 1)


def test_without_venture_cards_a_triangle_is_a_space() -> None:
    """CE-18: an empty deck stops nobody."""
    packs, pieces = set_up((2,), triangles=(3,))
    assert walk(packs, pieces, 0, 1)[0].places == (3,)


@pytest.mark.parametrize(("who", "places", "whom"), [
    ("self", (3, 1, 2), (0,)),
    ("left", (3, 1, 2), (1,)),
    ("right", (3, 1, 2), (2,)),
    ("leader", (3, 1, 2), (0,)),
    ("leader", (3, 3, 3), (1,)),
    ("last", (3, 1, 2), (1,)),
    ("last", (1, 3, 1), (2,)),
    ("others", (3, 1, 2), (1, 2)),
    ("all", (3, 1, 2), (0, 1, 2)),
    ("left", (3,), ()),
    ("right", (3,), ()),
    ("others", (3,), ()),
    ("leader", (3,), (0,)),
])
def test_whom_a_card_means(who: str, places: tuple[int, ...], whom: tuple[int, ...]) -> None:
    """CE-18: a card's word for players means these seats; of equals, the first to the drawer's left."""
    places = (places[0] - 1, *places[1:])
    packs, pieces = set_up(places, (card("bonus", who, 1),), triangles=(places[0] + 1,))
    _, told = walk(packs, pieces, 0, 1)
    assert [event.whom for event in told if isinstance(event, Drew)] == [whom]


@pytest.mark.parametrize(("venture", "places", "after"), [
    (card("move", "self", 3), (5, 9), (9, 9)),
    (card("move", "left", -4), (5, 3), (6, 0)),
    (card("swap", "leader"), (5, 9, 2), (9, 6, 2)),
    (card("swap", "last"), (5, 9, 6), (6, 9, 6)),
    (card("swap", "leader"), (5, 2, 3), (6, 2, 3)),
    (card("swap", "left"), (5,), (6,)),
    (card("join", "self"), (5, 9, 11), (9, 9, 11)),
    (card("join", "self"), (5, 3, 2), (6, 3, 2)),
    (card("join", "all"), (5, 9, 11), (9, 11, 11)),
    (card("join", "others"), (5, 3, 11), (6, 6, 11)),
])
def test_cards_that_move(venture: Venture, places: tuple[int, ...], after: tuple[int, ...]) -> None:
    """CE-18: move, swap and join put pieces where the card says."""
    packs, pieces = set_up(places, (venture,), triangles=(6,))
    packs = replace(packs, ventures=(venture, card("free")))
    pieces = replace(pieces, deck=(0, 1))
    assert walk(packs, pieces, 0, 1)[0].places == after


def test_fewer_adds_up() -> None:
    """CE-18: "fewer" takes statements from the next card."""
    packs, pieces = set_up((2,), (card("fewer", n=2),), triangles=(3,))
    assert walk(packs, pieces, 0, 1)[0].fewer == 2


@pytest.mark.parametrize("venture", [card("dance"), card("move", "nobody", 1)])
def test_unknown_cards_are_a_programmers_mistake(venture: Venture) -> None:
    """A Venture card that the rules do not know raises with a sentence."""
    packs, pieces = set_up((2,), (venture,), triangles=(3,))
    with pytest.raises(ValueError, match="Venture card"):
        walk(packs, pieces, 0, 1)


# --- the naive reference -------------------------------------------------------------------------


class Naive:
    """Positions only, with lists that change and calls that nest: as one would do it on paper."""

    def __init__(self, board: Board, ventures: tuple[Venture, ...], places: tuple[int, ...], deck: tuple[int, ...]):
        self.board, self.places = board.spaces, list(places)
        self.deck = [ventures[index] for index in deck]
        self.bonus = [0] * len(places)
        self.shield = [0] * len(places)
        self.free = [0] * len(places)
        self.winner: int | None = None
        self.draws = 0

    def left_of(self, seat: int) -> list[int]:
        return [*range(seat + 1, len(self.places)), *range(seat)]

    def walk(self, seat: int, steps: int) -> None:
        self.draws = 0
        self.effect(seat, {seat: self.places[seat] + steps})

    def effect(self, drawer: int, goals: dict[int, int]) -> None:
        circle, before = len(self.board) - 1, self.places[:]
        for seat, goal in goals.items():
            self.places[seat] = 0 if goal < 0 else circle if goal > circle else goal
        moved = [seat for seat in [drawer, *self.left_of(drawer)] if self.places[seat] != before[seat]]
        for seat in moved:
            if self.places[seat] == circle:
                self.winner = seat
                return
        for seat in moved:
            if self.board[self.places[seat]].arrow is not None:
                self.places[seat] = self.board[self.places[seat]].arrow
        for seat in [seat for seat in moved if self.board[self.places[seat]].triangle]:
            if self.winner is None and self.draws < 24 and self.deck:
                self.draws += 1
                self.deck.append(self.deck.pop(0))
                self.draw(seat, self.deck[-1])

    def draw(self, seat: int, venture: Venture) -> None:
        others = self.left_of(seat)
        best, worst = max(self.places), min(self.places)
        whom = {
            "self": [seat], "left": others[:1], "right": others[-1:], "others": others, "all": [seat, *others],
            "leader": [s for s in [*others, seat] if self.places[s] == best][:1],
            "last": [s for s in [*others, seat] if self.places[s] == worst][:1],
        }[venture.who]
        goals = {}
        for other in whom:
            if venture.kind == "move":
                goals[other] = self.places[other] + venture.n
            if venture.kind == "join":
                ahead = [place for place in self.places if place > self.places[other]]
                if ahead:
                    goals[other] = min(ahead)
            for kind, counts in (("bonus", self.bonus), ("shield", self.shield), ("free", self.free)):
                if venture.kind == kind:
                    counts[other] += venture.n
        if venture.kind == "swap" and whom:
            goals = {seat: self.places[whom[0]], whom[0]: self.places[seat]}
        self.effect(seat, goals)


ventures_of = st.lists(
    st.builds(Venture, st.just("v"), st.just("Text."), st.sampled_from(VENTURE_KINDS), st.sampled_from(WHO),
              st.integers(-4, 4)), max_size=12).map(tuple)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards that keep CE-2."""
    length = draw(st.integers(8, 30))
    red = draw(st.integers(3, length - 3))
    arrows = {}
    for start in draw(st.lists(st.integers(red + 1, length - 2), max_size=3, unique=True)):
        goals = [goal for goal in range(red, start) if goal not in arrows and start not in arrows.values()]
        if goals:
            arrows[start] = draw(st.sampled_from(goals))
    free = [index for index in range(1, length - 1) if index not in arrows]
    triangles = draw(st.lists(st.sampled_from(free), max_size=10, unique=True))
    return make_board(length, red, tuple(triangles), tuple(arrows.items()))


@settings(max_examples=400, deadline=None)
@given(boards(), ventures_of, st.data())
def test_moves_agree_with_the_naive_reference(board: Board, ventures: tuple[Venture, ...], data: st.DataObject) -> None:
    """CE-3, CE-12, CE-18, CE-19: any series of moves ends where the naive reference says."""
    assert check_board(board) == ()
    seats = data.draw(st.integers(1, 8))
    packs = make_packs(board=board, ventures=ventures)
    pieces = lay_out(seats, tuple(range(len(ventures))))
    naive = Naive(board, ventures, pieces.places, pieces.deck)
    for seat, steps in data.draw(st.lists(st.tuples(st.integers(0, seats - 1), st.integers(-3, 6)), max_size=12)):
        pieces, told = walk(packs, pieces, seat, steps)
        naive.walk(seat, steps)
        assert list(pieces.places) == naive.places
        assert pieces.winner == naive.winner
        assert (list(pieces.bonus), list(pieces.shield), list(pieces.free)) == (naive.bonus, naive.shield, naive.free)
        assert [ventures[index] for index in pieces.deck] == naive.deck
        assert all(0 <= place < len(board.spaces) for place in pieces.places)
        assert sum(isinstance(event, Drew) for event in told) <= 24
        if pieces.winner is not None:
            break
