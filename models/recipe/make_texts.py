# ruff: noqa - the recipe of the model, kept as it ran; tooling, not part of the host
"""Sentences, phrases, words and numbers to synthesise: sampled from the pocketsphinx 3-gram LM and CMUdict."""
import random
import re
import sys
from collections import defaultdict

import common as C

random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
N = int(sys.argv[1])
lex = C.load_lexicon()
uni, big, tri = C.read_arpa(C.ARPA, min2=-3.0, min3=-2.0)
ok = {w for w in uni if w in lex and re.fullmatch(r"[a-z']+", w)}
succ2, succ3 = defaultdict(list), defaultdict(list)
for (a, b), p in big.items():
    if b in ok or b == '</s>':
        succ2[a].append((b, 10 ** p[0]))
for (a, b, c), p in tri.items():
    if c in ok or c == '</s>':
        succ3[a, b].append((c, 10 ** p))
freq = sorted(ok, key=lambda w: -uni[w][0])


def pick(opts):
    return random.choices([o[0] for o in opts], [o[1] for o in opts])[0]


def sentence():
    s = ['<s>']
    while len(s) < 12:
        o = succ3.get(tuple(s[-2:])) if random.random() < .7 else None
        o = o or succ2.get(s[-1])
        if not o:
            break
        w = pick(o)
        if w == '</s>':
            if len(s) > 3 or random.random() < .5:
                break
            continue
        s.append(w)
    return ' '.join(s[1:])


ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split()
TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split()


def number(n):
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10 - 2] + (' ' + ONES[n % 10] if n % 10 else '')
    if n < 1000:
        return ONES[n // 100] + ' hundred' + (' and ' if n % 100 and random.random() < .5 else ' ' if n % 100 else '') + (number(n % 100) if n % 100 else '')
    if n < 10000 and random.random() < .6 and n % 100 >= 10:
        return number(n // 100) + ' ' + number(n % 100)
    if n < 1000000:
        return number(n // 1000) + ' thousand' + (' ' + number(n % 1000) if n % 1000 else '')
    return number(n // 1000000) + ' million'


def text():
    r = random.random()
    if r < .42:
        return sentence()
    if r < .58:
        return freq[int(len(freq) * random.random() ** 2 * .5)]
    if r < .72:
        k = random.randint(2, 4)
        return ' '.join(freq[int(len(freq) * random.random() ** 2 * .6)] for _ in range(k))
    if r < .82:
        return random.choice(['the', 'a', 'it is', 'i think', 'is it', 'my answer is', 'the']) + ' ' + ' '.join(freq[int(len(freq) * random.random() ** 2 * .5)] for _ in range(random.randint(1, 2)))
    if r < .90:
        return number(int(10 ** random.uniform(0, 6.3)))
    if r < .95:
        return ' '.join(random.choices(ONES[:10], k=random.randint(1, 6)))
    if r < .965:
        return random.choice(['venn', 'venn', 'venn venn', 'hey venn', 'gamehost'])
    return random.choice('yes no pass next stop pause repeat skip quit help start again louder quieter true false red blue green yellow black white orange'.split())


seen = set()
while len(seen) < N:
    t = text().strip()
    if t and (t not in seen or len(t) < 12):
        key = t
        while key in seen:
            key += ' '
        seen.add(key)
out = list(seen)
random.shuffle(out)
for t in out:
    print(t.strip())
