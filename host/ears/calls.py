"""Which "venn" of the grammar is believed, and where one is put in that only the second look has heard (VN-8)."""

from collections.abc import Sequence
from dataclasses import replace

from host.clock import Samples, samples
from host.ears.hcl import UNKNOWN
from host.ears.keyword import Net, Spotter
from host.events import Word
from host.sound import Pcm

CALL = "venn"
BEFORE = samples(0.5)
"""A partial's word ended at most so long before the sample that it carries."""
BEHIND = samples(0.3)
"""The best window ends so long after the word at the latest."""
LENGTH = samples(0.35)
"""How long a call is taken to be that only the second look has heard."""
TAIL = samples(0.08)
"""The best window ends about so long after the call."""


class Calls:
    """The second look along a stream, while "venn" is wanted."""

    def __init__(self, net: Net) -> None:
        self.wanted = False
        self.spotter = Spotter(net)

    def hear(self, at: Samples, pcm: Pcm) -> None:
        """Take the samples from `at` on."""
        if not self.wanted or self.spotter.at != at:
            self.spotter.reset(at)
        if self.wanted:
            self.spotter.hear(pcm)

    def believed(self, words: tuple[Word, ...], began: Samples, now: Samples) -> tuple[Word, ...]:
        """`believed` while it is wanted, otherwise the words as they are."""
        return believed(words, self.spotter, began, now) if self.wanted else words


def believed(words: Sequence[Word], spotter: Spotter, began: Samples, now: Samples) -> tuple[Word, ...]:
    """The words of an utterance begun at `began`, each "venn" that the second look refuses made `[unk]`."""
    row: list[Word] = []
    there = False
    for word in words:
        if word.text != CALL:
            row.append(word)
            continue
        timed = word.ended > word.began
        since = (word.began if timed else word.began - BEFORE)
        score = spotter.best(max(since, began), min(word.ended + BEHIND, now)).score
        there = there or score >= spotter.net.keep
        row.append(word if score >= spotter.net.keep else replace(word, text=UNKNOWN))
    if there:
        return tuple(row)
    found = spotter.best(began, now)
    if found.score < spotter.net.find:
        return tuple(row)
    ended = max(began, found.at - TAIL)
    call = Word(CALL, max(began, ended - LENGTH), ended, found.score)
    place = next((at for at, word in enumerate(row) if word.began > call.ended), len(row))
    return (*row[:place], call, *row[place:])
