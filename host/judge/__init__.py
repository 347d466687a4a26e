"""Is it the answer? One guess, heard twice, against one card.

Laws of this module:

1. Names decide, likeness only helps out. A reading that *is* something known (the answer, something too
   general, a rival, another card's answer) is that thing. Only a reading that is nothing known may be
   taken for the answer it sounds like, and only if no rival is nearer (ANS-04).
2. Numbers are numbers: equal or not. -teen and -ty are asked back (ANS-12).
3. The essential part must be there, and nothing that makes it another thing: whole words only (ANS-03).
4. Of the two readings the grammar's is the better ear; how much dictation and the rest weigh beside it is
   measured (decision.toml), not guessed.
5. In doubt: `AGAIN`, never a guess of ours.

Pure: depends on nothing but its arguments and the weights in judge.toml and decision.toml.
"""

from dataclasses import dataclass

from host.events import Verdict, Word
from host.judge.answers import DISTINCT, Sheet, dictated_sheet, forms, sheet_of, wrong_forms
from host.judge.decision import DECISION, NO_WORDS, Decision, Evidence, decision, pace, spoken_evidence, weighed
from host.judge.extras import DENIALS
from host.judge.likeness import Sounds, alike, pronounced
from host.judge.mishearing import nearest_rival, numbers_in
from host.judge.normal import ARTICLES, UNKNOWN, canonical, plain
from host.judge.reading import read, stripped
from host.judge.view import RANK, WEIGHTS, View, Weights, weights
from host.packs import Card

__all__ = [
    "DECISION", "WEIGHTS", "Decision", "Evidence", "Opinion", "Weights", "decision", "evidence", "forms", "judge",
    "judge_text", "weights", "wrong_forms",
]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the judge thinks: `certainty` from 0 to 1 is how sure it is of this verdict."""

    verdict: Verdict
    form: str = ""
    """The spoken form of the answer, or the other known thing, that it was taken for."""
    certainty: float = 1.0
    reason: str = ""
    """One word for logs and benches: exact, part, surname, alike, rival, more, numbers, teen, conflict, ..."""


def _texts(words: tuple[Word, ...], doubtful: float = 0.0) -> tuple[tuple[str, ...], int, float]:
    """Plain words, how many unknown ones beside them, and the mean confidence of the known ones.

    Words at the edges that are vaguer than `doubtful` count as unknown if surer ones remain.
    """
    known = [word for word in words if word.text != UNKNOWN]
    telling = [at for at, word in enumerate(known) if word.text not in ARTICLES]  # "the" anchors nothing
    sure = [at for at in telling if known[at].confidence >= doubtful or known[at].text in DISTINCT]
    if sure:
        first = sure[0]
        while first and known[first - 1].text in ARTICLES and known[first - 1].confidence >= doubtful:
            first -= 1
        known = known[first : sure[-1] + 1]
    confidence = sum(word.confidence for word in known) / len(known) if known else 0.0
    return plain(" ".join(word.text for word in known)), len(words) - len(known), confidence


def judge(
    card: Card, words: tuple[Word, ...], dictation: tuple[Word, ...], others: tuple[str, ...] = (),
    sounds: Sounds | None = None, before: str = "", margin: float | None = None, limits: Weights = WEIGHTS,
    decision: Decision = DECISION,
) -> Opinion:
    """Judge one guess, given as the grammar's words and free dictation's (either may be empty).

    `others` are answers of other cards, for namesakes and rivals; pass the same tuple every time, what is
    made of it is kept. `sounds` are pronunciations for the comparison by phones. `before` is the text of the
    same player's unspecific guess to which this is the reply: "Roosevelt" - "more exactly?" - "Theodore".
    `margin` is the ear's second look at the answer among the grammar's words (`Heard.margin`).
    """
    opinion = _judge(card, words, dictation, others, sounds or {}, margin, limits, decision)
    if before and opinion.verdict in (Verdict.UNSPECIFIC, Verdict.WRONG):
        for order in (0, 1):
            joined = [_with(before, reading, order) for reading in (words, dictation)]
            both = _judge(card, joined[0], joined[1], others, sounds or {}, None, limits, decision)
            if both.verdict is Verdict.RIGHT:
                return both
    return opinion


def _with(before: str, words: tuple[Word, ...], order: int) -> tuple[Word, ...]:
    """A reading with an earlier one's words in front of it or after it."""
    if not any(word.text != UNKNOWN for word in words):
        return words
    earlier = tuple(Word(text, words[0].began, words[0].began) for text in plain(before))
    return earlier + words if order else words + earlier


