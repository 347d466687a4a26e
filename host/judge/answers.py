"""What a clue card knows of answers: which words are right, too general or somebody else, and how they are said."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from host.events import Verdict
from host.judge.normal import ARTICLES, canonical, is_number, keys, plain, spoken
from host.judge.numerals import TEEN_TY, bag
from host.packs import Card

TITLES = bag(
    "mister miss doctor professor sir dame lord lady president king queen emperor empress prince princess pope captain "
    "general admiral colonel major saint chief chancellor senator pharaoh tsar czar father brother sister judge "
    "maestro madame monsieur senor senora signor sultan duke duchess count countess baron lieutenant commander"
)
"""May be said before a person's name though the card has none."""
OFFICES = bag(
    "president king queen emperor empress prince princess pope general admiral colonel chancellor senator pharaoh tsar "
    "czar sultan duke duchess"
)
"""Titles that one has held or not: with a part of a name they name whoever did."""
NAMESAKES = bag(
    "adams anderson armstrong bach bacon bell bronte brown bush carter clinton cook cooper curie davis davies dumas "
    "edwards evans ford franklin freud grant hepburn jackson jefferson johnson jones kelly kennedy king lawrence lee "
    "lewis martin marx miller mitchell moore morgan murray newman parker perry polo roberts robinson rogers roosevelt "
    "ross russell scott shelley simpson smith spencer stewart strauss taylor thomas thompson turner walker washington "
    "watson webb welles wells west white williams wilson wood wright young"
)
"""Surnames that several well-known people share: too general, unless the card says that they suffice."""


DISTINCT = bag(
    "north south east west northern southern eastern western new old upper lower great little big small inner outer "
    "black white red blue green yellow brown king queen prince princess man woman boy girl father mother son daughter "
    "brother sister husband wife mrs senior junior first second third left right male female sun moon day night hot "
    "cold up down high low long short before after anti non under over summer winter spring autumn fall civil world"
)
"""Words of which one more or one less makes another thing, however alike the rest is."""


@dataclass(frozen=True)
class Sheet:
    """A card as the judge reads it."""

    known: Mapping[str, tuple[Verdict, tuple[str, ...], str]]
    """key -> verdict, form, reason for all known things."""
    right: tuple[tuple[str, ...], ...]
    """Forms of the answer as plain words."""
    essential: tuple[tuple[str, ...], ...]
    """Essential parts as canonical tokens."""
    wrong: tuple[tuple[str, ...], ...]
    names: frozenset[str]
    """All canonical tokens of answer and aliases."""
    person: bool
    countable: bool
    """"a penguin": the plural is as good."""
    true: frozenset[str] = frozenset()
    """The nouns of what is true but too general: beside the answer they take nothing from it."""
    event: bool = False
    ordinary: frozenset[str] = frozenset()
    """The words of answer and aliases that are written small: a recogniser seldom takes those for others."""
    general: tuple[frozenset[str], ...] = ()
    """The canonical words of each thing that is true but too general."""
    region: str = "none"
    single: bool = False
    """The answer is one word: no part of it is anybody else's name."""
    written: tuple[tuple[str, ...], ...] = ()
    """Forms that are right where dictation wrote them and that are not listened for: matched, never guessed at."""


