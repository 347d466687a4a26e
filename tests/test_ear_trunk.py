"""The acoustic model's own net in numpy: cepstra, layers, streams, and models of another form."""

from pathlib import Path

import numpy as np
import pytest
from ear_clips import MODEL
from hypothesis import given, settings
from hypothesis import strategies as st

from host.ears import trunk
from host.ears.fronts import Double, Layer, Narrow
from host.ears.keyword import DEEP

RATE = 16_000


@pytest.fixture(scope="module")
def net() -> trunk.Trunk:
    return trunk.read(MODEL)


def sound(seconds: float, seed: int = 1) -> np.ndarray:
    """A chord that comes and goes, and hiss."""
    at = np.arange(round(seconds * RATE)) / RATE
    chord = sum(np.sin(2 * np.pi * hertz * at) for hertz in (180, 620, 1350, 2700)) * (1 + np.sin(2 * np.pi * 3 * at))
    return (chord * 900 + np.random.default_rng(seed).normal(0, 60, len(at))).astype(np.int16)


def naive_cepstra(frame: np.ndarray) -> np.ndarray:
    """Kaldi's recipe for one frame, written out: emphasis, window, power, mel triangles, log, cosines, lifter."""
    x = frame.astype(np.float64) - frame.astype(np.float64).mean()
    x = x - 0.97 * np.concatenate([x[:1], x[:-1]])
    n = np.arange(400)
    x *= (0.5 - 0.5 * np.cos(2 * np.pi * n / 399)) ** 0.85
    power = np.abs(np.fft.rfft(x, 512)) ** 2
    mel = 1127 * np.log(1 + np.array([20.0, 7600.0]) / 700)
    edges = np.linspace(*mel, 42)
    energies = []
    for band in range(40):
        total = 0.0
        for at, value in enumerate(power):
            place = 1127 * np.log(1 + at * RATE / 512 / 700)
            left, centre, right = edges[band : band + 3]
            if left < place < right:
                total += value * min((place - left) / (centre - left), (right - place) / (right - centre))
        energies.append(np.log(total))
    rows = []
    for order in range(40):
        scale = np.sqrt((1 if order == 0 else 2) / 40) * (1 + 11 * np.sin(np.pi * order / 22))
        rows.append(scale * sum(e * np.cos(np.pi / 40 * (b + 0.5) * order) for b, e in enumerate(energies)))
    return np.array(rows)


def test_cepstra_by_hand() -> None:
    """Each frame's cepstra are those of Kaldi's recipe written out (a naive reference)."""
    heard = sound(0.2)
    found = trunk.cepstra(heard)
    assert len(found) == 18
    for at in (0, 7, 17):
        assert found[at] == pytest.approx(naive_cepstra(heard[at * 160 : at * 160 + 400]), abs=2e-2)


@settings(max_examples=12, deadline=None)
@given(cuts=st.lists(st.integers(1, 3000), min_size=1, max_size=30), depth=st.integers(4, 14))
def test_a_stream_gives_the_rows_of_the_whole(net: trunk.Trunk, cuts: list[int], depth: int) -> None:
    """However a sound is cut, the stream has the outputs of the whole sound, as far as it has come."""
    heard, stream, at, rows = sound(1.6), trunk.Stream(net, depth, 14), 0, []
    for cut in [*cuts, len(sound(1.6))]:
        rows.append(stream.hear(heard[at : at + cut]))
        at += cut
    for layer, streamed in zip((depth, 14), zip(*rows, strict=True), strict=True):
        assert np.concatenate(streamed) == pytest.approx(net.deep(trunk.cepstra(heard), layer), abs=2e-3)


def test_the_layer_sees_what_it_says(net: trunk.Trunk) -> None:
    """A change of the sound beyond a layer's context does not reach its output; one within does."""
    frames = trunk.cepstra(sound(1.5))
    depth, first = 9, trunk.context(9)
    whole = net.deep(frames, depth)
    for far, differs in ((2 * first + 1, False), (2 * first, True)):
        changed = frames.copy()
        changed[far:] += 5.0
        assert bool(np.abs(net.deep(changed, depth)[0] - whole[0]).max() > 1e-4) is differs


def test_the_states_know_speech(net: trunk.Trunk) -> None:
    """Over silence, silence (the first two states) is the likeliest all along."""
    quiet = np.random.default_rng(2).normal(0, 3, RATE).astype(np.int16)
    assert set(net.states(trunk.cepstra(quiet)).argmax(axis=1).tolist()) <= {0, 1}


def test_the_front_end_counts_from_the_layers_middle(net: trunk.Trunk) -> None:
    """Rows come every 30 ms, 768 wide, and say which sample they are of."""
    layer = Layer(net)
    rows = layer.whole(sound(1.0))
    assert rows.shape == (20, DEEP.bands)
    assert np.diff(layer.ends(np.arange(len(rows)))).tolist() == [480] * (len(rows) - 1)
    assert layer.ends(np.array([0]))[0] == 19 * 160 + 200 + 1280
    assert len(layer.whole(sound(0.3))) == 0


@pytest.mark.parametrize("kind", [Layer, Narrow, Double])
def test_a_front_end_along_a_stream(net: trunk.Trunk, kind: type[Layer] | type[Narrow] | type[Double]) -> None:
    """In pieces as at once, a front end gives the same rows, and a row is known within 0.4 s of its window's end."""
    front, heard, rows = kind(net), sound(2.0), []
    stream = front.stream()
    for at in range(0, len(heard), 480):
        rows.append(stream.hear(heard[at : at + 480]))
        count = sum(map(len, rows))
        if len(rows[-1]):
            assert 0 <= at + 480 - front.ends(np.array([count - 1]))[0] < 0.4 * RATE
    whole = front.whole(heard)
    assert np.concatenate(rows) == pytest.approx(whole, abs=2e-3)


def test_both_halves_of_a_row_end_together(net: trunk.Trunk) -> None:
    """The rows of the double front end are those of the two others whose windows end at the same sample."""
    heard, number = sound(2.0), 7
    both, layer, narrow = Double(net), Layer(net), Narrow(net)
    end = both.ends(np.array([number]))[0]
    for front, part in ((layer, slice(0, 768)), (narrow, slice(768, None))):
        rows = front.whole(heard)
        place = front.ends(np.arange(len(rows))).tolist().index(end)
        assert both.whole(heard)[number, part] == pytest.approx(rows[place], abs=2e-3)


@pytest.mark.parametrize("data", [b"", b"\0B<Nnet3> nonsense", b"\0B<NumComponents> <ComponentName> lda <X> "])
def test_another_form_is_told(tmp_path: Path, data: bytes) -> None:
    """A model of another form, or no model, raises FormError and nothing else."""
    (tmp_path / "am").mkdir()
    (tmp_path / "am" / "final.mdl").write_bytes(data)
    with pytest.raises(trunk.FormError):
        trunk.read(tmp_path)
