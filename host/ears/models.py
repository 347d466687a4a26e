"""Model folders: which there are, where they lie, whether they are sound.

`provide` goes the whole way from a name to a folder that an ear may load: find, compare sums, build the
vocabulary (`graph.prepare`), decode a second in a child process. The child is there because a damaged
model does not always fail: with an empty model.conf vosk decodes a second of silence in minutes (REC-20).
"""

import hashlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import host
from host.ears import graph
from host.ears.files import sha256
from host.ears.lexicon import LexiconError, Pronunciation

SHIPPED = "vosk-model-small-en-gamehost"
MODELS = Path(host.__file__).parent.parent / "models"
"""The folder of shipped models and of models.toml."""
LOADING = 90.0
"""Seconds that a model gets to load and to decode a second, on a slow card."""
SLOWEST = 3.0
"""Seconds in which the second must be decoded."""


class ModelError(Exception):
    """A model can't be used; the message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What models.toml says of a model."""

    name: str
    language: str
    size: int
    """Bytes to fetch, or in the folder where it is shipped; about, for models of others."""
    licence: str
    sources: tuple[str, ...]
    accuracy: str
    shipped: bool = False
    archive_sha256: str = ""
    """Empty where it is not known before it is fetched."""
    files: Mapping[str, str] = field(default_factory=dict)
    """sha256 by path in the folder; empty where not known before it is fetched."""
    graph: Mapping[str, str] = field(default_factory=dict)
    """sha256 of the graph's files as built without further words, where the lexicon is ours."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """models.toml."""

    list_url: str
    """The maker's list of models, with sizes and sums."""
    entries: Mapping[str, Entry]


def catalogue(path: Path = MODELS / "models.toml") -> Catalogue:
    """Read models.toml. Raises ModelError where it is damaged."""
    try:
        read = tomllib.loads(path.read_text(encoding="utf8"))
        entries = [
            Entry(**{**entry, "sources": tuple(entry["sources"])}) for entry in read["model"]
        ]
        return Catalogue(read["list_url"], {entry.name: entry for entry in entries})
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} can't be read ({error}); put it back as it was shipped") from error


def data_models() -> Path:
    """Where fetched models lie: `models` in $GAMEHOST_DATA, else in gamehost in the user's data folder."""
    own = os.environ.get("GAMEHOST_DATA")
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return (Path(own) if own else Path(base) / "gamehost") / "models"


def find(name: str | None = None, fetched: Path | None = None) -> Path:
    """The folder of a model: $GAMEHOST_MODEL where no name is given, fetched models, then shipped ones.

    `name` may be a path as well. Raises ModelError if there is no such folder.
    """
    name = name or os.environ.get("GAMEHOST_MODEL") or SHIPPED
    for folder in ((fetched or data_models()) / name, MODELS / name, Path(name).expanduser()):
        if folder.is_dir():
            return folder.resolve()
    known = catalogue().entries
    if name in known and not known[name].shipped:
        raise ModelError(f"the model {name} is not here yet; get it with: gamehost models fetch {name}")
    raise ModelError(f'there is no model "{name}"; give a folder, or one of {", ".join(known)}')


# --- is it sound? -------------------------------------------------------------------------------


