"""Understanding against a table: what was waited for, what was heard, what it means."""

import csv
from pathlib import Path

import pytest

from host.events import Heard, Word
from host.understand import COLOURS, Listening, Understood, around, complete, phrases, understand
from host.understand.phrases import COMMANDS, LISTENED

SEATS = (("blue", "anna"), ("red", "ben"), ("green", "cleo"), ("white", "dan"))
FORMS = (
    "a fork", "a comb", "the white house", "white house", "the eiffel tower", "a toothbrush", "a blue whale",
    "snow white", "doctor no", "no man's land", "a stop sign", "theodore roosevelt", "a green tea", "the red sea",
    "paris", "rome", "london", "to be or not to be", "trick or treat", "lincoln",
)
NAMES = ("anna", "ben", "cleo", "dan", "eva", "mia")
WAITING = {
    "guess": Listening(guessing=True, answer_forms=FORMS),
    "yes_no": Listening(yes_no=True, answer_forms=FORMS),
    "ready": Listening(ready=True, answer_forms=FORMS),
    "claim": Listening(claim=True, answer_forms=FORMS),
    "youngest": Listening(youngest=True, answer_forms=FORMS),
    "count": Listening(count=True),
    "numbers": Listening(numbers=True),
    "roll": Listening(roll_call=True, names=NAMES),
}
TABLE = Path(__file__).parent / "data" / "understood.csv"
STEP = 4800


def rows() -> list[list[str]]:
    """The rows of the table, comments left out."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file, delimiter="|", quoting=csv.QUOTE_NONE) if row and row[0][0] != "#"]


ROWS = rows()


def words(text: str, length: int = STEP, confidence: float = 1.0) -> tuple[Word, ...]:
    """Words one after another from 1 s on."""
    return tuple(
        Word(word, 16_000 + at * length, 16_000 + (at + 1) * length, confidence) for at, word in enumerate(text.split())
    )


def heard(grammar: str, dictation: str = "=", length: int = STEP) -> Heard:
    """An utterance; both readings fill the same stretch of time."""
    said = grammar if dictation == "=" else dictation
    whole = max(len(grammar.split()), 1) * STEP
    other = words(said, whole // max(len(said.split()), 1)) if said != grammar else words(said, length)
    return Heard(90_000, 16_000, 80_000, words(grammar, length), other, 1)


def meaning(understood: Understood, waiting: str) -> list[str]:
    """What was understood, as the table writes it."""
    items = []
    if understood.owner is not None:
        items.append(f"owner:{understood.owner}")
    if understood.owner_position == "last":
        items.append("last")
    items += ["only"] * understood.owner_only
    items += [f"cmd:{understood.command}"] if understood.command else []
    items += [f"arg:{understood.argument}"] if understood.argument else []
    if waiting == "yes_no" and understood.yes is not None:
        items.append("yes" if understood.yes else "no")
    items += ["ready"] * understood.ready
    if waiting in ("claim", "youngest"):
        items += ["me"] * understood.me
    items += [f"count:{understood.count}"] if understood.count is not None else []
    items += [f"num:{','.join(map(str, understood.numbers))}"] if understood.numbers else []
    items += [f"roll:{','.join('/'.join(pair) for pair in understood.roll)}"] if understood.roll else []
    if understood.guesses:
        items.append("guess:" + "+".join(said.text.replace(" ", "_") for said in understood.guesses))
        items += ["carrier"] * understood.carrier + ["hedged"] * understood.hedged
    return items + ["addressed"] * understood.addressed


def test_the_table_is_large_enough() -> None:
    """At least 150 utterances, none twice, and every command among them."""
    assert len(ROWS) >= 150
    assert len({tuple(row[:3]) for row in ROWS}) == len(ROWS)
    tried = {item[4:] for row in ROWS for item in row[3].split() if item.startswith("cmd:")}
    assert tried == {*COMMANDS, "pause_length"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_utterance_means_what_the_table_says(row: list[str]) -> None:
    """Owner, command, reply and guesses are exactly those of the table (CE-14b, CE-16, KEY-10, GAM-07, GAM-08)."""
    waiting, grammar, dictation, expected = row
    understood = understand(heard(grammar, dictation), SEATS, WAITING[waiting])
    assert sorted(meaning(understood, waiting)) == sorted(expected.split())


@pytest.mark.parametrize("text", [text for texts in COMMANDS.values() for text in texts])
def test_every_command_is_understood_while_a_card_is_open(text: str) -> None:
    """Every wording of every command is that command, and no guess, at any time (GM-1, GAM-07, GAM-08)."""
    name = next(name for name, texts in COMMANDS.items() if text in texts)
    understood = understand(heard(text), SEATS, WAITING["guess"])
    assert (understood.command, understood.guesses) == (name, ())


def test_the_grammar_holds_commands_only() -> None:
    """What is listened for as a command is one, and the games' own commands are among it (GM-1)."""
    names = {name for name, texts in COMMANDS.items() for text in texts if text in LISTENED}
    assert set(LISTENED) <= {text for texts in COMMANDS.values() for text in texts}
    assert {"repeat", "repeat_all", "pause", "continue", "score", "turn", "guesses", "objection", "undo", "skip",
            "slower", "faster", "louder", "quieter", "help", "stop", "hush", "where"} <= names


