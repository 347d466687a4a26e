"""`--screen` and `--buttons`: what the commands put around an evening."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from evening import Evening
from server_table import Client

from host.__main__ import parser
from host.app import AppError
from host.app.serving import Serving, lit
from host.clock import BLOCK
from host.events import Line, Part, Pressed, Trouble
from host.server import PORT
from host.server.run import listen


def around(evening: Evening, serving: Serving, more: Any = tuple) -> Any:
    """Serve an evening of the tests as the commands do; returns the inbox."""
    serving.hub.begin(evening.session.state)
    return serving.start(SimpleNamespace(session=evening.session), more)  # type: ignore[arg-type]


def test_the_pages_are_off_unless_asked_for() -> None:
    """No option: no server; the option alone: the usual port; with a number: that one."""
    for command in ("play", "demo"):
        for words, port in (([], None), (["--screen"], PORT), (["--screen", "8200"], 8200)):
            assert parser().parse_args([command, *words]).screen == port


def test_an_evening_with_pages_and_buttons(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The address is printed; a phone's press arrives in the inbox with what else is there; lines show word by word."""
    settings = tmp_path / "buttons.toml"
    settings.write_text('[keys]\n1 = "red"\n[gpio]\n17 = "blue"\n')
    evening, told = Evening(), []
    serving = Serving(evening.table, 0, settings, notice=told.append)
    trouble = Trouble(0, "recording")
    once = [trouble]
    inbox = around(evening, serving, lambda: (once.pop(),) if once else ())
    try:
        assert serving.server is not None
        out = capsys.readouterr().out
        assert serving.server.address in out
        assert " ".join(serving.server.pairing.code) in out
        assert len(told) == 1  # no pins on this machine, or no gpiozero
        assert inbox() == (trouble,)
        evening.until("card1/statement1", Part.ENDED)
        serving.hub.begin(evening.session.state)
        phone = Client(serving.server, code=serving.server.pairing.code).until(lambda one: one.view)
        phone.send(type="sit", seat="blue")
        phone.until(lambda one: one.token)
        phone.send(type="press")
        for _ in range(200):
            phone.take(0.02)
            if events := inbox():
                break
        assert [type(event) for event in events] == [Pressed]
        assert events[0].button == "blue"
        assert evening.now <= events[0].at <= evening.now + BLOCK
        screen = Client(serving.server, "screen", code=serving.server.pairing.code).until(lambda one: one.view)
        screen.send(type="key", key="1")
        for _ in range(200):
            screen.take(0.02)
            if events := inbox():
                break
        assert events[0].button == "red"
        for client in (phone, screen):
            client.close()
    finally:
        serving.close()


def test_the_voices_words_reach_the_hub() -> None:
    """Serving listens in on the voice, and gives its clips on unchanged."""
    evening = Evening()
    serving = Serving(evening.table)
    around(evening, serving)
    line = Line("card1/statement1#3", "It has four legs")
    clip = evening.session.parts.speak(line, 1.0)
    assert [word.text.lower() for word in clip.words] == ["it", "has", "four", "legs"]
    assert serving.hub._starts[line.id] == tuple(word.began / clip.rate for word in clip.words)
    serving.close()


def test_a_port_in_use_and_bad_settings_end_in_one_sentence(tmp_path: Path) -> None:
    """Both are the person's to mend: exit code 2."""
    taken = listen(0)
    with pytest.raises(AppError, match="choose another one") as caught:
        Serving(Evening().table, taken.getsockname()[1])
    assert caught.value.code == 2
    taken.close()
    with pytest.raises(AppError, match="can't be read"):
        Serving(Evening().table, None, tmp_path / "none.toml")


@pytest.mark.parametrize(("floor", "listening", "lamps"), [
    (None, False, []), (None, True, ["listening"]), (1, False, ["red", "Ben"]), (7, False, []),
    (0, True, ["listening", "blue", "Anna"]),
])
def test_lamps_are_read_off_the_view(floor: int | None, listening: bool, lamps: list[str]) -> None:
    """GAM-05: the floor's lamp by colour and name, one for listening."""
    players = [("Anna", "blue"), ("Ben", "red")]
    assert lit({"floor": floor, "listening": listening, "players": players}) == lamps
