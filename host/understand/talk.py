"""Guess or talk? What the grammar found in an utterance that was never meant for the host (CE-16)."""

from collections.abc import Sequence

from host.clock import samples
from host.events import Heard
from host.judge.likeness import spelt_alike
from host.judge.normal import ARTICLES, UNKNOWN
from host.understand.utterance import Known, Words, cut, texts

LONGEST_SAID = samples(5.0)
"""An utterance that lasts longer is talk: of 808 guesses of the tuning voices the longest took 4.6 s."""
MOST_WORDS = 10
"""So is one of which dictation has more words: 99 % of those guesses had no more."""
UNEXPLAINED = 3
"""So is one of which dictation has more words than twice the grammar's known ones and so many more."""
ADDRESS_ALIKE = 0.5
"""Likeness that dictation's words have to the colour or name which the grammar heard there, at least."""
ANSWER_SURE = 0.8
"""Mean confidence of the grammar's answer from which it needs no word of dictation."""
ADDRESS_SURE = 0.95
"""Confidence of a colour or name in front of a carrier from which they need no word of dictation."""
ANSWER_LIKELY = 0.5
"""The same behind a colour or name of which the grammar is as sure as `ADDRESS_SURE`."""
CONTENT_ALIKE = 0.6
"""Likeness from which both readings have the same words at the place of the guess."""


def is_talk(
    heard: Heard, named: Words, carried: bool, guesses: Sequence[tuple[Words, Words]], answers: Known
) -> bool:
    """Whether it is no guess for the host, whatever colour or carrier the grammar found in it.

    The grammar has nothing else to hear, so people who talk across one another are forced onto carriers and
    colours. A guess is short, and something besides the grammar's address speaks for one: dictation has a colour
    or a carrier too, or all that the grammar heard is an answer, or both readings have the same words there.

    `named` are the grammar's words that name a seat, `carried` whether they stand in front of a carrier, `guesses` the
    two readings of each guess.
    """
    words, dictation = heard.words, heard.dictation
    dictated = texts(dictation)
    if heard.ended - heard.began > LONGEST_SAID or len(dictated) > MOST_WORDS:
        return True
    if not words or not dictation or _addressed(dictation, named, answers):
        return False
    known = sum(word.text != UNKNOWN for word in words)
    if len(dictated) > 2 * known + UNEXPLAINED:
        return True
    if named and carried and min(word.confidence for word in named) >= ADDRESS_SURE:
        return False  # "green, is it ...": talk is put on a colour or on a carrier, hardly on both
    owned = bool(named) and min(word.confidence for word in named) >= ADDRESS_SURE
    least = ANSWER_LIKELY if owned else ANSWER_SURE
    return not any(_answer_like(*said, least, explained=len(dictated) <= 2 * known, answers=answers)
                   for said in guesses)


def _addressed(dictation: Words, named: Words, answers: Known) -> bool:
    """Whether dictation has the colour or name, or something that sounds like it there, or else a carrier."""
    found = cut(texts(dictation), answers)
    return (found.carrier and not found.hedged) or (bool(named) and _shared(named, dictation))


def is_sure(named: Words, dictation: Words) -> bool:
    """Whether a wrong guess may cost the seat that the grammar's words name: it is sure of them, or dictation has them.

    Points may go by less, since nobody loses by them (CE-15), and a wrong guess of nobody's costs nothing (CE-16).
    """
    return min(word.confidence for word in named) >= ADDRESS_SURE or not dictation or _shared(named, dictation)


def _shared(named: Words, dictation: Words) -> bool:
    """Whether dictation has those words too, or something that sounds like them at that place."""
    if set(texts(named)) & set(texts(dictation)):
        return True
    began, ended = named[0].began, named[-1].ended
    there = texts(tuple(word for word in dictation if word.ended > began and word.began < ended))
    return bool(there) and spelt_alike(there, texts(named)) >= ADDRESS_ALIKE


def _answer_like(words: Words, dictation: Words, least: float, *, explained: bool, answers: Known) -> bool:
    """Whether the grammar is as sure as `least` of an answer that explains what was said, or dictation has it too."""
    row = texts(words)
    own = tuple(word for word in row if word != UNKNOWN and word not in ARTICLES)
    if not own:
        return False
    sure = sum(word.confidence for word in words) / len(words) >= least
    if sure and UNKNOWN not in row and explained and answers.whole(row):
        return True
    other = tuple(word for word in texts(dictation) if word not in ARTICLES)
    return bool(other) and spelt_alike(own, other) >= CONTENT_ALIKE
