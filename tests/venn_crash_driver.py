"""An evening of Venn that plays itself, many times killed: `python tests/venn_crash_driver.py LOG KILLS SEED`."""

import random
import sys
from pathlib import Path
from typing import Any

import crash_driver
from venn_evening import FOUR, VennEvening
from venn_table import packs

from host.games import venn
from host.table import Table


def table(seed: int = 3) -> Table:
    """The table that `VennEvening` plays at."""
    return Table(venn, packs(words=SAID), {}, seed, players=FOUR, names=("anna", "ben", "cleo", "dan"), youngest=None)


SAID = (("river", "heavy", "wedding"), ("to fold", "soldier", "sour"), ("camera", "lonely", "desert"),
        ("piano", "brave", "ice cream"))


def says(state: Any, rules: Any, dice: random.Random, last: bool) -> str:
    """What somebody says at this moment, or nothing."""
    if state.question is not None:
        return {"resume": "yes", "another": "no" if last else "yes"}.get(state.question.kind, "no")
    if state.game is None:
        return ""
    view = rules.view(state.game, None)
    names = [team["name"].lower() for team in view["teams"]]
    words = [word.removeprefix("to ") for word in view["words"]]
    match view["phase"]:
        case "telling":
            return "no"
        case "readying":
            givers = [state.players[team["giver"]].name.lower() for team in view["teams"]]
            return f"{dice.choice(givers)} is ready"
        case "placing":
            return dice.choice((f"venn {dice.choice(names)}", "venn", "that one is heavy"))
        case "asking":
            return dice.choice(names)
        case "guessing":
            return dice.choice(words)
        case "revealing":
            return "yes" if view["listening"] == "yes" else dice.choice(("one two three", "four five twelve"))
        case "between":
            return "ready"
    return ""


if __name__ == "__main__":
    crash_driver.table, crash_driver.says, crash_driver.Evening = table, says, VennEvening  # type: ignore[assignment]
    crash_driver.main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
