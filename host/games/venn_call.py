""""VENN!": stopping the clue givers, which team it was, false alarms, the cooperative clock (VN-7, VN-8, VN-16).

A call that the ear is not sure of stops nobody: the host asks "was that a call?" while cards are placed and the clock
runs. A yes, a team's name or another call counts from the first call's sample; a no, or silence, is nothing.
"""

from dataclasses import replace

from host.clock import Samples
from host.events import Call, ListWord
from host.games.venn_desk import Desk
from host.games.venn_guess import accept, begin_guessing
from host.games.venn_round import begin_count, count_again
from host.games.venn_state import (
    ASKING,
    BREATH,
    CALLS,
    CLOCK,
    COUNT,
    DOUBT,
    GUESSES,
    SECOND,
    STRIKE,
    TOGETHER,
    TRIES,
    WORD_LENGTH,
    Asking,
    Counting,
    Doubt,
    Guessing,
    Placing,
)
from host.lines import number

_CALL_LINES = dict(zip(CALLS, ("venn_minute", "venn_thirty", "venn_ten"), strict=True))


def call(desk: Desk, intent: Call) -> None:
    """"VENN!" was called, or may have been."""
    phase = desk.state.phase
    match phase:
        case Placing(go) if not intent.sure:
            if intent.began >= go:
                _wonder(desk, phase, intent)
        case _ if not intent.sure:
            pass
        case Counting():
            _too_early(desk)
        case Placing(go) if intent.began < go:
            _too_early(desk)
        case Placing(doubt=Doubt()):
            confirm(desk, phase, intent.team, intent.ended)
        case Placing():
            _stop(desk, phase, intent)
        case Asking() if intent.team is not None:
            name_team(desk, intent.team, intent.began)
        case Guessing(first=True):
            _late_call(desk, phase, intent)


def _too_early(desk: Desk) -> None:
    """A call begun before the last sample of GO: "not yet", once; a count that was on its way begins anew."""
    if desk.state.warned:
        return
    desk.set(warned=True)
    phase = desk.state.phase
    counting = isinstance(phase, Counting) and phase.step < len(COUNT)
    if counting:
        desk.hush()
    desk.tell("not_yet", "venn_not_yet", 0.0)
    if isinstance(phase, Counting) and counting:
        count_again(desk, phase)


def _missing_card(desk: Desk, team: int | None) -> int | None:
    """How many art cards that team (where unknown: the one that has most) has, if they are too few (VN-7)."""
    if desk.state.options.art_cards == "trust":
        return None
    count = max(desk.state.cards) if team is None else desk.state.cards[team]
    return count if count < GUESSES else None


def _only(desk: Desk, count: int) -> None:
    """"Only two cards yet": the call is none."""
    key = "venn_only_none" if count == 0 else "venn_only"
    desk.tell("only", key, 0.1, number=number(count), cards="card" if count == 1 else "cards")


def _stop(
    desk: Desk, phase: Placing, intent: Call, breath: tuple[ListWord, ...] = (), told: bool = True,
) -> None:
    """Both clue givers stop at once: a loud sound, then words (VN-8)."""
    cooperative = desk.state.options.cooperative
    team = 0 if cooperative else intent.team
    count = _missing_card(desk, team)
    if count is not None:
        _only(desk, count)
        return
    desk.hush()
    desk.chime("venn")
    desk.tell("stop", "venn_stop", 0.0)
    left = CLOCK if phase.ends is None else max(0, phase.ends - intent.began)
    if team is None:
        desk.tell("which", "venn_which", 0.2)
        desk.enter(Asking(intent.began, _ended(intent), breath))
        return
    _with_breath(desk, Guessing(
        team, first=True, since=intent.began, bonus=not cooperative, call=intent.began, left=left, told=told,
        named=desk.at,
    ), breath)


def _ended(intent: Call) -> Samples:
    return intent.began + WORD_LENGTH if intent.ended is None else intent.ended


def _with_breath(desk: Desk, guess: Guessing, breath: tuple[ListWord, ...]) -> None:
    """A team's guess, with the words that followed the call in one breath (VN-9)."""
    if breath:
        desk.set(phase=guess)
        for word in sorted(breath, key=lambda word: word.began):
            accept(desk, word, in_breath=True)
        if not isinstance(desk.state.phase, Guessing):
            return
        guess = desk.state.phase
    begin_guessing(desk, guess)


