"""What is said, and by whom, to train and tune the net for "venn": `python -m host.bench.venn_clips` makes it all."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from host.app.paths import CLUES, MODELS
from host.bench.frame import MissingError
from host.bench.kokoro import HINT
from host.bench.library import Library
from host.bench.venn_said import CALLS_ALONE, NEAR_SAID, TALK_SAID, words_said
from host.bench.venn_voices import PEOPLE, WAYS, Chorus, Roster, crowd, program
from host.ears.lexicon import Lexicon
from host.packs.decks import load

CROWD_APART = ("af_bella", "af_nova", "am_eric", "am_puck", "bf_emma", "bm_george", "hm_omega", "if_sara", "zf_xiaoyi")
HELD_OUT = ("us2", "joe", *CROWD_APART)
"""Programs and voices that take no part in the training: on them the threshold is chosen."""
OF_EACH = {"first": 2, "last": 2, "near": 8, "nearer": 4, "word": 3, "talk": 1}
"""How much each voice of the crowd says, beside the call alone."""
CALLS_FIRST = (
    "Venn, Foxes!", "Venn Foxes.", "Venn! Owls!", "Venn, Owls.", "Venn, it's us!", "Venn, stop!", "Venn, ice cream.",
    "Venn, river.", "Venn, apple!", "Venn, helicopter.", "Venn, umbrella.", "Venn, we have it.", "Venn, diamond.",
    "Venn, and it is the wolf.", "Venn, too easy!", "Venn, camera, piano, brave.", "Venn, number seven.",
)
"""Sentences that begin with the call."""
CALLS_LAST = (
    "Foxes, venn!", "Okay, venn!", "I have it, venn!", "That's it! Venn!", "Yes, venn!", "No, no. Venn!",
    "Look at that one, venn!", "And, venn!", "We've got it. Venn!", "Oh, venn!", "The Owls say venn!", "Now, venn.",
    "So then, venn!", "One more and venn!", "All right, venn!", "It must be, venn!", "Stop, venn!", "Me, me, venn!",
)
"""Sentences that end with it."""
SOUND = ("V", "EH", "N")
RANDOM_WORDS, RANDOM_NEAR, SENTENCES = 900, 420, 900



@dataclass(frozen=True, slots=True)
class Saying:
    """A clip: `kind` is alone, first, last (of a call), near, word or talk."""

    kind: str
    voice: str
    text: str

    @property
    def held(self) -> bool:
        """Whether it is for the threshold instead of the training."""
        return program(self.voice) in HELD_OUT


def sayings(seed: int = 1) -> list[Saying]:
    """Everything, in an order drawn by seed."""
    draw = random.Random(seed)
    plain = Library().voices("tuning")
    people, everybody = (*plain, *PEOPLE), (*plain, *WAYS)
    found = [Saying("alone", voice, text) for voice in everybody for text in CALLS_ALONE]
    for kind, texts in (("first", (*CALLS_FIRST,)), ("last", (*CALLS_LAST,))):
        found += [Saying(kind, voice, text) for text in texts for voice in plain]
        found += [Saying(kind, voice, text) for voice in people for text in draw.sample(texts, 4)]
    found += [Saying("near", voice, text) for voice in plain for text in NEAR_SAID]
    found += [Saying("near", voice, text) for voice in everybody for text in draw.sample(NEAR_SAID, 12)]
    found += [Saying("talk", voice, text) for voice in plain for text in TALK_SAID]
    found += [Saying("word", voice, text) for voice in plain for text in words_said()]
    near, other = lexicon_words(draw)
    for text in near:
        found += [Saying("near", voice, text) for voice in draw.sample(people, 4)]
    for text in other:
        found += [Saying("word", voice, text) for voice in draw.sample(people, 2)]
    for text in draw.sample(_statements(), SENTENCES):
        found.append(Saying("talk", draw.choice(people), text))
    asked: tuple[tuple[str, str, Sequence[str]], ...] = (
        ("first", "first", CALLS_FIRST), ("last", "last", CALLS_LAST), ("near", "near", NEAR_SAID),
        ("nearer", "near", near), ("word", "word", other), ("talk", "talk", TALK_SAID))
    for voice in crowd(CROWD_APART):
        found += [Saying("alone", voice, text) for text in CALLS_ALONE]
        for name, kind, lines in asked:
            found += [Saying(kind, voice, text) for text in draw.sample(lines, OF_EACH[name])]
    draw.shuffle(found)
    return list(dict.fromkeys(found))


def _statements() -> list[str]:
    """Sentences of the clue cards."""
    packs = load(CLUES)
    return sorted({text for card in packs.clues for text in card.statements})


def lexicon_words(draw: random.Random) -> tuple[list[str], list[str]]:
    """Words of the lexicon that are a sound or two from "venn", or hold most of it; and any words."""
    words = {word: ways for word, ways in Lexicon(MODELS / "vosk-model-small-en-gamehost" / "lang").find().items()
             if word.isalpha() and len(word) > 1 and ways}
    usable = sorted(word for word, ways in words.items() if SOUND not in map(_plain, ways))
    close = [word for word in usable if min(distance(_plain(way), SOUND) for way in words[word]) <= 1]
    within = [word for word in usable if any(_holds(_plain(way)) for way in words[word])]
    near = [*draw.sample(close, min(len(close), RANDOM_NEAR // 2)), *draw.sample(within, RANDOM_NEAR // 2)]
    return _said(near), _said(draw.sample(usable, RANDOM_WORDS))


def _said(words: Iterable[str]) -> list[str]:
    return [f"{word.capitalize()}." for word in dict.fromkeys(words)]


def _plain(way: Sequence[str]) -> tuple[str, ...]:
    """Phones without stress."""
    return tuple(phone.rstrip("012") for phone in way)


def _holds(phones: tuple[str, ...]) -> bool:
    """Whether V, a vowel and N, or the like, stand in it."""
    return any(a in ("V", "F", "B", "W") and b in ("EH", "IH", "AH", "AE") and c in ("N", "M", "NG")
               for a, b, c in zip(phones, phones[1:], phones[2:], strict=False)) and len(phones) < 9


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Sounds changed, left out or put in between two words."""
    row = list(range(len(other) + 1))
    for at, phone in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, wanted in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (phone != wanted))
    return row[-1]


def make() -> list[Saying]:
    """All clips that the voices on this machine can make. Raises MissingError where a program is not here."""
    if not crowd():
        raise MissingError(f"Kokoro's voices are not on this machine: {HINT}")
    wanted = sayings()
    good = set(Chorus(Roster()).all_of((one.voice, one.text) for one in wanted))
    return [one for one in wanted if (one.voice, one.text) in good]


if __name__ == "__main__":
    made = make()
    print(f"{len(made)} clips of {len({one.voice for one in made})} voices; held out: {sum(one.held for one in made)}")
