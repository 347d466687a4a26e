"""`gamehost play`: an evening by microphone and speaker; a game that was broken off is gone on with."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from host import __version__
from host import log as logs
from host.app import AppError, venn
from host.app.duplex import Settled
from host.app.evening import (
    Setup,
    add_options,
    load_packs,
    log_folder,
    make_table,
    new_seed,
    open_evening,
    open_log,
    open_memory,
    open_voice,
    prepare,
    sealed,
)
from host.app.live import Taped, check_devices, echo_delay, open_card
from host.app.logbook import Left, keep_again, keep_scores, new_path, take_up, tidy
from host.app.printing import Printer
from host.app.service import Service
from host.app.serving import Serving, add_buttons, add_screen
from host.app.stopping import StoppedError, Stopping
from host.clock import Samples
from host.devices import Device, DeviceError
from host.devices.card import SoundCard
from host.devices.recording import Recording
from host.ears.graph import show
from host.events import Effect, In
from host.games import Player
from host.heap import settle
from host.home.mqtt import Broker, Home, HomeError, NoHome
from host.memory import Memory
from host.packs import Packs
from host.server.guard import Pairing
from host.table import Table
from host.table.gathering import MOST
from host.understand import COLOURS

DECKS = {"clever": ("clues",), "venn": ("words", "numbers")}
"""Decks whose played cards are left out (CE-20)."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("play", help="play by microphone and speaker")
    parser.add_argument("game", nargs="?", default="clever", choices=sorted(DECKS))
    table = parser.add_argument_group("who plays, and what")
    table.add_argument("--players", metavar='"NAME:COLOUR, ..."', help="clockwise; without it the host asks by voice")
    table.add_argument("--youngest", metavar="NAME", help="who reads first; without it the host asks")
    table.add_argument("--packs", metavar="ID,ID", help="packs of cards by id (default: all)")
    table.add_argument("--pack", action="append", default=[], metavar="FILE", help="a pack of your own, besides")
    table.add_argument("--no-family-filter", action="store_true", help="keep cards that the family filter holds back")
    table.add_argument("--seed", type=int, help="shuffle like this (default: nobody knows)")
    add_rules(parser)
    venn.add_rules(parser)
    sound = parser.add_argument_group("sound")
    sound.add_argument("--input", metavar="NAME", help="microphone: a part of its name (see: gamehost doctor)")
    sound.add_argument("--output", metavar="NAME", help="speaker: a part of its name")
    sound.add_argument("--microphones", metavar='"COLOUR, ..."', default="",
                       help="whose each channel of the microphone is: colours, names or teams, in order")
    sound.add_argument("--half-duplex", action="store_true",
                       help="speak and hear by turns: a tone says when, early guesses are not heard")
    sound.add_argument("--file", type=Path, metavar="FILE.wav", help="hear a recording instead of a microphone")
    sound.add_argument("--speed", type=float, default=1.0, metavar="FACTOR", help="of the voice, 0.55 to 1.9")
    sound.add_argument("--volume", type=float, default=1.0, metavar="FACTOR", help="how loud it speaks, 0.25 to 2")
    sound.add_argument("--record", type=Path, metavar="FILE.flac", help="tape the room for ten minutes")
    add_options(parser)
    add_screen(parser)
    add_buttons(parser)
    parser.add_argument("--mqtt", metavar="URL", help="state and buttons for Home Assistant, like mqtt://user:pw@host")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where logs and the memory of used cards lie")
    parser.add_argument("--no-resume", action="store_true", help="begin a new game though one was broken off")
    parser.set_defaults(run=run, box=False, troubles=())


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The options of Clever Endeavor's rules; those not given stay as the rules have them."""
    rules = parser.add_argument_group("how it is played (Clever Endeavor)")
    rules.add_argument("--pause", type=float, metavar="3-6", help="seconds between two statements (default: 5)")
    rules.add_argument("--statements", type=int, metavar="N", help="statements a card, 1 to 6")
    rules.add_argument("--reader", choices=["host", "silent", "player"], help="who reads the cards (default: host)")
    for name, what in (
        ("hide-category", "never say the category"), ("false-statement", "one statement of each card is false"),
        ("shuffle", "statements in any order"), ("wait", 'the next statement comes on "go on"'),
        ("strict", "every guess needs its colour"),
    ):
        rules.add_argument(f"--{name}", action="store_true", default=None, help=what)
    rules.add_argument("--no-ready", dest="ready", action="store_false", default=None, help='never ask "ready?"')


