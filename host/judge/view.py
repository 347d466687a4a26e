"""What one reading of a guess is taken for, and every threshold by which that is told."""

import tomllib
from dataclasses import dataclass, fields
from importlib import resources

from host.events import Verdict


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
RANK = {Verdict.NONE: 0, Verdict.WRONG: 1, Verdict.UNSPECIFIC: 2, Verdict.AGAIN: 3, Verdict.RIGHT: 4}
