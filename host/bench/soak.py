"""Hours of evening in one process: memory, open files and threads stay what they are (GAM-20).

The recorded scenes of both games are played one after the other through one recogniser and one voice, at the fastest
speed, each with its own log, list of scores and pages at a port of their own, and in between people talk at the table.
What the process holds is written down once a minute of evening. The first twenty minutes may fill caches; after them
nothing may grow.
"""

import contextlib
import ctypes
import math
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, cycle
from pathlib import Path
from typing import Any

from host.app.demo import SCENES, load_scene
from host.app.evening import Setup, load_packs, make_table, open_evening, open_log, open_voice, prepare, sealed
from host.app.paths import FIXTURES, shared_folder
from host.app.serving import Serving
from host.app.stopping import Stopping
from host.bench.frame import MissingError, Options, Report
from host.clock import Samples, samples
from host.devices.room import Room
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.ears.vosk import VoskEar, open_ear
from host.events import Heard, Listens, Speaking
from host.heap import settle
from host.packs import Packs
from host.sound import Cleaned
from host.voices import Voice

HOURS, FULL = 2.0, 24.0
FILLING = 20.0
"""Minutes that may fill caches."""
MINUTE = samples(60.0)
LONGEST = 600.0
"""Seconds after which a scene is left that does not come to its end."""
TALK = 60.0
"""Seconds of talk between two games."""
APART = 30.0
"""Minutes that two moments lie apart at the least which are compared."""
GROWTH = 4.0
"""MB an hour that the memory may seem to grow: what a cycle of games differs from the next by."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the process held at one moment."""

    minute: float
    memory: float
    """MB of the process itself."""
    files: int
    threads: int
    what: str
    """What was being played."""
    used: float = math.nan
    """MB that the C library has handed out: recognisers, sound, the voice's network; not Python's small objects."""
    blocks: int = 0
    """Python's small objects, in thousands."""


def held(minute: float, what: str) -> Held:
    """Now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count, no paths
    return Held(minute, pages * os.sysconf("SC_PAGE_SIZE") / 2**20, files, threading.active_count(), what, handed_out(),
                sys.getallocatedblocks() // 1000)


class _Mallinfo(ctypes.Structure):
    """What glibc tells of its heap (`man mallinfo2`)."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"))


def handed_out() -> float:
    """MB that the C library has handed out and not got back; not a number where it does not tell."""
    try:
        tell = ctypes.CDLL(None).mallinfo2
    except (OSError, AttributeError, TypeError):
        return math.nan
    tell.restype = _Mallinfo
    found = tell()
    return float(found.uordblks + found.hblkhd) / 2**20


class LongEar:
    """One recogniser for many evenings, whose times begin anew each time."""

    def __init__(self, ear: VoskEar) -> None:
        self._ear = ear
        self._shift: Samples = 0
        self._now: Samples = 0

    def begin(self) -> None:
        """The next evening begins at sample 0."""
        self._shift = self._now

    def listen(self, listens: Listens) -> None:
        """Pass on."""
        self._ear.listen(listens)

    def hear(self, sound: Cleaned) -> Iterable[Speaking | Heard]:
        """Pass on, moved to the recogniser's own time and back."""
        by = self._shift
        self._now = sound.at + by + len(sound.pcm)
        for event in self._ear.hear(replace(sound, at=sound.at + by)):
            if isinstance(event, Speaking):
                yield replace(event, at=event.at - by, began=event.began - by)
                continue
            words, dictation = (tuple(replace(word, began=word.began - by, ended=word.ended - by) for word in row)
                                for row in (event.words, event.dictation))
            yield replace(event, at=event.at - by, began=event.began - by, ended=event.ended - by, words=words,
                          dictation=dictation)


@dataclass(frozen=True)
class Played:
    """A scene with all that is loaded for it."""

    name: str
    scene: Scene
    setup: Setup
    packs: Packs


