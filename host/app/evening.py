"""Put an evening together: packs, vocabulary, ear, voice, table, log."""

import argparse
import contextlib
import importlib
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from host import __version__
from host import log as logs
from host.app import AppError
from host.app.paths import CLUES, cache_folder, data_folder
from host.clock import Samples
from host.devices import Device
from host.devices.canceller import Canceller
from host.devices.channels import Channels
from host.ears import graph
from host.ears.lexicon import Lexicon, LexiconError
from host.ears.models import ModelError, data_models, find, provide
from host.ears.nearest import Nearest
from host.ears.pronounce import vocabulary
from host.ears.sounds import Sounds
from host.ears.voiceprint import HintingEar, Voices
from host.ears.vosk import VoskEar, open_ear
from host.events import In, Line, Word
from host.games import Player
from host.judge import forms, wrong_forms
from host.judge.normal import plain
from host.memory import MARKS, Memory
from host.packs import PackError, Packs, decks
from host.session import Ear, Parts, Session
from host.sound import Clip
from host.table import Table
from host.table.venn_gathering import ENOUGH, TEAMS, seated
from host.table.venn_words import CALL, NEAR
from host.understand import COLOURS
from host.understand import Said as Guessed
from host.understand.utterance import known
from host.voices import Voice, VoiceError
from host.voices.choose import choose
from host.voices.tones import chime

TITLES = {"clever": "Clever Endeavor", "venn": "Venn"}
CHIME_RATE = 48_000
SPEAKER_MODEL = "vosk-model-spk-0.4"
"""Optional: a hint on who said what (models.toml)."""
VENN_SAID = (CALL, *NEAR, *TEAMS)
"""What else is said in Venn, and must be in the vocabulary."""


@dataclass(frozen=True)
class Setup:
    """All that a log's header must hold to set the same evening up again."""

    game: str = "clever"
    players: tuple[Player, ...] = ()
    youngest: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    packs: tuple[str, ...] = ()
    """Ids of the packs that are played; empty for all."""
    more: tuple[str, ...] = ()
    """Paths of the family's own packs."""
    cards: tuple[str, ...] = ()
    """Only these cards are played (the demo); empty for all."""
    used: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Cards that players reported as bad: never drawn (CON-04)."""
    family: bool = True
    """Whether the family filter is on (CON-05)."""
    model: str = ""
    """The recogniser's model; empty for the default."""
    speed: float = 1.0
    volume: float = 1.0
    microphones: tuple[str, ...] = ()
    """Whose each channel is, by colour, name or team; empty for one microphone for all."""
    digest: str = ""
    """Of the packs' content, so that a log is not lived again with other cards."""

    def header(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"version": __version__, **asdict(self)}

    @classmethod
    def of(cls, header: Mapping[str, Any]) -> "Setup":
        """Back from a log's header. Raises AppError where it is none."""
        try:
            values: dict[str, Any] = {key: value for key, value in header.items() if key != "version"}
            players = tuple(Player(**player) for player in values.pop("players"))
            values |= {key: tuple(values[key]) for key in ("packs", "more", "cards", "used")}
            values |= {key: tuple(values.get(key, ())) for key in ("without", "microphones")}
            return cls(players=players, **values)
        except (KeyError, TypeError) as error:
            raise AppError(f"the log's header is of another version ({error})") from error


def rules_of(game: str) -> Any:
    """The module of a game's rules."""
    return importlib.import_module({"clever": "host.games.clever_endeavor", "venn": "host.games.venn"}[game])


def load_packs(setup: Setup) -> Packs:
    """Load what is played. Raises AppError naming file, card and line."""
    try:
        packs = decks.load(CLUES, setup.packs or None, more=[Path(path) for path in setup.more], family=setup.family)
    except PackError as error:
        raise AppError(str(error)) from error
    if setup.cards:
        by_id = {card.id: card for card in packs.clues}
        missing = [card for card in setup.cards if card not in by_id]
        if missing:
            raise AppError(f"there is no card {', '.join(missing)} in the packs")
        packs = replace(packs, clues=tuple(by_id[card] for card in setup.cards))
    if setup.without:
        packs = replace(packs, clues=tuple(card for card in packs.clues if card.id not in setup.without))
    return packs


def sealed(setup: Setup, packs: Packs) -> Setup:
    """The setup with the packs' digest. Raises AppError where a log was made with other cards."""
    digest = decks.digest(replace(packs, pronunciations={}))
    if setup.digest and setup.digest != digest:
        raise AppError("the cards have changed since this log was written; it needs the same ones to be lived again")
    return replace(setup, digest=digest)


