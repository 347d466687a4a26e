"""What one reading of a guess says by itself: known thing, part of the answer, mishearing, or nothing.

The weights of the judge live here too, since a reading needs its share of them.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib import resources

from host.events import Verdict
from host.judge.answers import DISTINCT, TITLES, Sheet, contains
from host.judge.carriers import AFTERTHOUGHTS, CARRIERS, GLUE, HEDGES, NEGATIONS, TALK
from host.judge.extras import BECOMING, DENIALS, EVENTFUL, HARMLESS, JOINTS, TAILS, WHENS
from host.judge.likeness import Sounds, alike, pronounced, spelt_alike
from host.judge.normal import ARTICLES, canonical, is_number, keys, paired
from host.judge.numerals import TEEN_TY, bag

RIVAL_SPELT = 0.3
"""Rivals whose spelling is less alike are not compared by sound: it would take too long and hardly ever matter."""
STEM = 5
"""Letters of a stem."""
SAME = 0.95
"""Likeness from which two words sound the same: "grate" and "great"."""
SPLIT = 0.85
"""Likeness from which other words are the same sound cut otherwise: "man sir musa" for "mansa musa"."""
ORDINARY = 0.92
"""Likeness below which other words for ordinary ones of the answer are asked about: "the northern nights"."""
PIECES = 0.9
"""The same where an ordinary word was cut into several: that is what a recogniser does with those it lacks."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Every threshold of the judge; judge.toml says what each means and where it comes from."""

    similar: float
    shorter: float
    unsure: float
    similar_against: float
    token: float
    residue: float
    margin: float
    exact_letters: int
    doubtful: float
    again: float
    sure: float
    denied: float


