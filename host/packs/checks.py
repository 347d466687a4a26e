"""Is a pack good to play? Every check gives Faults, none stops the others.

`check` looks at packs that could be loaded; what can't be loaded is refused by `files`. With a lexicon (word
-> pronunciations) sounds and spelling are checked as well.
"""

import re
from collections import ChainMap, Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz, process

from host.packs import REGIONS, Card, Fault, Pack
from host.packs.filter import heard, needs_eyes, unfit
from host.packs.text import (
    ENTITY,
    FUNCTION_WORDS,
    HOW,
    NEAR,
    Lexicon,
    Phones,
    alike,
    content_words,
    normal,
    phones,
    pronunciations,
    related,
    stem,
    without_article,
    words,
)

MOST_WORDS = 20
"""In a statement (CARDS.md's measure: what is heard once must be short)."""
LONGEST_NOTE = 30
"""Words; about 12 s (GM-4)."""
FEWEST_RIVALS = 4
NEARLY = 90.0
"""Percent of equal letters, words sorted, from which two statements are one."""
FEWEST_PHONES = 3
"""An answer with fewer is hard to tell from a noise (CON-10)."""

_DIGIT = re.compile(r"\d+\S*")
_SIGN = re.compile(r"[()\[\]{}<>&%$£€°/\\*#@+=_~^|§]|[\U0001f000-\U0001ffff\u2600-\u27bf]")
_SHORT = re.compile(
    r"\b(?:[A-Za-z]\.){2,}|\b(?:Mr|Mrs|Ms|Dr|St|Mt|Prof|Jr|Sr|vs|etc|approx|ca|cf|e\.g|i\.e|fig|vol|dept|govt)\."
    r"|\b(?!I\b)[A-Z]{2,}\b",
)


@dataclass(frozen=True)
class _Notes:
    """Faults of one card."""

    pack: Pack
    card: Card
    faults: list[Fault]

    def __call__(self, text: str, name: str = "", item: int = -1, severity: str = "error") -> None:
        line, column = self.pack.place(self.card.id, name, item)
        self.faults.append(Fault(self.pack.file, line, self.card.id, text, severity, column))


def spoken(card: Card) -> Iterator[tuple[str, int, str, str]]:
    """(field, item, text, name for people) of the six statements and the false one."""
    for item, text in enumerate(card.statements):
        yield "statements", item, text, f"statement {item + 1}"
    if card.false_statement:
        yield "false_statement", -1, card.false_statement, "the false statement"


def _fields(card: Card, note: _Notes) -> None:
    if not card.false_statement:
        note("false_statement is missing; write an obviously false one (CE-23)")
    if len(card.rivals) < FEWEST_RIVALS:
        note(f"{len(card.rivals)} rivals; name at least {FEWEST_RIVALS} likely wrong answers", "rivals")
    if len(card.note.split()) > LONGEST_NOTE:
        note(f"the note has {len(card.note.split())} words; {LONGEST_NOTE} at most (12 s)", "note")
    if card.region not in REGIONS:
        note(f'region "{card.region}" is not one of {", ".join(REGIONS)}', "region", severity="warning")
    if card.century == 0:
        note("there is no century 0; the first is 1, the one before Christ -1", "century")
    for field in ("aliases", "prompt", "never", "rivals"):
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


def _contradictions(card: Card, note: _Notes) -> None:
    """What is both right and wrong on the same card."""
    right = {normal(card.answer): "the answer"} | {normal(alias): "an alias" for alias in card.aliases}
    for field in ("prompt", "never", "rivals"):
        for item, text in enumerate(getattr(card, field)):
            if normal(text) in right:
                note(f'"{text}" is in {field} and {right[normal(text)]} as well; keep one', field, item)
    wrong = {normal(text) for text in card.never}
    for item, text in enumerate(card.prompt):
        if normal(text) in wrong:
            note(f'"{text}" is in prompt and in never; keep one', "prompt", item)


def _speech(card: Card, note: _Notes) -> None:
    """Can a voice say it, and is it a sentence for ears (CON-04)?"""
    for field, item, text, name in spoken(card):
        count = len(words(text))
        if count > MOST_WORDS:
            note(f"{name} has {count} words; {MOST_WORDS} at most", field, item)
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


def _fitness(card: Card, note: _Notes) -> None:
    """CON-02 and CON-05."""
    for field, item, text in heard(card):
        if found := needs_eyes(text):
            note(f'"{found}" needs a picture or a sound; this game has only words, so the card is left out',
                 field, item)
        if found := unfit(text):
            note(f'"{found}" is held back by the family filter; the card is left out', field, item)


def _said(card: Card, note: _Notes) -> None:
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


def _ways(card: Card, lexicon: Lexicon) -> Lexicon:
    """The lexicon with the card's own sounds before it."""
    own = {word: (phones(spelt),) for spelled, spelt in card.sounds for word in [" ".join(words(spelled))]}
    return ChainMap(own, lexicon) if own else lexicon  # type: ignore[arg-type]  # it is only read


def _sound_targets(card: Card, lexicon: Lexicon) -> dict[Phones, str]:
    targets: dict[Phones, str] = {}
    for form in (card.answer, *card.essential, *card.aliases):
        for text in (without_article(form), *content_words(form)):
            targets |= {way: text for way in pronunciations(text, lexicon) if way not in targets}
    return targets


