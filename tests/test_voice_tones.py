"""The chimes: their names, their level, their ends."""

import numpy as np
import pytest

from host.voices.tones import NAMES, chime

WANTED = {"listening", "heard", "right", "wrong", "turn", "venn", "word", "closed", "beep", "now"}


def test_every_sign_is_there() -> None:
    """All the signs that the games use exist."""
    assert set(NAMES) >= WANTED


@pytest.mark.parametrize("rate", [16_000, 48_000])
@pytest.mark.parametrize("name", NAMES)
def test_a_chime_never_clicks(name: str, rate: int) -> None:
    """Every chime begins and ends at zero, and its first and last 2 ms stay quiet."""
    pcm = chime(name, rate)
    assert pcm.dtype == np.int16
    assert pcm[0] == 0
    assert pcm[-1] == 0
    peak = np.abs(pcm).max()
    edge = rate // 500
    assert np.abs(pcm[: edge // 4]).max() < peak * 0.15
    assert np.abs(pcm[-edge:]).max() < peak * 0.1


@pytest.mark.parametrize("name", NAMES)
def test_a_chime_is_short_and_below_the_voice_except_the_gong(name: str) -> None:
    """Signs are short and lie under the voice's peaks; only the gong of Venn is loud."""
    pcm = chime(name, 48_000)
    peak = np.abs(pcm).max() / 32768
    assert 0.04 < len(pcm) / 48_000 < (2.0 if name == "venn" else 0.75)
    assert (peak > 0.7) if name == "venn" else (0.05 < peak < 0.2)


def test_chimes_differ_and_do_not_change() -> None:
    """No two signs sound alike, the same name gives the same sound, and nobody can spoil it."""
    assert len({chime(name, 48_000).tobytes() for name in NAMES}) == len(NAMES)
    assert not chime("right", 48_000).flags.writeable


@pytest.mark.parametrize("name", sorted(WANTED - {"venn"}))
def test_chimes_are_tuned_to_one_another(name: str) -> None:
    """The strongest pitch of every sign lies on the pentatonic scale of C, within a fifth of a semitone."""
    pcm = chime(name, 48_000).astype(float)
    spectrum = np.abs(np.fft.rfft(pcm * np.hanning(len(pcm)), 1 << 18))
    pitch = np.argmax(spectrum) * 48_000 / (1 << 18)
    steps = 12 * np.log2(pitch / 261.63) % 12
    assert min(abs((steps - note + 6) % 12 - 6) for note in (0, 2, 4, 7, 9)) < 0.2


def test_an_unknown_chime_is_refused() -> None:
    """A name that is no sign's raises ValueError and lists those there are."""
    with pytest.raises(ValueError, match="listening"):
        chime("trumpet", 48_000)