def _judge(
    card: Card, words: tuple[Word, ...], dictation: tuple[Word, ...], others: tuple[str, ...], sounds: Sounds,
    margin: float | None, limits: Weights, decision: Decision,
) -> Opinion:
    sheet = sheet_of(card, others)
    heard, _, confidence = _texts(words, limits.doubtful)
    written, _, written_confidence = _texts(dictation)
    ear = _ear(sheet, words, sounds, limits)
    dictated = dictated_sheet(card, others)
    check = read(dictated, written, sounds, limits)
    if ear.verdict is Verdict.RIGHT and ear.exact:
        return _heard_right(dictated, ear, check, words, dictation, sounds, margin, limits, decision)
    if ear.exact and ear.verdict in (Verdict.WRONG, Verdict.UNSPECIFIC, Verdict.NONE, Verdict.AGAIN) and heard:
        return _heard_other(ear, check, confidence, limits)
    if not heard or not ear.exact:
        return _dictated(ear, check, bool(words), confidence, written_confidence, limits)
    return _opinion(ear, confidence)


def _ear(sheet: Sheet, words: tuple[Word, ...], sounds: Sounds, limits: Weights) -> View:
    """What the grammar's words are: without doubtful ones at the edges, unless they are the answer with them.

    "diogenes:0.61 the cynic" is not merely a cynic; how much the doubt weighs is the decision's business.
    """
    sure = read(sheet, _texts(words, limits.doubtful)[0], sounds, limits)
    if sure.verdict is Verdict.RIGHT and sure.exact:
        return sure
    whole = read(sheet, _texts(words)[0], sounds, limits)
    return whole if whole.verdict is Verdict.RIGHT and whole.exact else sure


def _opinion(view: View, certainty: float, verdict: Verdict | None = None, reason: str = "") -> Opinion:
    return Opinion(verdict or view.verdict, " ".join(view.form), round(min(1.0, certainty), 3), reason or view.reason)


def _heard_right(
    sheet: Sheet, ear: View, check: View, words: tuple[Word, ...], dictation: tuple[Word, ...], sounds: Sounds,
    margin: float | None, limits: Weights, decision: Decision,
) -> Opinion:
    """The grammar heard the answer: right, unless numbers or a negation deny it or the model doubts it."""
    if check.reason in ("denied", "several") and _texts(words)[2] >= limits.sure:
        dictation = tuple(word for word in dictation if word.text not in _DENYING or word.confidence >= limits.denied)
        check = read(sheet, _texts(dictation)[0], sounds, limits)
    written = _texts(dictation)[0]
    if _denies(ear, check, written):
        return _opinion(check, 1.0, Verdict.AGAIN if check.reason == "teen" else check.verdict)
    certainty = decision.certainty(_evidence(sheet, ear, check, words, dictation, sounds, margin))
    another = check.exact and check.verdict is Verdict.WRONG and check.reason == "rival"
    beside = check.reason == "more" and (set(written) - set(_texts(words)[0])) & DISTINCT
    if another or beside:  # dictation has a name of its own: austria and australia, virginia and west virginia
        unsure = _texts(words)[2] >= limits.again
        return _opinion(ear, certainty, Verdict.AGAIN if unsure else Verdict.WRONG, "conflict")
    numbers = numbers_in(canonical(ear.form))
    dictated = numbers_in(canonical(written))
    if numbers and dictated and not set(numbers) <= set(dictated):
        return _opinion(ear, certainty, Verdict.AGAIN, "numbers")
    if certainty >= decision.accept:
        doubted = decision.doubts(margin)
        return _opinion(ear, certainty, Verdict.AGAIN if doubted else None, "doubted" if doubted else "")
    return _opinion(ear, certainty, Verdict.AGAIN if certainty >= decision.again else Verdict.WRONG, "vague")


_DENYING = DENIALS | {"or"}
"""Words of dictation that deny an answer or make it one of several; vague ones are the end of "I think it's"."""


