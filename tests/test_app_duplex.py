"""The echo's delay is kept from evening to evening, and the canceller follows it."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from host.app.duplex import Settled
from host.devices.canceller import Canceller


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path))
    return tmp_path


def settled(told: int = 800) -> Settled:
    return Settled(SimpleNamespace(), ("mic", "speaker"), told, notice=lambda _text: None)


def test_the_delay_of_the_last_evening_is_used(data) -> None:
    """BAR-06: a delay that was found is kept by microphone and speaker, a little room left before it."""
    first = settled()
    assert first.delay == 800
    first._found(6_000)
    assert json.loads((data / "sound.json").read_text()) == {"mic > speaker": 6_000}
    assert settled().delay == 6_000 - 1_280
    assert Settled(SimpleNamespace(), ("mic", "other"), 800).delay == 800


@pytest.mark.parametrize("text", ["", "[]", "{broken", '{"mic > speaker": "late"}', '{"mic > speaker": -5}'])
def test_settings_that_make_no_sense_are_no_settings(data, text: str) -> None:
    """What can't be read, or is no delay, leaves what the card says of itself."""
    (data / "sound.json").write_text(text)
    assert settled().delay == 800


@pytest.mark.parametrize(("found", "delay", "anew"), [
    (900, 800, False), (1_500, 800, False), (3_900, 2_620, False), (9_600, 8_320, True), (100, 0, True),
])
def test_the_canceller_is_set_anew_only_where_it_must(found: int, delay: int, anew: bool) -> None:
    """BAR-06: an echo beyond reach sets the filter to its delay; one within the filter's length costs no knowledge."""
    canceller = Canceller(800)
    far = np.random.default_rng(1).normal(0, 3_000, 4_800).astype(np.int16)
    for at in range(0, 4_800, 480):
        canceller.clean(far[at : at + 480], far[at : at + 480])
    sut = settled()
    sut.attach(SimpleNamespace(session=SimpleNamespace(parts=SimpleNamespace(cancellers=[canceller]))))
    sut._found(found)
    assert sut.delay == delay
    assert (canceller.erle is None) is anew


@pytest.mark.parametrize(("taken", "told"), [(3.0, 1), (12.0, 0), (None, 0)])
def test_a_canceller_that_achieves_little_is_told_of_once(taken: float | None, told: int) -> None:
    """BAR-14: less than 6 dB after half a minute of the host's voice means that something else is in the chain."""
    said: list[str] = []
    sut = Settled(SimpleNamespace(), ("mic", "speaker"), 800, notice=said.append)
    canceller = SimpleNamespace(erle=taken)
    sut.attach(SimpleNamespace(session=SimpleNamespace(parts=SimpleNamespace(cancellers=[canceller]))))
    for _ in range(20):
        sut._look()
    assert len(said) == told
