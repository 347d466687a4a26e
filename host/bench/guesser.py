"""A guesser that hears one statement after the other and names an answer: are cards too easy, or too hard?

What it is, honestly: it knows the category, as the players do, and chooses among the answers of that category
in these packs, some hundred; people choose among everything they know. A statement is as near to an answer as the
small language model `sentences` finds it to what the guesser knows of that answer. Two guessers play: one knows
names, aliases and the descriptions that are true but too general, and about the world what the model has read; the
informed one has also looked up each card's note and basis, but never a statement. Its shares compare cards with
one another; a card is listed for a person to look at, not because it is bad.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from host.bench.card_table import markdown
from host.bench.frame import Share
from host.packs import STATEMENTS, Card

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to rows of length 1."""
Known = Callable[[Card], Sequence[str]]
"""What a guesser knows of an answer."""
Scores = NDArray[np.float64]
ASKED = (1, 3, 6)
"""Statements after which the shares are told."""
SURE = 0.1
"""A first statement that is so much nearer to the answer than to any other gives it away."""
FAR = 5
"""An answer that stands behind so many others after all six statements is too hard."""


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


def names(card: Card) -> list[str]:
    """What anybody knows of an answer: its names, and what is true of it but too general."""
    return list(dict.fromkeys((card.answer, *card.aliases, *card.prompt)))


def facts(card: Card) -> list[str]:
    """What somebody knows who has looked it up."""
    told = [text for text in (card.note, card.basis, f"{card.answer}. {card.note} {card.basis}") if text]
    return list(dict.fromkeys((card.answer, *card.aliases, *card.prompt, *told)))


def likeness(statements: Sequence[str], candidates: Sequence[Card], encode: Encode, known: Known) -> Scores:
    """How near each statement is to each candidate, 0 to 2; shape (statements, candidates).

    The nearest of what is known of the candidate counts, and the mean of it.
    """
    said = encode(statements)
    columns = []
    for card in candidates:
        near = said @ encode(known(card)).T
        columns.append(near.max(axis=1) + near.mean(axis=1))
    return np.stack(columns, axis=1).astype(np.float64)


def guess(card: Card, candidates: Sequence[Card], encode: Encode, known: Known = names) -> Guess:
    """Statement by statement: the squares are added up, so that one telling statement outweighs several vague ones."""
    scores = np.maximum(likeness(card.statements, candidates, encode, known), 0.0)
    added = np.cumsum(np.square(scores), axis=0)
    own = candidates.index(card)
    others = np.delete(added, own, axis=1)
    ranks = tuple(int((row >= score).sum()) for row, score in zip(others, added[:, own], strict=True))
    first = np.delete(scores, own, axis=1)[0]
    lead = float(scores[0, own] - first.max()) if others.size else 0.0
    named = [candidates[int(added[at].argmax())].answer for at in (0, -1)]
    return Guess(card, ranks, named[0], lead, named[1])


def play(cards: Sequence[Card], encode: Encode, known: Known = names) -> list[Guess]:
    """All cards, each among the answers of its category."""
    by_category: dict[str, list[Card]] = {}
    for card in cards:
        by_category.setdefault(card.category, []).append(card)
    return [guess(card, by_category[card.category], encode, known) for card in cards]


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
    """(statement, how many other answers are before the right one after it, on average): vague to telling."""
    found = list(guesses)
    return [(at + 1, sum(one.ranks[at] for one in found) / max(1, len(found))) for at in range(STATEMENTS)]


def summary(plain: Sequence[Guess], informed: Sequence[Guess]) -> str:
    """Shares by statement 1, 3 and 6 in two lines."""
    def shares(guesses: Sequence[Guess]) -> str:
        return ", ".join(f"by statement {at} {named_by(guesses, at)}" for at in ASKED)

    return (f"guesser: names the answer {shares(plain)}\n"
            f"informed guesser: {shares(informed)}; {len(too_easy(informed))} perhaps too easy, "
            f"{len(too_hard(informed))} perhaps too hard")


def _groups(guesses: Sequence[Guess]) -> list[tuple[str, list[Guess]]]:
    found = [("all", list(guesses))]
    found += [(name, [one for one in guesses if one.card.category == name])
              for name in dict.fromkeys(one.card.category for one in guesses)]
    found += [(f"difficulty {level}", [one for one in guesses if one.card.difficulty == level]) for level in (1, 2, 3)]
    return [(name, part) for name, part in found if part]


def section(plain: Sequence[Guess], informed: Sequence[Guess]) -> str:
    """The section "guessed" of clues/REPORT.md."""
    lines = [
        "## Guessed by program", "",
        "`gamehost packs check --guess`: two guessers hear one statement after the other and choose among the answers "
        "of the card's category in these packs, by the likeness that a small language model (all-MiniLM-L6-v2) finds "
        "between the statements and what is known of each answer. The first knows names, aliases and general "
        "descriptions; the informed one has also read each card's note and basis, never a statement. They have less "
        "to choose from than people, and less wit: a card is listed to be looked at.", "",
    ]
    rows = [(name, str(len(part)), *(f"{named_by(part, at).rate:.0%}" for at in ASKED),
             *(f"{named_by(other, at).rate:.0%}" for at in ASKED))
            for (name, part), (_, other) in zip(_groups(plain), _groups(informed), strict=True)]
    lines += markdown(("cards", "number", *(f"by {at}" for at in ASKED), *(f"informed, by {at}" for at in ASKED)), rows)
    means = ", ".join(f"{mean:.1f}" for _, mean in order(informed))
    lines += ["", f"Answers that stand before the right one for the informed guesser, on average, after statements 1 "
              f"to 6: {means}.", "", "### Perhaps too easy: the informed guesser is sure after the first statement", ""]
    easy, hard = too_easy(informed), too_hard(informed)
    told = [(one.card.id, one.card.answer, f"{one.lead:.2f}", one.card.statements[0]) for one in easy]
    lines += markdown(("card", "answer", "lead", "first statement"), told) if easy else ["None."]
    lines += ["", f"### Perhaps too hard: {FAR} answers or more before it after all six, also for the informed one", ""]
    lines += markdown(("card", "answer", "before it", "named instead"), [
        (one.card.id, one.card.answer, str(one.ranks[-1]), one.last) for one in hard]) if hard else ["None."]
    return "\n".join(lines) + "\n"
