"""The rules of Clever Endeavor, CE-1 to CE-23 of docs/RULES.md: a pure game (see `host.games.Game`).

A step is three things: an intent meets a phase (`_meet`), the guesses in it are settled
(`clever_guessing`), and then whatever a free mouth and a free floor allow goes on (`_go_on`).

What waits for the phone (CE-17, reader = player): the statement begins with `Pressed("reader")` or
`Command("statement")`, which the table may also make of the reader's first sample; which statements the
reader picks and the false one that the reader makes up are known to the reader only, so that the host
counts statements and keeps their time, and shows the whole card to nobody but the reader's seat.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from host.clock import samples
from host.events import Claim, Command, Effect, Floor, Guesses, Intent, Pressed, Ready, Reply, Resumed, Said, TimeUp
from host.games import Player
from host.games.clever_answers import answer
from host.games.clever_board import check_board, lay_out
from host.games.clever_desk import Desk
from host.games.clever_flow import (
    count_statement,
    deadline,
    deal,
    go_on,
    heed_floor,
    pause_over,
    resume,
    said_line,
    time_up,
)
from host.games.clever_guessing import HOLD, REPLY, claim, overturn, reply_claim, take, tie, unsolved
from host.games.clever_joining import join, leave, settled, swap
from host.games.clever_state import (
    Asking,
    Claiming,
    Exacting,
    Hand,
    Listening,
    Over,
    Pausing,
    Reading,
    State,
    Tapping,
    Telling,
    read_options,
    shuffled,
)
from host.games.clever_view import expects, view
from host.lines import number
from host.packs import Packs

__all__ = ["deadline", "expects", "join", "leave", "overrule", "settled", "setup", "step", "swap", "view"]

GREETING = samples(40)
"""So long the table's own greeting may take before the first card's first line begins."""
FIRST_WORD = samples(0.4)
"""A player's first word is taken to last so long after the tap (CE-13)."""
READ_ALOUD = samples(30)
"""A player needs so long at most to read a statement."""
REPEATABLE = 4
"""After so many statements all of them may be repeated (CE-7)."""


def setup(
    players: tuple[Player, ...], packs: Packs, options: Mapping[str, Any], seed: int, used: tuple[str, ...] = (),
) -> tuple[State, tuple[Effect, ...]]:
    """A new game: pieces on START (CE-1), the deck without `used` (CE-20), the youngest reads (CE-17).

    `used` are the ids kept on earlier evenings, in their order; an empty id means that the deck was begun
    anew there. Raises ValueError with one sentence on bad options, a bad board or a pack without cards.
    """
    settings = read_options(options, len(players))
    faults = check_board(packs.board)
    if faults:
        raise ValueError(faults[0])
    if not packs.clues:
        raise ValueError("There are no clue cards: choose a pack that has some.")
    since = used[max((at for at, card in enumerate(used) if not card), default=-1) + 1 :]
    fresh = tuple(card.id for card in packs.clues if card.id not in since)
    none = (0,) * len(players)
    state = State(
        players=players, options=settings, packs=packs, seed=seed,
        pieces=lay_out(len(players), shuffled(range(len(packs.ventures)), seed, 0)),
        deck=shuffled(fresh, seed, 1), reader=settings.youngest, draws=2,
        hand=Hand("", (), none, none, over=True, settled=True), phase=Asking("", settings.at),
        quiet_by=settings.at + GREETING,
    )
    desk = Desk(state, settings.at)
    deal(desk)
    return desk.state, tuple(desk.effects)


def step(state: State, intent: Intent) -> tuple[State, tuple[Effect, ...]]:
    """What follows from an intent; one that does not fit the moment changes nothing."""
    desk = Desk(state, intent.at)
    match intent:
        case Said():
            said_line(desk, intent)
        case Floor():
            heed_floor(desk, intent)
        case TimeUp():
            time_up(desk)
        case Resumed():
            resume(desk)
        case _:
            _meet(desk, intent)
    go_on(desk)
    return desk.state, tuple(desk.effects)