RULES = ("pause", "statements", "reader", "hide_category", "false_statement", "shuffle", "wait", "strict", "ready")


def run(arguments: argparse.Namespace) -> int:
    """Play to the end; 0 also where a recording ended first, or the program was asked to end (SIGTERM)."""
    stopping = Stopping().listen()
    try:
        return begin(arguments, Service(stopping))
    except StoppedError:
        print("Stopped. The same command goes on from here.", flush=True)
        return 0


def begin(arguments: argparse.Namespace, service: Service) -> int:
    """Find out what is to be played, and play it."""
    if arguments.data is not None:
        os.environ["GAMEHOST_DATA"] = str(arguments.data.absolute())
    fresh = setup_of(arguments)  # what was typed wrongly is told before anything is opened
    if arguments.file is None and arguments.box:
        arguments.devices = ("", "")
    elif arguments.file is None:
        arguments.devices = names = check_devices(arguments.input, arguments.output)
        print(f"microphone: {names[0]}; speaker: {names[1]}")
    elif not arguments.file.is_file():
        raise AppError(f"there is no recording {arguments.file}: check the path.", 2)
    folder, memory = log_folder(), open_memory()
    _tell(memory.notice)
    arguments.troubles = (*arguments.troubles, *(("memory",) if memory.damaged else ()))
    tidy(folder)
    left = None if arguments.no_resume else take_up(folder, arguments.game, _tell)
    playing = begin_anew(fresh, memory, folder) if left is None else go_on(left, memory)
    packs, model = prepare(playing.setup, playing.packs, playing.setup.model or None, show)
    table = make_table(playing.setup, packs)
    return play(arguments, replace(playing, packs=packs, table=table), model, memory, service)


@dataclass(frozen=True)
class Playing:
    """What is about to be played, and from where."""

    setup: Setup
    packs: Packs
    table: Table
    path: Path
    left: Left | None = None

    @property
    def start(self) -> Samples:
        """The sample at which the device's time begins."""
        return 0 if self.left is None else self.left.at

    def log(self) -> logs.Log:
        """The log, new or gone on with."""
        if self.left is None:
            return open_log(self.path, self.setup, _tell)
        try:
            return logs.Log(logs.FileDisk(self.path))
        except OSError as error:
            _tell(f"{self.path} can't be written ({error.strerror}); play goes on without a record.")
            log = logs.Log(logs.NoDisk())
            log.failed = error.strerror or "disk error"
            return log


def begin_anew(setup: Setup, memory: Memory, folder: Path) -> Playing:
    """A new evening, without the cards of earlier ones (CE-20) and those reported as bad (CON-04)."""
    used = tuple(card for deck in DECKS[setup.game] for card in memory.used(deck))
    setup = replace(setup, used=used, without=memory.skipped())
    packs = load_packs(setup)
    setup = sealed(setup, packs)
    return Playing(setup, packs, make_table(setup, packs), new_path(folder, setup.game))


def go_on(left: Left, memory: Memory) -> Playing:
    """The evening that was broken off."""
    keep_again(left.records, memory)
    print(f"A game was broken off: going on with {left.path.name} (a new one begins with --no-resume).")
    return Playing(left.setup, left.packs, left.table, left.path, left)


