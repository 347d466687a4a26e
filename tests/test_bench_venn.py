"""The arithmetic of the bench of Venn; the sounds themselves are measured by `gamehost bench venn`."""

import pytest

from host.app.paths import CLUES, shared_folder
from host.bench.frame import Options
from host.bench.library import Library
from host.bench.venn import TALK, jobs, report, upper
from host.bench.venn_hearing import Job, Took
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
        Took(Job("numbers", "one two three", "alan", wanted=(1, 2, 3)), taken=(1, 3, 2)),
        Took(Job("talk", "talk/x.flac"), calls=2, hours=0.5),
    ]
    goals = {goal.name: goal.value for goal in report(took, None).goals}
    assert goals["missed at 10 dB"] == 0.5
    assert goals["near words taken for it"] == 1.0
    assert goals["all three words right, dry"] == 0.5
    assert goals["a list word claimed that nobody said"] == 0.5
    assert goals["number triples right, dry"] == 0.0
    assert goals["false alarms an hour of talk"] == 4.0


def test_figures_come_from_what_was_never_trained_on() -> None:
    """Every voice of the test run is a test voice, every recording is marked `test`; --full is more than 20 hours."""
    if not (shared_folder() / "audio" / "manifest.jsonl").exists():
        pytest.skip("the recordings beside the project are missing: set GAMEHOST_SHARED")
    library, packs = Library(), decks.load(CLUES)
    said = jobs(Options(), library, packs)
    assert {job.voice for job in said} - {""} <= set(library.voices("test"))
    lengths = {clip["path"]: clip["seconds"] for clip in library.manifest if clip["test"]}
    assert {job.text for job in said if not job.voice} <= set(lengths)
    everything = jobs(Options(full=True), library, packs)
    hours = sum(lengths[job.text] for job in everything if job.kind == "talk" and job.text.startswith(TALK)) / 3600
    assert hours > 20
