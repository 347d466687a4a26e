"""Choose from which scores the net for colours is believed: `python -m host.bench.colour_limits [--write]`.

What the voices that trained nothing say (`colour_clips`, `held`) is heard by the real ear with the grammars of cards
that are open, dry and in tuning rooms with noise at 20, 10 and 5 dB: colours in front of guesses, behind them, and
alone at "who said it?"; guesses and near words without a colour, and real talk of the tuning half. Then the limits are
moved, and what `understand` makes of it is counted. A colour that is not heard costs one, a wrong one or one that
nobody named `WRONG`: who guessed is never settled with a penalty by assumption (CE-16).
"""

import argparse
import pickle
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np

from host.app.evening import Setup, first_names, load_packs, prepare
from host.app.paths import cache_folder
from host.bench import colour_clips, venn_real
from host.bench.colours import BEFORE, BEHIND, EIGHT
from host.bench.library import DRY, blocks
from host.bench.train_colours import FILE
from host.bench.train_venn import EVERY
from host.bench.venn_voices import Chorus, Roster
from host.clock import BLOCK
from host.devices.levels import Floats
from host.ears import colours
from host.ears.colours import NEVER, Limits, Peak
from host.ears.kaldi import VoskEngine
from host.ears.vosk import VoskEar
from host.events import Heard
from host.games import Expects, Player
from host.packs import Card
from host.sound import Cleaned
from host.table.hearing import Hearing
from host.table.state import State

CONDITIONS = (None, 20.0, 10.0, 10.0, 5.0)
TURNS = {"alone": 3, "first": 4, "last": 3, "guess": 3, "near": 1}
"""How often each clip is played."""
WRONG = 3.0
PUT = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 2.0)
SWAP = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 2.0)
DENY = (-1.0, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1)


@dataclass(frozen=True)
class Case:
    """An utterance as the ear heard it without the net, and the net's peaks in it."""

    heard: Heard
    peaks: tuple[Peak, ...]
    card: str
    claim: bool
    wanted: str
    """The colour that was said; empty for none."""
    condition: float | None


class Stage:
    """The table with a card open, eight colours playing."""

    def __init__(self, net: colours.Colours) -> None:
        packs, folder = prepare(Setup(), load_packs(Setup()))
        self.ear = VoskEar(VoskEngine(folder), colours=replace(net, limits=NEVER))
        self.hearing = Hearing(packs, first_names())
        self.cards = {card.id: card for card in packs.clues}
        self.by_answer = {card.answer.lower(): card for card in packs.clues}
        self.playing = State(players=tuple(Player(name.capitalize(), name) for name in EIGHT))
        self._at = 0

    def expects(self, card: Card, *, claim: bool) -> Expects:
        """A card is open, or its right answer is claimed."""
        return Expects(card=card, guessing=tuple(range(len(EIGHT))), claim=claim)

    def hear(self, sound: Floats, card: Card, *, claim: bool) -> Iterator[tuple[Heard, tuple[Peak, ...]]]:
        """The finals of a sound, each with the net's peaks."""
        assert self.ear.colour_ear is not None  # noqa: S101 - opened with one
        self.ear.listen(self.hearing.listens(self.playing, self.expects(card, claim=claim)))
        for pcm in [*blocks(sound), None]:
            events = self.ear.end() if pcm is None else self.ear.hear(Cleaned(self._at, pcm))
            self._at += BLOCK if pcm is not None else 4 * BLOCK
            for event in events:
                if isinstance(event, Heard) and event.final:
                    yield event, self.ear.colour_ear.peaks(event.began, event.at)


