"""What the table waits for, and the words that the ear must therefore be ready to hear."""

from dataclasses import dataclass

from host.judge.carriers import CARRIERS, HEDGES, NEGATIONS
from host.judge.numerals import UNITS
from host.understand.phrases import (
    COLOURS,
    COMMANDS,
    CORRECTIONS,
    COUNTS,
    LISTENED,
    ME,
    NO,
    PAUSE_LENGTH,
    POLITE,
    READY,
    SENTENCES,
    YES,
)


@dataclass(frozen=True, slots=True)
class Listening:
    """What the table is waiting for now; it decides between readings that are otherwise as good."""

    guessing: bool = False
    """A card is open."""
    claim: bool = False
    """"Who said it?" was asked."""
    yes_no: bool = False
    ready: bool = False
    numbers: bool = False
    """A number card is being read off."""
    youngest: bool = False
    """"Who is the youngest?" was asked."""
    roll_call: bool = False
    count: bool = False
    """"How many are playing?" was asked."""
    call: bool = False
    """"VENN!" may be called."""
    words: tuple[str, ...] = ()
    """Venn list words, 1-12 in order."""
    answer_forms: tuple[str, ...] = ()
    """All known answers as they are spoken; pass the same tuple every time, what is made of it is kept."""
    own_forms: tuple[str, ...] = ()
    """The forms of the open card's answer: what is exactly one of them is a guess, were it also a command."""
    names: tuple[str, ...] = ()
    """First names that the roll call may hear, lower case."""


UNFINISHED = (
    "is it", "it's", "it is", "i think it's", "i think it is", "the answer is", "answer is", "my guess is",
    "my answer is", "is that", "that's", "could it be", "maybe it's", "i'd say", "what is", "what's", "who is", "who's",
    *(f"{carrier} {article}" for carrier in ("is it", "it's", "it is", "the answer is", "what is", "is that", "that's")
      for article in ("a", "an", "the")),
)
"""Somebody who has said no more than this, or whose words end with it, still thinks (GAM-02)."""
_SPOKEN_CARRIERS = (
    "is it", "it's", "i think it's", "my guess is", "the answer is", "could it be", "it must be", "maybe it's", "um",
)
"""The carriers that the grammar holds; the rarer ones come as `[unk]`, and dictation has them."""
_MARKERS = ("or", "no", "i mean", "rather", "not", "it's not")
_ROLL = ("is", "takes", "i'm", "i am", "my name is", "and", "has", "wants", "i take", "i want")
_NUMBERS = tuple(UNITS)[1:13]
SECONDS = ("three", "four", "five", "six")
"""The lengths of pause that can be asked for (CE-6)."""


def _unique(*rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for row in rows for text in row if text))


def colours_and_names(seats: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Every word that names a seat, each in one spelling.

    The others ("read" for red) are for dictation: in a grammar "read" also has the sound of "reed", and takes
    away green's guesses.
    """
    return _unique(*(COLOURS.get(word, (word.lower(),))[:1] for words in seats for word in words))


def _commands(listening: Listening) -> tuple[str, ...]:
    if listening.guessing:
        return (*LISTENED, *(f"{text} please" for text in LISTENED), *SENTENCES)
    return (*LISTENED, *(text.replace("{n}", number) for text in PAUSE_LENGTH[:1] for number in SECONDS))


def _replies(listening: Listening) -> tuple[str, ...]:
    rows: list[tuple[str, ...]] = []
    if listening.yes_no:
        rows += [YES, NO]
    if listening.ready:
        rows += [READY, ("not yet",)]
    if listening.claim or listening.youngest:
        rows += [ME, ("it was", "that was", "said it", "did")]
    if listening.numbers:
        rows += [_NUMBERS]
    if listening.count:
        rows += [tuple(text.replace("{n}", number) for text in COUNTS[:10] for number in _NUMBERS[1:8]), ("just me",)]
    if listening.roll_call:
        rows += [tuple(COLOURS), _ROLL, listening.names]
    if listening.words:
        rows += [listening.words, ("number", "strike that")]
    if listening.call:
        rows += [("venn",)]
    return _unique(*rows)


def phrases(seats: tuple[tuple[str, ...], ...], listening: Listening) -> tuple[str, ...]:
    """What the grammar must hold for all that is understood now; the answers' forms are the table's to add."""
    guessing: tuple[str, ...] = ()
    if listening.guessing:
        guessing = (*_SPOKEN_CARRIERS, *_MARKERS)
    return _unique(colours_and_names(seats), _replies(listening), guessing, _commands(listening))


def around(seats: tuple[tuple[str, ...], ...], listening: Listening) -> tuple[str, ...]:
    """What may stand before or behind a whole guess and leaves it whole: owners and carriers."""
    return _unique(colours_and_names(seats), _SPOKEN_CARRIERS, ("is that",)) if listening.guessing else ()


def _whole(forms: tuple[str, ...]) -> tuple[str, ...]:
    """The guesses that are not the beginning of another: after those it may go on."""
    begun = {" ".join(words[:length]) for words in map(str.split, forms) for length in range(1, len(words))}
    return tuple(form for form in forms if form not in begun)


def complete(
    seats: tuple[tuple[str, ...], ...], listening: Listening, forms: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Utterances after which nothing more is to be waited for: a short silence ends them.

    `forms` are whole guesses on the open card, right and wrong ones. A colour or name alone is complete only in
    reply to a question: in front of a guess it is the beginning (`around`).
    """
    seats_words = colours_and_names(seats)
    rows = [tuple(text for texts in COMMANDS.values() for text in texts)]
    if listening.yes_no:
        rows += [YES, NO]
    if listening.ready:
        rows += [READY]
    if listening.claim or listening.youngest:
        rows += [seats_words, ME]
    if listening.guessing:
        rows += [_whole(forms)]
    if listening.guessing or listening.roll_call:
        rows[0] = tuple(text for text in rows[0] if text not in CARRIERS and text not in HEDGES
                        and text not in CORRECTIONS and text not in NEGATIONS and text not in POLITE)
    return _unique(*rows)
