"""The three words, the reveal, the score, and the end of a round (VN-9 to VN-14, VN-17, VN-18)."""

from dataclasses import replace

from host.events import Keep, ListWord
from host.games.venn_desk import Desk, numbers
from host.games.venn_round import extra_round
from host.games.venn_score import gained, score, together, winner
from host.games.venn_state import (
    GUESSES,
    HOLD,
    MORE,
    PATIENCE,
    STRIKE,
    TRIES,
    WORDS,
    Between,
    Guessing,
    Over,
    Revealing,
    Scored,
    Struck,
    Taken,
)
from host.games.venn_words import card_id
from host.lines import number


def begin_guessing(desk: Desk, guess: Guessing) -> None:
    """Ask a team for its three words."""
    ask_words(desk, guess)
    desk.enter(guess)


def ask_words(desk: Desk, guess: Guessing) -> None:
    """Ask for the three words."""
    if desk.state.options.cooperative:
        desk.tell("guess", "venn_our_words")
    else:
        desk.tell("guess", "venn_your_words" if guess.first else "venn_other_words", name=desk.name(guess.team))


def accept(desk: Desk, word: ListWord, in_breath: bool = False) -> None:
    """A list word was spoken: one of the first three counts, at once and for good (VN-9).

    `in_breath`: it came in the same breath as the call, before the team was known.
    """
    guess = desk.state.phase
    if not isinstance(guess, Guessing) or word.team not in (None, guess.team) or word.number in guess.numbers:
        return
    if not in_breath and (guess.since is None or word.began < guess.since):
        return
    if not in_breath:
        desk.hush()
    taken = (*guess.taken, Taken(word.number, desk.at, word.team is not None))
    guess = replace(guess, taken=taken, asked=False, held=False)
    desk.set(phase=guess)
    if len(taken) == GUESSES:
        desk.chime("closed")
        close(desk, guess)
    else:
        desk.chime("word")
        desk.wait()


def close(desk: Desk, guess: Guessing) -> None:
    """The list is closed: on to the numbers (VN-10)."""
    if not guess.taken:
        settle(desk, guess, ())
        return
    ask_numbers(desk, guess)
    desk.enter(Revealing(guess))


def ask_numbers(desk: Desk, guess: Guessing, with_words: bool = True) -> None:
    """Say what was guessed and ask for the numbers, unless the host knows them."""
    words, name = desk.words_of(guess.numbers), desk.giver(guess.team)
    if desk.state.secret:
        desk.tell("taken", "venn_taken", words=words)
    elif with_words:
        desk.tell("reveal", "venn_reveal", words=words, name=name)
    else:
        desk.tell("reveal", "venn_reveal_again", name=name)


# --- a stranger's word (VN-9) ---------------------------------------------------------------------


def strike(desk: Desk) -> None:
    """"Strike that": the last word was a stranger's; within 3 s, where no microphone told whose it was."""
    guess = desk.guess()
    if guess is None or not guess.taken:
        return
    last = guess.taken[-1]
    read = isinstance(desk.state.phase, Revealing) and (desk.state.phase.heard or desk.state.phase.read)
    if last.firm or read or desk.at - last.at > STRIKE:
        return
    desk.hush()
    desk.tell("struck", "venn_struck", word=desk.word(last.number))
    struck = Struck(last, len(guess.taken) - 1, desk.at)
    desk.enter(replace(guess, taken=guess.taken[:-1], struck=struck, asked=False))


def keep(desk: Desk) -> None:
    """Somebody contradicts within 3 s: the struck word stands, and what came after the third is dropped."""
    guess = desk.guess()
    if guess is None or guess.struck is None or desk.at - guess.struck.at > STRIKE:
        return
    back = replace(guess.struck.word, firm=True)
    others = tuple(word for word in guess.taken if word.number != back.number)
    taken = (*others[: guess.struck.place], back, *others[guess.struck.place :])[:GUESSES]
    desk.hush()
    desk.tell("kept", "venn_kept", word=desk.word(back.number))
    guess = replace(guess, taken=taken, struck=None)
    desk.enter(guess)
    if len(taken) == GUESSES:
        close(desk, guess)


