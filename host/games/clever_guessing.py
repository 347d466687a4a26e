"""Clever Endeavor's guesses: who was right, who pays, who was first (CE-9 to CE-16), and the card's end."""

from dataclasses import replace
from typing import TypeAlias

from host.clock import RATE, Samples, samples
from host.events import Guess, Guesses, Verdict
from host.games.clever_board import walk
from host.games.clever_desk import Desk, sentence, spaces, statements
from host.games.clever_state import Claiming, Exacting, Listening, Over, Pausing, Reading, Telling
from host.lines import number

Lines: TypeAlias = tuple[tuple[str, str, float], ...]

WITHIN_BUTTONS = samples(0.05)
WITHIN_VOICES = samples(0.15)
"""Right answers that begin within this are a tie (CE-15)."""
REPLY = samples(5)
"""To reply to "more exactly?" (CE-14)."""
CLAIM = samples(6)
"""To reply to "who said it?" (CE-16)."""
SECOND_CLAIM = samples(0.8)
"""So long a second claim may follow the first."""
HOLD = samples(8)
"""The longest that anything waits for speech to be judged (CE-6)."""


def start(guess: Guess) -> Samples:
    """Where a guess begins, compared with others: the press, else the answer's own words (CE-15)."""
    return guess.began if guess.by_button else guess.answer_began


def together(one: Guess, other: Guess) -> bool:
    """Do two guesses begin at exactly the same time (CE-15)?"""
    return abs(start(one) - start(other)) <= (WITHIN_BUTTONS if one.by_button and other.by_button else WITHIN_VOICES)


def counts(desk: Desk, guess: Guess) -> bool:
    """Is it a guess at all, begun while guesses are open (CE-9, CE-10, CE-16, CE-17)?"""
    state, hand = desk.state, desk.state.hand
    if guess.verdict in (Verdict.NONE, Verdict.AGAIN) or hand.settled:
        return False
    if hand.opened is None or guess.began < hand.opened:
        return False
    if hand.over and (guess.seat is None or (hand.revealed is not None and guess.began >= hand.revealed)):
        return False
    if guess.seat is None:
        return not (hand.owned_only or state.options.strict)
    return 0 <= guess.seat < state.seats and state.guesses(guess.seat)


def take(desk: Desk, guesses: tuple[Guess, ...]) -> None:
    """Judge guesses in the order of their starts, each with the move of the one before it done (CE-14b)."""
    queue = tuple(sorted((guess for guess in guesses if counts(desk, guess)), key=lambda g: (start(g), g.answer_began)))
    match desk.state.phase:
        case Exacting():
            _reply(desk, queue)
        case Claiming() as phase:
            claim(desk, phase, tuple(g.seat for g in queue if g.verdict is Verdict.RIGHT and g.seat is not None))
        case _:
            _settle(desk, queue)


def _settle(desk: Desk, queue: tuple[Guess, ...]) -> None:
    """Settle guesses that are in order, until one of them decides the card."""
    for index, guess in enumerate(queue):
        rest = queue[index + 1 :]
        match guess:
            case Guess(seat=None, verdict=Verdict.RIGHT):
                if not any(other.verdict is Verdict.RIGHT and together(guess, other) for other in rest):
                    _ask_who(desk, guess)
                    return
            case Guess(seat=int(seat), verdict=Verdict.RIGHT):
                rivals = _rivals(guess, rest)
                if rivals:
                    tie(desk, (seat, *rivals))
                else:
                    solve(desk, seat, guess)
                return
            case Guess(seat=int(seat), verdict=Verdict.UNSPECIFIC):
                if desk.state.hand.over or any(
                    other.verdict is Verdict.RIGHT and other.seat is not None and together(guess, other)
                    for other in rest
                ):
                    continue  # of a specific and an unspecific answer only the specific one is right (CE-15)
                if seat not in desk.state.hand.prompted:
                    _ask_exactly(desk, seat, guess)
                    _reply(desk, rest)
                    return
                charge(desk, seat, guess.text)
            case Guess(seat=int(seat)):
                charge(desk, seat, guess.text)
            case Guess(verdict=Verdict.WRONG):
                _unowned(desk)
        if isinstance(desk.state.phase, Over):
            return


def _rivals(guess: Guess, rest: tuple[Guess, ...]) -> tuple[int, ...]:
    """The other players who were right at exactly the same time (CE-15)."""
    rights = [other for other in rest if other.verdict is Verdict.RIGHT and together(guess, other)]
    return tuple(dict.fromkeys(r.seat for r in rights if r.seat is not None and r.seat != guess.seat))


