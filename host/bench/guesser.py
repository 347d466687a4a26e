"""A guesser that hears one statement after the other and names an answer: are cards too easy, or too hard?

What it is, honestly: it knows the category, as the players do, and chooses among the answers of that category
in these packs, some hundred; people choose among everything they know, and are not so easily led by a word.
Its knowledge of the world is that of a small language model (`sentences`) about the answers' names, aliases and
the descriptions that are true but too general; it never sees a card's statements, note or basis beforehand. Beside
the model it counts rare words that a statement shares with what the *other* cards of the packs say about the answer.
So its shares compare cards with one another; a card is listed for a person to look at, not because it is bad.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from host.bench.card_table import markdown
from host.bench.frame import Share
from host.packs import STATEMENTS, Card
from host.packs.text import content_words, stem

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to rows of length 1."""
ASKED = (1, 3, 6)
"""Statements after which the shares are told."""
SURE = 0.06
"""A first statement that puts the answer so far before the next one gives it away."""
FAR = 5
"""An answer that stands behind so many others after all six statements is too hard."""
OVERLAP = 0.15
"""Weight of shared rare words beside the model's likeness."""


@dataclass(frozen=True, slots=True)
class Guess:
    """How a card's answer stood after each statement."""

    card: Card
    ranks: tuple[int, ...]
    """Answers before it, after one statement, two, ...; 0 is named."""
    first: str
    """The answer that was named after the first statement."""
    lead: float
    """By how much the answer led after the first statement; negative where another did."""
    last: str = ""
    """The answer that was named after all statements."""


def descriptions(card: Card) -> list[str]:
    """By what an answer is known to the guesser: names, and what is true of it but too general."""
    return list(dict.fromkeys((card.answer, *card.aliases, *(f"{card.answer}, {text}" for text in card.prompt))))


def likeness(statements: Sequence[str], candidates: Sequence[Card], encode: Encode) -> NDArray[np.float64]:
    """How like each statement is to the best description of each candidate; shape (statements, candidates)."""
    said = encode(statements)
    columns = [(said @ encode(descriptions(card)).T).max(axis=1) for card in candidates]
    return np.stack(columns, axis=1).astype(np.float64)


class Overlap:
    """Rare words that a statement shares with what other cards say when they name the candidate."""

    def __init__(self, cards: Sequence[Card]) -> None:
        names = {card.id: [frozenset(map(stem, content_words(name))) for name in (card.answer, *card.aliases)]
                 for card in cards}
        texts = [(card.id, frozenset(map(stem, content_words(text))))
                 for card in cards for text in (*card.statements, card.note, card.basis)]
        self._said: dict[str, list[tuple[str, frozenset[str]]]] = {
            card.id: [(other, words) for other, words in texts
                      if other != card.id and any(name and name <= words for name in names[card.id])]
            for card in cards}
        count = Counter(word for _, words in texts for word in words)
        self._rare = {word: math.log(len(texts) / times) / math.log(len(texts)) for word, times in count.items()}

    def __call__(self, card: Card, statement: str, candidate: Card) -> float:
        """From 0 to about 1; what the card itself says is never used."""
        words = frozenset(map(stem, content_words(statement)))
        found = [sum(self._rare.get(word, 0.0) for word in words & other)
                 for owner, other in self._said[candidate.id] if owner != card.id]
        return min(1.0, max(found, default=0.0) / 2.0)


def guess(card: Card, candidates: Sequence[Card], encode: Encode, overlap: Overlap) -> Guess:
    """Statement by statement, the scores added up."""
    scores = likeness(card.statements, candidates, encode)
    shared = [[overlap(card, statement, candidate) for candidate in candidates] for statement in card.statements]
    added = np.cumsum(scores + OVERLAP * np.asarray(shared), axis=0)
    own = candidates.index(card)
    others = np.delete(added, own, axis=1)
    ranks = tuple(int((row > score).sum()) for row, score in zip(others, added[:, own], strict=True))
    lead = float(added[0, own] - others[0].max()) if others.size else 1.0
    first, last = (candidates[int(added[at].argmax())].answer for at in (0, -1))
    return Guess(card, ranks, first, lead, last)


