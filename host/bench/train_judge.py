"""Make host/judge/decision.toml from tuning voices and rooms: `python -m host.bench.train_judge`.

Right and wrong answers are said by the tuning voices, dry and in tuning rooms, and heard by the real ear with
the real grammar; so is real talk marked for tuning. Where the grammar heard the answer, a logistic model learns
from both readings whether it was said. Its thresholds are those with the fewest wrong verdicts in
cross-validation over the cards: a gift counts `GIFT` times, an answer asked for again half. The test voices and
rooms are never touched. Nothing shipped is written without `--write`: what the shipped decision makes of the same
guesses is printed beside what the new one makes of those on cards that it was not fitted to.

What is heard is kept by a digest of the model's files and of the ear, so that the command goes on where it was ended.
`--second` hears with the second look and prints, for each value of `doubt`, what would be asked for once more; that
is for a person to choose. The fit itself leaves the second look's margin out: with a weight it robbed clear answers.

Sound-alikes that stand in no list are a seventh of what is said here, and nobody says them at a table: each counts
`UNLISTED`. In cross-validation (422 utterances) with 0.5 of 32 that the grammar took for the answer 19 pass and 2 of
174 right answers are robbed; with 0.7 it is 14 and 3, and 9 are asked for again; with 0.85 it is 10 and 6, and 14.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host.bench.frame import Options
from host.bench.hear import hear, part, talk
from host.bench.hear_report import Talk
from host.bench.hearing import Listener, Row, guesses
from host.bench.trials import utterances
from host.bench.voices import Speaker
from host.judge import DECISION, Decision
from host.judge.decision import FEATURES, NOT_LOOKED, WIDEST

FILE = Path(__file__).resolve().parents[1] / "judge" / "decision.toml"
GIFT = 2.0
"""A wrong answer that is taken for right counts as so many that are robbed."""
UNLISTED = 0.5
"""Weight of a sound-alike that stands in no list."""
RIDGE = 0.3
"""Pull towards zero on every weight, so that a feature seen seldom does not run away."""
SIGNS = (1, 1, 1, -1, 1, -1, -1, -1, -1, -1, 1)
"""What each feature may speak for; one that would speak for the opposite is left out, as chance."""
FOLDS = 8

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Examples:
    """Guesses in which the grammar heard the answer."""

    features: Floats
    right: Floats
    folds: NDArray[np.int64]
    """Which part of the cross-validation each belongs to: all guesses on a card to the same."""
    weights: Floats
    """How much each counts."""
    kinds: tuple[str, ...] = ()
    """What each was: answer, alias, rival, other, soundalike, talk."""
    margins: tuple[float | None, ...] = ()
    """The second look at each."""


def tuning(listener: Listener, seeds: Sequence[int], model: str | None = None) -> tuple[list[Row], list[Talk]]:
    """What the ear makes of the tuning samples of these seeds, and of talk."""
    said = [one for seed in seeds
            for one in utterances(listener.packs, listener.library, "tuning", seed, full=False)]
    said = said[: part(len(said))]
    Speaker(listener.library).make([(one.voice, one.text) for one in said])
    return hear(listener, said, model), talk(listener, Options(seeds[0], split="tuning", model=model))


def examples(listener: Listener, rows: Sequence[Row], talked: Sequence[Talk]) -> Examples:
    """The features of every guess in which the grammar heard the answer."""
    heard = [(row.utterance.card, row.utterance.seats, row.finals, row.utterance.kind) for row in rows]
    heard += [(one.card, one.seats, one.finals, "talk") for one in talked]
    found: list[tuple[tuple[float, ...], float, int, float]] = []
    kinds, margins = [], []
    for card_id, seats, finals, kind in heard:
        card = listener.cards[card_id]
        for said in guesses(listener.hearing, card, seats, finals):
            known = listener.evidence(card, said)
            if known is not None:
                fold = random.Random(card_id).randrange(FOLDS)
                right, weight = float(kind in ("answer", "alias")), UNLISTED if kind == "soundalike" else 1.0
                level = replace(known, margin=NOT_LOOKED / WIDEST)
                found.append((level.vector(), right, fold, weight))
                kinds.append(kind)
                margins.append(said.margin)
    columns = [np.array(column) for column in zip(*found, strict=True)]
    return Examples(columns[0], columns[1], columns[2], columns[3], tuple(kinds), tuple(margins))


def fit(features: Floats, right: Floats, weights: Floats) -> Floats:
    """The bias and the weights; features are left out until none speaks against its sign."""
    kept = list(range(features.shape[1]))
    while True:
        part = _newton(features[:, kept], right, weights)
        against = [at for at, one in enumerate(kept) if part[1 + at] * SIGNS[one] < 0]
        if not against:
            beta = np.zeros(features.shape[1] + 1)
            beta[[0, *(one + 1 for one in kept)]] = part
            return beta
        del kept[min(against, key=lambda at: part[1 + at] * SIGNS[kept[at]])]


def _newton(features: Floats, right: Floats, weights: Floats) -> Floats:
    """Logistic regression by Newton's method; the first coefficient is the bias, which is not pulled."""
    wide = np.column_stack([np.ones(len(features)), features])
    pull = np.diag([0.0, *[RIDGE] * features.shape[1]])
    beta = np.zeros(wide.shape[1])
    for _ in range(50):
        chance = probability(beta, features)
        slope = wide.T @ (weights * (right - chance)) - pull @ beta
        bend = (wide * (weights * chance * (1 - chance))[:, None]).T @ wide + pull + 1e-9 * np.eye(len(beta))
        step = np.linalg.solve(bend, slope)
        beta = beta + step
        if np.abs(step).max() < 1e-8:
            break
    return beta


