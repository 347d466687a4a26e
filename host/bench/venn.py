"""Venn by ear: calls, false alarms, near words, three words, number triples, in voices never tuned on."""

import hashlib
import multiprocessing
import os
import pickle
import random
from collections.abc import Sequence
from pathlib import Path

from host.app.paths import CLUES, cache_folder
from host.bench import venn_real
from host.bench.frame import Options, Report
from host.bench.library import DRY, Library
from host.bench.venn_figures import report
from host.bench.venn_hearing import Job, Table, Took, round_of
from host.bench.venn_said import CALLS_ALONE, CALLS_WITHIN, NEAR_GOAL, words_said
from host.bench.voices import Speaker
from host.games.venn_words import plain
from host.lines import number
from host.packs import Packs
from host.packs.decks import load_numbers

CALLS: dict[tuple[float | None, bool], int] = {
    (None, False): 30, (20.0, False): 30, (10.0, False): 60, (5.0, False): 30, (0.0, False): 18, (10.0, True): 24,
}
"""Calls in a sample, by noise and by whether they are shouted."""
CONDITIONS: tuple[float | None, ...] = (None, 20.0, 10.0, 5.0)
SAMPLE = {"three": 60, "numbers": 48, "single": 60}
"""Jobs of the other kinds in a sample, shared among voices and conditions."""
FULL = 5
"""How often everything that is said is drawn with --full."""
VARIANTS, FULL_VARIANTS = 0, 36
"""How often each recording of talk comes changed; 36 are more than 20 hours, and two hours of computing."""
OVERLAPPED = 0.4
"""Share of the changed ones in which somebody else talks at the same time."""
SAVED = 24
"""Jobs after which what was heard is kept on the disk: a bench that is stopped goes on from there."""
_table: Table | None = None


def _start(model: str | None) -> None:
    global _table
    _table = Table.open(model)


def _took(job: Job) -> Took:
    assert _table is not None  # noqa: S101 - started with the process
    return _table.hear(job)


# --- what is said --------------------------------------------------------------------------------


def jobs(options: Options, library: Library, packs: Packs) -> list[Job]:
    """All that is said and played; with `full` the sample and more of its kind, drawn anew."""
    said: list[Job] = []
    for turn in range(FULL if options.full else 1):
        said += _voices(random.Random(f"{options.seed}/voices/{turn}"), options, library, packs)
    draw, clips = random.Random(f"{options.seed}/recorded"), venn_real.half(library, options.split)
    said += [Job("talk", clip["path"], seed=draw.getrandbits(31), words=round_of(packs, draw))
             for clip in (*clips, *library.recordings("words", options.split))]
    for turn in range(FULL_VARIANTS if options.full else VARIANTS):
        said += _changed(random.Random(f"{options.seed}/changed/{turn}"), options, library, packs)
    return said


