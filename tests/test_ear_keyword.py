"""The second look at "venn": features, the net, the stream, and what is believed (VN-8)."""

from collections.abc import Sequence

import numpy as np
import pytest

from host.bench.venn_learning import fresh
from host.ears import calls
from host.ears.bands import BANDS, HOP, Bands, features, frames, level
from host.ears.calls import Calls, believed, looks
from host.ears.keyword import PLAIN, Finder, Net, Score, Spotter, shipped, unfold
from host.events import Word

NET = Net(fresh(3))
FINDER = Finder(NET, Bands())
WINDOW = PLAIN.window


def noise(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 900, count).astype(np.int16)


@pytest.mark.parametrize("block", [480, 160, 1111])
def test_a_stream_gives_the_scores_of_the_whole(block: int) -> None:
    """However it is cut, the stream has the scores of the whole sound, at the same samples."""
    sound = noise(16_000 * 3)
    sound[16_000:24_000] *= 8
    spotter = Spotter(FINDER)
    for at in range(0, len(sound), block):
        spotter.hear(sound[at : at + block])
    whole, ends = FINDER.scores(sound)
    assert [one.at for one in spotter.scores] == ends.tolist()
    assert np.array([one.score for one in spotter.scores]) == pytest.approx(whole, abs=1e-4)


def test_a_stream_that_begins_later_counts_from_there() -> None:
    """After a reset samples are numbered from the one that was named, and the past is forgotten."""
    sound, spotter = noise(16_000 * 2), Spotter(FINDER)
    spotter.hear(noise(20_000, 2))
    spotter.reset(500_000)
    spotter.hear(sound)
    whole, ends = FINDER.scores(sound)
    assert [one.at for one in spotter.scores] == (ends + 500_000).tolist()
    assert spotter.scores[-1].score == pytest.approx(float(whole[-1]), abs=1e-4)


def test_loudness_makes_no_difference() -> None:
    """KEY-07: sound ten times louder looks the same but for the floor."""
    sound = noise(HOP * (WINDOW + 4)).astype(np.float32)
    soft, loud = (features(frames(sound * by)) for by in (1.0, 10.0))
    assert np.abs(soft - loud).max() < 0.05


def test_the_loudest_frame_so_far() -> None:
    """The level is the loudest of the last 0.8 s, never of what is still to come (a naive reference)."""
    rows = np.random.default_rng(4).normal(5, 3, (200, BANDS)).astype(np.float32)
    loud = np.log(np.exp(rows).mean(axis=1))
    assert level(rows) == pytest.approx([loud[max(0, at - 79) : at + 1].max() for at in range(200)], abs=1e-4)


def test_a_convolution_by_hand() -> None:
    """Unfolded rows hold what a dilated convolution of step 2 sees (a naive reference)."""
    given = np.arange(2 * 20 * 3, dtype=np.float32).reshape(2, 20, 3)
    found = unfold(given, 3, 2, 4)
    for n in range(2):
        for t in range(found.shape[1]):
            assert found[n, t].tolist() == np.concatenate([given[n, 2 * t + 4 * tap] for tap in range(3)]).tolist()
    assert 2 * found.shape[1] + 8 in (20, 21)


def heard(*scores: tuple[int, float]) -> Calls:
    """What both opinions together scored, and when."""
    made = Calls(Finder(Net({}, keep=0.3, find=0.9), Bands()))
    made.found.extend(Score(at, score) for at, score in scores)
    return made


def row(*texts: str, at: int = 16_000) -> tuple[Word, ...]:
    return tuple(Word(text, at, at, 0.5) for text in texts)


@pytest.mark.parametrize(("score", "said", "wanted"), [
    (0.95, "venn", "venn"), (0.4, "venn", "[unk]"), (0.95, "ten", "venn ten"), (0.4, "ten", "ten"),
])
def test_what_is_believed(score: float, said: str, wanted: str) -> None:
    """VN-8: the grammar's "venn" is one where both together say so, and where it has none it is put in."""
    found = believed(row(*said.split()), heard((15_000, score)), 8_000, 16_500)
    assert " ".join(word.text for word in found) == wanted


