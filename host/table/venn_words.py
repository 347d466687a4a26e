"""The words of Venn: what the ear is asked to listen for, and what whole sentences mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from host.clock import samples
from host.events import Heard, Listens, Word
from host.games import Expects
from host.judge.normal import UNKNOWN
from host.judge.numerals import UNITS
from host.understand.phrases import NO, READY, YES
from host.understand.utterance import texts

CALL = "venn"
PERHAPS = "venn?"
"""What the ear writes where it is not sure of the call (host.ears.calls): the host asks, and play goes on."""
NEAR = (  # not in the grammar: there they took a third of the calls away; the second look tells them apart
    "when", "then", "ten", "men", "end", "vent", "van", "fan", "seven", "eleven", "pen", "ben", "in", "and", "been",
    "them", "friend", "event", "even",
)
"""Words that are soon taken for "venn"; they are in the vocabulary, for dictation and for benches."""
FILLERS = ("um", "uh", "and", "no", "the", "a", "yes", "okay", "or")
"""What people say between list words."""
NUMBERS = tuple(UNITS)[1:13]
PATIENCE = samples(0.7)
ASIDES = ("repeat", "say that again", "help", "pause", "stop the game", "go on", "continue", "score",
          "what's the score", "say the words again", "undo", "we object", "slower", "louder")
FEW_ASIDES = ("repeat", "help", "pause", "undo", "we object")
"""The same where every other phrase takes something away from numbers and list words ("game" for "two")."""
CARRIERS = ("my numbers are", "the numbers are", "they are", "i have")
WORDS_AGAIN = (
    "say the words", "say the words again", "the words again", "what are the words", "repeat the words",
    "all the words", "say all the words", "read the words", "read the words again", "the words please",
    "what were the words", "words again", "tell us the words",
)
NOBODY = ("nobody", "no one", "nobody did", "nobody called", "no one did", "false alarm", "it was nobody")
STRIKE = ("strike that", "strike it", "strike that word", "that wasn't us", "that was not us", "scratch that")
KEEP = ("keep it", "it counts", "that counts", "keep that", "it stays")
CIRCLES = ("explain the circles", "explain the zones", "how do the circles work", "what are the circles",
           "explain the rules")
CARD = ("card", "a card", "card placed", "one card")
PLACED = {"pause": ("pause", "pause the game", "time out"), "stop": ("stop the game", "quit the game", "end the game"),
          "score": ("what's the score", "what is the score"), "help": ("what can we say", "what can i say")}
"""All else that is obeyed while art cards are placed."""
FINDING = ("strike", "keep", "nobody", "card", "clue_giver", "zones", "instead", "list_word", "unknown_word", "word",
           "repeat_all", "help")
"""Commands that are handed to the game as they are."""
_ARTICLES = ("to", "the", "a", "an")
_HOMOPHONES = {"to": "two", "too": "two", "for": "four", "won": "one", "ate": "eight", "tree": "three"}
_LETTERS = 3
"""So many single letters in a row are a word that is spelt."""
_CARD = 3
"""Numbers on a card."""
_LONGEST = 3
"""Words in a word of the family's own."""


def base(word: str) -> str:
    """A word without what makes no difference between list words: the plural's ending (VN-9)."""
    for ending, rest in (("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss") and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + rest
    return word


@lru_cache(maxsize=64)
def _targets(words: tuple[str, ...]) -> dict[tuple[str, ...], int]:
    return {tuple(base(one) for one in text.lower().split() if one not in _ARTICLES): number
            for number, text in enumerate(words, start=1)}


def words_at(row: Sequence[Word], at: int, wanted: tuple[str, ...], final: bool) -> tuple[int, int]:
    """(number, words taken) of the list word that begins at that place, (0, 0) if none does (VN-9).

    A number counts as its word after "number", or alone in a whole utterance.
    """
    targets = _targets(wanted)
    for length in range(min(_LONGEST, len(row) - at), 0, -1):
        number = targets.get(tuple(base(word.text) for word in row[at : at + length]))
        if number:
            return number, length
    said = texts(row)
    if said[at] == "number" and at + 1 < len(said) and 1 <= UNITS.get(said[at + 1], 0) <= len(wanted):
        return UNITS[said[at + 1]], 2
    if final and len(said) == 1 and 1 <= UNITS.get(said[0], 0) <= len(wanted):
        return UNITS[said[0]], 1
    return 0, 0


@lru_cache(maxsize=16)
def _team_forms(teams: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], int], ...]:
    forms: dict[tuple[str, ...], int] = {}
    for team, name in enumerate(teams):
        whole = tuple(name.lower().split())
        for form in (whole, tuple(base(word) for word in whole)):
            forms.setdefault(form, team)
    return tuple(sorted(forms.items(), key=lambda entry: -len(entry[0])))