def known_sums(folder: Path) -> Mapping[str, str]:
    """The sums that a folder's files should have: shipped ones, or those pinned when it was fetched."""
    pins = folder.parent / f"{folder.name}.json"
    if pins.is_file():
        try:
            pinned: dict[str, str] = json.loads(pins.read_text(encoding="utf8"))["files"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{pins} is damaged; restore it with: gamehost models fetch {folder.name}") from error
        return pinned
    entry = catalogue().entries.get(folder.name)
    return entry.files if entry and folder.parent == MODELS.resolve() else {}


def check_sums(folder: Path, wanted: Mapping[str, str]) -> None:
    """Raise ModelError naming the first file that is missing or is not what it should be."""
    again = f"gamehost models fetch {folder.name}" if (folder.parent / f"{folder.name}.json").is_file() else (
        "git checkout -- models"
    )
    for name, digest in wanted.items():
        try:
            same = sha256(folder / name) == digest
        except OSError:
            raise ModelError(f"the model {folder.name} lacks the file {name}; restore it with: {again}") from None
        if not same:
            raise ModelError(f"the file {name} of the model {folder.name} is damaged; restore it with: {again}")


def check_fit(folder: Path, memory: int | None = None) -> None:
    """Raise ModelError for a model that this machine or the game can't use (REC-19); `memory` in bytes."""
    if (folder / "rnnlm").is_dir():
        raise ModelError(f"the model {folder.name} rescores with a neural net and answers seconds late; "
                         "take a small or an lgraph model")
    graphs = [folder / "graph" / "HCLr.fst", folder / "HCLr.fst"]
    if not (folder / "lang").is_dir() and not any(path.is_file() for path in graphs):
        raise ModelError(f"the model {folder.name} can't be told what to listen for (it has no HCLr.fst); "
                         "take a small or an lgraph model")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    memory = memory or _memory()
    if memory and size * 3 > memory:
        raise ModelError(f"the model {folder.name} ({size // 2**20} MB) is too large for the memory of this machine "
                         f"({memory // 2**20} MB); take a smaller one")


def _memory() -> int:
    """The machine's memory in bytes, or what its control group allows; 0 where unknown."""
    found = []
    try:
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        found.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (OSError, ValueError, AttributeError):
        pass  # no Linux, or no limit
    return min(found, default=0)


def self_test(folder: Path, patience: float = LOADING) -> None:
    """Load the folder in a child process, look for `[unk]` and decode a second; ModelError if anything fails."""
    root = str(Path(host.__file__).parent.parent)
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    try:
        child = subprocess.run(
            [sys.executable, "-m", "host.ears.selftest", str(folder)], capture_output=True, text=True,
            timeout=patience, env={**os.environ, "PYTHONPATH": paths}, check=False,
        )
    except subprocess.TimeoutExpired:
        raise ModelError(f"the model in {folder} did not decode one second of sound in {patience:.0f} s; it is damaged "
                         "(conf/model.conf?) or this machine is too slow for it") from None
    if child.returncode != 0:
        words = [line for line in child.stderr.strip().splitlines() if line]
        reason = words[-1] if words else f"the test ended with {child.returncode}"
        raise ModelError(f"the model in {folder} can't be used: {reason}")
    report = json.loads(child.stdout)
    if not report["unknown"]:
        raise ModelError(f"the model in {folder} knows no [unk], so it could not refuse what it does not know; "
                         "take another one")
    if report["seconds"] > SLOWEST:
        raise ModelError(f"the model in {folder} needs {report['seconds']:.1f} s for one second of sound; "
                         "it is damaged, or this machine is too slow for it: take a smaller one")


def provide(
    extra: Mapping[str, tuple[Pronunciation, ...]],
    name: str | None = None,
    cache: Path | None = None,
    progress: graph.Progress | None = None,
    chances: Mapping[str, float] | None = None,
) -> Path:
    """A folder to load: found, compared, with `extra` words in its vocabulary where it takes any, and tested.

    A folder that has passed is only compared at the next start, not tested again. Raises ModelError.
    """
    folder = find(name)
    check_sums(folder, known_sums(folder))
    check_fit(folder)
    try:
        ready = graph.prepare(folder, extra, cache, progress, chances)
    except (graph.GraphError, LexiconError) as error:
        raise ModelError(str(error)) from error
    passed = (cache or graph.cache_folder()) / "tested" / _state(ready)
    if not passed.is_file():
        self_test(ready)
        try:
            passed.parent.mkdir(parents=True, exist_ok=True)
            passed.write_text(f"{ready}\n")
        except OSError:
            pass  # then it is tested again
    return ready


def _state(folder: Path) -> str:
    """A hash of a folder's path and of its files' sizes and times."""
    state = hashlib.sha256(str(folder).encode())
    for parent, _, names in os.walk(folder, followlinks=True):
        for name in sorted(names):
            found = (Path(parent) / name).stat()
            state.update(f"{parent} {name} {found.st_size} {found.st_mtime_ns}".encode())
    return state.hexdigest()[:24]
