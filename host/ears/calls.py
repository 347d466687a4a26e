"""Where "venn" was called: the net for the word, and the recogniser's lead over what sounds like it (VN-8).

The net (host.ears.keyword) scores the sound every 20 or 30 ms. Where it finds the word at all likely, the recogniser is
asked once more, about the last second alone: by how much is "venn" likelier than "when", "ten", "van" and others?
Each knows what the other does not: the recogniser has heard many more voices, the net listens to this word only
and to what follows it. Both together are one score, from whose threshold on it is a call. A "venn" that the grammar
has heard needs a lead as well, for the grammar itself holds no rivals, and a net that finds the word possible at all.

Between that threshold and a second one (`Net.sure`, for the lead `Net.sure_lead`) it is written as `PERHAPS`: the
host asks instead of stopping the game. Where the file has no second one, every call is sure.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from host.clock import Samples, samples
from host.ears.hcl import UNKNOWN
from host.ears.keyword import KEPT, Finder, Score, Spotter
from host.events import Word
from host.sound import Pcm

CALL = "venn"
PERHAPS = "venn?"
"""A call that the ear is not sure of."""
RIVALS = ("when", "then", "ten", "men", "end", "vent", "van", "fan", "seven", "eleven", "pen", "been", "again", "even",
          "vein", "them", "friend", "went", "in", "and")
"""What it is compared with."""
SPAN = samples(0.95)
"""So much of the sound is compared."""
APART = samples(0.08)
"""The recogniser is not asked more often."""
FRESH = samples(0.6)
"""So long after a word of the grammar the recogniser may be asked about it."""
LATELY = samples(1.1)
"""The grammar has a word at the most so long after its end: the net must have scored it by then."""
BEFORE = samples(0.5)
"""A partial's word ended at most so long before the sample that it carries."""
LENGTH = samples(0.35)
"""How long a call is taken to be that the grammar has not heard."""
BEHIND = samples(0.4)
"""A score comes at most so long after the end of its window."""
TAIL = samples(0.11)
"""The best window ends about so long after the call."""


@runtime_checkable
class Judge(Protocol):
    """Who can compare words in a stretch of sound (`host.ears.kaldi.VoskEngine`)."""

    def lead(self, pcm: bytes, word: str, rivals: Sequence[str]) -> float:
        """By how much the sound likelier holds the word than a rival alone, in nepers."""

    def knows(self, word: str) -> bool:
        """Whether it has the word."""


def looks(finder: Finder, judge: object, sound: NDArray[np.int16]) -> list[tuple[Samples, float, float]]:
    """(sample, score, lead) wherever the recogniser would be asked in a whole sound; with no judge the lead is 0."""
    found, ends = finder.scores(sound)
    asked: list[tuple[Samples, float, float]] = []
    last = -APART
    can = judge if isinstance(judge, Judge) and judge.knows(CALL) else None
    rivals = tuple(filter(can.knows, RIVALS)) if can else ()
    for score, end in zip(found.tolist(), ends.tolist(), strict=True):
        if score >= finder.net.keep and end - last >= APART:
            last = end
            lead = can.lead(sound[max(0, end - SPAN) : end].tobytes(), CALL, rivals) if can else 0.0
            asked.append((end, score, lead))
    return asked


