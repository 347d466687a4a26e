"""Is a pack good to play? Every check gives Faults, none stops the others.

`check` looks at packs that could be loaded; what can't be loaded is refused by `files`. With a lexicon (word
-> pronunciations) sounds and spelling are checked as well.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

import numpy as np
from rapidfuzz import fuzz, process

from host.packs import REGIONS, Card, Fault, Pack
from host.packs.filter import heard, needs_eyes, unfit
from host.packs.sounding import Notes, by_ear, same_sound, sounds_said, spelling, spoken, unknown_words
from host.packs.text import ENTITY, HOW, Lexicon, content_words, normal, related, seconds, stem, words

__all__ = ["by_ear", "check", "report", "sift", "unknown_words"]

MOST_WORDS = 20
"""In a statement (CARDS.md's measure: what is heard once must be short)."""
LONGEST_NOTE = 30
"""Words; about 12 s (GM-4)."""
FEWEST_RIVALS = 4
NEARLY = 90.0
"""Percent of equal letters, words sorted, from which two statements are one."""

RETOLD = 0.7
"""Share of equal words that carry meaning, from which a statement tells what another has told."""
FEWEST_TOLD = 4
"""Words that carry meaning which both statements must have for that."""
LONGEST_STATEMENT = 9.0
"""Seconds that a statement may take to read: what is heard once must be short."""

LISTS = ("aliases", "aliases_written", "prompt", "prompt_written", "never", "rivals")
"""Fields of forms, each of which must have a word in it."""
_DIGIT = re.compile(r"\d+\S*")
_SIGN = re.compile(r"[()\[\]{}<>&%$£€°/\\*#@+=_~^|§]|[\U0001f000-\U0001ffff\u2600-\u27bf]")
_SHORT = re.compile(
    r"\b(?:[A-Za-z]\.){2,}|\b(?:Mr|Mrs|Ms|Dr|St|Mt|Prof|Jr|Sr|vs|etc|approx|ca|cf|e\.g|i\.e|fig|vol|dept|govt)\."
    r"|\b(?!I\b)[A-Z]{2,}\b",
)


def _fields(card: Card, note: Notes) -> None:
    if len(card.note.split()) > LONGEST_NOTE:
        note(f"the note has {len(card.note.split())} words; {LONGEST_NOTE} at most (12 s)", "note")
    if card.region not in REGIONS:
        note(f'region "{card.region}" is not one of {", ".join(REGIONS)}', "region", severity="warning")
    if card.century == 0:
        note("there is no century 0; the first is 1, the one before Christ -1", "century")
    for field in LISTS:
        for item, text in enumerate(getattr(card, field)):
            if not words(text):
                note(f'"{text}" in {field} has no word in it', field, item)
    if not words(card.answer):
        note(f'the answer "{card.answer}" has no word in it', "answer")
    right = (card.answer, *card.aliases)
    for item, text in enumerate(card.essential):
        known = {stem(word) for form in right for word in words(form)}
        if not {stem(word) for word in words(text)} <= known:
            note(f'essential "{text}" is in neither the answer nor an alias; a spelling of its own?', "essential", item,
                 "warning")


def _missing(card: Card, note: Notes) -> None:
    """What a card can be loaded without, but should have."""
    if not card.false_statement:
        note("false_statement is missing; write an obviously false one (CE-23)")
    if len(card.rivals) < FEWEST_RIVALS:
        note(f"{len(card.rivals)} rivals; name at least {FEWEST_RIVALS} likely wrong answers", "rivals")
    if not card.basis:
        note("basis is missing; say where a checker would look the facts up", severity="warning")


def _contradictions(card: Card, note: Notes) -> None:
    """What is both right and wrong on the same card."""
    right = {normal(card.answer): "the answer"} | {normal(alias): "an alias" for alias in card.aliases}
    for item, text in enumerate(card.aliases_written):
        if normal(text) in right:
            note(f'"{text}" is in aliases_written and {right[normal(text)]} as well; the judge knows it already',
                 "aliases_written", item)
    right |= {normal(alias): "in aliases_written" for alias in card.aliases_written if normal(alias) not in right}
    for field in ("prompt", "prompt_written", "never", "rivals"):
        for item, text in enumerate(getattr(card, field)):
            if normal(text) in right:
                note(f'"{text}" is in {field} and {right[normal(text)]} as well; keep one', field, item)
    wrong = {normal(text) for text in card.never}
    for field in ("prompt", "prompt_written"):
        for item, text in enumerate(getattr(card, field)):
            if normal(text) in wrong:
                note(f'"{text}" is in {field} and in never; keep one', field, item)


def _speech(card: Card, note: Notes) -> None:
    """Can a voice say it, and is it a sentence for ears (CON-04)?"""
    for field, item, text, name in spoken(card):
        count = len(words(text))
        if count > MOST_WORDS:
            note(f"{name} has {count} words; {MOST_WORDS} at most", field, item)
        if count <= MOST_WORDS and seconds(text) > LONGEST_STATEMENT:
            note(f"{name} takes about {seconds(text):.0f} s to read; {LONGEST_STATEMENT:.0f} at most", field, item)
        if count < 3:
            note(f"{name} is no sentence; write at least three words", field, item)
        if text and text.rstrip("\"'”’")[-1:] not in ".!?":
            note(f"{name} doesn't end in a full stop, ! or ?", field, item, "warning")
        for pattern, what in ((_DIGIT, "write the number in words"), (_SIGN, "write it in words or leave it out"),
                              (_SHORT, "write the abbreviation in full")):
            if match := pattern.search(text):
                note(f'a voice stumbles over "{match.group()}" in {name}; {what}', field, item)
    for field, item, text in heard(card):
        if match := ENTITY.search(text):
            note(f'"{match.group()}" in {field} is an HTML entity twice over; write the sign itself', field, item)


def _fitness(card: Card, note: Notes) -> None:
    """CON-02 and CON-05."""
    for field, item, text in heard(card):
        if found := needs_eyes(text):
            note(f'"{found}" needs a picture or a sound; this game has only words, so the card is left out',
                 field, item)
        if found := unfit(text):
            note(f'"{found}" is held back by the family filter; the card is left out', field, item)


def _said(card: Card, note: Notes) -> None:
    """No word of the answer or an alias, nor its stem, in a statement."""
    answers = dict.fromkeys(word for form in (card.answer, *card.essential, *card.aliases)
                            for word in content_words(form))
    for field, item, text, name in spoken(card):
        apart = (one + other for one, other in pairwise(words(text)) if one + other in answers)
        for said in dict.fromkeys((*content_words(text), *apart)):
            ways = {related(answer, said): answer for answer in reversed(answers)}
            how = next((how for how in HOW if how in ways), "")
            if how == "word":
                note(f'{name} says "{said}", a word of the answer', field, item)
            elif how:
                kind = "the stem of" if how == "stem" else f"{how} of"
                severity = "warning" if how == "perhaps a part" else "error"
                note(f'{name} says "{said}", {kind} "{ways[how]}" in the answer', field, item, severity)


def _subjects(packs: Sequence[Pack], faults: list[Fault]) -> None:
    """No subject twice; an alias that is another card's answer must be in `prompt`."""
    answers: dict[str, Card] = {}
    aliases: dict[str, Card] = {}
    cards = [(pack, card) for pack in packs for card in pack.cards]
    ids: set[str] = set()
    for pack, card in cards:
        note = Notes(pack, card, faults)
        if card.id in ids:
            note("another card has this id; give it another", "id")
        ids.add(card.id)
        form = normal(card.answer)
        if form in answers:
            note(f'the answer "{card.answer}" is that of {answers[form].id} too; drop one', "answer")
        answers.setdefault(form, card)
    for pack, card in cards:
        note = Notes(pack, card, faults)
        for field in ("aliases", "aliases_written"):
            for item, alias in enumerate(getattr(card, field)):
                form = normal(alias)
                other = answers.get(form) or aliases.get(form)
                if other and other.id != card.id:
                    note(f'the alias "{alias}" also means {other.id}; put it into prompt instead', field, item)
                aliases.setdefault(form, card)


def _passing(packs: Sequence[Pack], faults: list[Fault]) -> None:
    """Another card's answer that has all that this card asks for, and isn't ruled out, would be called right."""
    cards = [(pack, card) for pack in packs for card in pack.cards]
    answers = [(card, frozenset(words(card.answer))) for _, card in cards]
    for pack, card in cards:
        ruled_out = {normal(text) for text in (*card.never, *card.rivals, *card.prompt)}
        asked = [frozenset(words(text)) for text in card.essential]
        for other, said in answers:
            if other.id != card.id and any(one <= said for one in asked) and normal(other.answer) not in ruled_out:
                text = f'"{other.answer}" ({other.id}) has all that essential asks for; add it to never or rivals'
                Notes(pack, card, faults)(text, "essential", severity="warning")


def _repeats(packs: Sequence[Pack], faults: list[Fault]) -> None:
    """No statement twice, or nearly so, within a card or across cards."""
    said = [(pack, card, field, item, name, " ".join(sorted(words(text))))
            for pack in packs for card in pack.cards for field, item, text, name in spoken(card)]
    keys = [one[-1] for one in said]
    for begin in range(0, len(keys), 512):
        scores = process.cdist(keys[begin:begin + 512], keys, scorer=fuzz.ratio, score_cutoff=NEARLY, dtype=np.uint8)
        for row, column in zip(*(axis.tolist() for axis in np.nonzero(scores)), strict=True):
            here = begin + row
            if column >= here:
                continue
            pack, card, field, item, name, key = said[here]
            other_pack, other, other_field, other_item, other_name, other_key = said[column]
            how = "is" if key == other_key else "is nearly"
            line = other_pack.place(other.id, other_field, other_item)[0]
            where = f"{other_name} of {other.id}, {other_pack.file}:{line}"
            Notes(pack, card, faults)(f"{name} {how} {where}; change one", field, item)


def _retold(packs: Sequence[Pack], faults: list[Fault]) -> None:
    """Statements that tell the same in another order or dress."""
    told = [(pack, card, item, frozenset(map(stem, content_words(text))))
            for pack in packs for card in pack.cards for item, text in enumerate(card.statements)]
    holders: dict[str, list[int]] = {}
    for at, (pack, card, item, meaning) in enumerate(told):
        shared = Counter(other for word in meaning for other in holders.get(word, ()))
        for other, count in shared.items():
            both = len(meaning | told[other][3])
            if count >= FEWEST_TOLD and count / both >= RETOLD:
                text = f"statement {item + 1} tells much of statement {told[other][2] + 1} of {told[other][1].id}"
                Notes(pack, card, faults)(f"{text}; is one of them another fact?", "statements", item, "warning")
        for word in meaning:
            holders.setdefault(word, []).append(at)


def check(
    packs: Iterable[Pack], lexicon: Lexicon | None = None, spelt: Collection[str] = (),
) -> tuple[Fault, ...]:
    """All faults of packs that were loaded, in the order of their files and lines.

    `lexicon` (word -> pronunciations) adds: what sounds like the answer, spelling, vocabulary (as warnings).
    `spelt` are words that are right though the lexicon has none of them.
    """
    packs = tuple(packs)
    faults: list[Fault] = []
    for pack in packs:
        for card in pack.cards:
            note = Notes(pack, card, faults)
            for look in (_missing, _fields, _contradictions, _speech, _fitness, _said):
                look(card, note)
            if lexicon is not None:
                sounds_said(card, lexicon, note)
                spelling(card, lexicon, note, spelt)
                for text in by_ear(card, lexicon):
                    note(text, "answer", severity="warning")
    _subjects(packs, faults)
    _passing(packs, faults)
    _repeats(packs, faults)
    _retold(packs, faults)
    if lexicon is not None:
        same_sound(packs, lexicon, faults)
    order = {pack.file: number for number, pack in enumerate(packs)}
    return tuple(sorted(faults, key=lambda fault: (order[fault.file], fault.line, fault.column)))


def sift(packs: Iterable[Pack], *, family: bool = True) -> tuple[tuple[Pack, ...], tuple[str, ...]]:
    """The packs without cards that need eyes (CON-02) or, with `family`, are unfit (CON-05); and those cards' ids."""
    kept, out = [], []
    for pack in packs:
        bad = {card.id for card in pack.cards for _, _, text in heard(card)
               if needs_eyes(text) or (family and unfit(text))}
        out += [card.id for card in pack.cards if card.id in bad]
        kept.append(replace(pack, cards=tuple(card for card in pack.cards if card.id not in bad)))
    return tuple(kept), tuple(out)


def report(packs: Iterable[Pack]) -> str:
    """Counts of cards by category, pack, region, century and difficulty, with shares."""
    packs = tuple(packs)
    cards = [card for pack in packs for card in pack.cards]
    names = {pack.id: pack.title for pack in packs}
    lines = [", ".join(f"{count} {name}{'' if count == 1 else 's'}"
                       for count, name in ((len(cards), "card"), (len(packs), "pack")))]
    if cards:
        times = [sum(map(seconds, card.statements)) for card in cards]
        longest = max(seconds(text) for card in cards for text in card.statements)
        lines.append(f"read aloud the six statements of a card take {median(times):.0f} s in the median, "
                     f"{max(times):.0f} s at most; the longest statement {longest:.1f} s")
    for title, values in (
        ("category", Counter(card.category for card in cards)),
        ("pack", Counter(f"{card.pack} ({names.get(card.pack, '')})" for card in cards)),
        ("region", Counter(card.region for card in cards)),
        ("century", Counter(card.century for card in cards)),
        ("difficulty", Counter(card.difficulty for card in cards)),
    ):
        lines.append(f"by {title}")
        ordered = sorted(values.items()) if title in ("century", "difficulty") else values.most_common()
        lines += [f"  {value!s:<24}{count:>5}  {count / len(cards):>4.0%}" for value, count in ordered]
    return "\n".join(lines)
