"""Interrupting the host in a simulated room: whatever sounds falls silent, and the host never hears itself."""

import numpy as np
import pytest
from ear_clips import StubEngine, clips
from test_canceller_linear import babble, pcm

from host.clock import BLOCK, RATE, samples
from host.devices.canceller import Canceller
from host.devices.room import Room
from host.devices.scene import RoomSettings, Scene
from host.ears.detector import SpeechDetector
from host.ears.scripted import ScriptedEar
from host.ears.vosk import VoskEar
from host.events import Effect, Heard, Hush, In, Line, Listens, Part, Said, Say, Speaking, Word
from host.log import Log, NoDisk
from host.session import Parts, Session
from host.sound import Block, Cleaned, Clip
from host.voices.tones import chime


class Kept(Room):
    """A room that keeps what its speaker played."""

    def __init__(self, **settings) -> None:
        super().__init__(Scene("test", (), RoomSettings(**settings)))
        self.played: list[np.ndarray] = []

    def read(self) -> Block | None:
        block = super().read()
        self.played.append(block.far)
        return block

    @property
    def silent_since(self) -> int:
        """The sample after the last that sounded."""
        return int(np.flatnonzero(np.concatenate(self.played))[-1]) + 1


SOUNDS = {
    "statement": Clip("card1/statement1", pcm(babble(6.0, 2)), RATE),
    "verdict": Clip("card1/verdict", pcm(babble(6.0, 3)), RATE),
    **{name: Clip("", np.tile(chime(name, 48_000), 20), 48_000) for name in ("right", "wrong", "listening", "venn")},
    "countdown": Clip("", np.tile(chime("beep", 48_000), 40), 48_000),
}


@pytest.mark.parametrize("name", sorted(SOUNDS))
def test_every_sound_falls_silent(name: str) -> None:
    """BAR-12: statements, verdicts, tones, the countdown: silent within one block and 5 ms of the decision."""
    room = Kept()
    room.play(SOUNDS[name], 0)
    for _ in range(20):
        room.read()
    decided = 20 * BLOCK
    room.hush()
    for _ in range(60):
        room.read()
    assert decided - samples(0.2) < room.silent_since <= decided + BLOCK + samples(0.006) < decided + samples(0.15)


class LongTable:
    """Says something of ten seconds, and falls silent on "shut up"."""

    def start(self) -> tuple[int, tuple[Effect, ...]]:
        return 0, (Say(Line("help", "a long help")),)

    def step(self, state: int, event: In) -> tuple[int, tuple[Effect, ...]]:
        quiet = isinstance(event, Heard) and event.final and event.text == "shut up"
        cut = isinstance(event, Said) and event.part is Part.CUT
        return (event.at if cut else state), (Hush(),) if quiet else ()

    def listens(self, state: int) -> Listens:
        return Listens(("shut up",))

    def deadline(self, state: int) -> None:
        return None


def test_a_long_prompt_can_be_shut_up() -> None:
    """GAM-22: a line of ten seconds is silent within 300 ms of the words being understood, and reported as cut."""
    room = Kept()
    understood = samples(3.0)
    words = tuple(Word(text, understood - 8_000, understood - 5_000) for text in ("shut", "up"))
    ear = ScriptedEar((Speaking(understood - 6_400, understood - 8_000, 1),
                       Heard(understood, understood - 8_000, understood - 5_000, words, words, 1)))
    parts = Parts(room, [ear], [], lambda line, speed: Clip(line.id, pcm(babble(10.0, 4)), RATE), lambda name: None)
    session = Session(LongTable(), parts, Log(NoDisk()))
    session.begin()
    for _ in range(200):
        session.block(room.read())
    assert understood < room.silent_since <= understood + samples(0.3)
    assert understood <= session.state <= understood + samples(0.1)


