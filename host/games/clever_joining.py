"""A late joiner of Clever Endeavor (CE-1)."""

from dataclasses import replace
from typing import TypeVar

from host.clock import Samples
from host.events import Effect
from host.games import Player
from host.games.clever_desk import Desk
from host.games.clever_state import Claiming, Exacting, Over, State

T = TypeVar("T")

MOST = 8
"""Players at a table (CE-1)."""


def join(state: State, player: Player, seat: int, at: Samples) -> tuple[State, tuple[Effect, ...]]:
    """A late joiner sits down as that seat, on START; who sat there and to the left moves up by one (CE-1).

    While a question to one of the players is open, and after the end, nothing changes: ask again later.
    Raises ValueError with one sentence where the table is full, the place is none or the colour is taken.
    """
    if state.seats == MOST:
        raise ValueError("Eight play already, and there is no ninth colour.")
    if not 0 <= seat <= state.seats:
        raise ValueError(f"The new player can sit at 0 to {state.seats}, not at {seat}.")
    if player.colour in [other.colour for other in state.players]:
        raise ValueError(f"{player.colour.capitalize()} is taken: choose another colour.")
    if isinstance(state.phase, Exacting | Claiming | Over):
        return state, ()

    def among(old: tuple[T, ...], new: T) -> tuple[T, ...]:
        return (*old[:seat], new, *old[seat:])

    def moved(old: int) -> int:
        return old + (old >= seat)

    pieces, hand = state.pieces, state.hand
    desk = Desk(replace(
        state, players=among(state.players, player), reader=moved(state.reader),
        pieces=replace(pieces, places=among(pieces.places, 0), free=among(pieces.free, 0),
                       bonus=among(pieces.bonus, 0), shield=among(pieces.shield, 0)),
        hand=replace(hand, wrongs=among(hand.wrongs, 0), extra=among(hand.extra, 0),
                     prompted=tuple(map(moved, hand.prompted))),
        rulings=tuple(replace(ruling, seat=moved(ruling.seat)) for ruling in state.rulings),
    ), at)
    count = state.seats + 1
    between = desk.names(((seat - 1) % count, (seat + 1) % count)) if count > 2 else desk.who(1 - seat)
    desk.tell("joined", "clever_joined", who=desk.who(seat), names=between)
    return desk.state, tuple(desk.effects)
