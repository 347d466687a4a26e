# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Measure a model folder through the stock vosk wheel on the speaker-disjoint development slice.

usage: evaluate.py MODEL_DIR [fast]
"""
import json
import os
import random
import resource
import sys
import time

import numpy as np
import soundfile as sf
from vosk import KaldiRecognizer, Model, SetLogLevel

import common as C

SetLogLevel(-1)
SC = ('backward bed bird cat dog down eight five follow forward four go happy house learn left marvin nine no off on one right '
      'seven sheila six stop three tree two up visual wow yes zero').split()


def edits(a, b):
    d = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        p, d[0] = d[0], i
        for j, y in enumerate(b, 1):
            p, d[j] = d[j], min(d[j] + 1, d[j - 1] + 1, p + (x != y))
    return d[-1]


def pcm(r):
    x, sr = sf.read(r['path'], dtype='int16')
    if r['set'] == 'fsdd':                                       # cut to the sample: give it a quiet room around
        n = np.random.default_rng(0).normal(0, 10, 9600).astype('int16')
        x = np.concatenate([n[:4800], x, n[4800:]])
    return x.tobytes()


CPU = [0., 0.]


def hear(model, r, grammar=None):
    t = time.process_time()
    rec = KaldiRecognizer(model, 16000, *([json.dumps(grammar)] if grammar else []))
    x, out = pcm(r), []
    for i in range(0, len(x), 8000):
        if rec.AcceptWaveform(x[i:i + 8000]):
            out.append(json.loads(rec.Result())['text'])
    out.append(json.loads(rec.FinalResult())['text'])
    CPU[0] += time.process_time() - t
    CPU[1] += r['seconds']
    return ' '.join(out).strip()


def sets():
    rng = random.Random(3)
    words, digits = [], []
    for l in open(f'{C.AUDIO}/manifest.jsonl'):
        r = json.loads(l)
        r['path'] = f"{C.AUDIO}/{r['path']}"
        if r['set'] in ('sc_test', 'sc_300') and r['text'] in SC and C.is_dev(r):
            words.append(r)
        if r['set'] == 'fsdd' and C.is_dev(r):
            digits.append(r)
    for l in open(f'{C.BASE}/data/manifest.jsonl'):
        r = json.loads(l)
        if r['set'] == 'speechcommands' and r['text'] in SC and C.is_dev(r):
            words.append(r)
    rng.shuffle(words)
    talk = {}
    for l in open(f'{C.BASE}/data/manifest.jsonl'):
        r = json.loads(l)
        if r['set'].startswith('librispeech') and C.is_dev(r) and r['seconds'] < 16:
            talk.setdefault(r['set'], []).append(r)
    talk = {k: rng.sample(v, min(len(v), 30)) for k, v in talk.items()}
    tts = [json.loads(l) for l in open(f'{C.BASE}/tts/manifest.jsonl')]
    tts = [r for r in tts if C.is_dev(r) and r['text'].strip()]
    tts = rng.sample(tts, min(len(tts), 80))
    return words, digits, talk, tts


def main():
    t = time.time()
    model = Model(sys.argv[1])
    load = time.time() - t
    fast = 'fast' in sys.argv
    words, digits, talk, tts = sets()
    words = words[:150 if fast else 450]
    digits = digits[:40 if fast else 110]
    rng = random.Random(5)
    res = {'load s': round(load, 2)}
    ok = sum(hear(model, r, SC) == r['text'] for r in words)
    res[f'35 commands, closed ({len(words)})'] = round(ok / len(words), 3)
    ok = sum(hear(model, r, SC + ['[unk]']) == r['text'] for r in words)
    res['35 commands, with [unk]'] = round(ok / len(words), 3)
    ten = 'zero one two three four five six seven eight nine'.split()
    ok = sum(hear(model, r, ten + ['[unk]']) == r['text'] for r in digits)
    res[f'digits with [unk] ({len(digits)})'] = round(ok / len(digits), 3)
    acc = rej = n = 0
    for r in words[:len(words) // (2 if fast else 1)]:
        other = rng.sample([w for w in SC if w != r['text']], 8)
        rej += any(w in other for w in hear(model, r, other + ['[unk]']).split())
        acc += hear(model, r, other[:7] + [r['text'], '[unk]']) == r['text']
        n += 1
    res['8 words + [unk]: right one heard'] = round(acc / n, 3)
    res['8 words + [unk]: outside word accepted'] = round(rej / n, 3)
    for k, v in talk.items():
        if fast:
            v = v[:10]
        e = w = fa = 0
        for r in v:
            ref = C.normalise(r['text']).replace('mister', 'mr').replace('missus', 'mrs').split()
            e += edits(ref, hear(model, r).split())
            w += len(ref)
        res[f'WER {k} ({len(v)})'] = round(e / w, 3)
    fa = sec = 0
    for r in sum(talk.values(), [])[:20 if fast else 60]:
        g = 'yes no stop skip pause repeat help venn'.split()
        h = [x for x in hear(model, r, g + ['[unk]']).split() if x in g and x not in r['text'].lower().split()]
        fa += len(h)
        sec += r['seconds']
    res['false commands a minute of talk'] = round(fa / sec * 60, 2)
    e = w = ok = 0
    for r in tts[:30 if fast else 80]:
        ref = C.normalise(r['text'])
        e += edits(ref.split(), hear(model, r).split())
        w += len(ref.split())
        others = [C.normalise(x['text']) for x in rng.sample(tts, 9)]
        ok += hear(model, r, [*others, ref, '[unk]']) == ref
    res['WER TTS, unseen voices'] = round(e / w, 3)
    res['TTS phrase among 10 + [unk]'] = round(ok / len(tts[:30 if fast else 80]), 3)
    res['CPU s per s of audio'] = round(CPU[0] / CPU[1], 3)
    res['peak MB'] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    for k, v in res.items():
        print(f'{k}: {v}')


if __name__ == '__main__':
    main()
