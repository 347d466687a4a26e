# ruff: noqa: B905, D102, E501, N812, PTH123, PTH207, SIM115 - tooling that runs once a model, no part of the host
"""Adapts the acoustic model to the game's words, to rooms and noise: LF-MMI on changed speech, and a teacher.

    python models/adapt/train.py WORK MINUTES OUT.mdl [SHARE] [LR]

Starts from the shipped am/final.mdl. The teacher is that same net: on real talk without transcript the adapted net, which
hears it with noise and in rooms, is to say what the teacher says of the talk as it was recorded; that and the pull towards
the first weights keep it from forgetting people. At the end the averaged weights of the training are mixed with the first
ones (SHARE of the new, 1 = only the new), which is known to keep what a net knew beside what it learnt.
WORK/feats is scanned again and again: features.py may still be writing.
"""

import glob
import json
import math
import random
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "models/recipe"))

import common as C  # noqa: E402 - the recipe's modules
import lfmmi  # noqa: E402
from export_model import write_mdl  # noqa: E402
from feats import pad  # noqa: E402
from nnet import Net, bn, read_components  # noqa: E402
from train import phone_lm  # noqa: E402 - the recipe's, first on the path

FRAMES = 6000
SHARES = {"said": 0.72, "real": 0.16, "talk": 0.08, "noise": 0.04}
PULL = 2e-3
"""How strongly weights are drawn back to where they began, a step, times the learning rate's share of its peak."""


def shipped(path: str) -> Net:
    """The net of an exported final.mdl."""
    parts, net = read_components(path), Net(2 * len(C.PHONES))
    t = torch.tensor

    def norm(m: torch.nn.Module, name: str) -> None:
        m.scale.data, m.offset.data = (x.float() for x in bn(parts[name]))

    def affine(m: torch.nn.Module, name: str) -> None:
        m.weight.data, m.bias.data = t(parts[name]["<LinearParams>"]), t(parts[name]["<BiasParams>"])

    affine(net.tdnn1, "tdnn1.affine")
    norm(net.norm1, "tdnn1.batchnorm")
    for i, layer in enumerate(net.layers, 2):
        layer.linear.weight.data = t(parts[f"tdnnf{i}.linear"]["<LinearParams>"])
        affine(layer.affine, f"tdnnf{i}.affine")
        norm(layer.norm, f"tdnnf{i}.batchnorm")
    net.prefinal_l.weight.data = t(parts["prefinal-l"]["<Params>"])
    affine(net.pf_affine, "prefinal-chain.affine")
    norm(net.pf_norm1, "prefinal-chain.batchnorm1")
    net.pf_linear.weight.data = t(parts["prefinal-chain.linear"]["<Params>"])
    norm(net.pf_norm2, "prefinal-chain.batchnorm2")
    affine(net.output, "output.affine")
    return net