def talk(seed: int) -> Scene:
    """People who talk at the table: recordings of meetings where they are here, else the demo's players."""
    folder = shared_folder() / "audio" / "talk"
    clips = sorted(folder.glob("*.flac")) or sorted((FIXTURES / "demo").glob("*.flac"))
    cues = tuple(
        Cue(f"talk{at}", Trigger("start"), f"guest{at % 3}", (clips[(seed * 7 + at) % len(clips)],),
            after=8.0 + at * TALK / 4)
        for at in range(4)
    )
    return Scene("Talk", cues, RoomSettings(limit=TALK + 10.0, snr_db=20.0))


def programme(model: str | None) -> tuple[list[Played], Path]:
    """Both games, and the recogniser's folder that knows all their words."""
    found = []
    folder: Path | None = None
    for name in ("clever", "venn"):
        scene, setup = load_scene(SCENES[name])
        packs = load_packs(setup)
        setup = sealed(setup, packs)
        packs, folder = prepare(replace(setup, cards=()), packs, model)
        found.append(Played(name, scene, setup, packs))
    if folder is None:
        raise MissingError("there is no scene to play.")
    return found, folder


class Soak:
    """The hours."""

    def __init__(self, hours: float, voice: Voice, ear: LongEar, folder: Path) -> None:
        self._end = samples(3600.0 * hours)
        self._voice, self._ear, self._folder = voice, ear, folder
        self._evening: Samples = 0
        self.held: list[Held] = []
        self.games = self.ended = 0
        self.heard = 0

    def run(self, programme: Iterable[Played], every: Callable[[Held], None]) -> None:
        """Play until the hours are over."""
        for number, played in zip(count(), cycle(list(programme))):
            for scene in (played.scene, talk(number)):
                self._play(played, scene, every)
                if self._evening >= self._end:
                    return

    def _play(self, played: Played, scene: Scene, every: Callable[[Held], None]) -> None:
        """One evening as the app sets it up, but for recogniser and voice, which stay."""
        table = make_table(played.setup, played.packs)
        room = Room(replace(scene, room=replace(scene.room, limit=min(scene.room.limit or LONGEST, LONGEST))))
        serving = Serving(table, 0, notice=lambda _text: None)
        log = open_log(self._folder / "evening.jsonl", played.setup)

        def watch(event: Any, state: Any, effects: Any) -> None:
            self.heard += isinstance(event, Heard) and event.final
            serving.watch(event, state, effects, table.view(state, None))

        evening = open_evening(table, room, None, self._voice, log, ears=[self._ear], watch=watch,
                               notice=lambda _text: None)
        settle()  # as `gamehost play` does before an evening: what the one before left behind is freed
        self._ear.begin()
        session = evening.session
        session.begin()
        serving.hub.begin(session.state)
        inbox = quietly(lambda: serving.start(evening))
        try:
            while not session.over and (block := room.read()) is not None:
                session.block(block, inbox())
                self._evening += len(block.far)
                if self._evening % MINUTE < len(block.far):
                    now = held(self._evening / MINUTE, "talk" if scene.title == "Talk" else played.name)
                    self.held.append(now)
                    every(now)
                if self._evening >= self._end:
                    break
            self.games += scene.title != "Talk"
            self.ended += session.over
        finally:
            serving.close()
            session.log.close()
            room.close()
            (self._folder / "evening.jsonl").unlink(missing_ok=True)


def quietly(work: Callable[[], Any]) -> Any:
    """Do something without what it prints."""
    kept = sys.stdout
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a device
        sys.stdout = nowhere
        try:
            return work()
        finally:
            sys.stdout = kept


