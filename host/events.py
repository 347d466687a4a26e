"""Everything that can happen, in one small file: what comes in, what it means, what goes out.

All of these are frozen. `at` is always the sample at which the core learnt of the event; where a
thing began earlier than it was known, it says so in a field of its own (`began`), because players are
judged by when they began to speak, never by when the recogniser was done (CE-13).
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from host.clock import Samples

# --- what comes in: only these are needed to live a session again -------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word; confidence from 0 to 1."""

    text: str
    began: Samples
    ended: Samples
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Speaking:
    """Somebody has begun to speak: known at `at`, begun at `began`."""

    at: Samples
    began: Samples
    utterance: int
    channel: int = 0


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance as two opinions: the grammar's and the free dictation's.

    `began` of a final is the best that is known of where the utterance began, with its words for a witness; it may
    lie apart from that of its `Speaking` and of its partials.
    Partials (`final=False`) may be revised, and their words carry the partial's own sample. Every
    `Speaking` is followed by exactly one final with the same `utterance`, also where nothing was
    understood (no words): the core waits for it.
    """

    at: Samples
    began: Samples
    ended: Samples
    words: tuple[Word, ...]
    dictation: tuple[Word, ...]
    utterance: int
    final: bool = True
    channel: int = 0
    margin: float | None = None
    """By how much an answer among the grammar's words explains its sound better than anything near to it that
    stands in no list, as natural logarithm of the likelihood; None where the ear did not look again."""

    @property
    def text(self) -> str:
        """What the grammar heard, as plain text."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down; `button` is its name in the settings.

    `began` is where it went down (by the kernel's time stamp, or a phone's measured way), None for `at`.
    """

    at: Samples
    button: str
    began: Samples | None = None


class Part(Enum):
    """How far a spoken line has come."""

    BEGAN = "began"
    """Its first sample has been played."""
    FIRST_WORD = "first_word"
    """Its first word has been played to the end (CE-13: from here on a statement counts)."""
    ENDED = "ended"
    """Its last sample has been played."""
    CUT = "cut"
    """It was hushed, or dropped before it began; nothing more of it will be played."""


@dataclass(frozen=True, slots=True)
class Said:
    """The mouth reports how far a line has come, exact to the sample."""

    at: Samples
    line: str
    part: Part


@dataclass(frozen=True, slots=True)
class Typed:
    """A message from a screen or a phone; untrusted."""

    at: Samples
    seat: int | None
    message: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The deadline that the state named has come; `at` is that deadline, exact to the sample."""

    at: Samples


