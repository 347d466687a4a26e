"""The training of the net for "venn": its slopes, its labels, its split, what it reads and writes (VN-8)."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from host.bench import kokoro, venn_clips, venn_real
from host.bench.frame import MissingError
from host.bench.train_venn import save
from host.bench.venn_learning import (
    CALL,
    DEEPLY,
    NOTHING,
    OPEN,
    PLAINLY,
    SOMEWHERE,
    Adam,
    Pieces,
    Plan,
    close,
    fresh,
    gradients,
    wanted,
)
from host.bench.venn_sounds import Cutter, Sound, Span, step_ends
from host.bench.venn_thresholds import Held, alarms, limits, weighed
from host.bench.venn_voices import Roster, crowd, program
from host.clock import RATE
from host.ears import trunk
from host.ears.bands import HOP, Bands
from host.ears.fronts import Front, Layer
from host.ears.keyword import DEEP, PLAIN, Net, Shape, read

LAYER = Layer(trunk.Trunk(tuple(np.zeros((1, 1), np.float32) for _ in range(4)), (), ()))
"""The deep front end; where its windows end depends on no weight."""


def some(count: int, seed: int = 2, shape: Shape = PLAIN) -> tuple[np.ndarray, np.ndarray]:
    """Pieces of noise with labels of every kind, short ones."""
    draw = np.random.default_rng(seed)
    size = (count, shape.window + shape.step * 9, shape.bands)
    return draw.normal(0, 1, size), draw.integers(0, 4, (count, 10)).astype(np.uint8)


@pytest.mark.parametrize("shape", [PLAIN, DEEP, replace(DEEP, words=3)])
def test_slopes_are_those_of_the_loss(shape: Shape) -> None:
    """Each weight's slope agrees with a small change of that weight (a naive reference)."""
    weights = {name: value.astype(np.float64) for name, value in fresh(5, shape).items()}
    given, marks = some(4, shape=shape)
    words = np.arange(4, dtype=np.uint8) % shape.words
    slopes, _ = gradients(weights, given, marks, words, shape)
    draw = np.random.default_rng(3)
    for name, value in weights.items():
        place = tuple(int(draw.integers(size)) for size in value.shape)
        losses = []
        for step in (1e-5, -1e-5):
            changed = {**weights, name: value.copy()}
            changed[name][place] += step
            losses.append(gradients(changed, given, marks, words, shape)[1])
        assert slopes[name][place] == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=2e-3, abs=1e-4), name


def test_what_a_step_aims_at() -> None:
    """A call is 1, nothing 0, what may be either weighs nothing, and of a sentence's steps the best one is the call."""
    marks = np.array([[NOTHING, CALL, OPEN, SOMEWHERE, SOMEWHERE, SOMEWHERE, SOMEWHERE]], np.uint8)
    scores = np.array([[0.9, 0.1, 0.9, 0.1, 0.2, 0.3, 0.8]], np.float32)
    both = np.stack([scores, np.full_like(scores, 0.5)], axis=2)
    aim, weight = wanted(both, marks, np.array([0], np.uint8))
    assert aim[0, :, 0].tolist() == [0, 1, 0, 0, 0, 1, 1]
    assert (weight[0, :, 0] > 0).tolist() == [True, True, False, False, False, True, True]
    assert not aim[0, :, 1].any(), "what calls one word calls no other"
    assert (weight[0, :, 1] == 1).all()


def test_it_learns() -> None:
    """Thirty steps of Adam on one batch make its loss a small part of what it was."""
    given, marks = some(8)
    marks[:, :] = NOTHING
    marks[::2, 4:6] = CALL
    adam = Adam(fresh(1))
    losses = []
    for _ in range(30):
        slopes, loss = gradients(adam.weights, given.astype(np.float32), marks, np.zeros(8, np.uint8))
        losses.append(loss)
        adam.step(slopes, 3e-3)
    assert losses[-1] < losses[0] / 4


@pytest.mark.parametrize(("plan", "front"), [(PLAINLY, Bands()), (DEEPLY, LAYER)])
def test_where_a_call_ends_is_where_it_is_wanted(plan: Plan, front: Front) -> None:
    """Steps that end 50 to 170 ms after "venn" hold it, those around may; slower speech moves them along."""
    sound = Sound(np.zeros(3 * RATE, np.float32), (Span(RATE, RATE + 4800, True),), "call")
    for hop in (HOP, 2 * HOP):
        marks = Cutter(plan, front).labels(sound, plan.steps, hop)
        ends = step_ends(front, plan.shape, plan.steps, hop)
        after = (ends - RATE - 4800) / RATE * HOP / hop
        assert set(marks[(after > 0.06) & (after < 0.16)].tolist()) <= {CALL}
        assert CALL in marks
        assert not marks[(after < -0.15) | (after > 0.37)].any()


def test_pieces_tell_which_hold_a_call() -> None:
    """A piece whose steps are all without or open holds none."""
    marks = np.array([[0, 0], [0, OPEN], [CALL, 0], [0, SOMEWHERE]], np.uint8)
    made = Pieces(np.zeros((4, 1, 1), np.float16), marks, np.zeros(4, np.uint8))
    assert made.calls.tolist() == [False, False, True, True]


