"""What one reading of a guess says by itself: known thing, part of the answer, mishearing, or nothing."""

from collections.abc import Iterator

from host.events import Verdict
from host.judge.answers import OFFICES, TITLES, Sheet, contains
from host.judge.carriers import AFTERTHOUGHTS, CARRIERS, GLUE, HEDGES, NEGATIONS, TALK
from host.judge.extras import BECOMING, DENIALS, EVENTFUL, HARMLESS, JOINTS, SOMEBODY, TAILS, WHENS
from host.judge.likeness import Sounds
from host.judge.mishearing import nearest_answer, same_sound, singular
from host.judge.normal import ARTICLES, canonical, is_number, keys
from host.judge.numerals import TEEN_TY, bag
from host.judge.view import NOTHING, RANK, View, Weights
from host.judge.where import CONTINENTS, REGIONS_OF

STEM = 5
"""Letters of a stem."""

_CARRIERS = tuple(sorted(
    {tuple(phrase.split()) for phrase in (*CARRIERS, *HEDGES)}, key=lambda words: -len(words)))
_AFTER = tuple(sorted({tuple(phrase.split()) for phrase in AFTERTHOUGHTS}, key=lambda words: -len(words)))
_DENYING = tuple(tuple(phrase.split()) for phrase in NEGATIONS)