def _sounds_said(card: Card, lexicon: Lexicon, note: _Notes) -> None:
    """Nothing in a statement that sounds like the answer: "knight" for "night", "eye full" for "Eiffel"."""
    lexicon = _ways(card, lexicon)
    targets = _sound_targets(card, lexicon)
    longest = max(map(len, targets), default=0)
    spelt = {word for form in (card.answer, *card.essential, *card.aliases) for word in words(form)}
    for field, item, text, name in spoken(card):
        said = words(text)
        for first, count in ((f, c) for f in range(len(said)) for c in range(1, min(4, len(said) - f) + 1)):
            window = said[first:first + count]
            if set(window) & spelt or all(word in FUNCTION_WORDS for word in window):
                continue
            for way in pronunciations(" ".join(window), lexicon):
                heard_as = targets.get(way) if count == 1 or len(way) >= 4 else None
                if heard_as:
                    note(f'{name} says "{" ".join(window)}", which sounds like "{heard_as}" in the answer', field, item)
                    break
                if count == 1 and 5 <= len(way) <= longest + 2:
                    near = next((form for target, form in targets.items()
                                 if len(target) >= 5 and alike(way, target) >= NEAR), None)
                    if near and not any(related(word, window[0]) for word in content_words(near)):
                        note(f'{name} says "{window[0]}", nearly the sound of "{near}"', field, item, "warning")
                        break


def _spelling(card: Card, lexicon: Lexicon, note: _Notes) -> None:
    known = _ways(card, lexicon)
    for field, item, text, name in spoken(card):
        for word in dict.fromkeys(words(text)):
            if not _is_known(word, known):
                note(f'{name}: "{word}" is in no dictionary here; a slip of the pen?', field, item, "warning")


def _is_known(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon or word.removesuffix("'s") in lexicon or not re.search("[a-z]", word)


def unknown_words(card: Card, lexicon: Lexicon) -> tuple[str, ...]:
    """Words of the answer and its aliases that the recogniser can't hear: not in the lexicon nor in `sounds`."""
    known = _ways(card, lexicon)
    forms = (card.answer, *card.essential, *card.aliases)
    return tuple(dict.fromkeys(word for form in forms for word in words(form) if not _is_known(word, known)))


def by_ear(card: Card, lexicon: Lexicon) -> tuple[str, ...]:
    """Why an answer is hard to recognise (CON-10): unknown words, too short, a rival that sounds like it."""
    ways = _ways(card, lexicon)
    found = [f'"{word}" is not in the recogniser\'s vocabulary; give it in sounds'
             for word in unknown_words(card, lexicon)]
    own = [way for text in (card.answer, *card.essential) for way in pronunciations(without_article(text), ways)]
    if own and min(map(len, own)) < FEWEST_PHONES:
        found.append(f'"{card.answer}" is very short to hear; add a longer alias')
    for rival in dict.fromkeys((*card.rivals, *card.never)):
        theirs = pronunciations(without_article(rival), ways)
        if any(alike(one, other) >= NEAR for one in own for other in theirs):
            found.append(f'"{rival}" sounds nearly like the answer; the judge will ask again')
    return tuple(found)


def _subjects(packs: Sequence[Pack], faults: list[Fault]) -> None:
    """No subject twice; an alias that is another card's answer must be in `prompt`."""
    answers: dict[str, Card] = {}
    aliases: dict[str, Card] = {}
    cards = [(pack, card) for pack in packs for card in pack.cards]
    ids: set[str] = set()
    for pack, card in cards:
        note = _Notes(pack, card, faults)
        if card.id in ids:
            note("another card has this id; give it another", "id")
        ids.add(card.id)
        form = normal(card.answer)
        if form in answers:
            note(f'the answer "{card.answer}" is that of {answers[form].id} too; drop one', "answer")
        answers.setdefault(form, card)
    for pack, card in cards:
        note = _Notes(pack, card, faults)
        for item, alias in enumerate(card.aliases):
            form = normal(alias)
            other = answers.get(form) or aliases.get(form)
            if other and other.id != card.id:
                note(f'the alias "{alias}" also means {other.id}; put it into prompt instead', "aliases", item)
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
                _Notes(pack, card, faults)(text, "essential", severity="warning")


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
            _Notes(pack, card, faults)(f"{name} {how} {where}; change one", field, item)


def check(packs: Iterable[Pack], lexicon: Lexicon | None = None) -> tuple[Fault, ...]:
    """All faults of packs that were loaded, in the order of their files and lines.

    `lexicon` (word -> pronunciations) adds: what sounds like the answer, spelling, vocabulary (as warnings).
    """
    packs = tuple(packs)
    faults: list[Fault] = []
    for pack in packs:
        for card in pack.cards:
            note = _Notes(pack, card, faults)
            for look in (_fields, _contradictions, _speech, _fitness, _said):
                look(card, note)
            if lexicon is not None:
                _sounds_said(card, lexicon, note)
                _spelling(card, lexicon, note)
                for text in by_ear(card, lexicon):
                    note(text, "answer", severity="warning")
    _subjects(packs, faults)
    _passing(packs, faults)
    _repeats(packs, faults)
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
