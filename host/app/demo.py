"""`gamehost demo`: a whole evening in a simulated room, through the real ear and voice."""

import argparse
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from host import log as logs
from host.app import AppError
from host.app.evening import (
    Setup,
    add_options,
    load_packs,
    make_table,
    open_evening,
    open_log,
    open_voice,
    prepare,
    sealed,
)
from host.app.paths import FIXTURES
from host.app.printing import Printer
from host.app.serving import Serving, add_screen
from host.clock import seconds
from host.devices.room import Room
from host.devices.scene import Scene, SceneError
from host.ears.graph import show
from host.events import Effect, In, Part, Said
from host.session import Session, relive
from host.table import Table

SCENES = {"clever": FIXTURES / "demo" / "scene.toml", "venn": FIXTURES / "demo_venn" / "scene.toml"}


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("demo", help="hear a whole game hosted in a simulated room")
    parser.add_argument("game", nargs="?", default="clever", choices=sorted(SCENES))
    parser.add_argument("--scene", type=Path, help="another scene (TOML)")
    parser.add_argument("--listen", type=Path, metavar="FILE.wav", help="write the room for people to listen to")
    parser.add_argument("--live", action="store_true", help="play it through the speaker, in real time")
    parser.add_argument("--log", type=Path, help="keep the log here")
    add_options(parser)
    add_screen(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the scene; 0 only where the evening went as the scene expects."""
    started = time.monotonic()
    path = arguments.scene or SCENES[arguments.game]
    scene, setup = load_scene(path)
    packs = load_packs(setup)
    setup = sealed(setup, packs)
    packs, folder = prepare(setup, packs, arguments.model, show)
    table = make_table(setup, packs)
    voice = open_voice(arguments.voice)
    print(f"{scene.title}: {describe(scene, voice.name)}")
    with tempfile.TemporaryDirectory() as scratch:
        log_path = arguments.log or Path(scratch) / "demo.jsonl"
        room = Room(scene, listen=arguments.listen)
        device = _live(room) if arguments.live else room
        printer = Printer()
        printer.expect(table.start()[1])
        meter = Meter(started)

        def watch(event: In, state: Any, effects: tuple[Effect, ...]) -> None:
            meter.watch(event)
            view = table.view(state, None)
            printer.watch(event, state, effects, view)
            serving.watch(event, state, effects, view)

        serving = Serving(table, arguments.screen)
        evening = open_evening(table, device, folder, voice, open_log(log_path, setup), watch=watch)
        busy = time.process_time()
        evening.session.begin()
        serving.hub.begin(evening.session.state)
        try:
            state = evening.run(serving.start(evening))
        finally:
            serving.close()
        meter.report(evening.session, time.process_time() - busy)
        faults = compare(scene.expect, table, state, room, meter.begun)
        faults += lived_again(table, log_path, state)
    for fault in faults:
        print(f"NOT as the scene expects: {fault}")
    if not faults:
        print("The evening went as the scene expects; its log, lived again without the ear, ends the same.")
    return 1 if faults else 0


def load_scene(path: Path) -> tuple[Scene, Setup]:
    """A scene with the game that it plays. Raises AppError."""
    try:
        scene = Scene.load(path)
        game = scene.game
        setup = Setup(
            game=game.get("game", "clever"), seed=int(game.get("seed", 1)), cards=tuple(game.get("cards", ())),
            packs=tuple(game.get("packs", ())),
            options=game.get("options", {}),
        )
    except (SceneError, ValueError, TypeError) as error:
        raise AppError(str(error)) from error
    return scene, setup


def describe(scene: Scene, voice: str) -> str:
    """The room in one line."""
    room = scene.room
    where = f"response {room.response.name}" if room.response else f"reverberation {room.rt60:g} s"
    players = sorted({cue.who for cue in scene.cues})
    return (f"{len(players)} players ({', '.join(players)}), {where}, noise {room.snr_db:g} dB below speech, "
            f"the host's echo at {room.echo_db:+g} dB, voice {voice}")


class Meter:
    """Measures the demo itself."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.first: float | None = None
        self.begun: Counter[str] = Counter()

    def watch(self, event: In) -> None:
        """Count the lines that begin, and note when the first word was spoken."""
        if isinstance(event, Said) and event.part is Part.BEGAN:
            self.begun[event.line.partition("#")[0]] += 1
        if self.first is None and isinstance(event, Said) and event.part is Part.BEGAN:
            self.first = time.monotonic() - self.started
            print(f"(first spoken word {self.first:.1f} s after the start)")

    def report(self, session: Session, cpu: float) -> None:
        """Print speed and memory."""
        length = seconds(session.now)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
        child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
        print(f"{length / 60:.1f} minutes of evening in {cpu:.1f} s of computing: {length / cpu:.1f} times real time "
              f"on one core; memory at its peak {peak:.0f} MB (child processes {child:.0f} MB)")


def compare(expect: Mapping[str, Any], table: Table, state: Any, room: Room, begun: Counter[str]) -> list[str]:
    """What differs between a scene's [expect] and what happened; `begun` is how often each line began."""
    faults = [f'"{cue.text}" ({cue.name}) was never said' for cue in room.unfired]
    view = table.view(state, None)
    game, players = view["game"], [name for name, _ in view["players"]]
    winners = [team["name"] for team in game["teams"]] if "teams" in game else players
    winner = None if game.get("winner") is None else winners[game["winner"]]
    found: dict[str, Any] = {
        "players": [f"{name} {colour}".strip() for name, colour in view["players"]],
        "winner": winner,
        "standing": game.get("standing"),
        "verdicts": [f"{players[v['seat']] if v['seat'] is not None else '-'}: {_value(v['verdict'])}"
                     for v in game.get("all_verdicts", game.get("verdicts", ()))],
    }
    for key, wanted in expect.items():
        if key == "begun":  # line -> how often at least: so a command that nobody answers is seen
            faults += [f"the line {line} began {begun[line]} times, expected {least}"
                       for line, least in wanted.items() if begun[line] < least]
        elif key not in found:
            faults.append(f"the scene expects {key!r}, which nobody can measure")
        elif found[key] != wanted:
            faults.append(f"{key} is {found[key]!r}, expected {wanted!r}")
    return faults


def _value(verdict: Any) -> str:
    return str(getattr(verdict, "value", verdict))


def lived_again(table: Table, path: Path, state: Any) -> list[str]:
    """Step the log once more without ear and voice."""
    read = logs.read(path)
    again, _ = relive(table, read.records)
    return [] if logs.digest(again) == logs.digest(state) else ["the log, lived again, led elsewhere"]


def _live(room: Room) -> Any:
    from host.app.live import aloud

    return aloud(room)
