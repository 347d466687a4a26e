# ruff: noqa: C901, E501 - tooling that runs once a model, no part of the host
"""What is spoken for the adaptation: guesses, commands, calls, list words, near words, cards read aloud.

    python models/adapt/texts.py OUT.jsonl [COUNT] [SEED] [kokoro]

Writes one JSON a line: voice, way (how that voice is asked), text, words (as the lexicon spells them). Nothing of it
is spoken by a test voice of audio_fixtures/voices.toml, and no sound-alike of host/bench/soundalikes.csv is in it.
With `kokoro` it is for the voices that host/bench/kokoro.py fetches.
Near words come from the whole lexicon, so that the net learns to tell the answers from what sounds like them.
"""

import gzip
import json
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from host.bench.kokoro import names  # noqa: E402
from host.bench.venn_voices import PEOPLE, WAYS  # noqa: E402 - the project's own tables
from host.ears.lexicon import Lexicon, tokens  # noqa: E402
from host.ears.near import NearWords  # noqa: E402
from host.packs import decks  # noqa: E402
from host.table.venn_words import NEAR  # noqa: E402
from host.understand.phrases import COLOURS, COMMANDS  # noqa: E402

MODEL = ROOT / "models/vosk-model-small-en-gamehost"
CARRIERS = ("is it {}", "i think it's {}", "it's {}", "the answer is {}", "is it um {}", "could it be {}", "is that {}",
            "it must be {}", "maybe it's {}", "{} i think", "i say {}", "{}", "{}", "{}", "{}", "{}")
COMMON = ("yes", "no", "yes please", "no thanks", "ready", "i'm ready", "go", "start", "stop", "next", "number {}", "word {}",
          "{} of us", "i said it", "that was me", "it was me", "what", "okay")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TEAMS = ("foxes", "owls", "bears", "wolves", "lions", "eagles")
NOISY_VOICES = tuple(name for name in WAYS if name.startswith("espeak"))
# MBROLA's voices are free for non-commercial use only: the adaptation does without them.
FREE = tuple(name for name in PEOPLE if not name.startswith(("us1", "us2", "us3")))
FESTIVAL = ("ked_diphone", "rab_diphone", "kal_diphone", "cmu_us_slt_arctic_hts")
JOE = tuple(f"joe+{length}+{noise}" for length in (0.8, 0.95, 1.1, 1.3) for noise in (0.5, 0.8))


def kokoro(draw: random.Random, voices: list[str]) -> str:
    """A voice of Kokoro's or a blend of two of one sex; those at home in English twice as often as the others."""
    weights = [2 if name[0] in "ab" else 1 for name in voices]
    one = draw.choices(voices, weights)[0]
    if draw.random() < 0.4:
        one += "~" + draw.choice([name for name in voices if name[1] == one[1] and name != one])
    return f"kokoro+{one}+{draw.choice((0.8, 0.9, 1.0, 1.0, 1.1, 1.25))}"


def voice(draw: random.Random, short: bool) -> str:
    """Whose turn it is; the slow programs speak what is short."""
    return draw.choice(draw.choices((FREE, FESTIVAL, JOE, NOISY_VOICES), (42, 22 if short else 10, 24, 12))[0])


def common_words(lexicon: dict[str, object], count: int) -> list[str]:
    """The likeliest words of the language model that have a pronunciation."""
    found = []
    with gzip.open(MODEL / "lang/lm.arpa.gz", "rt", encoding="utf8") as file:
        for line in file:
            if line.startswith("\\2-grams"):
                break
            fields = line.split()
            if len(fields) >= 2 and fields[1] in lexicon and fields[1].isalpha() and len(fields[1]) > 1:
                found.append((-float(fields[0]), fields[1]))
    return [word for _, word in sorted(found)[:count]]


def main() -> None:
    """Draw and write."""
    out, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 9000
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    more = list(names()) if len(sys.argv) > 4 else []
    packs = decks.load(ROOT / "clues", pronunciations={})
    everything = Lexicon(MODEL / "lang")
    lexicon = everything.find()
    common = common_words(lexicon, 12000)
    near = NearWords(everything, set(common).__contains__)
    first = [line.strip().lower() for line in (ROOT / "clues/names.txt").read_text().splitlines()
             if line.strip() and not line.startswith("#")]
    colours = list(COLOURS)
    answers = [text for card in packs.clues for text in (card.answer, card.answer, *card.aliases, *card.rivals)]
    commands = [text for texts in COMMANDS.values() for text in texts]
    statements = [text for card in packs.clues for text in card.statements]
    listed = [text for card in packs.words for text in card]

    def owned(text: str) -> str:
        said = draw.choice(CARRIERS).format(text)
        who = draw.choice(colours) if draw.random() < 0.8 else draw.choice(first)
        roll = draw.random()
        return f"{who}, {said}" if roll < 0.45 else f"{said}, {who}" if roll < 0.53 else said

    def guess() -> str:
        return owned(draw.choice(answers))

    def alike() -> str:
        """An answer with one word replaced by one that sounds near to it."""
        for _ in range(9):
            words = list(tokens(draw.choice(answers)))
            at = draw.randrange(len(words))
            if len(words[at]) > 2 and (others := near.of(words[at], lexicon.get(words[at], ()), 12)):
                words[at] = draw.choice(others)
                return owned(" ".join(words))
        return guess()

    def table() -> str:
        roll = draw.random()
        if roll < 0.35:
            return draw.choice(colours) if draw.random() < 0.6 else f"{draw.choice(first)} is {draw.choice(colours)}"
        if roll < 0.8:
            return draw.choice(commands)
        return draw.choice(COMMON).format(draw.choice(NUMBERS))

    def venn() -> str:
        roll = draw.random()
        if roll < 0.35:
            return draw.choice(("venn", "venn", f"venn {draw.choice(TEAMS)}", f"{draw.choice(TEAMS)} venn",
                                f"{draw.choice(listed)} venn", f"venn {draw.choice(listed)}"))
        if roll < 0.5:
            return draw.choice(NEAR if draw.random() < 0.5 else ("when", "then", "ten", "men", "van", "vent", "fan", "end"))
        if roll < 0.85:
            return ", ".join(draw.choices(listed, k=draw.choice((1, 1, 2, 3))))
        return ", ".join(draw.sample(NUMBERS, draw.choice((1, 3, 3))))

    def plain() -> str:
        return " ".join(draw.choices(common[:9000], k=draw.choice((1, 1, 2, 3))))

    def read() -> str:
        words = draw.choice(statements).split()
        size = draw.choice((4, 7, 12))
        at = draw.randrange(max(1, len(words) - size))
        return " ".join(words[at : at + size])

    kinds = ((guess, 38), (alike, 14), (table, 14), (venn, 10), (plain, 12), (read, 12))
    with out.open("w") as file:
        written = 0
        while written < count:
            kind = draw.choices([one for one, _ in kinds], [weight for _, weight in kinds])[0]
            text = kind()
            said = tokens(text)
            if not said or any(not word.replace("'", "").isalpha() for word in said):
                continue
            who = kokoro(draw, more) if more else voice(draw, len(said) < 6)
            print(json.dumps({"voice": who, "text": text, "words": list(said)}), file=file)
            written += 1


if __name__ == "__main__":
    main()