def in_breath(desk: Desk, word: ListWord) -> None:
    """A list word before the team is known: kept where it follows the call in one breath (VN-9)."""
    phase = desk.state.phase
    match phase:
        case Asking(call, ended, breath) | Placing(doubt=Doubt(call, ended, breath=breath)):
            pass
        case _:
            return
    if call <= word.began < ended + SECOND:
        ended = max(ended, word.began + WORD_LENGTH if word.ended is None else word.ended)
        if isinstance(phase, Asking):
            desk.set(phase=replace(phase, breath=(*breath, word), breath_ended=ended))
        elif isinstance(phase, Placing) and phase.doubt is not None:
            desk.set(phase=replace(phase, doubt=replace(phase.doubt, breath=(*breath, word), ended=ended)))


# --- was that a call? -----------------------------------------------------------------------------


def _wonder(desk: Desk, phase: Placing, intent: Call) -> None:
    """The ear is not sure: ask, and let play go on; not more often than is bearable (GM-4)."""
    team = 0 if desk.state.options.cooperative else intent.team
    if phase.doubt is not None or desk.state.doubts >= TRIES or _missing_card(desk, team) is not None:
        return
    doubt = Doubt(intent.began, _ended(intent), team, desk.at + ASKING + DOUBT)
    desk.set(phase=replace(phase, doubt=doubt), doubts=desk.state.doubts + 1)
    desk.tell("perhaps", "venn_perhaps", 0.0)


def confirm(desk: Desk, phase: Placing, team: int | None = None, ended: Samples | None = None) -> None:
    """It was a call, of `team` where that is known, and counts from where it began.

    Whoever only says so may be disputed, and where a microphone told another team, the host asks (VN-8).
    """
    doubt = phase.doubt
    if doubt is None:
        return
    teams = {doubt.team, team} - {None}
    whose = teams.pop() if len(teams) == 1 else None
    desk.set(phase=replace(phase, doubt=None))
    intent = Call(desk.at, doubt.call, whose, doubt.ended if ended is None else ended)
    _stop(desk, phase, intent, doubt.breath, told=doubt.team is not None)


def dismiss(desk: Desk, phase: Placing) -> None:
    """It was none: all goes on as if nothing had been."""
    if phase.doubt is not None:
        desk.set(phase=replace(phase, doubt=None))


def ask_again(desk: Desk, phase: Placing) -> None:
    """After a pause or a power cut: what was asked is asked anew."""
    if phase.doubt is not None:
        doubt = replace(phase.doubt, until=desk.at + ASKING + DOUBT, asked=False, held=False)
        desk.set(phase=replace(phase, doubt=doubt))
        desk.tell("perhaps", "venn_perhaps", 0.0)


def quiet(desk: Desk, phase: Placing) -> None:
    """The host has spoken: an open question has its time from here."""
    if phase.doubt is not None and not phase.doubt.asked:
        desk.set(phase=replace(phase, doubt=replace(phase.doubt, until=desk.at + DOUBT, asked=True)))


def due(phase: Placing) -> Samples | None:
    """When the clock or an open question wants something."""
    clock = phase.ends if phase.ends is None or not phase.calls else phase.ends - phase.calls[0]
    asked = None if phase.doubt is None else phase.doubt.until
    return min((at for at in (clock, asked) if at is not None), default=None)


def overdue(desk: Desk, phase: Placing) -> None:
    """The clock's time, or nobody has answered."""
    doubt = phase.doubt
    if phase.ends is not None and desk.at >= phase.ends - (phase.calls[0] if phase.calls else 0):
        _clock(desk, phase)
    elif doubt is not None and desk.state.busy and not doubt.held:
        desk.set(phase=replace(phase, doubt=replace(doubt, held=True, until=desk.at + BREATH)))
    else:
        dismiss(desk, phase)


# --- which team -----------------------------------------------------------------------------------


