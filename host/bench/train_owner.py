"""Make host/understand/owner.toml from tuning voices and rooms: `python -m host.bench.train_owner`.

The same utterances as for the judge's decision (`host.bench.train_judge`, which keeps them), and the same talk. A
limit is moved while that lessens the mistakes: an owner who is not heard counts one, a wrong one or one that
nobody named two (CE-16: who guessed is never settled with a penalty by assumption). Nothing shipped is written
without `--write`; the mistakes of the shipped limits are printed beside those of limits that were found on other cards.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from host.bench.hear_report import Talk
from host.bench.hearing import Listener, Row, expects, state
from host.bench.train_judge import FOLDS, tuning
from host.events import Heard
from host.understand import LIMITS, Listening, OwnerLimits, understand

FILE = Path(__file__).resolve().parents[1] / "understand" / "owner.toml"
STEPS = {
    "sure": (0.4, 0.5, 0.6),
    "colour": (0.1, 0.2, 0.3, 0.5),
    "certain": (0.5, 0.65, 0.8),
}
MEANING = {
    "sure": "confidence below which a colour or name is not believed",
    "colour": "the same for a colour in front of a known answer: nothing else is likely there",
    "certain": "confidence from which it is believed whatever dictation heard at that place",
    "homophone": "the same for \"read\" instead of red: it comes for other colours too, and then vaguely",
    "alike": "likeness that dictation's words at that place must have otherwise",
}
WRONG = 2.0


@dataclass(frozen=True)
class Case:
    """An utterance on a card, how it is understood with given limits, and who was named."""

    card: str

    finals: tuple[Heard, ...]
    seats: tuple[tuple[str, ...], ...]
    listening: Listening
    owner: int | None

    def heard(self, limits: OwnerLimits) -> int | None:
        """The owner that is understood."""
        owners = (understand(heard, self.seats, self.listening, limits).owner for heard in self.finals)
        return next((owner for owner in owners if owner is not None), None)


def cases(listener: Listener, rows: Sequence[Row], talked: Sequence[Talk]) -> list[Case]:
    """All that was said."""
    hearing = listener.hearing
    said = [(row.utterance.card, row.utterance.seats, row.finals, row.utterance.owner) for row in rows]
    said += [(one.card, one.seats, one.finals, None) for one in talked]
    found = []
    for card, seats, finals, owner in said:
        table, waiting = state(seats), expects(listener.cards[card])
        found.append(Case(card, finals, hearing.seats(table), hearing.listening(table, waiting), owner))
    return found


def fold(case: Case) -> int:
    """Which part of the cross-validation it belongs to: all utterances on a card to the same."""
    return random.Random(case.card).randrange(FOLDS)


def mistakes(said: Sequence[Case], limits: OwnerLimits) -> tuple[float, int, int, int]:
    """The cost; owners not heard, heard as another, heard where nobody was named."""
    missed = other = made_up = 0
    for case in said:
        owner = case.heard(limits)
        missed += case.owner is not None and owner is None
        other += case.owner is not None and owner not in (None, case.owner)
        made_up += case.owner is None and owner is not None
    return missed + WRONG * (other + made_up), missed, other, made_up


def fit(said: Sequence[Case], start: OwnerLimits = LIMITS) -> OwnerLimits:
    """The limits from which no single step to another value lessens the mistakes."""
    best, cost = start, mistakes(said, start)[0]
    moved = True
    while moved:
        moved = False
        for name, values in STEPS.items():
            for value in values:
                trial = replace(best, **{name: value})
                found = mistakes(said, trial)[0]
                if found < cost:
                    best, cost, moved = trial, found, True
    return best


def text(limits: OwnerLimits, said: Sequence[Case]) -> str:
    """The file."""
    _, missed, other, made_up = mistakes(said, limits)
    named = sum(case.owner is not None for case in said)
    lines = [
        "# When a colour or name is believed. Made by python -m host.bench.train_owner from tuning voices and rooms.",
        f"# Of {named} that were named {missed} are not heard, {other} taken for another; of {len(said) - named}",
        f"# guesses and talk without one {made_up} get one.",
        *(f"{name} = {getattr(limits, name):<7g} # {meaning}" for name, meaning in MEANING.items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(prog="python -m host.bench.train_owner", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="samples that are heard")
    parser.add_argument("--model", help="another model: a name or a folder")
    parser.add_argument("--out", type=Path, help="write the new limits to this file")
    parser.add_argument("--write", action="store_true", help=f"write them to {FILE.name}, the shipped ones")
    options = parser.parse_args()
    listener = Listener.open(options.model)
    said = cases(listener, *tuning(listener, options.seeds, options.model))
    made = fit(said)
    print(text(made, said))
    folds = [[case for case in said if fold(case) == number] for number in range(FOLDS)]
    unseen = [mistakes(part, fit([case for case in said if fold(case) != number]))
              for number, part in enumerate(folds)]
    print("cost, missed, taken for another, made up:")
    print("  shipped      ", *mistakes(said, LIMITS))
    print("  new, held out", *(sum(column) for column in zip(*unseen, strict=True)))
    for path in [*([FILE] if options.write else []), *([options.out] if options.out else [])]:
        path.write_text(text(made, said), encoding="utf-8")
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