def slope(points: list[tuple[float, float]]) -> float:
    """How much a value grows an hour: the median of the slopes between all points that lie far apart.

    Memory goes up and down with the games. Points exactly half the time apart, as it once was, meet a saw of 30 MB in
    opposite phases and take it for 20 MB an hour; all pairs far apart are wrong by 3 at the most.
    """
    least = min(APART, (points[-1][0] - points[0][0]) / 2) if points else 0.0
    rises = [60.0 * (last[1] - first[1]) / (last[0] - first[0])
             for first, last in combinations(points, 2) if last[0] - first[0] >= max(least, 1e-6)]
    return statistics.median(rises) if rises else float("nan")


def measure(options: Options) -> Report:
    """Play, write down, compare."""
    if not Path("/proc/self/statm").exists():
        raise MissingError("this bench needs Linux: /proc tells memory and files.")
    hours = options.hours or (FULL if options.full else HOURS)
    if hours * 60 <= FILLING + 10:
        raise MissingError(f"--hours {hours:g} is too short: the first {FILLING:.0f} minutes may fill caches.")
    report, began = Report("soak"), time.process_time()
    voice = open_voice(None)
    with tempfile.TemporaryDirectory(prefix="gamehost-soak-") as scratch:
        found, model = programme(options.model)
        ear = open_ear(model)
        soak = Soak(hours, voice, LongEar(ear), Path(scratch))
        Stopping().listen()
        with contextlib.suppress(KeyboardInterrupt):  # the table is of what was played till then
            soak.run(found, lambda now: print(f"{now.minute:.0f} min: {now.memory:.0f} MB, {now.files} files, "
                                              f"{now.threads} threads ({now.what})", file=sys.stderr, flush=True))
        ear.close()
    voice.close()
    spent = time.process_time() - began
    if soak.held and soak.held[-1].minute < 60 * hours - 1:
        hours = soak.held[-1].minute / 60
        report.note(f"stopped after {hours:.2f} hours")
    if not soak.held or soak.held[-1].minute <= FILLING + 10:
        raise MissingError("stopped before anything could be compared.")
    return tell(report, soak, hours, spent, voice.name)


def grows(rows: Sequence[Held], what: Callable[[Held], float]) -> float:
    """By how much it grows an hour."""
    return slope([(row.minute, what(row)) for row in rows])


def tell(report: Report, soak: Soak, hours: float, spent: float, voice: str) -> Report:
    """Table, curves, goals."""
    rows = soak.held
    step = max(1, len(rows) // 12)
    report.table("What the process holds", (
        "minute", "MB", "handed out, MB", "Python's objects, thousands", "files", "threads", "playing",
    ), [(round(row.minute), round(row.memory, 1), round(row.used, 1), row.blocks, row.files, row.threads, row.what)
        for row in [*rows[::step], rows[-1]]])
    speed = hours * 3600 / spent
    report.note(f"{hours:.3g} hours of evening, {soak.games} games ({soak.ended} to their end), {soak.heard} "
                f"utterances, voice {voice}: {spent / 60:.1f} minutes of computing, {speed:.1f} times real time on "
                "one core")
    later = [row for row in rows if row.minute > FILLING]
    first = [row for row in later if row.minute <= FILLING + 10] or later[:1]
    report.note(f"of that, an hour: handed out by the C library {grows(later, lambda row: row.used):+.1f} MB, Python's "
                f"small objects {grows(later, lambda row: float(row.blocks)):+.1f} thousand")
    report.at_most("memory, growth", grows(later, lambda row: row.memory), GROWTH, unit="MB/h")
    report.at_most("open files, more than after 20 minutes",
                   float(max(row.files for row in later[-10:]) - max(row.files for row in first)), 0.0)
    report.at_most("threads, more than after 20 minutes",
                   float(max(row.threads for row in later[-10:]) - max(row.threads for row in first)), 0.0)
    report.curve("Memory", "minute", "MB", {"process": [(row.minute, row.memory) for row in rows]}, FILLING)
    report.curve("Open files and threads", "minute", "count", {
        "files": [(row.minute, float(row.files)) for row in rows],
        "threads": [(row.minute, float(row.threads)) for row in rows],
    }, FILLING)
    return report