def test_calls_may_be_known_later() -> None:
    """What is wanted moves along, what was wanted before may be said or not, and nothing else changes."""
    marks = np.zeros((1, 80), np.uint8)
    marks[0, 8:20] = OPEN
    marks[0, 10:14] = CALL
    later = Pieces(np.zeros((1, 1, 1), np.float16), marks, np.zeros(1, np.uint8)).later(2).labels[0]
    assert np.flatnonzero(later == CALL).tolist() == [12, 13, 14, 15]
    assert set(later[8:12].tolist()) == {OPEN}
    assert np.flatnonzero(later).tolist() == list(range(8, 20))


def test_a_closer_look_holds_the_call() -> None:
    """Around the hardest step are some steps with their frames, wherever it lies in the piece."""
    steps, step, length = PLAINLY.steps, PLAIN.step, PLAINLY.length
    marks = np.zeros((3, steps), np.uint8)
    places = np.array([2, 40, 79])
    marks[range(3), places] = CALL
    given = np.arange(3 * length, dtype=np.float16).reshape(3, length, 1)
    pieces = Pieces(given, marks, np.zeros(3, np.uint8))
    for seed in range(5):
        cut, labels = close(PLAINLY, pieces, np.arange(3), places, np.random.default_rng(seed))
        assert (labels == CALL).sum(axis=1).tolist() == [1, 1, 1]
        starts = (cut[:, 0, 0] - given[:, 0, 0].astype(np.float32)).astype(int)
        assert (labels.argmax(axis=1) + starts // step).tolist() == places.tolist()


def test_alarms_of_a_stretch_are_one() -> None:
    """What lies within two seconds of an alarm's beginning is that alarm, with the best score of all."""
    assert alarms([(1, 0.3), (2, 0.8), (20_000, 0.1), (40_000, 0.6)]) == [0.8, 0.6]


def test_the_limits_are_chosen_together() -> None:
    """A look is a call by either limit: where only the lead tells, `find` must not let everything through."""
    calls, near = [[(0, 0.2, 1.2)]] * 10, [[(0, 0.4, -1.0)]] * 10
    find, lead = limits(Net({}), Held(calls, near, [[(0, 0.4, -1.0)]], 1.0))
    assert find > 0.4
    assert -1.0 < lead <= 1.2


def test_a_lead_that_tells_gets_weight() -> None:
    """Where only the recogniser's lead tells calls from near words it weighs much, where only the net does, nothing."""
    tells = Held([[(0, 0.5, 2.0)]] * 20, [[(0, 0.5, -2.0)]] * 20, [], 1.0)
    silent = Held([[(0, 0.9, 0.0)]] * 20, [[(0, 0.1, 0.0)]] * 20, [], 1.0)
    assert weighed(tells) > 1.0
    assert weighed(silent) == 0.0


def test_a_net_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Weights, thresholds and the curve come back; another file is told in one sentence."""
    file = tmp_path / "net.npz"
    save(file, Net(fresh(4), 0.25, 0.75, -0.5, 1.5, ((0.5, 0.125, 0.25, 4.0),)))
    net = read(file.read_bytes())
    assert (net.keep, net.find, net.lead, net.weight, net.curve) == (0.25, 0.75, -0.5, 1.5, ((0.5, 0.125, 0.25, 4.0),))
    np.savez(file, a=np.zeros(3))
    with pytest.raises(ValueError, match="make it anew"):
        read(file.read_bytes())


def test_halves_share_no_speaker() -> None:
    """Clips of one speaker, and of speakers heard together, are in one half; what the training heard is tuning."""
    clips = [{"path": f"talk/{at}", "speaker": who, "set": "x", "test": test, "seconds": 10.0} for at, (who, test) in
             enumerate([("a", True), ("a,b", True), ("b", True), ("c", True), ("d", False), (None, True), ("e", True)])]
    found = venn_real.halves(clips)
    assert found["talk/0"] == found["talk/1"] == found["talk/2"] == "test"
    assert found["talk/4"] == "tuning"
    lengths = [sum(split == name for split in found.values()) for name in ("tuning", "test")]
    assert abs(lengths[0] - lengths[1]) <= 1


def test_no_test_voice_trains() -> None:
    """No clip is of a test voice or its program, and the held-out programs have calls and near words of their own."""
    said = venn_clips.sayings()
    assert not {program(one.voice) for one in said} & {"hibari", "alan", "clb"}
    assert {one.kind for one in said if one.held} == {"alone", "first", "last", "near", "word", "talk"}
    assert "Venn." not in {one.text for one in said if one.kind in ("near", "word", "talk")}


def test_a_crowd_of_voices_is_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kokoro's voices and blends of them come in the same order; a voice that is held out is in no blend."""
    for name in ("af_bella", "af_sky", "af_nova", "am_adam", "am_puck"):
        (tmp_path / f"{name}.bin").touch()
    monkeypatch.setattr(kokoro, "folder", lambda: tmp_path)
    row = crowd(("af_bella",))
    assert row == crowd(("af_bella",))
    blends = [program(voice) for voice in row if "~" in voice]
    assert blends
    assert not any("af_bella" in one for one in blends)
    assert all(one.split("~")[0][1] == one.split("~")[1][1] for one in blends)
    assert program("kokoro+am_puck+1.2") == "am_puck"
    assert Roster().voice("kokoro+am_puck+1.2").kind == "kokoro"


def test_missing_voices_are_named(tmp_path: Path) -> None:
    """Without Kokoro's voices the command that fetches them is named, and nobody speaks."""
    with pytest.raises(MissingError, match=r"python -m host\.bench\.kokoro"):
        kokoro.Kokoro(tmp_path)
