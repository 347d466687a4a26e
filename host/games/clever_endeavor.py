"""The rules of Clever Endeavor, CE-1 to CE-23 of docs/RULES.md: a pure game (see `host.games.Game`).

A step is three things: an intent meets a phase (`_meet`), the guesses in it are settled
(`clever_guessing`), and then whatever a free mouth and a free floor allow goes on (`_go_on`).

What waits for the phone (CE-17, reader = player): the statement begins with `Pressed("reader")` or
`Command("statement")`, which the table may also make of the reader's first sample; which statements the
reader picks and the false one that the reader makes up are known to the reader only, so that the host
counts statements and keeps their time, and shows the whole card to nobody but the reader's seat.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from host.clock import Samples, samples
from host.events import (
    Claim,
    Command,
    Effect,
    Floor,
    Guesses,
    Intent,
    Keep,
    Part,
    Pressed,
    Ready,
    Said,
    TimeUp,
)
from host.games import Expects, Player
from host.games.clever_answers import answer, article, left
from host.games.clever_board import check_board, in_red, lay_out
from host.games.clever_desk import Desk
from host.games.clever_guessing import (
    CLAIM,
    HOLD,
    REPLY,
    claim,
    decide_claims,
    fail,
    overturn,
    take,
    tie,
    unsolved,
)
from host.games.clever_state import (
    Asking,
    Claiming,
    Exacting,
    Hand,
    Listening,
    Over,
    Pausing,
    Phase,
    Reading,
    State,
    Tapping,
    Telling,
    pick_order,
    read_options,
    shuffled,
)
from host.lines import number
from host.packs import Packs

READY = samples(8)
"""After so long without a "go" the next card begins anyway (CE-17)."""
LAST_CHANCE = samples(10)
"""CE-9."""
LEAST = samples(1)
"""A stopped pause goes on for so long at least (CE-6)."""
REMIND = samples(20)
"""Option `wait`: after so long the host says what it waits for."""
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
    )
    desk = Desk(state, settings.at)
    desk.tell("opening", "clever_opening", 0.3, who=desk.who(state.reader))
    _deal(desk)
    return desk.state, tuple(desk.effects)


def step(state: State, intent: Intent) -> tuple[State, tuple[Effect, ...]]:
    """What follows from an intent; one that does not fit the moment changes nothing."""
    desk = Desk(state, intent.at)
    _meet(desk, intent)
    _go_on(desk)
    return desk.state, tuple(desk.effects)


def overrule(state: State, guesses: Guesses, seat: int, right: bool) -> tuple[State, tuple[Effect, ...]]:
    """Settle guesses anew, from the state before them, with the verdict on `seat`'s one turned round (GM-2).

    `guesses.at` is the time of the ruling, now; each guess keeps its start. Wrong turned right: the card
    is solved by that guess. Right turned wrong: it is charged, and nobody has the card.
    """
    desk = Desk(replace(state, busy=False, mouth="", quiet_by=guesses.at), guesses.at)
    overturn(desk, guesses, seat, right)
    return (desk.state, tuple(desk.effects)) if desk.effects else (state, ())


def deadline(state: State) -> Samples | None:
    """When `TimeUp` is wanted, or None."""
    match state.phase:
        case Over() | Tapping():
            return None
        case phase:
            return phase.until


# --- an intent meets a phase ---------------------------------------------------------------------


def _meet(desk: Desk, intent: Intent) -> None:
    match desk.state.phase, intent:
        case _, Said():
            _said(desk, intent)
        case _, Floor():
            _floor(desk, intent)
        case Over(), Command():
            answer(desk, intent)
        case Over(), _:
            pass
        case _, Guesses():
            take(desk, intent.guesses)
        case _, TimeUp():
            _time_up(desk)
        case Claiming() as phase, Claim():
            claim(desk, phase, (intent.seat,))
        case Asking(), Ready():
            desk.hush()
            _deal(desk)
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
            _deal(desk)
        case Pausing() as phase, "go_on":
            _pause_over(desk, phase)
        case Claiming() as claiming, "together":
            tie(desk, claiming.between or claiming.claims)
        case _, "skip" if not desk.state.hand.over:
            desk.hush()
            unsolved(desk, "clever_answer")
        case _:
            answer(desk, command)


def _floor(desk: Desk, floor: Floor) -> None:
    """Speech stops the pause's clock where it began, once a pause; what waited for the judge goes on (CE-6)."""
    phase, overdue = desk.state.phase, desk.state.overdue
    desk.set(busy=floor.busy)
    if floor.busy:
        if isinstance(phase, Pausing) and phase.until is not None and not (phase.spent or phase.waiting):
            remains = phase.until - floor.began if phase.left is None else phase.left
            remains = max(0, min(remains, phase.length))
            desk.set(phase=replace(phase, held=True, spent=True, left=remains, until=max(desk.at, floor.began + HOLD)))
        elif isinstance(phase, Telling | Reading):
            desk.set(phase=replace(phase, until=max(phase.until, desk.at + HOLD)))
        return
    if isinstance(phase, Pausing):
        desk.set(phase=replace(phase, held=False))
    if isinstance(phase, Listening):
        _pause(desk, phase.index + 1)
    if overdue:
        _expire(desk)