def overrule(state: State, guesses: Guesses, seat: int, right: bool) -> tuple[State, tuple[Effect, ...]]:
    """Settle guesses anew, from the state before them, with the verdict on `seat`'s one turned round (GM-2).

    `guesses.at` is the time of the ruling, now; each guess keeps its start. Wrong turned right: the card
    is solved by that guess. Right turned wrong: it is charged, and nobody has the card.
    """
    desk = Desk(replace(state, busy=False), guesses.at)
    desk.hush()
    return (desk.state, tuple(desk.effects)) if overturn(desk, guesses, seat, right) else (state, ())


# --- an intent meets a phase ---------------------------------------------------------------------


def _meet(desk: Desk, intent: Intent) -> None:
    match desk.state.phase, intent:
        case Over(), Command():
            answer(desk, intent)
        case Over(), _:
            pass
        case _, Guesses():
            take(desk, intent.guesses)
        case Claiming() as phase, Claim():
            claim(desk, phase, (intent.seat,))
        case Claiming() as phase, Reply():
            reply_claim(desk, phase, intent.yes)
        case Asking(), Ready():
            desk.hush()
            deal(desk)
        case _, Pressed(button="reader") | Command(name="statement"):
            _tap(desk)
        case _, Command():
            _command(desk, intent)


def _command(desk: Desk, command: Command) -> None:
    match desk.state.phase, command.name:
        case _, "repeat":
            _repeat(desk)
        case _, "repeat_all":
            _repeat_all(desk)
        case Asking(), "go_on":
            desk.hush()
            deal(desk)
        case Pausing() as phase, "go_on":
            pause_over(desk, phase)
        case Claiming() as claiming, "together" if len(claiming.between or claiming.claims) > 1:
            tie(desk, claiming.between or claiming.claims)
        case _, "skip" if not desk.state.hand.over:
            desk.hush()
            unsolved(desk, "clever_answer")
        case _:
            answer(desk, command)


# --- what players ask for ------------------------------------------------------------------------


def _tap(desk: Desk) -> None:
    """With reader = player a statement begins with the reader's tap (CE-17)."""
    match desk.state.phase:
        case Tapping(index):
            pass
        case Pausing(index=index, last=False) | Listening(index=index) if desk.state.options.reader == "player":
            index += isinstance(desk.state.phase, Listening)
        case _:
            return
    if index < len(desk.state.hand.order):
        count_statement(desk, index, FIRST_WORD)
        desk.enter(Listening(index, desk.at + READ_ALOUD))


def _repeat(desk: Desk) -> None:
    """"Say that again": the statement just read, or the question just asked (CE-7)."""
    state = desk.state
    match state.phase:
        case Reading(index, line) if line:
            desk.hush()
            desk.set(phase=Reading(index, "", desk.at + HOLD))
        case Pausing(index=index) if state.options.reader != "player":
            desk.set(again=(index - 1,))
        case Exacting(seat=seat) as phase:
            line = desk.tell(desk.on_card("exactly"), "clever_exactly", who=desk.who(seat))
            until = desk.state.quiet_by + REPLY
            desk.set(phase=replace(phase, line=line, until=until, due=until))
        case Claiming() as phase:
            line = desk.tell(desk.on_card("who"), "clever_who_again")
            desk.set(phase=replace(phase, line=line))
        case Telling(then="ask") | Asking():
            desk.tell(desk.on_card("reveal"), "clever_answer", answer=state.card.answer)
        case Telling() as phase:
            desk.hush()
            desk.set(phase=replace(phase, cut=True))
        case Tapping():
            desk.tell(desk.on_card("nothing"), "clever_nothing_yet")


def _repeat_all(desk: Desk) -> None:
    """"Read them again": all that were read, after the fourth, or the last where there are fewer (CE-7)."""
    state = desk.state
    read, wanted = len(state.hand.reads), min(REPEATABLE, len(state.hand.order))
    if state.hand.over or state.options.reader == "player":
        return
    if read < wanted:
        desk.tell(desk.on_card("not_yet"), "clever_not_yet", number=number(wanted))
    elif isinstance(state.phase, Pausing):
        desk.set(again=tuple(range(read)))
    elif isinstance(state.phase, Reading):
        desk.hush()
        index = state.phase.index
        desk.set(again=tuple(range(index)), phase=Reading(index, "", desk.at + HOLD))
