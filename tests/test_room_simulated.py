"""The simulated room: cues in time, levels as told, the same room twice."""

import dataclasses
import os
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from host.clock import BLOCK, RATE, samples
from host.devices import DeviceError
from host.devices.levels import SPEECH, active, active_level, dbfs, speech_span
from host.devices.recording import Recording
from host.devices.responses import BlockConvolver, Shape, convolve, direct_at, made, measured
from host.devices.room import Room
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.events import Part, Word
from host.sound import Block, Clip

SHARED = Path(os.environ.get("GAMEHOST_SHARED", Path(__file__).parent.parent.parent / "shared"))
RESPONSES = sorted((SHARED / "audio" / "rirs").glob("*.flac"))
QUIET = RoomSettings(snr_db=90.0, seed=3)


def babble(seconds: float, seed: int, rate: int = RATE) -> np.ndarray:
    """Something like speech: syllables of filtered noise with pauses, 16 bit."""
    random = np.random.default_rng(seed)
    count = int(seconds * rate)
    noise = np.convolve(random.standard_normal(count + 8), np.hanning(9), "valid")
    syllables = np.repeat(random.choice([0.0, 1.0, 1.0, 0.6], count // 2_000 + 1), 2_000)[:count]
    smooth = np.convolve(syllables, np.hanning(400) / 200, "same")
    return np.clip(noise * smooth * 2_500, -32_768, 32_767).astype(np.int16)


def line(name: str, seconds: float, gap: int = 0) -> Clip:
    return Clip(name, babble(seconds, 5), RATE, (Word("this", 0, 4_800),), gap)


@pytest.fixture
def voice(tmp_path: Path) -> Path:
    """A second of babble with 0.4 s of silence before it and after it."""
    sound = babble(1.0, 9)
    sound[:1_000] = sound[-1_000:] = babble(0.1, 2)[:1_000] + 600
    path = tmp_path / "voice.wav"
    soundfile.write(path, np.concatenate([np.zeros(6_400, np.int16), sound, np.zeros(6_400, np.int16)]), RATE)
    return path


def scene(*cues: Cue, room: RoomSettings = QUIET) -> Scene:
    return Scene("test", cues, room)


def cue(name: str, on: str, clip: Path, after: float = 0.5, **more: object) -> Cue:
    kind = on.split()
    trigger = Trigger("start") if on == "start" else (
        Trigger("cue", kind[1], kind[2]) if kind[0] == "cue" else Trigger("line", kind[0], kind[1]))
    return dataclasses.replace(Cue(name, trigger, "Blue", (clip,), after), **more)


def run(room: Room, blocks: int) -> list[Block]:
    return [block for _ in range(blocks) if (block := room.read()) is not None]


def microphone(blocks: list[Block]) -> np.ndarray:
    return np.concatenate([block.mic[0] for block in blocks])


def test_a_cue_sounds_exactly_when_it_should(voice: Path) -> None:
    """Speech reaches the microphone 0.5 s after the statement began, to the 20 ms of a frame."""
    room = Room(scene(cue("a", "card1/statement2 began", voice), room=dataclasses.replace(QUIET, echo=False)))
    room.play(line("card1/statement1", 1.0), 0)
    room.play(line("card1/statement2#7", 2.0, gap=3_333), 0)
    blocks = run(room, 150)
    began = next(mark.at for block in blocks for mark in block.marks
                 if mark.line.startswith("card1/statement2") and mark.part is Part.BEGAN)
    fired = room.fired[0]
    assert fired.began == began + samples(0.5)
    assert fired.ended - fired.began == RATE
    heard = speech_span(microphone(blocks))
    assert abs(heard[0] - fired.began) <= 960
    assert 0 <= heard[1] - fired.ended + 320 <= 8_000  # the room rings on
    assert not room.unfired


def test_a_scene_stays_right_when_lines_grow(voice: Path) -> None:
    """The same cue fires later by as much as the line before it is longer."""
    times = []
    for seconds in (1.0, 2.5):
        room = Room(scene(cue("a", "x ended", voice)))
        room.play(line("x", seconds), 0)
        run(room, 150)
        times.append(room.fired[0].began)
    assert times[1] - times[0] == samples(1.5)


def test_cues_count_fire_once_and_follow_one_another(voice: Path) -> None:
    """The second time counts where asked for, nothing is said twice, and a reply waits for its cue."""
    room = Room(scene(
        cue("second", "s* began", voice, nth=2),
        cue("reply", "cue second ended", voice, after=0.2, who="Red"),
        cue("first", "start", voice, after=0.1),
        cue("never", "other began", voice),
    ))
    for name in ("s1", "s2", "s3"):
        room.play(line(name, 1.0), 0)
    blocks = run(room, 200)
    begins = {mark.line: mark.at for block in blocks for mark in block.marks if mark.part is Part.BEGAN}
    fired = {item.cue.name: item for item in room.fired}
    assert [item.cue.name for item in room.fired] == ["first", "second", "reply"]
    assert fired["second"].began == begins["s2"] + samples(0.5)
    assert fired["reply"].began == fired["second"].ended + samples(0.2)
    assert fired["first"].began == samples(0.1)
    assert [item.name for item in room.unfired] == ["never"]


def test_a_cut_line_sets_off_nothing_that_waits_for_its_end(voice: Path) -> None:
    """Who waits for a line to end waits on when it is hushed."""
    room = Room(scene(cue("a", "x ended", voice)))
    room.play(line("x", 3.0), 0)
    run(room, 20)
    room.hush()
    blocks = run(room, 100)
    assert blocks[0].marks[0].part is Part.CUT
    assert blocks[0].marks[0].at == 20 * BLOCK
    assert not any(block.far.any() for block in blocks[1:])
    assert room.unfired


@pytest.mark.parametrize("echo_db", [-6.0, 0.0, 6.0])
def test_the_echo_has_the_level_it_is_said_to_have(echo_db: float) -> None:
    """The host at the microphone is as much louder than -26 dBFS as the scene says, whatever its voice."""
    for loud in (0.3, 1.0):
        room = Room(scene(room=dataclasses.replace(QUIET, echo_db=echo_db)))
        clip = line("x", 4.0)
        room.play(dataclasses.replace(clip, pcm=(clip.pcm * loud).astype(np.int16)), 0)
        assert active_level(microphone(run(room, 140))) == pytest.approx(SPEECH + echo_db, abs=0.5)


@pytest.mark.parametrize(("more", "level"), [({}, 0.0), ({"distance": 4.0}, -6.02), ({"level": 3.0}, 3.0)])
def test_players_are_as_loud_as_their_distance_says(voice: Path, more: dict[str, float], level: float) -> None:
    """At the reference distance speech has -26 dBFS; twice as far it has 6 dB less."""
    room = Room(scene(cue("a", "start", voice, **more)))
    assert active_level(microphone(run(room, 100))) == pytest.approx(SPEECH + level, abs=0.5)


@pytest.mark.parametrize("recorded", [False, True])
def test_noise_has_the_level_it_is_said_to_have(recorded: bool, tmp_path: Path) -> None:
    """Noise lies snr_db below speech at -26 dBFS, made up or recorded, and loops without a jump."""
    path = None
    if recorded:
        path = tmp_path / "noise.wav"
        soundfile.write(path, (np.random.default_rng(1).standard_normal(3 * RATE) * 300).astype(np.int16), RATE)
    sound = microphone(run(Room(scene(room=RoomSettings(snr_db=10.0, noise=path))), 600))
    assert dbfs(sound) == pytest.approx(SPEECH - 10.0, abs=0.6)
    steps = np.abs(np.diff(sound.astype(float)))
    assert steps.max() < 8 * steps.std()


def test_the_same_room_twice_is_the_same_samples(voice: Path) -> None:
    """A room follows from its scene and seed alone; another seed is another room."""
    def sound(seed: int) -> np.ndarray:
        room = Room(scene(cue("a", "x began", voice), room=RoomSettings(seed=seed)))
        room.play(line("x", 1.5), 100)
        return microphone(run(room, 100))

    assert np.array_equal(sound(1), sound(1))
    assert not np.array_equal(sound(1), sound(2))


def test_the_whole_room_can_be_heard_again(voice: Path, tmp_path: Path) -> None:
    """What a room records is, read back, the same microphone and far end, block for block."""
    recorded, listened = tmp_path / "room.wav", tmp_path / "listen.wav"
    room = Room(scene(cue("a", "x began", voice)), listen=listened, record=recorded)
    room.play(line("x", 1.0), 0)
    blocks = run(room, 100)
    room.close()
    again = Recording(recorded, "mic+far", tail=0.0)
    for block in blocks:
        other = again.read()
        assert other is not None
        assert np.array_equal(other.mic, block.mic)
        assert np.array_equal(other.far, block.far)
    assert again.read() is None
    people, rate = soundfile.read(listened, dtype="int16")
    assert (people.shape, rate) == ((100 * BLOCK, 2), RATE)
    assert active_level(people[:, 1]) > active_level(room_sound := microphone(blocks))
    assert room_sound.any()


def test_a_room_closes_at_its_limit() -> None:
    """A scene that hangs comes to an end, and resumed time goes on where it was."""
    room = Room(scene(room=RoomSettings(limit=0.3)), start=96_000)
    blocks = run(room, 100)
    assert len(blocks) == 10
    assert blocks[0].at == 96_000


def test_a_silent_clip_is_refused(tmp_path: Path) -> None:
    """A cue without speech is a mistake in the scene, told in one sentence."""
    soundfile.write(tmp_path / "silent.wav", np.zeros(16_000, np.int16), RATE)
    with pytest.raises(DeviceError, match="holds no speech"):
        Room(scene(cue("a", "start", tmp_path / "silent.wav")))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3_000), st.integers(0, 2**32 - 1))
