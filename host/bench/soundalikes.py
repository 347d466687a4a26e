"""Sound-alikes of every card's answer that stand in no list: `python -m host.bench.soundalikes`.

Writes host/bench/soundalikes.csv: for each card two readings in which one word of the answer gives place to
a common word that sounds near to it and is in nobody's list (no card's answer, alias, rival ...), so that the
judge can't know them. They are wrong answers of `gamehost bench hear`. Lines may be struck out by hand where a
fair person would take them for a mispronounced answer; the file, not this command, is what the bench reads.
"""

from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from host.app.evening import spoken_texts
from host.app.paths import CLUES
from host.bench.judge import sealed_packs
from host.ears.lexicon import PHONES, Lexicon, open_text, tokens
from host.ears.models import find
from host.judge.numerals import bag
from host.packs import Card, Packs
from host.phones import phone_distance

FILE = Path(__file__).parent / "soundalikes.csv"
NEAR, FAR = 0.20, 0.48
"""How far such a word may be from the answer's, in phones lost, added or changed to its length."""
COMMON = 15_000
"""Only so many of the likeliest words of the language model are taken."""
EACH = 2
UNFIT = bag("porno porn bastard cock cocks hooker marijuana handgun stalin crotch barrel's nazi sexy whore")
"""Words that nobody should hear from a bench."""


def common_words(model: Path) -> list[str]:
    """The likeliest words of dictation's language model."""
    ranked: list[tuple[float, str]] = []
    inside = False
    for line in open_text(model / "lang" / "lm.arpa.gz"):
        if line.startswith("\\"):
            inside = line.startswith("\\1-grams")
            continue
        parts = line.split()
        if inside and len(parts) >= 2 and parts[1].isalpha():
            ranked.append((-float(parts[0]), parts[1]))
    return [word for _, word in sorted(ranked)[:COMMON]]


def alike_words(
    word: str, ways: dict[str, tuple[tuple[str, ...], ...]], coded: list[str], names: list[str]
) -> list[str]:
    """Words near in sound, the nearest first, spelling variants left out."""
    found: list[tuple[float, str]] = []
    for way in ways.get(word, ())[:1]:
        code = "".join(chr(65 + PHONES.index(phone)) for phone in way)
        rough = cdist([code], coded, scorer=Levenshtein.normalized_distance)[0]
        for at in np.flatnonzero(rough <= FAR + 0.15):
            other = names[int(at)]
            distance = min(phone_distance(way, variant) for variant in ways[other]) / max(len(way), 1)
            if NEAR <= distance <= FAR and other[:5] != word[:5] and len(other) > 2:
                found.append((distance, other))
    return [other for _, other in sorted(found)]


def readings(card: Card, ways: dict[str, tuple[tuple[str, ...], ...]], coded: list[str], names: list[str]) -> list[str]:
    """Up to `EACH` sound-alikes of one answer."""
    words = list(tokens(card.answer))
    essential = {token for text in card.essential for token in tokens(text)}
    heads = sorted((word for word in words if word in essential and len(word) > 3), key=len, reverse=True) or words
    found: list[str] = []
    for head in heads:
        found += [" ".join(other if word == head else word for word in words)
                  for other in alike_words(head, ways, coded, names)[:EACH]]
    return found[:EACH]


def make(packs: Packs, model: Path) -> list[tuple[str, str]]:
    """(card, reading) for all cards."""
    listed = {token for text in spoken_texts(packs, ()) for token in tokens(text)}
    names = [word for word in common_words(model) if word not in listed | UNFIT]
    lexicon = Lexicon(model / "lang").find({*names, *listed})
    ways = {**packs.pronunciations, **lexicon}
    names = [word for word in names if word in ways]
    coded = ["".join(chr(65 + PHONES.index(phone)) for phone in ways[word][0]) for word in names]
    return [(card.id, text) for card in packs.clues for text in readings(card, ways, coded, names)]


def main() -> int:
    """Write the file anew."""
    rows = make(sealed_packs(), find(None))
    lines = [f"# Made by host/bench/soundalikes.py from {CLUES.name}/: card|what is said", *map("|".join, rows)]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(rows)} readings written to {FILE}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
