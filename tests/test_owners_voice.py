"""Who said it, through the real ear: six players in a room, two microphones, seats by voice (issue 7)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from host import log as logs
from host.app.evening import Setup, load_packs, make_table, open_evening, prepare
from host.bench import owners
from host.clock import RATE, samples
from host.devices.recording import Recording
from host.devices.room import Room
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.events import Effect, In, Part, Said
from host.games import Player
from host.log import Log, NoDisk
from host.packs import Packs
from host.voices.silent import SilentVoice

CARDS = ("thing-octopus", "event-titanic", "place-sahara", "person-mozart", "mystery-rainbow", "thing-compass",
         "place-venice", "thing-umbrella")
PLAYERS = (Player("Alice", "blue"), Player("Robert", "red"), Player("Oscar", "green"))
DEMO = Path(__file__).parent.parent / "audio_fixtures" / "demo"


@dataclass(frozen=True)
class Heard:
    """Packs with pronunciations, and the recogniser that knows their words."""

    packs: Packs
    folder: Path


SETUP = Setup(packs=("family", "classic"), cards=CARDS, players=PLAYERS, youngest=0, options={"ready": False})


@pytest.fixture(scope="module")
def ear(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """One vocabulary for all tests here."""
    pytest.importorskip("vosk", reason="vosk is not installed")
    return Heard(*prepare(SETUP, load_packs(SETUP)))


# --- six players, one microphone ------------------------------------------------------------------


def test_every_verdict_of_a_short_scene_is_the_scenes(ear: Heard) -> None:
    """Four cards, half of the guesses with colour first, a quarter by button, a quarter unowned: all as written."""
    setup = replace(SETUP, players=owners.setup_of(6, 3).players, seed=3)
    said: list[str] = []
    referee, game, plans = owners.play(
        setup, ear.packs, ear.folder, 4, ("hibari",), 3, voice=SilentVoice(), show=said.append,
        room=RoomSettings(rt60=0.3, snr_db=24.0, echo=False, limit=300.0),
    )
    assert referee.fault == ""
    assert referee.lost == []
    assert referee.solved == {1, 2, 3, 4}
    assert list(game.pieces.places) == referee.places
    assert {guess.kind for plan in plans for guess in plan.guesses} == set(owners.KINDS)
    assert len([line for line in said if " right" in line]) == 4


@dataclass(frozen=True)
class _Ruling:
    card: int
    seat: int
    verdict: str
    spaces: int
    text: str = "a fork"


def _plan() -> owners.Plan:
    wrong, right = owners.Guess(1, "first", False, "a fork", 1), owners.Guess(2, "button", True, "a comb", 2)
    return owners.Plan("x", (wrong, right))


@pytest.mark.parametrize(("rulings", "fault"), [
    ([_Ruling(1, 1, "wrong", 0), _Ruling(1, 2, "right", 5)], ""),
    ([_Ruling(1, 2, "right", 5)], ""),
    ([_Ruling(1, 0, "right", 5)], "who said it"),
    ([_Ruling(1, 2, "right", 4)], "CE-13"),
    ([_Ruling(1, 2, "wrong", 0), _Ruling(1, 2, "right", 5)], ""),  # misheard, and said again
    ([_Ruling(1, 0, "wrong", 0)], "did not guess"),
    ([_Ruling(1, 1, "wrong", 0), _Ruling(1, 1, "wrong", 0)], "did not guess"),
    ([_Ruling(1, 1, "wrong", -1)], "CE-11"),
    ([], "lost"),
])
def test_the_referee_sees_what_is_wrong(rulings: list[_Ruling], fault: str) -> None:
    """The scene's referee can fail: another's point, other spaces, a penalty for nobody's guess, no solver."""
    players = tuple(Player(name, colour) for name, colour in (("A", "blue"), ("B", "red"), ("C", "green")))
    referee = owners.Referee([_plan(), _plan()], players, (), print=lambda _text: None)

    @dataclass
    class Game:
        number: int = 1
        rulings: Sequence[_Ruling] = ()

    game = Game()
    referee.watch(Said(0, "card1/start#1", Part.BEGAN), game)
    for number in (1, 2, 3):
        referee.watch(Said(1000 * number, f"card1/statement{number}#{number}", Part.FIRST_WORD), game)
        if number == 2:
            referee.cue("c1-right-0", 2500)
            referee.began.append(2500)
    game.rulings = rulings
    referee.watch(Said(9000, "x", Part.ENDED), game)
    game.number, game.rulings = 2, rulings
    referee.watch(Said(9100, "x", Part.ENDED), game)
    if fault == "lost":
        assert referee.fault == ""
        assert len(referee.lost) == 1
    else:
        assert (fault in referee.fault) if fault else (referee.fault == "")


# --- one microphone each --------------------------------------------------------------------------