def probability(beta: Floats, features: Floats) -> Floats:
    """What the model gives for each row of features."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(beta[0] + features @ beta[1:], -40, 40))))


def unseen(data: Examples) -> Floats:
    """The probability of each example by a model that was fitted without its card."""
    chances = np.zeros(len(data.right))
    for fold in range(FOLDS):
        out = data.folds == fold
        if out.any() and (~out).any():
            beta = fit(data.features[~out], data.right[~out], data.weights[~out])
            chances[out] = probability(beta, data.features[out])
    return chances


def cost(chances: Floats, right: Floats, weights: Floats, accept: float, again: float) -> float:
    """Wrong verdicts: gifts count `GIFT` times, asking again half."""
    accepted, asked = chances >= accept, (chances >= again) & (chances < accept)
    robbed = (right == 1) & ~accepted & ~asked
    return float((weights * (GIFT * (accepted & (right == 0)) + robbed + 0.5 * asked)).sum())


def thresholds(chances: Floats, right: Floats, weights: Floats) -> tuple[float, float]:
    """The cheapest pair (accept, again)."""
    grid = np.round(np.arange(0.05, 0.96, 0.025), 3)
    pairs = [(float(accept), float(again)) for accept in grid for again in grid if again <= accept]
    return min(pairs, key=lambda pair: (cost(chances, right, weights, *pair), -pair[1], pair[0]))


def train(data: Examples) -> Decision:
    """The model on all examples, with thresholds from those that it had not seen."""
    accept, again = thresholds(unseen(data), data.right, data.weights)
    beta = fit(data.features, data.right, data.weights)
    return Decision(float(beta[0]), dict(zip(FEATURES, map(float, beta[1:]), strict=True)), accept, again)


def text(made: Decision, data: Examples) -> str:
    """The file."""
    chances = unseen(data)
    gifts = int(((chances >= made.accept) & (data.right == 0)).sum())
    robbed = int(((chances < made.accept) & (data.right == 1)).sum())
    asked = int(((chances < made.accept) & (chances >= made.again)).sum())
    lines = [
        "# Made by python -m host.bench.train_judge from tuning voices and rooms; not to be edited by hand.",
        f"# {len(data.right)} guesses in which the grammar heard the answer, {int(data.right.sum())} of them rightly.",
        f"# In cross-validation over the cards {robbed} right ones are not accepted, {gifts} wrong ones are;",
        f"# {asked} are asked for again.",
        f"bias = {made.bias:.4f}", f"accept = {made.accept:g}", f"again = {made.again:g}",
        f"doubt = {made.doubt:g}", "", "[weights]",
        *(f"{name} = {weight:.4f}" for name, weight in made.weights.items()),
    ]
    return "\n".join(lines) + "\n"


def held_out(data: Examples) -> NDArray[np.int64]:
    """Each guess by a decision, thresholds included, that never saw its card: 2 right, 1 again, 0 wrong."""
    found = np.zeros(len(data.right), np.int64)
    for fold in range(FOLDS):
        out = data.folds == fold
        if out.any() and (~out).any():
            rest = Examples(data.features[~out], data.right[~out], data.folds[~out], data.weights[~out])
            found[out] = ruled(train(rest), data.features[out])
    return found


def ruled(made: Decision, features: Floats) -> NDArray[np.int64]:
    """What a decision makes of each row of features: 2 right, 1 again, 0 wrong."""
    beta = np.array([made.bias, *(made.weights[name] for name in FEATURES)])
    chances = probability(beta, features)
    return (chances >= made.accept).astype(np.int64) + (chances >= min(made.again, made.accept))


def compared(data: Examples) -> str:
    """The shipped decision and the new one, held out, on the same guesses: a table for a person to decide by."""
    columns = {"shipped": ruled(DECISION, data.features), "new, held out": held_out(data)}
    kinds = np.array(data.kinds or ["guess"] * len(data.right))
    lines = [f"{'kind':<12}{'guesses':>8}" + "".join(f"{name + ': right, again, no':>36}" for name in columns)]
    for kind in dict.fromkeys(kinds):
        part = kinds == kind
        told = "".join(f"{' / '.join(str(int((column[part] == level).sum())) for level in (2, 1, 0)):>36}"
                       for column in columns.values())
        lines.append(f"{kind:<12}{int(part.sum()):>8}{told}")
    for name, column in columns.items():
        robbed = data.weights * data.right * (column == 0)
        gifts = GIFT * data.weights * (1 - data.right) * (column == 2)
        total = float((robbed + gifts + 0.5 * data.weights * (column == 1)).sum())
        lines.append(f"cost, {name}: {total:g} (robbed 1, asked again 0.5, gift {GIFT:g}; sound-alikes {UNLISTED:g})")
    return "\n".join(lines)


def doubted(data: Examples, made: Decision) -> str:
    """For each value of `doubt`: how many right answers and gifts of this decision would be asked for again."""
    accepted = ruled(made, data.features) == 2
    looked = [(margin, bool(right)) for margin, right, taken in zip(data.margins, data.right, accepted, strict=True)
              if taken and margin is not None]
    lines = [f"the second look at {len(looked)} guesses that are accepted",
             "doubt   right, asked again   gifts, asked again"]
    for doubt in np.arange(-12.0, 0.5, 0.5):
        counts = [(sum(margin <= doubt for margin, right in looked if right is side),
                   sum(right is side for _, right in looked)) for side in (True, False)]
        lines.append(f"{doubt:5.1f}" + "".join(f"{f'{hits} of {of}':>20}" for hits, of in counts))
    return "\n".join(lines)


def main() -> int:
    """Hear (or read what was heard), fit, print; write only where that is asked."""
    parser = argparse.ArgumentParser(prog="python -m host.bench.train_judge", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="samples that are heard")
    parser.add_argument("--model", help="another model: a name or a folder")
    parser.add_argument("--second", action="store_true", help="hear with the second look, and print its curve")
    parser.add_argument("--out", type=Path, help="write the new decision to this file")
    parser.add_argument("--write", action="store_true", help=f"write it to {FILE.name}, the shipped one")
    options = parser.parse_args()
    listener = Listener.open(options.model, options.second)
    data = examples(listener, *tuning(listener, options.seeds, options.model))
    made = train(data)
    print(text(made, data))
    print(compared(data))
    if options.second:
        print("with the shipped decision, " + doubted(data, DECISION))
        print("with the new one, " + doubted(data, made))
    for path in [*([FILE] if options.write else []), *([options.out] if options.out else [])]:
        path.write_text(text(made, data), encoding="utf-8")
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
