"""`gamehost play` from a recording: its log, going on after a crash, what is kept and what is thrown away."""

import json
import os
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from host import log as logs
from host.__main__ import main
from host.app import logbook
from host.app.live import Taped
from host.app.play import read_players
from host.clock import BLOCK, RATE
from host.devices.meter import tone
from host.events import Resumed, Said
from host.games import Player
from host.memory import Memory
from host.packs import Packs, decks
from host.sound import Block, Clip

TWO = ["--players", "Anna:blue, Ben:red", "--youngest", "Anna", "--voice", "pyttsx3", "--seed", "5"]


LOAD = cache(decks.load)


def load_once(folder: Path, packs: Any, more: list[Path], family: bool) -> Packs:
    """Reading all packs takes a second: once is enough."""
    return LOAD(folder, packs, more=tuple(more), family=family)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of logs of the test's own; evenings are played without an ear."""
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GAMEHOST_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GAMEHOST_MODEL", raising=False)
    monkeypatch.setattr("host.app.play.prepare", lambda setup, packs, model, _: (packs, None))
    monkeypatch.setattr("host.app.logbook.pronounced", lambda setup, packs, model: packs)
    monkeypatch.setattr(decks, "load", load_once)
    soundfile.write(tmp_path / "quiet.wav", np.zeros(20 * RATE, np.int16), RATE)
    return tmp_path / "data" / "games"


def play(games: Path, *more: str) -> int:
    """Twenty seconds of an evening."""
    return main(["play", *TWO, "--file", str(games.parent.parent / "quiet.wav"), *more])


def one(games: Path) -> Path:
    (path,) = games.glob("*.jsonl")
    return path


def test_an_evening_is_logged_and_its_log_lives_again(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Play writes a log; replay finds the same outcome, and prints it when asked."""
    assert play(games) == 0
    assert "HOST" in capsys.readouterr().out
    assert main(["replay", str(one(games)), "--print"]) == 0
    out = capsys.readouterr().out
    assert "The same: " in out
    assert "HOST" in out


def test_a_log_that_leads_elsewhere_fails_loudly(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Replay ends with 1 and names the event, what was said then and what would be said now."""
    play(games)
    path = one(games)
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if '"Say"' in line)
    record = json.loads(lines[at])
    record["out"] = [effect for effect in record["out"] if effect["type"] != "Say"]
    lines[at] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(path)]) == 1
    assert f"DIFFERENT at event {at} of " in capsys.readouterr().out


