"""A scene: what the players of a simulated room say, and when, read from TOML.

    title = "A short evening"
    [room]
    rt60 = 0.4                      # or response = "kitchen.flac", player_response = [...]
    echo_db = -6.0                  # the host's voice at the microphone against a player's
    snr_db = 20.0                   # a player's voice against the noise
    [[cue]]
    name = "anna"                   # optional; other cues may follow it
    on = "card1/statement2 began"   # a line's id (* and ? match), then began, first_word or ended;
                                    # or "start"; or "cue NAME began|ended"
    nth = 1                         # the how-manieth time that this happens
    after = 1.2                     # seconds from there to the first sound of speech
    who = "Blue"
    clip = ["blue.flac", "eiffel_tower.flac"]
    text = "Blue, the Eiffel Tower"
    distance = 2.0                  # metres; or level = -3.0, dB against the usual loudness
    [game]                          # free; what is played
    [expect]                        # free; whoever plays the scene compares it with what happened

Cues hang on what the host says, so a scene stays right when the host's lines grow longer. Paths are
relative to the scene's file.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

_PARTS = ("began", "first_word", "ended")


class SceneError(Exception):
    """A scene can't be played; the message is one sentence that names file and cue."""


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """How the room sounds."""

    rt60: float = 0.4
    """Seconds in which sound decays by 60 dB, where no measured response is given."""
    size: tuple[float, ...] = (5.2, 4.1, 2.5)
    """Metres; used with `rt60`."""
    response: Path | None = None
    """A measured response from speaker to microphone."""
    player_response: tuple[Path, ...] = ()
    """Measured responses from the players' seats; each new voice gets the next one, in a circle."""
    echo_db: float = -6.0
    """Level of the host's voice at the microphone against speech at -26 dBFS, dB."""
    echo: bool = True
    """False where the host's voice reaches no microphone (headphones)."""
    echo_delay: float = 0.0
    """Seconds that a speaker adds before it sounds, on top of the response."""
    snr_db: float = 20.0
    """Speech at -26 dBFS against the noise, dB."""
    noise: Path | None = None
    """A recording of noise, repeated; without it a made-up, room-like noise."""
    seed: int = 1
    """Everything made up follows from it."""
    speaker_distance: float = 0.5
    """Metres from the host's speaker to the microphone."""
    reference_distance: float = 2.0
    """Metres at which a player's speech arrives at -26 dBFS."""
    limit: float | None = None
    """Seconds after which the room closes, so that a scene that hangs comes to an end."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """What a cue waits for: kind is "line", "cue" or "start"."""

    kind: str
    pattern: str = ""
    part: str = "began"

    def meets(self, line: str, part: str) -> bool:
        """Whether a mark on this line is what is waited for; ids match up to their "#"."""
        return self.kind == "line" and part == self.part and fnmatchcase(line.partition("#")[0], self.pattern)


@dataclass(frozen=True, slots=True)
class Cue:
    """Somebody says something once, `after` seconds from the `nth` time of `on`."""

    name: str
    on: Trigger
    who: str
    clips: tuple[Path, ...]
    after: float = 0.0
    nth: int = 1
    text: str = ""
    distance: float | None = None
    level: float | None = None
    gap: float = 0.25
    """Seconds of silence between its clips."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A room, what is said in it, and what is expected of the host."""

    title: str
    cues: tuple[Cue, ...]
    room: RoomSettings = RoomSettings()
    expect: Mapping[str, Any] = field(default_factory=dict)
    game: Mapping[str, Any] = field(default_factory=dict)
    """What is played; free as well."""

    @staticmethod
    def load(path: Path) -> "Scene":
        """Read and check a scene. Raises SceneError with one clear sentence."""
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise SceneError(f"There is no scene {path}: check the path.") from error
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise SceneError(f"{path} can't be read as TOML: {error}") from error
        return Scene.parse(table, path)

    @staticmethod
    def parse(table: Mapping[str, Any], path: Path) -> "Scene":
        """Check a scene's table; `path` is where it came from, its clips lie relative to it."""
        _known(table, {"title", "room", "cue", "expect", "game"}, f"{path}")
        raw = table.get("cue", [])
        if not isinstance(raw, list) or not all(isinstance(entry, dict) for entry in raw):
            raise SceneError(f"{path}: cues are written as [[cue]] tables.")
        cues = tuple(_cue(entry, number, path) for number, entry in enumerate(raw, 1))
        names = [cue.name for cue in cues]
        for cue in cues:
            if names.count(cue.name) > 1:
                raise SceneError(f"{path}: two cues are named {cue.name}; give each a name of its own.")
            if cue.on.kind == "cue" and cue.on.pattern not in names:
                raise SceneError(f'{path}, cue {cue.name}: it follows "{cue.on.pattern}", and no cue has that name.')
        expect = table.get("expect", {})
        if not isinstance(expect, dict):
            raise SceneError(f"{path}: what is expected is written as an [expect] table.")
        game = table.get("game", {})
        if not isinstance(game, dict):
            raise SceneError(f"{path}: what is played is written as a [game] table.")
        return Scene(str(table.get("title", path.stem)), cues, _room(table.get("room", {}), path), expect, game)


