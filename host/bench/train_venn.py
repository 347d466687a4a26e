"""Make host/ears/keyword.npz, the second look at "venn": `python -m host.bench.train_venn [--out FILE]`.

Positives are the tuning voices' calls between their own other words, faster and slower, in rooms and noise;
negatives are their near words, list words and talk, and real people's talk and words that are not marked
`test`. Two tuning voices and a fifth of the real recordings take no part in the training: on them the
thresholds are chosen, and the command prints their curve. numpy only.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from host.bench.library import Library
from host.bench.venn_said import CALLS_ALONE, NEAR_SAID, TALK_SAID, words_said
from host.bench.voices import Speaker
from host.clock import RATE
from host.devices import responses
from host.devices.levels import Floats, active_level, dbfs, factor, load, speech_span
from host.ears.keyword import BANDS, FRAME, HOP, STEPS, WINDOW, Array, Net, frames, read, unfold, windows

FILE = Path(__file__).resolve().parents[1] / "ears" / "keyword.npz"
HELD_OUT = ("us2", "joe")
"""Tuning voices on which the thresholds are chosen."""
EVERY = 5
"""Each fifth real recording is held out as well."""
SPEEDS = (0.85, 0.92, 1.0, 1.0, 1.08, 1.17)
NOISES = (None, 25.0, 20.0, 15.0, 10.0, 5.0, 2.0)
LATE = (0.0, 0.03, 0.06, 0.09, 0.13, 0.17)
"""Seconds after the end of "venn" at which a window counts as one that holds it."""
BATCH = 256
WIDTH = (32, 48, 48)


@dataclass
class Stream:
    """A rendered stretch of sound: its frames, and where in samples each "venn" begins and ends."""

    rows: Array
    calls: tuple[tuple[int, int], ...]
    kind: str


class Maker:
    """Renders streams by a seeded draw."""

    def __init__(self, library: Library, seed: int) -> None:
        self.library, self.speaker, self.draw = library, Speaker(library), random.Random(seed)
        self.voice = cache(self._voice)
        self.responses = [responses.measured(library.response_file(room)) for room in library.rooms("tuning")]
        self.noises = [load(library.noise_file(name)) for name in library.noises("tuning")]

    def _voice(self, voice: str, text: str, speed: float) -> Floats:
        """A clip, trimmed to its speech."""
        sound = self.speaker.clip(voice, text)
        began, ended = speech_span(sound)
        sound = sound[began:ended]
        return np.asarray(soxr.resample(sound, RATE * speed, RATE) if speed != 1.0 else sound, np.float32)

    def render(self, pieces: Sequence[tuple[Floats, bool]], kind: str) -> Stream:
        """Pieces one after another, with small pauses, in a room with noise."""
        row, calls, at = [], [], 0
        for sound, is_call in pieces:
            gap = round(self.draw.choice((0.02, 0.05, 0.1, 0.25)) * RATE)
            row += [np.zeros(gap, np.float32), sound]
            if is_call:
                calls.append((at + gap, at + gap + len(sound)))
            at += gap + len(sound)
        shift = round(0.65 * RATE)
        heard = np.concatenate(row)
        if self.draw.random() < 0.75:
            response = self.draw.choice(self.responses)
            heard = responses.convolve(heard, response)[responses.direct_at(response) :]
        heard = np.pad(heard, (shift, round(0.4 * RATE)))
        heard = self.noisy(heard, self.draw.choice(NOISES)) * np.float32(10 ** (self.draw.uniform(-12, 9) / 20))
        if self.draw.random() < 0.08:
            heard = heard * np.float32(6.0)  # a shout too near (KEY-07)
        pcm = np.clip(heard, -32768, 32767)
        return Stream(frames(pcm), tuple((began + shift, ended + shift) for began, ended in calls), kind)

    def noisy(self, heard: Floats, snr: float | None) -> Floats:
        """The sound with a stretch of noise so many decibel below its active frames."""
        if snr is None:
            return heard
        noise = self.draw.choice(self.noises)
        first = self.draw.randrange(max(1, len(noise) - len(heard)))
        piece = np.resize(noise[first : first + len(heard)], len(heard))
        return np.asarray(heard + piece * np.float32(factor(active_level(heard) - snr - dbfs(piece))), np.float32)

    def calls(self, voices: Sequence[str], count: int) -> Iterator[Stream]:
        """Calls alone, repeated, and within other words of the same voice."""
        listed = words_said()
        for _ in range(count):
            voice, speed = self.draw.choice(list(voices)), self.draw.choice(SPEEDS)
            around = (*listed, *NEAR_SAID, *TALK_SAID)
            pieces = [(self.voice(voice, self.draw.choice(CALLS_ALONE), speed), True)]
            if self.draw.random() < 0.5:
                pieces.insert(0, (self.voice(voice, self.draw.choice(around), speed), False))
            if self.draw.random() < 0.5:
                pieces.append((self.voice(voice, self.draw.choice(around), speed), False))
            yield self.render(pieces, "call")

    def others(self, voices: Sequence[str], count: int) -> Iterator[Stream]:
        """Near words, list words and talk."""
        listed = words_said()
        for _ in range(count):
            voice, speed = self.draw.choice(list(voices)), self.draw.choice(SPEEDS)
            source: Sequence[str] = self.draw.choice((NEAR_SAID, NEAR_SAID, NEAR_SAID, TALK_SAID, listed))
            texts = [self.draw.choice(source) for _ in range(self.draw.choice((1, 2)))]
            yield self.render([(self.voice(voice, text, speed), False) for text in texts],
                              "near" if source is NEAR_SAID else "other")

    def real(self, clips: Sequence[dict[str, Any]], again: float) -> Iterator[Stream]:
        """Real recordings as they are, and a share of them `again`, changed."""
        for clip in clips:
            for turn in (0, 1) if self.draw.random() < again else (0,):
                sound = self.library.recording(clip["path"])
                speed = self.draw.choice(SPEEDS) if turn else 1.0
                sound = np.asarray(soxr.resample(sound, RATE * speed, RATE) if speed != 1.0 else sound, np.float32)
                if turn:
                    yield self.render([(sound, False)], "real")
                else:
                    yield Stream(frames(np.pad(sound, (RATE * 65 // 100, 0))), (), "real")


# --- windows and labels --------------------------------------------------------------------------


def ends_at(stream: Stream, sample: int) -> int:
    """The frame that is whole at that sample."""
    return min((sample - FRAME) // HOP, len(stream.rows) - 1)


def labelled(stream: Stream, draw: random.Random, step: int) -> tuple[Array, Array]:
    """Windows of a stream with 1 for those that hold a whole call; those in between are left out."""
    good: set[int] = set()
    doubtful: set[int] = set()
    for began, ended in stream.calls:
        good |= {ends_at(stream, ended + round(late * RATE)) for late in LATE}
        doubtful |= set(range(ends_at(stream, (began + ended) // 2), ends_at(stream, ended + RATE // 3) + 1))
    first = draw.randrange(step)
    rest = [at for at in range(WINDOW - 1 + first, len(stream.rows), step) if at not in doubtful]
    chosen = [at for at in sorted(good) if at >= WINDOW - 1]
    ends = np.array([*chosen, *rest], np.intp)
    if not len(ends):
        return np.zeros((0, STEPS, BANDS), np.float32), np.zeros(0, np.float32)
    labels = np.array([1.0] * len(chosen) + [0.0] * len(rest), np.float32)
    return windows(stream.rows, ends), labels


def best(net: Net, stream: Stream) -> float:
    """The best score in a stream; of one with a call the best near its end."""
    ends = np.arange(WINDOW - 1, len(stream.rows), 3)
    if stream.calls:
        span = stream.calls[0]
        low, high = ends_at(stream, span[1] - RATE // 20), ends_at(stream, span[1] + RATE // 4)
        ends = ends[(ends >= low) & (ends <= high)]
    return float(net(windows(stream.rows, ends)).max()) if len(ends) else 0.0


# --- the net -------------------------------------------------------------------------------------


def fresh(seed: int) -> dict[str, Array]:
    """Weights to begin with."""
    draw = np.random.default_rng(seed)
    one, two = (STEPS - 5) // 2 + 1, ((STEPS - 5) // 2 + 1 - 3) // 2 + 1
    assert one > two  # noqa: S101 - the shape of the net
    shapes = {"a": (5 * BANDS, WIDTH[0]), "b": (3 * WIDTH[0], WIDTH[1]), "c": (two * WIDTH[1], WIDTH[2]),
              "d": (WIDTH[2], 1)}
    made = {name: draw.normal(0, np.sqrt(2 / shape[0]), shape).astype(np.float32) for name, shape in shapes.items()}
    return made | {f"{name}0": np.zeros(shape[1], np.float32) for name, shape in shapes.items()}


def gradients(w: dict[str, Array], given: Array, labels: Array) -> tuple[dict[str, Array], float]:
    """The cross entropy of a batch and its slope by every weight."""
    folded = unfold(given, 5, 2)
    one = np.maximum(0, folded @ w["a"] + w["a0"])
    folded2 = unfold(one, 3, 2)
    two = np.maximum(0, folded2 @ w["b"] + w["b0"])
    flat = two.reshape(len(two), -1)
    three = np.maximum(0, flat @ w["c"] + w["c0"])
    out = 1 / (1 + np.exp(-np.clip((three @ w["d"] + w["d0"])[:, 0], -30, 30)))
    loss = -np.mean(labels * np.log(out + 1e-9) + (1 - labels) * np.log(1 - out + 1e-9))
    slope = ((out - labels) / len(labels))[:, None].astype(np.float32)
    found = {"d": three.T @ slope, "d0": slope.sum(0)}
    back = (slope @ w["d"].T) * (three > 0)
    found |= {"c": flat.T @ back, "c0": back.sum(0)}
    back2 = (back @ w["c"].T).reshape(two.shape) * (two > 0)
    found |= {"b": np.tensordot(folded2, back2, ([0, 1], [0, 1])), "b0": back2.sum((0, 1))}
    spread = back2 @ w["b"].T
    back1 = np.zeros_like(one)
    for at in range(3):
        part = spread[:, :, at * one.shape[2] : (at + 1) * one.shape[2]]
        back1[:, at : at + 2 * part.shape[1] : 2] += part
    back1 *= one > 0
    found |= {"a": np.tensordot(folded, back1, ([0, 1], [0, 1])), "a0": back1.sum((0, 1))}
    return found, float(loss)


def train(given: NDArray[np.float16], labels: Array, epochs: int, seed: int, w: dict[str, Array]) -> dict[str, Array]:
    """Adam over shuffled batches, each a quarter positives; bands are hidden now and then."""
    draw = np.random.default_rng(seed)
    mean = {name: np.zeros_like(value) for name, value in w.items()}
    square = {name: np.zeros_like(value) for name, value in w.items()}
    good, bad = np.flatnonzero(labels > 0.5), np.flatnonzero(labels < 0.5)
    per = len(bad) // (BATCH * 3 // 4)
    turn = 0
    for epoch in range(epochs):
        order, total = draw.permutation(bad), 0.0
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        for batch in range(per):
            turn += 1
            chosen = np.concatenate([order[batch * (BATCH * 3 // 4) : (batch + 1) * (BATCH * 3 // 4)],
                                     draw.choice(good, BATCH // 4)])
            windows_ = given[chosen].astype(np.float32)
            band = int(draw.integers(BANDS - 3))
            windows_[: BATCH // 3, :, band : band + int(draw.integers(1, 4))] = 0
            slopes, loss = gradients(w, windows_, labels[chosen])
            total += loss
            for name, slope in slopes.items():
                slope = slope + 1e-4 * w[name]
                mean[name] = 0.9 * mean[name] + 0.1 * slope
                square[name] = 0.999 * square[name] + 0.001 * slope * slope
                step = (mean[name] / (1 - 0.9**turn)) / (np.sqrt(square[name] / (1 - 0.999**turn)) + 1e-8)
                w[name] = (w[name] - rate * step).astype(np.float32)
        print(f"epoch {epoch + 1}: loss {total / max(per, 1):.4f}", flush=True)
    return w


def gathered(streams: Sequence[Stream], draw: random.Random, step: int) -> tuple[NDArray[np.float16], Array]:
    """All labelled windows of the streams."""
    pairs = [labelled(stream, draw, step) for stream in streams]
    return (np.concatenate([given for given, _ in pairs]).astype(np.float16),
            np.concatenate([labels for _, labels in pairs]))


def hard(net: Net, streams: Sequence[Stream], least: float = 0.2) -> tuple[NDArray[np.float16], Array]:
    """Windows without a call that the net takes for one."""
    found = []
    for stream in streams:
        if stream.calls:
            continue
        ends = np.arange(WINDOW - 1, len(stream.rows), 2)
        if len(ends):
            cut = windows(stream.rows, ends)
            found.append(cut[net(cut) > least].astype(np.float16))
    made = np.concatenate(found)
    print(f"{len(made)} windows taken for a call", flush=True)
    return made, np.zeros(len(made), np.float32)


def main() -> int:
    """Render, train, choose the thresholds, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--calls", type=int, default=2400)
    parser.add_argument("--others", type=int, default=4500)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, metavar="FILE", help="go on from this net, with other draws (--seed)")
    chosen = parser.parse_args()
    library = Library()
    maker, draw = Maker(library, chosen.seed), random.Random(chosen.seed)
    voices = tuple(voice for voice in library.voices("tuning") if voice not in HELD_OUT)
    real = [*library.recordings("talk", "tuning"), *library.recordings("words", "tuning")]
    kept = [clip for at, clip in enumerate(real) if at % EVERY]
    streams = [*maker.calls(voices, chosen.calls), *maker.others(voices, chosen.others), *maker.real(kept, 0.3)]
    given, labels = gathered(streams, draw, 9)
    print(f"{len(streams)} streams, {len(labels)} windows, {int(labels.sum())} with a call", flush=True)
    begin = fresh(chosen.seed) if chosen.begin is None else read(chosen.begin.read_bytes()).weights
    weights = train(given, labels, chosen.epochs, chosen.seed, begin)
    more, none = hard(Net(weights), streams)
    given, labels = np.concatenate([given, more, more]), np.concatenate([labels, none, none])
    weights = train(given, labels, chosen.epochs, chosen.seed + 1, weights)
    held = [*maker.calls(HELD_OUT, 400), *maker.others(HELD_OUT, 600),
            *maker.real([clip for at, clip in enumerate(real) if at % EVERY == 0], 0.5)]
    keep, find = thresholds(Net(weights), held)
    packed: dict[str, Any] = {name: value.astype(np.float16) for name, value in weights.items()}
    np.savez(chosen.out, keep=keep, find=find, **packed)
    print(f"wrote {chosen.out}: {chosen.out.stat().st_size // 1024} kB, keep {keep}, find {find}")
    return 0


