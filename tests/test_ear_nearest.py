"""Several microphones: the nearest hears, and whose it is (issue 7 part 2, CE-16, VN-8)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from evening import PACKS, PLAYERS, Evening, Quiet

from host.app import AppError
from host.app.play import read_microphones
from host.clock import BLOCK
from host.devices.channels import Channels
from host.ears.nearest import Nearest
from host.events import Heard, Listens, Part, Speaking
from host.games import clever_endeavor
from host.sound import Block, Cleaned
from host.table import Table


class Ear:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.levels: list[float] = []
        self.listens: Listens | None = None

    def listen(self, listens: Listens) -> None:
        self.listens = listens

    def hear(self, sound: Cleaned) -> list[Speaking | Heard]:
        power = float(np.mean(np.square(sound.pcm, dtype=np.float64))) / 32768.0**2
        self.levels.append(10 * np.log10(max(power, 1e-12)))
        return [Speaking(sound.at + 1, sound.at, 1, sound.channel)]

    def close(self) -> None:
        pass


def through(levels: list[tuple[float, ...]]) -> tuple[list[Ear], list[list[Speaking | Heard]]]:
    """Blocks of noise at these levels (dBFS, one a channel) through a gate; the ears behind it, and what came."""
    ears = [Ear() for _ in levels[0]]
    gate, came = Nearest(ears), []
    random = np.random.default_rng(1)
    for number, row in enumerate(levels):
        for channel, level in enumerate(row):
            pcm = random.normal(0, 32768 * 10 ** (level / 20), BLOCK).clip(-32768, 32767).astype(np.int16)
            came.append([*gate.ears[channel].hear(Cleaned(number * BLOCK, pcm, channel=channel))])
    return ears, came


@pytest.mark.parametrize(("speech", "kept"), [
    ((-25.0, -40.0), (True, False)),  # one speaks, 15 dB of crosstalk
    ((-25.0, -32.0), (True, False)),
    ((-25.0, -29.0), (True, True)),  # two speak at the same time
    ((-40.0, -25.0, -45.0), (False, True, False)),
    ((-60.0, -61.0), (True, True)),  # nobody speaks: noise stays noise
])
def test_only_the_nearest_hears(speech: tuple[float, ...], kept: tuple[bool, ...]) -> None:
    """A channel 6 dB or more behind is brought down to its own noise, any other is left as it is."""
    quiet = tuple(-62.0 for _ in speech)
    ears, _ = through([quiet] * 20 + [speech] * 10 + [quiet] * 5)
    for ear, level, stays in zip(ears, speech, kept, strict=True):
        heard = float(np.mean(ear.levels[20:30]))
        assert heard == pytest.approx(level if stays else -62.0, abs=1.5)
        assert float(np.mean(ear.levels[30:])) == pytest.approx(-62.0, abs=1.0)


def test_gains_of_microphones_do_not_matter() -> None:
    """A microphone 20 dB louder than the other, noise and all: whoever speaks into the quiet one is heard by it."""
    ears, _ = through([(-42.0, -62.0)] * 20 + [(-34.0, -35.0)] * 10)
    assert float(np.mean(ears[1].levels[20:])) == pytest.approx(-35.0, abs=1.5)
    assert float(np.mean(ears[0].levels[20:])) == pytest.approx(-42.0, abs=2.0)


def test_events_come_with_the_last_channel_in_order() -> None:
    """The block of the last channel brings all events; `listen` reaches every ear."""
    ears, came = through([(-60.0, -60.0)] * 2)
    assert [len(events) for events in came] == [0, 2, 0, 2]
    gate = Nearest(ears)
    for ear in gate.ears:
        ear.listen(Listens(("go",)))
    assert all(ear.listens == Listens(("go",)) for ear in ears)


def test_a_device_with_fewer_channels_is_told_once() -> None:
    """Missing channels are silent, one sentence says so, those too many are left out."""

    class Two(Quiet):
        def read(self) -> Block:
            block = super().read()
            return replace(block, mic=np.ones((2, BLOCK), np.int16))

    told: list[str] = []
    device = Channels(Two(), 3, told.append)
    blocks = [device.read() for _ in range(3)]
    assert all(block is not None and block.mic.shape == (3, BLOCK) and not block.mic[2].any() for block in blocks)
    assert told == ["the microphone has 2 channels, not 3: only the first players have one of their own; say colours"]
    fewer = Channels(Two(), 1, told.append).read()
    assert fewer is not None
    assert fewer.mic.shape == (1, BLOCK)
    assert len(told) == 1


@pytest.mark.parametrize(("text", "named"), [
    ("", ()), ("blue, Red", ("blue", "red")), ("blue", None), ("blue,blue", None), (",".join("abcdefghi"), None),
])
def test_microphones_are_read(text: str, named: tuple[str, ...] | None) -> None:
    """Two to eight different owners; anything else is one sentence."""
    if named is not None:
        assert read_microphones(text) == named
        return
    with pytest.raises(AppError, match="--microphones"):
        read_microphones(text)


# --- at the table ---------------------------------------------------------------------------------


class Miked(Evening):
    """An evening in which blue and red have microphones of their own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.table = Table(clever_endeavor, PACKS, options, 3, players=PLAYERS, youngest=0, microphones=("blue", "ben"))
        self.session.table = self.table
        self.channel = 0

    def heard(self, *given: Any, **more: Any) -> Heard:
        return replace(super().heard(*given, **more), channel=self.channel)

    def says(self, channel: int, text: str) -> None:
        """Somebody speaks into that microphone."""
        self.channel = channel
        self.say(text)
        self.posts = []

    def block(self) -> None:
        self.posts = [replace(post, channel=self.channel) if isinstance(post, Speaking) else post
                      for post in self.posts]
        super().block()


