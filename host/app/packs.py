"""`gamehost packs`: check packs, let a program guess, read cards aloud, begin a pack, import a spreadsheet."""

import argparse
import random
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import median

from host.app import AppError
from host.app.evening import Setup, add_options, load_packs, open_voice, prepare, pronounced
from host.app.paths import CLUES, MODELS, cache_folder
from host.bench import aloud, guesser, lengths, sayings, sentences
from host.bench.card_table import LEAST, card_key, heard_cards, heard_model, write_section
from host.bench.cards import REPORT, model_of
from host.bench.frame import MissingError
from host.bench.library import Library
from host.bench.voices import Speaker
from host.ears.kaldi import VoskEngine
from host.ears.models import SHIPPED
from host.events import Verdict
from host.games.venn_words import alike, draw_words, plain, sound_distance
from host.judge import judge_text
from host.packs import Fault, Pack, PackError, decks
from host.packs.files import load_packs as load_all
from host.packs.text import read_lexicon, words
from host.packs.tools import from_csv, new_pack, run_check, to_toml
from host.voices import VoiceError
from host.voices.natural import NaturalVoice

TOLD = 10
"""Cards that one warning names."""
ROUNDS = 200
"""Rounds drawn to see whether words that sound alike come together."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("packs", help="check packs of clue cards, begin a new one, import a spreadsheet")
    what = parser.add_subparsers(required=True, metavar="WHAT")
    checking = what.add_parser("check", help="name file, card and line of every fault")
    checking.add_argument("paths", nargs="*", type=Path, default=[CLUES], help="files or folders (default: ours)")
    checking.add_argument("--no-warnings", action="store_true", help="faults only")
    checking.add_argument("--guess", action="store_true", help="play every card against a program that guesses")
    checking.add_argument("--report", action="store_true", help="write what --guess found to clues/REPORT.md")
    checking.set_defaults(run=check)
    reading = what.add_parser("read", help="read random cards aloud to WAV files and check them by ear")
    reading.add_argument("--cards", type=int, default=30, metavar="N", help="how many (default: 30)")
    reading.add_argument("--seed", type=int, default=1, help="draws the cards (default: 1)")
    reading.add_argument("--out", type=Path, default=Path("read"), metavar="DIR", help="folder for the WAV files")
    reading.add_argument("--words", action="store_true",
                         help="compare every word of all cards with the lexicon instead, without a sound")
    reading.add_argument("--lengths", action="store_true",
                         help="read every sentence of all cards and look for words that get too little time instead")
    reading.add_argument("--report", action="store_true", help="write the table to clues/REPORT.md")
    add_options(reading)
    reading.set_defaults(run=read_aloud)
    new = what.add_parser("new", help="write a commented template of a pack")
    new.add_argument("name")
    new.add_argument("--folder", type=Path, default=Path())
    new.set_defaults(run=begin)
    csv = what.add_parser("import", help="make a pack out of a spreadsheet saved as CSV")
    csv.add_argument("file", type=Path)
    csv.add_argument("--title", default="")
    csv.add_argument("--out", type=Path, help="default: beside it, as .toml")
    csv.set_defaults(run=take)


def lexicon() -> Path | None:
    """The shipped model's list of words, to find those that it does not know."""
    return next(iter(sorted(MODELS.glob("*/lang/lexicon.txt*"))), None)


def check(arguments: argparse.Namespace) -> int:
    """Check, print, and say by the exit code whether all is well."""
    code, text = run_check(arguments.paths, lexicon(), warnings=not arguments.no_warnings)
    print(text)
    fault = 0
    for path in arguments.paths:
        if (path / "venn" / "words.toml").exists():
            fault |= told_apart(path)
        if path.is_dir() and (path / REPORT.name).exists():
            print(by_ear(path, warnings=not arguments.no_warnings))
        if path.is_dir() and not arguments.no_warnings and not code:
            for one in mistaken(load_all(path)):
                print(one)
    if arguments.guess:
        guessed(arguments.paths, arguments.report)
    return code or fault


