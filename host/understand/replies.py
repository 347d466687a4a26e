"""Everything but a guess: commands, yes and no, ready, counts, numbers, roll call, list words."""

from dataclasses import dataclass
from functools import lru_cache

from host.clock import Samples
from host.judge.carriers import TALK
from host.judge.normal import UNKNOWN, canonical
from host.judge.numerals import UNITS, bag
from host.understand.commanding import commanded, pattern, polite, with_numbers
from host.understand.listening import Listening
from host.understand.phrases import COLOURS, COUNTS, NO, READY, ROLL_JOINTS, YES
from host.understand.utterance import Known, Phrase, Words, known, longest_first, match, phrase, texts, trimmed

SOUNDS_LIKE_NUMBER = {"to": 2, "too": 2, "for": 4, "fore": 4, "ate": 8, "won": 1, "tree": 3, "fife": 5, "sex": 6,
                      "nein": 9}
"""What dictation writes for numbers."""
ALWAYS = bag("stop hush help pause repeat undo objection louder quieter slower faster")
"""Commands that win over a reply that is spelt alike."""


@dataclass(frozen=True, slots=True)
class Replies:
    """What an utterance means if it is no guess; see `understand.Understood`."""

    command: str | None = None
    argument: str = ""
    yes: bool | None = None
    ready: bool = False
    count: int | None = None
    numbers: tuple[int, ...] = ()
    roll: tuple[tuple[str, str], ...] = ()
    listed: tuple[tuple[int, Samples], ...] = ()
    called: Samples | None = None


_YES, _NO = longest_first(YES), longest_first(NO)
_READY = frozenset(phrase(text) for text in READY)
_HOMOPHONES = {word: tuple(UNITS)[value] for word, value in SOUNDS_LIKE_NUMBER.items()}
_COUNTS = tuple(phrase(text) for text in COUNTS)


def _once(row: Phrase) -> Phrase:
    """"yes yes yes" is yes."""
    return tuple(word for at, word in enumerate(row) if at == 0 or word != row[at - 1])


def yes_no(row: Phrase, asked: bool) -> bool | None:
    """Whether it says yes or no; where that was asked, the first word or the last suffices in a short reply."""
    row = _once(trimmed(tuple(word for word in row if word != UNKNOWN), TALK - bag("okay please")))
    for phrases, value in ((_YES, True), (_NO, False)):
        if row in phrases:
            return value
    if not asked or not row or len(row) > 5:
        return None
    found = []
    at = 0
    while at < len(row):
        no, yes = match(row, at, _NO), match(row, at, _YES)
        if no or yes:
            found.append(yes > no)
        at += max(no, yes, 1)
    if found and (match(row, 0, _NO) or match(row, 0, _YES)):
        return found[-1] if len(set(found)) > 1 else found[0]
    return None


def ready(row: Phrase) -> bool:
    """Whether it says that the reader is ready."""
    return any(_once(shorter) in _READY for shorter in polite(trimmed(row, TALK - bag("okay"))))


def count(row: Phrase) -> int | None:
    """How many are playing."""
    row = trimmed(row, TALK)
    if row in (("just", "me"), ("only", "me"), ("me", "alone"), ("i'm", "alone"), ("just", "i"), ("alone",)):
        return 1
    if len(row) == 1:
        row = (_HOMOPHONES.get(row[0], row[0]),)
    found = pattern(with_numbers(row), _COUNTS)
    if found is None and row[-1:] == ("players",) and len(row) <= 4:
        found = next((UNITS[word] for word in row if word in UNITS), None)
    return found if found is not None and 1 <= found <= 20 else None


def numbers(row: Phrase, homophones: bool) -> tuple[int, ...]:
    """Numbers 1-12 in order; dictation's homophones ("to", "for") count where nothing but numbers is said."""
    row = trimmed(tuple(word for word in row if word not in ("and", "number", "numbers", UNKNOWN)), TALK)
    if homophones:
        row = tuple(_HOMOPHONES.get(word, word) for word in row)
        if not all(word in UNITS or word.isdigit() for word in row):
            return ()
    values = [UNITS.get(word, int(word) if word.isdigit() else 0) for word in row]
    return tuple(value for value in values if 1 <= value <= 12)


