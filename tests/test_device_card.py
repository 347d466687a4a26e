"""The sound card's child and its keeper, with a made-up PortAudio in place of the real one."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from host.clock import BLOCK, RATE
from host.devices import DeviceError, card
from host.devices.aloud import Aloud
from host.devices.canceller import find_delay
from host.devices.card import SoundCard, list_devices
from host.devices.card_child import choose
from host.devices.card_engine import Engine
from host.devices.decimator import Decimator
from host.devices.meter import metered, record, tone
from host.devices.room import Room
from host.devices.scene import RoomSettings, Scene
from host.events import Part, Word
from host.sound import Block, Clip, Mark

FAKE = '''
"""A PortAudio whose microphone hears its speaker one period later; told by FAKE_CARD what to do wrong."""
import os, sys, threading, time
MODE = os.environ.get("FAKE_CARD", "")
if MODE == "missing":
    raise OSError("PortAudio library not found")
if MODE == "abort":
    os.abort()
class PortAudioError(Exception): pass
class default: device = (0, 0) if MODE != "none" else (-1, -1)
def query_devices():
    if MODE == "none":
        return []
    one = {"name": "Fake Card", "max_input_channels": 2, "max_output_channels": 2, "default_samplerate": 44100.0}
    return [one, {**one, "name": "HDMI", "max_input_channels": 0}]
class RawStream:
    latency = (0.0, 0.01)
    def __init__(self, samplerate, blocksize, device, channels, dtype, latency):
        if MODE == "busy":
            raise PortAudioError("Error opening RawStream: Device unavailable [PaErrorCode -9985]")
        if MODE == "only44" and (samplerate != 44100 or channels[0] != 2):
            raise PortAudioError("Error opening RawStream: Invalid sample rate [PaErrorCode -9997]")
        self.samplerate, self.frames, self.channels = samplerate, blocksize, channels
        self.heard = bytes(2 * blocksize * channels[0])
        self.number = 0
    def start(self):
        self.once = os.environ.get("FAKE_ONCE")
        self.broken = MODE in ("hang", "raise", "finish") and not os.path.exists(self.once)
    def read(self, frames):
        time.sleep(float(os.environ.get("FAKE_PAUSE", "0.0005")))
        self.number += 1
        if self.broken and self.number == 60:
            open(self.once, "w").close()
            if MODE == "hang":
                time.sleep(3600)
            if MODE == "finish":
                raise PortAudioError("Unanticipated host error [PaErrorCode -9999]")
            raise ValueError("a fault of the program's own")
        return memoryview(self.heard), False
    def write(self, data):
        if MODE != "muted":
            left = bytes(data)[0::4], bytes(data)[1::4]
            mono = b"".join(bytes(pair) for pair in zip(*left))
            self.heard = mono if self.channels[0] == 1 else bytes(data)
        return False
    def abort(self):
        os.abort()  # as PortAudio does while another thread reads
    close = abort
'''


@dataclass
class Fake:
    """How the made-up card is told what to do."""

    patch: pytest.MonkeyPatch
    told: list[str] = field(default_factory=list)

    def behave(self, mode: str) -> None:
        self.patch.setenv("FAKE_CARD", mode)

    def open(self, **more: object) -> SoundCard:
        return SoundCard(notice=self.told.append, **more)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    (tmp_path / "sounddevice.py").write_text(FAKE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("FAKE_ONCE", str(tmp_path / "broke-once"))
    monkeypatch.setenv("FAKE_CARD", "")
    return Fake(monkeypatch)


def noise(count: int, seed: int = 0, high: int = 8_000) -> np.ndarray:
    return np.random.default_rng(seed).integers(-high, high, count).astype(np.int16)


def take(device: SoundCard, blocks: int) -> list[Block]:
    return [block for _ in range(blocks) if (block := device.read()) is not None]


def joined(blocks: list[Block]) -> tuple[np.ndarray, np.ndarray, list[Mark]]:
    return (np.concatenate([block.mic[0] for block in blocks]), np.concatenate([block.far for block in blocks]),
            [mark for block in blocks for mark in block.marks])


# --- the engine: no process, no thread ---


def loop(engine: Engine, count: int, hush_at: int = -1) -> list[Block]:
    """Drive an engine whose microphone hears the period before."""
    blocks, heard = [], bytes(2 * engine.frames)
    for number in range(count):
        if number == hush_at:
            engine.hush()
        played, marks = engine.exchange()
        blocks += engine.hear(heard, played, marks)
        engine.refill()
        heard = np.frombuffer(played, np.int16)[:: engine.outputs].tobytes()
    return blocks


@pytest.mark.parametrize("rate", [16_000, 48_000, 32_000])
def test_microphone_and_far_end_stay_aligned_to_the_sample(rate: int) -> None:
    """What the speaker played comes back as far end, and as microphone a constant 10 ms later."""
    engine = Engine(rate, rate // 100, 1, 2)
    engine.play(Clip("a", noise(RATE), RATE), 1_600)
    mic, far, _ = joined(loop(engine, 200))
    assert far.any()
    assert np.array_equal(mic[160:], far[:-160])


def test_a_mark_tells_when_a_line_can_be_heard() -> None:
    """With the card's latency known, BEGAN is the sample at which the microphone hears the line."""
    engine = Engine(48_000, 480, 1, 1)
    engine.latency = 160
    engine.play(Clip("a", np.full(8_000, 9_000, np.int16), RATE, (Word("x", 0, 1_000),)), 4_000)
    blocks = loop(engine, 200)
    mic, _, marks = joined(blocks)
    assert [(mark.part, mark.at) for mark in marks] == [
        (Part.BEGAN, 4_000), (Part.FIRST_WORD, 5_000), (Part.ENDED, 12_000)]
    assert abs(int(np.argmax(mic > 4_500)) - 4_000) <= 2
    assert all(block.at <= mark.at <= block.at + BLOCK for block in blocks for mark in block.marks)


