"""What Venn knows, frozen: the options, the phases of a round and everything else that a game is.

A round goes through Telling (or Collecting), Readying, Counting, Placing, Asking, Guessing, Revealing, the
last two once more for the other team, and Between; a false alarm leads from Asking back to Counting.
`until` in a phase is the end of its patience; None while the host still speaks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from host.clock import Samples, samples
from host.events import ListWord
from host.games import Player
from host.games.venn_words import NumberCard, plain, stem
from host.packs import Packs

TO_WIN = 12
"""Points that end a game (VN-1, VN-18)."""
WORDS = 12
GUESSES = 3
ROUNDS = 5
"""Rounds of a cooperative game at most: the number cards it has (VN-16)."""
ZONES = ("pink", "blue", "yellow", "green", "red", "purple", "brown")
"""Colours of circles and zones; no team is called so (VN-1)."""

GROUP_GAP = 0.8
"""Seconds of silence between two groups of three words."""
BEFORE_COUNT = samples(0.6)
COUNT = ("one", "two", "three", "go")
SECOND = samples(1.0)
"""Between two "ready" on one microphone, between the words of the count, and the longest gap in a breath."""
WORD_LENGTH = samples(0.5)
"""How long a word is taken to be that came without its end."""
CLOCK = samples(120.0)
"""A cooperative round (VN-16)."""
CALLS = (samples(60.0), samples(30.0), samples(10.0))
"""What is left of it when the host calls the time."""
STRIKE = samples(3.0)
"""How long an accepted word can be struck, and a strike or a team's claim be contradicted (VN-8, VN-9)."""
TOGETHER = samples(2.0)
"""How long after a call another team's earlier one may still become known."""
DOUBT = samples(4.0)
"""How long "was that a call?" waits for its answer, while play goes on."""
ASKING = samples(4.0)
"""How long the question takes at the most (TTS-05)."""
BREATH = samples(1.5)
"""How much longer where somebody is speaking just then."""
HOLD = samples(8.0)
"""How long somebody who speaks holds up a deadline at most."""
COMMAND_AGE = samples(2.0)
"""How long ago a team's name may have been said when the command made of it arrives."""
TRIES = 3
"""Nothing is asked more often (GM-4)."""
PATIENCE = {
    "Collecting": samples(30.0), "Checking": samples(15.0), "Telling": samples(6.0), "Readying": samples(60.0),
    "Asking": samples(10.0), "Guessing": samples(20.0), "Revealing": samples(20.0),
}
"""How long the host waits, from its last word, before it asks again or goes on."""
MORE = samples(5.0)
"""How long it waits for the rest of the numbers where it has heard some of them."""


@dataclass(frozen=True, slots=True)
class Options:
    """How this table plays; see `read_options`."""

    cooperative: bool = False
    names: tuple[str, ...] = ("Foxes", "Owls")
    best_of_three: bool = False
    """Two games won win (VN-14)."""
    expert: bool = False
    """The first art card goes into an inner zone or the centre (VN-15)."""
    art_cards: str = "trust"
    """Who counts them to three (VN-7): trust, button or spoken."""
    own_numbers: bool = False
    """The host deals number cards of its own (VN-4)."""
    family: bool = False
    """The family reads out the words of its own cards (VN-2)."""


@dataclass(frozen=True, slots=True)
class Collecting:
    """The family reads out its words; "" is missing (VN-2)."""

    given: tuple[str, ...] = ("",) * WORDS
    until: Samples | None = None
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Checking:
    """The host has repeated the family's list and wants a yes."""

    until: Samples | None = None
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Telling:
    """The host says the twelve words, then asks whether to say them again."""

    asked: bool = False
    until: Samples | None = None


@dataclass(frozen=True, slots=True)
class Readying:
    """The clue givers look at their numbers (VN-5)."""

    teams: tuple[int, ...] = ()
    """Teams whose clue giver is known to be ready."""
    others: int = 0
    """"Ready" said by somebody, at least a second apart."""
    last: Samples | None = None
    tries: int = 1
    until: Samples | None = None


