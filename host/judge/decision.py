"""The grammar heard the answer: was it said? One small logistic model over what both readings tell.

The coefficients and thresholds stand in decision.toml, which `python -m host.bench.train_judge` makes out of
tuning voices and rooms. `docs/BENCH.md` says how well it does. Every feature is a number around 0 to 1:

- `confidence`, `weakest`: of the grammar's words that are the answer, their mean and their least.
- `likeness`: how alike dictation sounds to the answer; `NO_WORDS` where it heard nothing.
- `rival`: by how much some rival is nearer to dictation than the answer is.
- `agrees`, `denies`: dictation has exactly the answer, or exactly another known thing.
- `surprise`: dictation's own confidence in words that do not sound like the answer.
- `unknown`: the share of `[unk]` among the grammar's words.
- `brief`: how short the answer is (1 / its phones or letters): little sound is soon mistaken.
- `pace`: how far from usual the grammar's words are stretched or squeezed, as a logarithm.
- `margin`: by how much the answer beats what sounds near to it in the ear's second look, from -1 to 1.

`doubt` is a rule of its own beside the model: a right answer that the second look denies by so much is asked for once
more. It can turn right into again and nothing else, so that it never robs or rewards; -inf leaves it out.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources

from host.clock import seconds
from host.events import Word
from host.judge.normal import ARTICLES, UNKNOWN

WIDEST = 4.0
"""A margin beyond this, in natural logarithms of the likelihood, tells no more."""
NOT_LOOKED = 0.5
"""The margin that stands for no second look: a little for the answer; the two readings must tell."""
NO_WORDS = 0.5
"""Likeness that an empty dictation stands for."""
PACE = 0.075
"""Seconds of a phone in a guess, about."""
FEATURES = ("confidence", "weakest", "likeness", "rival", "agrees", "denies", "surprise", "unknown", "brief", "pace",
            "margin")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The features of one guess in which the grammar heard the answer; the module says what each is."""

    confidence: float
    weakest: float
    likeness: float
    rival: float
    agrees: float
    denies: float
    surprise: float
    unknown: float
    brief: float
    pace: float
    margin: float

    def vector(self) -> tuple[float, ...]:
        """The features in the order of `FEATURES`."""
        return tuple(float(getattr(self, name)) for name in FEATURES)


@dataclass(frozen=True)
class Decision:
    """The model: a weight for each feature, and two thresholds on the probability that it gives."""

    bias: float
    weights: Mapping[str, float]
    accept: float
    """Probability from which the answer is right."""
    again: float
    """Probability from which it is asked for once more."""
    doubt: float = -math.inf
    """The ear's margin (natural logarithm) at and below which a right answer is asked for once more."""

    @property
    def looks(self) -> bool:
        """Whether the second look can change a verdict: else nobody needs to take one."""
        return self.weights["margin"] != 0.0 or self.doubt > -math.inf

    def doubts(self, margin: float | None) -> bool:
        """Whether the second look denies the answer so clearly that it must be asked for again."""
        return margin is not None and margin <= self.doubt

    def certainty(self, evidence: Evidence) -> float:
        """The probability that the answer was said."""
        total = self.bias + sum(self.weights[name] * value
                                for name, value in zip(FEATURES, evidence.vector(), strict=True))
        return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, total))))


def decision(text: str | None = None) -> Decision:
    """The model in this TOML, or in decision.toml. Raises ValueError where a feature has no weight."""
    if text is None:
        text = resources.files("host.judge").joinpath("decision.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    names = {field.name for field in fields(Decision)}
    if set(values) != names or set(values["weights"]) != set(FEATURES):
        raise ValueError("decision.toml is not of this version: make it anew with python -m host.bench.train_judge")
    return Decision(**values)


DECISION = decision()


def spoken_evidence(words: tuple[Word, ...]) -> tuple[float, float, float, float]:
    """Mean and least confidence of the known words, the share of unknown ones, the seconds that the known took."""
    known = [word for word in words if word.text != UNKNOWN]
    telling = [word.confidence for word in known if word.text not in ARTICLES] or [0.0]
    length = sum(seconds(word.ended - word.began) for word in known)
    return sum(telling) / len(telling), min(telling), 1.0 - len(known) / max(1, len(words)), length


def pace(length: float, phones: int) -> float:
    """How far from usual so many phones in so many seconds are; 0 where there are no times."""
    return abs(math.log(length / (PACE * phones))) if length > 0 and phones else 0.0


def weighed(margin: float | None) -> float:
    """The ear's margin as a feature."""
    return max(-WIDEST, min(WIDEST, NOT_LOOKED if margin is None else margin)) / WIDEST