def test_hush_reaches_what_was_already_prepared() -> None:
    """The very next period fades out within 5 ms, and each line is CUT once and never ENDED."""
    engine = Engine(48_000, 480, 1, 1)
    engine.play(Clip("a", np.full(16_100, 9_000, np.int16), RATE), 0)
    engine.play(Clip("b", np.full(16_000, 9_000, np.int16), RATE), 0)
    blocks = loop(engine, 200, hush_at=100)  # inside line a's last 10 ms: the end was already prepared
    _, far, marks = joined(blocks)
    last = int(np.flatnonzero(np.abs(far) > 100)[-1])
    assert 16_000 <= last <= 16_000 + 80 + 44
    assert np.max(np.abs(np.diff(far[15_000:17_000].astype(int)))) < 400
    assert [(mark.line, mark.part) for mark in marks] == [
        ("a", Part.BEGAN), ("a", Part.FIRST_WORD), ("a", Part.CUT), ("b", Part.CUT)]


def test_a_period_for_which_nothing_is_ready_plays_silence_and_is_counted() -> None:
    """A late main thread costs silence, not an error, and time goes on."""
    engine = Engine(48_000, 480, 1, 1)
    for _ in range(5):
        data, _ = engine.exchange()
    assert data == bytes(960)
    assert engine.late == 2
    engine.refill()
    engine.play(Clip("a", noise(100), RATE), 0)
    marks = [mark for _ in range(9) for mark in _turn(engine)]
    assert [mark.at for mark in marks if mark.part is Part.BEGAN] == [160 * 8]  # 5 gone and 3 ahead


def _turn(engine: Engine) -> tuple[Mark, ...]:
    _, marks = engine.exchange()
    engine.refill()
    return marks


