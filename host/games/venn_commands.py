"""What the host answers in Venn when it is asked (GM-1)."""

from collections.abc import Callable

from host.events import Command
from host.games import venn_call, venn_guess, venn_round
from host.games.venn_desk import Desk
from host.games.venn_state import (
    WORDS,
    Asking,
    Between,
    Checking,
    Collecting,
    Counting,
    Guessing,
    Over,
    Placing,
    Readying,
    Revealing,
    Telling,
)
from host.lines import number


def obey(desk: Desk, command: Command) -> None:
    """Do what was asked; what does not fit the moment changes nothing."""
    action = _COMMANDS.get(command.name)
    if action is not None:
        action(desk, command)


def _score(desk: Desk, _command: Command) -> None:
    desk.tell("standing", "venn_score", score=desk.standing())


def _turn(desk: Desk, _command: Command) -> None:
    """Whose turn it is: who gives clues, or which team says its words."""
    state, guess = desk.state, desk.guess()
    if guess is not None:
        desk.tell("turn", "venn_turn_guess", team=desk.team(guess.team))
        return
    givers = " and ".join(desk.giver(team) for team in range(state.teams))
    desk.tell("turn", f"venn_turn_{'one' if state.teams == 1 else 'both'}", names=givers)


def _guesses(desk: Desk, _command: Command) -> None:
    guess = desk.guess()
    if guess is not None and guess.taken:
        desk.tell("taken", "venn_taken", words=desk.words_of(guess.numbers))
    else:
        desk.tell("taken", "venn_none_taken")


def _where(desk: Desk, command: Command) -> None:
    """Where the game stands, for those who come back to it."""
    venn_round.announce(desk)
    _turn(desk, command)


def _help(desk: Desk, _command: Command) -> None:
    key = {
        Collecting: "venn_help_collect", Checking: "venn_help_collect", Placing: "venn_help_placing",
        Asking: "venn_help_team", Guessing: "venn_help_guessing", Revealing: "venn_help_numbers",
    }.get(type(desk.state.phase), "venn_help_ready")
    desk.tell("help", key)


def _zones(desk: Desk, _command: Command) -> None:
    """The circles, explained on request only (VN-6)."""
    for part in ("venn_zones", "venn_zones_cards", "venn_zones_talk"):
        desk.tell("help", part)


def _repeat_all(desk: Desk, command: Command) -> None:
    """The twelve words again."""
    state = desk.state
    if isinstance(state.phase, Collecting | Counting | Over) or not state.words:
        _repeat(desk, command)
        return
    desk.hush()
    desk.list_words(0.2)
    if isinstance(state.phase, Telling):
        desk.enter(Telling())


def _word(desk: Desk, command: Command) -> None:
    """"Word seven?"."""
    words = desk.state.words
    if command.argument.isdecimal() and 1 <= int(command.argument) <= len(words):
        venn_round.say_word(desk, int(command.argument))


def _repeat(desk: Desk, _command: Command) -> None:
    """The last question again."""
    phase = desk.state.phase
    if not isinstance(phase, Counting | Placing | Over):
        desk.hush()
    match phase:
        case Collecting():
            venn_round.say_missing(desk, phase)
        case Checking():
            desk.list_words(0.2)
            desk.tell("right", "venn_list_right", 0.4)
        case Telling():
            desk.list_words(0.2)
            desk.enter(Telling())
        case Readying():
            venn_round.ask_ready(desk)
        case Asking():
            desk.tell("which", "venn_which")
        case Guessing():
            venn_guess.ask_words(desk, phase)
        case Revealing(guess, heard, read):
            if read:
                venn_guess.read_back(desk, heard)
            else:
                venn_guess.ask_numbers(desk, guess)
        case Between():
            desk.tell("between", "venn_between")
        case Over():
            desk.tell("standing", "venn_score", score=desk.standing())


def _resume(desk: Desk, command: Command) -> None:
    """After a pause, an undo or a power cut: what was being said is lost, what is open is asked again."""
    desk.set(unsaid=(), quiet_by=desk.at)
    phase = desk.state.phase
    if isinstance(phase, Counting):
        venn_round.count_again(desk, phase)
    elif isinstance(phase, Placing):
        venn_call.ask_again(desk, phase)
    else:
        _repeat(desk, command)


def _skip(desk: Desk, _command: Command) -> None:
    """Other words, before GO; the host's own only."""
    if isinstance(desk.state.phase, Telling | Readying) and not desk.state.options.family:
        venn_round.redraw(desk)


def _clue_giver(desk: Desk, command: Command) -> None:
    before_go = isinstance(desk.state.phase, Collecting | Checking | Telling | Readying)
    if before_go and command.argument.isdecimal() and int(command.argument) < len(desk.state.players):
        venn_round.change_giver(desk, int(command.argument))


def _card(desk: Desk, command: Command) -> None:
    if command.argument in ("", "0", "1"):
        venn_call.card(desk, int(command.argument) if command.argument else None)


def _instead(desk: Desk, command: Command) -> None:
    old, _, new = command.argument.partition(":")
    if old.isdecimal() and new.isdecimal() and 1 <= int(new) <= WORDS:
        venn_guess.instead(desk, int(old), int(new))


def _list_word(desk: Desk, command: Command) -> None:
    if isinstance(desk.state.phase, Collecting | Checking):
        venn_round.list_word(desk, command)


def _unknown_word(desk: Desk, command: Command) -> None:
    """A family word that the recogniser does not know: it is spelt, or replaced (VN-2)."""
    place = command.argument
    if isinstance(desk.state.phase, Collecting | Checking) and place.isdecimal() and 1 <= int(place) <= WORDS:
        desk.tell("unknown", "venn_unknown_word", number=number(int(place)))


def _nobody(desk: Desk, _command: Command) -> None:
    venn_call.false_alarm(desk)


def _go_on(desk: Desk, command: Command) -> None:
    """"Go on": a false alarm after "VENN!", otherwise no to "again?" and yes to "shall we?"."""
    match desk.state.phase:
        case Asking() | Placing():
            _nobody(desk, command)
        case Guessing() if desk.state.options.cooperative:
            _nobody(desk, command)
        case Telling(asked=True):
            venn_round.reply(desk, yes=False)
        case Between():
            desk.hush()
            venn_round.start_round(desk)


def _strike(desk: Desk, _command: Command) -> None:
    venn_guess.strike(desk)


def _keep(desk: Desk, _command: Command) -> None:
    venn_guess.keep(desk)


_COMMANDS: dict[str, Callable[[Desk, Command], None]] = {
    "score": _score, "turn": _turn, "guesses": _guesses, "where": _where, "help": _help, "zones": _zones,
    "repeat": _repeat, "repeat_all": _repeat_all, "word": _word, "skip": _skip, "resume": _resume,
    "clue_giver": _clue_giver, "card": _card, "instead": _instead, "list_word": _list_word,
    "unknown_word": _unknown_word, "nobody": _nobody, "go_on": _go_on, "strike": _strike, "keep": _keep,
}
