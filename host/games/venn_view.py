"""What each seat may see of a game of Venn: the only way out for the secret numbers (VN-4)."""

from collections.abc import Mapping
from typing import Any

from host.games.venn_state import Asking, Collecting, Counting, Guessing, Over, Placing, Revealing, State


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """What that seat may see (None: everybody's screen), in plain JSON values.

    `secret` holds the host's own number card, for its clue giver only; after the reveal the numbers stand in
    `scored`, for all.
    """
    guess = _guess(state)
    phase = state.phase
    seen: dict[str, Any] = {
        "game": "venn",
        "phase": type(phase).__name__.lower(),
        "mode": "cooperative" if state.options.cooperative else "competitive",
        "round": state.round,
        "played": state.played,
        "teams": [
            {
                "name": state.options.names[team], "points": state.points[team], "games": state.games[team],
                "players": [state.players[one].name for one in state.members(team)],
                "seats": list(state.members(team)), "giver": state.givers[team], "cards": state.cards[team],
            }
            for team in range(state.teams)
        ],
        "words": list(phase.given if isinstance(phase, Collecting) else state.words),
        "count": phase.step if isinstance(phase, Counting) else 0,
        "go": phase.go if isinstance(phase, Placing) else None,
        "ends": phase.ends if isinstance(phase, Placing) else None,
        "listening": _listening(state),
        "guessing": None if guess is None else guess.team,
        "taken": [] if guess is None else list(guess.numbers),
        "heard": list(phase.heard) if isinstance(phase, Revealing) else [],
        "scored": [
            {"team": one.team, "words": list(one.words), "numbers": list(one.card), "points": one.points}
            for one in state.scored
        ],
        "standing": [list(state.points), list(state.games)],
        "over": isinstance(phase, Over),
        "winner": phase.winner if isinstance(phase, Over) else None,
    }
    if seat is not None and state.secret and seat in state.givers:
        seen["secret"] = list(state.secret[state.team_of(seat)])
    return seen


def _guess(state: State) -> Guessing | None:
    match state.phase:
        case Guessing() as guess:
            return guess
        case Revealing(guess):
            return guess
    return None


def _listening(state: State) -> str:
    """What the lamp tells: what the host is waiting for, "" for nothing in particular."""
    match state.phase:
        case Placing():
            return "venn"
        case Asking():
            return "team"
        case Guessing():
            return "words"
        case Revealing(read=True):
            return "yes"
        case Revealing() if not state.secret:
            return "numbers"
    return ""