@pytest.mark.parametrize("rate", [44_100, 22_050, 48_000, 96_000, 16_000])
def test_every_rate_comes_down_to_16_khz(rate: int) -> None:
    """A tone keeps its frequency and level, and what lies above 8 kHz stays out."""
    for frequency, passes in ((1_000, True), (10_500, False)):
        if frequency * 2 > rate:
            continue
        sound = np.sin(2 * np.pi * frequency * np.arange(rate) / rate).astype(np.float32)[:, None]
        down = Decimator(rate, 1)
        out = np.concatenate([down.feed(sound[at : at + rate // 100]) for at in range(0, rate, rate // 100)])
        assert len(out) > RATE * 0.97
        level = float(np.std(out[400:]))
        assert level == pytest.approx(0.7071, rel=0.02) if passes else level < 0.01


# --- the child and its keeper ---


def test_a_clip_is_played_heard_and_reported(fake: Fake) -> None:
    """What is played comes back, at the sample that was asked for, with its marks, in whole blocks."""
    device = fake.open(start=32_000)
    clip = Clip("hello", np.full(16_000, 9_000, np.int16), RATE, (Word("Hello", 0, 4_000), Word("there", 4_000, 9_000)))
    device.play(clip, 32_000 + 16_000)
    blocks = take(device, 80)
    mic, _, marks = joined(blocks)
    assert [block.at for block in blocks] == [32_000 + BLOCK * number for number in range(80)]
    late = 160 * device.late  # a busy computer plays silence for 10 ms, and what follows comes later
    wanted = [(Part.BEGAN, 16_000), (Part.FIRST_WORD, 20_000), (Part.ENDED, 32_000)]
    assert [mark.part for mark in marks] == [part for part, _ in wanted]
    assert all(0 <= mark.at - 32_000 - at <= late for mark, (_, at) in zip(marks, wanted, strict=True))
    assert -2 <= int(np.argmax(mic > 4_500)) - 16_000 <= late + 2
    assert device.saying(32_000 + 18_000) == ("hello",)
    assert device.names == ("Fake Card", "Fake Card")
    device.close()
    assert device.read() is None


def test_hush_and_volume_reach_the_child(fake: Fake) -> None:
    """A hushed line is CUT and silent; half the volume is half the samples."""
    device = fake.open()
    device.set_volume(0.5)
    device.play(Clip("a", np.full(10 * RATE, 8_000, np.int16), RATE), 0)
    before, _, _ = joined(take(device, 30))
    assert int(before[-1]) == 4_000
    device.hush()
    blocks = []
    while not any(mark.part is Part.CUT for block in blocks[-1:] for mark in block.marks):
        blocks += take(device, 1)
    after, _, _ = joined(take(device, 5))
    assert not after[BLOCK:].any()
    device.close()


@pytest.mark.parametrize(("mode", "says"), [
    ("missing", "sudo apt install libportaudio2"),
    ("none", "No microphone was found"),
    ("busy", "busy, another program holds it"),
    ("abort", "broke down while it started (code -6)"),
])
def test_what_is_wrong_is_one_sentence(fake: Fake, mode: str, says: str) -> None:
    """AUD-19: no library, no card, a card in use, a sound system that aborts: told, not raised through."""
    fake.behave(mode)
    with pytest.raises(DeviceError) as found:
        fake.open()
    assert says in str(found.value)
    assert "\n" not in str(found.value)


def test_a_card_that_knows_one_rate_only_is_opened_at_it(fake: Fake) -> None:
    """AUD-04: 44.1 kHz stereo only: opened so, and 16 kHz mono comes out with the tone intact."""
    fake.behave("only44")
    device = fake.open()
    device.play(tone(2.0, 1_000.0), 0)
    mic, _, _ = joined(take(device, 70))
    device.close()
    piece = mic[8_000:24_000].astype(float)
    assert np.argmax(np.abs(np.fft.rfft(piece))) * RATE / len(piece) == pytest.approx(1_000.0, abs=2.0)
    assert np.std(piece) == pytest.approx(32_768 * 10 ** (-18 / 20), rel=0.02)


@pytest.mark.parametrize("mode", ["hang", "raise", "finish"])
def test_a_stream_that_ends_or_hangs_is_replaced(fake: Fake, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """AUD-01, AUD-07, AUD-13: the game hears of a gap, its line is CUT, and sound goes on by name."""
    monkeypatch.setattr(card, "WATCHDOG", 0.3)
    fake.behave(mode)
    device = fake.open(microphone="fake")
    device.play(Clip("long", noise(60 * RATE), RATE), 0)
    blocks = take(device, 200)
    gaps = [block for block in blocks if block.gap]
    device.close()
    assert len(blocks) == 200
    assert device.restarts == len(gaps) == 1
    cut = [(mark.line, mark.part) for block in blocks for mark in block.marks if mark.part is Part.CUT]
    assert cut == [("long", Part.CUT)]
    assert all(later.at == block.at + BLOCK + later.gap for block, later in pairwise(blocks))
    assert [event.what for event in device.inbox()][:2] == ["sound", "sound.over"]
    assert "is lost" in fake.told[0]
    assert "is back" in fake.told[1]


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs a system that can stop a process")
def test_a_child_that_stands_still_cannot_hold_the_game(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """AUD-01: a frozen child takes no clip off the pipe; the game goes on with a new one all the same."""
    monkeypatch.setattr(card, "WATCHDOG", 0.3)
    device = fake.open()
    take(device, 5)
    os.kill(device.pid, signal.SIGSTOP)
    for number in range(5):
        device.play(Clip(f"line{number}", noise(10 * RATE), RATE), 0)
    while device.restarts == 0:
        take(device, 1)
    blocks = take(device, 5)
    device.close()
    assert len(blocks) == 5


def test_a_card_that_stays_away_ends_in_one_sentence(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """When patience is over the game is told, once."""
    fake.behave("finish")
    device = fake.open(patience=0.0)
    monkeypatch.setenv("FAKE_CARD", "none")
    with pytest.raises(DeviceError, match="lost and did not come back: No microphone was found"):
        take(device, 500)
    assert device.read() is None


def test_a_muted_microphone_is_told_once(fake: Fake) -> None:
    """AUD-16: three seconds of exact zeros are told in one sentence."""
    fake.behave("muted")
    device = fake.open()
    take(device, 250)
    device.close()
    assert fake.told == ["The microphone sends digital silence: is it muted or switched off?"]


def test_no_sound_is_lost_while_the_game_is_busy(fake: Fake) -> None:
    """AUD-06: blocks that come in while nobody reads wait in their order."""
    device = fake.open()
    first = device.read()
    give_up = time.monotonic() + 20
    while device._child.inbox.qsize() < 200 and time.monotonic() < give_up:
        time.sleep(0.01)
    blocks = take(device, 200)
    device.close()
    assert first is not None
    assert [block.at for block in blocks] == [first.at + BLOCK * number for number in range(1, 201)]
    assert device.restarts == 0


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie that nobody fetched does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see whether a process runs")
@pytest.mark.parametrize("mode", ["", "hang"])
def test_the_child_never_outlives_the_game(fake: Fake, mode: str) -> None:
    """KIO-17: the game is killed without a word, and its child is gone within seconds."""
    fake.behave(mode)
    code = "from host.devices.card import SoundCard; c = SoundCard(); print(c.pid, flush=True); c.read(); input()"
    root = Path(__file__).parent.parent
    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{os.environ['PYTHONPATH']}"}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as game:
        assert game.stdout is not None
        pid = int(game.stdout.readline())
        assert alive(pid)
        game.kill()
    give_up = time.monotonic() + 20
    while alive(pid) and time.monotonic() < give_up:
        time.sleep(0.02)
    assert not alive(pid)


def test_devices_are_listed(fake: Fake) -> None:
    """The doctor sees every device with its channels."""
    found = list_devices()
    assert [(entry.name, entry.inputs, entry.outputs) for entry in found] == [("Fake Card", 2, 2), ("HDMI", 0, 2)]
    fake.behave("missing")
    with pytest.raises(DeviceError, match="libportaudio2"):
        list_devices()


def entry(name: str, inputs: int = 1, outputs: int = 1, default: bool = False) -> dict[str, object]:
    return {"name": name, "inputs": inputs, "outputs": outputs, "default_in": default, "default_out": default}


CARDS = [entry("HDMI", inputs=0, default=True), entry("USB Mic", outputs=0), entry("USB Mic Pro"), entry("Analog")]


@pytest.mark.parametrize(("name", "side", "found"), [
    (None, "inputs", 1), (None, "outputs", 0), ("analog", "inputs", 3), ("usb mic", "inputs", 1), ("PRO", "outputs", 2),
    ("usb", "inputs", "may be any of these: USB Mic, USB Mic Pro"),
    ("hdmi", "inputs", 'No microphone is called "hdmi"'),
])
def test_devices_are_chosen_by_name(name: str | None, side: str, found: int | str) -> None:
    """AUD-03, AUD-09: names, not numbers; never a device without channels; ambiguity is told."""
    if isinstance(found, int):
        assert choose(CARDS, name, side) == found
        assert choose(CARDS[::-1], name, side) == len(CARDS) - 1 - found or name is None
        return
    with pytest.raises(DeviceError, match=found):
        choose(CARDS, name, side)


# --- the level meter ---


@pytest.mark.parametrize(("sound", "says"), [
    (np.zeros(RATE, np.int16), "digital silence"),
    (noise(RATE, high=40), "too quiet"),
    (np.clip(noise(RATE).astype(int) * 9, -32_768, 32_767).astype(np.int16), "too loud"),
    (noise(RATE, high=3_000), "is well"),
    (np.zeros(0, np.int16), "Nothing was heard"),
])
def test_the_meter_says_what_to_do(sound: np.ndarray, says: str) -> None:
    """AUD-16: silence, too quiet, clipped and well are told apart."""
    assert says in metered(sound).advice


def test_a_tone_is_played_and_measured(fake: Fake) -> None:
    """The doctor's tone comes back at its level."""
    device = fake.open()
    sound = record(device, 1.5, tone(1.0, level=-18.0))
    device.close()
    assert metered(sound[0]).level == pytest.approx(-18.0, abs=0.5)


def test_a_room_can_be_played_aloud(fake: Fake) -> None:
    """The demo's --live: the room's mix leaves the speaker without a seam, and its blocks stay as they are."""
    fake.patch.setenv("FAKE_PAUSE", "0.01")
    scene = Scene("test", (), RoomSettings(snr_db=60.0))
    silent, aloud = Room(scene), Aloud(Room(scene), fake.open())
    mixes = []
    for device in (silent, aloud):
        device.play(Clip("a", np.convolve(noise(2 * RATE), np.hanning(16) / 8, "same").astype(np.int16), RATE), 0)
    played = []
    read = aloud.card.read

    def keep() -> Block | None:
        block = read()
        played.append(block.far if block else np.zeros(BLOCK, np.int16))
        return block

    aloud.card.read = keep  # type: ignore[method-assign]
    for _ in range(60):
        one, other = silent.read(), aloud.read()
        assert one is not None
        assert other is not None
        assert np.array_equal(one.mic, other.mic)
        left, right = silent.mix()
        mixes.append((left.astype(float) + right) / 2)
    aloud.close()
    heard, mix = np.concatenate(played).astype(float), np.concatenate(mixes)
    found = find_delay(heard.astype(np.int16), mix[: len(heard)].astype(np.int16), most=1.0).delay
    piece, place = heard[found + 3_200 : found + 16_000], np.fft.rfftfreq(12_800)
    spectrum = np.fft.rfft(mix[3_200:16_000])
    near = [np.fft.irfft(spectrum * np.exp(-2j * np.pi * place * by)) for by in np.arange(-1.5, 1.6, 0.1)]
    assert max(np.corrcoef(piece, each)[0, 1] for each in near) > 0.99