def _time_up(desk: Desk) -> None:
    """The deadline has come; where it would take the word out of a mouth, it waits for the judge."""
    state, due = desk.state, deadline(desk.state)
    if due is None or desk.at < due:
        return
    match state.phase:
        case Asking() | Exacting() | Claiming() | Pausing(last=True, left=None) if state.busy and not state.overdue:
            desk.set(phase=replace(state.phase, until=desk.at + HOLD), overdue=True)
        case _:
            _expire(desk)


def _expire(desk: Desk) -> None:
    desk.set(overdue=False)
    match desk.state.phase:
        case Asking():
            _deal(desk)
        case Telling() | Reading(line="") as phase:
            # The mouth or the floor was waited for long enough.
            desk.set(mouth="", busy=False, again=(), phase=replace(phase, until=desk.at + HOLD))
        case Reading(index):
            desk.set(mouth="", quiet_by=desk.at)
            _count(desk, index)
            _pause(desk, index + 1)
        case Listening(index):
            _pause(desk, index + 1)
        case Pausing(waiting=True) as phase:
            desk.tell(desk.on_card("reminder"), "clever_reminder")
            desk.set(phase=replace(phase, until=None))
        case Pausing(left=int()) as phase:
            desk.set(mouth="", phase=replace(phase, held=False))
        case Pausing() as phase:
            _pause_over(desk, phase)
        case Exacting() as phase:
            fail(desk, phase)
        case Claiming() as phase:
            decide_claims(desk, phase)


# --- the mouth reports ---------------------------------------------------------------------------


def _said(desk: Desk, said: Said) -> None:
    state, phase = desk.state, desk.state.phase
    base = said.line.partition("#")[0]
    done = said.part in (Part.ENDED, Part.CUT)
    if base.startswith(f"card{state.number}/"):
        _note(desk, base.partition("/")[2], said)
    if said.line == state.mouth and done:
        desk.set(mouth="", quiet_by=desk.at)
    if state.again and base == desk.on_card(f"statement{state.again[0] + 1}") and said.part is Part.ENDED:
        desk.set(again=state.again[1:])
    match phase:
        case Asking(line) if line == said.line and done:
            desk.set(phase=replace(phase, until=desk.at + READY))
        case Claiming(line=line, claims=()) if line == said.line and done:
            desk.set(phase=replace(phase, until=desk.at + CLAIM))
        case Exacting(line=line) if line == said.line and done:
            desk.set(phase=replace(phase, until=desk.at + REPLY, due=desk.at + REPLY))
        case Exacting():
            desk.set(phase=replace(phase, back=_came(desk, phase.back, said)))
        case _:
            desk.set(phase=_came(desk, phase, said))


def _came(desk: Desk, phase: Phase, said: Said) -> Phase:
    """A phase that waits for lines, after the mouth's report about one of them."""
    match phase, said.part:
        case Telling(), Part.ENDED:
            ids = [line for line, _ in phase.lines]
            return replace(phase, lines=phase.lines[ids.index(said.line) + 1 :]) if said.line in ids else phase
        case Telling(), Part.CUT if said.line in dict(phase.lines):
            return replace(phase, cut=True, until=max(phase.until, desk.at + HOLD))
        case Reading(index, line), Part.ENDED if line == said.line:
            return _silence(desk, index + 1)
        case Reading(index, line), Part.CUT if line == said.line:
            return Reading(index, "", desk.at + HOLD)
    return phase