@lru_cache(maxsize=1)
def _colour_words() -> dict[str, str]:
    return {word: colour for colour, words in COLOURS.items() for word in words}


def roll(row: Phrase, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """(name, colour) of everybody named, in order; the name is empty where it was not understood."""
    colours = _colour_words()
    places = [at for at, word in enumerate(row) if word in colours]
    found: list[tuple[str, str]] = []
    taken: set[int] = set()
    for index, place in enumerate(places):
        start = places[index - 1] + 1 if index else 0
        end = places[index + 1] if index + 1 < len(places) else len(row)
        before = [at for at in range(start, place) if at not in taken and _is_name(row[at], names)]
        after = [at for at in range(place + 1, end) if _is_name(row[at], names)]
        follows = row[place + 1 : place + 2] in (("is",), ("for",))
        choice = after[:1] if after and (follows or (not before and index + 1 == len(places))) else before[-1:]
        taken.update(choice)
        found.append((row[choice[0]].removesuffix("'s") if choice else "", colours[row[place]]))
    return tuple(found)


def _is_name(word: str, names: tuple[str, ...]) -> bool:
    word = word.removesuffix("'s")
    if word == UNKNOWN or word in ROLL_JOINTS or word in _colour_words():
        return False
    return word in names if names else word.isalpha() and len(word) > 1


def _base(word: str) -> str:
    tokens = canonical((word,))
    token = tokens[0] if tokens else word
    return token[:-1] if token.endswith("s") and len(token) > 3 and not token.endswith("ss") else token


def listed(words: Words, wanted: tuple[str, ...]) -> tuple[tuple[int, Samples], ...]:
    """Venn list words in the order spoken; plurals, articles and "to" make no difference (VN-9)."""
    targets = {tuple(_base(word) for word in text.lower().split() if word not in ("to", "the", "a", "an")): at + 1
               for at, text in enumerate(wanted)}
    row = [(_base(word.text), word.began) for word in words if word.text not in ("to", "the", "a", "an")]
    found = []
    at = 0
    while at < len(row):
        for length in (3, 2, 1):
            number = targets.get(tuple(text for text, _ in row[at : at + length]))
            if number and at + length <= len(row):
                found.append((number, row[at][1]))
                at += length - 1
                break
        at += 1
    alone = texts(words)
    if not found and (len(alone) == 1 or alone[:1] == ("number",)) and 1 <= UNITS.get(alone[-1], 0) <= len(wanted):
        found.append((UNITS[alone[-1]], words[-1].began))
    return tuple(found)


def replies(words: Words, dictation: Words, listening: Listening, answers: Known, owned: bool) -> Replies:
    """What the utterance, its owner taken off, means besides a guess."""
    row, free = texts(words), texts(dictation)
    best = row if any(word != UNKNOWN for word in row) else free
    said = yes_no(best, listening.yes_no)
    is_ready = listening.ready and ready(best)
    found = commanded(words, dictation, answers, known(listening.own_forms))
    if found and found[0] not in ALWAYS and ((listening.yes_no and said is not None) or is_ready):
        found = None
    if found and owned and listening.guessing and answers.whole(best):
        found = None
    number_row = numbers(row, homophones=False) or numbers(free, homophones=True) if listening.numbers else ()
    called = next((word.began for word in words if word.text == "venn"), None) if listening.call else None
    return Replies(
        command=found[0] if found else None, argument=found[1] if found else "", yes=said, ready=is_ready,
        count=(count(row) or count(free)) if listening.count else None, numbers=number_row,
        roll=roll(best, listening.names) if listening.roll_call else (),
        listed=listed(words, listening.words) if listening.words else (), called=called,
    )
