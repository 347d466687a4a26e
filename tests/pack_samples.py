"""A good pack, and ways to spoil it."""

from pathlib import Path

from host.packs import Fault

HEADER = """[pack]
id = "probe"
title = "Probe"
licence = "CC BY 4.0"
source = "made for the tests"
audience = "family"
"""

CARD = """
[[card]]
id = "thing-ladder"
category = "Thing"
answer = "a ladder"
essential = "ladder"
aliases = ["a stepladder"]
prompt = ["a frame"]
never = ["a staircase"]
rivals = ["a fence", "a scaffold", "a railway", "a bookcase"]
region = "none"
century = -5
statements = [
  "My feet never walk.",
  "Painters trust me more than they trust each other.",
  "Some people would rather go around me than beneath me.",
  "Firemen bring a long one along.",
  "You climb me one rung at a time.",
  "Lean me against the wall and mind your fingers.",
]
false_statement = "Fish use me at weekends."
note = "One is painted in a Spanish cave, beside a person who robs bees."
basis = "Cuevas de la Arana, Bicorp"
difficulty = 1
"""

OTHER = """
[[card]]
id = "thing-kettle"
category = "Thing"
answer = "a kettle"
essential = "kettle"
rivals = ["a teapot", "a pan", "a whistle", "a boiler"]
statements = [
  "I lose my temper every morning, and everybody is glad.",
  "Engineers dreamed of engines while they watched my lid.",
  "I have a spout, but no river.",
  "Limestone grows in me where the taps are hard.",
  "Call the pot black and people will quote me.",
  "Switch me on for tea.",
]
false_statement = "I am fond of ice."
basis = "limescale; James Watt and the lid"
"""

GOOD = HEADER + CARD + OTHER


def line_of(text: str, part: str) -> int:
    """The line, from 1, in which a part of the text first stands."""
    return text[: text.index(part)].count("\n") + 1


def write(folder: Path, text: str, name: str = "probe.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def spoil(old: str, new: str, text: str = GOOD) -> str:
    """The text with one part replaced, which must be there."""
    assert old in text, old
    return text.replace(old, new, 1)


def about(faults: tuple[Fault, ...], part: str) -> list[Fault]:
    return [fault for fault in faults if part in fault.text]