class Data:
    """The shards; batches of pieces of like length, one kind each."""

    def __init__(self, work: Path, lex: dict) -> None:
        self.work, self.lex, self.draw = work, lex, random.Random(7)
        self.shards, self.pieces, self.pools = {}, {}, {}

    def scan(self) -> None:
        for path in sorted(glob.glob(f"{self.work}/feats/*.jsonl")):
            if path in self.shards:
                continue
            self.shards[path] = np.load(path[:-5] + "npy", mmap_mode="r")
            before = None
            for line in open(path):
                m = json.loads(line)
                kind, piece = m["kind"], (m["n"], path, m["start"], m["words"])
                if kind == "teacher":
                    before = piece
                elif kind == "pupil":
                    self.pieces.setdefault("talk", []).append((*piece, before))
                elif m["n"] / 3 >= 1.05 * sum(min(len(q) for q in self.lex[w]) for w in m["words"]) + 3:
                    self.pieces.setdefault(kind, []).append(piece)
        self.pools = {}

    def batches(self):
        while True:
            batches = []
            for kind, share in SHARES.items():
                need, big = FRAMES * 14 * share, []
                while need > 0:
                    if not self.pools.get(kind):
                        self.pools[kind] = self.pieces[kind][:]
                        self.draw.shuffle(self.pools[kind])
                    big.append(self.pools[kind].pop())
                    need -= big[-1][0] + 68
                big.sort(key=lambda piece: piece[0])
                batch = []
                for piece in big:
                    if batch and (len(batch) + 1) * (piece[0] + 68) > FRAMES:
                        batches.append((kind, batch))
                        batch = []
                    batch.append(piece)
                batches.append((kind, batch))
            self.draw.shuffle(batches)
            yield from batches

    def sounds(self, batch: list) -> tuple[torch.Tensor, torch.Tensor]:
        counts = [(piece[0] + 2) // 3 for piece in batch]
        most = max(counts)
        x = np.zeros((len(batch), 3 * most - 2 + 68, 40), "f4")
        for i, (n, path, start, *_) in enumerate(batch):
            found = pad(self.shards[path][start : start + n].astype("f4"))
            x[i, : len(found)], x[i, len(found) :] = found, found[-1]
        return torch.tensor(x), torch.arange(most)[:, None] < torch.tensor(counts)[None]

    def graphs(self, batch: list):
        found = lfmmi.collate([lfmmi.graph(piece[3], self.lex, edges=True) for piece in batch])
        found[0][:] = found[0].clamp_min(0)
        return found


def main() -> None:
    """Train for so many minutes, write the model."""
    work, minutes, out = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    share = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    peak = float(sys.argv[5]) if len(sys.argv) > 5 else 1.2e-4
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    mdl = str(ROOT / "models/vosk-model-small-en-gamehost/am/final.mdl")
    teacher, net = shipped(mdl).eval(), shipped(mdl)
    lex = {w: [tuple(C.PID[p] for p in q) for q in ps] for w, ps in json.loads((work / "lexicon.json").read_text()).items()}
    data = Data(work, lex)
    while not data.shards:
        data.scan()
        time.sleep(1)
    texts = [piece[3] for kind in ("said", "real", "noise") for piece in data.pieces[kind]]
    statements = [C.normalise(text).split() for text in json.loads((work / "statements.json").read_text())]
    texts += [words for words in statements if all(word in lex for word in words)] * 2
    den = lfmmi.Denominator(*phone_lm([" ".join(words) for words in texts], lex))
    params = list(net.parameters())
    first = [p.detach().clone() for p in params]
    average = [p.detach().clone() for p in params]
    last = {id(p) for p in net.output.parameters()}
    opt = torch.optim.AdamW([{"params": [p for p in params if id(p) in last], "base": 3.0},
                             {"params": [p for p in params if id(p) not in last], "base": 1.0}],
                            lr=peak, betas=(0.9, 0.98), weight_decay=0)
    begun, step, sums, scanned, said = time.time(), 0, Counter(), time.time(), time.time()
    for kind, batch in data.batches():
        gone = (time.time() - begun) / 60 / minutes
        if gone >= 1:
            break
        rate = (0.5 * (1 + math.cos(math.pi * gone)) * 0.97 + 0.03) * min(1.0, (step + 1) / 100)
        for group in opt.param_groups:
            group["lr"] = peak * group["base"] * rate
        x, mask = data.sounds(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = net(x, drop=0.1 * (1 - gone))
        y = y.float().permute(1, 0, 2)
        if kind == "talk":
            with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
                z = teacher(data.sounds([piece[4] for piece in batch])[0])
            z = z.float().permute(1, 0, 2)
            count = min(len(y), len(z))
            good = mask[:count, :, None]
            loss = -(z[:count].softmax(-1) * y[:count].log_softmax(-1) * good).sum() / good.sum()
            entropy = -(z[:count].softmax(-1) * z[:count].log_softmax(-1) * good).sum() / good.sum()
            opt.zero_grad()
            loss.backward()
            sums["talk"] += float(loss - entropy)
            sums["talks"] += 1
        else:
            with torch.no_grad():
                z = y.detach().contiguous()
                dl, dp = den(z, mask)
                nl, npost, ok = lfmmi.numerator(z, mask, data.graphs(batch))
                good = ok & torch.isfinite(dl) & torch.isfinite(nl)
                grad = (dp - npost) * (mask & good[None])[..., None] + 3e-5 * z * mask[..., None]
                grad = torch.nan_to_num(grad) / mask.sum()
            opt.zero_grad()
            y.backward(grad)
            sums[kind] += float((nl.float() - dl)[good].sum())
            sums[kind + "s"] += float(mask[:, good].sum())
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        step += 1
        sums["seconds"] += x.shape[0] * x.shape[1] / 100
        with torch.no_grad():
            torch._foreach_lerp_([p.data for p in params], first, PULL * rate * 0.05)
            torch._foreach_lerp_(average, [p.detach() for p in params], max(0.004, 1 / (step + 1)))
        if step % 50 == 0:
            told = " ".join(f"{k} {sums[k] / max(1, sums[k + 's']):.4f}" for k in ("said", "real", "noise", "talk"))
            print(f"{gone * minutes:.1f} min step {step} {told} x{sums['seconds'] / (time.time() - said):.0f} realtime", flush=True)
            sums.clear()
            said = time.time()
        if time.time() - scanned > 60:
            scanned = time.time()
            data.scan()
            torch.save([first, average], out + ".pt")
    torch.save([first, average], out + ".pt")
    with torch.no_grad():
        for p, a, b in zip(params, first, average):
            p.copy_(a + share * (b - a))
    write_mdl(net, out)
    print("written", out, step, "steps")


if __name__ == "__main__":
    main()
