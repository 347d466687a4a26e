"""`gamehost replay`: live a log again without the ear, or hear a recording again with it."""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import soundfile

from host import log as logs
from host.app import AppError
from host.app.evening import Setup, load_packs, make_table, open_evening, open_voice, prepare, sealed
from host.app.logbook import set_up_again
from host.app.play import add_rules, read_players, read_rules, read_youngest
from host.app.printing import Printer
from host.clock import seconds
from host.devices import DeviceError
from host.devices.levels import unreadable
from host.devices.recording import Layout, Recording
from host.ears.graph import show
from host.events import Effect, Heard, In
from host.table import Table

SOUNDS = (".flac", ".wav", ".ogg", ".aiff")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("replay", help="live a log again, or hear a recording again")
    parser.add_argument("path", type=Path, metavar="LOG|FILE.flac", help="a log, or what `play --record` has taped")
    parser.add_argument("--print", action="store_true", help="print a log's evening as it happened")
    heard = parser.add_argument_group("for a recording")
    heard.add_argument("--log", type=Path, help="the log of that evening: its players and cards, and its outcome")
    heard.add_argument("--game", choices=["clever", "venn"], default="clever", help="without --log: what was played")
    heard.add_argument("--players", metavar='"NAME:COLOUR, ..."', help="without --log: who played")
    heard.add_argument("--youngest", metavar="NAME", help="without --log: who read first")
    heard.add_argument("--seed", type=int, default=1, help="without --log: how the cards were shuffled")
    heard.add_argument("--voice", choices=["natural", "pyttsx3", "silent"], help="the voice that was used")
    heard.add_argument("--model", help="the recogniser's model: a name or a folder")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """0 where a log led to the same outcome, or a recording was heard to its end."""
    if arguments.path.suffix.lower() in SOUNDS:
        return hear_again(arguments)
    return live_again(arguments.path, arguments.print)


# --- a log --------------------------------------------------------------------------------------


def live_again(path: Path, printing: bool) -> int:
    """Step the table through a log, comparing what went out and each state; 1 where anything differs."""
    began = time.monotonic()
    try:
        read = logs.read(path)
    except logs.LogError as error:
        raise AppError(f"{error}.") from error
    if not read.records:
        raise AppError(f"{path} holds no event: there is nothing to live again.")
    _, _, table = set_up_again(read)
    printer = Printer(sys.stdout) if printing else None
    state, greeting = table.start()
    if printer is not None:
        printer.expect(greeting)
    for number, record in enumerate(read.records, 1):
        state, effects = table.step(state, record.event)
        if printer is not None:
            printer.watch(record.event, state, effects, table.view(state, None))
        fault = difference(record, state, effects)
        if fault:
            print(f"DIFFERENT at event {number} of {len(read.records)} ({described(record.event)}): {fault}")
            return 1
    last = max(record.event.at for record in read.records)
    half = " (a half-written last line was left out)" if read.good < path.stat().st_size else ""
    print(f"The same: {len(read.records)} events, {seconds(last) / 60:.1f} minutes of evening lived again in "
          f"{time.monotonic() - began:.1f} s{half}.")
    print(outcome(table.view(state, None)))
    return 0


def difference(record: logs.Record, state: Any, effects: Sequence[Effect]) -> str:
    """What differs between an event's record and what follows from it today; empty where nothing does."""
    now = tuple(logs.encode(effect) for effect in effects)
    if now != record.out:
        return f"then {told(record.out)}; now {told(now)}"
    return "" if logs.digest(state) == record.state else "the same was said, but it led to another state"


def told(out: Sequence[Mapping[str, Any]]) -> str:
    """What went out, in a few words."""
    said = [f'the host said "{effect["line"]["text"]}"' for effect in out if effect.get("type") == "Say"]
    return ", ".join(said or [str(effect.get("type", effect)) for effect in out]) or "nothing followed"