def thresholds(net: Net, held: Sequence[Stream]) -> tuple[float, float]:
    """Print the curve over the threshold on what was held out, and choose.

    `keep` is the highest threshold that misses at most one call in fifty, 0.02 where none does; `find` the lowest
    at which no more than one near word in a hundred, and no more than 0.2 false alarms an hour of real talk, come.
    """
    scores = {kind: np.array([best(net, one) for one in held if one.kind == kind])
              for kind in ("call", "near", "other", "real")}
    hours = sum(len(one.rows) for one in held if one.kind == "real") * HOP / RATE / 3600
    keep, find = 0.02, 0.999
    print("threshold  calls missed  near words  other words  false alarms an hour of real talk "
          f"({hours:.2f} h)")
    grid = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999]
    for at in grid:
        missed, alarms = float(np.mean(scores["call"] < at)), float(np.sum(scores["real"] >= at)) / hours
        near, other = (float(np.mean(scores[kind] >= at)) for kind in ("near", "other"))
        print(f"{at:9.3f} {100 * missed:12.1f} % {100 * near:9.1f} % {100 * other:10.1f} % {alarms:10.1f}")
        keep = at if missed <= 0.02 else keep
    for at in reversed(grid):
        alarms, near = float(np.sum(scores["real"] >= at)) / hours, float(np.mean(scores["near"] >= at))
        find = at if alarms <= 0.2 and near <= 0.01 else find
    return keep, max(find, keep)


if __name__ == "__main__":
    raise SystemExit(main())
