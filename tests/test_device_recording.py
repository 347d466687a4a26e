"""Recordings as a device: whatever the file is, 16-bit blocks at 16 kHz come out."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from host.clock import BLOCK, RATE
from host.devices import DeviceError
from host.devices.recording import Recording, to_pcm
from host.events import Part
from host.sound import Block, Clip


def tone(seconds: float, rate: int, frequency: float = 440.0) -> np.ndarray:
    return 0.5 * np.sin(2 * np.pi * frequency * np.arange(int(seconds * rate)) / rate)


def read_all(device: Recording) -> list[Block]:
    return list(iter(device.read, None))


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000, 96_000])
@pytest.mark.parametrize(("kind", "subtype"), [
    ("wav", "PCM_16"), ("wav", "FLOAT"), ("wav", "DOUBLE"), ("wav", "PCM_24"), ("wav", "PCM_U8"), ("flac", "PCM_16"),
])
@pytest.mark.parametrize("channels", [1, 2, 3])
def test_any_file_is_heard_right(tmp_path: Path, rate: int, kind: str, subtype: str, channels: int) -> None:
    """REC-16: any rate, sample type and number of channels gives the same tone at the same level."""
    path = tmp_path / f"tone.{kind}"
    soundfile.write(path, np.tile(tone(0.5, rate)[:, None], channels), rate, subtype=subtype)
    blocks = read_all(Recording(path, tail=0.0))
    sound = np.concatenate([block.mic[0] for block in blocks])
    assert all(block.mic.dtype == np.int16 and block.mic.shape == (1, BLOCK) for block in blocks)
    assert abs(len(sound) - RATE // 2) <= BLOCK
    middle = sound[1_600:6_400].astype(float)
    assert np.sqrt(np.mean(middle**2)) == pytest.approx(32_768 * 0.5 / np.sqrt(2), rel=0.02)
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert np.argmax(spectrum) * RATE / len(middle) == pytest.approx(440.0, abs=4)


def test_time_is_samples_heard_and_the_tail_is_silence(tmp_path: Path) -> None:
    """Blocks follow one another from `start` on; after the file and its tail there is None."""
    path = tmp_path / "a.wav"
    soundfile.write(path, tone(1.0, RATE), RATE)
    device = Recording(path, tail=0.6, start=4_800)
    blocks = read_all(device)
    assert [block.at for block in blocks] == [4_800 + BLOCK * number for number in range(len(blocks))]
    assert len(blocks) == -(-(RATE + 9_600) // BLOCK)
    assert not blocks[-1].mic.any()
    assert device.read() is None


def test_each_channel_may_be_a_microphone(tmp_path: Path) -> None:
    """Two microphones in one file stay apart where asked for."""
    path = tmp_path / "two.wav"
    soundfile.write(path, np.stack([tone(0.1, RATE), np.zeros(1_600)], axis=1), RATE)
    block = Recording(path, "mics").read()
    assert block is not None
    assert block.mic.shape == (2, BLOCK)
    assert block.mic[0].any()
    assert not block.mic[1].any()


def test_the_host_is_marked_but_not_heard(tmp_path: Path) -> None:
    """Lines played over a recording report their marks to the sample, and are no far end."""
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(RATE), RATE)
    device = Recording(path)
    device.play(Clip("x", np.full(1_000, 9_000, np.int16), RATE), 700)
    blocks = [device.read() for _ in range(5)]
    marks = {mark.part: mark.at for block in blocks if block for mark in block.marks}
    assert (marks[Part.BEGAN], marks[Part.ENDED]) == (700, 1_700)
    assert not any(block.far.any() for block in blocks if block)
    device.play(Clip("y", np.full(9_000, 9_000, np.int16), RATE), 0)
    device.read()
    device.hush()
    block = device.read()
    assert block is not None
    assert [(mark.line, mark.part) for mark in block.marks] == [("y", Part.CUT)]
    device.close()


@pytest.mark.parametrize(("content", "says"), [
    (None, "There is no sound file"), (b"", "not a sound file"), (b"RIFF nonsense", "not a sound file"),
])
def test_a_file_that_is_none_is_told_in_one_sentence(tmp_path: Path, content: bytes | None, says: str) -> None:
    """A wrong path or content gives a sentence, not a traceback."""
    path = tmp_path / "bad.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DeviceError, match=says) as found:
        Recording(path)
    assert "\n" not in str(found.value)


def test_one_channel_carries_no_far_end(tmp_path: Path) -> None:
    """Asking a mono file for its far end is refused with advice."""
    soundfile.write(tmp_path / "a.wav", np.zeros(100), RATE)
    with pytest.raises(DeviceError, match="one channel"):
        Recording(tmp_path / "a.wav", "mic+far")


def test_a_truncated_flac_is_told_or_ends(tmp_path: Path) -> None:
    """Half a FLAC gives the half that is there, then an end or one sentence."""
    path = tmp_path / "a.flac"
    random = np.random.default_rng(0)
    soundfile.write(path, random.standard_normal(4 * RATE) * 0.1, RATE)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    device = Recording(path, tail=0.0)
    blocks, told = 0, ""
    try:
        while device.read() is not None:
            blocks += 1
    except DeviceError as error:
        told = str(error)
    assert blocks > 20
    assert not told or "damaged" in told


def test_floats_that_are_no_numbers_become_silence() -> None:
    """Not-a-number and infinity reach the recogniser as silence and full scale."""
    found = to_pcm(np.array([np.nan, np.inf, -np.inf, 2.0, -2.0, 0.5]))
    assert found.tolist() == [0, 32_767, -32_768, 32_767, -32_768, 16_384]
