"""What the host answers in Clever Endeavor when somebody asks: score, places, turn, guesses, settings."""

from dataclasses import replace

from host.events import Command
from host.games.clever_board import in_red
from host.games.clever_desk import Desk, spaces
from host.games.clever_state import State
from host.lines import listed, number

PAUSES = {"3": 3, "4": 4, "5": 5, "6": 6}
"""The pauses that can be asked for by voice (CE-6)."""


def answer(desk: Desk, command: Command) -> None:
    """Answer a command that changes nothing in the game's course; one that is unknown is ignored."""
    state = desk.state
    seats = tuple(range(state.seats)) if command.seat is None else (command.seat,)
    match command.name:
        case "score":
            ranked = sorted(range(state.seats), key=lambda seat: -state.pieces.places[seat])
            desk.tell("score", "clever_score", places=listed([_standing(desk, seat) for seat in ranked]))
        case "where":
            places = ". ".join(_whereabouts(desk, seat, command.argument) for seat in seats)
            desk.tell("where", "clever_where", places=places)
        case "turn":
            desk.tell("turn", "clever_turn", who=desk.who(state.reader))
        case "guesses":
            lefts = [f"{desk.who(seat)} {number(left(desk, seat))}" for seat in seats]
            desk.tell("guesses", "clever_free", places=listed(lefts))
        case "category" if state.options.hide_category and not state.hand.over:
            desk.tell("category", "clever_hidden")
        case "category":
            desk.tell("category", "clever_category", category=article(state.card.category))
        case "pause_length" if command.argument in PAUSES:
            pause = PAUSES[command.argument]
            desk.set(options=replace(state.options, pause=float(pause)))
            desk.tell("settings", "clever_pause_set", seconds=number(pause).capitalize())
        case "pause_length":
            desk.tell("settings", "clever_pause_refused")


def left(desk: Desk, seat: int) -> int:
    """How many wrong guesses that seat still has free on this card, or on the next one (CE-11)."""
    state = desk.state
    if state.hand.over:
        return (1 if in_red(state.packs, state.pieces, seat) else 2) + state.pieces.free[seat]
    return max(0, desk.free(seat) - state.hand.wrongs[seat])


def article(category: str) -> str:
    """A category as it is said: "a thing", "an event"."""
    return f"{'an' if category[0] in 'AEIOU' else 'a'} {category.lower()}"


def _standing(desk: Desk, seat: int) -> str:
    place = desk.state.pieces.places[seat]
    return f"{desk.who(seat)} {f'on {number(place)}' if place else 'on Start'}"


def _whereabouts(desk: Desk, seat: int, named: str = "") -> str:
    """A piece's space, its zone and how far it has to go; whose it is by name, too, where that was asked."""
    state: State = desk.state
    place, last = state.pieces.places[seat], len(state.packs.board.spaces) - 1
    zone = ", in the red zone" if in_red(state.packs, state.pieces, seat) else ""
    name = state.players[seat].name
    whose = f"{name} is " if named and name != desk.who(seat) else ""
    return f"{whose}{_standing(desk, seat)}{zone}, {spaces(last - place)} to go"