def _denies(ear: View, check: View, written: tuple[str, ...]) -> bool:
    """Whether dictation saw the answer and what the grammar could not: a negation, an alternative, another number.

    Only where it has words of the answer: for names it writes nonsense, and there is many a "not" in that.
    """
    if check.reason == "several":
        return check.verdict is Verdict.AGAIN
    if check.reason not in ("denied", "teen"):
        return False
    return check.reason == "teen" or bool(set(canonical(ear.form)) & set(canonical(written)))


def _evidence(
    sheet: Sheet, ear: View, check: View, words: tuple[Word, ...], dictation: tuple[Word, ...], sounds: Sounds,
    margin: float | None,
) -> Evidence:
    """The features of the decision; `ear` is what the grammar's words were read as."""
    confidence, weakest, unknown, length = spoken_evidence(words)
    written, _, sure = _texts(dictation)
    heard = tuple(word.text for word in words if word.text != UNKNOWN)
    likeness, rival = NO_WORDS, 0.0
    if written:
        trials = tuple(stripped(written))
        likeness = 1.0 if check.verdict is Verdict.RIGHT and check.exact else max(
            alike(trial, target, sounds) for trial in trials for target in (ear.form, heard))
        rival = max(0.0, nearest_rival(sheet, trials[-1], sounds) - likeness)
    ways = pronounced(ear.form, sounds)
    phones = len(ways[0]) if ways else len("".join(ear.form))
    return Evidence(
        confidence, weakest, likeness, rival, float(check.exact and check.verdict is Verdict.RIGHT),
        float(check.exact and check.verdict is Verdict.WRONG and check.reason == "rival"),
        sure * (1.0 - likeness) if written else 0.0, unknown, 1.0 / max(1, phones), pace(length, phones),
        weighed(margin),
    )


def evidence(
    card: Card, words: tuple[Word, ...], dictation: tuple[Word, ...], others: tuple[str, ...] = (),
    sounds: Sounds | None = None, margin: float | None = None,
) -> Evidence | None:
    """What the decision is made on; None where the grammar did not hear the answer."""
    sheet, known = sheet_of(card, others), sounds or {}
    ear = _ear(sheet, words, known, WEIGHTS)
    check = read(dictated_sheet(card, others), _texts(dictation)[0], known, WEIGHTS)
    if ear.verdict is not Verdict.RIGHT or not ear.exact:
        return None
    return _evidence(sheet, ear, check, words, dictation, known, margin)


def _heard_other(ear: View, check: View, confidence: float, limits: Weights) -> Opinion:
    """The grammar heard something known that is not the answer."""
    if check.verdict is Verdict.RIGHT and check.exact:
        if ear.verdict is Verdict.UNSPECIFIC or confidence < limits.sure:
            return _opinion(check, 1.0 - confidence / 2)
        return _opinion(check, 0.5, Verdict.AGAIN, "conflict")
    if ear.verdict is Verdict.WRONG and confidence < limits.again and check.verdict in (Verdict.RIGHT, Verdict.AGAIN):
        return _opinion(check, 0.5, Verdict.AGAIN, "vague")
    return _opinion(ear, confidence)


def _dictated(
    ear: View, check: View, listened: bool, confidence: float, written: float, limits: Weights
) -> Opinion:
    """The grammar heard nothing known: the better of two readings, dictation with more likeness asked of it."""
    if check.verdict is Verdict.RIGHT and not check.exact and listened:
        sure = check.likeness >= limits.similar_against or ear.verdict is Verdict.RIGHT
        return _opinion(check, check.likeness, Verdict.RIGHT if sure else Verdict.AGAIN)
    if RANK[ear.verdict] > RANK[check.verdict]:
        return _opinion(ear, ear.likeness * confidence)
    if check.verdict is Verdict.NONE:
        return _opinion(check, 1.0)
    return _opinion(check, check.likeness if check.verdict is not Verdict.WRONG else written)


def judge_text(card: Card, text: str, others: tuple[str, ...] = (), sounds: Sounds | None = None) -> Opinion:
    """Judge a guess that was typed, or a reading about which nothing is doubtful."""
    words = tuple(Word(word, 0, 0) for word in plain(text))
    return judge(card, (), words, others, sounds)
