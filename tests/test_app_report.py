"""`gamehost report`: what is in the file, and what is not (SEC-04, SEC-06)."""

import json
import zipfile
from pathlib import Path

import pytest

from host.__main__ import main
from host.app import report

CODE, KEY = "48151", "00112233445566778899aabbccddeeff"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder after some evenings, with secrets wherever they might have come."""
    monkeypatch.setattr(report, "said_by", lambda command, patience: f"phones: with the code {' '.join(CODE)}\n")
    folder = tmp_path / "data"
    games = folder / "games"
    games.mkdir(parents=True)
    (games / "pairing.json").write_text(json.dumps({"key": KEY, "code": CODE}), encoding="utf-8")
    (folder / "settings.toml").write_text(
        'game = "clever"\nmqtt = "mqtt://box:hunter2@ha.local"\nmqtt_password = "hunter2"\n', encoding="utf-8")
    (folder / "memory.json").write_text(f'{{"token": "tok-5e3a9"}}\n"{KEY}"\n', encoding="utf-8")
    for day in range(1, 6):
        (games / f"2026-01-0{day}T20-00-00-clever.jsonl").write_text(f'{{"day": {day}}}\n', encoding="utf-8")
    (games / "evening.flac").write_bytes(b"fLaC")
    (folder / "cache").mkdir()
    (folder / "cache" / "line.wav").write_bytes(b"RIFF" * 100)
    return folder


def packed(out: Path) -> dict[str, str]:
    with zipfile.ZipFile(out) as file:
        return {name: file.read(name).decode("utf-8", errors="replace") for name in file.namelist()}


def test_the_report_holds_what_is_needed_and_no_secret(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Versions, settings, journal, the three newest logs; no password, code, key or token anywhere; no sound."""
    out = tmp_path / "r.zip"
    assert main(["report", "--data", str(data), "--out", str(out)]) == 0
    found = packed(out)
    assert {"versions.txt", "doctor.txt", "files.txt", "settings.toml", "memory.json"} <= set(found)
    assert sorted(name for name in found if name.startswith("games/")) == [
        f"games/2026-01-0{day}T20-00-00-clever.jsonl" for day in (3, 4, 5)]
    everything = "\n".join([*found, *found.values()])
    for secret in (CODE, " ".join(CODE), KEY, "hunter2", "tok-5e3a9"):
        assert secret not in everything, secret
    assert "mqtt://(removed)@ha.local" in found["settings.toml"]
    assert "gamehost 0" in found["versions.txt"]
    assert "numpy" in found["versions.txt"]
    assert not [name for name in found if name.endswith(report.AUDIO)]
    assert "evening.flac" in found["files.txt"]
    assert "400 in caches" in found["files.txt"]
    assert "look through it" in capsys.readouterr().out


def test_sound_and_games_are_a_matter_of_asking(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--audio takes one named recording and says so, --no-games leaves out what was said."""
    out = tmp_path / "r.zip"
    tape = data / "games" / "evening.flac"
    assert main(["report", "--data", str(data), "--out", str(out), "--audio", str(tape), "--no-games"]) == 0
    found = packed(out)
    assert "audio/evening.flac" in found
    assert not [name for name in found if name.startswith("games/2026")]
    assert "SOUND, because you asked" in capsys.readouterr().out


def test_a_report_of_nothing_is_still_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a data folder there are versions; a place that can't be written is one sentence."""
    monkeypatch.setattr(report, "said_by", lambda command, patience: "")
    out = tmp_path / "r.zip"
    assert main(["report", "--data", str(tmp_path / "none"), "--out", str(out)]) == 0
    assert "versions.txt" in packed(out)
    assert main(["report", "--out", str(tmp_path / "no" / "r.zip")]) == 1
    assert "name another file with --out" in capsys.readouterr().err
    assert main(["report", "--audio", str(tmp_path / "x.wav"), "--out", str(out)]) == 2
