# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Augment (speed, room, noise, babble, level, band, silence) and store MFCC shards for training.

usage: prep_feats.py NAME COPIES SEED SET[,SET...] [start:stop]     -> work/feats/NAME.npy + NAME.jsonl
Sets come from data/manifest.jsonl, tts/manifest.jsonl, the shared audio ('shared-words') and 'noise' (empty transcripts).
"""
import glob
import json
import os
import re
import sys

import numpy as np
import soundfile as sf
from scipy.signal import fftconvolve, resample_poly

import common as C
import g2p
from feats import mfcc

SPEEDS = [(1, 1)] * 3 + [(9, 10), (10, 9), (19, 20), (20, 19), (14, 15), (15, 14), (8, 9), (9, 8)]

# the training pool of sets that are not a pool of their own: many real speakers, as LibriSpeech; single words
POOL = {'vctk': 'librispeech+vctk', 'picovoice-coffee-whisper': 'librispeech+pico', 'alphanumeric-whisper': 'speechcommands+alnum'}


def read(p):
    x, sr = sf.read(p, dtype='float32', always_2d=True)
    x = x[:, 0]
    if sr != 16000:
        g = np.gcd(sr, 16000)
        x = resample_poly(x, 16000 // g, sr // g).astype('f4')
    return x


class Augment:
    def __init__(self, seed, babble):
        self.r = np.random.default_rng(seed)
        sh = [json.loads(l) for l in open(f'{C.AUDIO}/manifest.jsonl')]
        keep = lambda r: C.bucket(r['path'], 5) != 0                       # a fifth of rooms and noises is for tests
        self.noise = [read(f"{C.AUDIO}/{r['path']}") for r in sh if r['path'].startswith('noise') and keep(r)]
        self.rirs = []
        for r in sh:
            if r['path'].startswith('rirs') and keep(r):
                h = read(f"{C.AUDIO}/{r['path']}")
                i = int(np.abs(h).argmax())
                h = h[max(0, i - 40):i + 12000]
                self.rirs.append(h / np.sqrt((h ** 2).sum() + 1e-9))
        self.babble = babble

    def take(self, src, n):
        if len(src) < n + 10:
            src = np.tile(src, n // len(src) + 2)
        i = self.r.integers(0, len(src) - n)
        return src[i:i + n]

    def __call__(self, x, clean=False):
        r = self.r
        up, down = SPEEDS[r.integers(len(SPEEDS))]
        if up != down:
            x = resample_poly(x, up, down).astype('f4')
        a, b = r.uniform(0, .7 if len(x) < 48000 else .3, 2)
        if r.random() < .15:
            a = r.uniform(0, 1.5)
        x = np.concatenate([np.zeros(int(a * 16000), 'f4'), x, np.zeros(int(b * 16000), 'f4')])
        sp = np.sqrt((x ** 2).mean() * len(x) / max(1, (np.abs(x) > .02 * np.abs(x).max()).sum()) + 1e-9)
        if not clean:
            if r.random() < .5:
                h = self.rirs[r.integers(len(self.rirs))]
                x = fftconvolve(x, h)[:len(x)].astype('f4')
                sp = np.sqrt((x ** 2).mean() + 1e-9)
            if r.random() < .12:                                          # narrow band
                x = resample_poly(resample_poly(x, 1, 2), 2, 1)[:len(x)].astype('f4')
            if r.random() < .6:
                n = self.take(self.noise[r.integers(len(self.noise))], len(x))
                x = x + n * sp / (np.sqrt((n ** 2).mean()) + 1e-6) * 10 ** (-r.uniform(4, 30) / 20)
            if self.babble and r.random() < .12:
                n = self.take(self.babble[r.integers(len(self.babble))], len(x))
                x = x + n * sp / (np.sqrt((n ** 2).mean()) + 1e-6) * 10 ** (-r.uniform(12, 26) / 20)
        x = x + r.normal(0, sp * 10 ** (-r.uniform(35, 60) / 20), len(x)).astype('f4')
        peak = np.abs(x).max() + 1e-6
        x = x / peak * 10 ** (-r.uniform(0, 32) / 20)
        if r.random() < .04:
            x = np.clip(x * r.uniform(2, 5), -1, 1)
        return x.astype('f4')


def utterances(sets):
    for m in (f'{C.BASE}/data/manifest.jsonl', f'{C.BASE}/tts/manifest.jsonl'):
        for l in open(m):
            r = json.loads(l)
            if r['set'] in sets:
                yield r
    for l in open(f'{C.AUDIO}/manifest.jsonl'):
        r = json.loads(l)
        k = r['path'].split('/')[0]
        r['path'] = f"{C.AUDIO}/{r['path']}"
        if 'shared-words' in sets and k == 'words' and r['set'] != 'gcompris' and r['text']:
            yield r
        if 'noise' in sets and k == 'noise':
            for _ in range(6):
                yield dict(r, text='')


def main():
    name, copies, seed, sets = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(',')
    todo = list(utterances(sets))
    lex = g2p.extend(C.load_lexicon(), [w for r in todo for w in C.normalise(r['text']).split()], C.GUESSES)
    utts, oov = [], 0
    for r in todo:
        t = C.normalise(r['text'])
        if any(w not in lex for w in t.split()):
            oov += 1
        elif r['seconds'] < 24 and not C.is_dev(r):
            utts.append(dict(r, text=t))
    if len(sys.argv) > 5:
        a, b = map(int, sys.argv[5].split(':'))
        utts = utts[a:b]
    print(name, len(utts), 'utterances', round(sum(u['seconds'] for u in utts) / 3600, 2), 'h', oov, 'oov dropped', flush=True)
    ls = [json.loads(l) for l in open(f'{C.BASE}/data/manifest.jsonl')]
    ls = [r for r in ls if r['set'].startswith('librispeech') and not C.is_dev(r)]
    aug = Augment(seed, [read(r['path']) for r in ls[seed % 7::max(1, len(ls) // 40)]])
    os.makedirs(f'{C.BASE}/work/feats', exist_ok=True)
    chunks, meta, pos = [], [], 0
    for u in utts:
        try:
            x = read(u['path'])
        except Exception as e:
            print(u['path'], e)
            continue
        for c in range(copies):
            if not u['text']:
                y = aug.take(x, int(16000 * aug.r.uniform(1, 4)))
                y = y * 10 ** (-aug.r.uniform(0, 35) / 20) / (np.abs(y).max() + 1e-4)
            else:
                y = aug(x, clean=copies > 1 and c == 0 and aug.r.random() < .6)
            f = mfcc(y)
            if len(f) < 9:
                continue
            chunks.append(f.astype('f2'))
            meta.append({'start': pos, 'n': len(f), 'text': u['text'], 'set': POOL.get(u['set'], u['set']), 'speaker': u['speaker']})
            pos += len(f)
    np.save(f'{C.BASE}/work/feats/{name}.npy', np.concatenate(chunks))
    with open(f'{C.BASE}/work/feats/{name}.tmp', 'w') as o:
        for m in meta:
            print(json.dumps(m), file=o)
    os.rename(f'{C.BASE}/work/feats/{name}.tmp', f'{C.BASE}/work/feats/{name}.jsonl')
    print(name, 'done', len(meta), round(pos / 360000, 2), 'h')


if __name__ == '__main__':
    main()