def weights(text: str | None = None) -> Weights:
    """The weights in this TOML, or in judge.toml. Raises ValueError where one is missing or unknown."""
    if text is None:
        text = resources.files("host.judge").joinpath("judge.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    names = {field.name for field in fields(Weights)}
    if set(values) != names:
        raise ValueError(f"judge.toml must hold exactly these weights, mend: {', '.join(sorted(set(values) ^ names))}")
    return Weights(**values)


WEIGHTS = weights()


@dataclass(frozen=True, slots=True)
class View:
    """What one reading alone says. `exact`: it is a known thing, not merely like one."""

    verdict: Verdict
    form: tuple[str, ...] = ()
    likeness: float = 1.0
    exact: bool = False
    reason: str = ""


NOTHING = View(Verdict.NONE, reason="nothing")


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


_LATIN = 4
"""Letters from which a plural on -i is one of -us: "cacti", "hippopotami", but not "yeti"."""


def _singular(token: str) -> str:
    if token.endswith("i") and len(token) > _LATIN:
        return token[:-1] + "us"
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith(("ses", "xes", "ches", "shes")):
        return token[:-2]
    return token[:-1] if token.endswith("s") and not token.endswith("ss") else token


def _bared(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """The reading without what adds nothing: "the Roosevelt guy", "President Lincoln", "in 1945"."""
    if any(word.endswith("'s") for word in words[:-1]):
        return None
    idle = HARMLESS | ARTICLES | (TITLES if sheet.person else frozenset())
    bare = tuple(word for at, word in enumerate(canonical(words)) if word not in idle and (at or word not in TAILS))
    view = _known(sheet, bare) if bare and bare != canonical(words) else None
    return view if view and view.verdict is not Verdict.WRONG else None


def _unglued(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """The reading without the small words at its edges that stand for something not understood."""
    inner = words
    while len(inner) > 1 and inner[0] in GLUE | ARTICLES:
        inner = inner[1:]
    while len(inner) > 1 and inner[-1] in GLUE:
        inner = inner[:-1]
    view = _known(sheet, inner) if inner != words else None
    return view if view and view.verdict is not Verdict.WRONG else None


def _plural(sheet: Sheet, tokens: tuple[str, ...]) -> View | None:
    """A plural of the answer: the same for a thing, nobody for a name ("the Roosevelts")."""
    for words in sheet.right:
        target = canonical(words)
        if len(target) == len(tokens) and target[:-1] == tokens[:-1] and target[-1:] != tokens[-1:]:
            if _singular(tokens[-1]) not in (target[-1], _singular(target[-1])):
                continue
            if sheet.countable or not sheet.person:
                return View(Verdict.RIGHT, words, 1.0, True, "plural")
            return View(Verdict.WRONG, words, 1.0, True, "plural")
    last = _singular(tokens[-1])
    if sheet.person and not sheet.countable and last != tokens[-1] and last in sheet.names:
        return View(Verdict.WRONG, tokens, 1.0, True, "plural")
    return None


def _reordered(sheet: Sheet, words: tuple[str, ...], tokens: tuple[str, ...]) -> View | None:
    """All words of the answer and no others, in another order: "the horse of Troy", "London's great fire"."""
    told = sorted(token for token in tokens if token not in JOINTS)
    stems = _stems(tokens)
    for form in sheet.right:
        if len(told) > 1 and told == sorted(token for token in canonical(form) if token not in JOINTS):
            return View(Verdict.RIGHT, words, 1.0, True, "order")
        if len(stems) > 1 and not sheet.person and stems == _stems(canonical(form)):
            return View(Verdict.RIGHT, words, 1.0, True, "order")
    return None


def _happened(sheet: Sheet, words: tuple[str, ...]) -> View | None:
    """An event told as a sentence: "when the printing press was invented", "the day Vesuvius erupted"."""
    told = next((words[len(phrase) :] for phrase in WHENS if words[: len(phrase)] == phrase), ())
    if not sheet.event or len(told) < 2:
        return None
    view = _known(sheet, told) or _reordered(sheet, told, canonical(told))
    return view if view and view.verdict is Verdict.RIGHT else None


def _stems(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The telling words cut to their stems, in alphabetical order: "dinosaurs becoming extinct" for "extinction of".

    Who does a thing is another thing ("the discoverer"): such words are not cut.
    """
    told = (token for token in tokens if token not in JOINTS | BECOMING)
    return tuple(sorted(token if token.endswith(("er", "or", "ers", "ors", "ist", "ists")) or is_number(token)
                        else token[:STEM] for token in told))


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
        rest = tokens[at:]
        tail = next((place for place, token in enumerate(rest) if token in TAILS), None)
        if tail and not any(token in extras for token in rest[:tail]) and len(rest) - tail < 6:
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


def _owned(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """"Mozart's father": something that belongs to the answer, and not the answer."""
    return any(word.endswith("'s") and canonical((word,))[-1:] == part[-1:] for word in words[:-1]) and not any(
        word.endswith("'s") for word in part)


def numbers_in(tokens: tuple[str, ...]) -> list[str]:
    """The numbers among canonical tokens, whatever their kind."""
    return sorted(token.strip("#or") for token in tokens if is_number(token))


def _deviation(words: tuple[str, ...], form: tuple[str, ...], sounds: Sounds, limits: Weights) -> float:
    """How well a reading passes for a form it is not: 0 where numbers, kind words or word for word deny it."""
    heard, target = paired(canonical(words)), paired(canonical(form))
    if not heard or not target or numbers_in(heard) != numbers_in(target):
        return 0.0
    if sum(map(len, target)) <= limits.exact_letters or sum(map(len, heard)) <= limits.exact_letters:
        return 0.0
    score = alike(_spelt(heard), _spelt(target), sounds)
    if len(words) != len(form):
        score = max(score, alike(words, form, sounds))
    own, wanted = _residue(heard, target)
    if not own and not wanted:
        return 0.0 if _told_apart(heard, target, sounds) else score
    rest = max(alike(own, wanted, sounds), alike(*_residue(words, form), sounds))
    if rest < SPLIT and _told_apart(heard, target, sounds):
        return 0.0
    if not own or not wanted:
        return 0.0
    if len(heard) == len(target) and min(
            alike((one,), (other,), sounds) for one, other in zip(own, wanted, strict=True)) < limits.token:
        return 0.0
    if not pronounced(own, sounds) or not pronounced(wanted, sounds):
        return score  # letters alone tell too little of what was said to be weighed so finely
    return (1 - limits.residue) * score + limits.residue * rest


def _told_apart(heard: tuple[str, ...], target: tuple[str, ...], sounds: Sounds) -> bool:
    """Whether one has a word that makes another thing of it and the other nothing that sounds the same."""
    for token in (set(heard) ^ set(target)) & (DISTINCT | DENIALS):
        others = set(target) if token in heard else set(heard)
        if not any(alike((token,), (other,), sounds) >= SAME for other in others):
            return True
    return False


def _residue(heard: tuple[str, ...], target: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both rows without the tokens that they begin and end with in common: what was really said otherwise."""
    first = 0
    while first < min(len(heard), len(target)) and heard[first] == target[first]:
        first += 1
    last = 0
    while last < min(len(heard), len(target)) - first and heard[-1 - last] == target[-1 - last]:
        last += 1
    return heard[first : len(heard) - last], target[first : len(target) - last]


def _spelt(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(token for token in tokens if not is_number(token)) or tokens


def _teen(sheet: Sheet, words: tuple[str, ...]) -> bool:
    """Whether swapping one -teen for its -ty would make it the answer."""
    for at, word in enumerate(words):
        if word in TEEN_TY:
            view = _known(sheet, (*words[:at], TEEN_TY[word], *words[at + 1 :]))
            if view and view.verdict is Verdict.RIGHT:
                return True
    return False


def nearest_rival(sheet: Sheet, words: tuple[str, ...], sounds: Sounds) -> float:
    """How alike the reading is to the rival that it is nearest to."""
    heard = canonical(words)
    near = (other for other in map(canonical, sheet.wrong) if spelt_alike(heard, other) >= RIVAL_SPELT)
    return max((alike(heard, other, sounds) for other in near), default=0.0)


def _alike(sheet: Sheet, words: tuple[str, ...], sounds: Sounds, limits: Weights) -> View:
    """A reading that is nothing known: the answer it sounds like, if no rival is nearer."""
    targets = [*sheet.right, *(part for part in sheet.essential if len("".join(part)) > limits.exact_letters + 2
                               and sheet.known[next(iter(keys(part)))][0] is Verdict.RIGHT)]
    score, form = max(((_deviation(words, target, sounds, limits), target) for target in targets),
                      default=(0.0, ()))
    strict = limits.shorter * max(0, 10 - len("".join(_spelt(canonical(form)))))
    if len(canonical(words)) > len(canonical(form)):
        strict = 0.0  # a name in pieces is what a recogniser makes of it, and nobody says those for themselves
    if score < limits.unsure + strict:
        return View(Verdict.WRONG, form, score, False, "other")
    rival = nearest_rival(sheet, words, sounds)
    if rival >= score + limits.margin:
        return View(Verdict.WRONG, form, score, False, "rival nearer")
    if rival > score - limits.margin or score < limits.similar + strict:
        return View(Verdict.AGAIN, form, score, False, "alike")
    if _ordinary_words(sheet, words, form, sounds):
        return View(Verdict.AGAIN, form, score, False, "alike")
    return View(Verdict.RIGHT, form, score, False, "alike")


def _ordinary_words(sheet: Sheet, words: tuple[str, ...], form: tuple[str, ...], sounds: Sounds) -> bool:
    """Whether other words, that sound otherwise, were said for ordinary ones of the answer, not for a name."""
    heard, target = paired(canonical(words)), paired(canonical(form))
    own, wanted = _residue(heard, target)
    if not own or not wanted or not set(wanted) <= sheet.ordinary:
        return False
    if tuple(map(_singular, own)) == tuple(map(_singular, wanted)):
        return False
    if not pronounced(own, sounds) or not pronounced(wanted, sounds):
        return False  # letters alone tell too little
    pieces = len(own) > len(wanted)
    if pieces and len(target) > len(wanted):
        return False  # "the extinction of the dino sours": the rest of it is there
    limit = PIECES if pieces else ORDINARY
    return max(alike(own, wanted, sounds), alike(*_residue(words, form), sounds)) < limit


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
    if several and (several.exact or _alike(sheet, words, sounds, limits).verdict is not Verdict.RIGHT):
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
    best = max((_alike(sheet, trial, sounds, limits) for trial in trials), key=lambda view: RANK[view.verdict])
    if found and found.exact and best.verdict is not Verdict.RIGHT:
        return found
    return best if best.verdict is not Verdict.WRONG else found or best


_DOUBTS = tuple(tuple(phrase.split()) for phrase in ("i don't know", "i do not know", "dunno", "no idea"))
RANK = {Verdict.NONE: 0, Verdict.WRONG: 1, Verdict.UNSPECIFIC: 2, Verdict.AGAIN: 3, Verdict.RIGHT: 4}
