"""The arithmetic of the bench of Venn; the sounds themselves are measured by `gamehost bench venn`."""

import numpy as np
import pytest

from host.app.paths import CLUES, shared_folder
from host.bench import venn_real
from host.bench.frame import Options
from host.bench.library import Library
from host.bench.venn import jobs
from host.bench.venn_figures import report, upper
from host.bench.venn_hearing import Job, Took
from host.bench.venn_shouting import shouted, stretched
from host.packs import decks


@pytest.mark.parametrize(("count", "hours", "wanted"), [(0, 1.0, 3.0), (0, 30.0, 0.1), (3, 1.0, 7.75)])
def test_the_bound_of_a_rate(count: int, hours: float, wanted: float) -> None:
    """No alarm in so many hours is at most three in them, with 95 % (the rule of three)."""
    assert upper(count, hours) == pytest.approx(wanted, abs=0.02)


def test_shares_and_goals() -> None:
    """Missed calls, claimed words and swapped numbers are counted where they belong."""
    took = [
        Took(Job("call", "Venn!", "alan", snr=10.0, ends=True), calls=1, waits=(0.3, 0.4, 0.5)),
        Took(Job("call", "Venn!", "alan", snr=10.0)),
        Took(Job("near", "Ten.", "alan"), calls=1),
        Took(Job("three", "a b c", "alan", wanted=(1, 2, 3)), taken=(3, 2, 1)),
        Took(Job("three", "a b c", "alan", wanted=(1, 2, 3)), taken=(1, 2, 4)),
        Took(Job("numbers", "one two three", "alan", wanted=(1, 2, 3)), taken=(1, 3, 2), corrections=1),
        Took(Job("numbers", "one two three", "alan", wanted=(1, 2, 3)), taken=(1, 2, 3)),
        Took(Job("talk", "talk/x.flac"), calls=2, hours=0.5),
        Took(Job("talk", "talk/x.flac", room="house-test-1"), calls=1, hours=1.5),
        Took(Job("talk", "echo/x.flac", room="house-test-1"), hours=0.5),
    ]
    goals = {goal.name: goal.value for goal in report(took, None).goals}
    assert goals["missed at 10 dB"] == 0.5
    assert goals["near words taken for it"] == 1.0
    assert goals["all three words right, dry"] == 0.5
    assert goals["a list word claimed that nobody said"] == 0.5
    assert goals["number triples right, dry"] == 0.5
    assert goals["one correction at most"] == 1.0
    assert goals["false alarms an hour of talk, keywords and echo, changed"] == 0.5
    assert goals["false alarms an hour of talk alone, as recorded and changed"] == 1.5


def test_a_shout_is_longer_and_keeps_its_shape() -> None:
    """A tone that is stretched is that tone for longer; shouted it is louder and higher, the same for the same seed."""
    tone = (3000 * np.sin(2 * np.pi * 200 * np.arange(8000) / 16_000)).astype(np.float32)
    longer = stretched(tone, 1.5)
    assert len(longer) == 12_000
    spectrum = np.abs(np.fft.rfft(longer[2000:10_000]))
    assert np.argmax(spectrum) == pytest.approx(200 / 2, abs=1)
    assert np.abs(longer[2000:9000]).max() == pytest.approx(3000, rel=0.1)
    loud = shouted(tone, 7)
    assert len(loud) > 1.15 * len(tone)
    assert np.abs(loud).max() > np.abs(tone).max()
    assert np.array_equal(loud, shouted(tone, 7))


def test_figures_come_from_what_was_never_trained_on() -> None:
    """Every voice of the test run is a test voice, every recording is marked `test`; --full is more than 20 hours."""
    if not (shared_folder() / "audio" / "manifest.jsonl").exists():
        pytest.skip("the recordings beside the project are missing: set GAMEHOST_SHARED")
    library, packs = Library(), decks.load(CLUES)
    said = jobs(Options(), library, packs)
    assert {job.voice for job in said} - {""} <= set(library.voices("test"))
    marked = {clip["path"] for clip in library.manifest if clip["test"]}
    assert {job.text for job in said if not job.voice} <= marked
    half = {clip["path"]: clip["seconds"] for clip in venn_real.half(library, "test")}
    assert set(half) <= marked
    assert not set(half) & {clip["path"] for clip in venn_real.half(library, "tuning")}
    everything = [job for job in jobs(Options(full=True), library, packs) if job.kind == "talk" and job.changed]
    assert {job.text for job in everything} == set(half)
    assert sum(half[job.text] / job.change for job in everything) / 3600 > 20