def mistaken(packs: Sequence[Pack]) -> list[Fault]:
    """Answers and aliases of other cards that the judge would take for a card's own (warnings)."""
    cards = [card for pack in packs for card in pack.cards]
    said = [(other, form, frozenset(words(form))) for other in cards
            for form in (other.answer, *other.aliases, *other.aliases_written)]
    found = []
    for pack in packs:
        for card in pack.cards:
            asked = [frozenset(words(text)) for text in card.essential]
            others = tuple(other.answer for other in cards if other is not card)
            for other, form, spoken in said:
                if other is card or not any(one <= spoken for one in asked):
                    continue
                if judge_text(card, form, others).verdict is Verdict.RIGHT:
                    line, column = pack.place(card.id, "answer")
                    text = f'"{form}" of {other.id} would be right here too; name it in never, or in prompt'
                    found.append(Fault(pack.file, line, card.id, text, "warning", column))
    return found


def by_ear(folder: Path, *, warnings: bool = True) -> str:
    """What the table of the folder's REPORT.md says of its cards as they are now: heard, too seldom, not yet."""
    heard, model = heard_cards(folder / REPORT.name), heard_model(folder / REPORT.name)
    cards = [card for pack in load_all(folder) for card in pack.cards]
    shares = {card.id: heard[card.id][1] for card in cards
              if card.id in heard and heard[card.id][0] == card_key(card)}
    unheard = [card.id for card in cards if card.id not in shares]
    again = "run gamehost bench cards --full, and again with --tuning"
    lines = [f"warning: {card}: {share:.0%} of its forms are accepted by ear; give it sounds, aliases or another form, "
             "or replace it" for card, share in shares.items() if share < LEAST]
    if unheard:
        lines.append(f"warning: not heard as they are now: {', '.join(unheard[:TOLD])}"
                     f"{f' and {len(unheard) - TOLD} more' if len(unheard) > TOLD else ''}; {again}")
    if model and model != shipped():
        lines.append(f"warning: {REPORT.name} was measured with another model ({model}); {again}")
    lines = lines if warnings else []
    low = sum(share < LEAST for share in shares.values())
    middle = f", {median(shares.values()):.0%} accepted in the median" if shares else ""
    lines.append(f"By ear ({REPORT.name}): {len(shares)} of {len(cards)} cards{middle}, {low} below {LEAST:.0%}.")
    return "\n".join(lines)


def shipped() -> str:
    """The shipped model, as REPORT.md names the one by which it was measured."""
    return model_of(MODELS / SHIPPED)


def guessed(paths: list[Path], report: bool) -> None:
    """Play every card against the guesser and say what came of it. Raises AppError where its model is not here."""
    encode = sentences.Encoder(sentences.find_model(), cache_folder() / "bench" / "sentences.npz")
    try:
        cards = [card for pack in load_all(paths) for card in pack.cards]
    except PackError as error:
        raise AppError(str(error)) from error
    plain, informed = (guesser.play(cards, encode, known) for known in (guesser.names, guesser.facts))
    print(guesser.summary(plain, informed) if report else guesser.section(plain, informed))
    if report:
        write_section(REPORT, "guessed", guesser.section(plain, informed))
        print(f"wrote the section to {REPORT}")


def said_otherwise() -> int:
    """Name the words of all cards that the natural voice says otherwise than the lexicon; 1 where there are any."""
    path = lexicon()
    try:
        voice, known = NaturalVoice(), read_lexicon(path) if path else {}
    except (VoiceError, OSError) as error:
        raise AppError(str(error), 3) from error
    found = sayings.odd(load_packs(Setup()).clues, voice, known)
    print("\n".join(map(str, [*found, f"{len(found)} words are said otherwise than the lexicon has them."])))
    return 1 if found else 0