def _note(desk: Desk, part: str, said: Said) -> None:
    """Keep the samples at which guesses open, statements count and the answer is out (CE-9, CE-10, CE-13)."""
    state, hand = desk.state, desk.state.hand
    if state.started is None:
        desk.set(started=desk.at)
    if part == "reveal" and said.part is Part.BEGAN and hand.revealed is None:
        desk.hand(revealed=desk.at)
    if hand.over or said.part is Part.CUT:
        return
    opens = part == "category" or part.startswith("statement") or (
        part == "start" and state.options.reader == "player" and said.part is Part.ENDED
    )
    if opens and hand.opened is None:
        desk.hand(opened=desk.at)
    if part.startswith("statement") and said.part in (Part.FIRST_WORD, Part.ENDED):
        _count(desk, int(part.removeprefix("statement")) - 1)


def _count(desk: Desk, index: int, after: Samples = 0) -> None:
    """A statement counts from here on, once (CE-13), and its card has been used (CE-20)."""
    hand = desk.state.hand
    if hand.opened is None:
        desk.hand(opened=desk.at)
    if index == len(hand.reads):
        desk.hand(reads=(*hand.reads, desk.at + after))
        desk.keep()


# --- what goes on by itself ----------------------------------------------------------------------


def _go_on(desk: Desk) -> None:
    """Go on where mouth and floor are free: cut lines again, the pause's clock, the next statement."""
    state, quiet = desk.state, not desk.state.mouth
    match state.phase:
        case Telling() as phase if quiet and not state.busy:
            _told(desk, phase)
        case Reading(line="") | Pausing() if state.again and quiet and not state.busy:
            index = state.again[0]
            desk.say(desk.on_card(f"statement{index + 1}"), state.statement(index), 0.4)
        case Reading(index, "") if quiet and not state.busy:
            _read(desk, index, 0.4)
    if isinstance(desk.state.phase, Pausing):
        _tick(desk, desk.state.phase)


def _tick(desk: Desk, phase: Pausing) -> None:
    """The pause's clock stands still while the host speaks and while speech is judged (CE-6, CE-18)."""
    state = desk.state
    if phase.until is None or phase.waiting:
        return
    if state.busy and not phase.spent:
        phase = replace(phase, held=True, spent=True)
    if state.mouth or phase.held:
        limit = max(state.quiet_by if state.mouth else 0, phase.until if phase.left is not None else desk.at + HOLD)
        phase = replace(phase, left=phase.until - desk.at if phase.left is None else phase.left, until=limit)
    elif phase.left is not None:
        phase = replace(phase, until=desk.at + max(phase.left, LEAST), left=None)
    desk.set(phase=phase)


def _told(desk: Desk, phase: Telling) -> None:
    """Lines that had to be heard are through, or are said once more where they were cut off."""
    if phase.cut and phase.lines and phase.tries == 1:
        again = tuple((line.partition("#")[0], text, 0.35) for line, text in phase.lines)
        desk.tell_all(again, phase.then)
        desk.set(phase=replace(desk.state.phase, tries=2))
    elif phase.then == "read":
        _read(desk, 0, 0.6)
    elif desk.state.options.ready:
        line = f"card{desk.state.number + 1}/ready"
        line = desk.tell(line, "clever_ready", 0.8, who=desk.who(desk.state.reader))
        desk.enter(Asking(line, desk.state.quiet_by + READY))
    else:
        _deal(desk)


def _deal(desk: Desk) -> None:
    """The next card (CE-4), the deck anew where it is used up (CE-20); the category first (CE-5)."""
    state = desk.state
    if not state.deck:
        ids = shuffled([card.id for card in state.packs.clues], state.seed, state.draws)
        # Not the same card twice in a row where there is another.
        desk.set(deck=(*ids[1:], ids[0]) if ids[0] == state.hand.card else ids, draws=state.draws + 1)
        desk.effects.append(Keep("clues", ""))
        desk.tell("deck", "clever_anew")
    state = desk.state
    card, none = state.packs.card(state.deck[0]), (0,) * state.seats
    count = state.options.statements - state.pieces.fewer
    order = pick_order(card, state.options, count, state.seed, state.draws)
    desk.set(
        hand=Hand(card.id, order, none, extra=state.pieces.free), deck=state.deck[1:], number=state.number + 1,
        draws=state.draws + 1, pieces=replace(state.pieces, free=none, fewer=0), again=(), rulings=(),
    )
    key = "clever_card_reader" if state.options.reader == "player" else "clever_card"
    named = number(desk.state.number)
    lines = [(desk.on_card("start"), desk.words(key, number=named, who=desk.who(state.reader)), 0.4)]
    if key == "clever_card" and not state.options.hide_category:
        category = desk.words("clever_category", category=article(card.category))
        lines.append((desk.on_card("category"), category, 0.2))
    desk.tell_all(tuple(lines), "read")


