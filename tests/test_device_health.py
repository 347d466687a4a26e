"""Whether there is a room at the microphone, told from the blocks alone (AUD-16, issue 9)."""

import numpy as np
import pytest

from host.clock import BLOCK, RATE
from host.devices import health
from host.devices.health import DEAF, Health

SECONDS = 12


def speech(seconds: float = SECONDS, seed: int = 1) -> np.ndarray:
    """A host that speaks 1.2 s and is exactly silent for 0.8 s, and so on; 16 bit."""
    random = np.random.default_rng(seed)
    sound = np.convolve(random.normal(0, 2_500, int(seconds * RATE)), np.hanning(9) / 2, "same")
    sound[np.arange(len(sound)) % (2 * RATE) > 1.2 * RATE] = 0
    return np.clip(sound, -32_768, 32_767).astype(np.int16)


def delayed(sound: np.ndarray, by: int, gain: float = 1.0) -> np.ndarray:
    return np.round(np.concatenate([np.zeros(by), sound])[: len(sound)] * gain).astype(np.int16)


def room(far: np.ndarray, noise: float, seed: int = 2) -> np.ndarray:
    """The host through a loudspeaker and a small room, with noise of so many units."""
    random = np.random.default_rng(seed)
    tail = random.normal(0, 1, 1_600) * np.exp(-np.arange(1_600) / 300)
    tail[0] = 4.0
    heard = np.convolve(far, tail / 8)[: len(far)] + random.normal(0, noise, len(far))
    return np.clip(np.round(heard), -32_768, 32_767).astype(np.int16)


def told(mic: np.ndarray, far: np.ndarray, watch: Health | None = None) -> list[tuple[float, str]]:
    """(second, what) for a whole recording."""
    watch = Health() if watch is None else watch
    found = []
    for at in range(0, len(mic) - BLOCK + 1, BLOCK):
        found += [((at + BLOCK) / RATE, what) for what in watch.hear(mic[at : at + BLOCK], far[at : at + BLOCK])]
    return found


SILENT = np.zeros(SECONDS * RATE, np.int16)


@pytest.mark.parametrize("noise", [0.6, 3.0, 100.0])
@pytest.mark.parametrize("echo", [False, True])
def test_a_room_is_never_taken_for_none(noise: float, echo: bool) -> None:
    """From one unit of noise up, with the host loud in it or silent: not a word."""
    far = speech() if echo else SILENT
    assert told(room(far, noise), far) == []


@pytest.mark.parametrize(("lag", "gain"), [(0, 1.0), (700, 0.5), (6_000, 0.13)])
def test_the_speakers_monitor_is_found_within_three_seconds(lag: int, gain: float) -> None:
    """The microphone is pulled out and the stream moves to what the host says itself: "monitor", once."""
    far = speech()
    found = told(delayed(far, lag, gain), far)
    assert [what for _, what in found] == ["monitor"]
    assert found[0][0] <= 3.0


def test_zeros_are_found_within_three_seconds_and_told_once() -> None:
    """AUD-16: digital silence, whether the host speaks or not: "muted"; the first sound ends it."""
    for far in (SILENT, speech()):
        watch = Health()
        found = told(SILENT, far, watch)
        assert [what for _, what in found] == ["muted"]
        assert found[0][0] == pytest.approx(DEAF * BLOCK / RATE)
        assert [what for _, what in told(room(SILENT, 5.0)[: 2 * RATE], SILENT[: 2 * RATE], watch)] == ["muted.over"]


def test_a_microphone_that_comes_back_is_told_at_once() -> None:
    """After "monitor" a real room ends the trouble within half a second, and a second loss is told as fast."""
    watch, far = Health(), speech()
    assert [what for _, what in told(far, far, watch)] == ["monitor"]
    back = told(room(far, 5.0), far, watch)
    assert [what for _, what in back] == ["monitor.over"]
    assert back[0][0] <= 0.5
    assert [what for _, what in told(far, far, watch)] == ["monitor"]


def test_a_speakerphone_that_sends_zeros_in_every_pause_is_told_of_once() -> None:
    """A noise gate is no mute switch: after the first time it takes ten times as long."""
    gate = np.concatenate([SILENT[: 4 * RATE], room(SILENT, 300.0)[:RATE]] * 5)
    found = told(gate, np.zeros_like(gate))
    assert [what for _, what in found] == ["muted", "muted.over"]


def test_clipping_is_told_within_two_seconds_and_passes() -> None:
    """Speech far over the limit: "clipped" once; three clean seconds later it is over; a single peak is nothing."""
    loud = np.clip(room(SILENT, 1.0).astype(int) + speech().astype(int) * 40, -32_768, 32_767).astype(np.int16)
    watch = Health()
    found = told(loud, SILENT, watch)
    assert [what for _, what in found] == ["clipped"]
    assert found[0][0] <= 2.0
    clean = np.tile(room(SILENT, 30.0), 2)
    assert [what for _, what in told(clean, np.tile(SILENT, 2), watch)] == ["clipped.over"]
    clean[::5_000] = 32_767
    assert told(clean, np.tile(SILENT, 2)) == []


def test_it_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """While only players speak nothing is compared; while the host speaks at most every eighth block."""
    looked: list[int] = []
    real = Health._explained
    monkeypatch.setattr(health.Health, "_explained", lambda self: looked.append(1) or real(self))
    told(room(SILENT, 300.0), SILENT)
    assert not looked
    far = speech()
    told(room(far, 30.0), far)
    assert 0 < len(looked) <= len(far) / BLOCK / health.LOOK
