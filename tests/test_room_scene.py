"""Scenes: what is written is checked, and every fault is one sentence."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from host.devices.scene import Scene, SceneError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    soundfile.write(tmp_path / "a.wav", np.zeros(100, np.int16), 16_000)
    return tmp_path


def load(folder: Path, text: str) -> Scene:
    path = folder / "scene.toml"
    path.write_text(text, encoding="utf-8")
    return Scene.load(path)


def test_a_scene_is_read(folder: Path) -> None:
    """All that a scene may say arrives, and the expectations stay a free table."""
    scene = load(folder, """
title = "Two cues"
[room]
rt60 = 0.3
echo_db = 0
snr_db = 15
seed = 5
[[cue]]
name = "anna"
on = "card*/statement2 first_word"
after = 1.2
nth = 2
who = "Blue"
clip = ["a.wav", "a.wav"]
text = "Blue, the Eiffel Tower"
distance = 2.5
[[cue]]
on = "cue anna ended"
seat = "Red"
clip = "a.wav"
level = -3
[expect]
winner = "Blue"
moves = [1, 2]
""")
    first, second = scene.cues
    assert (first.name, first.after, first.nth, first.who, len(first.clips)) == ("anna", 1.2, 2, "Blue", 2)
    assert first.on.meets("card12/statement2#4", "first_word")
    assert not first.on.meets("card12/statement2#4", "began")
    assert not first.on.meets("card12/statement3", "first_word")
    assert (second.name, second.on.kind, second.who, second.level) == ("cue2", "cue", "Red", -3.0)
    assert scene.room.echo_db == 0.0
    assert scene.expect == {"winner": "Blue", "moves": [1, 2]}


@pytest.mark.parametrize(("text", "says"), [
    ("[[cue]]\non = 'x began'", "clip is missing"),
    ("[[cue]]\non = 'x began'\nclip = 'b.wav'", "there is no sound file"),
    ("[[cue]]\non = 'x begin'\nclip = 'a.wav'", "is not understood"),
    ("[[cue]]\nclip = 'a.wav'", "is not understood"),
    ("[[cue]]\non = 'cue nobody ended'\nclip = 'a.wav'", "no cue has that name"),
    ("[[cue]]\non = 'start'\nclip = 'a.wav'\nafter = -1", "can't be less"),
    ("[[cue]]\non = 'start'\nclip = 'a.wav'\nafter = '1'", "is a number"),
    ("[[cue]]\non = 'start'\nclip = 'a.wav'\nnth = 0", "whole number"),
    ("[[cue]]\non = 'start'\nclip = 'a.wav'\nwhen = 3", "means nothing here"),
    ("[[cue]]\non = 'start'\nclip = 'a.wav'\nlevel = 0\ndistance = 1", "not both"),
    ("[[cue]]\non = 'start'\nclip = 'a.wav'\nname = 'a'\n" * 2, "two cues"),
    ("[cue]\non = 'start'", "[[cue]]"),
    ("[room]\nsize = [1, 2]", "three numbers"),
    ("[room]\nnoise = 'b.wav'", "there is no sound file"),
    ("[room]\necho_db = 'loud'", "is a number"),
    ("room = 3", "[room]"),
    ("title = ", "can't be read as TOML"),
])
def test_every_fault_is_one_sentence(folder: Path, text: str, says: str) -> None:
    """A faulty scene names the file, the place and what is wrong, in one line."""
    with pytest.raises(SceneError) as found:
        load(folder, text)
    assert says in str(found.value)
    assert "scene.toml" in str(found.value)
    assert "\n" not in str(found.value)


def test_a_missing_scene_is_one_sentence(tmp_path: Path) -> None:
    """A wrong path is told as such."""
    with pytest.raises(SceneError, match="There is no scene"):
        Scene.load(tmp_path / "none.toml")
