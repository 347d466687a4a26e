"""The second look at "venn": features, the net, the stream, and what is believed (VN-8)."""

import numpy as np
import pytest

from host.bench.train_venn import fresh, gradients
from host.ears import calls
from host.ears.calls import Calls, believed
from host.ears.keyword import BANDS, HOP, STEPS, WINDOW, Net, Score, Spotter, frames, shipped, windows
from host.events import Word

NET = Net(fresh(3))


def noise(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 900, count).astype(np.int16)


def test_a_stream_gives_the_scores_of_the_whole() -> None:
    """Block by block the spotter sees what the features of the whole sound hold."""
    sound = noise(480 * 60)
    spotter = Spotter(NET)
    for at in range(0, len(sound), 480):
        spotter.hear(sound[at : at + 480])
    rows = frames(sound)
    last = spotter.scores[-1]
    ends = np.array([len(rows) - 1])
    assert last.at == len(sound)
    assert last.score == pytest.approx(float(NET(windows(rows, ends))[0]), abs=1e-4)


def test_loudness_makes_no_difference() -> None:
    """KEY-07: a window ten times louder looks the same but for the floor."""
    sound = noise(HOP * (WINDOW + 4)).astype(np.float32)
    ends = np.array([WINDOW - 1])
    soft, loud = (windows(frames(sound * by), ends) for by in (1.0, 10.0))
    assert np.abs(soft - loud).max() < 0.05


def test_slopes_are_those_of_the_loss() -> None:
    """Each weight's slope agrees with a small change of that weight (a naive reference)."""
    weights = {name: value.astype(np.float64) for name, value in fresh(5).items()}
    draw = np.random.default_rng(2)
    given, labels = draw.normal(0, 1, (6, STEPS, BANDS)).astype(np.float32), np.array([1, 0, 1, 0, 0, 1], np.float32)
    slopes, _ = gradients(weights, given, labels)
    for name, value in weights.items():
        place = tuple(int(draw.integers(size)) for size in value.shape)
        step = 1e-3
        losses = []
        for sign in (1, -1):
            changed = {**weights, name: value.copy()}
            changed[name][place] += sign * step
            losses.append(gradients(changed, given, labels)[1])
        assert slopes[name][place] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=2e-3), name


def spotter(*scores: tuple[int, float]) -> Spotter:
    made = Spotter(Net({}, keep=0.3, find=0.9))
    made.scores.extend(Score(at, score) for at, score in scores)
    return made


def row(*texts: str, at: int = 16_000) -> tuple[Word, ...]:
    return tuple(Word(text, at, at, 0.5) for text in texts)


@pytest.mark.parametrize(("score", "heard", "wanted"), [
    (0.4, "venn", "venn"), (0.1, "venn", "[unk]"), (0.95, "ten", "venn ten"), (0.4, "ten", "ten"),
])
def test_what_is_believed(score: float, heard: str, wanted: str) -> None:
    """VN-8: the grammar's "venn" needs some support, and only a strong score puts one in."""
    found = believed(row(*heard.split()), spotter((15_000, score)), 8_000, 16_500)
    assert " ".join(word.text for word in found) == wanted


def test_scores_of_another_time_support_nothing() -> None:
    """A call two seconds earlier does not make a later "venn" true."""
    assert believed(row("venn", at=60_000), spotter((16_000, 0.8)), 50_000, 60_100)[0].text == "[unk]"


def test_nothing_is_looked_at_while_no_call_is_wanted() -> None:
    """Outside the placing of cards the words stay as they are, and no time is spent."""
    looked = Calls(NET)
    looked.hear(0, noise(480 * 40))
    assert not looked.spotter.scores
    assert looked.believed(row("venn"), 0, 16_000) == row("venn")


def test_the_shipped_net_is_small_and_whole() -> None:
    """keyword.npz holds a net that runs, in less than 200 kB."""
    net = shipped()
    if net is None:
        pytest.skip("host/ears/keyword.npz is not made yet: python -m host.bench.train_venn")
    assert 0 < net.keep <= net.find <= 1
    assert net(np.zeros((2, STEPS, BANDS), np.float32)).shape == (2,)
    assert sum(value.size for value in net.weights.values()) * 2 < 200_000
    assert calls.CALL == "venn"