def _voices(draw: random.Random, options: Options, library: Library, packs: Packs) -> list[Job]:
    """What the voices say, and the single words of real people."""
    voices, said = library.voices(options.split), list[Job]()
    for (snr, loud), count in CALLS.items():
        for at in range(count):
            said.append(_call(draw, packs, voices[at % len(voices)], _room(draw, options, library, snr), snr, loud))
    for word in NEAR_GOAL:
        for voice in voices:
            said += [Job("near", f"{word.capitalize()}.", voice, _room(draw, options, library, snr), snr,
                         draw.getrandbits(31), words=round_of(packs, draw)) for snr in CONDITIONS]
    for kind, make in (("three", _three), ("numbers", _numbers)):
        for at in range(SAMPLE[kind]):
            snr, voice = CONDITIONS[at % len(CONDITIONS)], voices[at // len(CONDITIONS) % len(voices)]
            said.append(make(draw, packs, voice, _room(draw, options, library, snr), snr))
    return [*said, *_singles(draw, options, library)]


def _room(draw: random.Random, options: Options, library: Library, snr: float | None) -> str:
    return DRY if snr is None else draw.choice(library.rooms(options.split))


def _call(draw: random.Random, packs: Packs, voice: str, room: str, snr: float | None, loud: bool) -> Job:
    text = draw.choice(CALLS_ALONE if loud else (*CALLS_ALONE, *CALLS_ALONE, *CALLS_WITHIN))
    ends = text.rstrip("!.?").lower().endswith("venn") and text.lower().count("venn") == 1
    return Job("call", text, voice, room, snr, draw.getrandbits(31), words=round_of(packs, draw),
               ends=ends and not loud, shouted=loud)


def _three(draw: random.Random, packs: Packs, voice: str, room: str, snr: float | None) -> Job:
    words = round_of(packs, draw)
    wanted = tuple(draw.sample(range(1, 13), 3))
    text = ". ".join(words[count - 1].capitalize() for count in wanted) + "."
    return Job("three", text, voice, room, snr, draw.getrandbits(31), wanted, words)


def _numbers(draw: random.Random, _packs: Packs, voice: str, room: str, snr: float | None) -> Job:
    card = draw.choice(load_numbers(CLUES / "venn" / "numbers.toml"))
    text = ", ".join(number(count) for count in card).capitalize() + "."
    return Job("numbers", text, voice, room, snr, draw.getrandbits(31), card)


_NUMBER_WORDS = {number(count) for count in range(1, 13)} | {"zero"}


def _singles(draw: random.Random, options: Options, library: Library) -> list[Job]:
    """Single words of real people: in a list of twelve that holds it, and in one that does not."""
    clips = [clip for clip in library.recordings("words", options.split)
             if clip["text"] and clip["text"].isalpha() and clip["text"].lower() not in _NUMBER_WORDS]
    texts = sorted({clip["text"].lower() for clip in clips})
    found = []
    for clip in draw.sample(clips, min(len(clips), SAMPLE["single"])):
        own = clip["text"].lower()
        others = [text for text in texts if text != own]
        listed = draw.sample(others, min(11, len(others)))
        place = draw.randrange(12)
        held = (*listed[:place], own, *listed[place:])
        found.append(Job("single", clip["path"], wanted=(held.index(own) + 1,), words=tuple(held)))
        strangers = [plain(text.strip(".").lower()) for text in draw.sample(words_said(), 12)]
        found.append(Job("intruder", clip["path"], words=tuple(word for word in strangers if word != own)))
    return found


def _changed(draw: random.Random, options: Options, library: Library, packs: Packs) -> list[Job]:
    """The half of real talk that trained nothing, each recording once, changed."""
    clips, found = venn_real.half(library, options.split), list[Job]()
    for clip in clips:
        over = draw.choice(clips)["path"] if draw.random() < OVERLAPPED else ""
        found.append(Job("talk", clip["path"], room=draw.choice(library.rooms(options.split)),
                         snr=draw.choice((30.0, 20.0, 15.0, 10.0)), seed=draw.getrandbits(31),
                         words=round_of(packs, draw), change=draw.choice((0.9, 0.95, 1.0, 1.05, 1.1)), over=over))
    return found


def clips(options: Options) -> list[tuple[str, str]]:
    """Voice and text of everything that is said."""
    from host.packs import decks

    made = jobs(options, Library(), decks.load(CLUES))
    return [(job.voice, job.text) for job in made if job.voice]


# --- the measure ---------------------------------------------------------------------------------


def measure(options: Options) -> Report:
    """Say, hear, count."""
    library = Library()
    table = Table.open(options.model)
    Speaker(library).make(clips(options))
    said = jobs(options, library, table.packs)
    return report(heard(said, options.model, _shelf(table)), None if table.finder is None else table.finder.net)


def _shelf(table: Table) -> Path:
    """Where what this net, this model and this code heard is kept."""
    total = hashlib.sha256(table.graph.encode())
    here = Path(__file__).resolve().parents[1]
    for path in (*sorted((here / "ears").glob("*.py")), *sorted((here / "ears").glob("keyword*.npz")),
                 here / "bench" / "library.py",
                 here / "bench" / "venn_hearing.py", *sorted((here / "table").glob("venn_*.py"))):
        total.update(path.read_bytes() if path.is_file() else b"")
    return cache_folder() / "bench" / "venn" / f"{total.hexdigest()[:20]}.pickle"


def heard(said: Sequence[Job], model: str | None, shelf: Path) -> list[Took]:
    """What the table takes of each, in their order; what the file `shelf` knows is not heard again."""
    known: dict[Job, Took] = pickle.loads(shelf.read_bytes()) if shelf.is_file() else {}  # noqa: S301 - our own cache
    todo = [job for job in dict.fromkeys(said) if job not in known]
    processes = max(1, min(2, len(os.sched_getaffinity(0)))) if hasattr(os, "sched_getaffinity") else 2
    if todo:
        with multiprocessing.get_context("spawn").Pool(processes, _start, (model,)) as pool:
            for count, took in enumerate(pool.imap(_took, todo, chunksize=8), 1):
                known[took.job] = took
                if count % SAVED == 0 or count == len(todo):
                    shelf.parent.mkdir(parents=True, exist_ok=True)
                    half = shelf.with_suffix(".half")
                    half.write_bytes(pickle.dumps(known))
                    half.replace(shelf)
    return [known[job] for job in said]