def _unowned(desk: Desk) -> None:
    """A wrong guess without an owner is table talk; after two of them: colour first, please (CE-16)."""
    desk.hand(unowned=desk.state.hand.unowned + 1)
    if desk.state.hand.unowned == 2:
        desk.hand(owned_only=True)
        desk.tell(desk.on_card("owner"), "clever_owner")


# --- wrong ---------------------------------------------------------------------------------------


def charge(desk: Desk, seat: int, text: str) -> None:
    """A wrong guess: free, or one space back at once (CE-11), never beyond START (CE-12)."""
    state, hand, pieces = desk.state, desk.state.hand, desk.state.pieces
    wrongs = tuple(count + (at == seat) for at, count in enumerate(hand.wrongs))
    left = desk.free(seat) - wrongs[seat]
    desk.hand(wrongs=wrongs)
    who = desk.who(seat)
    desk.chime("wrong")
    line, cost = desk.on_card("verdict"), 0
    if left > 0:
        desk.tell(line, "clever_wrong_free", 0.25, who=who, left=guesses(left))
    elif left == 0:
        desk.tell(line, "clever_wrong_last", 0.25, who=who)
    elif pieces.shield[seat] > 0:
        shield = tuple(count - (at == seat) for at, count in enumerate(pieces.shield))
        desk.set(pieces=replace(pieces, shield=shield))
        desk.tell(line, "clever_wrong_shield", 0.25, who=who)
    elif pieces.places[seat] == 0:
        desk.tell(line, "clever_wrong_start", 0.25, who=who)
    else:
        cost = -1
        desk.tell(line, "clever_wrong_back", 0.25, who=who)
        pieces, happenings = walk(state.packs, pieces, seat, -1)
        desk.set(pieces=pieces)
        desk.tell_moves(happenings)
    desk.rule(seat, text, "wrong", cost)
    if desk.state.pieces.winner is not None:
        win(desk, desk.state.pieces.winner)


def guesses(left: int) -> str:
    """Free guesses as a sentence begins with them."""
    return f"{number(left).capitalize()} free {'guess' if left == 1 else 'guesses'}"


# --- "more exactly?" -----------------------------------------------------------------------------


def _ask_exactly(desk: Desk, seat: int, guess: Guess) -> None:
    """True but too general: "more exactly?", once a player and card, without cost (CE-14)."""
    back = desk.state.phase
    if isinstance(back, Pausing) and back.left is None and back.until is not None:
        back = replace(back, left=max(0, back.until - desk.at))
    desk.hand(prompted=(*desk.state.hand.prompted, seat))
    desk.rule(seat, guess.text, "unspecific")
    line = desk.tell(desk.on_card("exactly"), "clever_exactly", who=desk.who(seat))
    until = desk.state.quiet_by + REPLY
    desk.enter(Exacting(seat, guess, line, until, until, back))


def _reply(desk: Desk, queue: tuple[Guess, ...]) -> None:
    """Guesses after "more exactly?": the reply counts from the first utterance's start, others wait (CE-14)."""
    for index, guess in enumerate(queue):
        phase = desk.state.phase
        if not isinstance(phase, Exacting):
            return  # another's charge has ended the game
        own = guess.seat in (None, phase.seat)
        if own and guess.began > phase.due:
            fail(desk, phase, queue[index:])
            return
        if own and guess.verdict is Verdict.RIGHT:
            solve(desk, phase.seat, replace(guess, began=phase.first.began))
            return
        if guess.seat is None:
            continue
        if own:
            charge(desk, phase.seat, guess.text)
            if not isinstance(desk.state.phase, Over):
                fail(desk, phase, queue[index + 1 :])
            return
        if guess.verdict is Verdict.WRONG:
            charge(desk, guess.seat, guess.text)
        else:
            desk.set(phase=replace(phase, kept=(*phase.kept, guess)))


def fail(desk: Desk, phase: Exacting, queue: tuple[Guess, ...] = ()) -> None:
    """The reply was wrong or did not come: back to the card, and to what others said meanwhile (CE-14)."""
    late = max(desk.at, desk.state.quiet_by)
    match phase.back:
        case Pausing() as back:
            desk.enter(replace(back, held=False, until=None if back.until is None else late))
        case Telling() | Reading() | Listening() as back:
            desk.enter(replace(back, until=late + HOLD))
        case back:
            desk.enter(back)
    _settle(desk, tuple(sorted((*phase.kept, *queue), key=start)))


