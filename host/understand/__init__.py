"""What was said: whose it is, a guess, a command, a reply. Words in, meaning out; pure.

Laws of this module:

1. The grammar's words decide, free dictation helps out where they are unknown or too few.
2. An utterance that as a whole is a known answer names nobody by its first word (CE-16).
3. A command is a whole utterance, politeness and an owner apart: "stop" stops, "stop sign" is a guess (KEY-10).
4. Nothing is decided about right and wrong here, and nothing about whose turn it is.
"""

import tomllib
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib import resources

from host.clock import Samples
from host.events import Heard, Word
from host.judge.carriers import TALK
from host.judge.likeness import spelt_alike
from host.judge.normal import ARTICLES, FILLERS, UNKNOWN
from host.judge.numerals import bag
from host.understand.commanding import whole_command
from host.understand.listening import Listening, around, complete, phrases
from host.understand.phrases import CLAIM_CARRIERS, COLOURS, ME
from host.understand.replies import Replies, replies
from host.understand.talk import is_sure, is_talk
from host.understand.utterance import (
    Known,
    Phrase,
    Words,
    between,
    cut,
    known,
    longest_first,
    match,
    texts,
    timeless,
    trimmed,
)

__all__ = [
    "COLOURS", "LIMITS", "Listening", "OwnerLimits", "Said", "Understood", "around", "complete", "owner_limits",
    "phrases", "understand",
]

LONGEST_GUESS = 8
"""A guess of more words in a carrier, and of no known owner, is talk."""


@dataclass(frozen=True, slots=True)
class OwnerLimits:
    """When a colour or name is believed; owner.toml says what each number means."""

    sure: float
    colour: float
    certain: float
    homophone: float
    alike: float