def team_in(row: Sequence[Word], at: int, teams: tuple[str, ...]) -> tuple[int, int]:
    """(team, words taken) of the team's name at that place, (0, 0) if none stands there."""
    said = texts(row)
    for form, team in _team_forms(teams):
        if said[at : at + len(form)] == form:
            return team, len(form)
    return 0, 0


# --- what the ear listens for ------------------------------------------------------------------------


def spoken(words: tuple[str, ...]) -> tuple[str, ...]:
    """List words as they are said."""
    return tuple(" ".join(part for part in word.lower().split() if part != "to") or word.lower() for word in words)


@lru_cache(maxsize=64)
def listens(names: tuple[str, ...], expects: Expects, phase: str) -> Listens:
    """What to listen for in that phase of a game; the same moment gives the same object."""
    words, teams = spoken(expects.words), tuple(name.lower() for name in expects.teams)
    said: list[str] = []
    complete: list[str] = []
    if expects.call:
        said += [CALL, *(f"{CALL} {one}" for one in (CALL, *teams, *words)), *(f"{one} {CALL}" for one in words)]
    if teams:
        said += [*teams, *(f"the {name}" for name in teams), *(f"{team} {word}" for team in teams for word in words)]
        complete += [*teams, *(f"the {name}" for name in teams)]
    if expects.call or guessing(expects):
        said += [*words, *(f"{one} {other}" for one, other in permutations(words, 2)), *FILLERS, "number",
                 *(f"number {number}" for number in NUMBERS)]
    if "strike" in expects.commands:
        said += [*STRIKE, *(KEEP if expects.yes_no else ())]
        complete += [*words, *STRIKE]
    if "nobody" in expects.commands:
        said += [*NOBODY, *names]
        complete += NOBODY
    if "word" in expects.commands:
        said += [*WORDS_AGAIN, *(f"word {number}" for number in NUMBERS)]
        complete += [*WORDS_AGAIN, *(f"word {number}" for number in NUMBERS)]
    said += _replies(names, expects, phase)
    if expects.yes_no or expects.ready:
        replies = (*YES, *NO, *(READY if expects.ready else ()))
        # "yes" may go on as "yes, that's right": what is left of it would answer the next question
        complete += [one for one in replies if not any(other.startswith(f"{one} ") for other in replies)]
    if phase == "placing":
        said += [text for rows in PLACED.values() for text in rows]
    else:
        said += FEW_ASIDES if expects.numbers or guessing(expects) else ASIDES
    listed = dict.fromkeys(said)
    return Listens(
        phrases=tuple(listed), complete=tuple(dict.fromkeys(text for text in complete if text in listed)),
        patience=PATIENCE, partials=expects.call or guessing(expects),
    )


def _replies(names: tuple[str, ...], expects: Expects, phase: str) -> Iterator[str]:
    if expects.yes_no:
        yield from (*YES, *NO)
    if expects.numbers:
        yield from NUMBERS
        yield from (f"{one} {other}" for one, other in permutations(NUMBERS, 2))
        yield from (f"{carrier} {one}" for carrier in CARRIERS for one in NUMBERS)
        yield from (f"and {one}" for one in NUMBERS)
    if expects.ready:
        yield from READY
        for name in names:
            yield from (f"{name} is ready", f"{name} ready", f"ready {name}", name)
    if "clue_giver" in expects.commands:
        yield from (f"{name} gives clues" for name in names)
    if "list_word" in expects.commands:
        yield from NUMBERS
    if "card" in expects.commands:
        yield from CARD
    if phase == "over":
        yield from (*YES, *NO)


def guessing(expects: Expects) -> bool:
    """Whether a team is saying its three words."""
    return bool(expects.words) and "strike" in expects.commands