# --- "who said it?" ------------------------------------------------------------------------------


def _ask_who(desk: Desk, guess: Guess) -> None:
    """Right, but nobody knows whose it was (CE-16)."""
    desk.hush()
    desk.chime("right")
    seat = guess.likely
    if seat is not None and (not 0 <= seat < desk.state.seats or not desk.state.guesses(seat)):
        seat = None
    if seat is None:
        line = desk.tell(desk.on_card("who"), "clever_who", 0.25)
    else:
        line = desk.tell(desk.on_card("who"), "clever_who_likely", 0.25, name=desk.state.players[seat].name)
    desk.enter(Claiming(guess, line, desk.state.quiet_by + CLAIM, likely=seat))


def reply_claim(desk: Desk, phase: Claiming, yes: bool) -> None:
    """"Was that you?": a yes is a claim, a no asks everybody; the voice itself settles nothing."""
    if phase.likely is None:
        return
    if yes:
        claim(desk, phase, (phase.likely,))
        return
    line = desk.tell(desk.on_card("who"), "clever_who_again")
    desk.enter(replace(phase, line=line, until=desk.state.quiet_by + CLAIM, asked=2, likely=None))


def claim(desk: Desk, phase: Claiming, seats: tuple[int, ...]) -> None:
    """Somebody says that it was theirs; a second one may follow (CE-15)."""
    claims = list(phase.claims)
    for seat in seats:
        allowed = 0 <= seat < desk.state.seats and desk.state.guesses(seat) and seat in (phase.between or (seat,))
        if allowed and seat not in claims:
            claims.append(seat)
    if len(claims) > len(phase.claims):
        desk.enter(replace(phase, claims=tuple(claims), until=desk.at + SECOND_CLAIM))


def decide_claims(desk: Desk, phase: Claiming) -> None:
    """The time to claim is over: one claim solves, two are asked once who was first, none is asked again."""
    if len(phase.claims) == 1:
        solve(desk, phase.claims[0], phase.guess)
    elif phase.between:
        tie(desk, phase.between)
    elif phase.claims:
        line = desk.tell(desk.on_card("first"), "clever_first", names=desk.names(phase.claims))
        until = desk.state.quiet_by + CLAIM
        desk.enter(replace(phase, line=line, until=until, claims=(), between=phase.claims))
    elif phase.asked == 1:
        line = desk.tell(desk.on_card("who"), "clever_who_again")
        desk.enter(replace(phase, line=line, until=desk.state.quiet_by + CLAIM, asked=2, likely=None))
    else:
        unsolved(desk, "clever_answer")


# --- the card is over ----------------------------------------------------------------------------


def solve(desk: Desk, seat: int, guess: Guess, key: str = "clever_right", lines: Lines | None = None) -> None:
    """A right guess: 7 minus the statements read when it began (CE-13); the solver reads next (CE-17).

    `key` is the verdict's wording; `lines` follow it instead of the card's own.
    """
    state, hand = desk.state, desk.state.hand
    read = sum(first_word <= guess.began for first_word in hand.reads)
    steps, bonus = 7 - max(1, read), state.pieces.bonus[seat]
    desk.hush()
    desk.keep()
    desk.hand(over=True, settled=True)
    desk.chime("right")
    desk.tell(
        desk.on_card("verdict"), "clever_in_time" if hand.over else key, 0.25,
        who=desk.who(seat), answer=sentence(state.card.answer), read=statements(read), spaces=spaces(steps),
    )
    if bonus:
        desk.tell("bonus", "clever_bonus", 0.2, spaces=spaces(bonus))
    pieces = replace(state.pieces, bonus=tuple(0 if at == seat else n for at, n in enumerate(state.pieces.bonus)))
    pieces, happenings = walk(state.packs, pieces, seat, steps + bonus)
    desk.rule(seat, guess.text, "right", steps + bonus)
    desk.set(pieces=pieces, reader=seat, again=())
    desk.tell_moves(happenings)
    if pieces.winner is not None:
        win(desk, pieces.winner)
    else:
        desk.tell_all(desk.after_card() if lines is None else lines, "ask")


def unsolved(desk: Desk, key: str, settled: bool = True) -> None:
    """Nobody has it: the answer and its note are said, and the player to the left reads (CE-9, CE-17)."""
    reader = desk.state.reader
    after = (reader + 1) % desk.state.seats
    _reveal(desk, key, settled)
    if after != reader:
        desk.set(reader=after)
        desk.tell("reader", "clever_pass", 0.3, who=desk.who(reader), next=desk.who(after))