def play(arguments: argparse.Namespace, playing: Playing, model: Path, memory: Memory, service: Service) -> int:
    """Open voice and device, and host the evening."""
    pairing = None
    if arguments.screen is not None:
        pairing = Pairing.kept(log_folder() / "pairing.json", fresh=playing.left is None)
    serving = Serving(playing.table, arguments.screen, arguments.buttons, pairing, _tell)
    home = open_home(arguments.mqtt, serving)
    voice = open_voice(arguments.voice)
    print(f"voice: {voice.name}; log: {playing.path}")
    sound = open_sound(arguments, playing.start, service)
    evening = open_evening(
        playing.table, sound.device, model, voice, playing.log(), memory=memory,
        watch=watching(playing, serving, home, sound.taped), notice=_tell, canceller=sound.canceller, delay=sound.delay,
    )
    if sound.settled is not None:
        sound.settled.attach(evening)
    settle()
    try:
        evening.session.begin(None if playing.left is None else playing.left.state, playing.start)
        serving.hub.begin(evening.session.state)
        inbox = serving.start(evening, service.block)
        service.begin(f"playing {playing.setup.game}")
        state = evening.run(inbox)
    except StoppedError:
        raise
    except KeyboardInterrupt:
        print(f"\nStopped. The same command goes on from here; the log: {playing.path}")
        return 130
    except DeviceError as error:
        raise AppError(f"{error} The same command goes on from here.") from error
    finally:
        service.end()
        evening.close()
        serving.close()
        home.close()
        report(sound.card)
    return ended(state, playing)


@dataclass(frozen=True)
class Sound:
    """What the evening hears and speaks by: the card, and the card with what lies in between."""

    card: Device
    device: Device
    canceller: bool
    delay: Samples
    settled: Settled | None = None
    taped: Taped | None = None


def open_sound(arguments: argparse.Namespace, start: Samples, service: Service) -> Sound:
    """The device, settled on one way of speaking and hearing, and taped where that is wanted."""
    card, canceller, delay = open_device(arguments, start)
    device: Device = card
    settled = None
    if arguments.file is None:
        settled = Settled(device, arguments.devices, delay, half=arguments.half_duplex, start=start, notice=_tell)
        service.add(getattr(device, "inbox", tuple))
        device, delay = settled.device, settled.delay
        service.add(settled.device.inbox)
    service.tell(start, arguments.troubles)
    taped = None
    if arguments.record is not None:
        device = taped = Taped(device, arguments.record, notice=_tell)
        print(f"RECORDING the room for ten minutes: {arguments.record}")
        service.tell(start, ("recording",))
        service.add(taped.inbox)
    return Sound(card, device, canceller, delay, settled, taped)


def watching(playing: Playing, serving: Serving, home: Home | NoHome, taped: Taped | None) -> Callable[..., None]:
    """What is told of each event: the terminal, the pages, the home, and the tape's end."""
    printer = Printer(sys.stdout)
    if playing.left is None:
        printer.expect(playing.table.start()[1])

    def watch(event: In, state: Any, effects: tuple[Effect, ...]) -> None:
        view = playing.table.view(state, None)
        printer.watch(event, state, effects, view)
        serving.watch(event, state, effects, view)
        home.tell(view)
        if taped is not None and view["game"].get("winner") is not None:
            taped.end()  # SEC-06: the game is over

    return watch


def report(card: Device) -> None:
    """How the sound card did, for the journal."""
    if isinstance(card, SoundCard):
        print(f"sound card: replaced {card.restarts} times; since then {card.glitches} glitches, and {card.late} times "
              "nothing was ready to be played")


def open_home(url: str | None, serving: Serving) -> Home | NoHome:
    """The link to the home, where one is wanted; what is wrong with it is told, and play goes on (off by default)."""
    if url is None:
        return NoHome()

    def post(message: str) -> None:
        serving.inbox.type(None, message)

    try:
        return Home(Broker.of(url), post, __version__, notice=_tell).start()
    except (HomeError, OSError, ValueError) as error:
        _tell(f"{error} Play goes on without.")
        return NoHome()


def ended(state: Any, playing: Playing) -> int:
    """After the evening: keep the scores, say where things are."""
    if state.done:
        try:
            keep_scores(playing.path)
        except (OSError, logs.LogError) as error:
            _tell(f"The scores can't be kept: {error}")
    print(f"The log of this evening: {playing.path}")
    return 0


def open_device(arguments: argparse.Namespace, start: Samples) -> tuple[Device, bool, Samples]:
    """The device, whether it has a far end to cancel, and by how much the echo lags it."""
    if arguments.file is None:
        channels = max(1, len(read_microphones(arguments.microphones)))
        card = open_card(arguments.input, arguments.output, start, _tell, wait=arguments.box, channels=channels)
        return card, True, echo_delay(card)
    try:
        layout: Literal["mics", "mono"] = "mics" if len(read_microphones(arguments.microphones)) > 1 else "mono"
        return Recording(arguments.file, layout, start=start), False, 0
    except DeviceError as error:
        raise AppError(str(error), 2) from error


