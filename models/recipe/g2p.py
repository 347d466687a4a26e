# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Pronunciations for words missing from CMUdict: espeak-ng's en-us phonemes mapped to ARPABET (cached)."""
import json
import os
import subprocess
import sys

MAP = {'tʃ': 'CH', 'dʒ': 'JH', 'aɪ': 'AY', 'aʊ': 'AW', 'eɪ': 'EY', 'ɔɪ': 'OY', 'oʊ': 'OW', 'əʊ': 'OW', 'ɑːɹ': 'AA R', 'ɔːɹ': 'AO R',
       'oːɹ': 'AO R', 'ʊɹ': 'UH R', 'ɛɹ': 'EH R', 'ɪɹ': 'IH R', 'iə': 'IY AH', 'ɚ': 'ER', 'ɜː': 'ER', 'əl': 'AH L', 'ɑː': 'AA', 'iː': 'IY',
       'uː': 'UW', 'ɔː': 'AO', 'ɐ': 'AH', 'ə': 'AH', 'ʌ': 'AH', 'æ': 'AE', 'ɛ': 'EH', 'ɪ': 'IH', 'ᵻ': 'IH', 'i': 'IY', 'ʊ': 'UH', 'u': 'UW',
       'ɒ': 'AA', 'a': 'AE', 'e': 'EY', 'o': 'OW', 'ɔ': 'AO', 'b': 'B', 'd': 'D', 'f': 'F', 'ɡ': 'G', 'g': 'G', 'h': 'HH', 'j': 'Y', 'k': 'K',
       'l': 'L', 'm': 'M', 'n': 'N', 'ŋ': 'NG', 'p': 'P', 'ɹ': 'R', 'r': 'R', 's': 'S', 'ʃ': 'SH', 't': 'T', 'ɾ': 'T', 'ʔ': 'T', 'θ': 'TH',
       'ð': 'DH', 'v': 'V', 'w': 'W', 'z': 'Z', 'ʒ': 'ZH', 'x': 'K', 'ɬ': 'L', 'n̩': 'AH N', 'l̩': 'AH L', 'y': 'UW', 'ç': 'SH', 'ʁ': 'R'}
LONG = max(map(len, MAP))


def arpabet(ipa):
    out, i = [], 0
    ipa = ''.join(c for c in ipa if c not in 'ˈˌ ̃ʲ()\u200d-')
    while i < len(ipa):
        for n in range(LONG, 0, -1):
            if ipa[i:i + n] in MAP:
                out += MAP[ipa[i:i + n]].split()
                i += n
                break
        else:
            i += 1
    return tuple(out)


def pronounce(words):
    """{word: (phones)} for words; needs the espeak-ng program."""
    words = list(words)
    out = {}
    for i in range(0, len(words), 500):
        part = words[i:i + 500]
        r = subprocess.run(['espeak-ng', '-q', '--ipa', '-v', 'en-us'], input='\n'.join(w + '.\n' for w in part), capture_output=True, text=True)
        lines = [l for l in r.stdout.split('\n') if l.strip()]
        if len(lines) != len(part):
            lines = [subprocess.run(['espeak-ng', '-q', '--ipa', '-v', 'en-us', w], capture_output=True, text=True).stdout.strip() for w in part]
        for w, l in zip(part, lines):
            p = arpabet(l)
            if p:
                out[w] = p
    return out


def extend(lex, words, cache):
    """Add the missing words to lex, remembering them in the JSON file cache."""
    known = json.load(open(cache)) if os.path.exists(cache) else {}
    new = [w for w in set(words) if w not in lex and w not in known]
    if new:
        known.update({w: ' '.join(p) for w, p in pronounce(new).items()})
        json.dump(known, open(cache, 'w'))
    for w in set(words):
        if w not in lex and w in known:
            lex[w] = [tuple(known[w].split())]
    return lex


if __name__ == '__main__':
    for w, p in pronounce(sys.argv[1:]).items():
        print(w, *p)
