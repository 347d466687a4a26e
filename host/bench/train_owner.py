"""Make host/understand/owner.toml from tuning voices and rooms: `python -m host.bench.train_owner`.

The same utterances as for the judge's decision (`host.bench.train_judge`, which keeps them). A limit is moved
while that lessens the mistakes: an owner who is not heard counts one, a wrong one or one that nobody named two
(CE-16: who guessed is never settled with a penalty by assumption).
"""

import argparse
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from host.bench.hearing import Row, expects, state
from host.bench.judge import sealed_packs
from host.bench.train_judge import ROWS
from host.packs import Packs
from host.table.hearing import Hearing
from host.understand import LIMITS, OwnerLimits, understand

FILE = Path(__file__).resolve().parents[1] / "understand" / "owner.toml"
STEPS = {
    "sure": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "colour": (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6),
    "certain": (0.5, 0.65, 0.8, 0.9, 1.0),
}
MEANING = {
    "sure": "confidence below which a colour or name is not believed",
    "colour": "the same for a colour in front of a known answer: nothing else is likely there",
    "certain": "confidence from which it is believed whatever dictation heard at that place",
    "homophone": "the same for \"read\" instead of red: it comes for other colours too, and then vaguely",
    "alike": "likeness that dictation's words at that place must have otherwise",
}
WRONG = 2.0


def mistakes(rows: Sequence[Row], packs: Packs, limits: OwnerLimits) -> tuple[float, int, int, int]:
    """The cost; owners not heard, heard as another, heard where nobody was named."""
    hearing = Hearing(packs)
    missed = other = made_up = 0
    for row in rows:
        table, waiting = state(row.utterance.seats), expects(packs.card(row.utterance.card))
        seats, listening = hearing.seats(table), hearing.listening(table, waiting)
        owners = [understand(heard, seats, listening, limits).owner for heard in row.finals]
        owner = next((one for one in owners if one is not None), None)
        wanted = row.utterance.owner
        missed += wanted is not None and owner is None
        other += wanted is not None and owner not in (None, wanted)
        made_up += wanted is None and owner is not None
    return missed + WRONG * (other + made_up), missed, other, made_up


def fit(rows: Sequence[Row], packs: Packs, start: OwnerLimits = LIMITS) -> OwnerLimits:
    """The limits from which no single step to another value lessens the mistakes."""
    best, cost = start, mistakes(rows, packs, start)[0]
    moved = True
    while moved:
        moved = False
        for name, values in STEPS.items():
            for value in values:
                trial = replace(best, **{name: value})
                found = mistakes(rows, packs, trial)[0]
                if found < cost:
                    best, cost, moved = trial, found, True
    return best


def text(limits: OwnerLimits, rows: Sequence[Row], packs: Packs) -> str:
    """The file."""
    _, missed, other, made_up = mistakes(rows, packs, limits)
    named = sum(row.utterance.owner is not None for row in rows)
    lines = [
        "# When a colour or name is believed. Made by python -m host.bench.train_owner from tuning voices and rooms.",
        f"# Of {named} that were named {missed} are not heard, {other} taken for another; of {len(rows) - named}",
        f"# guesses without one {made_up} get one.",
        *(f"{name} = {getattr(limits, name):<7g} # {meaning}" for name, meaning in MEANING.items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(prog="python -m host.bench.train_owner", description=__doc__.splitlines()[0])
    parser.add_argument("--heard", type=Path, default=ROWS, help="what train_judge heard")
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    if not options.heard.exists():
        parser.error(f"there is no {options.heard}: run python -m host.bench.train_judge first")
    packs = sealed_packs()
    cards = {card.id for card in packs.clues}
    read, _ = pickle.loads(options.heard.read_bytes())  # noqa: S301 - our own cache
    rows = [row for row in read if row.utterance.card in cards]
    made = text(fit(rows, packs), rows, packs)
    options.out.write_text(made, encoding="utf-8")
    print(made)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
