"""Interrupting the host: it stops at once, hears what was said over its own voice, and never hears itself."""

import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from host.bench.frame import Options, Report, Share, quantile
from host.bench.interrupt_work import alone, game, others, workers
from host.bench.interrupting import HOST, Bench, Deal, Interruption, Place, Watched, interruptions
from host.bench.pieces import Pieces
from host.clock import BLOCK, RATE
from host.devices.canceller import Canceller
from host.ears.vosk import VoskEar
from host.events import Listens, Verdict
from host.sound import Cleaned

LEVELS = (-6.0, 0.0, 6.0)
"""The host's voice at the microphone against a player's, dB."""
SILENT = 0.15
"""Seconds from the first sound of speech to the host's silence."""
LOSS = {0.0: 0.10, 6.0: 0.20}
"""By how much less often a guess may be understood than without the host's voice."""
MINUTES = 30.0
"""Minutes of host speech with nobody speaking."""
PIECES = 6
"""Evenings that these are made of; each begins with a cold canceller."""
LOUD = 6.0
QUIET = 30.0
"""dB by which speech exceeds the room's own noise."""
NOISY = 10.0
"""dB by which speech exceeds the noise, in the noisy half hour."""
GAMES = 3
"""Games of eight cards for each room and level; with --full three times as many."""
CLIPS = 16
"""Clips of real talk to a piece."""
STALL = 2.0
SLOWER = 4.0
"""A small computer against this one."""

Game = tuple[Place, Deal]


class Play:
    """Plays pieces, but for those that an earlier run of the same code has kept."""

    def __init__(self, options: Options, graph: str) -> None:
        """`graph` is the recogniser's folder, named by a digest of its model and words: another is heard anew."""
        self.pieces, self.options, self.graph = Pieces("interrupt"), options, graph
        self.pool: Executor | None = None

    def __call__(self, work: Callable[..., Watched], arguments: Sequence[tuple[Any, ...]]) -> list[Watched]:
        """What each of them led to."""
        assert self.pool is not None  # noqa: S101 - set before anything is played
        name = f"{self.options.split}-{self.options.seed}-{self.graph}-{work.__name__}"
        return self.pieces.run(name, self.pool, work, arguments)


def measure(options: Options) -> Report:
    """Everything that issue 6 promises."""
    report = Report("interrupt")
    bench = Bench(options.split, options.seed, options.model)
    report.note(f"the host speaks with {HOST[options.split]}, the players are {', '.join(bench.voices)}; "
                f"rooms: {', '.join(place.room for place in bench.places())}")
    games = [(place, bench.draw()) for place in bench.places() for _ in range(GAMES * (3 if options.full else 1))]
    play = Play(options, bench.graph)
    with workers(options.split, options.seed, options.model) as pool:
        play.pool = pool
        _interrupted(report, games, play)
        for noisy in (False, True):
            _alone(report, bench, noisy, play)
        _others(report, bench, play)
    _stalled(report, bench)
    return report


# --- guesses over the host's voice --------------------------------------------------------------


def _interrupted(report: Report, games: Sequence[Game], play: Play) -> None:
    wanted = [(place, level, deal) for level in (0.0, 6.0, None, -6.0) for place, deal in games]
    watched = list(zip(wanted, play(game, wanted), strict=True))
    played = {level: [one for (_, at, _), one in watched if at == level] for level in (None, *LEVELS)}
    found = {level: [each for one in watched for each in interruptions(one)] for level, watched in played.items()}
    report.table("Guesses over the host's voice", (
        "host's voice", "guesses", "understood", "stops", "silent within 150 ms", "median", "95 %", "charged", "x4",
    ), [_row(level, found[level]) for level in (None, *LEVELS)])
    _counts(report, found)
    total = sum(len(found[level]) for level in LEVELS)
    report.at_least("interruptions played", float(total), 200)
    for level in LEVELS:
        stops = _stops(found[level])
        if level == 0.0:
            report.at_most("silent after speech began, 95 %, at 0 dB", quantile(stops, 0.95), SILENT, "s")
            charged = [each.stop + each.lag for each in found[level] if each.stop is not None]
            report.at_most("the same with decoding charged", quantile(charged, 0.95), SILENT, "s")
        if level in LOSS:
            without = _understood(found[None]).rate
            report.at_least(f"understood at {level:+g} dB", _understood(found[level]), without - LOSS[level])
    everything = [one for level in LEVELS for one in played[level]]
    length = sum(one.length for one in everything) / RATE
    cancelling = sum(one.cancelling for one in everything) / length
    working = sum(one.working for one in everything) / length
    report.note(f"\nof one core: canceller {100 * cancelling:.1f} %, everything in the loop {100 * working:.1f} % "
                f"({length / 60:.0f} minutes of play)")
    report.data["cpu"] = {"canceller": cancelling, "loop": working}
    curves = {f"{level:+g} dB": _silent_by(_stops(found[level])) for level in LEVELS if _stops(found[level])}
    report.curve("The host falls silent", "seconds after speech began", "share of interruptions", curves, SILENT)