# --- what was typed -----------------------------------------------------------------------------


def setup_of(arguments: argparse.Namespace) -> Setup:
    """The setup that the options ask for, tried out. Raises AppError in one sentence."""
    players = read_players(arguments.players or "", arguments.game)
    setup = Setup(
        game=arguments.game, players=players, youngest=read_youngest(arguments.youngest, players),
        options=read_rules(vars(arguments), arguments.game),
        seed=new_seed() if arguments.seed is None else arguments.seed,
        packs=tuple(part.strip() for part in (arguments.packs or "").split(",") if part.strip()),
        more=tuple(str(Path(path).absolute()) for path in arguments.pack), family=not arguments.no_family_filter,
        model=arguments.model or "", speed=_within("speed", arguments.speed, 0.55, 1.9),
        volume=_within("volume", arguments.volume, 0.25, 2.0), microphones=read_microphones(arguments.microphones),
    )
    make_table(setup, load_packs(setup))
    return setup


def read_microphones(text: str) -> tuple[str, ...]:
    """Whose each channel is, from "blue, red". Raises AppError (2) where one is named twice, or only one."""
    named = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    if len(named) == 1 or len(set(named)) < len(named) or len(named) > MOST:
        raise AppError(f'Name two to {MOST} different owners of channels, like --microphones "blue, red".', 2)
    return named


def _within(name: str, value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise AppError(f"Set --{name} to {least} to {most}, not to {value}.", 2)
    return value


def read_rules(given: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The game's options among those typed. Raises AppError (2) for those of the other game."""
    options = {name: given[name] for name in RULES if given.get(name) is not None}
    if game == "clever" and (other := next((name for name in venn.RULES if given.get(name) is not None), None)):
        raise AppError(f"--{other.replace('_', '-')} belongs to Venn; leave it out.", 2)
    if options and game != "clever":
        name = next(iter(options)).replace("_", "-")
        raise AppError(f"--{name} belongs to Clever Endeavor; leave it out.", 2)
    if game == "venn":
        return venn.read_rules(given)
    return options


def read_players(text: str, game: str = "clever") -> tuple[Player, ...]:
    """Players from "Anna:blue, Ben:red". Raises AppError (2) in one sentence that says what to write."""
    players: list[Player] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, colour = (piece.strip() for piece in part.partition(":"))
        colour = colour.lower()
        if not name:
            raise AppError(f'"{part}" has no name; write --players "Anna:blue, Ben:red".', 2)
        if game == "clever" and colour not in COLOURS:
            what = f'"{colour}" is no colour' if colour else f"{name} has no colour"
            raise AppError(f"{what} of the game; choose one of {', '.join(COLOURS)}, like this: {name}:red.", 2)
        for other in players:
            if colour and other.colour == colour:
                raise AppError(f"{other.name} and {name} are both {colour}; give each a colour of their own.", 2)
            if other.name.lower() == name.lower():
                raise AppError(f"two players are called {name}; tell them apart by another name.", 2)
        players.append(Player(name, colour))
    if text and not players:
        raise AppError('nobody is named; write --players "Anna:blue, Ben:red".', 2)
    if len(players) > MOST:
        raise AppError(f"{MOST} players find room at the table, not {len(players)}.", 2)
    return tuple(players)


def read_youngest(text: str | None, players: Sequence[Player]) -> int | None:
    """The seat of the youngest, by name or colour. Raises AppError (2)."""
    if text is None:
        return None
    for seat, player in enumerate(players):
        if text.strip().lower() in (player.name.lower(), player.colour):
            return seat
    names = ", ".join(player.name for player in players) or "nobody: give --players too"
    raise AppError(f'--youngest "{text}" does not play; there are {names}.', 2)


def _tell(sentence: str) -> None:
    """One sentence for whoever reads the terminal."""
    if sentence:
        print(sentence, file=sys.stderr, flush=True)
