"""The sound card through a real PortAudio and a virtual card on PipeWire."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile

from host.clock import BLOCK, RATE
from host.devices.canceller import CLEAR, Canceller, find_delay
from host.devices.card import SoundCard, list_devices
from host.devices.levels import dbfs
from host.events import Part, Word
from host.sound import Block, Clip, Mark

SHARED = Path(os.environ.get("GAMEHOST_SHARED", Path(__file__).parent.parent.parent / "shared"))
SCRIPT = SHARED / "tools" / "virtual_audio.sh"
NEEDED = ("pipewire", "wireplumber", "pipewire-pulse", "pactl", "pw-link", "paplay")


def missing() -> str:
    """Why the virtual card can't be had, or nothing."""
    if not SCRIPT.exists():
        return f"no {SCRIPT}"
    lacking = [name for name in NEEDED if shutil.which(name) is None]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


def program(name: str) -> str:
    """The whole path of a program."""
    return shutil.which(name) or name


pytestmark = [pytest.mark.soundcard, pytest.mark.skipif(bool(missing()), reason=missing() or "all there")]


@pytest.fixture(scope="module")
def virtual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A speaker "spk" whose sound arrives at the microphone "mic", sample for sample."""
    folder = tmp_path_factory.mktemp("card")
    bash = shutil.which("bash") or "bash"
    subprocess.run([bash, str(SCRIPT), "start", str(folder)], check=True, capture_output=True, timeout=60)
    with pytest.MonkeyPatch.context() as patch:
        for line in (folder / "env.sh").read_text(encoding="utf-8").split()[1:]:
            name, _, value = line.partition("=")
            patch.setenv(name, value)
        subprocess.run([program("pw-link"), "spk:monitor_MONO", "micfeed:playback_MONO"], check=True, timeout=10)
        try:
            yield
        finally:
            subprocess.run([bash, str(SCRIPT), "stop", str(folder)], check=False, capture_output=True, timeout=60)


def babble(seconds: float, seed: int = 1) -> np.ndarray:
    """Noise in syllables, 16 bit, all below 4 kHz."""
    random = np.random.default_rng(seed)
    count = int(seconds * RATE)
    sound = np.convolve(random.standard_normal(count + 15), np.hanning(16) / 4, "valid")
    loud = np.repeat(random.choice([0.2, 1.0, 0.6], count // 3_200 + 1), 3_200)[:count]
    return np.clip(sound * loud * 4_000, -32_768, 32_767).astype(np.int16)


def take(device: SoundCard, blocks: int) -> list[Block]:
    return [block for _ in range(blocks) if (block := device.read()) is not None]


def joined(blocks: list[Block]) -> tuple[np.ndarray, np.ndarray, list[Mark]]:
    return (np.concatenate([block.mic[0] for block in blocks]), np.concatenate([block.far for block in blocks]),
            [mark for block in blocks for mark in block.marks])


def likeness(heard: np.ndarray, pcm: np.ndarray) -> float:
    """Correlation, at the best shift by less than a sample and a half."""
    spectrum, turn = np.fft.rfft(pcm.astype(float)), -2j * np.pi * np.fft.rfftfreq(len(pcm))
    shifted = [np.fft.irfft(spectrum * np.exp(turn * by), len(pcm)) for by in np.arange(-1.5, 1.6, 0.1)]
    return max(float(np.corrcoef(heard.astype(float), each)[0, 1]) for each in shifted)


def alike(mic: np.ndarray, pcm: np.ndarray, place: int) -> float:
    """The share of quarter seconds of a clip that are found at their place in what was heard.

    A busy computer makes PipeWire itself skip or repeat a period: what follows is shifted by up to 25 ms.
    """
    found = []
    mic = np.pad(mic, (400, 4_800))
    for at in range(0, len(pcm) - 3_999, 4_000):
        piece, area = pcm[at : at + 4_000].astype(float), mic[place + at : place + at + 4_800].astype(float)
        best = int(np.argmax(np.correlate(area, piece, "valid")))
        found.append(likeness(area[best : best + 4_000], piece) > 0.95)
    return float(np.mean(found))


@pytest.mark.usefixtures("virtual")
def test_the_virtual_card_is_listed() -> None:
    """The doctor finds speaker and microphone by name."""
    names = {entry.name for entry in list_devices()}
    assert {"spk", "mic"} <= names


@pytest.mark.usefixtures("virtual")
def test_a_clip_arrives_at_the_speaker_when_its_marks_say() -> None:
    """What is played is what the speaker plays, and BEGAN is true to 40 ms."""
    device = SoundCard(microphone="spkmon", speaker="spk")
    pcm = babble(2.0)
    device.play(Clip("hello", pcm, RATE, (Word("hello", 0, 4_000),)), RATE)
    mic, _, marks = joined(take(device, 110))
    device.close()
    found = find_delay(mic, np.pad(pcm, (0, len(mic) - len(pcm))), most=3.0)
    began = next(mark.at for mark in marks if mark.part is Part.BEGAN)
    assert [mark.part for mark in marks] == [Part.BEGAN, Part.FIRST_WORD, Part.ENDED]
    assert found.clarity > CLEAR
    assert abs(found.delay - began) < 640
    assert alike(mic, pcm, found.delay) >= 0.7


@pytest.mark.usefixtures("virtual")
def test_a_recording_played_into_the_microphone_arrives_in_blocks(tmp_path: Path) -> None:
    """What a player says, played by another program, is heard whole and unchanged."""
    pcm = babble(2.0, 5)
    soundfile.write(tmp_path / "player.wav", pcm, RATE)
    device = SoundCard(microphone="mic", speaker="spk")
    take(device, 10)
    with subprocess.Popen([program("paplay"), "--device=micfeed", str(tmp_path / "player.wav")]) as player:
        blocks = take(device, 110)
        player.wait(10)
    device.close()
    mic, far, _ = joined(blocks)
    found = find_delay(mic, np.pad(pcm, (0, len(mic) - len(pcm))), most=2.5)
    assert alike(mic, pcm, found.delay) >= 0.7
    assert not far.any()
    assert all(later.at == earlier.at + BLOCK for earlier, later in pairwise(blocks))


@pytest.mark.usefixtures("virtual")
def test_far_end_and_microphone_keep_their_distance_and_the_echo_goes() -> None:
    """The echo lags the far end by one constant delay, and the canceller removes it.

    A busy computer makes PipeWire itself skip a period now and then, so one of three tries must do.
    """
    for _ in range(3):
        device = SoundCard(microphone="mic", speaker="spk")
        device.play(Clip("long", babble(6.5), RATE), 0)
        blocks = take(device, 210)
        device.close()
        mic, far, _ = joined(blocks)
        places = (RATE, 3 * RATE, 5 * RATE)
        delays = [find_delay(mic[at : at + RATE], far[at : at + RATE]) for at in places]
        assert all(found.clarity > CLEAR for found in delays)
        if len({found.delay for found in delays}) == 1:
            break
    assert len({found.delay for found in delays}) == 1
    canceller = Canceller(delay=max(0, delays[0].delay - 160))
    cleaned = np.concatenate([canceller.clean(block.mic[0], block.far)[0] for block in blocks])
    assert dbfs(mic[4 * RATE : 6 * RATE]) - dbfs(cleaned[4 * RATE : 6 * RATE]) > 20


@pytest.mark.usefixtures("virtual")
def test_hush_is_heard_at_once() -> None:
    """From the last sample heard before the hush to silence at the microphone: under 150 ms, way back included.

    The card's own share (hand-over to silence) is under 60 ms.
    """
    device = SoundCard(microphone="mic", speaker="spk")
    device.play(Clip("long", babble(9.0), RATE), 0)
    blocks = take(device, 60)
    device.hush()
    asked = blocks[-1].at + BLOCK
    mic, far, marks = joined(take(device, 15))
    device.close()
    assert [mark.part for mark in marks if mark.part is not Part.FIRST_WORD] == [Part.CUT]
    handed = np.flatnonzero(far)
    heard = np.flatnonzero(np.abs(mic) > 20)
    assert (handed[-1] if len(handed) else 0) < 960, asked
    assert (heard[-1] if len(heard) else 0) < 2_400, asked


@pytest.mark.usefixtures("virtual")
def test_a_card_whose_child_is_killed_comes_back() -> None:
    """AUD-01 with the real library: the child dies, the game hears a gap and goes on."""
    told: list[str] = []
    device = SoundCard(microphone="mic", speaker="spk", notice=told.append)
    device.play(Clip("long", babble(9.0), RATE), 0)
    take(device, 20)
    os.kill(device.pid, 9)
    blocks = take(device, 60)
    give_up = time.monotonic() + 20
    while device.restarts == 0 and time.monotonic() < give_up:
        blocks += take(device, 1)
    blocks += take(device, 5)
    device.close()
    assert device.restarts == 1
    assert sum(1 for block in blocks if block.gap) == 1
    assert [mark.part for block in blocks for mark in block.marks if mark.part is Part.CUT] == [Part.CUT]
    assert any("is back" in sentence for sentence in told)
