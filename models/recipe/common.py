# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Paths, phone set, lexicon and ARPA reading shared by the scripts."""
import hashlib
import json
import os
import re

BASE = os.environ.get('ASR_BASE', '.')
KO = os.environ.get('ASR_KO', 'ko')
ARPA = os.path.join(BASE, 'en-us.arpa')
GUESSES = os.path.join(BASE, 'work/guessed.json')
AUDIO = os.environ.get('ASR_AUDIO', '../../audio')
ARPABET = ('AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH').split()
PHONES = ['SIL'] + ARPABET          # pdf 2i = first frame of phone i, 2i+1 = its later frames
PID = {p: i for i, p in enumerate(PHONES)}
EXTRA = {'venn': ['V EH N'], 'gamehost': ['G EY M HH OW S T']}


def load_lexicon(path=None, guesses=True):
    """word -> list of pronunciations (tuples of phones): CMUdict, our own and the cached guesses."""
    if path is None:
        import pocketsphinx
        path = os.path.join(os.path.dirname(pocketsphinx.__file__), 'model/en-us/cmudict-en-us.dict')
    lex = {}
    for line in open(path, encoding='utf8'):
        w, *p = line.split()
        lex.setdefault(w.split('(')[0], []).append(tuple(p))
    for w, ps in EXTRA.items():
        lex[w] = [tuple(p.split()) for p in ps]
    if guesses and os.path.exists(GUESSES):
        for w, p in json.load(open(GUESSES)).items():
            lex.setdefault(w, [tuple(p.split())])
    return lex


def read_arpa(path, min2=-99., min3=-99.):
    """unigrams {w:(logp,bow)}, bigrams {(a,b):(logp,bow)}, trigrams {(a,b,c):logp}, all log10."""
    uni, big, tri, order = {}, {}, {}, 0
    for line in open(path, encoding='utf8', errors='replace'):
        if line[0] == '\\':
            order = int(line[1]) if line[1].isdigit() else 0
            continue
        f = line.split()
        if order == 1 and len(f) >= 2:
            uni[f[1]] = (float(f[0]), float(f[2]) if len(f) > 2 else 0.)
        elif order == 2 and len(f) >= 3 and float(f[0]) > min2:
            big[f[1], f[2]] = (float(f[0]), float(f[3]) if len(f) > 3 else 0.)
        elif order == 3 and len(f) >= 4 and float(f[0]) > min3:
            tri[f[1], f[2], f[3]] = float(f[0])
    return uni, big, tri


def bucket(key, n):
    return int(hashlib.md5(key.encode()).hexdigest(), 16) % n


def speaker_key(r):
    s = str(r['speaker'])
    return s[3:] if s.startswith('sc-') else s


def is_dev(r):
    """Speaker-disjoint development slice."""
    s, k = r['set'], speaker_key(r)
    if s.startswith(('sc_', 'speechcommands')):
        return bucket(k, 5) == 0
    if s == 'fsdd':
        return k.endswith('theo')
    if s.startswith('librispeech'):
        return bucket(k, 8) == 0
    if s == 'tts':
        return k in ('tts-flite_rms', 'tts-mb_en1')
    return False


def normalise(t):
    t = t.lower().replace('’', "'").replace('-', ' ')
    return ' '.join(re.sub(r"[^a-z' ]", ' ', t).split())


def position_phones():
    """[(name, index in PHONES)] of the word-position-dependent phones; Kaldi ids count from 1."""
    return [('SIL', 0)] + [(f'{p}_{x}', PID[p]) for p in ARPABET for x in 'BEIS']
