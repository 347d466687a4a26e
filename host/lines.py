"""Everything the host ever says, in one place.

A key has several wordings; `say` takes them in turn, so that none is heard twice in a row. Values are
put in with `{name}`. The words are short, warm, never blaming, easy for a synthesiser to say and for a
child to follow (GM-4). No line is longer than 12 s.
"""

TABLE: dict[str, tuple[str, ...]] = {}
"""What the table says in any game."""

CLEVER: dict[str, tuple[str, ...]] = {}
"""What is said in Clever Endeavor."""

VENN: dict[str, tuple[str, ...]] = {}
"""What is said in Venn."""

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)


def say(key: str, turn: int, **values: object) -> str:
    """The wording of `key` whose turn it is. Raises KeyError for an unknown key or a missing value."""
    for table in (TABLE, CLEVER, VENN):
        if key in table:
            wordings = table[key]
            return wordings[turn % len(wordings)].format(**values)
    raise KeyError(key)


def number(count: int) -> str:
    """A small number as a word."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as they are said in a row: "Anna, Ben and Cleo"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
