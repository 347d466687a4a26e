"""Who sits where in Clever Endeavor while a game is on: joining, leaving, changing seats (CE-1).

All three make a new order of the seats. While a question to one of the players is open ("more exactly?", "who
said it?"), and after the end, nothing changes: the same state comes back, and the table asks again later.
"""

from dataclasses import replace
from typing import TypeVar

from host.clock import Samples
from host.events import Effect
from host.games import Player
from host.games.clever_desk import Desk
from host.games.clever_flow import READY, go_on
from host.games.clever_guessing import unsolved
from host.games.clever_state import Asking, Claiming, Exacting, Over, State

T = TypeVar("T")

MOST = 8
"""Players at a table (CE-1)."""
LEAST = 2
"""A game that somebody leaves goes on with so many (CE-1)."""


def settled(state: State) -> bool:
    """Whether seats may change now: no question to one of the players is open, and the game is not over."""
    return not isinstance(state.phase, Exacting | Claiming | Over)


def join(state: State, player: Player, seat: int, at: Samples) -> tuple[State, tuple[Effect, ...]]:
    """A late joiner sits down as that seat, on START; who sat there and to the left moves up by one (CE-1).

    Raises ValueError with one sentence where the table is full, the place is none or the colour is taken.
    """
    if state.seats == MOST:
        raise ValueError("Eight play already, and there is no ninth colour.")
    if not 0 <= seat <= state.seats:
        raise ValueError(f"The new player can sit at 0 to {state.seats}, not at {seat}.")
    if player.colour in [other.colour for other in state.players]:
        raise ValueError(f"{player.colour.capitalize()} is taken: choose another colour.")
    if not settled(state):
        return state, ()
    order = (*range(seat), None, *range(seat, state.seats))
    desk = Desk(_reseated(state, order, player), at)
    desk.tell("joined", "clever_joined", who=desk.who(seat), names=_beside(desk, seat))
    go_on(desk)
    return desk.state, tuple(desk.effects)


def leave(state: State, seat: int, at: Samples) -> tuple[State, tuple[Effect, ...]]:
    """That player leaves, and the piece goes; the cards pass to the left where that player had them (CE-1).

    A card that only the leaver could read, or did not guess at (CE-17), is over unsolved. Raises ValueError with
    one sentence where the seat is none, or fewer than two would be left.
    """
    if not 0 <= seat < state.seats:
        raise ValueError(f"There is a seat 0 to {state.seats - 1}, not {seat}.")
    if state.seats <= LEAST:
        raise ValueError("Two are needed to play on.")
    if not settled(state):
        return state, ()
    desk = Desk(state, at)
    who, reads = desk.who(seat), seat == state.reader
    if reads and state.options.reader != "host" and not state.hand.over:
        desk.hush()
        unsolved(desk, "clever_answer")  # the cards pass with it
        reads = False
    elif reads:
        desk.set(reader=(seat + 1) % state.seats)
    desk.state = _reseated(desk.state, tuple(old for old in range(state.seats) if old != seat))
    desk.tell("left", "clever_left", who=who)
    if reads:
        desk.tell("reader", "clever_pass", 0.3, who=who, next=desk.who(desk.state.reader))
        if isinstance(desk.state.phase, Asking):
            line = f"card{state.number + 1}/ready"
            line = desk.tell(line, "clever_ready", 0.5, who=desk.who(desk.state.reader))
            desk.enter(Asking(line, desk.state.quiet_by + READY))
    go_on(desk)
    return desk.state, tuple(desk.effects)


def swap(state: State, one: int, other: int, at: Samples) -> tuple[State, tuple[Effect, ...]]:
    """Two players change seats; each keeps colour, piece and guesses, and the cards if they are there (CE-1).

    Raises ValueError with one sentence where these are no two seats.
    """
    if one == other or not all(0 <= seat < state.seats for seat in (one, other)):
        raise ValueError("It takes two players to change seats.")
    if not settled(state):
        return state, ()
    change = {one: other, other: one}
    desk = Desk(_reseated(state, tuple(change.get(seat, seat) for seat in range(state.seats))), at)
    desk.tell("seats", "clever_seats", names=desk.names((other, one)))
    go_on(desk)
    return desk.state, tuple(desk.effects)


def _beside(desk: Desk, seat: int) -> str:
    """Between whom somebody sits."""
    count = desk.state.seats
    return desk.names(((seat - 1) % count, (seat + 1) % count)) if count > LEAST else desk.who(1 - seat)


def _reseated(state: State, order: tuple[int | None, ...], newcomer: Player | None = None) -> State:
    """The state with the seats in a new order: `order[new]` is the old seat, None the newcomer's."""
    moved = {old: new for new, old in enumerate(order) if old is not None}

    def among(old: tuple[T, ...], fresh: T) -> tuple[T, ...]:
        return tuple(fresh if seat is None else old[seat] for seat in order)

    pieces, hand = state.pieces, state.hand
    stays = newcomer or state.players[0]  # without a newcomer no seat is filled with it
    return replace(
        state, players=among(state.players, stays), reader=moved[state.reader],
        pieces=replace(pieces, places=among(pieces.places, 0), free=among(pieces.free, 0),
                       bonus=among(pieces.bonus, 0), shield=among(pieces.shield, 0)),
        hand=replace(hand, wrongs=among(hand.wrongs, 0), extra=among(hand.extra, 0),
                     prompted=tuple(moved[seat] for seat in hand.prompted if seat in moved)),
        rulings=tuple(replace(one, seat=moved[one.seat]) for one in state.rulings if one.seat in moved),
    )
