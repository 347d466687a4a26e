"""What may be seen of Clever Endeavor, and what is worth hearing."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from host.games import Expects
from host.games.clever_answers import left
from host.games.clever_board import in_red
from host.games.clever_desk import Desk
from host.games.clever_state import LIE, Asking, Claiming, Exacting, Over, Pausing, State


def expects(state: State) -> Expects:
    """What is worth listening for."""
    phase, hand = state.phase, state.hand
    may = tuple(seat for seat in range(state.seats) if state.guesses(seat))
    if isinstance(phase, Over):
        return Expects()
    if isinstance(phase, Claiming):
        # A guess with an owner is a claim, too: "Red, a toothbrush!"
        both = ("together",) if len(phase.between or phase.claims) > 1 else ()
        likely = phase.likely is not None
        return Expects(card=state.card, guessing=phase.between or may, claim=True, commands=both, yes_no=likely)
    if hand.settled:
        return Expects(ready=isinstance(phase, Asking))
    owned = hand.owned_only or state.options.strict
    return Expects(card=state.card, guessing=may, ready=isinstance(phase, Asking), owned_only=owned)


@lru_cache(maxsize=4_096)
def _fields(frozen: Any) -> dict[str, Any]:
    return asdict(frozen)


def plain(frozen: Any) -> dict[str, Any]:
    """A frozen space or ruling as plain values; a view is asked for at every event, and these never change."""
    return dict(_fields(frozen))


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """What that seat may see (None: everybody's screen); secrets leave only here (CE-8, CE-14a, CE-22).

    Before a card is over there is no answer, no note and no unread statement, but for the reader's own
    eyes under reader = player.
    """
    hand, card, over = state.hand, state.card, state.hand.over
    desk = Desk(state, 0)
    hosted = state.options.reader != "player"
    shown = range(len(hand.order) if over else len(hand.reads)) if hosted else ()
    seen: dict[str, Any] = {
        "number": state.number,
        "category": card.category if over or not state.options.hide_category else None,
        "statements": [state.statement(index) for index in shown],
        "read": len(hand.reads),
        "of": len(hand.order),
        "answer": card.answer if over else None,
        "note": card.note if over else None,
        "false": hand.order.index(LIE) if over and LIE in hand.order else None,
        "over": over,
    }
    if not hosted and not over and seat == state.reader:
        seen["whole"] = {"category": card.category, "answer": card.answer, "note": card.note,
                         "statements": list(card.statements)}
    return {
        "game": "clever_endeavor",
        "phase": type(state.phase).__name__.lower(),
        "last_chance": isinstance(state.phase, Pausing) and state.phase.last,
        "asked": state.phase.seat if isinstance(state.phase, Exacting) else None,
        "winner": state.pieces.winner,
        "standing": [state.pieces.places[at] for at in range(state.seats)],
        "reader": state.reader,
        "pause": state.options.pause,
        "players": [
            {"name": player.name, "colour": player.colour, "place": state.pieces.places[at],
             "red": in_red(state.packs, state.pieces, at), "free": left(desk, at), "guesses": state.guesses(at)}
            for at, player in enumerate(state.players)
        ],
        "board": {
            "title": state.packs.board.title,
            "spaces": [plain(space) for space in state.packs.board.spaces],
        },
        "card": seen,
        "verdicts": [plain(ruling) for ruling in state.rulings if ruling.card == state.number],
        "all_verdicts": [plain(ruling) for ruling in state.rulings],
    }
