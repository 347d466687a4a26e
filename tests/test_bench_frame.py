"""The benches' frame: intervals, goals, reports, curves, and the split of voices and rooms."""

import json
import math
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.__main__ import main
from host.app.paths import FIXTURES, shared_folder
from host.bench.frame import MissingError, Options, Report, Share, quantile
from host.bench.library import DRY, Library, blocks
from host.bench.plot import Panel, steps, svg
from host.bench.voices import Speaker
from host.devices.levels import active_level, dbfs

SHARED = pytest.mark.skipif(not (shared_folder() / "audio" / "manifest.jsonl").exists(), reason="no ../shared/audio")


@pytest.mark.parametrize(("hits", "total", "low", "high"), [
    (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (95, 100, 0.8882, 0.9785),
])
def test_wilsons_interval_is_that_of_the_books(hits: int, total: int, low: float, high: float) -> None:
    """Known intervals come out to three digits."""
    found = Share(hits, total).interval()
    assert found == pytest.approx((low, high), abs=6e-4)


@given(st.integers(1, 5000), st.floats(0, 1))
def test_an_interval_holds_its_rate(total: int, part: float) -> None:
    """The rate lies in its interval, and the interval in [0, 1]."""
    share = Share(round(part * total), total)
    low, high = share.interval()
    assert 0 <= low <= share.rate + 1e-12
    assert share.rate - 1e-12 <= high <= 1


def test_goals_say_what_was_measured_and_wanted() -> None:
    """A goal is one line with the word met or short, and what could not be measured is short."""
    report = Report("x")
    report.at_least("heard", Share(98, 100), 0.98)
    report.at_most("slow", 0.95, 0.9, "s")
    report.at_most("never tried", Share(0, 0), 0.5)
    lines = list(map(str, report.goals))
    assert lines[0].startswith("goal heard: measured 98.0 % (98/100; ")
    assert lines[0].endswith("wanted at least 98 %: met")
    assert lines[1] == "goal slow: measured 0.95 s, wanted at most 0.9 s: short"
    assert lines[2].endswith("short")
    assert not report.met


def test_a_report_is_written_for_machines_and_eyes(tmp_path: Path) -> None:
    """--json and --plot hold the goals, tables and curves of the report."""
    report = Report("x")
    report.table("T", ("a", "b"), [("one", Share(1, 2)), ("two", 3)])
    report.at_least("g", Share(1, 2), 0.4)
    report.curve("c & d", "threshold", "share", {"dry": [(0.0, 1.0), (0.5, 0.25)]}, mark=0.3)
    report.write(tmp_path / "x.json", tmp_path / "x.svg")
    read = json.loads((tmp_path / "x.json").read_text())
    assert read["goals"][0]["met"] is True
    assert read["tables"]["T"][0]["b"]["rate"] == 0.5
    assert read["curves"][0]["lines"]["dry"] == [[0.0, 1.0], [0.5, 0.25]]
    drawn = ElementTree.parse(tmp_path / "x.svg").getroot()  # noqa: S314 - our own file
    assert "c & d" in "".join(drawn.itertext())


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e4))
def test_axes_span_their_range_in_few_steps(low: float, wide: float) -> None:
    """An axis has 2 to 14 marks, in order, around everything that is drawn."""
    found = steps(low, low + wide)
    unseen = 1e-5 * (abs(low) + wide)  # less than a hundredth of a pixel
    assert found[0] <= low + unseen
    assert found[-1] >= low + wide - unseen
    assert 2 <= len(found) <= 14
    assert found == sorted(found)


def test_an_empty_panel_is_drawn() -> None:
    """A bench that found nothing still makes a picture."""
    ElementTree.fromstring(svg("x", [Panel("nothing", "a", "b")]))  # noqa: S314 - our own text


def test_quantiles_are_values_that_were_measured() -> None:
    """The median of three is the middle one; of nothing there is none."""
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([float(n) for n in range(1, 101)], 0.95) == 95.0
    assert math.isnan(quantile([], 0.5))


def test_no_voice_room_or_noise_is_in_both_splits() -> None:
    """voices.toml gives every name and every recording one split."""
    read = tomllib.loads((FIXTURES / "voices.toml").read_text())
    for kind, what in (("voice", "name"), ("room", "response"), ("noise", "sound")):
        assert {raw["split"] for raw in read[kind]} == {"tuning", "test"}
        names = [raw[what] for raw in read[kind]]
        assert len(names) == len(set(names))
    assert set(Library().voices("test")) == {"hibari", "alan", "clb"}
    assert len(Library().voices("tuning")) == 9


@SHARED
def test_rooms_and_noises_have_the_manifests_split() -> None:
    """What the manifest marks as test is test here, and nothing else is."""
    marked = {clip["path"]: clip["test"] for clip in Library().manifest}
    read = tomllib.loads((FIXTURES / "voices.toml").read_text())
    for raw in [*read["room"], *read["noise"]]:
        assert marked[raw.get("response") or raw["sound"]] == (raw["split"] == "test")


@SHARED
def test_noise_stands_so_far_below_the_speech() -> None:
    """Signal-to-noise is kept to half a decibel in every room, and the same seed gives the same samples."""
    library = Library()
    voice = np.random.default_rng(1).normal(0, 1500, 16_000).astype(np.float32)
    for room in (DRY, library.rooms("test")[0], library.rooms("tuning")[0]):
        clean = library.played(voice, room, before=0.5)
        loud = library.played(voice, room, 10.0, seed=3, before=0.5)
        noise = (loud - clean)[8000:24_000]
        assert active_level(clean) - dbfs(noise) == pytest.approx(10.0, abs=0.7)
        assert np.array_equal(loud, library.played(voice, room, 10.0, seed=3, before=0.5))
        assert not np.array_equal(loud, library.played(voice, room, 10.0, seed=4, before=0.5))


def test_blocks_hold_every_sample() -> None:
    """Blocks are 30 ms each and lose nothing."""
    sound = np.arange(1000, dtype=np.float32)
    found = np.concatenate(list(blocks(sound)))
    assert len(found) % 480 == 0
    assert np.array_equal(found[:1000], sound)


def test_a_missing_voice_is_one_line_with_its_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A voice program that is not here ends a bench with the package's name and exit 3."""
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(MissingError, match="rhvoice rhvoice-english"):
        Speaker(Library(), tmp_path).clip("alan", "hello")
    assert not list(tmp_path.rglob("*.flac"))

    class Bench:
        @staticmethod
        def measure(_options: Options) -> Report:
            Speaker(Library(), tmp_path).clip("alan", "hello")
            return Report("x")

    monkeypatch.setattr("host.app.bench._module", lambda _name: Bench)
    assert main(["bench", "judge"]) == 3
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize(("rate", "code"), [(99, 0), (97, 1)])
def test_the_exit_code_tells_whether_all_goals_are_met(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rate: int, code: int
) -> None:
    """`gamehost bench` ends with the goals and exits 0 only where all are met."""

    class Bench:
        @staticmethod
        def measure(_options: Options) -> Report:
            report = Report("x")
            report.at_least("heard", Share(rate, 100), 0.98)
            return report

    monkeypatch.setattr("host.app.bench._module", lambda _name: Bench)
    assert main(["bench", "judge"]) == code
    assert capsys.readouterr().out.strip().splitlines()[-1].startswith("goal heard: ")
