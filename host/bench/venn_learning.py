"""How the net for "venn" learns: its slopes, written out, and Adam; numpy only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from host.ears.bands import Array
from host.ears.keyword import DEEP, NARROW, PLAIN, Net, Shape, unfold


@dataclass(frozen=True)
class Plan:
    """How a net of this shape learns."""

    shape: Shape
    steps: int
    """Scores in a piece."""
    close: int
    """Steps of a piece in the closer look."""
    hidden: float
    """What hidden numbers are given as."""

    @property
    def length(self) -> int:
        """Rows in a piece."""
        return self.shape.window + self.shape.step * (self.steps - 1)


PLAINLY = Plan(PLAIN, 80, 24, -1.0)
DEEPLY = Plan(DEEP, 53, 20, 0.0)
NARROWLY = Plan(NARROW, 53, 20, 0.0)
BATCH = 64
CALLS = 0.3
"""Share of the pieces of a batch that hold a call."""
AGAIN = 3
"""After so many closer looks it is looked anew where each piece is hardest."""
NOTHING, CALL, SOMEWHERE, OPEN = 0, 1, 2, 3
"""What a step is: no call, a call, one of several that hold a call, either."""
WEIGHT = 1.5
"""How much a step of a call counts against one without."""


@dataclass(frozen=True)
class Pieces:
    """Stretches of rows for training, and what each of their steps is."""

    given: NDArray[np.float16]
    labels: NDArray[np.uint8]
    words: NDArray[np.uint8]
    """Which of the net's words each holds, if any."""

    @property
    def calls(self) -> NDArray[np.bool_]:
        """Which hold a call."""
        return np.asarray(((self.labels == CALL) | (self.labels == SOMEWHERE)).any(axis=1))

    def later(self, steps: int) -> "Pieces":
        """The same with every call known so many steps later; what was a call before that may be one or not."""
        labels = self.labels.copy()
        exact = self.labels == CALL
        labels[exact] = OPEN
        rows, places = np.nonzero(exact)
        inside = places + steps < labels.shape[1]
        labels[rows[inside], places[inside] + steps] = CALL
        return Pieces(self.given, labels, self.words)

    @classmethod
    def joined(cls, parts: Sequence["Pieces"]) -> "Pieces":
        """All of them."""
        return cls(np.concatenate([one.given for one in parts]), np.concatenate([one.labels for one in parts]),
                   np.concatenate([one.words for one in parts]))


def fresh(seed: int, shape: Shape = PLAIN) -> dict[str, Array]:
    """Weights to begin with."""
    draw, wide = np.random.default_rng(seed), shape.channels
    shapes = [(shape.first * shape.bands, wide), *[(3 * wide, wide)] * len(shape.dilations)]
    made: dict[str, Array] = {}
    for at, size in enumerate(shapes):
        made[f"w{at}"] = draw.normal(0, np.sqrt((2 if at == 0 else 1) / size[0]), size).astype(np.float32)
        made[f"b{at}"] = np.zeros(wide, np.float32)
    made["out"] = draw.normal(0, np.sqrt(1 / wide), (wide, shape.words)).astype(np.float32)
    made["out0"] = np.full(shape.words, -3.0, np.float32)
    return made


def wanted(scores: Array, labels: NDArray[np.uint8], words: NDArray[np.uint8]) -> tuple[Array, Array]:
    """(aim, weight) of each step and word. What is no call of a piece's word is none of any other."""
    aim, weight, rows = np.zeros_like(scores), np.ones_like(scores), np.arange(len(scores))
    aim[rows, :, words], weight[rows, :, words] = _of_word(scores[rows, :, words], labels)
    return aim, weight


def _of_word(scores: Array, labels: NDArray[np.uint8]) -> tuple[Array, Array]:
    """(aim, weight) of each step. Of the steps of which some hold a call, the best one and its neighbours do."""
    aim = (labels == CALL).astype(np.float32)
    weight = np.where(labels == CALL, WEIGHT, np.where(labels == NOTHING, 1.0, 0.0)).astype(np.float32)
    for row in np.flatnonzero((labels == SOMEWHERE).any(axis=1)):
        span = np.flatnonzero(labels[row] == SOMEWHERE)
        best = int(span[np.argmax(scores[row, span])])
        near = span[np.abs(span - best) <= 1]
        aim[row, near], weight[row, near] = 1.0, WEIGHT
    return aim, weight