# --- what sentences mean ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentences:
    """Whole sentences in one moment of a game."""

    expects: Expects
    names: tuple[str, ...]
    phase: str
    words: tuple[str, ...] = ()
    """The round's list words."""

    @property
    def placing(self) -> bool:
        """Whether art cards are being placed, or are about to be: what is said is table talk (VN-7)."""
        return self.phase in ("placing", "counting")

    def command(self, event: Heard) -> tuple[str, str]:
        """(name, argument) of the command that the whole utterance is, ("", "") if it is none."""
        readings = [texts(event.words)]
        if not any(text != UNKNOWN for text in readings[0]) and not self.placing:
            readings.append(texts(event.dictation))
        if "list_word" in self.expects.commands:
            return _collected(texts(event.dictation))
        for row in readings:
            found = self._meant(" ".join(row).removesuffix(" please"), row)
            if found[0]:
                return found
        return "", ""

    def _meant(self, text: str, row: tuple[str, ...]) -> tuple[str, str]:
        can = self.expects.commands
        if self.placing:
            for name, rows in PLACED.items():
                if text in rows:
                    return name, ""
        for name, rows in (("nobody", NOBODY), ("strike", STRIKE), ("keep", KEEP), ("card", CARD)):
            if name in can and text in rows:
                return name, ""
        if "word" in can and text in WORDS_AGAIN:
            return "repeat_all", ""
        if "word" in can and len(row) >= len(("word", "7")) and row[-2] in ("word", "number") and row[-1] in NUMBERS:
            return "word", str(UNITS[row[-1]])
        if "clue_giver" in can and row[1:2] == ("gives",) and row[0] in self.names:
            return "clue_giver", str(self.names.index(row[0]))
        if not self.placing and text in CIRCLES:
            return "zones", ""
        old, new = (0, 0) if self.placing or guessing(self.expects) else instead(row, self.words)
        return ("instead", f"{old}:{new}") if old else ("", "")


def is_ready(row: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Whether somebody is ready, by name: "Anna is ready", "ready, Dan"; "again ready" is "I'm ready" half heard."""
    around = ("is", "am", "i", "i'm", "and", "we", "are", "again", "um", "uh", "okay", UNKNOWN)
    rest = [word for word in row if word not in names and word not in around]
    return bool(rest) and all(word == "ready" for word in rest)


def told_numbers(said: tuple[int, ...], row: tuple[str, ...], dictation: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of a card in an utterance that was understood as `said` (VN-10).

    After "numbers are" only what follows counts: "my" before it is soon heard as "one". Where that is no whole card,
    but dictation has nothing but three numbers there, those are taken; all are read back for a yes anyway.
    """
    heard = _after_carrier(row)
    found = said if heard is None else tuple(UNITS[word] for word in heard if word in NUMBERS)
    free = tuple(_HOMOPHONES.get(word, word) for word in _after_carrier(dictation) or dictation if word != "and")
    if len(set(found)) != _CARD and len(set(free)) == len(free) == _CARD and set(free) <= set(NUMBERS):
        return tuple(UNITS[word] for word in free)
    return found or said


def _after_carrier(row: tuple[str, ...]) -> tuple[str, ...] | None:
    """What follows the last "numbers are"; None where nobody said that."""
    last = max((at for at, word in enumerate(row) if word in ("numbers", "are")), default=None)
    return None if last is None else row[last + 1 :]


def instead(row: tuple[str, ...], listed: Sequence[str]) -> tuple[int, int]:
    """(old, new) numbers in "not river, but heavy" or "heavy, not river", (0, 0) for anything else (GM-2)."""
    words, wanted = [Word(text, 0, 0) for text in row], tuple(word.lower() for word in listed)
    old = new = 0
    at = 0
    while at < len(words):
        number, taken = words_at(words, at, wanted, final=False)
        if taken and "not" in row[max(0, at - 2) : at]:
            old = number
        elif taken:
            new = number
        at += max(taken, 1)
    return (old, new) if old and new else (0, 0)


@lru_cache(maxsize=16)
def correcting(words: tuple[str, ...]) -> Listens:
    """What to listen for after "we object"."""
    said = spoken(words)
    pairs = [f"not {one} but {other}" for one, other in permutations(said, 2)]
    return Listens((*said, *pairs, "not", "but", "undo", *NO, *ASIDES), patience=PATIENCE)


def _collected(row: tuple[str, ...]) -> tuple[str, str]:
    """A word of the family's own cards: "seven, river", "number seven is river" (VN-2)."""
    row = tuple(word for word in row if word not in ("number", "is", "um", "uh", "the", "and"))
    if not row or not (place := UNITS.get(_HOMOPHONES.get(row[0], row[0]), 0)) or place > len(NUMBERS):
        return "", ""
    rest = row[1:]
    if len(rest) >= _LETTERS and all(len(letter) == 1 for letter in rest):
        rest = ("".join(rest),)
    if not rest:
        return "", ""
    if len(rest) > _LONGEST or UNKNOWN in rest:
        return "unknown_word", str(place)
    return "list_word", f"{place}:{' '.join(rest)}"
