"""Speaking and hearing at once or by turns: the delay is found, two clocks are noticed, a tone says "now"."""

from dataclasses import replace

import numpy as np
import pytest
import soxr
from hypothesis import given, settings
from hypothesis import strategies as st
from test_canceller_linear import babble, pcm

from host.clock import BLOCK, RATE, samples
from host.devices.canceller import Canceller
from host.devices.clocks import Evened, drift
from host.devices.duplex import HALF_DUPLEX, TAIL, Duplex
from host.devices.levels import dbfs
from host.devices.mouth import Mouth
from host.devices.responses import Shape, made
from host.sound import Block, Clip

TONE = Clip("", np.full(2_000, 9_000, np.int16), RATE)


class Told:
    """A device that hears what it is given: the far end by a delay, its clock so many ppm off."""

    def __init__(self, seconds: float = 0.0, delay: int = 0, ppm: float = 0.0) -> None:
        self.now, self.mouth = 0, Mouth(RATE)
        self.far = self.mic = None
        if seconds:
            far = babble(seconds, 3)
            heard = np.convolve(far, made(Shape(), 0.5, 0.0, 5)[:2_000])[: len(far)]
            heard = soxr.resample(heard, RATE, RATE * (1 + ppm * 1e-6))
            self.far, self.mic = pcm(far), pcm(np.pad(heard, (delay, 0)))

    def read(self) -> Block | None:
        at, self.now = self.now, self.now + BLOCK
        if self.far is not None:
            if self.now > min(len(self.far), len(self.mic)):
                return None
            return Block(at, self.mic[np.newaxis, at : self.now], self.far[at : self.now])
        far, marks = self.mouth.pull(BLOCK, at)
        return Block(at, np.full((1, BLOCK), 100, np.int16), far, marks)

    def play(self, clip: Clip, at: int) -> None:
        self.mouth.play(clip, at)

    def hush(self) -> None:
        self.mouth.hush(self.now)

    def close(self) -> None:
        pass


def line(name: str, seconds: float) -> Clip:
    return Clip(name, np.full(samples(seconds), 5_000, np.int16), RATE)