def test_vague_colour_before_a_known_answer_is_believed_but_a_vague_name_is_not() -> None:
    """Names are taken for one another in noise; a colour in front of an answer hardly ever."""
    answer = (Word("eiffel", 8000, 12_000), Word("tower", 12_000, 16_000))
    colour = (Word("blue", 0, 8000, 0.31), *answer)
    name = (Word("dan", 0, 8000, 0.26), *answer)
    for words_heard, owner in ((colour, 0), (name, None)):
        said = Heard(30_000, 0, 16_000, words_heard, answer, 1)
        assert understand(said, SEATS, WAITING["guess"]).owner == owner


def test_vague_read_is_no_red() -> None:
    """ "Read" is red where it was heard well; in noise it comes for green and blue too (CE-16: no assumption)."""
    for confidence, owner in ((0.46, None), (0.81, 1)):
        row = (Word("read", 0, 4000, confidence), Word("a", 4000, 5000), Word("comb", 5000, 9000))
        assert understand(Heard(30_000, 0, 9000, row, row, 1), SEATS, WAITING["guess"]).owner == owner


@pytest.mark.parametrize("text", [text for texts in COMMANDS.values() for text in texts])
def test_no_command_has_two_meanings(text: str) -> None:
    """No wording belongs to two commands, and none is a colour."""
    assert sum(text in texts for texts in COMMANDS.values()) == 1
    assert text not in {word for words in COLOURS.values() for word in words}


def test_there_are_eight_colours_and_no_word_names_two() -> None:
    """One table of eight colours, each with words of its own."""
    spellings = [word for words in COLOURS.values() for word in words]
    assert len(COLOURS) == 8
    assert len(set(spellings)) == len(spellings)


def test_dictation_is_cut_at_the_same_time_as_the_grammar() -> None:
    """The owner's stretch of dictation is left out of the guess, whatever dictation made of it."""
    grammar = (Word("blue", 0, 8000), Word("eiffel", 9600, 14400), Word("tower", 14400, 20000))
    dictation = (
        Word("blew", 100, 7900), Word("the", 9000, 9700), Word("awful", 9700, 14000), Word("tower", 14000, 20000),
    )
    understood = understand(Heard(30_000, 0, 20_000, grammar, dictation, 1), SEATS, WAITING["guess"])
    assert [word.text for word in understood.guesses[0].dictation] == ["the", "awful", "tower"]
    assert understood.guesses[0].answer_began == 9600


def test_alternatives_are_cut_at_the_same_time_in_both_readings() -> None:
    """Each of two guesses in one breath has its own part of dictation and its own start (CE-14b, CE-15)."""
    grammar = (Word("fork", 0, 4000), Word("or", 6000, 7000), Word("comb", 9000, 13000))
    dictation = (Word("fog", 100, 4100), Word("all", 6000, 7000), Word("a", 8200, 8400), Word("comb", 9000, 13000))
    understood = understand(Heard(30_000, 0, 20_000, grammar, dictation, 1), SEATS, WAITING["guess"])
    assert [[word.text for word in said.dictation] for said in understood.guesses] == [["fog"], ["a", "comb"]]
    assert [said.answer_began for said in understood.guesses] == [0, 9000]


