# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Build graph/ of the Vosk model (HCLr.fst, Gr.fst, words.txt ...) from phones, lexicon and language model.

Pure Python and NumPy; no OpenFst or Kaldi needed.

usage: build_graph.py --lang LANG_DIR --out MODEL_DIR [--words extra.txt] [--lm-scale F] [--unk-scale F] [--unk-cost F]

LANG_DIR holds lexicon.txt ("word PH PH ..." in ARPABET without stress) and lm.arpa.
extra.txt adds words: "word PH PH ...", or "word" alone for a guess by espeak-ng; "word@-4.0 ..." sets its log10
probability in free dictation (default -5.5).
"""
import argparse
import math
import os
import struct
import sys
from collections import defaultdict

import numpy as np

import common as C

MAGIC, ADDON = 2125659606, 446681434
LN10 = math.log(10)
# property bits of OpenFst, known true for the two files
HCL_PROPS = 0x1 | 0x20000 | 0x80000 | 0x200000 | 0x400000 | 0x1000000 | 0x4000000 | 0x20000000 | 0x40000000 | (0x65A5 << 32)
G_PROPS = 0x1 | 0x10000 | 0x40000 | 0x100000 | 0x400000 | 0x1000000 | 0x4000000 | 0x10000000 | 0x40000000 | (0x65A5 << 32)
PSIL = .5


def header(kind, version, props, start, states, arcs):
    s = lambda b: struct.pack('<i', len(b)) + b
    return struct.pack('<i', MAGIC) + s(kind) + s(b'standard') + struct.pack('<iiQqqq', version, 0, props, start, states, arcs)


class Fst:
    """Arcs (ilabel, olabel, weight, next) by state, written as an OpenFst ConstFst."""

    def __init__(self):
        self.arcs, self.final = [], []

    def state(self, final=math.inf):
        self.arcs.append([])
        self.final.append(final)
        return len(self.arcs) - 1

    def arc(self, s, i, o, w, d):
        self.arcs[s].append((i, o, w, d))

    def const(self, props, start=0):
        n = [len(a) for a in self.arcs]
        st = np.zeros(len(n), [('final', '<f4'), ('pos', '<u4'), ('n', '<u4'), ('ie', '<u4'), ('oe', '<u4')])
        flat = np.array([x for a in self.arcs for x in a], [('i', '<i4'), ('o', '<i4'), ('w', '<f4'), ('d', '<i4')])
        st['final'], st['n'] = self.final, n
        st['pos'] = np.concatenate([[0], np.cumsum(n)[:-1]])
        own = np.repeat(np.arange(len(n)), n)
        np.add.at(st['ie'], own, flat['i'] == 0)
        np.add.at(st['oe'], own, flat['o'] == 0)
        return header(b'const', 2, props, start, len(n), len(flat)) + st.tobytes() + flat.tobytes()


def read_lexicon(path):
    lex = defaultdict(list)
    for line in open(path, encoding='utf8'):
        w, *p = line.split()
        if p and tuple(p) not in lex[w]:
            lex[w].append(tuple(p))
    return lex


def add_words(path, lex):
    """Read extra.txt into lex; {word: log10 probability} of the added ones."""
    extra, guess = {}, []
    for line in open(path, encoding='utf8'):
        f = line.split('#')[0].split()
        if not f:
            continue
        w, _, p = f[0].lower().partition('@')
        extra[w] = float(p) if p else -5.5
        if len(f) > 1:
            bad = [x for x in f[1:] if x not in C.ARPABET]
            if bad:
                sys.exit(f'{w}: unknown phones {bad}; use {" ".join(C.ARPABET)}')
            if tuple(f[1:]) not in lex[w]:
                lex[w].append(tuple(f[1:]))
        elif not lex[w]:
            guess.append(w)
    if guess:
        import g2p
        for w, p in g2p.pronounce(guess).items():
            lex[w].append(p)
            print('guessed', w, *p)
    for w in [w for w in lex if not lex[w]]:
        sys.exit(f'no pronunciation for {w}')
    return extra


def build_hcl(lex, prior, unk_cost, unk_scale):
    """-> (fst, label of each word, label intervals reachable from each state)."""
    names = {n: i for i, (n, _) in enumerate(C.position_phones(), 1)}
    fwd, loop = {n: 2 * i for n, i in names.items()}, {n: 2 * i - 1 for n, i in names.items()}
    # prefix tree over position-dependent phones: node = [children, words here, number of leaves below]
    root = [{}, [], 0]
    for w, prons in lex.items():
        for k, p in enumerate(prons):
            seq = [p[0] + '_S'] if len(p) == 1 else [p[0] + '_B', *[x + '_I' for x in p[1:-1]], p[-1] + '_E']
            node = root
            node[2] += 1
            for x in seq:
                node = node[0].setdefault(x, [{}, [], 0])
                node[2] += 1
            node[1].append((w, .7 * (k > 0)))
    f, label = Fst(), {}
    reach = []                                                   # per state: None = everything, or a list of labels

    def state(r=None, final=math.inf):
        reach.append(r)
        return f.state(final)

    start, L, S, after = state(), state(final=0.), state(final=0.), state()
    sil, no = -math.log(PSIL), -math.log(1 - PSIL)
    f.arc(start, 0, 0, no, L)
    f.arc(start, fwd['SIL'], 0, sil, S)
    f.arc(S, loop['SIL'], 0, 0., S)
    f.arc(S, 0, 0, 0., L)
    f.arc(after, 0, 0, no, L)
    f.arc(after, fwd['SIL'], 0, sil, S)
    chain_states = {}

    def chain(cur, rest):
        """State in phone cur of a word already decided, with the phones rest to come."""
        s = chain_states.get((cur, rest))
        if s is None:
            s = chain_states[cur, rest] = state()
            f.arc(s, loop[cur], 0, 0., s)
            if rest:
                f.arc(s, fwd[rest[0]], 0, 0., chain(rest[0], rest[1:]))
            else:
                f.arc(s, 0, 0, no, L)
                f.arc(s, fwd['SIL'], 0, sil, S)
        return s

    def lab(w):
        return label.setdefault(w, len(label) + 1)

    def only(node):
        """The single word below and the phones to it."""
        rest = []
        while not node[1]:
            (x, node), = node[0].items()
            rest.append(x)
        return node[1][0], tuple(rest)

    def grow(node, s):
        """Arcs of s for the children of a shared node; returns the labels below."""
        below = set()
        for x in sorted(node[0]):
            c = node[0][x]
            if c[2] == 1:
                (w, cost), rest = only(c)
                l = lab(w)
                f.arc(s, fwd[x], l, cost, chain(x, rest))
                below.add(l)
            else:
                t = state([])
                f.arc(s, fwd[x], 0, 0., t)
                f.arc(t, loop[x], 0, 0., t)
                b = grow(c, t)
                for w, cost in c[1]:
                    l = lab(w)
                    f.arc(t, 0, l, cost, after)
                    b.add(l)
                reach[t] = sorted(b)
                below |= b
        return below

    sys.setrecursionlimit(10000)
    grow(root, L)
    # [unk]: a phone loop weighted by a phone bigram of the lexicon
    unk = lab('[unk]')
    n = len(C.ARPABET)
    ix = {p: i for i, p in enumerate(C.ARPABET)}
    cnt = np.full((n + 1, n + 1), .5)
    for w, prons in lex.items():
        wt = prior.get(w, 1e-7) ** .5
        for a, b in zip((n, *[ix[p] for p in prons[0]]), (*[ix[p] for p in prons[0]], n)):
            cnt[a, b] += wt * 100
    cost = -np.log(cnt / cnt.sum(1, keepdims=True)) * unk_scale
    mid = {(p, x): state() for p in C.ARPABET for x in 'BI'}
    for p in C.ARPABET:
        f.arc(L, fwd[p + '_B'], unk, unk_cost + cost[n, ix[p]], mid[p, 'B'])
        f.arc(L, fwd[p + '_S'], unk, unk_cost + cost[n, ix[p]] + cost[ix[p], n], chain(p + '_S', ()))
        for x in 'BI':
            s = mid[p, x]
            f.arc(s, loop[f'{p}_{x}'], 0, 0., s)
            for q in C.ARPABET:
                f.arc(s, fwd[q + '_I'], 0, cost[ix[p], ix[q]], mid[q, 'I'])
                f.arc(s, fwd[q + '_E'], 0, cost[ix[p], ix[q]] + cost[ix[q], n], chain(q + '_E', ()))
    for a in f.arcs:
        a.sort(key=lambda x: (x[1], x[0]))
    return f, label, reach


def lookahead(f, reach, num_labels):
    """File bytes of the olabel_lookahead FST."""
    end = num_labels + 1                                         # the label that stands for "final"
    parts = [header(b'olabel_lookahead', 1, HCL_PROPS, -1, 0, 0), struct.pack('<i', ADDON), f.const(HCL_PROPS),
             b'\1\0\1\0\0', struct.pack('<iq', end, len(reach))]
    everything = struct.pack('<qiii', 1, 1, end + 1, end)
    for r in reach:
        if r is None:
            parts.append(everything)
            continue
        iv = []
        for l in r:
            if iv and iv[-1][1] == l:
                iv[-1][1] = l + 1
            else:
                iv.append([l, l + 1])
        parts.append(struct.pack('<q', len(iv)) + b''.join(struct.pack('<ii', *i) for i in iv) + struct.pack('<i', len(r)))
    return b''.join(parts)


def build_g(arpa, label, extra, start_boost, scale=1.):
    """The back-off language model as an acceptor over word labels."""
    uni, big, tri = C.read_arpa(arpa)
    f = Fst()
    st = {}
    hist2 = {a for a, _ in big} & set(uni)
    hist3 = {(a, b) for a, b, _ in tri}
    order = [('<s>',), ()] + sorted((a,) for a in hist2 if a != '<s>') + sorted(hist3)
    for h in order:
        st[h] = f.state()
    keep = lambda w: w in label
    for h, s in st.items():                                      # back-off arcs first: label 0
        if len(h) == 1:
            f.arc(s, 0, 0, -uni[h[0]][1] * LN10 + (start_boost if h[0] == '<s>' else 0), st[()])
        elif len(h) == 2:
            low = (h[1],) if (h[1],) in st else ()
            f.arc(s, 0, 0, -big[h][1] * LN10, st[low])
    for w, (p, _) in list(uni.items()) + [(w, (p, 0)) for w, p in extra.items() if w not in uni]:
        if w == '</s>':
            f.final[st[()]] = -p * LN10
        elif keep(w):
            if w in extra:
                p = max(p, extra[w])
            f.arc(st[()], label[w], label[w], -p * LN10, st.get((w,), st[()]))
    for (a, b), (p, _) in big.items():
        s = st[a,]
        if b == '</s>':
            f.final[s] = -p * LN10
        elif keep(b):
            f.arc(s, label[b], label[b], -p * LN10, st.get((a, b)) or st.get((b,), st[()]))
    for (a, b, c), p in tri.items():
        s = st[a, b]
        if c == '</s>':
            f.final[s] = -p * LN10
        elif keep(c):
            f.arc(s, label[c], label[c], -p * LN10, st.get((b, c)) or st.get((c,), st[()]))
    f.arcs = [sorted((i, o, w * scale, d) for i, o, w, d in a) for a in f.arcs]
    f.final = [x * scale for x in f.final]
    return f


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--lang', required=True)
    ap.add_argument('--out', required=True)
    ap.add_argument('--words')
    ap.add_argument('--unk-cost', type=float, default=1.2)
    ap.add_argument('--unk-scale', type=float, default=.45)
    ap.add_argument('--lm-scale', type=float, default=1., help='weight of the language model in free dictation')
    ap.add_argument('--start-boost', type=float, default=0., help='added to the back-off cost at the start of a phrase')
    o = ap.parse_args()
    lex = read_lexicon(f'{o.lang}/lexicon.txt')
    extra = add_words(o.words, lex) if o.words else {}
    prior = {}
    with open(f'{o.lang}/lm.arpa', encoding='utf8') as a:
        for line in a:
            if line.startswith('\\2'):
                break
            x = line.split()
            if len(x) == 3 and x[0][0] == '-':
                prior[x[1]] = 10 ** float(x[0])
    hcl, label, reach = build_hcl(lex, prior, o.unk_cost, o.unk_scale)
    g = f'{o.out}/graph'
    os.makedirs(g + '/phones', exist_ok=True)
    open(f'{g}/HCLr.fst', 'wb').write(lookahead(hcl, reach, len(label)))
    gr = build_g(f'{o.lang}/lm.arpa', label, extra, o.start_boost, o.lm_scale)
    open(f'{g}/Gr.fst', 'wb').write(gr.const(G_PROPS))
    with open(f'{g}/words.txt', 'w') as t:
        t.write('<eps> 0\n' + ''.join(f'{w} {i}\n' for w, i in label.items()))
    names = [n for n, _ in C.position_phones()]
    with open(f'{g}/phones.txt', 'w') as t:
        t.write('<eps> 0\n' + ''.join(f'{n} {i}\n' for i, n in enumerate(names, 1)))
    kind = {'B': 'begin', 'E': 'end', 'I': 'internal', 'S': 'singleton'}
    with open(f'{g}/phones/word_boundary.int', 'w') as t:
        t.write(''.join(f"{i} {kind[n[-1]] if '_' in n else 'nonword'}\n" for i, n in enumerate(names, 1)))
    open(f'{g}/disambig_tid.int', 'w').write(f'{2 * len(names) + 1}\n')
    print(len(label), 'words', len(hcl.arcs), 'HCL states', sum(map(len, hcl.arcs)), 'arcs', len(gr.arcs), 'G states', sum(map(len, gr.arcs)), 'arcs')


if __name__ == '__main__':
    main()