def gradients(
    w: dict[str, Array], given: Array, labels: NDArray[np.uint8], words: NDArray[np.uint8], shape: Shape = PLAIN,
) -> tuple[dict[str, Array], float]:
    """The cross entropy of a batch, a piece on average, and its slope by every weight."""
    unfolded, hidden = [unfold(given, shape.first, shape.step)], []
    now = np.maximum(0, unfolded[0] @ w["w0"] + w["b0"])
    grown = [now]
    for at, apart in enumerate(shape.dilations, 1):
        unfolded.append(unfold(now, 3, 1, apart))
        hidden.append(np.maximum(0, unfolded[-1] @ w[f"w{at}"] + w[f"b{at}"]))
        now = now[:, apart:-apart] + hidden[-1]
        grown.append(now)
    out = 1 / (1 + np.exp(-np.clip(now @ w["out"] + w["out0"], -30, 30)))
    aim, weight = wanted(out, labels, words)
    loss = -np.sum(weight * (aim * np.log(out + 1e-9) + (1 - aim) * np.log(1 - out + 1e-9))) / len(given)
    slope = (weight * (out - aim) / len(given)).astype(now.dtype)
    found = {"out": _product(now, slope), "out0": slope.sum((0, 1))}
    back = slope @ w["out"].T
    for at in range(len(shape.dilations), 0, -1):
        apart = shape.dilations[at - 1]
        inner = back * (hidden[at - 1] > 0)
        found |= {f"w{at}": _product(unfolded[at], inner), f"b{at}": inner.sum((0, 1))}
        spread = inner @ w[f"w{at}"].T
        before = np.zeros_like(grown[at - 1])
        count = inner.shape[1]
        for tap in range(3):
            own = spread[:, :, tap * shape.channels : (tap + 1) * shape.channels]
            before[:, tap * apart : tap * apart + count] += own
        before[:, apart:-apart] += back
        back = before
    back = back * (grown[0] > 0)
    return found | {"w0": _product(unfolded[0], back), "b0": back.sum((0, 1))}, float(loss)


def _product(rows: Array, slopes: Array) -> Array:
    return rows.reshape(-1, rows.shape[2]).T @ slopes.reshape(-1, slopes.shape[2])