class Calls:
    """Both opinions along a stream, while "venn" is wanted."""

    def __init__(self, finder: Finder, judge: object = None) -> None:
        """Without a `judge` that can compare words the net decides alone."""
        self.wanted = False
        self.spotter = Spotter(finder)
        self.found: deque[Score] = deque()
        """Scores of both together."""
        self._judge = judge if isinstance(judge, Judge) and judge.knows(CALL) else None
        self._rivals = tuple(filter(self._judge.knows, RIVALS)) if self._judge else ()
        self._past: Pcm = np.zeros(0, np.int16)
        self._looked = self._confirmed = 0

    def hear(self, at: Samples, pcm: Pcm) -> None:
        """Take the samples from `at` on."""
        if not self.wanted or self.spotter.at != at:
            self.spotter.reset(at)
            self.found.clear()
            self._past = self._past[:0]
            self._looked = self._confirmed = at - APART
        if not self.wanted:
            return
        self._past = np.concatenate([self._past, pcm])[-SPAN - BEHIND - len(pcm) :]
        known = self.spotter.scores[-1].at if self.spotter.scores else at - 1
        self.spotter.hear(pcm)
        for score in [one for one in self.spotter.scores if one.at > known]:
            self._weigh(score)
        while self.found and self.found[0].at < self.spotter.at - KEPT:
            self.found.popleft()

    def _weigh(self, score: Score) -> None:
        net = self.spotter.net
        if score.score < net.keep or score.at - self._looked < APART:
            return
        self._looked = score.at
        lead = 0.0
        if self._judge is not None:
            last = len(self._past) - (self.spotter.at - score.at)
            lead = self._judge.lead(self._past[max(0, last - SPAN) : last].tobytes(), CALL, self._rivals)
        both = net.together(score.score, lead)
        self.found.append(Score(score.at, both, net.certain(both)))

    def confirm(self, now: Samples) -> None:
        """The grammar has just heard it: ask the recogniser about the last second, not more often than `APART`."""
        if self._judge is None or now - self._confirmed < APART or now != self.spotter.at:
            return
        if self.spotter.best(now - LATELY, now).score < self.spotter.net.keep:
            return  # where the net finds nothing at all the recogniser is not asked: its limit was chosen without that
        self._confirmed = now
        lead = self._judge.lead(self._past[-SPAN:].tobytes(), CALL, self._rivals)
        if lead >= self.spotter.net.lead:
            self.found.append(Score(now, 1.0, self.spotter.net.certain_lead(lead)))

    def best(self, since: Samples, until: Samples) -> Score:
        """The best score of both together in that stretch; one that is sure is better than any that is not."""
        least = self.spotter.net.find
        return max((one for one in self.found if since <= one.at <= until),
                   key=lambda one: (one.sure and one.score >= least, one.score), default=Score(since, 0.0))

    def believed(self, words: tuple[Word, ...], began: Samples, now: Samples) -> tuple[Word, ...]:
        """The words of an utterance begun at `began`, with the calls that are believed and no others."""
        return believed(words, self, began, now) if self.wanted else words


def believed(words: Sequence[Word], calls: Calls, began: Samples, now: Samples) -> tuple[Word, ...]:
    """Each "venn" of the grammar without a call near it made `[unk]`, and a call put in that it has not heard.

    What is not sure is written as `PERHAPS`.
    """
    least = calls.spotter.net.find
    row: list[Word] = []
    for word in words:
        if word.text != CALL:
            row.append(word)
            continue
        since = word.began if word.ended > word.began else word.began - BEFORE
        until = min(word.ended + FRESH, now)
        if calls.best(max(since, began), until).score < least and now <= word.ended + FRESH:
            calls.confirm(now)
        best = calls.best(max(since, began), until)
        row.append(word if best.score >= least and best.sure else
                   replace(word, text=PERHAPS if best.score >= least else UNKNOWN))
    found = calls.best(began, now)
    there = [place for place, word in enumerate(row) if word.text in (CALL, PERHAPS)]
    if there and found.sure and all(row[place].text == PERHAPS for place in there):
        row[there[0]] = replace(row[there[0]], text=CALL)  # said again, and surely: it counts from the first
    if there or found.score < least:
        return tuple(row)
    ended = max(began, found.at - TAIL)
    call = Word(CALL if found.sure else PERHAPS, max(began, ended - LENGTH), ended, found.score)
    place = next((at for at, word in enumerate(row) if word.began > call.ended), len(row))
    return (*row[:place], call, *row[place:])
