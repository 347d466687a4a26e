"""What is expected to be left of the host's echo, where the room rings longer than the filter is long."""

import numpy as np
import pytest

from host.devices.levels import SILENCE
from host.devices.residue import Residue

REACH = 15


def heard(rt60: float, blocks: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Powers of far end, echo taken away and what is left: 1 % of the echo, and the ringing beyond the filter."""
    random = np.random.default_rng(seed)
    far = 10.0 ** random.uniform(5.0, 7.0, blocks) * np.repeat(random.random(blocks // 20) < 0.8, 20)
    decay = 10.0 ** (-6.0 * 0.03 / rt60)
    late = np.zeros(blocks)
    for at in range(REACH + 1, blocks):
        late[at] = decay * late[at - 1] + far[at - REACH - 1]
    taken = 0.5 * far
    left = (0.02 * taken + 2e-3 * late + 100.0) * 10.0 ** (random.normal(0.0, 0.15, blocks))
    return far, taken, left


@pytest.mark.parametrize("rt60", [0.5, 0.8, 1.2, 2.0])
def test_the_ringing_beyond_the_filter_is_expected(rt60: float) -> None:
    """BAR-02: however long a room rings, hardly a block is louder than expected, and the expectation is no excuse."""
    far, taken, left = heard(rt60, 1_000, 1)
    residue = Residue(REACH)
    over = np.array([
        10.0 * np.log10(one / 32_768**2) - residue.level(echo + one, one, echo, host)
        for host, echo, one in zip(far, taken, left, strict=True)
    ])[300:]
    loud = left[300:] > 1e3
    assert np.mean(over[loud] > 0.0) < 0.01
    assert -16.0 < np.median(over[loud]) < -5.0


@pytest.mark.parametrize("lasts", [8, 16, 24])
def test_a_room_that_does_not_die_away_but_ends(lasts: int) -> None:
    """BAR-02: what stays as loud for 0.2 to 0.7 s beyond the filter and then ends is expected in the host's pauses, and
    no longer than it lasts (with decays alone 17 % were louder than expected, and 20 dB were expected behind it)."""
    random = np.random.default_rng(4)
    far = 10.0 ** random.uniform(5.0, 7.0, 1_600) * np.tile(np.repeat([1.0, 0.0], [60, 40]), 16)
    taken, ringing = 0.5 * far, np.concatenate([np.zeros(REACH + 1), np.full(lasts, 4e-3)])
    left = (0.01 * taken + np.convolve(far, ringing)[:1_600] + 100.0) * 10.0 ** random.normal(0.0, 0.15, 1_600)
    residue = Residue(REACH)
    over = np.array([
        10.0 * np.log10(one / 32_768**2) - residue.level(echo + one, one, echo, host)
        for host, echo, one in zip(far, taken, left, strict=True)
    ])[300:]
    pause, loud = far[300:] == 0.0, left[300:] > 1e3
    assert np.mean(over[pause & loud] > 0.0) < 0.05
    assert np.median(over[pause & ~loud]) > 0.0


def test_a_player_does_not_mask_himself() -> None:
    """BAR-02's other side: half a second of a loud player raises what is expected of the echo by 3 dB at the most."""
    far, taken, left = heard(0.8, 600, 2)
    played = left.copy()
    played[500:517] += 3e6
    levels = []
    for powers in (left, played):
        residue = Residue(REACH)
        levels.append(np.maximum(-75.0, [  # below that it is inaudible, and told as silence
            residue.level(echo + one, one, echo, host) for host, echo, one in zip(far, taken, powers, strict=True)
        ]))
    assert np.max((levels[1] - levels[0])[500:560]) < 3.0


def test_what_rings_dies_away() -> None:
    """Four seconds after the host's last word nothing of it is expected any more."""
    far, taken, left = heard(0.8, 400, 3)
    residue = Residue(REACH)
    for host, echo, one in zip(far, taken, left, strict=True):
        residue.level(echo + one, one, echo, host)
    assert residue.rings
    levels = [residue.fade() for _ in range(134)]
    assert levels[-1] == SILENCE
