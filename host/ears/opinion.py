"""What is being said: two opinions on it, when it is over, and which of its words were the host's own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from host.clock import Samples, samples
from host.ears.hcl import UNKNOWN
from host.ears.kaldi import Recogniser
from host.events import Listens, Word

GRAMMAR_LAG = samples(0.18)
"""By so much the grammar's partials follow the sound: the median between a word's end and its first partial."""
DICTATION_LAG = samples(0.38)
"""The same for dictation."""
UNSURE = 0.3
"""Confidence of words that a partial had and the final lost (REC-10)."""
OPEN = 0.5
"""Confidence of a partial's words; the library gives none in time."""
OVER_HOST = 10.0
"""dB over the expected residue at which a word counts though the host is saying it as well (BAR-15)."""
THINKING = samples(3.0)
"""Silence that ends an utterance whose words end with one of `Listens.unfinished` (GAM-02)."""
EMPTY = samples(0.45)
"""Silence that ends an utterance of which neither opinion has a word: a cough, after which the host goes on."""


@dataclass
class Opinion:
    """A recogniser at work on the running utterance, with the partial it had last."""

    recogniser: Recogniser
    lag: Samples
    words: tuple[Word, ...] = ()

    def look(self, at: Samples, began: Samples) -> bool:
        """Take the recogniser's partial; whether its text changed. Words that stay keep their sample (KEY-12)."""
        texts = self.recogniser.partial().split()
        if texts == [word.text for word in self.words]:
            return False
        same = 0
        while same < min(len(texts), len(self.words)) and texts[same] == self.words[same].text:
            same += 1
        when = max(at - self.lag, began)
        self.words = (*self.words[:same], *(Word(text, when, when, OPEN) for text in texts[same:]))
        return True

    def heard_nothing_last(self) -> bool:
        """Whether its last word is none that it knows, or there is none."""
        return not self.words or self.words[-1].text == UNKNOWN


@dataclass
class Utterance:
    """What is being said."""

    number: int
    began: Samples
    first: Samples
    """The first sample that was decoded."""
    grammar: Opinion
    dictation: Opinion
    voiced: Samples
    """The sample after the last that was voiced."""
    audio: bytearray = field(default_factory=bytearray)
    believed: tuple[Word, ...] = ()
    """The grammar's words after the second look at "venn"."""
    changed: Samples = 0
    """When either opinion's words changed last."""
    told: Samples | None = None
    """When the last partial came that was not told once more."""
    probed: str | None = None
    """The partial that was last taken for complete and was not."""
    whole: tuple[Word, ...] | None = None
    """The grammar's final words, where they are a complete phrase: it waits for silence or for more."""
    margin: float | None = None
    """The second look at them."""
    resumed: bool = False
    """Whether a voice was heard after that: it goes on if dictation has new words too."""
    levels: list[tuple[Samples, float]] = field(default_factory=list)
    rose: Samples | None = None
    """Where a band of the sound rose that became speech (host.ears.onset)."""
    over_host: bool = False
    """Whether it began while something of the host's voice was left in the microphone."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What was known of a block: for telling the host's words from a player's."""

    at: Samples
    ended: Samples
    level: float
    residue: float
    host_words: tuple[str, ...]


def host_says(word: Word, moments: Iterable[Moment]) -> bool:
    """Whether the host was saying this word just then, and nobody spoke well above what is left of it."""
    then = [m for m in moments if m.at < max(word.ended, word.began + 1) and m.ended > word.began]
    if not any(word.text in moment.host_words for moment in then):
        return False
    return max(moment.level for moment in then) < max(moment.residue for moment in then) + OVER_HOST


LIKELY = samples(0.42)
"""Silence that ends an utterance which may be a whole guess, though it could go on."""


def silence(utterance: Utterance, now: Samples, whole: bool) -> Samples:
    """For how long nobody has spoken, by the detector; after what may be a `whole` guess also by new words.

    In noise the detector hears voices long after the last word; then no new words are what tells.
    """
    if not whole or not utterance.changed:
        return now - utterance.voiced
    return max(now - utterance.voiced, now - utterance.changed - DICTATION_LAG)


def patience(utterance: Utterance, listens: Listens, likely: bool = False) -> Samples:
    """How much silence ends it: that depends on what was said. `likely`: it may be a whole guess."""
    said, dictated = (
        [word.text for word in opinion.words if word.text != UNKNOWN]
        for opinion in (utterance.grammar, utterance.dictation)
    )
    if not said and not dictated:
        return min(EMPTY, listens.patience)
    thinks = _ends_with(dictated, listens.unfinished)
    if thinks and (utterance.grammar.heard_nothing_last() or _ends_with(said, listens.unfinished)):
        return max(THINKING, listens.patience)
    return min(LIKELY, listens.patience) if likely else listens.patience


def _ends_with(words: Sequence[str], phrases: Iterable[str]) -> bool:
    """Whether the last words are one of these phrases."""
    text = " " + " ".join(words)
    return any(text.endswith(f" {phrase}") for phrase in phrases)


def fuller(final: tuple[Word, ...], partial: tuple[Word, ...]) -> tuple[Word, ...]:
    """The final, or the last partial where the final lost some of its words without finding others (REC-10).

    The lost words come back with little confidence: enough to ask for once more, not to judge by.
    """
    said = iter(word.text for word in partial)
    real = [word for word in final if word.text != UNKNOWN]
    if len(real) >= len([word for word in partial if word.text != UNKNOWN]):
        return final
    if not all(any(text == word.text for text in said) for word in real) or len(real) != len(final):
        return final
    rest = list(final)
    words = []
    for word in partial:
        if rest and rest[0].text == word.text:
            words.append(rest.pop(0))
        elif word.text != UNKNOWN:
            words.append(Word(word.text, word.began, word.ended, UNSURE))
    return tuple(words)