def test_what_was_broken_off_is_gone_on_with(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same command goes on in the same log at the sample where it ended; a half-written line is cut off."""
    play(games)
    path = one(games)
    before = logs.read(path)
    with path.open("ab") as file:
        file.write(b'{"in":{"type":"Sa')
    capsys.readouterr()
    assert play(games) == 0
    assert "going on with" in capsys.readouterr().out
    after = logs.read(one(games))
    resumed = after.records[len(before.records)].event
    assert resumed == Resumed(max(record.event.at for record in before.records))
    assert after.records[: len(before.records)] == before.records
    assert any(isinstance(one.event, Said) and "table/resumed" in one.event.line for one in after.records)
    assert main(["replay", str(path)]) == 0


def test_a_new_game_begins_where_nobody_wants_the_old_one(games: Path) -> None:
    """--no-resume leaves the old log alone, and so does a log that is older than a day, or has had its goodbye."""
    play(games)
    first = one(games)
    play(games, "--no-resume")
    assert len(list(games.glob("*.jsonl"))) == 2
    second = max(games.glob("*.jsonl"))
    os.utime(second, (0, time.time() - 90_000))
    assert logbook.take_up(games, "clever", print) is None
    os.utime(second)
    assert logbook.take_up(games, "clever", print) is not None
    assert logbook.take_up(games, "venn", print) is None
    record = json.loads(second.read_text(encoding="utf-8").splitlines()[-1])
    with second.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**record, "out": [{"type": "Quit"}]}) + "\n")
    assert logbook.take_up(games, "clever", print) is None
    assert first.exists()


BROKEN = {
    "other cards": (lambda lines: [lines[0].replace('"digest":"', '"digest":"0'), *lines[1:]], "cards have changed"),
    "other rules": (lambda lines: [*lines[:3], lines[3].replace('"state":"', '"state":"0'), *lines[4:]], "event 3"),
    "damage": (lambda lines: [*lines[:3], lines[3][:9], *lines[4:]], "is damaged"),
}


@pytest.mark.parametrize(("change", "said"), BROKEN.values(), ids=BROKEN)
def test_a_log_that_cannot_be_gone_on_with_is_set_aside(games: Path, change: Any, said: str) -> None:
    """One sentence, the old log under another name, a new game."""
    play(games)
    path = one(games)
    path.write_text("\n".join(change(path.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    told: list[str] = []
    assert logbook.take_up(games, "clever", told.append) is None
    assert len(told) == 1
    assert said in told[0]
    assert not path.exists()
    assert path.with_name(path.name + logbook.ASIDE).exists()


def test_old_logs_are_reduced_to_their_scores(games: Path) -> None:
    """After 30 days the log is gone and its players and standing are one line; younger logs stay."""
    play(games)
    old = one(games)
    play(games, "--no-resume")
    os.utime(old, (0, time.time() - 31 * logbook.DAY))
    assert logbook.tidy(games) == 1
    assert not old.exists()
    assert len([path for path in games.glob("*.jsonl") if path.name != logbook.SCORES]) == 1
    (line,) = (games / logbook.SCORES).read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "log": old.name, "game": "clever",
        "rounds": [{"players": ["Anna", "Ben"], "standing": [0, 0], "winner": None}],
    }
    assert logbook.tidy(games) == 0


def test_scores_of_a_log_with_other_cards_are_its_players(games: Path) -> None:
    """Where a log can't be lived again any more, who played is kept, once."""
    play(games)
    path = one(games)
    path.write_text(path.read_text(encoding="utf-8").replace('"digest":"', '"digest":"0', 1), encoding="utf-8")
    logbook.keep_scores(path)
    logbook.keep_scores(path)
    (line,) = (games / logbook.SCORES).read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["players"] == ["Anna", "Ben"]


def test_used_and_bad_cards_are_not_played(games: Path) -> None:
    """CE-20, CON-04: cards of earlier evenings and cards reported twice are left out of the header's deck."""
    memory = Memory.open(games.parent / "memory.json")
    memory.add("clues", "person-mozart")
    memory.mark("place-everest", "bad")
    memory.mark("place-everest", "bad")
    play(games)
    read = logs.read(one(games))
    setup, packs, table = logbook.set_up_again(read)
    assert setup.used == ("person-mozart",)
    assert "place-everest" not in {card.id for card in packs.clues}
    state = logbook.relive(table, read.records)[0]
    drawn = {*state.game.deck, state.game.hand.card}
    assert "person-mozart" not in drawn
    assert len(drawn) > 20


def test_cards_that_a_power_cut_kept_from_the_memory_are_remembered(games: Path, tmp_path: Path) -> None:
    """CE-20: what the log says was played is remembered when the game goes on, once."""
    play(games)
    record = logs.read(one(games)).records[0]
    out = ({"type": "Keep", "deck": "clues", "card": "a"}, {"type": "Keep", "deck": "bad", "card": "b"})
    memory = Memory.open(tmp_path / "memory.json")
    for _ in range(2):
        logbook.keep_again([replace(record, out=out)], memory)
    assert memory.used("clues") == ("a",)
    assert memory.marked("bad") == ()


def test_a_data_folder_that_cannot_be_written_does_not_stop_play(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """KIO-09: one sentence that nothing is kept, and the evening goes on."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert play(games, "--data", str(tmp_path / "file" / "data")) == 0
    said = capsys.readouterr()
    assert "no record can be kept" in said.err
    assert "I can not keep a record of tonight" in said.out
    assert "Traceback" not in said.err
    assert "HOST" in said.out


# --- recording (SEC-06) -------------------------------------------------------------------------


def test_nothing_is_recorded_unless_asked(games: Path, tmp_path: Path) -> None:
    """SEC-06: the default leaves no sound behind but the host's own cached voice."""
    play(games)
    kinds = {path.suffix for path in (tmp_path / "data").rglob("*") if path.is_file()}
    assert kinds <= {".jsonl", ".json", ".old"}


def test_recording_is_announced_and_can_be_heard_again(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SEC-06: the host says that it records; the file has microphone and far end."""
    tape = tmp_path / "tape.flac"
    assert play(games, "--record", str(tape)) == 0
    out = capsys.readouterr().out
    assert f"RECORDING the room for ten minutes: {tape}" in out
    info = soundfile.info(tape)
    assert (info.channels, info.samplerate) == (2, RATE)
    assert abs(info.frames - 22 * RATE) <= BLOCK  # the recording and its tail
    read = logs.read(one(games))
    said = [effect["line"]["text"] for record in read.records for effect in record.out if effect["type"] == "Say"]
    assert any("recorded" in text for text in said)


def test_recording_is_announced_again_when_the_game_goes_on(games: Path, tmp_path: Path) -> None:
    """SEC-06: who was not there when the first recording was announced hears it of the second."""
    for number in (1, 2):
        assert play(games, "--record", str(tmp_path / f"{number}.flac")) == 0
    out = [effect for record in logs.read(one(games)).records for effect in record.out if effect["type"] == "Say"]
    assert sum("recorded" in effect["line"]["text"] for effect in out) == 2


class Room:
    """A device of two blocks a second lost: each block is loud, each second one follows a gap."""

    def __init__(self) -> None:
        self.count = 0

    def read(self) -> Block:
        self.count += 1
        loud = np.full(BLOCK, 1_000, np.int16)
        return Block(self.count * BLOCK, loud[np.newaxis], loud, gap=BLOCK if self.count == 2 else 0)

    def play(self, clip: Clip, at: int) -> None:
        self.played = clip

    def hush(self) -> None:
        self.played = None

    def close(self) -> None:
        self.closed = True


def test_a_tape_keeps_time_and_ends_by_itself(tmp_path: Path) -> None:
    """SEC-06: what the card lost is silence on the tape; the tape ends after its minutes, the evening does not."""
    told: list[str] = []
    device = Taped(Room(), tmp_path / "t.flac", minutes=5 * BLOCK / RATE / 60, notice=told.append)
    for _ in range(10):
        assert device.read() is not None
    device.play(tone(), 0)
    device.close()
    sound, _ = soundfile.read(tmp_path / "t.flac", dtype="int16")
    assert [bool(block.any()) for block in sound.reshape(-1, BLOCK, 2)] == [True, False, True, True, True]
    assert told == [f"The recording has ended by itself: {tmp_path / 't.flac'}"]


PLAYERS = [
    ("", ()),
    ("Anna:blue", (Player("Anna", "blue"),)),
    (" Anna : Blue ,Ben:RED, ", (Player("Anna", "blue"), Player("Ben", "red"))),
]


@pytest.mark.parametrize(("text", "players"), PLAYERS)
def test_players_are_read_from_one_line(text: str, players: tuple[Player, ...]) -> None:
    """Names and colours, clockwise, blanks and case forgiven."""
    assert read_players(text) == players
