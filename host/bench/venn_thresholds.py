"""The thresholds of a net for "venn", chosen on tuning voices and real recordings that it was not trained on.

Four numbers: from which score of the net the recogniser is asked (`keep`), how much its lead weighs beside the
net's odds (`weight`), from which score of both together it is a call (`find`), and from which lead a "venn" that
the grammar has heard is one without the net (`lead`).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.app.evening import Setup, load_packs, prepare
from host.bench.library import DRY
from host.bench.venn_clips import Saying
from host.bench.venn_voices import Chorus, Roster
from host.clock import RATE
from host.ears.calls import looks
from host.ears.kaldi import VoskEngine
from host.ears.keyword import Finder, Net

KEEP = (0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01)
UNASKED = 0.01
"""Share of the calls that may be lost because the recogniser is not asked."""
CONDITIONS: tuple[float | None, ...] = (None, 20.0, 10.0)
"""Noise in decibels below the speech, in rooms; None is dry."""
HELD = {"alone": 3, "first": 2, "last": 2, "near": 1}
"""How often each clip of a kind is played."""
VARIANTS = 4
"""How often each real recording is heard changed."""
ALARM, MISS = 0.02, 2.0
"""An alarm an hour costs as much as this share of the near words taken, and a call missed as much as so many near
words: nothing spoils the game like a shout that is not heard."""
APART = 2.0
"""Seconds between two alarms that count as two."""
GRID = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8,
        0.84, 0.87, 0.9, 0.92, 0.94, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.999)
Look = tuple[int, float, float]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Held:
    """What was seen of each sound that was held out."""

    calls: Sequence[Sequence[Look]]
    near: Sequence[Sequence[Look]]
    real: Sequence[Sequence[Look]]
    hours: float


def choose(
    finder: Finder, said: Sequence[Saying], real: Sequence[dict[str, Any]], seed: int, share: float = 1.0,
) -> Net:
    """The net with its thresholds and their curve, which is printed. Raises AppError where there is no model."""
    draw, stage = random.Random(seed), Stage()
    sounds: dict[bool, list[NDArray[np.int16]]] = {True: [], False: []}
    for one in said:
        for _ in range(HELD.get(one.kind, 0) if one.held else 0):
            if draw.random() < share:
                sounds[one.kind != "near"].append(stage.said(one, draw))
    best = sorted(float(finder.scores(sound)[0].max(initial=0.0)) for sound in sounds[True])
    unasked = best[int(UNASKED * len(best))]
    net = replace(finder.net, keep=next((at for at in KEEP if at <= unasked), KEEP[-1]))
    finder = replace(finder, net=net)
    calls, near = ([looks(finder, stage.engine, sound) for sound in sounds[kind]] for kind in (True, False))
    rows, length = [], 0
    for clip in draw.sample(list(real), round(len(real) * min(1.0, share * 2))):
        for turn in range(1 + round(VARIANTS * share)):
            sound = stage.played(clip, turn > 0, draw)
            rows.append(looks(finder, stage.engine, sound))
            length += len(sound)
    print(f"{len(calls)} calls, {len(near)} near words, {length / RATE / 3600:.2f} h of real sound", flush=True)
    held = Held(calls, near, rows, length / RATE / 3600)
    net = replace(net, weight=weighed(held))
    curve = curve_of(net, held)
    find, lead = limits(net, held)
    net = replace(net, find=find, curve=curve, lead=lead)
    print(f"the recogniser is asked from {net.keep:g} on; a neper of its lead weighs {net.weight:.2f}; "
          f"a call from {net.find:g} on, with the grammar from a lead of {net.lead:g}", flush=True)
    return net


class Stage:
    """Plays what is held out as the benches do, in tuning rooms."""

    def __init__(self) -> None:
        setup = Setup(game="venn")
        _, folder = prepare(setup, load_packs(setup), None)
        self.engine = VoskEngine(folder)
        self.library = Roster()
        self.chorus = Chorus(self.library)

    def said(self, one: Saying, draw: random.Random) -> NDArray[np.int16]:
        """A clip in one of the conditions."""
        snr = draw.choice(CONDITIONS)
        room = DRY if snr is None else draw.choice(self.library.rooms("tuning"))
        sound = self.library.played(self.chorus.clip(one.voice, one.text), room, snr, draw.getrandbits(31), before=0.8,
                                    behind=0.6, split="tuning")
        return np.clip(sound, -32768, 32767).astype(np.int16)

    def played(self, clip: dict[str, Any], changed: bool, draw: random.Random) -> NDArray[np.int16]:
        """A real recording."""
        room = draw.choice(self.library.rooms("tuning")) if changed else DRY
        snr = draw.choice((30.0, 20.0, 15.0, 10.0)) if changed else None
        sound = self.library.played(self.library.recording(clip["path"]), room, snr, draw.getrandbits(31), before=0.8,
                                    behind=0.4, split="tuning")
        return np.clip(sound, -32768, 32767).astype(np.int16)


def odds(score: float) -> float:
    """The logarithm of a score's odds."""
    sure = min(max(score, 1e-6), 1 - 1e-6)
    return float(np.log(sure / (1 - sure)))


