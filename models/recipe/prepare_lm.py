# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Choose the vocabulary and prune the pocketsphinx 3-gram -> OUT/lm.arpa and OUT/lexicon.txt.

usage: prepare_lm.py OUT NUM_BIGRAMS NUM_TRIGRAMS [MAX_WORDS]
"""
import os
import re
import sys

import numpy as np

import common as C


def main():
    out, nb, nt = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    nw = int(sys.argv[4]) if len(sys.argv) > 4 else 60000
    os.makedirs(out, exist_ok=True)
    lex = C.load_lexicon(guesses=False)
    uni, big, tri = C.read_arpa(C.ARPA)      # written by pocketsphinx; its trigram section cannot be written out
    okw = [w for w in uni if w in lex and re.fullmatch(r"[a-z][a-z']*", w)]
    okw.sort(key=lambda w: -uni[w][0])
    okw = okw[:nw]
    words = ['<s>', '</s>'] + okw
    wid = {w: i for i, w in enumerate(words)}
    V = len(words)
    p1 = np.array([10 ** uni[w][0] for w in words])
    p1[0] = 0
    p1 = np.maximum(p1, 2e-7 * (np.arange(V) > 1))
    p1 /= p1.sum()

    B = np.array([(wid[a], wid[b], 10 ** v[0]) for (a, b), v in big.items() if a in wid and b in wid and b != '<s>'])
    del big, tri
    print(V, 'words', len(B), 'bigrams')
    ba, bb, bp = B[:, 0].astype(int), B[:, 1].astype(int), B[:, 2]
    bow1 = np.array([10 ** uni[w][1] for w in words])
    pa = p1.copy()
    pa[0] = p1[1]                                                  # sentence starts are as many as ends
    gain = pa[ba] * bp * (np.log(bp) - np.log(bow1[ba] * p1[bb] + 1e-12))
    # what a trigram needs below it
    key = ba * V + bb
    order = np.argsort(key)
    ks, kp = key[order], bp[order]

    def p2(a, b):
        k = a * V + b
        i = np.minimum(np.searchsorted(ks, k), len(ks) - 1)
        hit = ks[i] == k
        return np.where(hit, kp[i], bow1[a] * p1[b]), hit

    # trigrams: asked from the model for the likeliest bigrams and their likeliest continuations
    joint = pa[ba] * bp
    joint[(bb == 1)] = 0
    top = np.argsort(-joint)[:45000]
    by = np.lexsort((-bp, ba))
    first = np.searchsorted(ba[by], np.arange(V + 1))
    import pocketsphinx
    lm = pocketsphinx.NGramModel.readfile(os.path.join(os.path.dirname(pocketsphinx.__file__), 'model/en-us/en-us.lm.bin'))
    T = []
    for i in top:
        a, b = int(ba[i]), int(bb[i])
        succ = by[first[b]:min(first[b + 1], first[b] + 60)]
        for c in bb[succ]:
            T.append((a, b, c, lm.prob([words[c], words[b], words[a]])))
    T = np.array(T)
    ta, tb, tc, tp = T[:, 0].astype(int), T[:, 1].astype(int), T[:, 2].astype(int), 1.0001 ** T[:, 3]
    pab, hab = p2(ta, tb)
    pbc, _ = p2(tb, tc)
    tg = pa[ta] * pab * tp * (np.log(tp) - np.log(pbc)) * hab
    tk = np.argsort(-tg)[:nt]
    ctx = set((ta[tk] * V + tb[tk]).tolist())
    gain = gain + 1e-9 * np.isin(key, np.fromiter(ctx, int, len(ctx))) * 1e3
    bk = np.argsort(-gain)[:nb]
    ba, bb, bp, key = ba[bk], bb[bk], bp[bk], key[bk]
    have = set(key.tolist())
    tk = tk[np.isin(ta[tk] * V + tb[tk], key)]
    ta, tb, tc, tp = ta[tk], tb[tk], tc[tk], tp[tk]
    # back-off weights anew
    s, sl = np.zeros(V), np.zeros(V)
    np.add.at(s, ba, bp)
    np.add.at(sl, ba, p1[bb])
    f = np.minimum(1, .98 / np.maximum(s, 1e-9))
    bp = bp * f[ba]
    bow1 = (1 - np.minimum(s, .98)) / np.maximum(1 - sl, .02)
    order = np.argsort(key)
    ks, kp = key[order], bp[order]
    tkey = ta * V + tb
    uk, inv = np.unique(tkey, return_inverse=True)
    s3, sl3 = np.zeros(len(uk)), np.zeros(len(uk))
    np.add.at(s3, inv, tp)
    np.add.at(sl3, inv, p2(tb, tc)[0])
    f3 = np.minimum(1, .98 / np.maximum(s3, 1e-9))
    tp = tp * f3[inv]
    bow2 = dict(zip(uk.tolist(), ((1 - np.minimum(s3, .98)) / np.maximum(1 - sl3, .02)).tolist()))
    L = np.log10
    with open(f'{out}/lm.arpa', 'w') as o:
        print(f'\\data\\\nngram 1={V}\nngram 2={len(ba)}\nngram 3={len(ta)}\n\n\\1-grams:', file=o)
        for i, w in enumerate(words):
            print(f'{L(p1[i]) if i else -99:.3f}\t{w}\t{L(bow1[i]):.3f}', file=o)
        print('\n\\2-grams:', file=o)
        for i in np.lexsort((bb, ba)):
            print(f'{L(bp[i]):.3f}\t{words[ba[i]]}\t{words[bb[i]]}\t{L(bow2.get(int(key[i]), 1)):.3f}', file=o)
        print('\n\\3-grams:', file=o)
        for i in np.lexsort((tc, tb, ta)):
            print(f'{L(tp[i]):.3f}\t{words[ta[i]]}\t{words[tb[i]]}\t{words[tc[i]]}', file=o)
        print('\n\\end\\', file=o)
    with open(f'{out}/lexicon.txt', 'w') as o:
        for w in sorted(set(okw) | {w for w in lex if re.fullmatch(r"[a-z][a-z']*", w)} if nw >= 60000 else set(okw) | set(C.EXTRA)):
            for p in lex[w][:4]:
                print(w, *p, file=o)
    print('kept', len(ba), len(ta))


main()
