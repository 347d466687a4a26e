"""Training of a small net for words: pieces made once and kept, epochs that can be gone on with after a stop."""

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host.app.paths import cache_folder
from host.bench.venn_learning import Adam, Learning, Pieces, fresh
from host.bench.venn_sounds import Cutter, Maker
from host.ears.bands import Array

AGAIN = 1
"""How often each real recording comes changed."""


@dataclass(frozen=True)
class Course:
    """What is learnt, from what, and for how long."""

    name: str
    """Of its folder in the cache."""
    cutter: Cutter
    maker: Callable[[], Maker]
    counts: dict[str, int]
    epochs: int
    closer: int
    """Epochs over the hardest moments; a third of so many more follow."""
    seed: int
    share: float = 1.0
    """Of everything; a look at whether it works."""
    later: int = 0
    """In that last third the net may wait so many steps longer."""

    def weights(self) -> dict[str, Array]:
        """Weights that learnt from all of it; what is done so far stays in the cache."""
        folder = cache_folder() / "bench" / "venn" / f"training-{self.name}-{self.seed}-{self.epochs}-{self.share:g}"
        folder.mkdir(parents=True, exist_ok=True)
        given, labels, so_far = folder / "given.f2", folder / "labels.npz", folder / "learning.pickle"
        plan = self.cutter.plan
        if not labels.exists():
            self._make(given, labels)
        with np.load(labels) as known:
            marked, words = known["labels"], known["words"]
        size = len(marked), plan.length, plan.shape.bands
        pieces = Pieces(np.fromfile(given, np.float16).reshape(size), marked, words)
        print(f"{len(marked)} pieces, {int(pieces.calls.sum())} with a call", flush=True)
        learning = Learning(Adam(fresh(self.seed, plan.shape)), plan, np.ones(len(marked), np.float32))
        if so_far.exists():
            learning = pickle.loads(so_far.read_bytes())  # noqa: S301 - our own cache
        again = self.closer // 3
        while learning.epoch < self.epochs + self.closer + again:
            turn = learning.epoch - self.epochs
            if turn < 0:
                learning.go_on(pieces, self.epochs, self.seed)
            elif turn < self.closer:
                learning.closer(pieces, turn, self.closer, self.seed)
            else:
                learning.closer(pieces.later(self.later), turn - self.closer, again, self.seed + 1)
            half = folder / "half.pickle"
            half.write_bytes(pickle.dumps(learning))
            half.replace(so_far)
        return learning.adam.weights

    def _make(self, given: Path, labels: Path) -> None:
        """Render the pieces; the labels are written last."""
        began, marks = time.monotonic(), list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]()
        counts = {kind: round(count * self.share) for kind, count in self.counts.items()}
        with given.open("wb") as file:
            for made in self.cutter.training(self.maker(), counts, AGAIN):
                file.write(made.given.tobytes())
                marks.append((made.labels, made.words))
        rows, words = (np.concatenate(column) for column in zip(*marks, strict=True))
        np.savez(labels, labels=rows, words=words)
        print(f"made in {time.monotonic() - began:.0f} s", flush=True)