def weighed(held: Held) -> float:
    """How much the recogniser's lead weighs beside the net's odds: logistic regression on the best look of each."""
    rows = [(max((odds(score), lead) for _, score, lead in sound), label)
            for label, sounds in ((1.0, held.calls), (0.0, [*held.near, *held.real])) for sound in sounds if sound]
    given = np.array([[1.0, *pair] for pair, _ in rows])
    labels = np.array([label for _, label in rows])
    share = np.where(labels > 0, 0.5 / max(1, labels.sum()), 0.5 / max(1, (1 - labels).sum())) * len(labels)
    slope = np.zeros(3)
    for _ in range(30):
        guess = 1 / (1 + np.exp(-np.clip(given @ slope, -30, 30)))
        curved = (given * (share * guess * (1 - guess))[:, None]).T @ given + 0.1 * np.eye(3)
        slope += np.linalg.solve(curved, given.T @ (share * (labels - guess)) - 0.1 * slope)
    print(f"regression on {len(rows)} looks: odds {slope[1]:.2f}, lead {slope[2]:.2f}")
    return round(float(max(slope[2], 0.0) / max(slope[1], 0.1)), 2)


def alarms(pairs: Sequence[tuple[int, float]], apart: float = APART) -> list[float]:
    """The peak of each stretch of `apart` seconds; pairs of sample and score."""
    peaks: list[float] = []
    last = -np.inf
    for at, score in pairs:
        if at - last > apart * RATE:
            peaks.append(0.0)
            last = at
        peaks[-1] = max(peaks[-1], score)
    return peaks


def curve_of(net: Net, held: Held) -> tuple[tuple[float, ...], ...]:
    """Rows of threshold, calls missed, near words taken, alarms an hour."""
    best = {kind: np.array([max((net.together(score, lead) for _, score, lead in sound), default=0.0)
                            for sound in sounds]) for kind, sounds in (("calls", held.calls), ("near", held.near))}
    peaks = np.array([peak for sound in held.real
                      for peak in alarms([(at, net.together(score, lead)) for at, score, lead in sound])])
    print(f"held out: {len(held.calls)} calls, {len(held.near)} near words, {held.hours:.2f} h of real sound")
    print("threshold  calls missed  near words  alarms an hour of real sound")
    rows = []
    for at in GRID:
        row = (at, float(np.mean(best["calls"] < at)), float(np.mean(best["near"] >= at)),
               float(np.sum(peaks >= at)) / held.hours if held.hours else 0.0)
        rows.append(row)
        print(f"{at:9.3f} {100 * row[1]:12.1f} % {100 * row[2]:9.1f} % {row[3]:10.2f}", flush=True)
    return tuple(rows)


LEADS = tuple(float(at) for at in np.arange(-3.5, 2.6, 0.5))


def limits(net: Net, held: Held) -> tuple[float, float]:
    """The cheapest pair of `find` and `lead`: a look is a call by either, so that they are chosen together.

    At the goals for near words and alarms themselves (2 %, 0.1 an hour) three of five calls would be missed.
    """
    def looks_of(sounds: Sequence[Sequence[Look]]) -> list[Floats]:
        return [np.array([(at, net.together(score, lead), lead) for at, score, lead in sound]).reshape(-1, 3)
                for sound in sounds]

    calls, near, real = looks_of(held.calls), looks_of(held.near), looks_of(held.real)
    print("find   lead  calls missed  near words  alarms an hour (by either of them; the cheapest of each lead)")
    cheapest = []
    for lead in LEADS:
        rows = []
        for find in GRID:
            missed = 1 - float(np.mean([_called(sound, find, lead).any() for sound in calls]))
            taken = float(np.mean([_called(sound, find, lead).any() for sound in near]))
            count = sum(len(alarms([(int(at), 1.0) for at in sound[_called(sound, find, lead), 0]])) for sound in real)
            rate = count / held.hours if held.hours else 0.0
            rows.append((MISS * missed + taken + ALARM * rate, find, lead, missed, taken, rate))
        best = min(rows)
        cheapest.append(best)
        print(f"{best[1]:5.3f} {lead:5.1f} {100 * best[3]:12.1f} % {100 * best[4]:9.1f} % {best[5]:10.2f}", flush=True)
    _, find, lead, *_ = min(cheapest)
    return round(float(find), 4), lead


def _called(sound: Floats, find: float, lead: float) -> NDArray[np.bool_]:
    """Which looks, rows of sample, score and lead, are calls."""
    return np.asarray((sound[:, 1] >= find) | (sound[:, 2] >= lead))