def test_scores_of_another_time_support_nothing() -> None:
    """A call two seconds earlier does not make a later "venn" true."""
    assert believed(row("venn", at=60_000), heard((16_000, 0.99)), 50_000, 60_100)[0].text == "[unk]"


def test_nothing_is_looked_at_while_no_call_is_wanted() -> None:
    """Outside the placing of cards the words stay as they are, and no time is spent."""
    looked = Calls(FINDER)
    looked.hear(0, noise(480 * 40))
    assert not looked.spotter.scores
    assert looked.believed(row("venn"), 0, 16_000) == row("venn")


class Judge:
    """A recogniser that always gives the same lead, and notes what it was asked."""

    def __init__(self, lead: float) -> None:
        self.given, self.asked = lead, list[int]()

    def knows(self, word: str) -> bool:
        return word != "vein"

    def lead(self, pcm: bytes, word: str, rivals: Sequence[str]) -> float:
        assert word == "venn"
        assert "vein" not in rivals
        self.asked.append(len(pcm) // 2)
        return self.given


@pytest.mark.parametrize("block", [480, 700])
def test_the_recogniser_is_asked_alike_in_a_stream_and_in_a_whole(block: int) -> None:
    """Where the net finds it likely enough, at most every 80 ms, about the same samples."""
    sound = noise(16_000 * 4)
    net = Net(NET.weights, keep=float(np.median(FINDER.scores(sound)[0])), weight=1.0)
    whole, stream = Judge(1.0), Judge(1.0)
    finder = Finder(net, Bands())
    calls_ = Calls(finder, stream)
    calls_.wanted = True
    for at in range(0, len(sound), block):
        calls_.hear(at, sound[at : at + block])
    seen = looks(finder, whole, sound)
    assert seen
    assert [one.at for one in calls_.found] == [at for at, _, _ in seen]
    assert stream.asked == whole.asked
    assert [one.score for one in calls_.found] == pytest.approx(
        [net.together(score, 1.0) for _, score, _ in seen], rel=1e-3)
    assert min(np.diff([at for at, _, _ in seen])) >= 1280


@pytest.mark.parametrize(("score", "lead", "wanted"), [(0.5, 0.0, 0.5), (0.5, 1.0, 0.8808), (0.5, -1.0, 0.1192),
                                                       (0.0, 4.0, 0.003), (1.0, -4.0, 0.997)])
def test_both_together(score: float, lead: float, wanted: float) -> None:
    """A lead of a neper moves the odds by the weight; neither certainty is infinite."""
    assert Net({}, weight=2.0).together(score, lead) == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize(("lead", "wanted"), [(1.0, "venn"), (0.2, "[unk]")])
def test_the_grammars_call_needs_a_lead(lead: float, wanted: str) -> None:
    """VN-8: a "venn" of the grammar is believed where the net finds it possible and the recogniser leads by enough."""
    net, judge = Net(NET.weights, keep=0.9, find=1.0, lead=0.5), Judge(lead)
    looked = Calls(Finder(net, Bands()), judge)
    looked.wanted = True
    looked.hear(0, noise(32_000))
    said = row("and", "venn", at=30_000)
    assert [word.text for word in looked.believed(said, 8_000, 32_000)] == ["and", "[unk]"], "the net finds nothing"
    assert not judge.asked
    looked.spotter.scores.append(Score(31_900, 0.95))
    assert [word.text for word in looked.believed(said, 8_000, 32_000)] == ["and", wanted]
    looked.hear(32_000, noise(480))
    assert [word.text for word in looked.believed(said, 8_000, 32_480)] == ["and", wanted]
    assert len(judge.asked) == 1, "not more often than every 80 ms"
    looked.hear(32_480, noise(32_000))
    assert looked.believed(row("venn", at=30_000), 8_000, 64_480)[0].text == wanted
    assert len(judge.asked) == 1, "what is long past is not asked about"


def test_the_shipped_net_is_small_and_whole() -> None:
    """keyword.npz holds a net that runs, in less than 200 kB."""
    finder = shipped()
    assert finder is not None
    net = finder.net
    assert 0 < net.keep <= net.find <= 1
    assert net(np.zeros((2, WINDOW + 5, BANDS), np.float32)).shape == (2, 3)
    assert sum(value.size for value in net.weights.values()) * 2 < 200_000
    assert calls.CALL == "venn"
