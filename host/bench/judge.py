"""The judge against pairs of a card and what was said, beside the plain token_set_ratio."""

import csv
import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rapidfuzz import fuzz, utils

from host.app.evening import spoken_texts
from host.app.paths import CLUES
from host.bench.frame import Options, Report, Share
from host.ears.lexicon import Lexicon
from host.ears.models import find
from host.ears.pronounce import vocabulary
from host.ears.sounds import Sounds
from host.events import Verdict
from host.judge import judge_text
from host.packs import Card, Packs, decks

PAIRS = Path(__file__).parent / "judged_pairs.csv"
MORE = PAIRS.with_name("judged_more.csv")
"""Further pairs, over other cards: for finding what is generally wrong, never in a figure."""
EASY = ("exact", "rival", "other")
"""Kinds that any comparison gets right; all others are hard."""
BASELINE = 80
"""The token_set_ratio from which the plain baseline calls a guess right."""
TOO_EASY = 0.75
TUNING_ONLY = "more/"
"""Begins the id of a pair that never counts for a figure."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One guess on one card and what a fair person would say to it."""

    id: str
    kind: str
    card: str
    said: str
    verdict: Verdict
    may_ask: bool
    """"Say that once more" is as good."""

    @property
    def split(self) -> str:
        """"test" for one half of the ids, by a hash; nothing is tuned on it. All of MORE is for tuning."""
        if self.id.startswith(TUNING_ONLY):
            return "tuning"
        return "test" if hashlib.sha256(self.id.encode()).digest()[0] & 1 else "tuning"

    def agrees(self, verdict: Verdict) -> bool:
        """Whether the verdict is a person's, by three kinds: right, be more specific, no."""
        return three(verdict) == three(self.verdict) or (self.may_ask and verdict is Verdict.AGAIN)


def three(verdict: Verdict) -> str:
    """Right, be more specific, again or no: for a guess it is all one why it counts as nothing."""
    return "no" if verdict in (Verdict.WRONG, Verdict.NONE) else verdict.value


def pairs(path: Path = PAIRS) -> tuple[Pair, ...]:
    """All pairs of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="|", quoting=csv.QUOTE_NONE) if row and row[0][0] != "#"]
    return tuple(Pair(name, kind, card, said, Verdict(verdict), ask == "yes")
                 for name, kind, card, said, verdict, ask in rows)


def plain_baseline(card: Card, said: str) -> Verdict:
    """Right where the words are much those of the answer or an alias, wrong otherwise."""
    best = max(fuzz.token_set_ratio(said, text, processor=utils.default_process)
               for text in (card.answer, *card.aliases, *card.aliases_written))
    return Verdict.RIGHT if best >= BASELINE else Verdict.WRONG


@cache
def sealed_packs(model: str | None = None) -> Packs:
    """The shipped packs with the pronunciations that the judge gets at the table."""
    packs = decks.load(CLUES)
    sounds = [pair for card in packs.clues for pair in card.sounds]
    lexicon = Lexicon(find(model) / "lang")
    return replace(packs, pronunciations=Sounds(vocabulary(spoken_texts(packs, ()), sounds, lexicon), lexicon))


def judged(options: Options, split: str, path: Path = PAIRS) -> list[tuple[Pair, Verdict, Verdict]]:
    """Each pair of a half with the judge's verdict and the baseline's."""
    packs = sealed_packs(options.model)
    cards = {card.id: card for card in packs.clues}
    others = {card.id: tuple(other.answer for other in packs.clues if other is not card) for card in packs.clues}
    found = []
    for pair in pairs(path):
        if pair.split == split:
            card = cards[pair.card]
            verdict = judge_text(card, pair.said, others[card.id], packs.pronunciations).verdict
            found.append((pair, verdict, plain_baseline(card, pair.said)))
    return found


def measure(options: Options) -> Report:
    """Judge one half of the pairs; both are judged in seconds, so there is no sample."""
    report = Report("judge")
    rows = judged(options, options.split)
    kinds: dict[str, list[tuple[Pair, Verdict, Verdict]]] = defaultdict(list)
    for row in rows:
        kinds[row[0].kind].append(row)
    report.table(
        f"Agreement with a fair person, {len(rows)} pairs of the {options.split} half", ("kind", "judge", "token_set"),
        [(kind, _agreement(part, 1), _agreement(part, 2)) for kind, part in sorted(kinds.items())],
    )
    confused = Counter((three(pair.verdict), three(verdict)) for pair, verdict, _ in rows)
    columns = ("right", "unspecific", "again", "no")
    report.table("Wanted (down) and judged (across)", ("wanted", *columns),
                 [(want, *(confused[want, got] for got in columns)) for want in ("right", "unspecific", "no")])
    wrong = _wrong(rows)
    if options.split == "tuning":
        told = ("said", "card", "kind", "wanted", "judged")
        report.table("Disagreements", told, wrong)
        more = judged(options, options.split, MORE)
        report.table(f"Disagreements among {len(more)} further pairs, which count for nothing", told, _wrong(more))
    else:
        report.note(f"\n{len(wrong)} disagreements; they are listed for the tuning half only (--tuning)")
    negatives = [row for row in rows if row[0].verdict is not Verdict.RIGHT and row[0].kind not in EASY]
    parts = [row for row in negatives if row[0].kind in ("subset", "superset")]
    hard = Share(sum(pair.kind not in EASY for pair, _, _ in rows), len(rows))
    report.at_least("text: three-way agreement", _agreement(rows, 1), 0.95)
    report.at_most("text: hard negatives accepted", _accepted(negatives, 1), 0.02)
    report.at_most("text: sub- and supersets accepted", _accepted(parts, 1), 0.03)
    report.at_most("text: agreement of token_set_ratio (above, the pairs are too easy)", _agreement(rows, 2), TOO_EASY)
    report.at_least("text: pairs of hard kinds", hard, 0.40)
    report.note(f"token_set_ratio >= {BASELINE} accepts {_accepted(negatives, 2)} of the hard negatives")
    return report


def _wrong(rows: list[tuple[Pair, Verdict, Verdict]]) -> list[tuple[str, ...]]:
    return [(pair.said, pair.card, pair.kind, three(pair.verdict), three(verdict))
            for pair, verdict, _ in rows if not pair.agrees(verdict)]


def _agreement(rows: list[tuple[Pair, Verdict, Verdict]], which: int) -> Share:
    return Share(sum(row[0].agrees(row[2] if which == 2 else row[1]) for row in rows), len(rows))


def _accepted(rows: list[tuple[Pair, Verdict, Verdict]], which: int) -> Share:
    return Share(sum((row[2] if which == 2 else row[1]) is Verdict.RIGHT for row in rows), len(rows))