def test_block_convolution_is_convolution(length: int, seed: int) -> None:
    """Cut into blocks, with silences, the sound is that of one long convolution."""
    random = np.random.default_rng(seed)
    response = random.standard_normal(length).astype(np.float32)
    sound = random.standard_normal(20 * BLOCK).astype(np.float32)
    sound[4 * BLOCK : 15 * BLOCK] = 0
    convolver = BlockConvolver(response)
    pieces = [convolver.feed(sound[start : start + BLOCK]) for start in range(0, len(sound), BLOCK)]
    whole = np.convolve(sound.astype(float), response.astype(float))[: len(sound)]
    assert np.allclose(np.concatenate(pieces), whole, atol=1e-2)
    assert np.allclose(convolve(sound, response)[: len(sound)], whole, atol=1e-2)


@pytest.mark.parametrize("rt60", [0.2, 0.4, 0.8])
def test_a_made_room_decays_as_told(rt60: float) -> None:
    """The reverberation time measured on a made response is the one asked for, within a fifth."""
    response = made(Shape(rt60=rt60), 2.0, 1.0, 4)
    left = np.cumsum(np.square(response[::-1], dtype=float))[::-1]
    decibels = 10 * np.log10(left / left[0])
    t20 = (int(np.argmax(decibels < -25)) - int(np.argmax(decibels < -5))) / RATE * 3
    assert t20 == pytest.approx(rt60, rel=0.2)