def answer(evening: Evening) -> str:
    return str(evening.table.rules.expects(evening.state.game).card.essential[0])


@pytest.mark.parametrize(("channel", "text", "seat"), [
    (0, "{right}", 0), (1, "{right}", 1), (1, "is it {right}", 1), (1, "green {right}", 2), (7, "{right}", None),
])
def test_a_right_answer_belongs_to_the_microphone(channel: int, text: str, seat: int | None) -> None:
    """Unowned: the microphone's, by colour or name; a colour that was said goes before; an unknown channel is asked."""
    evening = Miked()
    evening.until("card1/statement1", Part.ENDED)
    evening.says(channel, text.format(right=answer(evening)))
    evening.wait(1.0)
    moved = [at for at, place in enumerate(evening.places()) if place]
    assert moved == ([] if seat is None else [seat])
    assert bool(evening.spoken("card1/who")) == (seat is None)


def test_a_microphone_never_takes_points() -> None:
    """Wrong answers near a microphone, with a carrier or without, cost its owner nothing."""
    evening = Miked()
    evening.until("card1/statement1", Part.ENDED)
    for text in ("a comb", "is it a comb", "what is that a fork"):
        evening.says(1, text)
        evening.wait(2.0)
    assert evening.game["verdicts"] == []


def test_me_is_enough_where_the_microphone_tells() -> None:
    """"Who said it?" - "Me!" into red's microphone: red's."""
    evening = Miked()
    evening.until("card1/statement1", Part.ENDED)
    evening.says(7, answer(evening))
    evening.until("card1/who", Part.ENDED, limit=10.0)
    evening.says(1, "me")
    evening.wait(2.0)
    assert evening.places()[1] > 0


def test_strict_takes_a_microphone_or_a_button_for_an_owner() -> None:
    """CE-16, `strict`: a bare answer is nothing; into one's own microphone, or behind a press, it counts."""
    evening = Miked(strict=True)
    evening.until("card1/statement1", Part.ENDED)
    evening.says(7, answer(evening))
    evening.wait(1.0)
    assert evening.spoken("card1/who") == []
    assert evening.places() == [0, 0, 0, 0]
    evening.press("green")
    evening.says(7, answer(evening))
    evening.wait(1.0)
    assert evening.places()[2] > 0
    again = Miked(strict=True)
    again.until("card1/statement1", Part.ENDED)
    again.says(0, answer(again))
    again.wait(1.0)
    assert again.places()[0] > 0