def first_names(common: bool = True) -> tuple[str, ...]:
    """First names: those before the first remark in clues/names.txt are common, and the roll call listens for them.

    Not for all: with four tuning voices in a room 40 of 64 names were heard right among the 196 common ones, 28
    among all 1,271.
    """
    with contextlib.suppress(OSError):
        lines = (CLUES / "names.txt").read_text(encoding="utf-8").split("\n")
        if common:
            lines = lines[: next((at for at, line in enumerate(lines) if line.startswith("#")), len(lines))]
        return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    return ()


def make_table(setup: Setup, packs: Packs) -> Table:
    """The table of an evening. Raises AppError for options that the game refuses."""
    table = Table(
        rules_of(setup.game), packs, setup.options, setup.seed, players=setup.players, used=setup.used,
        title=TITLES[setup.game], names=first_names(), youngest=setup.youngest, speed=setup.speed, volume=setup.volume,
        microphones=setup.microphones,
    )
    try:  # bad options are told before anybody sits down
        trial, options = setup.players or tuple(Player(colour.capitalize(), colour) for colour in COLOURS)[:4], {}
        if table.venn:
            trial = seated(trial)
            options = {"mode": "cooperative"} if len(trial) < ENOUGH and "mode" not in setup.options else {}
        table.rules.setup(trial, packs, {**setup.options, **options}, setup.seed, setup.used)
    except ValueError as error:
        raise AppError(str(error), 2) from error
    return table


# --- ear and voice ------------------------------------------------------------------------------


def spoken_texts(packs: Packs, names: Iterable[str]) -> list[str]:
    """Everything that a player may say of these packs: it must be in the vocabulary."""
    texts = [form for card in packs.clues for form in (*forms(card), *wrong_forms(card))]
    texts += [word for three in packs.words for word in three]
    return [*texts, *names, *(VENN_SAID if packs.words else ())]


def pronounced(setup: Setup, packs: Packs, model: str | None = None) -> Packs:
    """Packs with pronunciations for the judge; it takes the model's lexicon, not the recogniser."""
    names = [player.name.lower() for player in setup.players] + [str(name) for name in setup.options.get("teams", ())]
    sounds = [pair for card in packs.clues for pair in card.sounds]
    try:
        folder = find(model)
        if (folder / "lang").is_dir():
            lexicon = Lexicon(folder / "lang")
            said = Sounds(vocabulary([*spoken_texts(packs, names), *first_names()], sounds, lexicon), lexicon)
        else:  # an official model: its own words stay as they are, the judge compares by what ours would say
            lexicon = Lexicon(find(None) / "lang")
            said = Sounds(vocabulary(spoken_texts(packs, names), sounds, lexicon), lexicon)
    except (ModelError, LexiconError) as error:
        raise AppError(str(error), 3) from error
    return replace(packs, pronunciations=said)


def prepare(
    setup: Setup, packs: Packs, model: str | None = None, progress: graph.Progress | None = None
) -> tuple[Packs, Path]:
    """Packs with pronunciations for the judge, and a folder for the recogniser that knows all their words."""
    packs = pronounced(setup, packs, model)
    try:
        return packs, provide(packs.pronunciations, model, cache_folder(), progress)
    except (ModelError, LexiconError) as error:
        raise AppError(str(error), 3) from error


def open_voice(name: str | None) -> Voice:
    """The voice of that name, or the best here."""
    try:
        return choose(name, cache_folder() / "voice")
    except VoiceError as error:
        raise AppError(str(error), 3) from error


def sign(name: str) -> Clip:
    """A chime as a clip."""
    return Clip("", chime(name, CHIME_RATE), CHIME_RATE)


@dataclass
class Evening:
    """A session with everything that has to be closed after it."""

    session: Session
    device: Device
    ears: Sequence[VoskEar] = ()
    voice: Voice | None = None

    def run(self, inbox: Callable[[], Sequence[In]] = tuple) -> Any:
        """Play to the end; returns the table's last state."""
        try:
            return self.session.run(inbox)
        finally:
            self.close()

    def close(self) -> None:
        """Give everything back."""
        for ear in self.ears:
            ear.close()
        if self.voice is not None:
            self.voice.close()
        self.session.log.close()
        self.device.close()


