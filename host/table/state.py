"""What the table knows, frozen, and how long it waits for things."""

from dataclasses import dataclass, field
from typing import Any

from host.clock import Samples, samples
from host.events import Guess, Guesses, Line, Resumed, Said
from host.games import Player
from host.table.gathering import Gathering

OBJECT = samples(20.0)
"""How long after a verdict an objection is heard (GM-2)."""
CONTRADICT = samples(3.0)
"""How long a yes to an objection may be contradicted (GM-2)."""
QUESTION = samples(8.0)
"""How long a question of the table's waits for its answer."""
STAY = samples(5.0)
"""How long "stop the game?" waits before it stays (GAM-08)."""
LOST = samples(20.0)
"""A line that is not reported to have ended by then is taken for said (TTS-05)."""
NAMED = samples(3.0)
"""How long a colour alone keeps its owner's floor (CE-16)."""
BUZZED = samples(5.0)
"""How long a press keeps it."""
OVERTAKES = samples(0.15)
"""A press that was made earlier but came so much later (a phone's way) still has the floor first."""
EARLY = samples(0.3)
"""So long before the press an answer may begin and still be the presser's."""
TOGETHER = samples(0.15)
"""No guess is settled while speech begun earlier, or so little later, is unjudged (CE-15)."""
KEPT = 12
"""States kept for undo."""
TRIES = 3
"""Nothing is asked more often (GM-4)."""


@dataclass(frozen=True, slots=True)
class Open:
    """An utterance that has begun and is not judged yet."""

    utterance: int
    channel: int
    began: Samples


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds the floor by a colour said alone, or a button, until when."""

    seat: int
    began: Samples
    until: Samples
    by_button: bool = False
    passed: bool = False
    """The host passed it on by name: nobody overtakes any more."""


@dataclass(frozen=True, slots=True)
class Breath:
    """What was made so far of a running utterance in Venn (VN-9)."""

    utterance: int
    channel: int
    seen: tuple[tuple[str, int, Samples], ...] = ()
    """(kind, value, start) of what the last partial held and is not told yet."""
    told: tuple[tuple[str, int], ...] = ()
    """What the game was told of it; no revision takes it back."""
    last: Samples = 0
    """Where the last of it began."""
    called: Samples | None = None
    """Where "venn" began."""


@dataclass(frozen=True, slots=True)
class Before:
    """The game before some guesses were judged, for undo and objection."""

    game: Any
    time: Samples
    """The game's time then."""
    saying: tuple[Line, ...]
    guesses: Guesses
    scored: bool
    """Whether the score changed by them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the table's own; the game's clock stands until it is answered.

    `kind` is resume, quit, another, objection, or one of `host.table.chairs`. For an objection, `seat` is whose
    guess is meant, `was_right` what the verdict was, and `agreed` that somebody said yes.
    """

    kind: str
    until: Samples | None
    seat: int = 0
    was_right: bool = False
    agreed: bool = False
    tries: int = 0
    name: str = ""
    """Of a late joiner, where it was said before the colour."""
    team: int | None = None
    """The team that a late joiner wishes for (Venn)."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A change of seats (CE-1): `kind` is join, leave or swap; in Venn trade (teams) or over (to the other)."""

    kind: str
    seats: tuple[int, ...] = ()
    """Who leaves or goes over, or the two who swap or trade."""
    player: Player | None = None
    """Who joins."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything the table knows; the game's own state is inside."""

    players: tuple[Player, ...] = ()
    gathering: Gathering | None = None
    game: Any = None
    rounds: int = 0
    spoken: int = 0
    saying: tuple[Line, ...] = ()
    busy: tuple[Open, ...] = ()
    held: tuple[Guess, ...] = ()
    """Guesses that wait for speech begun earlier."""
    waiting: tuple[Said | Resumed, ...] = ()
    """What the mouth reported while the game's clock stood, and that the power had gone."""
    owner: Owner | None = None
    nexts: tuple[Owner, ...] = ()
    """Who has pressed while another held the floor, in the order of the presses."""
    chairs: tuple[Chair, ...] = ()
    """Changes of seats that wait for an open question, or for the next round."""
    voice: tuple[int, int, int] | None = None
    """(channel, utterance, seat): whose voice the newest utterance may have been."""
    breaths: tuple[Breath, ...] = ()
    """Running utterances that the game has heard something of (Venn)."""
    together: bool = False
    """Too few for two teams: everybody plays as one (VN-1, Venn)."""
    floor: bool = False
    """Whether the game was told that somebody speaks."""
    question: Question | None = None
    paused: bool = False
    offset: Samples = 0
    """Samples heard minus the game's time, while its clock runs."""
    stopped: Samples | None = None
    """The sample heard at which the game's clock was stopped."""
    epoch: int = 0
    before: tuple[Before, ...] = field(default=(), repr=False)
    unspecific: str = ""
    """The last guess that was true but too general, until the next verdict (CE-14)."""
    wishes: tuple[tuple[str, Any], ...] = ()
    """Options that were said aloud before the game."""
    used: tuple[tuple[str, str], ...] = ()
    """(deck, card) used this evening, for the next round (CE-20)."""
    verdict_ended: Samples | None = None
    misheard: int = 0
    speed: float = 1.0
    volume: float = 1.0
    heard: str = ""
    """What was understood last, for the screen (GAM-13)."""
    troubles: tuple[str, ...] = ()
    done: bool = False