def _read(desk: Desk, index: int, gap: float = 0.0) -> None:
    """The next statement is said, or awaited from the reader (CE-5, CE-17)."""
    if desk.state.options.reader == "player":
        desk.chime("turn")
        desk.enter(Tapping(index))
        return
    line = desk.say(desk.on_card(f"statement{index + 1}"), desk.state.statement(index), gap)
    desk.enter(Reading(index, line, desk.state.quiet_by))


def _silence(desk: Desk, index: int) -> Pausing:
    """The pause after `index` statements (CE-6)."""
    state = desk.state
    if state.options.wait:
        return Pausing(index, desk.at + REMIND, 0, waiting=True)
    return Pausing(index, desk.at + state.silence(), state.silence())


def _pause(desk: Desk, index: int) -> None:
    desk.enter(_silence(desk, index))


def _pause_over(desk: Desk, phase: Pausing) -> None:
    """The next statement, the last chance, or nobody has it (CE-9)."""
    desk.set(again=())
    if phase.last:
        unsolved(desk, "clever_nobody", settled=False)
    elif phase.index < len(desk.state.hand.order):
        _read(desk, phase.index)
    else:
        desk.tell(desk.on_card("last_chance"), "clever_last_chance", 0.0)
        desk.enter(Pausing(phase.index, desk.at + LAST_CHANCE, LAST_CHANCE, last=True))


# --- what players ask for ------------------------------------------------------------------------


def _tap(desk: Desk) -> None:
    """Reader = player: a statement begins with the reader's tap (CE-17)."""
    match desk.state.phase:
        case Tapping(index):
            pass
        case Pausing(index=index, last=False) | Listening(index=index) if desk.state.options.reader == "player":
            index += isinstance(desk.state.phase, Listening)
        case _:
            return
    if index < len(desk.state.hand.order):
        _count(desk, index, FIRST_WORD)
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
            until = state.quiet_by + REPLY
            desk.set(phase=replace(phase, line=line, until=until, due=until))
        case Claiming() as phase:
            line = desk.tell(desk.on_card("who"), "clever_who_again")
            desk.set(phase=replace(phase, line=line))
        case Telling(then="ask") | Asking():
            desk.tell(desk.on_card("reveal"), "clever_answer", answer=state.card.answer)
        case Telling() | Tapping():
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


# --- what may be seen, what is worth hearing -----------------------------------------------------


def expects(state: State) -> Expects:
    """What is worth listening for."""
    phase, hand = state.phase, state.hand
    may = tuple(seat for seat in range(state.seats) if state.guesses(seat))
    if isinstance(phase, Over):
        return Expects()
    if isinstance(phase, Claiming):
        return Expects(guessing=phase.between or may, claim=True)
    if hand.settled:
        return Expects(ready=isinstance(phase, Asking))
    owned = hand.owned_only or state.options.strict
    return Expects(card=state.card, guessing=may, ready=isinstance(phase, Asking), owned_only=owned)


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
        "false": hand.order.index(-1) if over and -1 in hand.order else None,
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
        "reader": state.reader,
        "pause": state.options.pause,
        "players": [
            {"name": player.name, "colour": player.colour, "place": state.pieces.places[at],
             "red": in_red(state.packs, state.pieces, at), "free": left(desk, at), "guesses": state.guesses(at)}
            for at, player in enumerate(state.players)
        ],
        "board": {
            "title": state.packs.board.title,
            "spaces": [asdict(space) for space in state.packs.board.spaces],
        },
        "card": seen,
        "verdicts": [asdict(ruling) for ruling in state.rulings],
    }