def cases(net: colours.Colours, seed: int, share: float) -> list[Case]:
    """Everything, heard once."""
    draw, stage = random.Random(seed), Stage(net)
    library = Roster()
    chorus, rooms = Chorus(library), library.rooms("tuning")
    own, _ = colour_clips.make()
    found: list[Case] = []
    cards = tuple(stage.cards.values())
    for one in own:
        for _ in range(TURNS[one.kind] if one.held else 0):
            if draw.random() >= share:
                continue
            snr = draw.choice(CONDITIONS)
            sound = library.played(chorus.clip(one.voice, one.text), DRY if snr is None else draw.choice(rooms), snr,
                                   draw.getrandbits(31), before=BEFORE, behind=BEHIND, split="tuning")
            card = draw.choice(cards)
            if draw.random() < 0.5:
                card = next((known for answer, known in stage.by_answer.items() if answer in one.text.lower()), card)
            wanted = colour_clips.colour_of(one)
            claim = one.kind == "alone" or one.text.startswith(("It was", "I think", "Me,"))
            found += [Case(heard, peaks, card.id, claim, wanted, snr)
                      for heard, peaks in stage.hear(sound, card, claim=claim)]
    talk = [clip for at, clip in enumerate(venn_real.half(library, "tuning")) if at % EVERY == 0]
    for clip in draw.sample(talk, round(len(talk) * share)):
        sound = library.played(library.recording(clip["path"]), DRY, None, draw.getrandbits(31), before=BEFORE,
                               behind=BEHIND, split="tuning")
        card = draw.choice(cards)
        found += [Case(heard, peaks, card.id, False, "", None) for heard, peaks in stage.hear(sound, card, claim=False)]
    return found


def counted(found: list[Case], net: colours.Colours, limits: Limits, stage: Hearing, playing: State,
            cards: dict[str, Card]) -> tuple[float, int, int, int, int]:
    """(cost, right, lost, taken for another, made up) with these limits."""
    right = lost = other = made_up = 0
    with_limits = replace(net, limits=limits)
    for case in found:
        words = colours.believed(case.heard.words, case.peaks, with_limits)
        expects = Expects(card=cards[case.card], guessing=tuple(range(len(EIGHT))), claim=case.claim)
        owner = stage.understand(playing, expects, replace(case.heard, words=words)).owner
        named = "" if owner is None else EIGHT[owner]
        right += bool(case.wanted) and named == case.wanted
        lost += bool(case.wanted) and not named
        other += bool(case.wanted) and named not in ("", case.wanted)
        made_up += not case.wanted and bool(named)
    return lost + WRONG * (other + made_up), right, lost, other, made_up


def main() -> int:
    """Hear, move the limits, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", type=Path, default=FILE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--write", action="store_true", help="write the limits into the net's file")
    asked = parser.parse_args()
    packs, folder = prepare(Setup(), load_packs(Setup()))
    net = colours.loaded(asked.net.read_bytes(), folder)
    kept = cache_folder() / "bench" / f"colour-cases-{asked.seed}-{asked.share:g}.pickle"
    if kept.exists() and kept.stat().st_mtime > asked.net.stat().st_mtime:
        found = pickle.loads(kept.read_bytes())  # noqa: S301 - our own cache
    else:
        found = cases(net, asked.seed, asked.share)
        kept.write_bytes(pickle.dumps(found))
    hearing, cards = Hearing(packs, first_names()), {card.id: card for card in packs.clues}
    playing = State(players=tuple(Player(name.capitalize(), name) for name in EIGHT))
    print(f"{sum(bool(case.wanted) for case in found)} utterances with a colour, "
          f"{sum(not case.wanted for case in found)} without")
    print("put    swap   deny    right  lost  another  made up   cost")

    def tried(limits: Limits) -> float:
        cost, *counts = counted(found, net, limits, hearing, playing, cards)
        told = "".join(f"{count:7d}" for count in counts)
        print(f"{limits.put:5g} {limits.swap:6g} {limits.deny:6g} {told} {cost:8.0f}", flush=True)
        return cost

    best, least = NEVER, tried(NEVER)
    for name, values in (("put", PUT), ("swap", SWAP), ("deny", DENY), ("put", PUT)):
        for value in values:
            trial = replace(best, **{name: value})
            cost = tried(trial)
            if cost < least:
                best, least = trial, cost
    print(f"best: {best}")
    for condition in dict.fromkeys(case.condition for case in found):
        part = [case for case in found if case.condition == condition]
        for limits in (NEVER, best):
            print(condition, limits, *counted(part, net, limits, hearing, playing, cards))
    if asked.write:
        with np.load(BytesIO(asked.net.read_bytes()), allow_pickle=False) as file:
            packed = {name: file[name] for name in file if name != "limits"}
        np.savez(asked.net, limits=np.array([best.put, best.swap, best.deny]), **packed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
