"""`gamehost doctor` and `gamehost models`: what is well, what is not, and what to do about it."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evening import PACKS

from host.__main__ import main
from host.app import AppError, doctor
from host.clock import BLOCK, RATE
from host.devices import DeviceError
from host.devices.card import DeviceInfo
from host.sound import Block, Clip

HUM = np.round(300 * np.sin(np.arange(40 * RATE) / 7)).astype(np.int16)


class Card:
    """A sound card in a room: a player talks while the level is metered, the tone comes back or not."""

    names = ("Mike", "Spike")
    rate, latency, glitches = 48_000, 800, 0

    def __init__(self, room: np.ndarray = HUM, echo: float = 0.3) -> None:
        self.now, self.room, self.echo = 0, room, echo
        self.played = np.zeros(len(room), np.int16)

    def read(self) -> Block:
        piece = slice(self.now, self.now + BLOCK)
        mic = np.clip(self.room[piece] + self.echo * self.played[piece], -32_768, 32_767).astype(np.int16)
        self.now += BLOCK
        return Block(self.now - BLOCK, mic[np.newaxis], self.played[piece])

    def play(self, clip: Clip, at: int) -> None:
        self.played[at : at + len(clip.pcm)] = clip.pcm

    def hush(self) -> None:
        self.played[:] = 0

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """A machine on which all is well; tests break one thing each."""
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GAMEHOST_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GAMEHOST_MODEL", raising=False)
    parts: dict[str, Any] = {"card": Card()}
    listed = (DeviceInfo("Mike", 1, 0, 48_000, True, False), DeviceInfo("Spike", 0, 2, 48_000, False, True))
    monkeypatch.setattr(doctor, "list_devices", lambda: listed)
    monkeypatch.setattr(doctor, "open_card", lambda *_, **__: parts["card"])
    monkeypatch.setattr(doctor, "prepare", lambda setup, packs, model, progress: (packs, None))
    monkeypatch.setattr(doctor, "load_packs", lambda _setup: PACKS)
    monkeypatch.setattr(doctor, "run_check", lambda *_, **__: (0, ""))
    return parts


def examined(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    code = main(["doctor", "--voice", "pyttsx3", *more])
    return code, capsys.readouterr().out


def test_where_all_is_well_the_doctor_says_so(well: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Every part has its line, and the exit code is 0."""
    code, out = examined(capsys)
    for words in ("clue cards", "7 files as they should be", "times real time", "can be written", "microphone Mike",
                  "The microphone is well", "the tone came back", "All is ready to play."):
        assert words in out, words
    assert code == 0
    assert well["card"].closed


ROOMS = {
    "muted": (Card(np.zeros(40 * RATE, np.int16), 0.0), "digital silence"),
    "quiet": (Card((HUM // 200).astype(np.int16)), "too quiet"),
    "clipped": (Card(np.clip(HUM.astype(int) * 200, -32_768, 32_767).astype(np.int16)), "gain down"),
    "headset": (Card(HUM, 0.0), "with a headset that is right"),
}


@pytest.mark.parametrize(("card", "said"), ROOMS.values(), ids=ROOMS)
def test_the_microphone_gets_advice(
    card: Card, said: str, well: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """A microphone that is muted, too quiet or clipped, and a tone that nobody heard, are remarks; play goes on."""
    well["card"] = card
    code, out = examined(capsys)
    assert said in out
    assert code == 0


def test_a_tone_is_found_while_somebody_speaks() -> None:
    """Speech while the level is metered does not hide the tone; speech alone is no tone."""
    random = np.random.default_rng(4)
    loud = np.repeat(random.choice([0.0, 0.0, 1.0, 0.5], 40 * 5), RATE // 5)
    speech = np.round(loud * random.normal(0, 2_000, 40 * RATE)).astype(np.int16)
    for echo, mark in ((0.3, "ok"), (0.0, "note")):
        card = Card(speech, echo)
        before = np.concatenate([card.read().mic[0] for _ in range(66)])
        assert doctor.came_back(card, before)[0] == mark  # type: ignore[arg-type]  # as much of a card as it takes


BREAKS = {
    "no card": ("list_devices", DeviceError("No microphone was found: plug one in and start again."), "plug one in"),
    "busy card": ("open_card", AppError("busy, another program holds it.", 3), "another program holds it"),
    "model": ("prepare", AppError("the file am/final.mdl is damaged", 3), "am/final.mdl is damaged"),
    "packs": ("load_packs", AppError("classic.toml:3:1: no answer"), "classic.toml:3:1"),
}


@pytest.mark.parametrize(("part", "error", "said"), BREAKS.values(), ids=BREAKS)
def test_what_makes_play_impossible_ends_with_one(
    part: str, error: Exception, said: str, well: dict[str, Any], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fault is one line, the other parts are examined all the same, the exit code is 1."""
    def breaks(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(doctor, part, breaks)
    code, out = examined(capsys)
    assert code == 1
    assert said in next(line for line in out.splitlines() if "FAULT" in line)
    assert "times real time" in out
    assert "Nothing can be played" in out


def test_faults_that_only_the_check_finds_are_a_remark(
    well: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards that can be played but should be mended: how many, the first of them, and where all are told."""
    monkeypatch.setattr(doctor, "run_check", lambda *_, **__: (1, "a.toml:1:1: no note\na.toml:9:1: no note\n2 faults"))
    code, out = examined(capsys)
    assert "2 remarks of the check, the first: a.toml:1:1: no note; all of them: gamehost packs check" in out
    assert code == 0


def test_a_full_or_locked_disk_is_a_remark(
    well: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """KIO-09: without a place to write play goes on, and the doctor says what to do."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path / "file" / "data"))
    code, out = examined(capsys)
    assert "can't be written" in out
    assert "GAMEHOST_DATA" in out
    assert code == 0


def test_the_doctor_leaves_the_sound_card_alone_if_asked(
    well: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """--no-sound lists and opens nothing."""
    monkeypatch.setattr(doctor, "list_devices", None)
    assert examined(capsys, "--no-sound")[0] == 0


def test_models_are_listed_and_the_shipped_one_is_sound(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The list says what is here; check compares sums (the decoding is tested with the models)."""
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path))
    monkeypatch.delenv("GAMEHOST_MODEL", raising=False)
    asked: list[object] = []
    monkeypatch.setattr("host.app.models.provide", lambda *what: asked.append(what[1]))
    assert main(["models"]) == 0
    out = capsys.readouterr().out
    assert "vosk-model-small-en-gamehost  [shipped]" in out
    assert "vosk-model-small-en-us-0.15  [not here]" in out
    assert main(["models", "check"]) == 0
    assert asked == [None]
    assert "7 files compared" in capsys.readouterr().out


def test_a_fetched_model_is_told_where_it_lies(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """models fetch says where the model is and how to play with it."""
    monkeypatch.setattr("host.app.models.fetch", lambda name, progress: tmp_path / name)
    assert main(["models", "fetch", "a-model"]) == 0
    assert f"in {tmp_path / 'a-model'}; play with it: gamehost play --model a-model" in capsys.readouterr().out
    assert os.environ.get("GAMEHOST_MODEL") is None
