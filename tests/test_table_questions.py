"""Every question of the host's is listened to from its first sample on (GAM-04)."""

from collections.abc import Callable

import pytest
from evening import PLAYERS, Evening
from test_table_evening import answer, first_card, solved, wrong

from host import lines
from host.events import Part


def asked_quit() -> Evening:
    evening = first_card()
    evening.say("stop the game")
    return evening


def asked_object(right: bool) -> Evening:
    evening = solved() if right else first_card()
    if not right:
        evening.say(f"blue {wrong(evening)}")
        evening.until("card1/verdict", Part.ENDED)
    evening.say("we object")
    return evening


def asked_resume() -> Evening:
    before = first_card()
    return Evening(state=before.state, start=before.now)


def asked_who() -> Evening:
    evening = first_card()
    evening.say(answer(evening))
    return evening


def asked(words: str, evening: Evening | None = None) -> Evening:
    evening = evening or first_card()
    evening.say(words)
    return evening


def asked_ready() -> Evening:
    return solved()


QUESTIONS: list[tuple[str, Callable[[], Evening], str]] = [
    ("table/greeting", lambda: Evening(players=(), youngest=None), "anna is blue"),
    ("table/youngest_again", lambda: Evening(youngest=None), "blue"),
    ("table/quit", asked_quit, "no"),
    ("table/objection_right", lambda: asked_object(True), "yes"),
    ("table/objection_wrong", lambda: asked_object(False), "yes"),
    ("table/resumed", asked_resume, "yes"),
    ("table/leave", lambda: asked("red is leaving"), "yes"),
    ("table/leaver", lambda: asked("i'm leaving", solved()), "red"),
    ("table/joiner", lambda: asked("i want to play"), "anna purple"),
    ("table/joiner_taken", lambda: asked("anna joins as red"), "silver"),
    ("card1/who", asked_who, "white"),
    ("card2/ready", asked_ready, "ready"),
]


@pytest.mark.parametrize(("line", "ask", "reply"), QUESTIONS, ids=[line for line, _, _ in QUESTIONS])
def test_a_question_is_listened_to_before_its_last_sample(
    line: str, ask: Callable[[], Evening], reply: str
) -> None:
    """While a question is still being said, its answer is in the grammar, and is taken (GAM-04)."""
    evening = ask()
    ended = [1 for _, name, part in evening.said if (name, part) == (line, Part.ENDED)]
    if not [1 for _, name, part in evening.said if (name, part) == (line, Part.BEGAN)]:
        evening.until(line)
    phrases = evening.table.listens(evening.state).phrases
    assert any(phrase == reply for phrase in phrases)
    before = (evening.state.question, evening.state.gathering, evening.game if evening.state.game else None)
    evening.say(reply, took=0.3, settle=0.1)
    again = [1 for _, name, part in evening.said if (name, part) == (line, Part.ENDED)]
    assert again == ended, "the question was over before the answer was: this test must answer sooner"
    evening.wait(1)
    after = (evening.state.question, evening.state.gathering, evening.game if evening.state.game else None)
    assert after != before


def test_every_line_that_asks_something_is_one_of_those() -> None:
    """A line of the table that ends in a question mark belongs to a question that is tested above."""
    asking = {key for key, texts in lines.TABLE.items() if any(text.rstrip().endswith("?") for text in texts)}
    tested = {name.partition("/")[2] for name, _, _ in QUESTIONS if name.startswith("table/")}
    family = {
        "who_again": "greeting", "youngest": "youngest_again", "youngest_who": "youngest_again",
        "wish": "greeting", "again": "guess", "again_who": "guess", "again_slow": "guess", "another": "quit",
    }
    assert {key for key in asking if key not in tested and key not in family} <= {
        key for key in asking if key.startswith(("venn", "half", "cut"))
        or key in ("muted", "monitor")}  # about the microphone itself: nobody can answer


def test_players_are_four() -> None:
    """The table of these tests has four players, so that a colour is always somebody's."""
    assert [player.colour for player in PLAYERS] == ["blue", "red", "green", "white"]
