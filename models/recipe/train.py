# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""LF-MMI training of the English head and the trunk on augmented features (two data-parallel processes, bf16).

usage: train.py OUT MINUTES [INIT] [LR]
"""
import glob
import json
import math
import os
import random
import sys
import time
from collections import Counter

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import common as C
import lfmmi
from feats import pad
from nnet import Net, import_korean

P = len(C.PHONES)
# share of the training time of each kind of data
SHARE = {'librispeech': .26, 'speechocean': .20, 'words': .16, 'kathleen': .05, 'tts': .24, 'noise': .03, 'other': .06}

EDGES = 'edges' in sys.argv          # last minutes: silence before and after is a must, so that endpoints are found


def kind(s):
    for k in ('librispeech', 'speechocean', 'kathleen', 'tts', 'noise'):
        if s.startswith(k):
            return k
    if s in ('noise', 'sc_noise'):
        return 'noise'
    return 'words' if s.startswith(('sc_', 'speechcommands', 'fsdd', 'gcompris', 'precise')) else 'other'


def phone_lm(texts, lex, alpha=.4):
    """Interpolated phone trigram over transcripts with random optional silence."""
    rng, n = random.Random(0), P + 1
    c3, c2, c1 = Counter(), Counter(), np.ones(n)
    e3 = np.zeros((n, n, n))
    for t in texts:
        ph = []
        ws = t.split()
        if rng.random() < .8 or not ws:
            ph.append(0)
        for i, w in enumerate(ws):
            ph += rng.choice(lex[w])
            if rng.random() < (.8 if i == len(ws) - 1 else .15):
                ph.append(0)
        s = [P, P] + ph + [P]                                  # P: start and, as a target, end
        for a, b, c in zip(s, s[1:], s[2:]):
            e3[a, b, c] += 1
    e2 = e3.sum(0)
    p1 = (e2.sum(0) + 1) / (e2.sum() + n)
    p2 = (e2 + 3 * p1) / (e2.sum(1, keepdims=True) + 3)
    p3 = (e3 + 4 * p2[None]) / (e3.sum(2, keepdims=True) + 4)
    return torch.tensor(p3[:, :, :P], dtype=torch.float), torch.tensor(p3[:, :, P], dtype=torch.float)


class Data:
    def __init__(self, rank, world, lex, frames=6500):
        self.rank, self.frames, self.lex = rank, frames, lex
        self.shards, self.rng = {}, random.Random(rank * 1000 + 7)
        self.by = {}

    def scan(self):
        self.lex.update((w, [tuple(C.PID[p] for p in q) for q in ps]) for w, ps in C.load_lexicon().items())
        for p in sorted(glob.glob(f'{C.BASE}/work/feats/*.jsonl')):
            if p in self.shards:
                continue
            f = np.load(p[:-5] + 'npy', mmap_mode='r')
            self.shards[p] = f
            for l in open(p):
                m = json.loads(l)
                if m['n'] < 9 or m['n'] / 3 < 1.05 * sum(min(len(q) for q in self.lex[w]) for w in m['text'].split()):
                    continue
                self.by.setdefault('noise' if not m['text'] else kind(m['set']), []).append((m['n'], p, m['start'], m['text'], m['set']))
        self.pools = {}

    def stats(self):
        return {k: (len(v), round(sum(x[0] for x in v) / 360000, 2)) for k, v in self.by.items()}

    def batches(self):
        """One batch: utterances of like length of one or more kinds."""
        while True:
            ks = [k for k in SHARE if self.by.get(k)]
            big = []
            budget = self.frames * 12
            tot = sum(SHARE[k] for k in ks)
            for k in ks:
                need = budget * SHARE[k] / tot
                while need > 0:
                    if not self.pools.get(k):
                        self.pools[k] = self.by[k][:]
                        self.rng.shuffle(self.pools[k])
                    u = self.pools[k].pop()
                    need -= u[0] + 68
                    big.append(u)
            big.sort(key=lambda u: u[0] + self.rng.random() * 6)
            out, cur = [], []
            for u in big:
                if cur and (len(cur) + 1) * (u[0] + 68) > self.frames:
                    out.append(cur)
                    cur = []
                cur.append(u)
            if cur:
                out.append(cur)
            self.rng.shuffle(out)
            yield from out

    def tensor(self, batch, specaug=True):
        ns = [(u[0] + 2) // 3 for u in batch]
        N = max(ns)
        x = np.zeros((len(batch), 3 * N - 2 + 68, 40), 'f4')
        for i, (n, p, s, t, _) in enumerate(batch):
            f = pad(self.shards[p][s:s + n].astype('f4'))
            x[i, :len(f)] = f
            x[i, len(f):] = f[-1]
        mask = torch.arange(N)[:, None] < torch.tensor(ns)[None]
        g = lfmmi.collate([lfmmi.graph(u[3].split(), self.lex, edges=EDGES) for u in batch])
        g[0][:] = g[0].clamp_min(0)
        return torch.tensor(x), mask, g


def work(rank, world, out, minutes, init, lr0):
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(rank)
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(29500 + os.getppid() % 400))
    dist.init_process_group('gloo', rank=rank, world_size=world)
    lex = {}
    data = Data(rank, world, lex)
    data.scan()
    texts = [u[3] for v in data.by.values() for u in v]
    texts += [t for t in open(f'{C.BASE}/work/texts.txt').read().split('\n') if all(w in lex for w in t.split())]
    den = lfmmi.Denominator(*phone_lm([t for t in texts if t], lex))
    if init and init != '-':
        net = Net(2 * P)
        net.load_state_dict(torch.load(init))
    else:
        net = import_korean(f'{C.KO}/am/final.mdl', 2 * P)
    out_layer = list(net.output.parameters())
    head = list(net.pf_affine.parameters()) + list(net.pf_linear.parameters()) + list(net.prefinal_l.parameters())
    hid = {id(p) for p in head + out_layer}
    rest = [p for p in net.parameters() if id(p) not in hid]
    opt = torch.optim.AdamW([{'params': out_layer, 'base': 6.}, {'params': rest, 'base': 1.}, {'params': head, 'base': 2.}],
                            lr=lr0, betas=(.9, .98), weight_decay=1e-4)
    params = [p for p in net.parameters()]
    if rank == 0:
        print('data', data.stats(), 'params', sum(p.numel() for p in params), flush=True)
    ema = [p.detach().clone() for p in params]
    t0, step, sums, last_scan, last_save = time.time(), 0, Counter(), time.time(), time.time()
    it = data.batches()
    while True:
        el = (time.time() - t0) / 60
        fl = torch.tensor([el])
        dist.broadcast(fl, 0)
        frac = fl.item() / minutes
        if frac >= 1:
            break
        warm = min(1., (step + 1) / 60)
        cos = .5 * (1 + math.cos(math.pi * frac)) * .97 + .03
        for g in opt.param_groups:
            hot = 1. if g['base'] > 1 or init != '-' else min(1., max(0., (step - 40) / 60))
            g['lr'] = lr0 * g['base'] * cos * warm * hot
        batch = next(it)
        x, mask, G = data.tensor(batch)
        with torch.autocast('cpu', dtype=torch.bfloat16):
            y = net(x, drop=.1 * (1 - frac) + .0)
        y = y.float()
        yt = y.permute(1, 0, 2)
        with torch.no_grad():
            z = yt.detach().contiguous()
            dl, dp = den(z, mask)
            nl, npost, ok = lfmmi.numerator(z, mask, G)
            good = ok & torch.isfinite(dl) & torch.isfinite(nl)
            n = mask.sum()
            grad = (dp - npost) * (mask & good[None])[..., None] + 3e-5 * z * mask[..., None]
            grad = torch.nan_to_num(grad) / n
        opt.zero_grad()
        yt.backward(grad)
        flat = torch.cat([p.grad.view(-1) for p in params])
        dist.all_reduce(flat)
        flat /= world
        gn = flat.norm()
        flat *= min(1., 1. / (gn.item() + 1e-6))
        i = 0
        for p in params:
            p.grad.copy_(flat[i:i + p.numel()].view_as(p))
            i += p.numel()
        opt.step()
        step += 1
        if rank == 0:
            with torch.no_grad():
                torch._foreach_lerp_(ema, [p.detach() for p in params], max(.005, 1 / (step + 1)))
        d = (nl.float() - dl)
        k = 'all'
        sums['obj'] += float(d[good].sum()); sums['n'] += float(mask[:, good].sum()); sums['gn'] += gn.item(); sums['bad'] += int((~good).sum()); sums['sec'] += x.shape[0] * x.shape[1] / 100; sums['steps'] += 1
        if rank == 0 and step % 25 == 0:
            print(f"{el:.1f} min step {step} obj/frame {sums['obj'] / sums['n']:.4f} gn {sums['gn'] / sums['steps']:.2f} bad {sums['bad']} lr {opt.param_groups[1]['lr']:.2e} x{world * sums['sec'] / (time.time() - sums.get('t', t0)):.0f} realtime", flush=True)
            sums.clear()
            sums['t'] = time.time()
        if time.time() - last_scan > 100:
            last_scan = time.time()
            data.scan()
            if rank == 0:
                print('data', data.stats(), flush=True)
        if rank == 0 and time.time() - last_save > 150:
            last_save = time.time()
            torch.save(net.state_dict(), out + '.tmp')
            os.replace(out + '.tmp', out)
            torch.save(dict(zip((k for k, _ in net.named_parameters()), ema)), out + '.tmp')
            os.replace(out + '.tmp', out[:-3] + '_ema.pt')
    if rank == 0:
        torch.save(net.state_dict(), out)
        torch.save(dict(zip((k for k, _ in net.named_parameters()), ema)), out[:-3] + '_ema.pt')
        print('saved', out, flush=True)


if __name__ == '__main__':
    out, minutes = sys.argv[1], float(sys.argv[2])
    init = sys.argv[3] if len(sys.argv) > 3 else '-'
    lr = float(sys.argv[4]) if len(sys.argv) > 4 else 3e-4
    mp.spawn(work, args=(2, out, minutes, init, lr), nprocs=2)