def blocks(duplex: Duplex, seconds: float) -> list[Block]:
    return [duplex.read() for _ in range(samples(seconds) // BLOCK)]


@pytest.mark.parametrize("delay", [0, 1_600, 4_800, 9_600])
def test_the_delay_is_found_in_the_greeting(delay: int) -> None:
    """BAR-06: delays of 0 to 600 ms are found within 10 ms out of the first seconds of the host's voice."""
    told: list[int] = []
    duplex = Duplex(Told(9.0, delay), TONE, on_delay=told.append)
    while duplex.read() is not None:
        pass
    direct = int(np.argmax(np.abs(made(Shape(), 0.5, 0.0, 5))))
    assert len(told) == 1
    assert told[0] - direct == pytest.approx(delay, abs=160)


@pytest.mark.parametrize("ppm", [0.0, 100.0, -60.0, 300.0])
def test_two_clocks_are_evened_out(ppm: float) -> None:
    """Clocks up to 300 ppm apart are said within half a minute, told to 3 ppm, and 20 dB of the echo go after it."""
    said: list[str] = []
    canceller = Canceller()
    duplex = Duplex(Told(60.0, 1_000, ppm), TONE, notice=said.append, on_clock=canceller.forget)
    heard, left = [], []
    while (block := duplex.read()) is not None:
        heard.append(block.mic[0])
        left.append(canceller.clean(block.mic[0], block.far)[0])
    late = slice(-samples(20.0), None)
    assert dbfs(np.concatenate(heard)[late]) - dbfs(np.concatenate(left)[late]) > 20
    assert not duplex.half
    assert duplex.drift == pytest.approx(ppm, abs=3)
    assert ("two clocks" in "".join(said)) is bool(ppm)


@pytest.mark.parametrize("rates", [(2_000.0, 2_000.0), (100.0, 250.0)])
def test_clocks_that_cannot_be_evened_out_end_in_half_duplex(rates: tuple[float, float]) -> None:
    """Too far apart, or another pace a minute later: players are told, by a sentence and by the host (BAR-09)."""
    said: list[str] = []
    duplex = Duplex(Told(), TONE, notice=said.append)
    delay = 2_000.0
    for second in range(80):
        delay += rates[second >= 20] * 0.016 - duplex.drift * 0.016
        if not duplex.half:
            duplex._found(second * RATE, delay)
    assert duplex.half
    assert [post.what for post in duplex.inbox()] == [HALF_DUPLEX]
    assert "by turns" in said[-1]


@settings(max_examples=25, deadline=None)
@given(st.floats(100.0, 5_000.0), st.floats(-900.0, 900.0))
def test_evening_out_is_reading_between_the_samples(frequency: float, rate: float) -> None:
    """A tone read at another pace is that tone a little higher or lower, 40 dB above every error."""
    sut = Evened()
    place = np.arange(RATE)
    tone = np.rint(8_000 * np.sin(2 * np.pi * frequency * place / RATE)).astype(np.int16)
    sut.change(rate, 4_000)
    behind = 2_000 if rate < 0 else 8
    out = np.concatenate([sut.feed(tone[at : at + BLOCK]) for at in range(0, RATE - BLOCK, BLOCK)])
    read = np.arange(len(out)) - behind - (np.arange(len(out)) + 1) * rate * 1e-6
    wanted = 8_000 * np.sin(2 * np.pi * frequency * read / RATE)
    error = (out - wanted)[behind + 32 :]
    assert np.sqrt(np.mean(error**2)) < 80


def test_one_clock_passes_as_it_is() -> None:
    """Without a drift not one sample of the far end is touched."""
    far = pcm(babble(0.3, 1))[:BLOCK]
    assert Evened().feed(far) is far


def test_a_few_wrong_delays_are_no_drift() -> None:
    """A door that slams moves one delay; the median of the slopes does not follow."""
    still = [(at * 64_000, 900 + at % 2) for at in range(12)]
    assert drift(still) is None
    assert drift([*still[:5], (320_000, 1_100), *still[6:-1], (704_000, 920)]) < 15


def test_half_duplex_is_announced_and_deaf_only_while_the_host_speaks() -> None:
    """BAR-09: told once; no sample reaches the ear while the host speaks, every one does from 60 ms after it."""
    duplex = Duplex(Told(), TONE, half=True)
    assert [post.what for post in duplex.inbox()] == [HALF_DUPLEX]
    assert not duplex.inbox()
    duplex.play(line("statement", 1.0), 0)
    heard = blocks(duplex, 3.0)
    deaf = [block.at for block in heard if not block.mic.any()]
    assert {block.at for block in heard if block.far.any()} <= set(deaf)
    tone = max(block.at for block in heard if block.far.any())
    assert max(deaf) <= tone + TAIL
    assert all(block.mic.all() for block in heard if block.at > tone + TAIL)


@pytest.mark.parametrize(("delay", "lag"), [(4_000, 4_000), (4_000, 0), (9_600, 0)])
def test_half_duplex_is_deaf_until_the_host_has_come_back(delay: int, lag: int) -> None:
    """BAR-09, BAR-11: where a card takes 0.25 or 0.6 s, the ear opens that much later, from the first line on where
    the delay is known, from the second where it is found in the first; and 60 ms and a block later it is open."""
    device = Told(7.0, delay)
    speech, pause = device.far, np.zeros(samples(2.0), np.int16)
    device.far = np.concatenate([speech, pause, speech, pause])
    device.mic = pcm(np.pad(device.far, (delay, 0)).astype(np.float32) + 3.0)[: len(device.far)]
    duplex = Duplex(device, TONE, half=True, lag=lag)
    opened = []
    while (block := duplex.read()) is not None:
        if block.mic.any():
            assert np.all(block.mic == 3) or (block.at < samples(7.1) + delay and not lag)
            opened.append(block.at)
    ends = [len(speech), 2 * len(speech) + len(pause)]
    for end in ends[0 if lag else 1 :]:
        assert end + delay < min(at for at in opened if at >= end) <= end + delay + TAIL + 2 * BLOCK


def test_a_tone_says_now_when_no_line_follows() -> None:
    """BAR-11: one tone after the last of two lines, 150 to 250 ms after its end; the ear is open 60 ms after it."""
    duplex = Duplex(Told(), TONE, half=True)
    duplex.play(line("category", 0.6), 0)
    duplex.play(replace(line("statement", 0.9), gap=samples(0.4)), 0)
    far = np.concatenate([block.far for block in blocks(duplex, 4.0)])
    sounding = np.flatnonzero(far == 9_000)
    assert len(sounding) == 2_000
    end = samples(0.6 + 0.4 + 0.9)
    assert samples(0.14) <= sounding[0] - end <= samples(0.25)


def test_full_duplex_changes_nothing() -> None:
    """At once: microphone and far end pass as they are, and no tone is added."""
    duplex = Duplex(Told(), TONE)
    duplex.play(line("statement", 1.0), 0)
    heard = blocks(duplex, 3.0)
    assert all(block.mic.all() for block in heard)
    assert np.count_nonzero(np.concatenate([block.far for block in heard])) == samples(1.0)


class Loud:
    """A device that notes its volume block by block."""

    def __init__(self) -> None:
        self.at, self.volume, self.volumes = 0, 1.0, []

    def read(self) -> Block:
        self.volumes.append(self.volume)
        self.at += BLOCK
        return Block(self.at - BLOCK, np.zeros((1, BLOCK), np.int16), np.ones(BLOCK, np.int16))

    def set_volume(self, volume: float) -> None:
        self.volume = volume

    def hush(self) -> None:
        """Nothing sounds here."""


@pytest.mark.parametrize(("suspected", "quiet"), [((3,), range(4, 9)), ((3, 4, 6), range(4, 12)), ((), ())])
def test_the_host_is_turned_down_while_somebody_may_be_speaking(suspected, quiet) -> None:
    """36 dB less from the block after the suspicion on, for 150 ms after the last of it, then as loud as it was."""
    device = Loud()
    sut = Duplex(device, TONE)
    sut.set_volume(0.5)
    for at in range(16):
        sut.read()
        if at in suspected:
            sut.duck()
    assert [at for at, volume in enumerate(device.volumes) if volume != 0.5] == list(quiet)
    assert all(20 * np.log10(device.volumes[at] / 0.5) < -36 for at in quiet)
    assert sut.ducks == min(1, len(suspected))


def test_a_volume_set_meanwhile_holds_afterwards() -> None:
    """"Louder" in that moment is not lost, and a hush ends it: the next line is as loud as it should be."""
    device = Loud()
    sut = Duplex(device, TONE)
    sut.read()
    sut.duck()
    sut.set_volume(1.5)
    assert device.volume < 0.03
    sut.hush()
    assert device.volume < 0.03
    sut.read()
    assert device.volume == 1.5
    assert sut.ducked_since is None
