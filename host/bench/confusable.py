"""Which of Venn's words does the recogniser take for one another? Writes clues/venn/confusable.toml (VN-2).

    python -m host.bench.confusable [--words FILE] [--model FOLDER] [--out FILE] [--seed N]

Every list word is spoken by the tuning voices, dry and with pink noise, and heard by a grammar of the
word, the eleven that sound nearest to it, and `[unk]`: the worst round that could be drawn. A pair
confused even once is kept out of every round; then the words concerned are tried again among the next
nearest, until nothing new turns up. From the same trials comes `closest`: the distance in sound below
which more than one trial in five hundred is confused, for words that were never measured.

At the end, rounds with and without the table, as drawn and at their worst, are heard in voices of which
the table knows nothing (still tuning voices: no figure for the README).
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from host.app.paths import CLUES, MODELS, ROOT, shared_folder
from host.ears.lexicon import open_text
from host.games.venn_words import alike, draw_words, plain, sound_distance
from host.packs import Board, PackError, Packs
from host.packs.decks import load_words

RATE = 16_000
NEIGHBOURS = 11
PASSES = 4
DECIBELS = (None, 10.0, 5.0)
"""Noise below the speech, in decibel; None is dry."""
WANTED = 1 / 500
"""Confusions a trial that a pair may have at `closest` and beyond."""
STEP = 0.02
ROUNDS = 12
WORST = 25
"""Words named that are heard worst: candidates for better ones."""
VOICES: dict[str, tuple[str, ...]] = {
    "rms": ("flite", "-voice", "rms", "-t", "{text}", "-o", "{file}"),
    "slt": ("flite", "-voice", "slt", "-t", "{text}", "-o", "{file}"),
    "kal16": ("flite", "-voice", "kal16", "-t", "{text}", "-o", "{file}"),
    "us1": ("espeak-ng", "-v", "mb-us1", "-w", "{file}", "{text}"),
    "us2": ("espeak-ng", "-v", "mb-us2", "-w", "{file}", "{text}"),
}
"""Tuning voices (never the test voices), and how each is asked."""
MEASURING, CHECKING = ("rms", "slt", "kal16"), ("us1", "us2")

Sound = NDArray[np.float64]
Pair = tuple[str, str]


@dataclass
class Tally:
    """What was heard so far: trials and confusions by pair, words that were not heard at all."""

    trials: Counter[Pair] = field(default_factory=Counter)
    confused: Counter[Pair] = field(default_factory=Counter)
    heard: int = 0
    missed: Counter[str] = field(default_factory=Counter)


def spoken(voice: str, text: str) -> Sound:
    """The text in that voice at 16 kHz, level, with a third of a second of quiet on either side."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clip.wav"
        command = [part.format(text=text, file=file) for part in VOICES[voice]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        sound, rate = soundfile.read(str(file), dtype="float64", always_2d=True)
    mono: Sound = soxr.resample(sound[:, 0], rate, RATE)
    level = float(np.sqrt(np.mean(mono[np.abs(mono) > 0.01] ** 2))) or 1.0
    quiet = np.zeros(RATE // 3)
    return np.concatenate([quiet, mono * (0.05 / level), quiet])


def noisy(sound: Sound, decibel: float | None, seed: str) -> Sound:
    """The sound with pink noise so many decibel below its active frames."""
    if decibel is None:
        return sound
    draw = np.random.default_rng([ord(char) for char in seed])
    spectrum = np.fft.rfft(draw.standard_normal(len(sound)))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    noise = np.fft.irfft(spectrum, len(sound))
    noise *= 0.05 / 10 ** (decibel / 20) / float(np.sqrt(np.mean(noise**2)))
    return np.asarray(sound + noise)


class Ear:
    """The model, asked with a closed list each time."""

    def __init__(self, folder: Path) -> None:
        import vosk

        vosk.SetLogLevel(-1)
        self._vosk = vosk
        self._model = vosk.Model(str(folder))
        self._clips: dict[tuple[str, str], Sound] = {}

    def hear(self, word: str, voice: str, decibel: float | None, listed: tuple[str, ...]) -> str:
        """Which of the listed words comes back for that word, "" for none."""
        clip = self._clips.get((word, voice))
        if clip is None:
            clip = self._clips[word, voice] = spoken(voice, word)
        data = (np.clip(noisy(clip, decibel, f"{word}{voice}{decibel}"), -1, 1) * 32767).astype("<i2").tobytes()
        grammar = json.dumps([*map(plain, listed), "[unk]"])
        recogniser: Any = self._vosk.KaldiRecognizer(self._model, RATE, grammar)
        text = ""
        for first in range(0, len(data), 6400):
            if recogniser.AcceptWaveform(data[first : first + 6400]):
                text += " " + json.loads(recogniser.Result())["text"]
        text = f" {text} {json.loads(recogniser.FinalResult())['text']} "
        found = [one for one in listed if f" {plain(one)} " in text]
        return word if word in found else found[0] if found else ""


def pair_of(one: str, other: str) -> Pair:
    """Two list words as the table names them."""
    first, second = sorted((plain(one), plain(other)))
    return first, second


def sounds_of(words: tuple[str, ...], lexicon: Path) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The pronunciations of all words. Raises PackError where the model lacks one."""
    wanted = {part for word in words for part in plain(word).split()}
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in open_text(lexicon):
        word, *phones = line.split()
        if word in wanted:
            found.setdefault(word, []).append(tuple(phones))
    missing = sorted(wanted - set(found))
    if missing:
        raise PackError(f"the model does not know {', '.join(missing)}; take other words, or add them to its lexicon")
    return {word: tuple(ways) for word, ways in found.items()}


def nearest(word: str, words: tuple[str, ...], packs: Packs, without: set[Pair]) -> tuple[str, ...]:
    """The words that sound nearest to this one, those apart already left out."""
    others = [other for other in words if other != word and pair_of(word, other) not in without]
    return tuple(sorted(others, key=lambda other: (sound_distance(word, other, packs), other))[:NEIGHBOURS])


def measure(ear: Ear, words: tuple[str, ...], packs: Packs) -> Tally:
    """Try every word in its worst round, again and again without the pairs that were confused."""
    tally, todo = Tally(), words
    for turn in range(PASSES):
        again: set[str] = set()
        without = set(tally.confused)
        for word in todo:
            listed = (word, *nearest(word, words, packs, without))
            for voice in MEASURING:
                for decibel in DECIBELS:
                    heard = ear.hear(word, voice, decibel, listed)
                    tally.heard += 1
                    tally.missed[word] += not heard
                    tally.trials.update(pair_of(word, other) for other in listed[1:])
                    if heard and heard != word:
                        tally.confused[pair_of(word, heard)] += 1
                        again |= {word, heard}
        print(f"pass {turn + 1}: {len(todo)} words tried, {len(tally.confused)} pairs confused so far", flush=True)
        todo = tuple(word for word in words if word in again)
        if not todo:
            break
    return tally


def closest(tally: Tally, distances: dict[Pair, float]) -> float:
    """The distance from which on trials are confused no more often than wanted; prints the curve."""
    print("distance  pairs  trials  confused  share of trials at this distance or beyond")
    chosen = 0.0
    edges = [round(STEP * count, 2) for count in range(int(0.8 / STEP) + 1)]
    for edge in reversed(edges):
        here = [pair for pair in tally.trials if edge <= distances[pair] < edge + STEP]
        beyond = [pair for pair in tally.trials if distances[pair] >= edge]
        trials = sum(tally.trials[pair] for pair in beyond)
        share = sum(tally.confused[pair] for pair in beyond) / trials if trials else 0.0
        if here:
            print(f"{edge:8.2f} {len(here):6} {sum(tally.trials[p] for p in here):7} "
                  f"{sum(tally.confused[p] for p in here):9}  {100 * share:.2f} %")
        if here and share > WANTED and not chosen:
            chosen = round(edge + STEP, 2)
    return chosen


def written(tally: Tally, distances: dict[Pair, float], threshold: float, model: str) -> str:
    """The table as TOML."""
    pairs = sorted(tally.confused, key=lambda pair: (-tally.confused[pair], pair))
    rows = "".join(
        f'  ["{one}", "{other}"],  # {tally.confused[one, other]} of {tally.trials[one, other]}, '
        f"distance {distances[one, other]:.2f}\n" for one, other in pairs
    )
    return (
        "# Written by `python -m host.bench.confusable`: list words that must not stand in one round (VN-2).\n"
        f"# Voices {', '.join(MEASURING)}, dry and with noise at 10 and 5 dB; {tally.heard} words heard,\n"
        f"# {tally.missed.total()} of them as none of the list.\n"
        f'model = "{model}"\nclosest = {threshold}\npairs = [\n{rows}]\n'
    )


def wrong_in(ear: Ear, rounds: list[tuple[str, tuple[str, ...]]]) -> tuple[int, int]:
    """(words taken for another of their list, words heard), in voices that nothing was measured with, at 5 dB."""
    wrong = total = 0
    for word, listed in rounds:
        for voice in CHECKING:
            wrong += ear.hear(word, voice, 5.0, listed) not in ("", word)
            total += 1
    return wrong, total


def drawn_rounds(packs: Packs, seed: int) -> list[tuple[str, tuple[str, ...]]]:
    """Each word of some rounds as they are drawn, with its list."""
    draw, rounds = random.Random(seed), list[tuple[str, tuple[str, ...]]]()
    used: tuple[str, ...] = ()
    for _ in range(ROUNDS):
        cards, used, _anew = draw_words(packs, used, draw)
        listed = tuple(word for card in cards for word in card)
        rounds += [(word, listed) for word in listed]
    return rounds


def worst_rounds(words: tuple[str, ...], packs: Packs, seed: int) -> list[tuple[str, tuple[str, ...]]]:
    """Some words, each among the nearest that may stand in one round with it."""
    without = {pair_of(one, other) for one, other in combinations(words, 2) if alike(one, other, packs)}
    sample = random.Random(seed).sample(words, ROUNDS * 12)
    return [(word, (word, *nearest(word, words, packs, without))) for word in sample]


def main(arguments: list[str] | None = None) -> int:
    """Measure, write the table, and look what it is good for."""
    parser = argparse.ArgumentParser(prog="python -m host.bench.confusable", description=__doc__.splitlines()[0])
    name = "vosk-model-small-en-gamehost"
    folder = next((one for one in (MODELS / name, shared_folder() / "models" / name) if (one / "graph").is_dir()),
                  MODELS / name)
    parser.add_argument("--words", type=Path, default=CLUES / "venn" / "words.toml")
    parser.add_argument("--model", type=Path, default=folder, help="a model folder with its graph")
    parser.add_argument("--lexicon", type=Path, default=MODELS / name / "lang" / "lexicon.txt.gz")
    parser.add_argument("--out", type=Path, default=CLUES / "venn" / "confusable.toml")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if not (options.model / "graph").is_dir():
        print(f"{options.model} has no graph yet; build it first, or name another model with --model")
        return 2
    cards = load_words(options.words)
    words = tuple(word for card in cards for word in card)
    packs = Packs((), (), Board("none", "none", ()), cards, pronunciations=sounds_of(words, options.lexicon))
    distances = {pair_of(one, other): sound_distance(one, other, packs) for one, other in combinations(words, 2)}
    ear = Ear(options.model)
    tally = measure(ear, words, packs)
    threshold = closest(tally, distances)
    deaf = ", ".join(f"{word} {count}" for word, count in tally.missed.most_common(WORST) if count)
    print(f"most often heard as none of the list: {deaf}")
    options.out.write_text(written(tally, distances, threshold, options.model.name), encoding="utf-8")
    shut = sum(distance < threshold or pair in tally.confused for pair, distance in distances.items())
    print(f"{len(tally.confused)} pairs confused, closest {threshold}: {shut} of {len(distances)} pairs kept apart")
    table = replace(packs, confusable=tuple(sorted(tally.confused)), closest=threshold)
    for label, one in (("without the table", packs), ("with the table", table)):
        drawn = wrong_in(ear, drawn_rounds(one, options.seed))
        worst = wrong_in(ear, worst_rounds(words, one, options.seed))
        print(f"{label}: taken for another of the list, {' and '.join(CHECKING)}, 5 dB: {drawn[0]} of {drawn[1]} words "
              f"in rounds as drawn, {worst[0]} of {worst[1]} among the nearest that are allowed")
    where = options.out.relative_to(ROOT) if options.out.is_relative_to(ROOT) else options.out
    print(f"written: {where}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