def stripped(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words, then ever fewer of them as carriers and fillers come off: "is it um the moon", ... "the moon"."""
    yield words
    while words:
        shorter = next((words[len(phrase):] for phrase in _CARRIERS if words[: len(phrase)] == phrase), words)
        if shorter == words and words[0] in TALK - ARTICLES:
            shorter = words[1:]
        if shorter == words:
            shorter = next((words[: -len(phrase)] for phrase in _AFTER if words[-len(phrase):] == phrase), words)
        if shorter == words and words[-1] in TALK:
            shorter = words[:-1]
        if shorter == words:
            return
        words = shorter
        if words:
            yield words


def _known(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    for key in keys(words):
        if key in sheet.known:
            verdict, form, reason = sheet.known[key]
            return View(verdict, form, 1.0, True, reason)
    return None


def _bared(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """The reading without what adds nothing: "the Roosevelt guy", "President Lincoln", "in 1945"."""
    if any(word.endswith("'s") for word in words[:-1]):
        return None
    idle = HARMLESS | ARTICLES | (TITLES if sheet.person else frozenset())
    bare = tuple(word for at, word in enumerate(canonical(words)) if word not in idle and (at or word not in TAILS))
    view = _known(sheet, bare) if bare and bare != canonical(words) else None
    if view and len(bare) == 1 and sheet.person and not sheet.single and _of_another(sheet, canonical(words)):
        return View(Verdict.WRONG, words, 1.0, True, "title")
    return view if view and view.verdict is not Verdict.WRONG else None


def _of_another(sheet: Sheet, tokens: tuple[str, ...]) -> bool:
    """Whether somebody is called by an office that this one never held: "Queen Beatrix" for Beatrix Potter."""
    held = sheet.names.union(sheet.true, *sheet.general)
    return any(token in OFFICES and token not in held for token in tokens)


def _unglued(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """The reading without the small words at its edges that stand for something not understood."""
    inner = words
    while len(inner) > 1 and inner[0] in GLUE | ARTICLES:
        inner = inner[1:]
    while len(inner) > 1 and inner[-1] in GLUE:
        inner = inner[:-1]
    if "end of" in " ".join(words[:3]):
        return None  # a part of it: "the end of the rainbow"
    view = _known(sheet, inner) if inner != words else None
    return view if view and view.verdict is not Verdict.WRONG else None


def _plural(sheet: Sheet, tokens: tuple[str, ...]) -> View | None:
    """A plural of the answer: the same for a thing, nobody for a name ("the Roosevelts")."""
    for words in sheet.right:
        target = canonical(words)
        if len(target) == len(tokens) and target[:-1] == tokens[:-1] and target[-1:] != tokens[-1:]:
            if singular(tokens[-1]) not in (target[-1], singular(target[-1])):
                continue
            if sheet.countable or not sheet.person:
                return View(Verdict.RIGHT, words, 1.0, True, "plural")
            return View(Verdict.WRONG, words, 1.0, True, "plural")
    last = singular(tokens[-1])
    if sheet.person and not sheet.countable and last != tokens[-1] and last in sheet.names:
        return View(Verdict.WRONG, tokens, 1.0, True, "plural")
    return None


def _reordered(sheet: Sheet, words: tuple[str, ...], tokens: tuple[str, ...]) -> View | None:
    """All words of the answer and no others, in another order: "the horse of Troy", "London's great fire"."""
    told = sorted(token for token in tokens if token not in JOINTS)
    stems = _stems(tokens, sheet.ordinary)
    for form in (*sheet.right, *sheet.written):
        if len(told) > 1 and told == sorted(token for token in canonical(form) if token not in JOINTS):
            return View(Verdict.RIGHT, words, 1.0, True, "order")
        if len(stems) > 1 and not sheet.person and form in sheet.right and stems == _stems(
                canonical(form), sheet.ordinary):
            return View(Verdict.RIGHT, words, 1.0, True, "order")
    return None


def _happened(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """An event told as a sentence: "when the printing press was invented", "the day Vesuvius erupted"."""
    told = next((words[len(phrase) :] for phrase in WHENS if words[: len(phrase)] == phrase), ())
    if not sheet.event or len(told) < 2:
        return None
    bare = tuple(word for word in told if word not in SOMEBODY)
    view = _known(sheet, told) or _reordered(sheet, told, canonical(told)) or _reordered(sheet, bare, canonical(bare))
    return view if view and view.verdict is Verdict.RIGHT else None


def _stems(tokens: tuple[str, ...], ordinary: frozenset[str]) -> tuple[str, ...]:
    """The telling words cut to their stems, in alphabetical order: "dinosaurs becoming extinct" for "extinction of".

    Who does a thing is another thing ("the discoverer"), and so is another name ("Everett" for "Everest"): what is not
    the stem of an ordinary word of the answer is not cut.
    """
    cut = {_stem(token) for token in ordinary}
    told = (token for token in tokens if token not in JOINTS | BECOMING)
    return tuple(sorted(
        _stem(token) if _stem(token) in cut and not token.endswith(("er", "or", "ers", "ors", "ist", "ists"))
        else singular(token) for token in told))


def _stem(token: str) -> str:
    """The beginning of a word without its inflection: the same for "landed" and "landing"."""
    ends = (end for end in ("ing", "ed") if token.endswith(end) and len(token) > len(end) + 2)
    return token.removesuffix(next(ends, ""))[:STEM]


def _part(sheet: Sheet, words: tuple[str, ...], tokens: tuple[str, ...]) -> View | None:
    """A reading that has an essential part among other words: right if those add nothing else."""
    for part in (*sheet.essential, *map(canonical, sheet.right)):
        at = contains(tokens, part)
        if at < 0:
            continue
        view = _known(sheet, part)
        verdict = view.verdict if view else Verdict.RIGHT
        if _owned(words, part):
            return View(Verdict.WRONG, words, 1.0, True, "more")
        extras = [token for token in tokens if token not in part and token not in sheet.names]
        allowed = HARMLESS | sheet.true | (TITLES | {"of"} if sheet.person else frozenset())
        allowed |= EVENTFUL if sheet.event else frozenset()
        extras = [token for token in extras if token not in allowed or is_number(token)]
        for entry in sheet.general:
            if entry <= set(tokens):  # "the Melbourne Cup horse race"
                extras = [token for token in extras if token not in entry or is_number(token)]
        rest = tokens[at:]
        tail = next((place for place, token in enumerate(rest) if token in TAILS), None)
        if tail and not any(token in extras for token in rest[:tail]) and len(rest) - tail < 6:
            if set(rest[tail:]) & set(extras) and _elsewhere(sheet, part, rest[tail + 1 :]):
                return View(Verdict.WRONG, words, 1.0, True, "elsewhere")
            extras = [token for token in tokens[:at] if token in extras]
        if not extras:
            if verdict is Verdict.UNSPECIFIC and len(set(tokens) & sheet.names) > len(part):
                verdict = Verdict.RIGHT
            return View(verdict, words, 1.0, True, "part")
        if set(extras) & DENIALS:
            return View(Verdict.NONE, words, 1.0, True, "denied")
        whole = any(contains(tokens, canonical(form)) >= 0 for form in sheet.right)
        return View(Verdict.WRONG, words, 1.0, whole, "more")
    return None


def _elsewhere(sheet: Sheet, part: tuple[str, ...], place: tuple[str, ...]) -> bool:
    """Whether a place behind the answer makes another thing of it.

    "New Year in Thailand" is one of several New Years, for another event's name ends so; and what stands in one part
    of the world stands in no other: "the Colosseum in Los Angeles".
    """
    if sheet.region in CONTINENTS and not sheet.person:
        regions = REGIONS_OF.get(" ".join(place))
        if regions is not None and sheet.region not in regions:
            return True
    ends = len(part)
    return sheet.event and any(len(other) > ends and other[-ends:] == part and not JOINTS & set(other[:-ends])
               for other in map(canonical, sheet.wrong))


def _owned(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """"Mozart's father": something that belongs to the answer, and not the answer."""
    return any(word.endswith("'s") and canonical((word,))[-1:] == part[-1:] for word in words[:-1]) and not any(
        word.endswith("'s") for word in part)


def _teen(sheet: Sheet, words: tuple[str, ...]) -> bool:
    """Whether swapping one -teen for its -ty would make it the answer."""
    for at, word in enumerate(words):
        if word in TEEN_TY:
            view = _known(sheet, (*words[:at], TEEN_TY[word], *words[at + 1 :]))
            if view and view.verdict is Verdict.RIGHT:
                return True
    return False


def _alternatives(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """"the danube or the rhine", "i do not know the danube": ask for one answer (ANS-13)."""
    if "or" in words:
        at = words.index("or")
        parts = [view for part in (words[:at], words[at + 1 :]) for trial in stripped(part)
                 if (view := _known(sheet, trial))]
        right = any(view.verdict is Verdict.RIGHT for view in parts)
        return View(Verdict.AGAIN if right else Verdict.WRONG, words, 1.0, right, "several")
    return None


def _denied(words: tuple[str, ...]) -> bool:
    """Whether it begins by saying what the answer is not."""
    while words and words[0] in TALK | bag("no it's that's"):
        words = words[1:]
    return any(words[: len(phrase)] == phrase for phrase in _DENYING)


def read(sheet: Sheet, words: tuple[str, ...], sounds: Sounds, limits: Weights) -> View:
    """What one reading alone says."""
    if not canonical(words):
        return NOTHING
    trials = list(stripped(words))
    for trial in trials:
        view = _known(sheet, trial)
        if view:
            unsure = trial is not words and any(words[: len(doubt)] == doubt for doubt in _DOUBTS)
            if unsure and view.verdict is Verdict.RIGHT:
                return View(Verdict.AGAIN, view.form, 1.0, True, "doubt")
            return view
    several = _alternatives(sheet, trials[-1])
    if several and (several.exact or nearest_answer(sheet, words, sounds, limits).verdict is not Verdict.RIGHT):
        return several
    if _denied(words):
        return View(Verdict.NONE, words, 1.0, True, "denied")
    if _teen(sheet, trials[-1]):
        return View(Verdict.AGAIN, trials[-1], 1.0, True, "teen")
    bare = trials[-1]
    tokens = canonical(bare)
    if not tokens or all(token in TALK for token in tokens):
        return NOTHING
    found = _bared(sheet, bare) or _unglued(sheet, bare) or _plural(sheet, tokens) or _happened(sheet, bare)
    found = found or _reordered(sheet, bare, tokens) or _part(sheet, bare, tokens)
    if found and found.reason != "more":
        return found
    if any(same_sound(sheet, trial, sounds) for trial in trials):
        return View(Verdict.RIGHT, bare, 1.0, False, "sound")
    best = max((nearest_answer(sheet, trial, sounds, limits) for trial in trials), key=lambda view: RANK[view.verdict])
    if found and found.exact and best.verdict is not Verdict.RIGHT:
        return found
    return best if best.verdict is not Verdict.WRONG else found or best


_DOUBTS = tuple(tuple(phrase.split()) for phrase in ("i don't know", "i do not know", "dunno", "no idea"))