def _understood(found: Sequence[Interruption]) -> Share:
    return Share(sum(each.understood for each in found), len(found))


def _stops(found: Sequence[Interruption]) -> list[float]:
    return [each.stop for each in found if each.stop is not None]


def _silent_by(stops: Sequence[float]) -> list[tuple[float, float]]:
    """Which share of the interruptions had silenced the host after so many seconds."""
    return [(at / 50, sum(stop <= at / 50 for stop in stops) / len(stops)) for at in range(31)]


def _row(level: float | None, found: Sequence[Interruption]) -> tuple[object, ...]:
    stops = _stops(found)
    lags = [each.lag for each in found if each.stop is not None]
    charged = [quantile([stop + times * lag for stop, lag in zip(stops, lags, strict=True)], 0.95)
               for times in (1.0, SLOWER)]
    return (
        "none" if level is None else f"{level:+g} dB", len(found), _understood(found), len(stops),
        Share(sum(stop <= SILENT for stop in stops), len(stops)),
        *(f"{value:.3f}" for value in (quantile(stops, 0.5), quantile(stops, 0.95), *charged)),
    )


def _counts(report: Report, found: dict[float | None, list[Interruption]]) -> None:
    """CE-13: what the host counted against the sample at which the guesser truly began."""
    understood = [each for level in LEVELS for each in found[level] if each.understood]
    right = Share(sum(each.counted == each.true_count for each in understood), len(understood))
    rough = Share(sum(each.counted == each.rough_count for each in understood), len(understood))
    report.note("")
    for name, errors in (("told at once", [each.onset for each in understood if each.onset is not None]),
                         ("counted by", [each.settled for each in understood if each.settled is not None])):
        report.note(f"the onset {name} against the true one: {1000 * quantile(errors, 0.05):.0f} ms (5 %), "
                    f"{1000 * quantile(errors, 0.5):.0f} ms (median), {1000 * quantile(errors, 0.95):.0f} ms (95 %), "
                    f"off by {1000 * sum(map(abs, errors)) / max(1, len(errors)):.1f} ms on average")
    report.note(f"statements counted as at the beginning of the 20 ms in which the true onset lies: {rough}")
    report.at_least("statements counted as at the true onset (CE-13)", right, 1.0)


# --- nobody speaks ------------------------------------------------------------------------------


def _alone(report: Report, bench: Bench, noisy: bool, play: Play) -> None:
    """Half an hour of the host's voice at +6 dB: nothing may stop it, nothing may be heard."""
    places = bench.places()
    noises = [bench.library.noise_file(name) for name in bench.library.noises(bench.split)]
    wanted = []
    for number in range(PIECES):
        noise = noises[number % len(noises)] if noisy else None
        snr = NOISY if noisy else QUIET
        place = places[number % len(places)]
        wanted.append((place, number, LOUD, noise, snr, MINUTES / PIECES))
    played = play(alone, wanted)
    minutes = sum(one.host_speech for one in played) / RATE / 60
    stops, words = sum(len(one.stopped) for one in played), sum(len(one.speaking) for one in played)
    guesses = sum(len(one.guesses) for one in played)
    name = "with noise 10 dB below speech" if noisy else "with nobody speaking"
    report.note(f"\n{minutes:.1f} minutes of the host's voice at +6 dB {name}: {stops} stops, {words} utterances, "
                f"{guesses} guesses; turned down for a moment {sum(one.ducks for one in played)} times")
    for one, number in zip(played, range(PIECES), strict=True):
        for heard in one.heard:
            report.note(f"  {places[number % len(places)].room} at {heard.began / RATE:.1f} s: heard {heard.text!r}")
    report.at_least(f"minutes of host speech {name}", minutes, MINUTES - 0.1, "min")
    report.at_most(f"stops {name}", float(stops), 1.0 if noisy else 0.0)
    if not noisy:
        report.at_most(f"utterances {name}", float(words), 0.0)
    report.at_most(f"guesses {name}", float(guesses), 0.0)


