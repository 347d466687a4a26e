"""How a table wants to play, said aloud before the game: "four statements", "hide the category" ..."""

from typing import Any

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

WISHES: dict[str, tuple[str, Any]] = {
    **{f"{word} statement{'s' if number > 1 else ''}": ("statements", number) for word, number in NUMBERS.items()},
    **{f"pause {word} seconds": ("pause", float(number)) for word, number in NUMBERS.items() if number >= 3},
    "hide the category": ("hide_category", True),
    "no category": ("hide_category", True),
    "with a false statement": ("false_statement", True),
    "one false statement": ("false_statement", True),
    "shuffle the statements": ("shuffle", True),
    "wait for go on": ("wait", True),
    "colour first always": ("strict", True),
    "no ready question": ("ready", False),
}
"""What is said -> the option of Clever Endeavor and its value (CE-5, CE-6, CE-16, CE-17, CE-21, CE-22, CE-23)."""

LEAD = ("please", "we play", "we want", "let's play", "with", "and", "can we have")


def find(heard: str) -> tuple[str, str, Any] | None:
    """The wish in an utterance: its words, the option and the value; None where it is something else."""
    text = " ".join(word for word in heard.split() if word != "[unk]")
    for lead in LEAD:
        text = text.removeprefix(f"{lead} ")
    text = text.removesuffix(" please")
    found = WISHES.get(text) or WISHES.get(f"with {text}")
    return (text, *found) if found else None
