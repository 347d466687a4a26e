"""The first names of the roll call."""

from pathlib import Path

from host.understand import COLOURS
from host.understand.phrases import COMMANDS, ME, NO, READY, ROLL_JOINTS, YES

LINES = (Path(__file__).resolve().parents[1] / "clues" / "names.txt").read_text(encoding="utf-8").split("\n")
NAMES = [line for line in LINES if not line.startswith("#")]


def test_about_a_thousand_names_in_order_and_none_twice() -> None:
    """One name a line, lower case, no accents, none twice; after the common ones sorted."""
    assert NAMES[-1] == ""
    names = NAMES[:-1]
    assert 900 <= len(names) <= 1400
    rest = LINES[next(at for at, line in enumerate(LINES) if line.startswith("#")) + 1 : -1]
    assert rest == sorted(rest)
    assert len(names) == len(set(names))
    assert all(name.isascii() and name.isalpha() and name == name.lower() for name in names)
    assert {"anna", "ben", "cleo", "dan"} <= set(names)


def test_no_name_is_a_colour_a_command_or_a_reply() -> None:
    """Nobody is called what the host takes for something else."""
    taken = {word for words in COLOURS.values() for word in words}
    taken |= {text for texts in COMMANDS.values() for text in texts} | {*YES, *NO, *READY, *ME} | ROLL_JOINTS
    assert not taken & set(NAMES[:-1])