# --- the numbers (VN-10) --------------------------------------------------------------------------


def hear_numbers(desk: Desk, said: tuple[int, ...]) -> None:
    """Numbers off a card: three at once or one after another, read back; said again they correct."""
    phase = desk.state.phase
    if not isinstance(phase, Revealing) or desk.state.secret or not said:
        return
    heard = said if len(said) >= GUESSES or phase.read else (*phase.heard, *said)
    good = len(set(heard)) == len(heard) <= GUESSES and all(1 <= one <= WORDS for one in heard)
    desk.hush()
    if not good:
        desk.tell("three", "venn_numbers_three")
        desk.enter(replace(phase, heard=(), read=False))
    elif len(heard) < GUESSES:
        desk.set(phase=replace(phase, heard=heard, read=False, until=desk.at + MORE))
    else:
        read_back(desk, heard)
        desk.enter(replace(phase, heard=heard, read=True))


def read_back(desk: Desk, heard: tuple[int, ...]) -> None:
    """Read the numbers back for a yes; nothing is scored without it."""
    desk.tell("read", "venn_read_back", numbers=numbers(heard))


def confirm(desk: Desk, phase: Revealing, yes: bool) -> None:
    """Yes or no to the numbers read back."""
    desk.hush()
    if yes:
        settle(desk, phase.guess, phase.heard)
        return
    desk.tell("correct", "venn_numbers_again" if phase.tries < TRIES else "venn_numbers_slow")
    desk.enter(replace(phase, heard=(), read=False, tries=phase.tries + 1))


# --- patience and silence -------------------------------------------------------------------------


def quiet(desk: Desk) -> None:
    """The host has said what it had to say, from the call on."""
    phase = desk.state.phase
    match phase:
        case Revealing(guess) if desk.state.secret:
            desk.set(phase=replace(phase, until=max(desk.at, guess.taken[-1].at + STRIKE)))
        case Guessing(since=None):
            desk.set(phase=replace(phase, since=desk.at))  # its question was never heard to begin
            desk.wait()
        case Guessing(struck=Struck() as struck) if desk.at - struck.at <= HOLD:
            desk.set(phase=replace(phase, struck=replace(struck, at=desk.at)))  # from the end of "is out"
            desk.wait()
        case _:
            desk.wait()


def overdue(desk: Desk, phase: Guessing | Revealing) -> None:
    """The patience is at its end: ask, then take what there is (VN-9)."""
    match phase:
        case Guessing(held=False) if desk.state.busy:
            desk.set(phase=replace(phase, held=True, until=desk.at + HOLD))
        case Guessing(asked=False):
            left = GUESSES - len(phase.taken)
            desk.set(phase=replace(phase, asked=True, held=False, until=None))
            desk.tell("more", "venn_more" if phase.taken else "venn_words_wanted", name=desk.name(phase.team),
                      left=number(left), words="word" if left == 1 else "words")
        case Guessing():
            close(desk, phase)
        case Revealing(guess) if desk.state.secret:
            settle(desk, guess, desk.state.secret[guess.team])
        case _:
            desk.set(phase=replace(phase, tries=phase.tries + 1, until=None))
            if phase.read:
                read_back(desk, phase.heard)
            elif phase.heard:
                desk.tell("rest", "venn_numbers_rest", numbers=numbers(phase.heard))
            else:
                ask_numbers(desk, phase.guess, with_words=False)


