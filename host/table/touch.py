"""What is touched on a screen or a phone means the same as what is said (issue 9): messages to meanings.

A message is one line of plain text, untrusted: `command NAME [ARGUMENT]`, `yes`, `no`, `ready`, `seat N`,
`join COLOUR NAME` (Venn: `join - NAME`, or the team's number in place of "-"), `leave [N]`, `swap N [M]`, `over [N]`
(Venn: to the other team), `say TEXT`. Anything else changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from host.clock import samples
from host.events import Heard, Pressed, Typed, Word
from host.judge.normal import plain
from host.table import chairs, pressing, venn_chairs, venn_gathering
from host.table.commands import ALWAYS, GAME
from host.table.gathering import SETTLE
from host.table.state import Chair
from host.understand import COLOURS, Understood

if TYPE_CHECKING:
    from host.table.turn import Turn

LONGEST = 120
"""Characters of a message."""
NAME = 20
"""Characters of a name."""
WORD = samples(0.1)
"""How long ago each typed word counts as begun, from the end."""
COMMANDS = frozenset((*ALWAYS, *GAME, "known_card", "bad_card"))


def typed(turn: Turn, event: Typed) -> None:
    """Do what a message asks for; nonsense changes nothing."""
    players = turn.state.players if turn.state.gathering is None else turn.state.gathering.players
    if event.seat is not None and not 0 <= event.seat < len(players):
        return
    verb, _, rest = event.message[:LONGEST].strip().partition(" ")
    if verb == "seat":
        _seat(turn, event, rest, len(players))
    elif verb == "join":
        _join(turn, rest)
    elif verb == "voice":
        _voice(turn, event, rest)
    elif verb in ("leave", "swap", "over"):
        _chair(turn, event, verb, rest)
    elif verb == "say":
        _say(turn, event, rest)
    elif (understood := meaning(verb, rest.strip(), event.seat)) is not None:
        turn.meant(understood, _heard(event, ()), touched=True)


def meaning(verb: str, rest: str, seat: int | None) -> Understood | None:
    """A touch as what would have been understood of the same by voice; None for nonsense."""
    match verb:
        case "command":
            name, _, argument = rest.partition(" ")
            return Understood(owner=seat, command=name, argument=argument[:NAME]) if name in COMMANDS else None
        case "yes" | "no" if not rest:
            return Understood(owner=seat, yes=verb == "yes")
        case "ready" if not rest:
            return Understood(owner=seat, ready=True)
    return None


def _heard(event: Typed, words: tuple[Word, ...]) -> Heard:
    began = words[0].began if words else event.at
    return Heard(event.at, began, event.at, words, words, utterance=-1)


def _seat(turn: Turn, event: Typed, rest: str, seats: int) -> None:
    """A seat was touched: an answer where a question waits for one, else that seat's button."""
    if not rest.isdecimal() or len(rest) > 2 or int(rest) >= seats or event.seat not in (None, int(rest)):
        return
    if turn.state.question is not None:
        turn.meant(Understood(owner=int(rest), owner_only=True), _heard(event, ()), touched=True)
        return
    players = turn.state.players if turn.state.gathering is None else turn.state.gathering.players
    player = players[int(rest)]
    pressing.press(turn, Pressed(event.at, player.colour or player.name))


def _join(turn: Turn, rest: str) -> None:
    """Join by colour and name while players are gathered (CE-1); a name is plain text.

    Venn has no colours: there the colour is "-", and is not looked at.
    """
    gathering = turn.state.gathering
    colour, _, name = rest.partition(" ")
    name = " ".join("".join(sign for sign in name if sign.isprintable()).split())[:NAME].strip()
    if gathering is None:
        if turn.table.venn and _seats_may_change(turn) and colour in ("-", "0", "1") and venn_chairs.is_new(turn, name):
            venn_chairs.join(turn, None if colour == "-" else int(colour), name)
        elif not turn.table.venn and _seats_may_change(turn) and colour in COLOURS:
            chairs.join(turn, colour, name)
        return
    if turn.table.venn:
        if name and gathering.step == "who":
            players = venn_gathering.with_names(gathering.players, [(name.capitalize(), None)])
            turn.set(gathering=replace(gathering, players=players, until=turn.at + SETTLE, tries=0))
    elif colour in COLOURS:
        turn.set(gathering=gathering.with_roll(((name, colour),), turn.at))


def _seats_may_change(turn: Turn) -> bool:
    question = turn.state.question
    asked = question is None or question.kind in (*chairs.KINDS, "another")
    return turn.state.game is not None and not turn.state.done and asked


def _chair(turn: Turn, event: Typed, verb: str, rest: str) -> None:
    """Leave, or change seats (CE-1): a phone for its own seat; the screen for anybody, who is asked (leaving)."""
    seats = [] if event.seat is None else [event.seat]
    for word in rest.split():
        if not word.isdecimal() or len(word) > 2 or int(word) >= len(turn.state.players):
            return
        seats.append(int(word))
    if not _seats_may_change(turn) or len(set(seats)) != len(seats):
        return
    if verb == "leave" and len(seats) == 1:
        chairs.leave(turn, seats[0], sure=event.seat is not None)
    elif verb == "swap" and len(seats) == 2:
        chairs.close(turn)
        chairs.change(turn, Chair("trade" if turn.table.venn else "swap", (seats[0], seats[1])))
    elif verb == "over" and len(seats) == 1 and turn.table.venn:
        chairs.close(turn)
        chairs.change(turn, Chair("over", (seats[0],)))


def _voice(turn: Turn, event: Typed, rest: str) -> None:
    """Whose voice an utterance may be; posted by the ear's side (host.ears.voiceprint), never by a client."""
    match rest.split():
        case [channel, utterance, colour] if event.seat is None and channel.isdecimal() and utterance.isdecimal():
            seats = [seat for seat, player in enumerate(turn.state.players) if player.colour == colour]
            if seats and len(utterance) < len("1234567890"):
                turn.set(voice=(int(channel), int(utterance), seats[0]))


def _say(turn: Turn, event: Typed, rest: str) -> None:
    """Words as if they had been heard perfectly, of that seat."""
    row = plain(rest)
    if not row:
        return
    words = tuple(Word(word, event.at - (len(row) - at) * WORD, event.at) for at, word in enumerate(row))
    heard = _heard(event, words)
    expects = None if turn.state.game is None else turn.table.rules.expects(turn.state.game)
    understood = turn.table.hearing.understand(turn.state, expects, heard)
    if event.seat is not None:
        understood = replace(understood, owner=event.seat, addressed=bool(understood.guesses))
    turn.set(heard=heard.text)
    turn.meant(understood, heard)
