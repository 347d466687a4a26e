"""A power cut at any moment of Venn: what came in is kept, and the evening goes on (GM-3)."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from venn_evening import VennEvening

from host.clock import seconds
from host.events import Part
from host.games import Player
from host.lines import number

HERE = Path(__file__).resolve().parent


def test_killed_at_thirty_moments_and_resumed_nothing_is_lost(tmp_path: Path) -> None:
    """SIGKILL 30 times: each event told as synced is in the log, each life goes on, and the game is won in the end."""
    command = [sys.executable, str(HERE / "venn_crash_driver.py"), str(tmp_path / "log.jsonl"), "30", "1"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), str(HERE)])}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["lost"] == 0
    assert report["kills"] == 30
    assert report["resumed"] >= 24, "a life that is killed before its Resumed is synced does not show"
    assert report["done"]
    assert report["winner"] is not None
    assert report["events"] > 250


def cut(table: VennEvening, **options: Any) -> VennEvening:
    """The evening after a power cut: the host asks whether to go on, and somebody says yes."""
    again = VennEvening(players=table.state.players, state=table.state, start=table.now, **options)
    again.count = 1000
    again.ended("resumed")
    again.say("yes")
    return again


OWN = ("river", "storm", "old", "toy", "run", "gold", "moon", "fast", "tree", "song", "milk", "door")


def give(table: VennEvening, first: int, last: int) -> None:
    """Read out the family's words with these numbers."""
    for at in range(first, last + 1):
        table.say("[unk]", dictation=f"{number(at)} {OWN[at - 1]}")


def test_a_power_cut_while_the_family_reads_out_its_words() -> None:
    """GM-3, VN-2: the words read out so far are kept, the rest follows, and the list is the family's."""
    table = VennEvening(words="family")
    table.ended("list")
    give(table, 1, 5)
    again = cut(table, words="family")
    assert [word for word in again.words if word] == list(OWN[:5])
    again.wait(8.0)
    give(again, 6, 12)
    again.ended("right", limit=90)
    assert again.words == list(OWN)


def test_a_power_cut_before_the_familys_yes() -> None:
    """GM-3, VN-2: the list that was repeated still wants its yes."""
    table = VennEvening(words="family")
    table.ended("list")
    give(table, 1, 12)
    table.ended("right", limit=90)
    again = cut(table, words="family")
    again.wait(10.0)
    again.say("yes")
    again.until("round1/ready")
    assert again.words == list(OWN)


def test_a_power_cut_on_the_clock_costs_the_team_no_time() -> None:
    """GM-3, VN-16: the two minutes are those of play; what passes between the cut and the yes is not counted."""
    pair = (Player("Anna", ""), Player("Ben", ""))
    table = VennEvening(players=pair, mode="cooperative")
    table.to_go()
    table.wait(40.0)
    again = cut(table, mode="cooperative")
    on = again.now
    while again.phase == "placing":
        again.block()
    played = 41.0 + seconds(again.now - on)
    assert 118.0 < played < 121.0


def test_a_power_cut_after_the_end_of_a_game() -> None:
    """GM-3, VN-13: a game that is won stays won, and the host asks again whether there is another."""
    table = VennEvening()
    table.to_go()
    points = replace(table.state.game, points=(11, 4), before=(11, 4))
    table = VennEvening(state=replace(table.state, game=points), start=table.now)
    table.count = 500
    table.ended("resumed")
    table.say("yes")
    table.wait(6.0)
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 2, 3))
    table.reveal("one two four")
    table.ended("guess")
    table.say(table.plain(5, 6, 7))
    table.reveal("five six eight")
    table.wait(8.0)
    assert table.game["winner"] == 0
    again = cut(table)
    assert again.game["winner"] == 0
    again.until("table/another", Part.ENDED)
    again.say("no")
    again.wait(20.0)
    assert again.state.done