def silence(desk: Desk) -> None:
    """Nobody speaks any more: a deadline that was held up comes after a last breath."""
    phase = desk.state.phase
    if isinstance(phase, Guessing) and phase.held:
        desk.set(phase=replace(phase, until=desk.at + PATIENCE["Guessing"] // 40))


# --- the score and the end ------------------------------------------------------------------------


def settle(desk: Desk, guess: Guessing, card: tuple[int, ...]) -> None:
    """Score the words (VN-11), then the other team's turn (VN-12) or the end of the round."""
    state = desk.state
    scored = score(guess.team, guess.numbers, card, guess.bonus)
    if guess.first:
        callers = (guess.team,) if guess.bonus or state.options.cooperative else (0, 1)
        desk.set(called=tuple(state.round if team in callers else last for team, last in enumerate(state.called)))
    _add(desk, (*state.scored, scored))
    if state.secret:
        desk.effects.append(Keep("numbers", card_id(state.secret[guess.team])))
    if guess.taken:
        desk.tell_points(scored)
    else:
        desk.tell("verdict", "venn_no_words", team=desk.team(guess.team))
    if guess.first and not state.options.cooperative:
        begin_guessing(desk, Guessing(1 - guess.team, first=False, since=None))
    else:
        end_round(desk)


def _add(desk: Desk, scored: tuple[Scored, ...]) -> None:
    """The points that follow from this round's scores."""
    gains = gained(scored, len(desk.state.before))
    points = tuple(had + got for had, got in zip(desk.state.before, gains, strict=True))
    desk.set(scored=scored, points=points)


def end_round(desk: Desk) -> None:
    """Who has won, or that it goes on (VN-13, VN-14, VN-18)."""
    state = desk.state
    if state.options.cooperative:
        _end_together(desk)
        return
    won = winner(state.points, gained(state.scored, 2))
    if won is None:
        desk.set(games=state.games_before)
        desk.tell("score", "venn_extra" if extra_round(state) else "venn_score", score=desk.standing())
        between(desk)
        return
    games = tuple(count + (team == won) for team, count in enumerate(state.games_before))
    desk.set(games=games)
    desk.tell("score", "venn_score", score=desk.standing())
    team, wins, loses = desk.team(won), number(games[won]), number(games[1 - won])
    if not state.options.best_of_three:
        desk.tell("won", "venn_won", team=team)
    elif games[won] < 2:
        desk.tell("won", "venn_game_won", team=team, wins=wins, loses=loses)
        between(desk)
        return
    else:
        desk.tell("won", "venn_best_won", team=team, wins=wins, loses=loses)
    desk.enter(Over(won))


def _end_together(desk: Desk) -> None:
    state = desk.state
    won = together(state.points[0], state.played)
    if won is None:
        desk.tell("score", "venn_together", score=desk.standing())
        between(desk)
        return
    desk.tell("won" if won else "lost", "venn_together_won" if won else "venn_together_lost", score=desk.standing())
    desk.enter(Over(0 if won else None))


def between(desk: Desk) -> None:
    """The table clears its circles."""
    desk.tell("between", "venn_between")
    desk.enter(Between())


def instead(desk: Desk, old: int, new: int) -> None:
    """An objection to a mishearing (GM-2): not word `old` was said, but word `new`; the points follow."""
    state, guess = desk.state, desk.guess()
    if guess is not None and old in guess.numbers and new not in guess.numbers:
        taken = tuple(replace(word, number=new) if word.number == old else word for word in guess.taken)
        changed = replace(guess, taken=taken)
        phase = state.phase
        desk.set(phase=replace(phase, guess=changed) if isinstance(phase, Revealing) else changed)
        desk.tell("instead", "venn_instead", word=desk.word(new))
        return
    for at in reversed(range(len(state.scored))):
        one = state.scored[at]
        if old in one.words and new not in one.words:
            words = tuple(new if word == old else word for word in one.words)
            changed_score = score(one.team, words, one.card, one.called)
            desk.hush()
            _add(desk, (*state.scored[:at], changed_score, *state.scored[at + 1 :]))
            desk.tell("instead", "venn_instead", word=desk.word(new))
            desk.tell_points(changed_score)
            if isinstance(state.phase, Between | Over):
                end_round(desk)
            return