@dataclass(frozen=True, slots=True)
class Counting:
    """"One, two, three, GO", a second each; `step` is the next one. With `left`, what the clock had left."""

    step: int = 0
    left: Samples = CLOCK
    again: bool = False
    """After a false alarm."""
    until: Samples | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """What may have been "VENN!": the host has asked, and play goes on meanwhile (VN-8)."""

    call: Samples
    """Where it began: a yes counts from here."""
    ended: Samples
    """Where it, or the last word in the same breath, ended."""
    team: int | None
    """Whose it is, where a microphone tells."""
    until: Samples
    breath: tuple[ListWord, ...] = ()
    asked: bool = False
    """The host has asked to the end."""
    held: bool = False
    """Its time is up, but somebody is speaking."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Art cards are placed since the last sample of GO; `ends` in a cooperative game."""

    go: Samples
    ends: Samples | None = None
    calls: tuple[Samples, ...] = ()
    """What will be left when the host calls the time next."""
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """"VENN!" was called; which team was it (VN-8)?"""

    call: Samples
    breath_ended: Samples
    """Where the call, or the last word in the same breath, ended."""
    breath: tuple[ListWord, ...] = ()
    tries: int = 1
    until: Samples | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """An accepted word (VN-9)."""

    number: int
    at: Samples
    firm: bool
    """It cannot be struck: a microphone told whose it was, or a strike was contradicted."""


@dataclass(frozen=True, slots=True)
class Struck:
    """A word that was struck and may come back (VN-9)."""

    word: Taken
    place: int
    at: Samples


@dataclass(frozen=True, slots=True)
class Guessing:
    """A team says its three words."""

    team: int
    first: bool
    """It called, or the beep came: words count from `since`, and the other team guesses after it."""
    since: Samples | None
    """Words begun earlier are none; None until the host has begun to ask for them."""
    bonus: bool = False
    call: Samples = 0
    """Where the call began."""
    left: Samples = CLOCK
    """What the cooperative clock had left at the call."""
    told: bool = True
    """A button, a microphone or the call itself told the team; nobody had to be asked."""
    named: Samples | None = None
    """When the team was named in reply to the question."""
    taken: tuple[Taken, ...] = ()
    struck: Struck | None = None
    asked: bool = False
    held: bool = False
    """The time is up, but somebody is speaking."""
    until: Samples | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The words' numbers, in the order in which they were said."""
        return tuple(word.number for word in self.taken)


@dataclass(frozen=True, slots=True)
class Revealing:
    """The clue giver tells the numbers, and the host reads them back (VN-10)."""

    guess: Guessing
    heard: tuple[int, ...] = ()
    read: bool = False
    """They were read back; a yes is wanted."""
    tries: int = 1
    until: Samples | None = None


@dataclass(frozen=True, slots=True)
class Between:
    """A round is over; the table clears its circles."""

    until: Samples | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """The game, or the best of three, is over. `winner` None: a cooperative game was lost (VN-18)."""

    winner: int | None
    until: Samples | None = None


Phase: TypeAlias = (
    Collecting | Checking | Telling | Readying | Counting | Placing | Asking | Guessing | Revealing | Between | Over
)


@dataclass(frozen=True, slots=True)
class Scored:
    """What a team's words were worth (VN-11)."""

    team: int
    words: tuple[int, ...]
    card: tuple[int, ...]
    """The numbers on its card; empty where no word was said."""
    called: bool
    """It called, and nobody disputes it: all three right are worth one more."""
    points: int


@dataclass(frozen=True, slots=True)
class State:
    """A game of Venn, or a best of three."""

    players: tuple[Player, ...]
    packs: Packs = field(repr=False)
    options: Options
    seed: int
    phase: Phase
    round: int = 0
    """Rounds begun, over all games of a best of three."""
    played: int = 0
    """Rounds begun in this game."""
    points: tuple[int, ...] = (0, 0)
    before: tuple[int, ...] = (0, 0)
    """Points when the round began."""
    games: tuple[int, ...] = (0, 0)
    games_before: tuple[int, ...] = (0, 0)
    scored: tuple[Scored, ...] = ()
    """This round's scores."""
    words: tuple[str, ...] = ()
    givers: tuple[int, ...] = ()
    """The clue giver's seat, by team (VN-3)."""
    secret: tuple[NumberCard, ...] = ()
    """The host's own number cards, by team (VN-4); they leave through `view` only, to the clue giver."""
    cards: tuple[int, ...] = (0, 0)
    """Art cards counted, by team (VN-7)."""
    called: tuple[int, ...] = (0, 0)
    """The round in which each team called last (VN-8)."""
    warned: bool = False
    """"Not yet" was said in this round."""
    doubts: int = 0
    """How often "was that a call?" was asked in this round."""
    busy: bool = False
    """Somebody speaks."""
    used_words: tuple[str, ...] = ()
    used_numbers: tuple[str, ...] = ()
    draws: int = 0
    spoken: int = 0
    unsaid: tuple[str, ...] = ()
    """Lines that the mouth has not finished yet."""
    quiet_by: Samples = 0
    """When they must have been said at the latest (TTS-05)."""
    turns: tuple[tuple[str, int], ...] = ()
    """How often each line was used, so that its wordings take turns."""

    @property
    def teams(self) -> int:
        """One or two."""
        return 1 if self.options.cooperative else 2

    def team_of(self, seat: int) -> int:
        """The team of a seat; all are one team in a cooperative game."""
        return 0 if self.options.cooperative else (self.players[seat].team or 0)

    def members(self, team: int) -> tuple[int, ...]:
        """The seats of a team, in seating order."""
        return tuple(seat for seat in range(len(self.players)) if self.team_of(seat) == team)


