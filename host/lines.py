"""Everything the host ever says, in one place.

A key has several wordings; `say` takes them in turn, so that none is heard twice in a row. Values are
put in with `{name}`. The words are short, warm, never blaming, easy for a synthesiser to say and for a
child to follow (GM-4). No line is longer than 12 s.
"""

TABLE: dict[str, tuple[str, ...]] = {
    # --- before the game
    "greeting": (
        "Good evening, and welcome to {game}! I read the clues, you call out the answers. Who is playing? "
        "Say your name and your colour, one after the other.",
        "Hello everybody, this is {game}! Sit down and get comfortable. Who is playing? "
        "Say your name and your colour, one after the other.",
    ),
    "greeting_known": (
        "Good evening, and welcome to {game}! I read the clues, you call out the answers. Tonight we have {roll}.",
        "Hello everybody, this is {game}! Sit down and get comfortable. Playing tonight: {roll}.",
    ),
    "who_again": (
        "Who is playing? For example: Anna is blue.",
        "Tell me who plays, like this: Ben is red.",
    ),
    "who_wait": ("Take your time. When you are ready, say your name and your colour.",),
    "who_more": ("{roll}. Anybody else? One more player, or say: that is all.",),
    "youngest": ("{roll}. Who is the youngest?", "So we have {roll}. Who is the youngest?"),
    "youngest_again": ("Who is the youngest? Say the colour.", "Which colour is the youngest?"),
    "youngest_who": ("Who is that?", "And which colour is that?"),
    "youngest_skip": ("Then {who} starts.",),
    "starts": (
        "{who} starts. Say your colour first, then your answer.",
        "{who} starts. When you know it, say your colour and then the answer.",
    ),
    # --- at any time
    "again": ("Say that once more, please.", "Once more, please?", "I did not catch that. Once more?"),
    "again_who": ("Once more, {who}?", "Say that once more, {who}.", "I did not catch that, {who}. Once more?"),
    "again_slow": ("One more time, {who}, slowly.", "Let us try once more, {who}: just the answer."),
    "again_leave": ("Let us leave that one.", "We will let that one go."),
    "paused": ("Pause. Say go on when you are ready.", "We wait. Say go on when you are back."),
    "continued": ("On we go.", "Good, on we go.", "Here we go again."),
    "still_paused": ("We are still waiting. Say go on when you are ready.",),
    "slower": ("A little slower.", "Slower it is."),
    "faster": ("A little faster.", "Faster it is."),
    "louder": ("A little louder.", "Louder it is."),
    "quieter": ("A little quieter.", "Quieter it is."),
    "speed_end": ("That is as far as I go.",),
    "help": (
        "Say your colour and your answer. You can also say: repeat, score, how many guesses, pause, skip, "
        "undo, we object, slower, or stop the game.",
    ),
    # --- questions
    "quit": ("Stop the game? Yes or no?", "Shall I stop the game? Yes or no?"),
    "quit_stay": ("Then we play on.", "Good, we play on."),
    "goodbye": ("Thank you for playing. Good night!", "That was fun. Good night, everybody!"),
    "another": ("Another round?", "Shall we play another one?"),
    "objection_right": (
        "Which way: should it not count for {who}?",
        "All right, which way: should I take it back from {who}?",
    ),
    "objection_wrong": (
        "Which way: should it count for {who}?",
        "All right, which way: was {who} right?",
    ),
    "objection_none": ("There is nothing to object to just now.",),
    "objection_late": ("That is too long ago now. It stands.",),
    "stands": ("Then it stands.", "It stands, then."),
    "disputed": ("You do not agree, so it stands.",),
    "undone": ("Taken back.", "Good, that is taken back."),
    "undo_none": ("There is nothing to take back.",),
    "resumed": (
        "Welcome back. We were in the middle of a game. Shall we go on?",
        "There was a game going on here. Shall we go on with it?",
    ),
    "resume_wait": ("I will wait. Say go on when you are ready.",),
    "disk": ("A word about the box: I can not keep a record of tonight, but we can play on.",),
    "trouble": ("Something is not right with the box, but we can play on.",),
    "marked": ("Noted. On to the next one.", "I have made a note of that. Next one."),
}
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
