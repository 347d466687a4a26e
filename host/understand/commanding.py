"""Commands: a whole sentence in either reading, or one that both readings show a part of.

Two opinions, as for a guess. The grammar holds few commands and must put whatever is said on its phrases, so the
end of a longer one comes out as other words ("say that again, please" as "say that again is"); dictation writes a
sentence nearly as it was said ("how many guess is you have"). What neither has whole may still be sure: the one
begins with a command, and the other is nearly one that means the same.
"""

from functools import lru_cache

from host.judge.carriers import TALK
from host.judge.likeness import spelt_alike
from host.judge.normal import FILLERS, UNKNOWN
from host.judge.numerals import numbered
from host.understand.phrases import COMMANDS, PAUSE_LENGTH, POLITE
from host.understand.utterance import Known, Phrase, Words, longest_first, match, phrase, texts, trimmed

COMMAND_SURE = 0.5
"""Mean confidence from which the grammar's command is believed."""
COMMAND_EXTRA = 2
"""Dictation may have so many words more than the command before it is taken for talk."""
NEARLY = 0.87
"""Likeness from which a whole sentence of dictation is a command of at least `SENTENCE` words and `LETTERS` letters."""
NEARLY_BEGUN = 0.7
"""The same where the grammar's words begin with a command that means the same."""
SENTENCE, LETTERS = 3, 10
BEGUN = 2
"""Words of a command that the grammar must have at least to have begun one."""

Command = tuple[str, str]
"""A command's name and its argument."""

_COMMANDS = {phrase(text): name for name, rows in COMMANDS.items() for text in rows}
_POLITE = longest_first(POLITE)
_JOINING = longest_first(("joins", "joins in", "joins us", "wants to play", "wants to join", "is playing too",
                          "would like to play", "plays too", "is joining", "is in"))
_LENGTHS = tuple(phrase(text) for text in (*PAUSE_LENGTH, "make it {n} seconds", "make it {n}"))
_SENTENCES = tuple(words for words in _COMMANDS if len(words) >= SENTENCE and len("".join(words)) >= LETTERS)


def with_numbers(row: Phrase) -> Phrase:
    """The row with its numbers as tokens (`#4`)."""
    return tuple(numbered(list(row)))


def pattern(row: Phrase, patterns: tuple[Phrase, ...]) -> int | None:
    """The number at {n} where the row is one of the patterns."""
    for words in patterns:
        if len(words) != len(row):
            continue
        found = None
        for word, heard in zip(words, row, strict=True):
            if word == "{n}" and heard[:1] == "#" and heard[1:].isdigit():
                found = int(heard[1:])
            elif word != heard:
                break
        else:
            return found
    return None


def polite(row: Phrase) -> list[Phrase]:
    """The row, then ever shorter as politeness comes off at its ends."""
    rows = [row]
    while row:
        length = match(row, 0, _POLITE)
        if length:
            row = row[length:]
        else:
            after = next((len(words) for words in _POLITE if row[-len(words) :] == words), 0)
            if not after:
                break
            row = row[:-after]
        if row:
            rows.append(row)
    return rows


def command(row: Phrase) -> Command | None:
    """(name, argument) where the whole row is a command, politeness apart."""
    if UNKNOWN in row:
        return None
    for shorter in polite(row):
        if shorter in _COMMANDS:
            return _COMMANDS[shorter], ""
        length = pattern(with_numbers(shorter), _LENGTHS)
        if length is not None:
            return "pause_length", str(length)
        for words in _JOINING:
            if shorter[-len(words) :] == words and 1 <= len(shorter) - len(words) <= 2:
                return "join", " ".join(shorter[: -len(words)])
    return None


def whole_command(words: Words, dictation: Words, answers: Known) -> bool:
    """Whether the whole utterance, a colour at its beginning included, is a command: then that names nobody."""
    row, free = texts(words), texts(dictation)
    if command(row) or (command(free) if len(free) > 1 or not words else None):
        return True
    named = _nearest(free[1:])[0] > _nearest(free)[0]  # "red, how many guesses do I have?"
    return not named and nearly(words, free, answers) is not None


def commanded(words: Words, dictation: Words, answers: Known, own: Known) -> Command | None:
    """The command that was said; None where it was none, or where both readings leave that open.

    `own` are the forms of the open card's answer: where one of them is all that was said, it is a guess ("silence").
    """
    row, free = texts(words), texts(dictation)
    idle = TALK - {"please"}
    if any(own.whole(trimmed(reading, idle | FILLERS - {"please"})) for reading in (row, free) if reading):
        return None
    found = command(row)
    if found:
        confidence = sum(word.confidence for word in words) / len(words)
        short = len(trimmed(free, TALK)) <= len(row) + COMMAND_EXTRA
        return found if command(free) or (confidence >= COMMAND_SURE and short) else None
    known = any(word != UNKNOWN for word in row)
    if known and len(free) < 2:
        return None
    written = command(free) or command(trimmed(free, TALK))
    if written:
        return None if _answered(row, free, answers) else written
    return nearly(words, free, answers)


def _answered(row: Phrase, meant: Phrase, answers: Known) -> bool:
    """Whether a reading has an answer that is not merely a word of the command ("next [card]", "be [quiet]")."""
    return any(not set(row[at : at + length]) - {UNKNOWN} <= set(meant)
               for at in range(len(row)) if (length := answers.at(row, at)))


@lru_cache(maxsize=1024)
def _nearest(free: Phrase) -> tuple[float, Phrase]:
    """The likeness and the words of the command that dictation's sentence is nearest to."""
    return max(((spelt_alike(shorter, words), words) for shorter in polite(trimmed(free, TALK))
                if len(shorter) >= SENTENCE - 1 for words in _SENTENCES
                if abs(len(words) - len(shorter)) <= COMMAND_EXTRA), default=(0.0, ()))


def begun(words: Words) -> str | None:
    """The command with which the grammar's words begin, if they are sure of it, politeness apart."""
    for row in polite(texts(words)):
        for length in range(len(row), BEGUN - 1, -1):
            name = _COMMANDS.get(row[:length])
            if name:
                first = next(at for at in range(len(words)) if texts(words[at:])[: len(row)] == row)
                there = words[first : first + length]
                sure = sum(word.confidence for word in there) / length >= COMMAND_SURE
                return name if sure else None
    return None


def nearly(words: Words, free: Phrase, answers: Known) -> Command | None:
    """The command that dictation has nearly, and the grammar at its beginning or not at all."""
    likeness, meant = _nearest(free)
    if likeness < NEARLY_BEGUN or _answered(free, meant, answers):
        return None
    name = _COMMANDS[meant]
    sure = likeness >= NEARLY and not _answered(texts(words), meant, answers)
    return (name, "") if sure or begun(words) == name else None