# --- real people beside a loudspeaker -----------------------------------------------------------


def _others(report: Report, bench: Bench, play: Play) -> None:
    """People who talk of something else beside a loudspeaker: nothing of it is right."""
    clips = bench.library.recordings("echo", bench.split)
    names = tuple(clip["path"] for clip in clips)
    parts = [names[at : at + CLIPS] for at in range(0, len(names), CLIPS)]
    watched = play(others, [(bench.places()[0], part) for part in parts])
    right = sum(guess.verdict is Verdict.RIGHT for played in watched for _, guess, _ in played.guesses)
    guesses = sum(len(played.guesses) for played in watched)
    heard = sum(len(played.heard) for played in watched)
    minutes = sum(played.length for played in watched) / RATE / 60
    report.note(f"\nreal people beside a loudspeaker: {len(clips)} clips, {minutes:.1f} minutes, "
                f"{heard} utterances, {guesses} guesses, {right} right")
    report.at_most("judged right of real talk beside a loudspeaker", float(right), 0.0)


# --- a decoder that stalls ----------------------------------------------------------------------


def _stalled(report: Report, bench: Bench) -> None:
    """In real time: the decoder stands still for 2 s while somebody speaks; the lag goes, no sample is lost."""
    voice = bench.voices[0]
    sound = np.concatenate([np.pad(bench.speaker.clip(voice, text), (RATE // 2, RATE // 2))
                            for text in ("stop the game", "repeat", "we object", "say that again", "pause")])
    pcm = np.clip(np.pad(sound, (0, 3 * RATE)), -32768, 32767).astype(np.int16)
    waiting: queue.SimpleQueue[tuple[int, float] | None] = queue.SimpleQueue()
    began = time.monotonic()

    def microphone() -> None:
        for at in range(0, len(pcm) - BLOCK + 1, BLOCK):
            due = began + (at + BLOCK) / RATE
            time.sleep(max(0.0, due - time.monotonic()))
            waiting.put((at, due))
        waiting.put(None)

    ear = VoskEar(bench.engine, Listens(("stop the game", "repeat", "we object", "say that again", "pause")))
    canceller, quiet = Canceller(), np.zeros(BLOCK, np.int16)
    thread = threading.Thread(target=microphone)
    thread.start()
    lags, heard, expected, stalled = [], 0, 0, math.inf
    while (item := waiting.get()) is not None:
        at, due = item
        heard += at == expected
        expected = at + BLOCK
        cleaned, residue = canceller.clean(pcm[at : at + BLOCK], quiet)
        ear.hear(Cleaned(at, cleaned, residue))
        if at >= RATE and math.isinf(stalled):
            stalled = due
            time.sleep(STALL)
        lags.append((due, time.monotonic() - due))
    thread.join()
    after = next((due - stalled for due, lag in lags if due > stalled and lag < 2 * BLOCK / RATE), math.inf)
    blocks = (len(pcm) - BLOCK) // BLOCK + 1
    report.note(f"\nthe decoder stands still for {STALL:g} s: lag {max(lag for _, lag in lags):.2f} s at the most, "
                f"none {after:.2f} s later; {heard} of {blocks} blocks heard in order")
    report.at_most("lag after a stall is over in", after, 2 * STALL + 1.0, "s")
    report.at_least("blocks heard in order", Share(heard, blocks), 1.0)
