"""Who is meant: the eight colours and first names by voice, with everything else in the grammar.

Eight play, so that every colour competes with every other one, in the grammars that the table really uses:

    card    a card is open: "Blue, a toothbrush." with answers of many cards
    behind  the same with the colour behind: "A toothbrush, blue."
    claim   "Right! Who said it?": "Blue.", "It was blue."
    roll    "Who is playing?": "Anna is blue."

What is compared is the seat that `understand` makes of it (in the roll call the colour). A colour is *right*, *lost*
(nobody was named: the host asks, or says nothing) or *taken for another*, which would put a guess to somebody who
did not make it. The names' table is information: a name that is unsure is played by its colour (CE-16).
"""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import host.ears
from host.app.evening import Setup, first_names, load_packs, prepare
from host.app.paths import cache_folder
from host.bench.frame import Options, Report, Share
from host.bench.library import DRY, Library, blocks
from host.bench.voices import Speaker
from host.clock import BLOCK, Samples
from host.devices.levels import Floats
from host.ears.kaldi import VoskEngine
from host.ears.vosk import VoskEar
from host.events import Heard, Listens, Word
from host.games import Expects, Player
from host.packs import Card, Packs
from host.sound import Cleaned
from host.table.gathering import Gathering
from host.table.hearing import Hearing
from host.table.state import State
from host.understand import COLOURS, Understood

BEFORE, BEHIND = 0.6, 1.4
SNR = 10.0
NOISY = f"room {SNR:g} dB"
MOMENTS = {"card": 9, "behind": 2, "claim": 2, "roll": 2}
"""How often each colour is said in each moment, by each voice and in each condition."""
NAMES = 40
"""First names in a sample; `--full` takes all of the common ones."""
NAME_VOICES = 2
EIGHT = tuple(COLOURS)
RIGHT, LOST = 0.97, "-"
ANOTHER = 0.01


@dataclass(frozen=True, slots=True)
class Said:
    """Something that names a player."""

    moment: str
    colour: str
    name: str
    card: str
    """The card that is open; its answer or another card's is said."""
    text: str
    voice: str
    condition: str
    room: str
    seed: int