def play(cards: Sequence[Card], encode: Encode) -> list[Guess]:
    """All cards, each among the answers of its category."""
    overlap = Overlap(cards)
    by_category: dict[str, list[Card]] = {}
    for card in cards:
        by_category.setdefault(card.category, []).append(card)
    return [guess(card, by_category[card.category], encode, overlap) for card in cards]


def named_by(guesses: Iterable[Guess], statement: int) -> Share:
    """Share of cards whose answer is named after so many statements (from 1)."""
    ranks = [one.ranks[statement - 1] for one in guesses]
    return Share(sum(rank == 0 for rank in ranks), len(ranks))


def too_easy(guesses: Iterable[Guess]) -> list[Guess]:
    """Cards whose first statement alone gives the answer away, the clearest first."""
    return sorted((one for one in guesses if one.ranks[0] == 0 and one.lead >= SURE), key=lambda one: -one.lead)


def too_hard(guesses: Iterable[Guess]) -> list[Guess]:
    """Cards whose answer stands behind `FAR` others or more after the last statement, the farthest first."""
    return sorted((one for one in guesses if one.ranks[-1] >= FAR), key=lambda one: -one.ranks[-1])


def order(guesses: Iterable[Guess]) -> list[tuple[int, float]]:
    """(statement, mean share of the other answers that are before the right one after it): vague to telling."""
    found = list(guesses)
    return [(at + 1, sum(one.ranks[at] for one in found) / max(1, len(found))) for at in range(STATEMENTS)]


def summary(guesses: Sequence[Guess]) -> str:
    """One line: shares by statement 1, 3 and 6."""
    shares = ", ".join(f"by statement {at} {named_by(guesses, at)}" for at in ASKED)
    return (f"guesser: names the answer {shares}; {len(too_easy(guesses))} too easy, {len(too_hard(guesses))} too hard")


def section(guesses: Sequence[Guess]) -> str:
    """The section "guessed" of clues/REPORT.md."""
    lines = [
        "## Guessed by program", "",
        "`gamehost packs check --guess`: a guesser that chooses among the answers of the card's category in these "
        "packs, by the likeness of each statement to the answers' names and general descriptions (the small language "
        "model all-MiniLM-L6-v2) and by rare words shared with what other cards say about an answer. It never sees a "
        "card's own statements, note or basis beforehand. It has less to choose from than people, and less to choose "
        "with: a card is listed to be looked at.", "",
    ]
    rows = []
    for name, part in (("all", list(guesses)), *((category, [one for one in guesses if one.card.category == category])
                       for category in dict.fromkeys(one.card.category for one in guesses)),
                       *((f"difficulty {level}", [one for one in guesses if one.card.difficulty == level])
                         for level in (1, 2, 3))):
        if part:
            rows.append((name, str(len(part)), *(f"{named_by(part, at).rate:.0%}" for at in ASKED)))
    lines += markdown(("cards", "number", *(f"by statement {at}" for at in ASKED)), rows)
    means = ", ".join(f"{mean:.1f}" for _, mean in order(guesses))
    lines += ["", f"Answers that stand before the right one, on average, after statements 1 to 6: {means}.", "",
              f"### Perhaps too easy: named after the first statement, by {SURE} or more", ""]
    easy, hard = too_easy(guesses), too_hard(guesses)
    told = [(one.card.id, one.card.answer, f"{one.lead:.2f}", one.card.statements[0]) for one in easy]
    lines += markdown(("card", "answer", "lead", "first statement"), told) if easy else ["None."]
    lines += ["", f"### Perhaps too hard: {FAR} answers or more before it after all six", ""]
    lines += markdown(("card", "answer", "before it", "named instead"), [
        (one.card.id, one.card.answer, str(one.ranks[-1]), one.last) for one in hard]) if hard else ["None."]
    return "\n".join(lines) + "\n"