def keeper(memory: Memory | None, packs: Packs, notice: Callable[[str], None] = print) -> Callable[[str, str], None]:
    """What remembers cards played and marked (CE-20); a deck that begins anew forgets but the packs that are played."""

    def keep(deck: str, card: str) -> None:
        if memory is None:
            return
        if deck in MARKS:
            said = memory.mark(card, deck)
        elif card:
            said = memory.add(deck, card)
        else:  # no card: the deck begins anew
            said = memory.forget(deck, {one.id for one in packs.clues} if deck == "clues" else None)
        if said:
            notice(said)

    return keep


def rehearsed(table: Table, keep: Callable[[str, str], None]) -> Callable[[str, str], None]:
    """The same keeper; where a card has begun to be read, its answer is judged once before anybody says it.

    What that works out, its rivals by letters and phones, is remembered: the guess is judged in 2 ms, and not in 6
    to 17, while somebody waits for the verdict.
    """
    cards = {card.id: card for card in table.packs.clues}

    def began(deck: str, card: str) -> None:
        keep(deck, card)
        if deck == table.deck and card in cards:
            words = tuple(Word(text, 0, 0) for text in plain(cards[card].answer))
            table.hearing.judge(cards[card], Guessed(words, words, 0))

    return began


def open_evening(
    table: Table, device: Device, folder: Path | None, voice: Voice, log: logs.Log, *,
    memory: Memory | None = None, watch: Callable[[In, Any, tuple[Any, ...]], None] | None = None,
    notice: Callable[[str], None] = print, canceller: bool = True, ears: Sequence[Ear] | None = None,
    delay: Samples = 0,
) -> Evening:
    """An evening on one microphone, or on as many as the table has; `folder` is the recogniser's, from `prepare`.

    `delay` is by how much the echo lags what was handed to the speaker, at the least.
    """
    known(table.hearing.answer_forms)  # 0.2 s, for which the first utterance would have to wait otherwise
    count = max(1, len(table.microphones))
    if count > 1:
        device = Channels(device, count, notice)

    def speak(line: Line, speed: float) -> Clip:
        return voice.speak(line, speed)

    speaker = speaker_model() if count == 1 else None  # with microphones of their own nobody need be told by voice
    own = [] if ears is not None or folder is None else [
        open_ear(folder, channel=at, speaker=speaker) for at in range(count)]
    if count > 1 and ears is None:
        ears = Nearest(own).ears
    elif speaker is not None and own:
        voices, seen = Voices(own[0]), watch
        ears = [HintingEar(own[0], voices)]

        def watch(event: In, state: Any, effects: tuple[Any, ...]) -> None:
            voices.follow(state)
            if seen is not None:
                seen(event, state, effects)
    set_volume = getattr(device, "set_volume", lambda _factor: None)
    cancellers = [Canceller(delay) for _ in range(count)] if canceller else []
    parts = Parts(
        device, ears if ears is not None else own, cancellers, speak, sign,
        rehearsed(table, keeper(memory, table.packs, notice)),
        set_volume, watch or (lambda _event, _state, _effects: None), notice,
    )
    return Evening(Session(table, parts, log), device, own, voice)


def speaker_model() -> Path | None:
    """The folder of the optional speaker model, where it was fetched."""
    folder = data_models() / SPEAKER_MODEL
    return folder if folder.is_dir() else None


# --- logs and resuming --------------------------------------------------------------------------


def log_folder() -> Path:
    """Where logs of games lie."""
    return data_folder() / "games"


def new_seed() -> int:
    """A seed that nobody knows."""
    return secrets.randbits(32)


def open_log(path: Path, setup: Setup, notice: Callable[[str], None] = print) -> logs.Log:
    """A new log with its header; where the disk refuses, the evening goes on without one."""
    try:
        log = logs.Log(logs.FileDisk(path))
    except OSError as error:
        notice(f"no record can be kept in {path.parent} ({error.strerror}); play goes on without")
        log = logs.Log(logs.NoDisk())
        log.failed = error.strerror or "disk error"
    log.header(setup.header())
    return log


def open_memory() -> Memory:
    """Cards played on earlier evenings (CE-20)."""
    return Memory.open(data_folder() / "memory.json")


def unfinished(state: Any) -> bool:
    """Whether a state that was lived again is worth going on from."""
    return state is not None and not state.done


def last_sample(records: Sequence[logs.Record]) -> Samples:
    """The sample at which a log ends."""
    return max((record.event.at for record in records), default=0)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options that all commands with a voice or a model have."""
    parser.add_argument("--voice", choices=["natural", "pyttsx3"], help="the host's voice (default: the best here)")
    parser.add_argument("--model", help="the recogniser's model: a name or a folder")