def owner_limits(text: str | None = None) -> OwnerLimits:
    """The limits in this TOML, or in owner.toml. Raises ValueError where one is missing or unknown."""
    if text is None:
        text = resources.files("host.understand").joinpath("owner.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    names = {field.name for field in fields(OwnerLimits)}
    if set(values) != names:
        raise ValueError(f"owner.toml must hold exactly these limits, mend: {', '.join(sorted(set(values) ^ names))}")
    return OwnerLimits(**values)


LIMITS = owner_limits()


@dataclass(frozen=True, slots=True)
class Said:
    """One guess of an utterance: the same stretch in both readings."""

    words: Words
    dictation: Words
    answer_began: Samples
    """Where its own first known word began (CE-15)."""
    margin: float | None = None
    """`Heard.margin` of the utterance."""

    @property
    def text(self) -> str:
        """The words, dictation's where the grammar has none."""
        heard = " ".join(word for word in texts(self.words) if word != UNKNOWN)
        return heard or " ".join(texts(self.dictation))


@dataclass(frozen=True, slots=True)
class Understood:
    """The meaning of one utterance; several fields may be set, the table takes what it asked for."""

    owner: int | None = None
    """The seat that was named."""
    owner_sure: bool = True
    """Sure enough of the seat for a wrong guess to cost it something (CE-16)."""
    owner_only: bool = False
    """A colour or name and nothing else that means anything."""
    owner_position: str = ""
    """"first", "last" or ""."""
    command: str | None = None
    argument: str = ""
    yes: bool | None = None
    ready: bool = False
    me: bool = False
    """"Me!": somebody means the speaker, whoever that is."""
    count: int | None = None
    numbers: tuple[int, ...] = ()
    roll: tuple[tuple[str, str], ...] = ()
    """(name, colour) pairs; the name is empty where it was not understood."""
    listed: tuple[tuple[int, Samples], ...] = ()
    """Venn list words: number and where each began (VN-9)."""
    called: Samples | None = None
    """Where "venn" began."""
    guesses: tuple[Said, ...] = ()
    carrier: bool = False
    """"Is it ...", "the answer is ..."."""
    hedged: bool = False
    """"Maybe it's ...", "what's that ..."."""
    addressed: bool = False
    """Meant for the host: an owner, or a carrier and no hedge; any other guess counts only if right (CE-16)."""


# --- whose it is ---------------------------------------------------------------------------------

_VOCATIVES = longest_first(("i'm", "i am", "this is", "it's me", "for", "here's", "here is", "and"))
_CLAIMING = longest_first(CLAIM_CARRIERS)
_BEFORE_OWNER = (TALK - ARTICLES) | bag("yes no yeah wait")


@dataclass(frozen=True, slots=True)
class _Owner:
    """A seat that was named, and the words that are left."""

    seat: int
    position: str
    rest: Words
    named: Words


@lru_cache(maxsize=64)
def _names(seats: tuple[tuple[str, ...], ...]) -> tuple[tuple[Phrase, int], ...]:
    """Every word that names a seat, with the seat, the longest first; the words of two seats name nobody."""
    found: dict[Phrase, set[int]] = {}
    for seat, words in enumerate(seats):
        for word in words:
            for spelling in COLOURS.get(word, (word,)):
                if spelling.strip():
                    found.setdefault(tuple(spelling.lower().split()), set()).add(seat)
    return tuple(sorted(((words, min(which)) for words, which in found.items() if len(which) == 1),
                        key=lambda entry: (-len(entry[0]), entry)))


def _named_at(row: Phrase, at: int, names: tuple[tuple[Phrase, int], ...]) -> tuple[int, int] | None:
    """(seat, words taken) where a name stands at that place."""
    return next(((seat, len(words)) for words, seat in names if row[at : at + len(words)] == words), None)


def _first(words: Words, names: tuple[tuple[Phrase, int], ...], answers: Known) -> _Owner | None:
    row = texts(words)
    at = 0
    while at < len(row) and row[at] in _BEFORE_OWNER:
        at += 1
    if not _named_at(row, at, names):
        at += match(row, at, _VOCATIVES)
    found = _named_at(row, at, names)
    if not found:
        return None
    seat, length = found
    rest = trimmed(row[at + length :], TALK - ARTICLES)
    if not answers.whole(rest) and answers.at(row, at) > length:
        return None
    after = at + length
    while _named_at(row, after, names) == found and not answers.at(row, after) > length:
        after += length
    again = _named_at(row, len(row) - length, names) if len(row) - after > length else None
    end = len(row) - length if again == found and not answers.whole(rest) else len(row)
    return _Owner(seat, "first", words[after:end], words[at : at + length])


def _last(words: Words, names: tuple[tuple[Phrase, int], ...], answers: Known) -> _Owner | None:
    row = texts(words)
    end = len(row)
    while end and row[end - 1] in FILLERS:
        end -= 1
    for name, seat in names:
        at = end - len(name)
        if at <= 0 or row[at:end] != name or row[at - 1] in ("or", "and", "the", "a", "is", "in", "of"):
            continue
        if any(answers.at(row, place) > at - place for place in range(max(0, at - answers.longest), at)):
            return None
        if not cut(row[:at], answers).spans:
            return None
        return _Owner(seat, "last", words[:at], words[at:end])
    return None


_HOMOPHONES = frozenset(word for words in COLOURS.values() for word in words[1:])
_COLOUR_WORDS = frozenset(word for words in COLOURS.values() for word in words)


def _believed(owner: _Owner, dictation: Words, answers: Known, limits: OwnerLimits) -> bool:
    """Whether the grammar's colour is no accident: sure enough, or dictation heard something like it there."""
    confidence = min(word.confidence for word in owner.named)
    if texts(owner.named)[0] in _HOMOPHONES and confidence < limits.homophone:
        return False
    if answers.whole(trimmed(texts(owner.rest), TALK - ARTICLES)):
        colour = texts(owner.named)[0] in _COLOUR_WORDS
        return confidence >= (limits.colour if colour else limits.sure)
    if confidence < limits.sure or confidence >= limits.certain or not dictation or timeless(dictation):
        return confidence >= limits.sure
    began, ended = owner.named[0].began, owner.named[-1].ended
    there = texts(tuple(word for word in dictation if word.ended > began and word.began < ended))
    return not there or spelt_alike(there, texts(owner.named)) >= limits.alike


def _owner(
    words: Words, dictation: Words, seats: tuple[tuple[str, ...], ...], answers: Known
) -> _Owner | None:
    """The seat that the utterance names, first or last; none where the whole is a known answer."""
    names = _names(seats)
    for row in (texts(words), texts(dictation)):
        whole = cut(row, answers)
        named = any(_named_at(row, at, names) for at in range(len(row)))
        if named and whole.single and answers.whole(row[whole.spans[0][0] : whole.spans[0][1]]):
            return None
    return _first(words, names, answers) or _last(words, names, answers)


def _mentioned(row: Phrase, seats: tuple[tuple[str, ...], ...]) -> set[int]:
    """Every seat that is named somewhere in the row."""
    names = _names(seats)
    return {named[0] for at in range(len(row)) if (named := _named_at(row, at, names))}


def _several(row: Phrase, seats: tuple[tuple[str, ...], ...]) -> bool:
    return len(_mentioned(row, seats)) > 1


def _anywhere(row: Phrase, seats: tuple[tuple[str, ...], ...]) -> int | None:
    """The only seat named in a short reply such as "that was blue, I think"."""
    found = _mentioned(row, seats)
    return found.pop() if len(found) == 1 and len(row) <= 8 else None


def _nothing_else(row: Phrase) -> bool:
    """Whether only words that carry a claim are there."""
    at = 0
    while at < len(row):
        step = match(row, at, _CLAIMING) or (row[at] in TALK)
        if not step:
            return False
        at += step
    return True


# --- guesses -------------------------------------------------------------------------------------


def _without_owner(dictation: Words, owner: _Owner | None) -> Words:
    """Dictation's words without those at the owner's place, by time or, without times, by text."""
    if owner is None or not dictation:
        return dictation
    named = texts(owner.named)
    row = texts(dictation)
    if timeless(dictation) or owner.named[0].began == owner.named[-1].ended:
        if owner.position == "first" and row[: len(named)] == named:
            return dictation[len(named) :]
        return dictation[: -len(named)] if owner.position == "last" and row[-len(named) :] == named else dictation
    if owner.position == "first":
        border: float = owner.named[-1].ended
        if owner.rest and owner.rest[0].began > border:
            border = (border + owner.rest[0].began) / 2
        left = between(dictation, border, float("inf"))
        before = row[: len(row) - len(left)]
        return left[len(named) :] if texts(left)[: len(named)] == named and named != before[-len(named) :] else left
    return between(dictation, -1.0, owner.named[0].began)


def _windows(words: Words, spans: tuple[tuple[int, int], ...]) -> list[tuple[float, float]]:
    """The stretch of samples of each span, out to the middle of the gap beside it."""
    windows = []
    for first, last in spans:
        began = (words[first - 1].ended + words[first].began) / 2 if first else -1.0
        ended = (words[last - 1].ended + words[last].began) / 2 if last < len(words) else float("inf")
        windows.append((began, ended))
    return windows


def _answer_began(heard: Heard, *readings: Words) -> Samples:
    """Where the first word that is not `[unk]` nor an article began."""
    for words in readings:
        for word in words:
            if word.text != UNKNOWN and word.text not in ARTICLES:
                return word.began
    return heard.began


def _guesses(heard: Heard, words: Words, dictation: Words, answers: Known) -> tuple[tuple[Said, ...], bool, bool]:
    """The guesses in order, whether a carrier and whether a hedge was there."""
    ear, check = cut(texts(words), answers), cut(texts(dictation), answers)
    unknown = any(word.text == UNKNOWN for word in words)
    named = any(word.text != UNKNOWN for first, last in ear.spans for word in words[first:last])
    by_ear = bool(ear.spans) and not (unknown and check.markers > ear.markers) and (named or not check.spans)
    if not by_ear and not check.spans and unknown and check.markers:
        return (), ear.carrier or check.carrier, ear.hedged or check.hedged
    lead, other, spans = (words, dictation, ear.spans) if by_ear else (dictation, words, check.spans)
    if lead and other and (timeless(lead) or timeless(other)):
        others = _side_by_side(other, spans, check.spans if by_ear else ear.spans)
    elif len(spans) == 1 and not (ear.markers or check.markers) and not _opened(lead, spans):
        others = [other]
    else:
        others = [between(other, began, ended) for began, ended in _windows(lead, spans)]
    said = []
    for (first, last), rest in zip(spans, others, strict=True):
        own = lead[first:last]
        pair = (own, rest) if by_ear else (rest, own)
        said.append(Said(pair[0], pair[1], _answer_began(heard, *pair), heard.margin))
    return tuple(said), ear.carrier or check.carrier, ear.hedged or check.hedged


def _opened(lead: Words, spans: tuple[tuple[int, int], ...]) -> bool:
    """Whether words were left out beside the spans, so that the other reading must be cut too."""
    return sum(last - first for first, last in spans) < len(lead)


def _side_by_side(other: Words, spans: tuple[tuple[int, int], ...], cuts: tuple[tuple[int, int], ...]) -> list[Words]:
    """The other reading's part of each span where there are no times: its own cut if it has as many."""
    if len(cuts) == len(spans):
        return [other[first:last] for first, last in cuts]
    return [other] * len(spans) if len(spans) == 1 else [() for _ in spans]


# --- everything ----------------------------------------------------------------------------------


def _lower(words: tuple[Word, ...]) -> Words:
    return tuple(
        word if word.text == word.text.lower() else Word(word.text.lower(), word.began, word.ended, word.confidence)
        for word in words
    )


def understand(
    heard: Heard, seats: tuple[tuple[str, ...], ...], listening: Listening, limits: OwnerLimits = LIMITS
) -> Understood:
    """What an utterance means. `seats[i]` are the words that name seat i: its colour and its name, lower case."""
    words, dictation = _lower(heard.words), _lower(heard.dictation)
    answers = known(listening.answer_forms)
    asked_who = listening.claim or listening.youngest
    named = None
    whole = whole_command(words, dictation, answers)
    if not whole and not listening.roll_call and not (asked_who and _several(texts(words or dictation), seats)):
        named = _owner(words or dictation, dictation if words else (), seats, answers)
    owner = named if named and _believed(named, dictation if words else (), answers, limits) else None
    if named and not owner and not answers.whole(trimmed(texts(named.rest), TALK - ARTICLES)):
        named = None  # a colour that is not believed is no part of a known answer either, but may be of another
    if words:
        rest, free = (named.rest if named else words), _without_owner(dictation, named)
    else:
        rest, free = (), (named.rest if named else dictation)
    reply = replies(rest, free, listening, answers, owned=owner is not None)
    seat, only, position = (owner.seat, False, owner.position) if owner else (None, False, "")
    replied = (listening.yes_no and reply.yes is not None) or reply.ready
    if owner and not reply.command and not replied and _nothing_else(texts(rest if words else free)):
        only = True
    if owner is None and asked_who and not reply.command:
        sure = tuple(word for word in words if word.confidence >= limits.sure)  # unsure: asked again, not given away
        seat = _anywhere(texts(sure if words else dictation), seats)
        only, position = seat is not None, "first" if seat is not None else ""
    guesses: tuple[Said, ...] = ()
    carrier = hedged = False
    if listening.guessing and not only and not reply.command:
        guesses, carrier, hedged = _guesses(heard, rest, free, answers)
    short = all(max(len(said.words), len(said.dictation)) <= LONGEST_GUESS for said in guesses)
    addressed = bool(guesses) and (owner is not None or (carrier and not hedged and short)) and not is_talk(
        heard, owner.named if owner else (), carrier and position == "first",
        [(said.words, said.dictation) for said in guesses], answers)
    made = _combined(reply, seat, only, position, guesses, carrier, hedged, addressed,
                     me=trimmed(texts(words or dictation), TALK) in _ME)
    return replace(made, owner_sure=owner is None or is_sure(owner.named, dictation if words else ()))


_ME = frozenset(tuple(text.split()) for text in ME)


def _combined(
    reply: Replies, seat: int | None, only: bool, position: str, guesses: tuple[Said, ...], carrier: bool,
    hedged: bool, addressed: bool, me: bool,
) -> Understood:
    return Understood(
        owner=seat, owner_only=only, owner_position=position, command=reply.command, argument=reply.argument,
        yes=reply.yes, ready=reply.ready, me=me, count=reply.count, numbers=reply.numbers, roll=reply.roll,
        listed=reply.listed, called=reply.called, guesses=guesses, carrier=carrier, hedged=hedged, addressed=addressed,
    )
