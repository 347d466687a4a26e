# ruff: noqa: B023, C901, D102, E501, PTH123, SIM115 - tooling that runs once a model, no part of the host
"""Passes over the clips with rooms, noise, speed, level: MFCC shards for train.py. Each pass is another draw.

    python models/adapt/features.py TEXTS.jsonl CLIPS WORK PASS[,PASS...] [VOICE]

Writes WORK/lexicon.json once, then WORK/feats/PASS.npy (float16 [frames, 40]) and PASS.jsonl. Beside the synthetic clips
every pass holds the recordings of ../shared/audio that are not marked `test`: single words and digits by transcript, talk
as pairs (as recorded, and changed) for the teacher, noise as silence. With VOICE (how its name begins) a pass holds the
clips of those voices only, and each of the recorded words once.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import fftconvolve, resample_poly

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "models/recipe")]

from feats import mfcc  # noqa: E402 - the recipe's

AUDIO = Path(os.environ.get("GAMEHOST_SHARED", ROOT.parent / "shared")) / "audio"
RATE = 16000
SPEEDS = ((1, 1), (1, 1), (9, 10), (10, 9), (19, 20), (20, 19), (14, 15), (15, 14), (8, 9), (9, 8), (6, 7), (7, 6))


def sound(path: Path | str) -> np.ndarray:
    """Samples in -1..1 at 16 kHz, the first channel."""
    found, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    found = found[:, 0]
    if rate != RATE:
        common = np.gcd(rate, RATE)
        found = resample_poly(found, RATE // common, rate // common).astype("f4")
    return found


class Changes:
    """Rooms, noise, people, speed, level, band."""

    def __init__(self, seed: int, shared: list[dict]) -> None:
        self.draw = np.random.default_rng(seed)
        tuning = [clip for clip in shared if not clip["test"]]
        self.noise = [sound(AUDIO / clip["path"]) for clip in tuning if clip["path"].startswith("noise")]
        self.talk = [sound(AUDIO / clip["path"]) for clip in tuning if clip["path"].startswith("talk")]
        self.rooms = []
        for clip in tuning:
            if clip["path"].startswith("rirs"):
                room = sound(AUDIO / clip["path"])
                first = int(np.abs(room).argmax())
                room = room[max(0, first - 40) : first + 16000]
                self.rooms.append(room / np.sqrt((room**2).sum() + 1e-9))

    def room(self) -> np.ndarray:
        """A measured one, or one made up: the direct sound, then noise that decays, bright or dull."""
        draw = self.draw
        if draw.random() < 0.55:
            return self.rooms[draw.integers(len(self.rooms))]
        length = int(RATE * draw.uniform(0.15, 0.9))
        tail = draw.normal(0, 1, length) * np.exp(-6.9 * np.arange(length) / length)
        dull = draw.uniform(0, 0.85)
        for at in range(1, 2):
            tail[at:] += dull * tail[:-at]
        gap = int(RATE * draw.uniform(0.001, 0.012))
        room = np.concatenate([[1.0], np.zeros(gap), tail / np.sqrt((tail**2).sum()) * 10 ** (draw.uniform(-12, 3) / 20)])
        return (room / np.sqrt((room**2).sum())).astype("f4")

    def piece(self, source: np.ndarray, count: int) -> np.ndarray:
        """`count` samples from anywhere in a sound."""
        if len(source) < count + 10:
            source = np.tile(source, count // len(source) + 2)
        at = self.draw.integers(0, len(source) - count)
        return source[at : at + count]

    def background(self, count: int) -> np.ndarray:
        """Recorded noise, or coloured noise, or people behind."""
        draw, roll = self.draw, self.draw.random()
        if roll < 0.65:
            found = self.piece(self.noise[draw.integers(len(self.noise))], count).copy()
            if draw.random() < 0.3:
                found += self.piece(self.noise[draw.integers(len(self.noise))], count) * draw.uniform(0.2, 1)
            return found
        if roll < 0.85:
            spectrum = np.fft.rfft(draw.normal(0, 1, count))
            bend = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 60.0) ** -draw.uniform(0, 1.2)
            return np.fft.irfft(spectrum * bend, count).astype("f4")
        return sum(self.piece(self.talk[draw.integers(len(self.talk))], count) for _ in range(draw.integers(2, 6)))

    def quick(self, x: np.ndarray) -> np.ndarray:
        """Speed and pitch, silence around: what both of a pair get."""
        draw = self.draw
        up, down = SPEEDS[draw.integers(len(SPEEDS))]
        if up != down:
            x = resample_poly(x, up, down).astype("f4")
        before, behind = draw.uniform(0.12, 0.7, 2)
        return np.concatenate([np.zeros(int(before * RATE), "f4"), x, np.zeros(int(behind * RATE), "f4")])

    def level(self, x: np.ndarray, by: float) -> np.ndarray:
        """The peak `by` dB under full scale."""
        return (x / (np.abs(x).max() + 1e-6) * 10 ** (-by / 20)).astype("f4")

    def __call__(self, x: np.ndarray, clean: bool = False) -> np.ndarray:
        draw = self.draw
        loud = np.abs(x) > 0.02 * np.abs(x).max()
        power = np.sqrt((x**2).sum() / max(1, loud.sum()) + 1e-12)
        if not clean:
            if draw.random() < 0.65:
                x = fftconvolve(x, self.room())[: len(x)].astype("f4")
            if draw.random() < 0.1:
                x = resample_poly(resample_poly(x, 1, 2), 2, 1)[: len(x)].astype("f4")
            if draw.random() < 0.25:
                tilt = draw.uniform(-0.6, 0.6)
                x = x + tilt * np.concatenate([[0], x[:-1]])
            power = np.sqrt((x**2).sum() / max(1, loud.sum()) + 1e-12)
            if draw.random() < 0.75:
                noise = self.background(len(x))
                if draw.random() < 0.3:
                    noise = fftconvolve(noise, self.room())[: len(x)]
                x = x + noise * power / (np.sqrt((noise**2).mean()) + 1e-9) * 10 ** (-draw.uniform(1, 24) / 20)
        x = x + draw.normal(0, power * 10 ** (-draw.uniform(35, 60) / 20), len(x))
        x = self.level(x, draw.uniform(0, 30))
        return np.clip(x * draw.uniform(2, 4), -1, 1).astype("f4") if draw.random() < 0.03 else x


def lexicon(lines: list[dict], work: Path) -> None:
    """Pronunciations of all words, those of the packs among them."""
    from host.ears.lexicon import Lexicon
    from host.ears.pronounce import vocabulary
    from host.packs import decks

    packs = decks.load(ROOT / "clues", pronunciations={})
    sounds = [pair for card in packs.clues for pair in card.sounds]
    texts = [line["text"] for line in lines] + [text for card in packs.clues for text in card.statements]
    texts += ["zero oh one two three four five six seven eight nine"]
    found = vocabulary(texts, sounds, Lexicon(ROOT / "models/vosk-model-small-en-gamehost/lang"))
    work.mkdir(parents=True, exist_ok=True)
    (work / "lexicon.json").write_text(json.dumps(found))
    (work / "statements.json").write_text(json.dumps([text for card in packs.clues for text in card.statements]))


def main() -> None:
    """One shard for each pass."""
    lines, clips, work = [json.loads(line) for line in open(sys.argv[1])], Path(sys.argv[2]), Path(sys.argv[3])
    shared = [json.loads(line) for line in open(AUDIO / "manifest.jsonl")]
    only = sys.argv[5] if len(sys.argv) > 5 else ""
    real = [clip for clip in shared if not clip["test"] and clip["path"].split("/")[0] in ("words", "digits") and clip["text"]]
    for clip in real:
        clip["words"] = clip["text"].lower().split()
    if not (work / "lexicon.json").exists():
        lexicon([*lines, *real], work)
    known = json.loads((work / "lexicon.json").read_text())
    real = [clip for clip in real if all(word in known for word in clip["words"])]
    said = [(at, line) for at, line in enumerate(lines)
            if line["voice"].startswith(only) and (clips / f"{at:05}.flac").exists() and all(word in known for word in line["words"])]
    (work / "feats").mkdir(parents=True, exist_ok=True)
    for number in map(int, sys.argv[4].split(",")):
        changes = Changes(number, shared)
        chunks, meta, at = [], [], 0

        def keep(x: np.ndarray, **what: object) -> None:
            nonlocal at
            found = mfcc(x).astype("f2")
            if len(found) >= 12:
                chunks.append(found)
                meta.append({"start": at, "n": len(found), **what})
                at += len(found)

        for where, line in said:
            x = changes.quick(sound(clips / f"{where:05}.flac"))
            keep(changes(x, clean=changes.draw.random() < 0.2), kind="said", words=line["words"])
        for _ in range(1 if only else 2):
            for clip in real:
                x = changes.quick(sound(AUDIO / clip["path"]))
                keep(changes(x, clean=changes.draw.random() < 0.35), kind="real", words=clip["words"])
        for talk in changes.talk:
            for _ in range(1 if only else 2 + len(talk) // (RATE * 4)):
                x = changes.quick(changes.piece(talk, int(RATE * changes.draw.uniform(2, 5))))
                keep(changes.level(x, changes.draw.uniform(3, 20)), kind="teacher", words=[])
                keep(changes(x), kind="pupil", words=[])
        for noise in changes.noise:
            for _ in range(4):
                keep(changes.level(changes.piece(noise, int(RATE * changes.draw.uniform(1, 4))), changes.draw.uniform(0, 35)),
                     kind="noise", words=[])
        np.save(work / f"feats/{number}.npy", np.concatenate(chunks))
        half = work / f"feats/{number}.tmp"
        half.write_text("".join(json.dumps(one) + "\n" for one in meta))
        half.rename(work / f"feats/{number}.jsonl")
        print(number, len(meta), "pieces", round(at / 360000, 2), "h", flush=True)


if __name__ == "__main__":
    main()