_CHOICES = {
    "mode": ("competitive", "cooperative"), "art_cards": ("trust", "button", "spoken"), "numbers": ("box", "host"),
    "words": ("host", "family"),
}
_SWITCHES = ("best_of_three", "expert")


def suits(players: int) -> str | None:
    """The mode that the host offers to so many players (VN-1, VN-16); None where nobody can play."""
    if players < 2:
        return None
    return "competitive" if players >= 4 else "cooperative"


def bad_team_name(name: str, words: tuple[str, ...]) -> str:
    """Why a team can't be called so (VN-1), one sentence, or "" if it can."""
    if not plain(name):
        return "a team needs a name"
    if plain(name) in ZONES:
        return f'no team is called "{name}", for that is the colour of a zone; take another name (VN-1)'
    if stem(name) in {stem(word) for word in words}:
        return f'no team is called "{name}", for that is a list word; take another name (VN-1)'
    return ""


def read_options(players: tuple[Player, ...], packs: Packs, options: Mapping[str, Any]) -> Options:
    """Check what the table chose. Raises ValueError with one sentence that says what to do."""
    chosen = {name: options.get(name, choices[0]) for name, choices in _CHOICES.items()}
    for name, value in chosen.items():
        if value not in _CHOICES[name]:
            raise ValueError(f"{name} is {value!r}; choose one of {', '.join(_CHOICES[name])}")
    for name in _SWITCHES:
        if options.get(name, False) not in (True, False):
            raise ValueError(f"{name} is {options[name]!r}; choose True or False")
    unknown = sorted(set(options) - set(_CHOICES) - set(_SWITCHES) - {"teams"})
    if unknown:
        raise ValueError(f"Venn has no option {unknown[0]!r}; leave it out")
    cooperative = chosen["mode"] == "cooperative"
    names = tuple(options.get("teams", ("Foxes", "Owls")))
    words = () if chosen["words"] == "family" else tuple(word for card in packs.words for word in card)
    if cooperative:
        _check_cooperative(players, names[:1], options)
    else:
        _check_teams(players, names, words)
    if chosen["words"] == "host" and len(packs.words) < WORDS // 3:
        raise ValueError("Venn needs at least four word cards; add a words file, or read out your own (VN-2)")
    if chosen["numbers"] == "host" and len(packs.numbers) < 2:
        raise ValueError("Venn needs at least two number cards; add a numbers file, or use those of the box (VN-4)")
    return Options(
        cooperative, names[:1] if cooperative else names, options.get("best_of_three", False),
        options.get("expert", False), chosen["art_cards"], chosen["numbers"] == "host", chosen["words"] == "family",
    )


def _check_cooperative(players: tuple[Player, ...], names: tuple[str, ...], options: Mapping[str, Any]) -> None:
    if len(players) < 2:
        raise ValueError("Venn needs two players at least; find one more (VN-16)")
    if options.get("best_of_three"):
        raise ValueError("best of three needs two teams; leave it out, or play competitive (VN-14)")
    if not names:
        raise ValueError("give the team a name, or leave the names out")


def _check_teams(players: tuple[Player, ...], names: tuple[str, ...], words: tuple[str, ...]) -> None:
    if len(players) < 4:
        raise ValueError(f"two teams need four players, not {len(players)}; play the cooperative game (VN-1)")
    if any(player.team not in (0, 1) for player in players):
        raise ValueError("every player needs a team, 0 or 1 (VN-1)")
    sizes = sorted(sum(player.team == team for player in players) for team in (0, 1))
    if sizes[0] < 2 or sizes[1] - sizes[0] > 1:
        raise ValueError(f"teams of {sizes[0]} and {sizes[1]} are too uneven; let one change over (VN-1)")
    if len(names) != 2 or stem(names[0]) == stem(names[1]):
        raise ValueError("two teams need two different names (VN-1)")
    for name in names:
        fault = bad_team_name(name, words)
        if fault:
            raise ValueError(fault)
