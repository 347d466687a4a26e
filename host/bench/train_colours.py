"""Make host/ears/colours.npz, the second ear for the eight colours: `python -m host.bench.train_colours [--out FILE]`.

As `host.bench.train_venn` does for "venn", and with the same voices, rooms, noises and real talk: a small net on a
layer of the acoustic model learns where a colour is said, and which. Two programs of voices and nine of the crowd take
no part in it; `python -m host.bench.colour_limits` chooses on them from which scores the net is believed.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from host.bench import colour_clips, venn_real
from host.bench.library import Library
from host.bench.train_venn import EVERY, save
from host.bench.training import Course
from host.bench.venn_clips import Saying
from host.bench.venn_learning import DEEPLY
from host.bench.venn_sounds import Cutter, Maker, Sound
from host.ears import trunk
from host.ears.fronts import Layer
from host.ears.keyword import Net, model_sum
from host.ears.models import find
from host.understand import COLOURS

FILE = Path(__file__).resolve().parents[1] / "ears" / "colours.npz"
PLAN = replace(DEEPLY, shape=replace(DEEPLY.shape, words=len(COLOURS)))
SPELT = np.array([(word, name) for name, words in COLOURS.items() for word in words[1:]])
"""How else the grammar may write a colour."""
COUNTS = {"call": 11000, "near": 3500, "guess": 4000, "word": 2500, "talk": 1200}


class ColourMaker(Maker):
    """Renders what names a colour, each as often as each other."""

    def __init__(self, own: Sequence[Saying], others: Sequence[Saying], real: Sequence[dict[str, Any]], seed: int):
        super().__init__([*others, *(one for one in own if not colour_clips.colour_of(one))], real, seed)
        self._named: dict[tuple[str, str], list[Saying]] = {}
        for one in own:
            self._named.setdefault((colour_clips.colour_of(one), one.kind), []).append(one)

    def call(self) -> Sound:
        """A colour, alone or among other words of the same or another voice."""
        colour = self.draw.choice(tuple(COLOURS))
        kind = self.draw.choices(("alone", "first", "last"), (5, 6, 3))[0]
        parts = [(self.clip(self.draw.choice(self._named[colour, kind])), kind)]
        if self.draw.random() < 0.2:
            parts.insert(0, (self.clip(self.pick(self.draw.choice(("near", "word", "guess")))), ""))
        if kind != "first" and self.draw.random() < 0.4:
            parts.append((self.clip(self.pick(self.draw.choice(("near", "guess", "word")))), ""))
        return replace(self._joined(parts, "call"), word=tuple(COLOURS).index(colour))


def main() -> int:
    """Learn and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--closer", type=int, default=12, help="epochs over the hardest moments; a third again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of everything; a look at whether it works")
    asked = parser.parse_args()
    folder = find(None)
    own, others = ([one for one in said if not one.held] for said in colour_clips.make())
    library = Library()
    real = [clip for clip in (*venn_real.half(library, "tuning"), *library.recordings("words", "tuning"))
            if not set(str(clip["text"] or "").lower().split()) & set(COLOURS)]
    course = Course("colours", Cutter(PLAN, Layer(trunk.read(folder))),
                    lambda: ColourMaker(own, others, [clip for at, clip in enumerate(real) if at % EVERY], asked.seed),
                    COUNTS, asked.epochs, asked.closer, asked.seed, asked.share)
    save(asked.out, Net(course.weights(), shape=PLAN.shape), model_sum(folder), words=np.array(tuple(COLOURS)),
         spelt=SPELT)
    print(f"wrote {asked.out}: {asked.out.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