class Adam:
    """Steps down the slopes, each weight at its own pace."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights
        self._mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self._square = {name: np.zeros_like(value) for name, value in weights.items()}
        self._turn = 0

    def step(self, slopes: dict[str, Array], rate: float, decay: float = 1e-4) -> None:
        """One step; the whole slope is cut to a length of 5."""
        self._turn += 1
        length = float(np.sqrt(sum(float(np.sum(slope**2)) for slope in slopes.values())))
        cut = min(1.0, 5.0 / (length + 1e-9))
        for name, raw in slopes.items():
            slope = raw * cut + decay * self.weights[name]
            self._mean[name] = np.asarray(0.9 * self._mean[name] + 0.1 * slope, np.float32)
            self._square[name] = np.asarray(0.999 * self._square[name] + 0.001 * slope * slope, np.float32)
            mean = self._mean[name] / (1 - 0.9**self._turn)
            square = self._square[name] / (1 - 0.999**self._turn)
            self.weights[name] = (self.weights[name] - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def batches(pieces: Pieces, ease: Array, draw: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Every piece without a call as often as `ease` (0 to 1) says, in batches with CALLS calls."""
    calls = np.flatnonzero(pieces.calls)
    rest = np.flatnonzero(~pieces.calls & (draw.random(len(ease)) < ease))
    draw.shuffle(rest)
    per = round(BATCH * (1 - CALLS))
    turns = len(rest) // max(1, len(calls)) + 2
    order = np.concatenate([draw.permutation(calls) for _ in range(turns)])
    for turn in range(len(rest) // per):
        own = order[turn * (BATCH - per) % max(1, len(calls)) :][: BATCH - per]
        yield np.concatenate([rest[turn * per : (turn + 1) * per], own])


@dataclass
class Learning:
    """How far the training has come: after each epoch it can be kept, and gone on with."""

    adam: Adam
    plan: Plan
    worst: Array
    """The best score of each piece without a call."""
    places: NDArray[np.intp] | None = None
    """The step of each piece at which a closer look is worth most."""
    epoch: int = 0

    def closer(self, pieces: Pieces, turn: int, turns: int, seed: int, rate: float = 2e-3) -> None:
        """One epoch over some steps of each piece: around its call, or around what is most like one."""
        if self.places is None or turn % AGAIN == 0:
            self.worst, self.places = hardest(Net(self.adam.weights, shape=self.plan.shape), pieces)
        draw = np.random.default_rng([seed, 1000 + turn])
        listed = list(batches(pieces, np.where(self.worst > 0.02, 1.0, 0.1).astype(np.float32), draw))
        average, losses = None, []
        for count, chosen in enumerate(listed):
            given, labels = close(self.plan, pieces, chosen, self.places[chosen], draw)
            _hide(given, self.plan.hidden, draw)
            slopes, loss = gradients(self.adam.weights, given, labels, pieces.words[chosen], self.plan.shape)
            losses.append(loss)
            done = (turn + count / len(listed)) / turns
            self.adam.step(slopes, rate * min(1.0, 0.1 + 20 * done) * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5)
            average = self.adam.weights if average is None else {
                name: np.asarray(0.98 * value + 0.02 * self.adam.weights[name], np.float32)
                for name, value in average.items()}
        self.epoch += 1
        if turn == turns - 1 and average is not None:
            self.adam.weights = average
        print(f"closer look {turn + 1}: {len(listed)} batches, loss {np.mean(losses):.4f}; when last looked at, "
              f"{int((self.worst > 0.5).sum())} pieces without a call were taken for one", flush=True)

    def go_on(self, pieces: Pieces, epochs: int, seed: int, rate: float = 2e-3) -> None:
        """One epoch. What has become easy comes up less often: one in four pieces that the net is sure of.

        The weights of the last epoch are averaged.
        """
        draw = np.random.default_rng([seed, self.epoch])
        listed = list(batches(pieces, np.where(self.worst > 0.05, 1.0, 0.25).astype(np.float32), draw))
        average, losses = None, []
        for turn, chosen in enumerate(listed):
            given = pieces.given[chosen].astype(np.float32)
            _hide(given, self.plan.hidden, draw)
            slopes, loss = gradients(self.adam.weights, given, pieces.labels[chosen], pieces.words[chosen],
                                     self.plan.shape)
            losses.append(loss)
            done = (self.epoch + turn / len(listed)) / epochs
            self.adam.step(slopes, rate * min(1.0, 0.1 + 20 * done) * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5)
            average = self.adam.weights if average is None else {
                name: np.asarray(0.98 * value + 0.02 * self.adam.weights[name], np.float32)
                for name, value in average.items()}
        self.epoch += 1
        if self.epoch == epochs and average is not None:
            self.adam.weights = average
        self.worst, self.places = hardest(Net(self.adam.weights, shape=self.plan.shape), pieces)
        print(f"epoch {self.epoch}: {len(listed)} batches, loss {np.mean(losses):.4f}, "
              f"{int((self.worst > 0.5).sum())} pieces without a call taken for one", flush=True)


def close(
    plan: Plan, pieces: Pieces, chosen: NDArray[np.intp], places: NDArray[np.intp], draw: np.random.Generator,
) -> tuple[Array, NDArray[np.uint8]]:
    """`plan.close` steps of each of these, with its hardest step somewhere among them; now and then any others."""
    step, steps, size = plan.shape.step, plan.steps, plan.close
    length = plan.shape.window + step * (size - 1)
    starts = np.clip(places - draw.integers(3, size - 3, len(chosen)), 0, steps - size)
    anywhere = draw.integers(0, steps - size + 1, len(chosen))
    calls = ((pieces.labels[chosen] == CALL) | (pieces.labels[chosen] == SOMEWHERE)).any(axis=1)
    starts = np.where(~calls & (draw.random(len(chosen)) < 0.25), anywhere, starts)
    given = np.stack([pieces.given[row, step * at : step * at + length]
                      for row, at in zip(chosen, starts, strict=True)]).astype(np.float32)
    return given, np.stack([pieces.labels[row, at : at + size] for row, at in zip(chosen, starts, strict=True)])


def _hide(given: Array, hidden: float, draw: np.random.Generator) -> None:
    """A tenth of the bands side by side, or a moment, of some pieces is hidden, so that no single one decides."""
    bands = given.shape[2]
    for row in range(0, len(given), 3):
        band = int(draw.integers(bands - bands // 10))
        given[row, :, band : band + int(draw.integers(1, bands // 10 + 1))] = hidden
    for row in range(1, len(given), 6):
        at = int(draw.integers(given.shape[1] - 6))
        given[row, at : at + int(draw.integers(1, 6))] = hidden


def hardest(net: Net, pieces: Pieces) -> tuple[Array, NDArray[np.intp]]:
    """For each piece the best score where there is no call (0 where it holds one), and where to look closer.

    That is the step with that score; in a piece with a call one of the call's: the middle one, or the best one
    where only some of them hold it.
    """
    worst = np.zeros(len(pieces.labels), np.float32)
    places = np.zeros(len(worst), np.intp)
    for at in range(0, len(worst), 256):
        labels = pieces.labels[at : at + 256]
        every = net.each(pieces.given[at : at + 256].astype(np.float32))
        rows, words = np.arange(len(every)), pieces.words[at : at + 256]
        scores = every[rows, :, words].copy()
        every[rows, :, words] = -1
        without = np.maximum(np.where(labels == NOTHING, scores, -1), every.max(axis=2))
        worst[at : at + 256] = np.maximum(without.max(axis=1), 0)
        place = without.argmax(axis=1)
        some = np.where(labels == SOMEWHERE, scores, -1)
        place = np.where((labels == SOMEWHERE).any(axis=1), some.argmax(axis=1), place)
        exact = (labels == CALL)
        middle = (exact * np.arange(labels.shape[1])).sum(axis=1) // np.maximum(exact.sum(axis=1), 1)
        places[at : at + 256] = np.where(exact.any(axis=1), middle, place)
    worst[pieces.calls] = 0
    return worst, places