def _without_articles(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if len(words) > 1 and words[0] in ARTICLES and len(words[1]) > 1 else words


def contains(whole: tuple[str, ...], part: tuple[str, ...]) -> int:
    """Where the part stands as whole tokens, joined or not; -1 if it doesn't."""
    goal = "".join(part)
    for first in range(len(whole)):
        run = ""
        for token in whole[first:]:
            run += token
            if run == goal:
                return first
            if not goal.startswith(run):
                break
    return -1


def surnames(card: Card) -> Iterator[tuple[str, ...]]:
    """The surname of a person: the last word of a name of two or more that has no "of" or "the" in it."""
    if card.category != "Person" or card.answer.lower().startswith(("a ", "an ", "the ")):
        return
    words = tuple(word for word in plain(card.answer) if word not in ("junior", "jr", "sr", "senior"))
    tokens = canonical(words)
    if len(tokens) < 2 or {"of", "the", "and"} & set(words) or is_number(tokens[-1]) or tokens[0] in TITLES:
        return
    yield tokens[-1:]
    if len(tokens) > 2 and tokens[-2] in ("van", "von", "de", "da", "di", "del", "la", "le"):
        yield tokens[-2:]


def _shared(part: tuple[str, ...], strangers: tuple[tuple[str, ...], ...]) -> bool:
    return any(contains(canonical(other), part) >= 0 for other in strangers)


def _learn_parts(
    card: Card, right: tuple[tuple[str, ...], ...], wrong: tuple[tuple[str, ...], ...],
    learn: Callable[[tuple[str, ...], Verdict, str], None],
) -> None:
    """Essential parts and the parts of a person's name: right, or too general where somebody shares them."""
    for tokens in dict.fromkeys(canonical(plain(text)) for text in card.essential):
        shared = _shared(tokens, wrong)
        learn(tokens, Verdict.UNSPECIFIC if shared else Verdict.RIGHT, "namesake" if shared else "part")
    if card.category != "Person" or card.answer.lower().startswith(("a ", "an ")):
        return
    for words in right:
        tokens = canonical(words)
        learn((*tokens[1:], *tokens[:1]), Verdict.RIGHT, "order")
    for tokens in surnames(card):
        shared = tokens[-1] in NAMESAKES or _shared(tokens, wrong)
        learn(tokens, Verdict.UNSPECIFIC if shared else Verdict.RIGHT, "namesake" if shared else "surname")
    for token in dict.fromkeys(token for words in right for token in canonical(words)):
        if token.isalpha() and len(token) > 2 and token != "and":  # noqa: S105 - a word
            learn((token,), Verdict.UNSPECIFIC, "name")


def _ordinary(texts: tuple[str, ...]) -> frozenset[str]:
    """The canonical words that are nowhere written with a capital."""
    small, names = (
        {token for text in texts for word in text.split() if word[:1].islower() is low
         for token in canonical(plain(word))} for low in (True, False)
    )
    return frozenset(small - names)


_BEHIND_NOUN = bag("of in with from for on by that who where to at under without")


def _noun(words: tuple[str, ...]) -> str:
    """What a true but too general answer calls it: "island" of "an island with stone heads", and not "heads"."""
    end = next((at for at, word in enumerate(words) if word in _BEHIND_NOUN), len(words))
    return words[end - 1] if end else ""


@lru_cache(maxsize=256)
def sheet_of(card: Card, others: tuple[str, ...]) -> Sheet:
    """What is known about this card among these other answers; kept for the cards of an evening."""
    right = tuple(dict.fromkeys(plain(text) for text in (card.answer, *card.aliases)))
    own = {key for words in right for key in keys(words)}
    wrong = tuple(
        words for words in dict.fromkeys(plain(text) for text in (*card.never, *card.rivals, *others))
        if words and not keys(words) & own
    )
    prompts = tuple(words for words in map(plain, card.prompt) if words and not keys(words) & own)
    known: dict[str, tuple[Verdict, tuple[str, ...], str]] = {}

    def learn(words: tuple[str, ...], verdict: Verdict, reason: str) -> None:
        for key in keys(words):
            known.setdefault(key, (verdict, words, reason))

    for words in right:
        learn(words, Verdict.RIGHT, "exact")
    for words in prompts:
        learn(words, Verdict.UNSPECIFIC, "general")
    for words in wrong:
        learn(words, Verdict.WRONG, "rival")
    _learn_parts(card, right, wrong, learn)
    essential = tuple(tokens for tokens in dict.fromkeys(canonical(plain(text)) for text in card.essential) if tokens)
    names = frozenset(token for words in right for token in canonical(words))
    true = frozenset(noun for words in prompts if (noun := _noun(canonical(words)))) - DISTINCT
    return Sheet(known, right, essential, wrong + prompts, names, card.category == "Person",
                  card.answer.lower().startswith(("a ", "an ")) or card.category in ("Thing", "Mystery"), true,
                  card.category == "Event", _ordinary((card.answer, *card.aliases)), _sets(prompts),
                  card.region if card.category in ("Place", "Event") else "none",
                  len(canonical(plain(card.answer))) == 1)


def _sets(entries: tuple[tuple[str, ...], ...]) -> tuple[frozenset[str], ...]:
    return tuple(dict.fromkeys(tokens for words in entries if len(tokens := frozenset(canonical(words))) > 1))


@lru_cache(maxsize=256)
def dictated_sheet(card: Card, others: tuple[str, ...]) -> Sheet:
    """The same for what dictation wrote, with the entries that are no phrases of the card's grammar.

    Everything else comes before them: no rival, nor another card's answer, becomes right by such an entry.
    """
    sheet = sheet_of(card, others)
    known = dict(sheet.known)
    written = tuple(dict.fromkeys(words for text in card.aliases_written if (words := plain(text))))
    for words in written:
        for key in keys(words):
            known.setdefault(key, (Verdict.RIGHT, words, "written"))
    prompts = tuple(words for text in card.prompt_written if (words := plain(text)))
    for words in prompts:
        for key in keys(words):
            known.setdefault(key, (Verdict.UNSPECIFIC, words, "general"))
    allowed = tuple(words for words in written if all(known[key][0] is Verdict.RIGHT for key in keys(words)))
    return replace(sheet, known=known, written=allowed, general=(*sheet.general, *_sets(prompts)))


def _variants(text: str) -> Iterator[tuple[str, ...]]:
    """A writing as it is said: with and without article, a pair either way round."""
    for words in spoken(text):
        bare = _without_articles(words)
        yield words
        yield bare
        if bare == words and words and words[0] not in ("my", "your", "his", "her"):
            yield ("the", *words)
        if bare.count("and") == 1 and not any(word in TEEN_TY or word in ("hundred", "thousand") for word in bare):
            at = bare.index("and")
            if 0 < at < len(bare) - 1:
                yield (*bare[at + 1 :], "and", *bare[:at])


def _spoken_forms(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(words) for text in texts for words in _variants(text) if words))


def forms(card: Card) -> tuple[str, ...]:
    """Every spoken form of the answer worth listening for, as the recogniser writes it; the answer first."""
    family = tuple(" ".join(tokens) for tokens in surnames(card))
    return _spoken_forms((card.answer, *card.aliases, *card.essential, *family))


def wrong_forms(card: Card) -> tuple[str, ...]:
    """The same for what is likely said and not right: rivals, `never` and `prompt` entries."""
    own = set(forms(card))
    return tuple(form for form in _spoken_forms((*card.rivals, *card.never, *card.prompt)) if form not in own)
