"""What each part of the box costs: memory when it is loaded, and computing for a second of evening.

The demo's first minutes are played with every part timed; what is left over is the loop itself. The sound card's
child is driven by itself, since it is a process of its own.
"""

import gc
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from host.app.demo import SCENES, load_scene
from host.app.evening import load_packs, make_table, open_evening, open_log, open_voice, prepare, sealed
from host.app.serving import Serving
from host.bench.frame import MissingError, Options, Report
from host.bench.soak import held, quietly
from host.clock import BLOCK, RATE
from host.devices.card_engine import Engine
from host.devices.health import Health
from host.devices.room import Room
from host.ears.vosk import open_ear

SECONDS, FULL = 150.0, 480.0
BUDGET = 25.0
"""Percent of this core that all parts together may take: a Pi 4 is about four times as slow."""


class Costs:
    """Seconds of computing and megabytes of memory by part."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self.longest: dict[str, float] = {}
        self.memory: dict[str, float] = {}
        self._before = held(0.0, "").memory

    def loaded(self, part: str) -> None:
        """What the process has grown by since the last call is this part's."""
        gc.collect()
        now = held(0.0, "").memory
        self.memory[part] = now - self._before
        self._before = now

    def timed(self, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, its computing counted; for one that yields, all of it is taken at once."""

        @wraps(work)
        def counted(*given: Any, **named: Any) -> Any:
            began = time.thread_time()
            found = work(*given, **named)
            if isinstance(found, Iterable) and not isinstance(found, tuple | list | str):
                found = list(found) if hasattr(found, "__next__") else found
            took = time.thread_time() - began
            self.spent[part] += took
            self.longest[part] = max(took, self.longest.get(part, 0.0))
            return found

        return counted


def load(costs: Costs, model: str | None, folder: Path) -> tuple[Any, Any, Any]:
    """Table, room and evening, each part loaded by itself, timed where it works."""
    scene, setup = load_scene(SCENES["clever"])
    packs = load_packs(setup)
    setup = sealed(setup, packs)
    packs, ear_folder = prepare(setup, packs, model)
    table = make_table(setup, packs)
    costs.loaded("cards and pronunciations")
    ear = open_ear(ear_folder)
    costs.loaded("recogniser")
    voice = open_voice(None)
    voice.speak(next(effect.line for effect in table.start()[1] if hasattr(effect, "line")), 1.0)
    costs.loaded("voice")
    room = Room(scene)
    costs.loaded("(simulated room)")
    serving = Serving(table, 0, notice=lambda _text: None)
    costs.loaded("screen and phones")
    table.step = costs.timed("rules and table", table.step)  # type: ignore[method-assign]  # timed in place
    watched = costs.timed("view for screen and home", lambda state: table.view(state, None))
    told = costs.timed("screen and phones", serving.watch)
    evening = open_evening(
        table, room, None, voice, open_log(folder / "log.jsonl", setup), ears=[ear],
        watch=lambda event, state, effects: told(event, state, effects, watched(state)),
        notice=lambda _text: None,
    )
    parts = evening.session.parts
    ear.hear = costs.timed("recogniser", ear.hear)  # type: ignore[method-assign]  # timed in place
    for canceller in parts.cancellers:
        canceller.clean = costs.timed("echo canceller", canceller.clean)  # type: ignore[method-assign]  # as above
    room.read = costs.timed("(simulated room)", room.read)  # type: ignore[method-assign]  # as above
    table.listens = costs.timed("what to listen for", table.listens)  # type: ignore[method-assign]  # as above
    log = evening.session.log
    log.event = costs.timed("log", log.event)  # type: ignore[method-assign]  # as above
    log.sync = costs.timed("log", log.sync)  # type: ignore[method-assign]  # as above
    evening.session.parts = replace(parts, speak=costs.timed("voice", parts.speak))
    return evening, serving, room


def card(costs: Costs, seconds: float = 20.0) -> float:
    """The sound card's child and the watch over its microphone, without a card; seconds of sound."""
    engine, health = Engine(48_000, 480, 1, 2), Health()
    noise = np.random.default_rng(1).integers(-300, 300, 480).astype(np.int16).tobytes()
    began = time.thread_time()
    blocks = []
    for _ in range(round(100 * seconds)):
        played, marks = engine.exchange()
        blocks += engine.hear(noise, played, marks)
        engine.refill()
    costs.spent["sound card's child"] = time.thread_time() - began
    began = time.thread_time()
    for block in blocks:
        health.hear(block.mic[0], block.far)
    costs.spent["watch over the microphone"] = time.thread_time() - began
    return seconds


def measure(options: Options) -> Report:
    """Load, play, add up."""
    if not Path("/proc/self/statm").exists():
        raise MissingError("this bench needs Linux: /proc tells memory.")
    seconds = FULL if options.full else SECONDS
    costs, report = Costs(), Report("parts")
    costs.memory["Python and libraries"] = held(0.0, "").memory
    with tempfile.TemporaryDirectory() as scratch:
        evening, serving, room = load(costs, options.model, Path(scratch))
        session = evening.session
        session.begin()
        serving.hub.begin(session.state)
        inbox = quietly(lambda: serving.start(evening))
        began = time.thread_time()
        while session.now < seconds * RATE and not session.over and (block := room.read()) is not None:
            session.block(block, inbox())
        whole = time.thread_time() - began
        played = session.now / RATE
        quietly(serving.close)
        evening.close()
    costs.spent["the loop itself"] = max(0.0, whole - sum(costs.spent.values()))
    scale = {name: card(costs) / played for name in ("sound card's child", "watch over the microphone")}
    rows = []
    for name in dict.fromkeys([*costs.memory, *costs.spent]):
        share = 100 * costs.spent[name] / played / scale.get(name, 1.0)
        longest = costs.longest.get(name)
        rows.append((name, f"{costs.memory[name]:.0f} MB" if name in costs.memory else "", f"{share:.2f} %",
                     "" if longest is None else f"{1000 * longest:.0f} ms"))
    report.table("What each part costs", ("part", "memory", "of one core", "longest call"), rows)
    all_parts = sum(100 * costs.spent[name] / played / scale.get(name, 1.0) for name in costs.spent
                    if not name.startswith("("))
    report.note(f"{played:.0f} s of the demo, a block is {1000 * BLOCK / RATE:.0f} ms; the recogniser decodes in "
                "steps, and blocks wait in a queue meanwhile")
    report.at_most("all parts", all_parts, BUDGET, unit="% of one core")
    return report