def described(event: In) -> str:
    """An event in a few words."""
    what = f'heard "{event.text}"' if isinstance(event, Heard) else type(event).__name__
    return f"{what} at {seconds(event.at):.1f} s"


def outcome(view: Mapping[str, Any]) -> str:
    """Where the game stands, in one line."""
    game = view["game"]
    if not game:
        return "No game had begun."
    standing, winner = game.get("standing"), game.get("winner")
    names = [name for name, _ in view["players"]]
    if "teams" in game:
        names, standing = [team["name"] for team in game["teams"]], [team["points"] for team in game["teams"]]
    places = ", ".join(f"{name} {place}" for name, place in zip(names, standing or (), strict=False))
    won = f"; {names[winner]} won" if isinstance(winner, int) and winner < len(names) else ""
    return f"Where it stands: {places or standing}{won}."


# --- a recording --------------------------------------------------------------------------------


def hear_again(arguments: argparse.Namespace) -> int:
    """Host the evening of a recording once more through the ear, and print it."""
    read, setup = recorded_setup(arguments)
    packs = load_packs(setup)
    setup = sealed(setup, packs)
    device, far = open_recording(arguments.path)
    packs, model = prepare(setup, packs, arguments.model or setup.model or None, show)
    table = make_table(setup, packs)
    printer = Printer(sys.stdout)
    printer.expect(table.start()[1])

    def watch(event: In, state: Any, effects: tuple[Effect, ...]) -> None:
        printer.watch(event, state, effects, table.view(state, None))

    evening = open_evening(
        table, device, model, open_voice(arguments.voice), logs.Log(logs.NoDisk()), watch=watch, canceller=far,
    )
    try:
        evening.session.begin()
        state = evening.run()
    except DeviceError as error:
        raise AppError(str(error)) from error
    now = table.view(state, None)
    print(outcome(now))
    if read is not None:
        compare(table, read, now)
    return 0


def recorded_setup(arguments: argparse.Namespace) -> tuple[logs.Read | None, Setup]:
    """The setup of a recording's evening: from its log, or from the options."""
    if arguments.log is not None:
        try:
            read = logs.read(arguments.log)
        except logs.LogError as error:
            raise AppError(f"{error}.") from error
        return read, Setup.of(read.header)
    players = read_players(arguments.players or "", arguments.game)
    return None, Setup(
        game=arguments.game, players=players, youngest=read_youngest(arguments.youngest, players),
        options=read_rules(vars(arguments), arguments.game), seed=arguments.seed,
    )


def open_recording(path: Path) -> tuple[Recording, bool]:
    """The recording as a device; with two channels the last is what the speaker played."""
    try:
        far = soundfile.info(str(path)).channels > 1
    except (OSError, RuntimeError) as error:
        raise AppError(unreadable(path, error), 2) from error
    layout: Layout = "mic+far" if far else "mono"
    try:
        return Recording(path, layout), far
    except DeviceError as error:
        raise AppError(str(error), 2) from error


def compare(table: Table, read: logs.Read, now: Mapping[str, Any]) -> None:
    """Print what was judged differently from the log of the same evening."""
    state, _ = table.start()
    for record in read.records:
        state, _ = table.step(state, record.event)
    then = table.view(state, None)
    print(outcome(then).replace("Where it stands", "Where it stood by the log"))
    before, after = (verdicts(view) for view in (then, now))
    for number, (one, other) in enumerate(zip(before, after, strict=False), 1):
        if one != other:
            print(f"verdict {number}: then {one}; now {other}")
    if len(before) != len(after):
        print(f"verdicts then: {len(before)}; now: {len(after)}")


def verdicts(view: Mapping[str, Any]) -> list[str]:
    """All verdicts of a game, readable."""
    game = view["game"]
    return [f"seat {one.get('seat')} {one.get('text', '')!r} {getattr(one['verdict'], 'value', one['verdict'])}"
            for one in game.get("all_verdicts", game.get("verdicts", ()))]