def _clip(name: str, level: float) -> np.ndarray:
    sound, rate = soundfile.read(DEMO / f"{name}.flac", dtype="float64")
    assert rate == RATE
    return np.asarray(sound * level)


def _evening(ear: Heard, setup: Setup, device: Any, watch: Any) -> Any:
    table = make_table(setup, ear.packs)
    evening = open_evening(table, device, ear.folder, SilentVoice(), Log(NoDisk()), canceller=False, watch=watch)
    evening.session.begin()
    return evening


def _order(ear: Heard, wanted: str) -> int:
    """The seed by which that card comes first."""
    for seed in range(200):
        setup = replace(SETUP, seed=seed)
        state, _ = make_table(setup, ear.packs).rules.setup(PLAYERS, ear.packs, {}, seed)
        if state.hand.card == wanted:
            return seed
    raise AssertionError(f"{wanted} never comes first")


def test_a_guess_without_colour_belongs_to_the_microphone(ear: Heard, tmp_path: Path) -> None:
    """Two channels, the answer loud in the second and 12 dB quieter in the first: red's, and nobody is asked.

    "What could that be?", said into the same microphone a little later, is talk, and costs nothing.
    """
    setup = replace(SETUP, seed=_order(ear, "thing-octopus"), microphones=("blue", "red"))
    random = np.random.default_rng(5)
    sound = random.normal(0, 1e-3, (45 * RATE, 2))
    marks: list[tuple[int, str]] = []

    def timing(event: In, _state: Any, _effects: tuple[Effect, ...]) -> None:
        if isinstance(event, Said) and event.part is Part.ENDED:
            marks.append((event.at, event.line.partition("#")[0]))

    path = tmp_path / "quiet.wav"
    soundfile.write(path, sound, RATE)
    _evening(ear, setup, Recording(path, "mics"), timing).run()
    at = next(at for at, line in marks if line == "card1/statement1") + samples(1.0)
    for name, start in (("what_could_that_be_kal16", at), ("an_octopus_joe", at + samples(3.2))):
        clip = _clip(name, 0.5)
        sound[start : start + len(clip), 1] += clip
        sound[start : start + len(clip), 0] += 0.25 * clip
    path = tmp_path / "two.wav"
    soundfile.write(path, sound, RATE)
    lines: list[str] = []

    def watch(event: In, _state: Any, _effects: tuple[Effect, ...]) -> None:
        if isinstance(event, Said) and event.part is Part.BEGAN:
            lines.append(event.line.partition("#")[0])

    state = _evening(ear, setup, Recording(path, "mics"), watch).run()
    rulings = [(ruling.seat, ruling.verdict) for ruling in state.game.rulings]
    assert rulings == [(1, "right")]
    assert "card1/who" not in lines


# --- seats by voice -------------------------------------------------------------------------------


def _cue(name: str, line: str, clip: Path, text: str, after: float = 0.8) -> Cue:
    return Cue(name, Trigger("line", line, "ended"), name, (clip,), after, 1, text)


def test_a_player_joins_and_another_leaves_by_voice(ear: Heard, tmp_path: Path) -> None:
    """"Blue is leaving" - "Yes" - "I want to play too" - "Yellow": between two cards in a room; the cards pass."""
    from host.bench.library import Library
    from host.bench.voices import Speaker

    speaker = Speaker(Library())
    texts = {"newcomer": "I want to play too.", "colour": "Yellow.", "leaver": "Blue is leaving.", "yes": "Yes."}
    speaker.make(("hibari", text) for text in texts.values())
    clips = {name: speaker.path("hibari", text) for name, text in texts.items()}
    speaker.make([("hibari", "Blue, an octopus.")])
    answer = speaker.path("hibari", "Blue, an octopus.")
    setup = replace(SETUP, seed=_order(ear, "thing-octopus"), options={})
    scene = Scene("Coming and going", (
        _cue("answer", "card1/statement2", answer, "Blue, an octopus."),
        _cue("leaver", "card2/ready", clips["leaver"], texts["leaver"]),
        _cue("yes", "table/leave", clips["yes"], texts["yes"]),
        replace(_cue("newcomer", "card2/ready", clips["newcomer"], texts["newcomer"]), nth=2),
        _cue("colour", "table/joiner", clips["colour"], texts["colour"]),
    ), RoomSettings(rt60=0.3, snr_db=24.0, echo=False, limit=100.0))
    evening = open_evening(make_table(setup, ear.packs), Room(scene), ear.folder, SilentVoice(),
                           logs.Log(logs.FileDisk(tmp_path / "log.jsonl")))
    evening.session.begin()
    state = evening.run()
    assert [player.colour for player in state.players] == ["red", "green", "yellow"]
    assert [player.colour for player in state.game.players] == ["red", "green", "yellow"]
    assert state.question is None
    assert state.players[state.game.reader].colour == "red"


@pytest.fixture(autouse=True)
def _quiet(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """What an evening prints is not looked at here."""
    yield
    capsys.readouterr()