def test_a_made_room_is_nearer_when_it_is_near() -> None:
    """The nearer the source, the earlier and the stronger its direct sound against the rest."""
    ratios, places = [], []
    for distance in (0.5, 1.0, 2.0):
        response = made(Shape(), distance, 1.0, 4)
        place = direct_at(response)
        places.append(place)
        ratios.append(np.sum(response[: place + 80] ** 2) / np.sum(response[place + 80 :] ** 2))
    assert ratios == sorted(ratios, reverse=True)
    assert places == sorted(places)


def test_levels_count_only_active_frames() -> None:
    """A pause does not make a speaker quieter."""
    sound = babble(2.0, 3)
    longer = np.concatenate([sound, np.zeros(5 * RATE, np.int16)])
    assert active_level(longer) == pytest.approx(active_level(sound), abs=0.1)
    assert dbfs(longer) < dbfs(sound) - 5
    assert not active(np.zeros(1_000)).any()


def test_a_room_costs_little() -> None:
    """A second of room with an echo takes few milliseconds of CPU (goal: 1.5 %; asserted: 10 %)."""
    room = Room(scene())
    room.play(line("x", 20.0), 0)
    spent = time.process_time()
    run(room, 700)
    assert (time.process_time() - spent) / 21.0 < 0.10


@pytest.mark.shared
@pytest.mark.skipif(not RESPONSES, reason=f"no recordings at {SHARED}/audio/rirs")
def test_measured_responses_serve() -> None:
    """Each measured response can be the room, and the echo keeps its level."""
    for path in RESPONSES:
        assert np.max(np.abs(measured(path))) == pytest.approx(1.0)
    room = Room(scene(room=dataclasses.replace(QUIET, response=RESPONSES[4], player_response=tuple(RESPONSES[:3]))))
    room.play(line("x", 3.0), 0)
    assert active_level(microphone(run(room, 110))) == pytest.approx(SPEECH - 6.0, abs=0.7)
