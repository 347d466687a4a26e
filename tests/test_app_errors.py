"""Whatever is typed or missing: one sentence that says what to do, the right exit code, never a traceback."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from host.__main__ import main
from host.app.evening import pronounced

TWO = ["--players", "Anna:blue, Ben:red"]
FILE = ["--file", "{wav}"]
USAGE, MISSING, FAILED = 2, 3, 1

TYPED = [
    (["play", "--players", "Anna:pink", *FILE], USAGE, '"pink" is no colour'),
    (["play", "--players", "Anna", *FILE], USAGE, "Anna has no colour"),
    (["play", "--players", ":red", *FILE], USAGE, "has no name"),
    (["play", "--players", ",,", *FILE], USAGE, "nobody is named"),
    (["play", "--players", "Anna:red, Ben:RED", *FILE], USAGE, "Anna and Ben are both red"),
    (["play", "--players", "Anna:red, anna:blue", *FILE], USAGE, "two players are called anna"),
    (["play", "--youngest", "Zoe", *TWO, *FILE], USAGE, '--youngest "Zoe" does not play; there are Anna, Ben'),
    (["play", "--youngest", "Zoe", *FILE], USAGE, "give --players too"),
    (["play", "--pause", "9", *TWO, *FILE], USAGE, "3 to 6 seconds"),
    (["play", "--pause", "nan", *TWO, *FILE], USAGE, "3 to 6 seconds"),
    (["play", "--statements", "0", *TWO, *FILE], USAGE, "1 to 6"),
    (["play", "--reader", "player", "--players", "Anna:red", *FILE], USAGE, "nobody is left to guess"),
    (["play", "venn", "--pause", "4", *FILE], USAGE, "--pause belongs to Clever Endeavor"),
    (["play", "--packs", "nope", *FILE], FAILED, 'no pack "nope"; there are'),
    (["play", "--pack", "{folder}/none.toml", *FILE], FAILED, "there is no such file"),
    (["play", "--pack", "{broken}", *FILE], FAILED, "broken.toml:2"),
    (["play", "--model", "nope", *TWO, *FILE], MISSING, 'no model "nope"'),
    (["play", "--model", "vosk-model-small-en-us-0.15", *TWO, *FILE], MISSING, "gamehost models fetch"),
    (["play", "--file", "{folder}/none.wav"], USAGE, "there is no recording"),
    (["play", *TWO, "--record", "{wav}/x.flac", *FILE], FAILED, "can't be written"),
    (["replay", "{folder}/none.jsonl"], FAILED, "can't be read"),
    (["replay", "{broken}"], FAILED, "is damaged at byte 0"),
    (["replay", "{folder}/none.flac"], USAGE, "There is no sound file"),
    (["replay", "{text}"], USAGE, "is not a sound file"),
    (["models", "fetch", "../x"], FAILED, "is no name of a model"),
    (["models", "check", "nope"], FAILED, 'no model "nope"'),
]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files that a table's rows name; data and cache in a folder of the test's own."""
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GAMEHOST_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GAMEHOST_MODEL", raising=False)
    soundfile.write(tmp_path / "quiet.wav", np.zeros(16_000, np.int16), 16_000)
    (tmp_path / "broken.toml").write_text('[pack]\nid = "brok\n', encoding="utf-8")
    (tmp_path / "text.flac").write_text("no sound", encoding="utf-8")
    return {"wav": str(tmp_path / "quiet.wav"), "folder": str(tmp_path), "broken": str(tmp_path / "broken.toml"),
            "text": str(tmp_path / "text.flac")}


def one_sentence(text: str) -> str:
    """The last line, which must be all that the person is told."""
    assert "Traceback" not in text
    line = text.replace("\r", "\n").strip().splitlines()[-1]
    assert line.startswith("gamehost: ")
    return line


@pytest.mark.parametrize(("words", "code", "said"), TYPED, ids=[" ".join(words[:3]) for words, _, _ in TYPED])
def test_what_is_wrong_is_told_in_one_sentence(
    words: list[str], code: int, said: str, places: dict[str, str], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The exit code and the sentence of each row."""
    monkeypatch.setattr("host.app.play.prepare", fails_where_the_model_is_missing)
    assert main([word.format(**places) for word in words]) == code
    assert said in one_sentence(capsys.readouterr().err)


def fails_where_the_model_is_missing(setup: object, packs: object, model: str | None, _progress: object) -> object:
    """Like `prepare`, without building a vocabulary."""
    return pronounced(setup, packs, model), None  # type: ignore[arg-type]  # as prepare's


@pytest.mark.parametrize("words", [["play", "chess"], ["play", "--pause", "long"], ["play", "--voice", "loud"],
                                   ["sing"], ["models", "fetch"], []])
def test_wrong_usage_ends_with_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """argparse's own sentences: usage and what was wrong, code 2."""
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == USAGE
    assert "error: " in capsys.readouterr().err


SOUND = {
    "no PortAudio": ('raise OSError("PortAudio library not found")', "libportaudio2"),
    "no device": (
        "class PortAudioError(Exception):\n    pass\n\n\nclass default:\n    device = (-1, -1)\n\n\n"
        "def query_devices():\n    return []\n", "No microphone was found: plug one in"),
}


@pytest.mark.parametrize(("module", "said"), SOUND.values(), ids=SOUND)
def test_a_missing_sound_system_is_told_before_anything_is_built(
    module: str, said: str, tmp_path: Path, places: dict[str, str], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without libportaudio2, or without a microphone, play says what to do and ends with 3; doctor ends with 1."""
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "sounddevice.py").write_text(module + "\n", encoding="utf-8")
    root = Path(__file__).resolve().parents[1]
    paths = [str(tmp_path / "fake"), str(root), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setattr("host.devices.card.CHILD", fake_child(paths))
    monkeypatch.setattr("host.devices.card.list_devices.__defaults__", (fake_child(paths),))
    assert main(["play", *TWO]) == MISSING
    assert said in one_sentence(capsys.readouterr().err)


def fake_child(paths: list[str]) -> tuple[str, ...]:
    """The card's child with a made-up sounddevice in front of the real one."""
    code = f"import sys; sys.path[:0] = {paths!r}; import runpy; "
    code += "runpy.run_module('host.devices.card_child', run_name='__main__')"
    return (sys.executable, "-c", code)