def name_team(desk: Desk, team: int, began: Samples) -> None:
    """A team was named in reply to "which team?"; a second one at once disputes it (VN-8)."""
    phase = desk.state.phase
    match phase:
        case Placing(doubt=Doubt()):
            confirm(desk, phase, team)
        case Asking():
            _name_first(desk, phase, team, began)
        case Guessing(first=True, told=False, team=other, named=int() as named) if team != other:
            if desk.at - named <= STRIKE:
                _dispute(desk, phase)


def _name_first(desk: Desk, phase: Asking, team: int, began: Samples) -> None:
    desk.hush()
    count = _missing_card(desk, team)
    if count is not None:
        _only(desk, count)
        begin_count(desk, again=True)
        return
    _with_breath(desk, Guessing(
        team, first=True, since=max(began, phase.call), bonus=True, call=phase.call, told=False, named=desk.at,
    ), phase.breath)


def _dispute(desk: Desk, guess: Guessing) -> None:
    """Both claim the call: the team behind guesses first, level the one that called less recently; no bonus."""
    state, other = desk.state, 1 - guess.team
    rank = [(state.points[team], state.called[team], team != guess.team) for team in (0, 1)]
    first = 0 if rank[0] < rank[1] else 1
    desk.hush()
    desk.tell("both", "venn_both", team=desk.team(first))
    kept = replace(guess, bonus=False, named=None)
    if first == other:
        kept = replace(kept, team=other, since=guess.call if guess.told else desk.at, taken=(), struck=None)
    desk.enter(replace(kept, asked=False, held=False))


def _late_call(desk: Desk, guess: Guessing, intent: Call) -> None:
    """A call that is known only now: the earlier sample wins, the same sample is a tie (VN-8)."""
    if guess.named is None or desk.at - guess.named > TOGETHER:
        return
    if desk.state.options.cooperative:
        desk.set(phase=replace(guess, since=min(guess.since or intent.began, intent.began)))  # begun before the beep
    elif intent.team is None or intent.team == guess.team or _missing_card(desk, intent.team) is not None:
        return
    elif not guess.told or intent.began == guess.call:
        _dispute(desk, guess)
    elif intent.began < guess.call:
        desk.hush()
        desk.tell("earlier", "venn_earlier", 0.1, team=desk.team(intent.team))
        begin_guessing(desk, Guessing(
            intent.team, first=True, since=intent.began, bonus=True, call=intent.began, named=guess.named,
        ))


def false_alarm(desk: Desk) -> None:
    """"Nobody": play goes on after another count, and the cooperative clock gets its time back (VN-8).

    Where the host only asked whether it was a call, nothing was stopped, and there is nothing to count.
    """
    phase = desk.state.phase
    match phase:
        case Placing():
            dismiss(desk, phase)
            return
        case Asking():
            left = CLOCK
        case Guessing(first=True, taken=(), left=left) if left:
            pass
        case _:
            return
    desk.hush()
    desk.tell("alarm", "venn_false_alarm")
    begin_count(desk, left, again=True)


def ask_team(desk: Desk, phase: Asking) -> None:
    """Nobody has answered: the question once more, then it was a false alarm."""
    if phase.tries > 1:
        false_alarm(desk)
        return
    desk.tell("which", "venn_which_again")
    desk.set(phase=replace(phase, tries=phase.tries + 1, until=None))


def card(desk: Desk, team: int | None) -> None:
    """A team has placed an art card (VN-7); on one microphone, where it is not known whose, it counts for both."""
    if isinstance(desk.state.phase, Placing):
        cards = tuple(count + (team in (None, at)) for at, count in enumerate(desk.state.cards))
        desk.set(cards=cards)


def _clock(desk: Desk, phase: Placing) -> None:
    """The cooperative clock: a minute, thirty, ten seconds, and the beep (VN-16, VN-17)."""
    if phase.calls:
        desk.set(phase=replace(phase, calls=phase.calls[1:]))
        desk.tell("time", _CALL_LINES[phase.calls[0]], 0.0)
        return
    desk.hush()
    desk.chime("beep")
    desk.tell("time", "venn_time_up", 0.0)
    begin_guessing(desk, Guessing(0, first=True, since=phase.ends, call=phase.ends or desk.at, left=0, named=desk.at))