def _known(table: Mapping[str, Any], keys: set[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise SceneError(f'{where}: "{key}" means nothing here; known are {", ".join(sorted(keys))}.')


def _number(table: Mapping[str, Any], key: str, where: str, least: float | None = None) -> float | None:
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SceneError(f"{where}: {key} is a number, not {value!r}.")
    if least is not None and value < least:
        raise SceneError(f"{where}: {key} is {value}, and can't be less than {least}.")
    return float(value)


def _file(value: object, path: Path, where: str) -> Path:
    if not isinstance(value, str) or not value:
        raise SceneError(f"{where}: a sound file is named by its path, not {value!r}.")
    found = path.parent / value
    if not found.is_file():
        raise SceneError(f"{where}: there is no sound file {found}.")
    return found


def _files(value: object, path: Path, where: str) -> tuple[Path, ...]:
    entries = value if isinstance(value, list) else [value]
    if not entries:
        raise SceneError(f"{where}: at least one sound file is needed.")
    return tuple(_file(entry, path, where) for entry in entries)


def _trigger(value: object, where: str) -> Trigger:
    parts = value.split() if isinstance(value, str) else []
    if parts == ["start"]:
        return Trigger("start")
    if len(parts) == 3 and parts[0] == "cue" and parts[2] in ("began", "ended"):
        return Trigger("cue", parts[1], parts[2])
    if len(parts) == 2 and parts[1] in _PARTS:
        return Trigger("line", parts[0], parts[1])
    raise SceneError(
        f'{where}: on = {value!r} is not understood; write "LINE began", "LINE first_word", "LINE ended", '
        '"cue NAME began", "cue NAME ended" or "start".'
    )


def _cue(entry: Mapping[str, Any], number: int, path: Path) -> Cue:
    name = str(entry.get("name", f"cue{number}"))
    where = f"{path}, cue {name}"
    _known(entry, {"name", "on", "after", "who", "seat", "clip", "gap", "distance", "level", "text", "nth"}, where)
    if " " in name:
        raise SceneError(f"{where}: a cue's name is one word.")
    if "clip" not in entry:
        raise SceneError(f"{where}: clip is missing: the sound file of what is said.")
    if "distance" in entry and "level" in entry:
        raise SceneError(f"{where}: give distance or level, not both.")
    nth = entry.get("nth", 1)
    if isinstance(nth, bool) or not isinstance(nth, int) or nth < 1:
        raise SceneError(f"{where}: nth is a whole number from 1, not {nth!r}.")
    gap = _number(entry, "gap", where, 0.0)
    return Cue(
        name=name,
        on=_trigger(entry.get("on"), where),
        who=str(entry.get("who", entry.get("seat", ""))),
        clips=_files(entry["clip"], path, where),
        after=_number(entry, "after", where, 0.0) or 0.0,
        nth=nth,
        text=str(entry.get("text", "")),
        distance=_number(entry, "distance", where, 0.1),
        level=_number(entry, "level", where),
        gap=0.25 if gap is None else gap,
    )


def _room(entry: object, path: Path) -> RoomSettings:
    where = f"{path}, room"
    if not isinstance(entry, dict):
        raise SceneError(f"{where}: the room is written as a [room] table.")
    _known(entry, {each.name for each in fields(RoomSettings)}, where)
    found: dict[str, Any] = {}
    limits = {
        "rt60": 0.05, "echo_db": None, "echo_delay": 0.0, "snr_db": None, "seed": 0.0,
        "speaker_distance": 0.1, "reference_distance": 0.1, "limit": 0.0,
    }
    for key, least in limits.items():
        if key in entry:
            found[key] = _number(entry, key, where, least)
    found |= {"seed": int(found["seed"])} if "seed" in found else {}
    for key in ("response", "noise"):
        if key in entry:
            found[key] = _file(entry[key], path, where)
    if "player_response" in entry:
        found["player_response"] = _files(entry["player_response"], path, where)
    if "echo" in entry:
        found["echo"] = bool(entry["echo"])
    if "size" in entry:
        size = entry["size"]
        if not isinstance(size, list) or len(size) != 3 or not all(isinstance(x, int | float) and x >= 1 for x in size):
            raise SceneError(f"{where}: size is three numbers of metres, each at least 1.")
        found["size"] = tuple(float(x) for x in size)
    return RoomSettings(**found)