def test_partial_without_times_is_understood_by_its_text() -> None:
    """A partial's words all carry the partial's own sample; owner and guess are told apart all the same."""
    grammar = tuple(Word(word, 5000, 5000) for word in ("blue", "eiffel", "tower"))
    dictation = tuple(Word(word, 5000, 5000) for word in ("blue", "the", "eiffel", "tower"))
    understood = understand(Heard(5000, 0, 5000, grammar, dictation, 1, final=False), SEATS, WAITING["guess"])
    assert understood.owner == 0
    assert [word.text for word in understood.guesses[0].words] == ["eiffel", "tower"]
    assert [word.text for word in understood.guesses[0].dictation] == ["the", "eiffel", "tower"]


def test_vague_colour_with_other_words_in_dictation_names_nobody() -> None:
    """A colour of low confidence where dictation heard something quite unlike it is no owner (CE-16)."""
    grammar = (Word("white", 0, 4000, 0.5), Word("[unk]", 4000, 20000, 1.0))
    dictation = (Word("perhaps", 0, 4000), Word("we", 4000, 6000), Word("should", 6000, 9000), Word("ask", 9000, 12000))
    understood = understand(Heard(30_000, 0, 20_000, grammar, dictation, 1), SEATS, WAITING["guess"])
    assert understood.owner is None
    sure = (Word("white", 0, 4000, 0.98), Word("[unk]", 4000, 20000, 1.0))
    assert understand(Heard(30_000, 0, 20_000, sure, dictation, 1), SEATS, WAITING["guess"]).owner == 3


def test_name_that_two_seats_share_names_nobody() -> None:
    """With two Annas at the table only their colours tell them apart."""
    seats = (("blue", "anna"), ("red", "anna"))
    assert understand(heard("anna a fork"), seats, WAITING["guess"]).owner is None
    assert understand(heard("red a fork"), seats, WAITING["guess"]).owner == 1


def test_phrases_hold_everything_that_is_waited_for() -> None:
    """What the ear listens for holds colours, names and commands always, replies when asked for, no answers."""
    always = phrases(SEATS, Listening())
    assert {"blue", "anna", "we object", "stop", "pause four seconds"} <= set(always)
    assert "yes" not in always
    assert {"yes", "no"} <= set(phrases(SEATS, Listening(yes_no=True)))
    assert {"is it", "or", "i mean"} <= set(phrases(SEATS, WAITING["guess"]))
    assert {"purple", "takes", "eva"} <= set(phrases((), WAITING["roll"]))
    for waiting in WAITING.values():
        assert all(text == text.lower() and text.strip() for text in phrases(SEATS, waiting))


def test_colour_alone_is_complete_only_in_reply_to_a_question() -> None:
    """A colour before a guess is a beginning; "who said it?" makes it a whole answer."""
    assert "blue" not in complete(SEATS, WAITING["guess"], ("a fork",))
    assert "blue" in around(SEATS, WAITING["guess"])
    assert complete(SEATS, WAITING["guess"], ("the first", "the first flight"))[-1] == "the first flight"
    assert "the first" not in complete(SEATS, WAITING["guess"], ("the first", "the first flight"))
    assert "blue" in complete(SEATS, WAITING["claim"])
    assert "stop" in complete(SEATS, WAITING["guess"])


def test_list_words_come_in_order_with_their_starts() -> None:
    """VN-9: plurals, articles and "to" make no difference; a number counts alone or after "number"."""
    waiting = Listening(words=("river", "heavy", "wedding", "to fold", "ice cream"))
    understood = understand(heard("rivers um the wedding fold ice cream"), (), waiting)
    assert [number for number, _ in understood.listed] == [1, 3, 4, 5]
    assert [began for _, began in understood.listed] == sorted(began for _, began in understood.listed)
    assert [number for number, _ in understand(heard("number two"), (), waiting).listed] == [2]
    assert [number for number, _ in understand(heard("two"), (), waiting).listed] == [2]
    assert understand(heard("river two"), (), waiting).listed == ((1, 16_000),)