@dataclass
class Tables:
    """The table in each of the moments, with the real ear."""

    packs: Packs
    ear: VoskEar
    model: str
    """Which model hears, for the cache."""
    names: tuple[str, ...] = field(default_factory=first_names)
    library: Library = field(default_factory=Library)

    def __post_init__(self) -> None:
        self.hearing = Hearing(self.packs, self.names)
        self.speaker = Speaker(self.library)
        self.cards = {card.id: card for card in self.packs.clues}
        self._playing = State(players=tuple(Player(colour.capitalize(), colour) for colour in EIGHT))
        self._at: Samples = 0

    @classmethod
    def open(cls, model: str | None) -> "Tables":
        """With the shipped packs. Raises AppError where the model can't be used."""
        packs, folder = prepare(Setup(), load_packs(Setup()), model)
        return cls(packs, VoskEar(VoskEngine(folder)), folder.name)

    def named(self, said: Said) -> tuple[str, str]:
        """(colour, name) of who is meant as the table understands it; LOST where nobody is."""
        state, expects = self._playing, Expects()
        card = self.cards[said.card]
        if said.moment == "roll":
            state = State(gathering=Gathering())
        else:
            expects = Expects(card=card, guessing=tuple(range(len(EIGHT))), claim=said.moment == "claim")
        sound = self.library.played(self.speaker.clip(said.voice, said.text), said.room,
                                    None if said.condition == DRY else SNR, said.seed, before=BEFORE, behind=BEHIND)
        finals = self._heard(sound, self.hearing.listens(state, expects))
        found = [_meant(self.hearing.understand(state, expects, heard)) for heard in finals]
        return next((pair for pair in found if pair[0] != LOST), (LOST, ""))

    def _heard(self, sound: Floats, listens: Listens) -> list[Heard]:
        """What the ear makes of it; kept in the cache, so that a bench that was cut off goes on where it was."""
        key = hashlib.sha256(f"{self.model}{_ears()}{listens!r}".encode() + sound.tobytes()).hexdigest()
        path = cache_folder() / "bench" / "heard" / f"{key[:32]}.json"
        if path.exists():
            return [_again(entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
        self.ear.listen(listens)
        found: list[Heard] = []
        for pcm in blocks(sound):
            found += self._finals(self.ear.hear(Cleaned(self._at, pcm)))
            self._at += BLOCK
        found += self._finals(self.ear.end())
        self._at += 4 * BLOCK
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".tmp")
        half.write_text(json.dumps([asdict(heard) for heard in found]), encoding="utf-8")
        half.replace(path)
        return found

    @staticmethod
    def _finals(events: Sequence[object]) -> Iterator[Heard]:
        yield from (event for event in events if isinstance(event, Heard) and event.final)


@cache
def _ears() -> str:
    """A digest of the ear's own code: what another ear heard is no use."""
    code = b"".join(path.read_bytes() for path in sorted(Path(host.ears.__file__).parent.glob("*.py")))
    return hashlib.sha256(code).hexdigest()


def _again(entry: dict[str, Any]) -> Heard:
    words, dictation = (tuple(Word(**word) for word in entry.pop(key)) for key in ("words", "dictation"))
    return Heard(words=words, dictation=dictation, **entry)


def _meant(understood: Understood) -> tuple[str, str]:
    if understood.roll:
        return understood.roll[-1][1], understood.roll[-1][0]
    return (LOST if understood.owner is None else EIGHT[understood.owner]), ""


# --- what is said ----------------------------------------------------------------------------------


def texts(moment: str, colour: str, answer: str, name: str, number: int) -> str:
    """A sentence that names a player in that moment."""
    match moment:
        case "card":
            return f"{colour.capitalize()}, {('', '', 'is it ')[number % 3]}{answer}."
        case "behind":
            return f"{answer[:1].upper()}{answer[1:]}, {colour}."
        case "claim":
            return (f"{colour.capitalize()}.", f"It was {colour}.")[number % 2]
    return f"{name.capitalize()} {('is', 'takes')[number % 2]} {colour}."


def sample(options: Options, cards: Sequence[Card], names: Sequence[str], library: Library) -> list[Said]:
    """What is said of colours, drawn by seed; every voice in both conditions."""
    draw = random.Random(f"colours/{options.seed}")
    rooms, voices = library.rooms(options.split), library.voices(options.split)
    said: list[Said] = []
    for colour in EIGHT:
        for moment, count in MOMENTS.items():
            for number in range(count * (3 if options.full else 1)):
                card, name = draw.choice(cards), draw.choice(names)
                text = texts(moment, colour, card.answer, name, number)
                for voice in voices:
                    for condition in (DRY, NOISY):
                        room = DRY if condition == DRY else draw.choice(rooms)
                        said.append(Said(moment, colour, name, card.id, text, voice, condition, room, len(said)))
    return said


def roll_call(options: Options, cards: Sequence[Card], names: Sequence[str], library: Library) -> list[Said]:
    """What is said of names, drawn by seed: "NAME is COLOUR" in a roll call."""
    draw = random.Random(f"names/{options.seed}")
    rooms, voices = library.rooms(options.split), library.voices(options.split)
    chosen = list(names) if options.full else draw.sample(list(names), NAMES)
    said: list[Said] = []
    for name in chosen:
        colour = draw.choice(EIGHT)
        for voice in draw.sample(voices, min(NAME_VOICES, len(voices))):
            for condition in (DRY, NOISY):
                room = DRY if condition == DRY else draw.choice(rooms)
                text = texts("roll", colour, "", name, 0)
                said.append(Said("roll", colour, name, cards[0].id, text, voice, condition, room, len(said)))
    return said


def clips(options: Options) -> list[tuple[str, str]]:
    """Voice and text of everything that is said."""
    library, cards, names = Library(), load_packs(Setup()).clues, first_names()
    return [(one.voice, one.text) for one in (*sample(options, cards, names, library),
                                              *roll_call(options, cards, names, library))]


# --- the bench -------------------------------------------------------------------------------------


def measure(options: Options) -> Report:
    """Eight colours in four moments, dry and in rooms at 10 dB; then first names."""
    tables = Tables.open(options.model)
    cards, names = tables.packs.clues, tables.names
    said = sample(options, cards, names, tables.library)
    called = roll_call(options, cards, names, tables.library)
    tables.speaker.make((one.voice, one.text) for one in (*said, *called))
    report = Report("colours")
    found = [(one, tables.named(one)[0]) for one in said]
    _colours(report, found)
    _names(report, [(one, *tables.named(one)) for one in called])
    return report


def _colours(report: Report, found: Sequence[tuple[Said, str]]) -> None:
    rows = []
    for colour in EIGHT:
        mine = [(one, heard) for one, heard in found if one.colour == colour]
        taken = Counter(heard for _, heard in mine if heard not in (colour, LOST))
        shares = [_share(mine, condition) for condition in (DRY, NOISY)]
        lost = sum(heard == LOST for _, heard in mine)
        worst = Share(max(taken.values(), default=0), len(mine))
        others = ", ".join(f"{other} {count}" for other, count in taken.most_common())
        rows.append((colour, *shares, lost, others or LOST))
        report.at_most(f"{colour} taken for one other", worst, ANOTHER)
    report.table("Colours", ("colour", "right dry", f"right {NOISY}", "lost", "taken for"), rows)
    moments = [(moment, *(_share([pair for pair in found if pair[0].moment == moment], condition)
                          for condition in (DRY, NOISY))) for moment in MOMENTS]
    report.table("By moment", ("moment", "right dry", f"right {NOISY}"), moments)
    voices = sorted({one.voice for one, _ in found})
    report.table("By voice", ("voice", "right dry", f"right {NOISY}"),
                 [(voice, *(_share([pair for pair in found if pair[0].voice == voice], condition)
                            for condition in (DRY, NOISY))) for voice in voices])
    for condition in (DRY, NOISY):
        report.at_least(f"colours right, {condition}", _share(found, condition), RIGHT)
    another = sum(heard not in (one.colour, LOST) for one, heard in found)
    report.at_most("colours taken for another", Share(another, len(found)), ANOTHER)
    missed = [f"{one.voice}, {one.condition}: {one.text!r} {heard}" for one, heard in found if heard != one.colour]
    report.data["missed"] = missed
    report.note("\nNot heard right (the first 40):")
    for line in missed[:40]:
        report.note(f"  {line}")


def _share(found: Sequence[tuple[Said, str]], condition: str) -> Share:
    mine = [heard == one.colour for one, heard in found if one.condition == condition]
    return Share(sum(mine), len(mine))


def _names(report: Report, found: Sequence[tuple[Said, str, str]]) -> None:
    rows = []
    for condition in (DRY, NOISY):
        mine = [(one, colour, name) for one, colour, name in found if one.condition == condition]
        right = sum(name == one.name for one, _, name in mine)
        by_colour = sum(not name and colour == one.colour for one, colour, name in mine)
        wrong = sum(bool(name) and name != one.name for one, _, name in mine)
        rows.append((condition, Share(right, len(mine)), Share(by_colour, len(mine)), Share(wrong, len(mine)),
                     Share(sum(colour == one.colour for one, colour, _ in mine), len(mine))))
    report.table("First names in the roll call (no goal)",
                 ("condition", "name right", "by colour only", "another name", "colour right"), rows)
    mistaken = Counter(f"{one.name} as {name}" for one, _, name in found if name and name != one.name)
    report.note("  " + (", ".join(f"{pair} {count}" for pair, count in mistaken.most_common(30)) or "no name mistaken"))