@dataclass(frozen=True, slots=True)
class Resumed:
    """The session goes on after a power cut; time continues from the last logged sample."""

    at: Samples


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something around the game failed (`what`: disk, microphone, memory ...): the host says so once."""

    at: Samples
    what: str


In: TypeAlias = Speaking | Heard | Pressed | Said | Typed | TimeUp | Resumed | Trouble


# --- intents: what the table makes out of it for a game; a game never sees Heard ----------------


class Verdict(Enum):
    """What the judge says of one guess."""

    RIGHT = "right"
    UNSPECIFIC = "unspecific"
    """True but too general: "more exactly?" (CE-14)."""
    AGAIN = "again"
    """Too unsure to rob or to reward: "say that once more"."""
    WRONG = "wrong"
    NONE = "none"
    """Not a guess at all: table talk, a cough."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One guess; an utterance may hold several (CE-14b).

    `began` is where the guesser began to speak or pressed (CE-13 counts statements there),
    `answer_began` where the answer's own words began (CE-15 compares these).
    """

    seat: int | None
    began: Samples
    answer_began: Samples
    verdict: Verdict
    text: str
    by_button: bool = False
    utterance: int = 0
    channel: int = 0
    likely: int | None = None
    """Whose voice it may have been, where nobody owned it: for a question, never for points."""


@dataclass(frozen=True, slots=True)
class Guesses:
    """Guesses settled together, in the order of their starts.

    The table releases them only when no speech begun earlier, or within the tie window, is still
    unjudged (CE-15), so a game may act on them at once.
    """

    at: Samples
    guesses: tuple[Guess, ...]


@dataclass(frozen=True, slots=True)
class Floor:
    """Somebody speaks (`busy`), or all speech has been judged. `began` is where the speech began."""

    at: Samples
    busy: bool
    began: Samples


@dataclass(frozen=True, slots=True)
class Claim:
    """A player was named, by voice or button, in reply to a question ("who said it?")."""

    at: Samples
    seat: int
    began: Samples


@dataclass(frozen=True, slots=True)
class Reply:
    """Yes or no, in reply to a question."""

    at: Samples
    yes: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """Ready for the next card or round; `seat` where known."""

    at: Samples
    seat: int | None


@dataclass(frozen=True, slots=True)
class ListWord:
    """A Venn list word was spoken: its number 1-12 (VN-9)."""

    at: Samples
    number: int
    began: Samples
    team: int | None
    ended: Samples | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """"VENN!" was called, by which team where known (VN-8)."""

    at: Samples
    began: Samples
    team: int | None
    ended: Samples | None = None
    sure: bool = True
    """The ear is sure of it; else it is asked about while play goes on."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers read off a number card (VN-10)."""

    at: Samples
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A table command that the game answers: repeat, repeat_all, score, turn, guesses, skip, go_on ..."""

    at: Samples
    name: str
    seat: int | None = None
    argument: str = ""


Intent: TypeAlias = (
    Guesses | Floor | Claim | Reply | Ready | ListWord | Call | Numbers | Command | Pressed | Said | TimeUp | Resumed
)


# --- what goes out ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """Something to say.

    `id` is unique in a session and says what it is ("card3/statement2", "card3/verdict#41"): the
    part before "#" is what scenes and tests wait for. A line that `yields` falls silent when somebody
    speaks (a statement); it is then reported as CUT, and the game says it again.
    """

    id: str
    text: str
    yields: bool = False


@dataclass(frozen=True, slots=True)
class Say:
    """Say a line after everything queued before it, with `gap` samples of silence in front."""

    line: Line
    gap: Samples = 0


@dataclass(frozen=True, slots=True)
class Hush:
    """Fall silent at once and drop what is queued; each dropped line is reported as CUT."""


@dataclass(frozen=True, slots=True)
class Chime:
    """Play a short tone by name: listening, heard, right, wrong, turn, venn, word, closed, beep."""

    name: str
    gap: Samples = 0


@dataclass(frozen=True, slots=True)
class Adjust:
    """Change the voice: `speed` and `volume` as factors (1.0 is normal)."""

    speed: float | None = None
    volume: float | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Remember over evenings that a card of this deck has been used (CE-20)."""

    deck: str
    card: str


@dataclass(frozen=True, slots=True)
class Quit:
    """The session is over once what is queued has been said."""


Effect: TypeAlias = Say | Hush | Chime | Adjust | Keep | Quit


# --- what is worth listening for ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listens:
    """What the ear is asked to listen for now.

    `phrases` become the grammar (the ear adds `[unk]`); an utterance that as a whole is one of
    `complete`, any of `around` before or behind it left out, may end after a short silence, any other waits
    `patience` samples of silence.
    """

    phrases: tuple[str, ...]
    complete: tuple[str, ...] = ()
    patience: Samples = 11_200
    partials: bool = False
    """Partials are acted upon: one whose words stay the same is told once more (VN-9)."""
    around: tuple[str, ...] = ()
    """Colours, names, carriers: alone they complete nothing and are not made part of the grammar."""
    unfinished: tuple[str, ...] = ()
    """What ends with one of these ("it's the ...") is waited for longer: somebody is still thinking (GAM-02)."""
    likely: tuple[str, ...] = ()
    """Like `complete`, but it may go on ("the first", "the first flight"): it is waited for a little longer."""
    answers: tuple[str, ...] = ()
    """Phrases at which the ear looks again: were they said, or something near in sound (`Heard.margin`)?"""
    sounds: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()
    """The pronunciations of their words."""