@pytest.mark.parametrize("rt60", [0.3, 0.6])
def test_a_loud_host_alone_is_nobody(rt60: float) -> None:
    """BAR-02: half a minute of the host's voice at +6 dB, with a cold canceller: after ten seconds no onset at all."""
    room = Kept(rt60=rt60, echo_db=6.0)
    room.play(Clip("long", pcm(babble(30.0, 6)), RATE), 0)
    canceller, detector = Canceller(), SpeechDetector()
    onsets = []
    for _ in range(samples(31.0) // BLOCK):
        block = room.read()
        onsets += [chunk.at for chunk in detector.hear(*canceller.clean(block.mic[0], block.far)) if chunk.onset]
    assert len([at for at in onsets if at < samples(10.0)]) <= 3
    assert not [at for at in onsets if at >= samples(10.0)]


@pytest.mark.parametrize("rt60", [0.3, 0.6])
def test_a_player_over_a_loud_host_is_noticed(rt60: float) -> None:
    """BAR-02's other side: 20 s into the host's voice at 0 dB a player as loud is noticed within 150 ms."""
    room = Kept(rt60=rt60, echo_db=0.0)
    room.play(Clip("long", pcm(babble(24.0, 6)), RATE), 0)
    player = babble(2.0, 9)
    player *= 0.05 * 32_768 / np.sqrt(np.mean(np.square(player[np.abs(player) > 50])))
    began = samples(20.0)
    canceller, detector = Canceller(), SpeechDetector()
    onsets = []
    for _ in range(samples(22.0) // BLOCK):
        block = room.read()
        mic = block.mic[0].astype(np.float32)
        if 0 <= block.at - began < len(player) - BLOCK:
            mic += player[block.at - began : block.at - began + BLOCK]
        heard = pcm(mic)
        onsets += [chunk.at for chunk in detector.hear(*canceller.clean(heard, block.far)) if chunk.onset]
    sounds = began + int(np.flatnonzero(np.abs(player) > 800)[0])
    late = [at for at in onsets if at >= began]
    assert late
    assert late[0] - sounds <= samples(0.15)


@pytest.mark.parametrize("tone", ["turn", "listening"])
@pytest.mark.parametrize("after", [0.0, 0.1, 0.3])
def test_an_answer_behind_a_tone_is_heard_whole(tone: str, after: float) -> None:
    """BAR-11: a tone, as loud at the microphone as a player, begins no utterance; an answer 0 to 300 ms behind it is
    decoded from its first sample."""
    room = Kept(rt60=0.4, echo_db=0.0)
    room.play(Clip("greeting", pcm(babble(6.0, 6)), RATE), 0)
    sign = chime(tone, 48_000)
    sounds = samples(7.0)
    room.play(Clip("", sign, 48_000), sounds)
    answer = clips()["red is it the danube"].astype(np.float32)
    began = sounds + len(sign) // 3 + samples(after)
    engine, canceller = StubEngine("red"), Canceller()
    ear = VoskEar(engine, Listens(("red",)))
    told = first = None
    while told is None or not engine.made:
        block = room.read()
        mic = block.mic[0].astype(np.float32)
        if 0 <= block.at - began < len(answer) - BLOCK:
            mic += answer[block.at - began : block.at - began + BLOCK]
        cleaned, residue = canceller.clean(pcm(mic), block.far)
        for event in ear.hear(Cleaned(block.at, cleaned, residue)):
            told = event if isinstance(event, Speaking) else told
        assert block.at < began + samples(1.0)
        first = block.at + BLOCK - len(engine.made[0].fed) // 2 if engine.made else None
    spoken = began + int(np.flatnonzero(np.abs(answer) > 0.05 * np.abs(answer).max())[0])
    assert first <= spoken < told.at
    assert abs(told.began - spoken) <= samples(0.12)


@pytest.mark.parametrize("tone", ["turn", "listening"])
def test_a_tone_is_no_answer(tone: str) -> None:
    """BAR-11: the tone alone, as loud at the microphone as a player, begins no utterance."""
    room = Kept(rt60=0.4, echo_db=0.0)
    room.play(Clip("greeting", pcm(babble(6.0, 6)), RATE), 0)
    for at in range(7, 12):
        room.play(Clip("", chime(tone, 48_000), 48_000), samples(at))
    canceller, detector = Canceller(), SpeechDetector()
    onsets = []
    while (block := room.read()).at < samples(13.0):
        onsets += [chunk.at for chunk in detector.hear(*canceller.clean(block.mic[0], block.far)) if chunk.onset]
    assert not [at for at in onsets if at >= samples(7.0)]
