"""A pause on the cooperative clock, by voice, through the room and the real ear (VN-16, GAM-10)."""

from pathlib import Path
from typing import Any

import pytest

from host.app.evening import Setup, load_packs, make_table, open_evening, prepare
from host.clock import Samples, samples, seconds
from host.devices.room import Room
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.events import Effect, In, Part, Said, Say
from host.games import Player
from host.log import Log, NoDisk
from host.voices.silent import SilentVoice

FIXTURES = Path(__file__).parent.parent / "audio_fixtures"
SETUP = Setup(game="venn", seed=5, players=(Player("Alice", ""), Player("Robert", "")), options={"mode": "cooperative"})
PLAYED, PAUSED = 12.0, 25.0


def cue(name: str, on: str, after: float, who: str, clip: str) -> Cue:
    line, part = on.split()
    return Cue(name, Trigger("line", line, part), who, (FIXTURES / clip,), after)


CUES = (
    cue("again", "round1/again ended", 0.7, "Robert", "demo_venn/no_thanks_rms.flac"),
    cue("ready", "round1/ready ended", 0.8, "Alice", "demo_venn/i_m_ready_slt.flac"),
    cue("talk", "round1/go ended", 3.0, "Robert", "demo_venn/what_is_this_in_the_middle_rms.flac"),
    cue("pause", "round1/go ended", PLAYED, "Alice", "demo_venn/pause_the_game_slt.flac"),
    cue("paused", "table/paused ended", 4.0, "Robert", "demo_venn/that_one_is_very_heavy_rms.flac"),
    cue("on", "table/paused ended", PAUSED, "Robert", "demo_venn/go_on_rms.flac"),
)


def test_the_clock_stands_in_a_pause_and_goes_on_to_the_sample() -> None:
    """VN-16, GAM-10: "pause the game" after twelve seconds of the two minutes, "go on" much later: the call at one
    minute comes when exactly sixty seconds have been played, and what was said in the pause changes nothing."""
    pytest.importorskip("vosk", reason="vosk is not installed")
    packs, folder = prepare(SETUP, load_packs(SETUP))
    table = make_table(SETUP, packs)
    room = Room(Scene("pause", CUES, RoomSettings(rt60=0.3, snr_db=24.0, echo=False, limit=190.0)))
    marks: dict[str, Samples] = {}
    ends: list[tuple[Samples, int | None]] = []

    def watch(event: In, state: Any, effects: tuple[Effect, ...]) -> None:
        if isinstance(event, Said) and event.part is Part.ENDED and event.line.startswith("round1/go"):
            marks["go"] = event.at
        for name, there in (("paused", state.paused), ("resumed", "paused" in marks and not state.paused)):
            if there:
                marks.setdefault(name, event.at)
        for effect in effects:
            if isinstance(effect, Say) and "/time#" in effect.line.id:
                marks.setdefault("minute", event.at)
        if state.game is not None and "go" in marks:
            view = table.rules.view(state.game, None)
            ends.append((event.at, view["ends"]))

    evening = open_evening(table, room, folder, SilentVoice(), Log(NoDisk()), canceller=False, watch=watch)
    evening.session.begin()
    evening.run()
    assert set(marks) == {"go", "paused", "resumed", "minute"}
    assert PLAYED < seconds(marks["paused"] - marks["go"]) < PLAYED + 3.0
    assert seconds(marks["resumed"] - marks["paused"]) > PAUSED
    played = (marks["paused"] - marks["go"]) + (marks["minute"] - marks["resumed"])
    assert played == samples(60.0)
    assert len({end for at, end in ends if at > marks["go"]}) == 1, "in the game's own time the clock never moved"