def tie(desk: Desk, seats: tuple[int, ...]) -> None:
    """Right at exactly the same time: nobody moves, the card is passed, the same reader reads on (CE-15)."""
    desk.hush()
    desk.tell(desk.on_card("verdict"), "clever_tie", names=desk.names(seats))
    _reveal(desk, "clever_answer", settled=True)


def _reveal(desk: Desk, key: str, settled: bool) -> None:
    """The card is over without a solver: say its answer and what follows."""
    desk.keep()
    desk.hand(over=True, settled=settled)
    desk.set(again=())
    answer = (desk.on_card("reveal"), desk.words(key, answer=desk.state.card.answer), 0.35)
    desk.tell_all((answer, *desk.after_card()), "ask")


def win(desk: Desk, seat: int) -> None:
    """The first in the Winner's Circle wins at once; the rest is dropped (CE-3)."""
    state = desk.state
    desk.keep()
    minutes = round((desk.at - (state.started or 0)) / RATE / 60)
    desk.tell(
        "winner", "clever_win", who=desk.who(seat), name=state.players[seat].name,
        cards=f"{number(state.number)} {'card' if state.number == 1 else 'cards'}",
        minutes="less than a minute" if minutes < 1 else f"{number(minutes)} minute{'s' * (minutes > 1)}",
    )
    desk.set(again=())
    desk.enter(Over(seat))


# --- objections ----------------------------------------------------------------------------------


def overturn(desk: Desk, given: Guesses, seat: int, right: bool) -> bool:
    """Settle guesses anew with the verdict on that seat's one turned round; False where there is none (GM-2)."""
    target = _meant(given.guesses, seat, right)
    if target is None:
        return False
    _charge_earlier(desk, given.guesses, target)
    if not isinstance(desk.state.phase, Over):
        _overturn(desk, given, seat, right, target)
    return True


def _overturn(desk: Desk, given: Guesses, seat: int, right: bool, target: Guess) -> None:
    known = any(guess.verdict is Verdict.RIGHT for guess in given.guesses)
    if right:
        phase = desk.state.phase
        began = phase.first.began if isinstance(phase, Exacting) and phase.seat == seat else target.began
        answer = (desk.on_card("reveal"), desk.words("clever_answer", answer=desk.state.card.answer), 0.3)
        lines = () if known else (answer, *desk.after_card())
        solve(desk, seat, replace(target, began=began), "clever_overruled_right", lines)
        return
    desk.tell(desk.on_card("verdict"), "clever_overruled_wrong")
    charge(desk, seat, target.text)
    if not isinstance(desk.state.phase, Over):
        desk.keep()
        desk.hand(over=True, settled=True)
        desk.set(reader=(desk.state.reader + 1) % desk.state.seats, again=())
        desk.tell_all((), "ask")


def _meant(given: tuple[Guess, ...], seat: int, right: bool) -> Guess | None:
    """The guess that an objection is about: that seat's last one, else an unowned one, else a right one.

    Right was taken for wrong: it may have been talk, or counted for somebody else. Wrong was taken for
    right: it was that seat's right guess, or a right one that the seat claimed.
    """
    rights = [guess for guess in given if guess.verdict is Verdict.RIGHT]
    owners: tuple[tuple[list[Guess], int | None], ...] = ((rights, seat), (rights, None))
    if right:
        others = [guess for guess in given if guess.verdict is not Verdict.RIGHT]
        owners = ((others, seat), *owners, (others, None))
    for guesses_there, owner in owners:
        for guess in reversed(guesses_there):
            if guess.seat == owner:
                return guess
    return rights[0] if right and rights else None


def _charge_earlier(desk: Desk, given: tuple[Guess, ...], target: Guess) -> None:
    """Others' wrong guesses begun before the disputed one stay charged; they have been told already."""
    said = len(desk.effects)
    for guess in sorted(given, key=start):
        wrong = guess.verdict is Verdict.WRONG and guess.seat is not None and counts(desk, guess)
        if wrong and guess.seat is not None and guess.seat != target.seat and start(guess) < start(target):
            charge(desk, guess.seat, guess.text)
            if isinstance(desk.state.phase, Over):
                return
    del desk.effects[said:]
    desk.set(mouth="", quiet_by=desk.at)
