"""Buttons at the table: whose a press is, what it answers, and who has the floor (KIO-15, GAM-16).

The floor goes to who pressed first, by the time of the press and not of its coming. Who presses later is
next, and has the floor when the first was wrong, or said nothing in time: no words is no guess.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from host.clock import Samples
from host.events import Call, Claim, Heard, Pressed, Ready, Verdict
from host.table import asking
from host.table.state import BUZZED, EARLY, LOST, OVERTAKES, Owner
from host.understand import COLOURS, Understood

if TYPE_CHECKING:
    from host.games import Expects
    from host.table.turn import Turn

READER = "reader"
"""The button by which a game knows the reader's tap (CE-17)."""


def press(turn: Turn, event: Pressed) -> None:
    """A player's button: an answer to what was asked, else the floor for a while."""
    state = turn.state
    seat = seat_of(turn, event.button)
    if state.gathering is not None:
        _gather(turn, seat, event.button)
        return
    if state.game is None or state.stopped is not None:
        return
    expects = turn.table.rules.expects(state.game)
    began = event.at if event.began is None else min(event.began, event.at)
    team = _team_of(turn, seat, event.button)
    if expects.call and team is not None:
        turn.tell(Call(turn.time(), turn.time(began), team))
    elif seat is None:
        return
    elif expects.claim and expects.card is not None:
        turn.claim(seat, began)
    elif expects.claim:
        turn.tell(Claim(turn.time(), seat, turn.time(began)))
    elif expects.ready:
        turn.tell(Ready(turn.time(), seat))
    elif expects.card is not None:
        _card_open(turn, seat, began, expects)


def seat_of(turn: Turn, button: str) -> int | None:
    """The seat of a button: by the settings, else by its player's colour or name; None where there is none."""
    players = turn.state.players if turn.state.gathering is None else turn.state.gathering.players
    seat = turn.table.buttons.get(button)
    if seat is None:
        said = button.lower()
        seat = next((at for at, one in enumerate(players) if said and said == one.colour), None)
        if seat is None:
            seat = next((at for at, one in enumerate(players) if said == one.name.lower()), None)
    return seat if seat is not None and 0 <= seat < len(players) else None


def seat_of_channel(turn: Turn, channel: int) -> int | None:
    """Whose microphone a channel is; None where one serves for all, or it is a team's."""
    named = turn.table.microphones
    return seat_of(turn, named[channel]) if channel < len(named) else None


def guesser(turn: Turn, seat: int | None, verdict: Verdict, channel: int) -> int | None:
    """Whose guess it is: the seat that was named or pressed, else the microphone's.

    A microphone alone gives points and never takes any: what is said near it may be talk, so a wrong guess stays
    nobody's where no colour, name or button owned it (CE-16).
    """
    return seat_of_channel(turn, channel) if seat is None and verdict is not Verdict.WRONG else seat


def likely(turn: Turn, event: Heard) -> int | None:
    """Whose voice that utterance may have been, as it was posted just before it; None where nobody can say."""
    voice = turn.state.voice
    return voice[2] if voice is not None and voice[:2] == (event.channel, event.utterance) else None


def team_of_channel(turn: Turn, channel: int) -> int | None:
    """Which team's microphone a channel is, or one of its players'; None where it is nobody's (VN-8)."""
    named = turn.table.microphones
    if channel >= len(named):
        return None
    return _team_of(turn, seat_of(turn, named[channel]), named[channel])


def _team_of(turn: Turn, seat: int | None, button: str) -> int | None:
    """The team of a seat, or of a button that is called like the team."""
    for at, team in enumerate(turn.table.rules.view(turn.state.game, None).get("teams", ())):
        if seat in team["seats"] or button.lower() == team["name"].lower():
            return at
    return None


def _gather(turn: Turn, seat: int | None, button: str) -> None:
    """Before the game a press joins by its colour, or names the youngest."""
    gathering = turn.state.gathering
    if gathering is None or turn.table.venn:
        return
    if gathering.step == "youngest" and seat is not None:
        asking.begin_game(turn, seat)
    elif gathering.step == "who" and seat is None and button in COLOURS:
        turn.set(gathering=gathering.with_roll((("", button),), turn.at))


def _card_open(turn: Turn, seat: int, began: Samples, expects: Expects) -> None:
    if seat in expects.guessing:
        take_floor(turn, seat, began)
    elif seat == turn.table.rules.view(turn.state.game, None).get("reader"):
        turn.tell(Pressed(turn.time(), READER))


# --- the floor ----------------------------------------------------------------------------------


def take_floor(turn: Turn, seat: int, began: Samples) -> None:
    """Give the floor to a presser, or a place among those who are next."""
    owner, nexts = turn.state.owner, turn.state.nexts
    mine = Owner(seat, began, turn.at + BUZZED, True)
    if owner is None and not nexts and _asked(turn) in (None, seat):
        turn.set(owner=mine)
        if turn.state.saying and turn.state.saying[0].yields:
            turn.hush()
    elif owner is not None and owner.seat == seat:
        if not owner.by_button:  # the colour was said first
            turn.set(owner=replace(mine, began=min(began, owner.began)))
    elif seat in [other.seat for other in nexts]:
        return
    elif owner is not None and _overtakes(began, turn.at, owner):
        turn.set(owner=replace(mine, until=owner.until), nexts=_in_order((*nexts, owner)))
    else:
        turn.set(nexts=_in_order((*nexts, mine)))


def _overtakes(began: Samples, at: Samples, owner: Owner) -> bool:
    """Whether a press that came in now was made before that of who has the floor, and came soon enough."""
    if not owner.by_button or owner.passed:
        return False
    return began < owner.began and at <= owner.until - BUZZED + OVERTAKES


def _in_order(owners: tuple[Owner, ...]) -> tuple[Owner, ...]:
    return tuple(sorted(owners, key=lambda owner: owner.began))


def _asked(turn: Turn) -> int | None:
    """Who was asked "more exactly?" (CE-14): nobody else has the floor until then."""
    asked: int | None = turn.table.rules.view(turn.state.game, None).get("asked")
    return asked


def pass_floor(turn: Turn) -> None:
    """When the floor is free, who pressed next has it; when the card is over, nobody."""
    state = turn.state
    expects = turn.table.rules.expects(state.game)
    view = turn.table.rules.view(state.game, None)
    if expects.card is None or expects.claim or view.get("card", {}).get("over"):
        turn.set(nexts=())
    elif state.owner is None and not state.busy and not state.held and view.get("asked") is None:
        first, *others = state.nexts
        turn.set(owner=replace(first, until=turn.at + LOST, passed=True), nexts=tuple(others))
        turn.say("your_turn", who=turn.table.hearing.called(state.players, first.seat))


def spoken(turn: Turn, line: str) -> None:
    """Once the host has said whose turn it is, the floor is theirs for as long as by a press."""
    owner = turn.state.owner
    if line.startswith("table/your_turn#") and owner is not None and owner.by_button:
        turn.set(owner=replace(owner, until=turn.at + BUZZED))


def floor_for(owner: Owner | None, understood: Understood) -> Owner | None:
    """The floor as it holds for an utterance: what was answered well before the press is not the presser's."""
    if owner is None or not owner.by_button or not understood.guesses:
        return owner
    late = [said for said in understood.guesses if said.answer_began >= owner.began - EARLY]
    return owner if late else None
