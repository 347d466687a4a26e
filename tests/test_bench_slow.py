"""The bench of a quarter of a core: what it reads off a tape, and that it would notice what it promises to notice."""

import math
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from host.app.paths import FIXTURES
from host.bench import paced, slow, slowed
from host.bench.frame import Report
from host.bench.slow_play import CALL, OVER, PAUSE, VERDICTS, Run
from host.clock import BLOCK, RATE
from host.devices.card import SoundCard
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.sound import Clip

SECOND = RATE
START = 10 * RATE


def run(
    sound: list[tuple[float, float]], cues: dict[str, tuple[float, float]], tones: list[tuple[float, str]],
    cuts: list[float] = [], ducked: tuple[float, float] = (9.0, 9.0), held: bool = False,  # noqa: B006 - never changed
) -> Run:
    """Six seconds in which the host sounds in these stretches; all times in seconds of the room."""
    far = np.zeros(6 * RATE, np.int16)
    for began, ended in sound:
        far[round(began * RATE) : round(ended * RATE)] = 3000
    blocks = len(far) // BLOCK
    volumes = tuple(0.015 if ducked[0] <= at * 0.03 < ducked[1] else 1.0 for at in range(blocks))
    fired = tuple((name, round(began * RATE), round(ended * RATE)) for name, (began, ended) in cues.items())
    return Run(
        held, 1.0, paced.Taped(far, volumes, fired, 100.0, 0.0), START,
        [(START + round(at * RATE), tone) for at, tone in tones], [START + round(at * RATE) for at in cuts],
        [(START + at * BLOCK, 100.0 + (at + 1) * 0.03 + 0.01) for at in range(blocks)],
    )


def test_an_answer_is_timed_from_its_last_sample_to_the_first_of_the_tone() -> None:
    """Neither what sounded before the decision nor the word "wrong" for another cue counts."""
    found = run([(0.5, 2.5), (3.3, 3.8)], {f"{PAUSE}2": (2.0, 2.75)}, [(1.0, "wrong"), (3.2, "right")])
    assert found.answered(f"{PAUSE}2", VERDICTS) == pytest.approx(0.55)
    assert found.answered(f"{PAUSE}4", VERDICTS) is None
    assert found.answered(f"{PAUSE}2", ("venn",)) is None
    assert found.lagged(f"{PAUSE}4", VERDICTS) is None


def test_a_game_that_is_behind_is_told_so() -> None:
    """The lag is that of the block before the one in which it was decided, less a block's own length."""
    found = run([(3.3, 3.8)], {f"{PAUSE}2": (2.0, 2.75)}, [(3.21, "right")])
    at = round(3.21 / 0.03) - 2
    found.blocks[at] = (found.blocks[at][0], found.blocks[at][1] + 0.4)
    assert found.lagged(f"{PAUSE}2", VERDICTS) == pytest.approx(0.38)


@pytest.mark.parametrize(("sound", "cuts", "ducked", "silent"), [
    ([(0.5, 2.1)], [2.1], (9.0, 9.0), 0.1),
    ([(0.5, 2.3)], [2.3], (2.04, 9.0), 0.045),  # turned down from 2.04 s on, and a frame for that
    ([(0.5, 2.05), (2.2, 2.3)], [2.3], (9.0, 9.0), 0.3),  # it came back
    ([(0.5, 5.0)], [], (9.0, 9.0), math.inf),  # it spoke on
    ([(3.0, 5.0)], [3.5], (9.0, 9.0), None),  # nothing was sounding
])
def test_silence_is_timed_from_the_onset_to_the_last_the_host_is_heard(
    sound: list[tuple[float, float]], cuts: list[float], ducked: tuple[float, float], silent: float | None
) -> None:
    """Turned down counts as silent, a line that is never cut as spoken on."""
    found = run(sound, {f"{OVER}1": (2.0, 2.9)}, [], cuts, ducked).silenced(f"{OVER}1")
    assert found == (None if silent is None else pytest.approx(silent, abs=0.0051))


def test_blocks_that_never_came_are_missed() -> None:
    """Two blocks left out are two missed, and every block's lag is counted from its last sample."""
    found = run([], {}, [])
    assert found.missed == 0
    assert found.behind == pytest.approx([0.01] * len(found.blocks))
    del found.blocks[7], found.blocks[20]
    assert found.missed == 2


@pytest.mark.parametrize(("late", "cues", "met"), [(1.9, 6, True), (2.2, 6, False), (1.0, 4, False)])
def test_more_than_doubled_or_too_little_measured_is_short(late: float, cues: int, met: bool) -> None:
    """A call that takes 0.2 s may take 0.4 s when held; with fewer than five calls nothing is promised."""
    pairs = []
    for _ in range(cues):
        calls = [run([(1.5 + wait, 5.0)], {CALL: (1.0, 1.5)}, [(1.55, "venn")]) for wait in (0.2, 0.2 * late)]
        pairs.append(slow.Pair(calls[0], replace(calls[1], held=True)))
    report = slow.tell(Report("slow"), slow.compare([], pairs), pairs)
    goals = {goal.name: goal for goal in report.goals}
    assert goals['end of "venn" to the gong, median, times as long'].met is met
    assert not goals["answer in a pause to verdict, median, times as long"].met  # nothing was measured
    assert goals["blocks missed"].met


def test_a_room_by_the_clock_is_a_card(tmp_path: Path) -> None:
    """The game gets all blocks in their order; the tape holds what it played and which cues were heard."""
    scene, out = tmp_path / "scene", tmp_path / "tape"
    clip = FIXTURES / "demo" / "blue_slt.flac"
    scene.write_bytes(pickle.dumps(Scene("", (Cue("one", Trigger("start"), "Anna", (clip,), after=0.1),),
                                         RoomSettings(echo=False))))
    card = SoundCard(command=paced.command(tmp_path / "nowhere", scene, out), start=START)
    card.play(Clip("line", np.full(1600, 5000, np.int16), RATE), START)
    blocks = [card.read() for _ in range(25)]
    card.close()
    tape = paced.taped(out)
    assert [block.at for block in blocks if block] == [START + at * BLOCK for at in range(25)]
    assert [mark.line for block in blocks if block for mark in block.marks] == ["line"] * 3
    assert int((tape.far == 5000).sum()) == 1600
    assert [name for name, _, _ in tape.fired] == ["one"]
    assert tape.fired[0][1] == round(0.1 * RATE)
    assert len(tape.volumes) * BLOCK == len(tape.far)


def test_a_quarter_is_written_down_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A millisecond of each four for those that are held, no limit for those that are not."""
    group = slowed.Slow()
    monkeypatch.setattr(group, "_old", tmp_path)
    monkeypatch.setattr(group, "_parent", tmp_path)
    monkeypatch.setattr(group, "_held", tmp_path / "held")
    monkeypatch.setattr(group, "_free", tmp_path / "free")
    assert group.hold([7]) == ""
    assert group.let([8]) == ""
    read = {path.name: path.read_text() for path in (tmp_path / "held").iterdir()}
    assert int(read["cpu.cfs_quota_us"]) / int(read["cpu.cfs_period_us"]) == slowed.SHARE
    assert read["cgroup.procs"] == "7"
    assert not (tmp_path / "free" / "cpu.cfs_quota_us").exists()
    assert group.free.read_text() == "8"
    monkeypatch.setattr(group, "_held", tmp_path / "no" / "such" / "held")
    assert group.hold([7]).startswith("not done")
