"""The rules of Venn, pure; the numbers (VN-9) are those of docs/RULES.md.

What the table sends, besides Said, TimeUp and Floor:

    Call(at, began, team, ended, sure)  "VENN!"; team where a button, a microphone or the utterance tells. Where the
                                        ear is not sure, the host asks while play goes on.
    ListWord(at, number, began, team)   a list word; within an utterance `began` keeps the spoken order, so
                                        that a word after "venn" begins after it.
    Claim(at, seat, began)              a player of the team that called; Call(team) answers "which team?" too.
    Ready(at, seat)                     seat where a name or a button tells.
    Numbers(at, numbers), Reply(at, yes)
    Command(at, name, seat, argument):
        team "0"|"1"                    answers "which team?"
        nobody, go_on                   false alarm
        strike, keep                    the last word was a stranger's; no, it was not (so does Reply no)
        instead "5:1"                   an objection (GM-2): word 1 was said, not word 5
        card ""|"0"|"1"                 an art card was placed (art_cards = button or spoken)
        repeat_all, word "7", repeat    the words again, one of them, the last question again
        score, turn, guesses, help, where
        clue_giver "3"                  seat 3 gives clues
        skip                            other words, before GO
        list_word "7:river", unknown_word "7"   the family's own cards
        resume                          after a pause, an undo, a power cut: ask again what is open

A button is turned into one of these by the table; Pressed itself changes nothing. Lines are called
"round3/words1#812"; the count's are round3/one, two, three, go.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from host.clock import Samples
from host.events import (
    Call,
    Claim,
    Command,
    Effect,
    Floor,
    Guesses,
    Intent,
    ListWord,
    Numbers,
    Part,
    Ready,
    Reply,
    Said,
    TimeUp,
)
from host.games import Expects, Player, venn_call, venn_guess, venn_round
from host.games.venn_commands import obey
from host.games.venn_desk import Desk
from host.games.venn_joining import go_over, join, least, leave, open_teams, settled, trade
from host.games.venn_state import (
    COMMAND_AGE,
    COUNT,
    SECOND,
    Asking,
    Between,
    Checking,
    Collecting,
    Counting,
    Guessing,
    Placing,
    Readying,
    Revealing,
    State,
    Telling,
    read_options,
)
from host.games.venn_view import view
from host.games.venn_words import plain
from host.packs import Packs

__all__ = (
    "TALK", "State", "deadline", "expects", "go_over", "join", "least", "leave", "open_teams", "overrule", "settled",
    "setup", "step", "trade", "view",
)

TALK = "venn"
"""How the table listens: players and teams by name, calls and list words from partials (host.table.venn_talk)."""


def setup(
    players: tuple[Player, ...], packs: Packs, options: Mapping[str, Any], seed: int, used: tuple[str, ...] = (),
) -> tuple[State, tuple[Effect, ...]]:
    """A new game and its first round.

    Options: mode (competitive, cooperative), teams (two names), best_of_three, expert, art_cards (trust, button,
    spoken), numbers (box, host), words (host, family). `used` holds ids of word and number cards of earlier
    evenings. Raises ValueError with one clear sentence on bad options.
    """
    chosen = read_options(players, packs, options)
    nothing = (0,) * (1 if chosen.cooperative else 2)
    state = State(
        players, packs, chosen, seed, Between(), points=nothing, before=nothing, games=nothing, games_before=nothing,
        cards=nothing, called=nothing, used_words=used, used_numbers=used,
    )
    desk = Desk(state, 0)
    venn_round.start_round(desk)
    return desk.state, tuple(desk.effects)


def deadline(state: State) -> Samples | None:
    """When `TimeUp` is wanted."""
    phase = state.phase
    if isinstance(phase, Placing):
        return venn_call.due(phase)
    if isinstance(phase, Counting) and phase.until is not None:
        return phase.until
    return state.quiet_by if state.unsaid else phase.until


def overrule(state: State, guesses: Guesses, seat: int, right: bool) -> tuple[State, tuple[Effect, ...]]:
    """Nothing: no guess is judged in Venn. A mishearing is set right by the command `instead` (GM-2)."""
    del guesses, seat, right
    return state, ()


def step(state: State, intent: Intent) -> tuple[State, tuple[Effect, ...]]:
    """What follows from an intent; one that does not fit the moment changes nothing."""
    desk = Desk(state, intent.at)
    _STEPS.get(type(intent), _nothing)(desk, intent)
    return desk.state, tuple(desk.effects)


def _nothing(_desk: Desk, _intent: Any) -> None:
    """Guesses and presses mean nothing here."""


def _said(desk: Desk, said: Said) -> None:
    """How far a line has come."""
    phase, name = desk.state.phase, said.line.partition("#")[0].rpartition("/")[2]
    if said.line not in desk.state.unsaid:
        return
    if said.part in (Part.BEGAN, Part.FIRST_WORD):
        if name == "guess" and isinstance(phase, Guessing) and phase.since is None:
            desk.set(phase=replace(phase, since=said.at))
        return
    desk.set(unsaid=tuple(line for line in desk.state.unsaid if line != said.line))
    if name == COUNT[-1] and isinstance(phase, Counting):
        if said.part is Part.ENDED:
            venn_round.gone(desk, phase)
        else:  # GO was broken off: it is said again
            desk.set(phase=replace(phase, step=len(COUNT) - 1, until=desk.at + SECOND))
    elif not desk.state.unsaid:
        _quiet(desk)


def _quiet(desk: Desk) -> None:
    phase = desk.state.phase
    match phase:
        case Placing():
            venn_call.quiet(desk, phase)
        case Asking() | Guessing() | Revealing():
            venn_guess.quiet(desk)
        case _:
            venn_round.quiet(desk)


def _time_up(desk: Desk, _event: TimeUp) -> None:
    """The deadline has come; a line that nobody reported is taken for said (TTS-05)."""
    due, phase = deadline(desk.state), desk.state.phase
    if due is None or desk.at < due:
        return
    counting = isinstance(phase, Counting) and phase.until is not None
    if desk.state.unsaid and not counting and not isinstance(phase, Placing):
        desk.set(unsaid=())
        _quiet(desk)
        return
    match phase:
        case Placing():
            venn_call.overdue(desk, phase)
        case Asking():
            venn_call.ask_team(desk, phase)
        case Guessing() | Revealing():
            venn_guess.overdue(desk, phase)
        case _:
            venn_round.overdue(desk)


def _list_word(desk: Desk, word: ListWord) -> None:
    if not 1 <= word.number <= len(desk.state.words):
        return
    venn_call.in_breath(desk, word)
    venn_guess.accept(desk, word)


def _claim(desk: Desk, claim: Claim) -> None:
    if not desk.state.options.cooperative and 0 <= claim.seat < len(desk.state.players):
        venn_call.name_team(desk, desk.state.team_of(claim.seat), claim.began)


def _reply(desk: Desk, reply: Reply) -> None:
    venn_round.reply(desk, reply.yes)
    phase = desk.state.phase
    if isinstance(phase, Placing):
        (venn_call.confirm if reply.yes else venn_call.dismiss)(desk, phase)
    elif isinstance(phase, Revealing) and phase.read:
        venn_guess.confirm(desk, phase, reply.yes)
    elif not reply.yes:
        venn_guess.keep(desk)


def _floor(desk: Desk, floor: Floor) -> None:
    desk.set(busy=floor.busy)
    if not floor.busy:
        venn_guess.silence(desk)


def _command(desk: Desk, command: Command) -> None:
    if command.name == "team":
        if command.argument in ("0", "1") and not desk.state.options.cooperative:
            venn_call.name_team(desk, int(command.argument), desk.at - COMMAND_AGE)
        return
    obey(desk, command)


def _call(desk: Desk, intent: Call) -> None:
    venn_call.call(desk, intent)


def _ready(desk: Desk, intent: Ready) -> None:
    venn_round.ready(desk, intent)


def _numbers(desk: Desk, intent: Numbers) -> None:
    venn_guess.hear_numbers(desk, intent.numbers)


_STEPS: dict[type, Callable[[Desk, Any], None]] = {
    Said: _said, TimeUp: _time_up, ListWord: _list_word, Claim: _claim, Reply: _reply, Floor: _floor,
    Command: _command, Call: _call, Ready: _ready, Numbers: _numbers,
}


def expects(state: State) -> Expects:
    """What is worth listening for."""
    words = tuple(plain(word) for word in state.words)
    teams = () if state.options.cooperative else state.options.names
    match state.phase:
        case Collecting():
            return Expects(commands=("list_word", "unknown_word"))
        case Checking():
            return Expects(yes_no=True, commands=("list_word", "unknown_word"))
        case Telling(asked=asked):
            return Expects(yes_no=asked, ready=asked, words=words, commands=("repeat_all", "word", "clue_giver"))
        case Readying():
            return Expects(ready=True, words=words, commands=("repeat_all", "word", "clue_giver"))
        case Counting():
            return Expects(call=True, words=words, teams=teams)
        case Placing(doubt=doubt):
            more: tuple[str, ...] = () if state.options.art_cards == "trust" else ("card",)
            more += () if doubt is None else ("nobody", "go_on")
            return Expects(call=True, words=words, teams=teams, yes_no=doubt is not None,
                           commands=("repeat_all", "word", *more))
        case Asking():
            return Expects(claim=True, call=True, words=words, teams=teams, commands=("team", "nobody", "go_on"))
        case Guessing(first=first, taken=taken, struck=struck, told=told):
            open_call = first and not taken
            return Expects(
                words=words, yes_no=struck is not None, call=open_call, claim=open_call and not told,
                teams=teams if open_call else (),
                commands=("strike", "keep", *(("nobody", "go_on") if open_call else ())),
            )
        case Revealing(guess, read=read):
            asked = read or guess.struck is not None
            return Expects(numbers=not state.secret, yes_no=asked, commands=("strike", "keep"))
        case Between():
            return Expects(ready=True)
    return Expects()