def swallowed(report: bool) -> int:
    """Read every sentence of all cards, name the words that get too little time; 1 where there are any."""
    try:
        voice = NaturalVoice()
    except VoiceError as error:
        raise AppError(str(error), 3) from error
    kept = lengths.Kept(cache_folder() / "bench" / "lengths.jsonl")
    found = lengths.look(load_packs(Setup()).clues, voice, kept)
    wrong = lengths.told(found)
    words = sum(len(spoken.words) for _, spoken in found)
    print("\n".join([*wrong, f"{len(found)} sentences, {words} words; {len(wrong)} sentences have a fault."]))
    if report:
        write_section(REPORT, "lengths", lengths.section(found, voice.name))
    return 1 if wrong else 0


def read_aloud(arguments: argparse.Namespace) -> int:
    """Read random cards aloud, write them as WAV files, and check them through the recogniser."""
    if arguments.words:
        return said_otherwise()
    if arguments.lengths:
        return swallowed(arguments.report)
    packs, folder = prepare(Setup(), load_packs(Setup()), arguments.model)
    engine, voice = VoskEngine(folder), open_voice(arguments.voice)
    speaker = Speaker(Library())
    plain = None
    try:
        speaker.check([aloud.PLAIN])
        plain = partial(speaker.clip, aloud.PLAIN)
    except MissingError as error:
        print(f"without a voice to compare with: {error}")
    readings = []
    for number, card in enumerate(aloud.drawn(packs.clues, arguments.cards, arguments.seed), 1):
        found = [aloud.read(engine, voice, plain, sentence) for sentence in aloud.sentences(card)]
        readings += [reading for reading, _ in found]
        aloud.write_wav(arguments.out / f"{number:02}-{card.id}.wav", [clip for _, clip in found])
    voice.close()
    text = aloud.section(readings, voice.name, arguments.seed)
    print(text)
    for one in readings:
        for word in one.own:
            print(f'{one.sentence.card}, {one.sentence.part}: "{word}" was not understood; heard: {one.heard}')
    if arguments.report:
        write_section(REPORT, "read", text)
    return 0 if aloud.kept(readings) else 1


def told_apart(folder: Path) -> int:
    """Say how well the list words of a round are told apart by ear (VN-2); 1 where they are not."""
    setup = Setup(game="venn")
    packs = decks.load(folder)
    listed = {plain(word) for card in packs.words for word in card}
    stale = sorted({word for pair in packs.confusable for word in pair} - listed)
    if stale:
        print(f"{folder / 'venn' / 'confusable.toml'}: {', '.join(stale)} is no list word any more; measure again: "
              "python -m host.bench.confusable")
        return 1
    packs = pronounced(setup, packs)
    near = sum(sound_distance(one, other, packs) < packs.closest for one, other in combinations(sorted(listed), 2))
    bad = 0
    for seed in range(ROUNDS):
        four, _, _ = draw_words(packs, (), random.Random(seed))
        words = [word for card in four for word in card]
        bad += any(alike(one, other, packs) for one, other in combinations(words, 2))
    print(f"Venn: {len(listed)} list words; {len(packs.confusable)} pairs were confused when measured, {near} are "
          f"nearer in sound than {packs.closest:g}; of {ROUNDS} rounds drawn {bad} with such a pair.")
    return 1 if bad else 0


def begin(arguments: argparse.Namespace) -> int:
    """Write a template."""
    try:
        path = new_pack(arguments.name, arguments.folder)
    except FileExistsError as error:
        raise AppError(f"{error.filename} is there already; choose another name.") from error
    except (ValueError, OSError) as error:
        raise AppError(str(error)) from error
    print(f"wrote {path}; edit it, then: gamehost packs check {path}")
    return 0


def take(arguments: argparse.Namespace) -> int:
    """Turn a CSV file into a pack."""
    out = arguments.out or arguments.file.with_suffix(".toml")
    if out.exists():
        raise AppError(f"{out} is there already; name another one with --out.")
    try:
        pack = from_csv(arguments.file, title=arguments.title)
        out.write_text(to_toml(pack), encoding="utf-8")
    except PackError as error:
        raise AppError(str(error)) from error
    except OSError as error:
        raise AppError(f"{out} can't be written: {error.strerror}") from error
    print(f"wrote {out} with {len(pack.cards)} cards; now: gamehost packs check {out}")
    return 0
