"""What a reading that is nothing known sounds like: the answer, if no rival is nearer, or something of its own."""

from host.events import Verdict
from host.judge.answers import DISTINCT, Sheet
from host.judge.extras import DENIALS
from host.judge.likeness import Sounds, alike, pronounced, spelt_alike
from host.judge.normal import ARTICLES, canonical, is_number, keys, paired
from host.judge.view import View, Weights

RIVAL_SPELT = 0.3
"""Rivals whose spelling is less alike are not compared by sound: it would take too long and hardly ever matter."""
SAME = 0.95
"""Likeness from which two words sound the same: "grate" and "great"."""
HALF = 4
"""Letters from which the half of a compound is a word of its own."""
SPLIT = 0.85
"""Likeness from which other words are the same sound cut otherwise: "man sir musa" for "mansa musa"."""
ORDINARY = 0.92
"""Likeness below which other words for ordinary ones of the answer are asked about: "the northern nights"."""
PIECES = 0.9
"""The same where an ordinary word was cut into several: that is what a recogniser does with those it lacks."""


_LATIN = 4
"""Letters from which a plural on -i is one of -us: "cacti", "hippopotami", but not "yeti"."""


def singular(token: str) -> str:
    """The word without its plural."""
    if token.endswith("i") and len(token) > _LATIN:
        return token[:-1] + "us"
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith(("ses", "xes", "ches", "shes")):
        return token[:-2]
    return token[:-1] if token.endswith("s") and not token.endswith("ss") else token


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


def nearest_rival(sheet: Sheet, words: tuple[str, ...], sounds: Sounds) -> float:
    """How alike the reading is to the rival that it is nearest to."""
    heard = canonical(words)
    near = (other for other in map(canonical, sheet.wrong) if spelt_alike(heard, other) >= RIVAL_SPELT)
    return max((alike(heard, other, sounds) for other in near), default=0.0)


def nearest_answer(sheet: Sheet, words: tuple[str, ...], sounds: Sounds, limits: Weights) -> View:
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
    if (_ordinary_words(sheet, words, form, sounds) or _another_word(words, form, sounds)
            or _other_half(words, form, sounds)):
        return View(Verdict.AGAIN, form, score, False, "alike")
    return View(Verdict.RIGHT, form, score, False, "alike")


def same_sound(sheet: Sheet, words: tuple[str, ...], sounds: Sounds) -> bool:
    """Whether nobody could hear these words from the answer: "desmond two two", "i scream".

    Only by sounds that are known, and not where a wrong answer sounds so too.
    """
    if not sounds:
        return False
    heard = _ways(words, sounds)
    if not heard or not any(heard & _ways(form, sounds) for form in sheet.right):
        return False
    near = (other for other in sheet.wrong if spelt_alike(canonical(words), canonical(other)) >= RIVAL_SPELT)
    return not any(heard & _ways(other, sounds) for other in near)


def _ways(words: tuple[str, ...], sounds: Sounds) -> frozenset[tuple[str, ...]]:
    """The ways to say these words without their article; none where a word's sound is not known."""
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return frozenset(pronounced(words, sounds)) if all(sounds.get(word) for word in words) else frozenset()


def _another_word(words: tuple[str, ...], form: tuple[str, ...], sounds: Sounds) -> bool:
    """Whether one word that everybody knows was said for the one word of the answer: "candy" for "Gandhi"."""
    heard, target = canonical(words), canonical(form)
    if len(heard) != 1 or len(target) != 1 or heard == target or not sounds.get(heard[0]):
        return False
    return alike(heard, target, sounds) < SAME


def _other_half(words: tuple[str, ...], form: tuple[str, ...], sounds: Sounds) -> bool:
    """Whether one half of a compound was heard and another word for the other: "wood stop" for "Woodstock"."""
    heard, target = canonical(words), canonical(form)
    if len(heard) != 2 or len(target) != 1:
        return False
    whole, (first, last) = target[0], heard
    for half, said, rest in ((first, last, whole[len(first) :]), (last, first, whole[: -len(last)])):
        whole_is = whole.startswith(half) if half is first else whole.endswith(half)
        if whole_is and len(half) >= HALF and len(rest) >= HALF and sounds.get(half) and sounds.get(rest):
            return alike((said,), (rest,), sounds) < ORDINARY
    return False


def _ordinary_words(sheet: Sheet, words: tuple[str, ...], form: tuple[str, ...], sounds: Sounds) -> bool:
    """Whether other words, that sound otherwise, were said for ordinary ones of the answer, not for a name."""
    heard, target = paired(canonical(words)), paired(canonical(form))
    own, wanted = _residue(heard, target)
    if not own or not wanted or not set(wanted) <= sheet.ordinary:
        return False
    if tuple(map(singular, own)) == tuple(map(singular, wanted)):
        return False
    if not pronounced(own, sounds) or not pronounced(wanted, sounds):
        return False  # letters alone tell too little
    if not all(sounds.get(word) for word in own):
        return False  # no word at all, but somebody's spelling of the sound: "ostridge"
    pieces = len(own) > len(wanted)
    if pieces and len(target) > len(wanted):
        return False  # "the extinction of the dino sours": the rest of it is there
    limit = PIECES if pieces else ORDINARY
    return max(alike(own, wanted, sounds), alike(*_residue(words, form), sounds)) < limit
