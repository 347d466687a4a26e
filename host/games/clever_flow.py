"""What goes on by itself in Clever Endeavor: the mouth's reports, the floor, the deadlines, the next line."""

from dataclasses import replace

from host.clock import Samples, samples
from host.events import Floor, Keep, Part, Said
from host.games.clever_answers import article
from host.games.clever_desk import Desk
from host.games.clever_guessing import CLAIM, HOLD, REPLY, decide_claims, fail, unsolved
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
    shuffled,
)
from host.lines import number

READY = samples(8)
"""After so long without a "go" the next card begins anyway (CE-17)."""
LAST_CHANCE = samples(10)
"""CE-9."""
LEAST = samples(1)
"""A stopped pause goes on for so long at least (CE-6)."""
REMIND = samples(20)
"""Option `wait`: after so long the host says what it waits for."""


def deadline(state: State) -> Samples | None:
    """When `TimeUp` is wanted, or None."""
    match state.phase:
        case Over() | Tapping():
            return None
        case phase:
            return phase.until


# --- the floor and the deadlines -----------------------------------------------------------------


def heed_floor(desk: Desk, floor: Floor) -> None:
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


def time_up(desk: Desk) -> None:
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
            deal(desk)
        case Telling() | Reading(line="") as phase:
            # The mouth or the floor was waited for long enough.
            desk.set(mouth="", busy=False, again=(), phase=replace(phase, until=desk.at + HOLD))
        case Reading(index):
            desk.set(mouth="", quiet_by=desk.at)
            count_statement(desk, index)
            _pause(desk, index + 1)
        case Listening(index):
            _pause(desk, index + 1)
        case Pausing(waiting=True) as phase:
            desk.tell(desk.on_card("reminder"), "clever_reminder")
            desk.set(phase=replace(phase, until=None))
        case Pausing(left=int()) as phase:
            desk.set(mouth="", phase=replace(phase, held=False))
        case Pausing() as phase:
            pause_over(desk, phase)
        case Exacting() as phase:
            fail(desk, phase)
        case Claiming() as phase:  # pragma: no branch - the other phases, Over and Tapping, have no deadline
            decide_claims(desk, phase)


def resume(desk: Desk) -> None:
    """After a power cut (GM-3): whoever was speaking was heard by nobody, so time to answer begins anew, and what was
    asked or read last is said again; lines that were cut off are, too, when the mouth reports them.
    """
    desk.set(overdue=False)
    desk.set(phase=_anew(desk, desk.state.phase))


def _anew(desk: Desk, phase: Phase) -> Phase:
    state = desk.state
    match phase:
        case Asking():
            return _ask_ready(desk)
        case Telling():
            return replace(phase, tries=1)
        case Pausing():
            if state.options.reader != "player" and not state.hand.over:
                desk.set(again=(phase.index - 1,))
            return replace(phase, until=desk.at + (REMIND if phase.waiting else phase.length), left=None, spent=False)
        case Exacting():
            back = _anew(desk, phase.back)
            line = desk.tell(desk.on_card("exactly"), "clever_exactly", who=desk.who(phase.seat))
            until = desk.state.quiet_by + REPLY
            return replace(phase, back=back, line=line, until=until, due=until)
        case Claiming():
            line = desk.tell(desk.on_card("who"), "clever_who_again")
            return replace(phase, line=line, until=desk.state.quiet_by + CLAIM)
    return phase


# --- the mouth reports ---------------------------------------------------------------------------


def said_line(desk: Desk, said: Said) -> None:
    """The mouth reports: lines end, questions get their time to reply, statements their pause."""
    state, phase = desk.state, desk.state.phase
    base = said.line.partition("#")[0]
    done = said.part in (Part.ENDED, Part.CUT)
    if base.startswith(f"card{state.number}/"):
        _note(desk, base.partition("/")[2], said)
    if said.line == state.mouth and done:
        desk.set(mouth="", quiet_by=desk.at)
    elif said.line == state.mouth and said.part is Part.BEGAN:
        # From here on its end is known well enough.
        desk.set(quiet_by=desk.at + state.length)
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
        case (Telling() | Reading()), Part.BEGAN if said.line == desk.state.mouth:
            return replace(phase, until=desk.state.quiet_by)
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
        count_statement(desk, int(part.removeprefix("statement")) - 1)


def count_statement(desk: Desk, index: int, after: Samples = 0) -> None:
    """A statement counts from here on, once (CE-13), and its card has been used (CE-20)."""
    hand = desk.state.hand
    if hand.opened is None:
        desk.hand(opened=desk.at)
    if index == len(hand.reads):
        desk.hand(reads=(*hand.reads, desk.at + after))
        desk.keep()


# --- what goes on by itself ----------------------------------------------------------------------


def go_on(desk: Desk) -> None:
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
    state, until = desk.state, phase.until
    if until is None or phase.waiting or state.overdue:
        return
    if state.busy and not phase.spent:
        phase = replace(phase, held=True, spent=True)
    if state.mouth or phase.held:
        left = until - desk.at if phase.left is None else phase.left
        limit = desk.at + HOLD if phase.left is None else until
        phase = replace(phase, left=left, until=max(limit, state.quiet_by if state.mouth else 0))
    elif phase.left is not None:
        phase = replace(phase, until=desk.at + max(phase.left, LEAST), left=None)
    desk.set(phase=phase)


def _told(desk: Desk, phase: Telling) -> None:
    """Lines that had to be heard are through, or are said once more where they were cut off."""
    if phase.cut and phase.lines and phase.tries == 1:
        again = tuple((line.partition("#")[0], text, 0.35) for line, text in phase.lines)
        desk.tell_all(again, phase.then, tries=2)
    elif phase.then == "read":
        _read(desk, 0, 0.6)
    elif desk.state.options.ready:
        desk.enter(_ask_ready(desk))
    else:
        deal(desk)


def _ask_ready(desk: Desk) -> Asking:
    line = f"card{desk.state.number + 1}/ready"
    line = desk.tell(line, "clever_ready", 0.8, who=desk.who(desk.state.reader))
    return Asking(line, desk.state.quiet_by + READY)


def deal(desk: Desk) -> None:
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
        draws=state.draws + 1, pieces=replace(state.pieces, free=none, fewer=0), again=(),
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


def pause_over(desk: Desk, phase: Pausing) -> None:
    """The next statement, the last chance, or nobody has it (CE-9)."""
    desk.set(again=())
    if phase.last:
        unsolved(desk, "clever_nobody", settled=False)
    elif phase.index < len(desk.state.hand.order):
        _read(desk, phase.index)
    else:
        desk.tell(desk.on_card("last_chance"), "clever_last_chance", 0.0)
        desk.enter(Pausing(phase.index, desk.at + LAST_CHANCE, LAST_CHANCE, last=True))
