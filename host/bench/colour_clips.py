"""What is said, and by whom, to train the net for the eight colours: `python -m host.bench.colour_clips` makes it all.

Colours alone, in front of guesses and behind them, by the tuning voices, by the ways of asking them that sound like
somebody, and by the crowd; against them guesses without a colour and words that sound like one, beside all that the
net for "venn" is trained against (`host.bench.venn_clips`).
"""

import random
from collections.abc import Iterator

from host.app.paths import CLUES
from host.bench import venn_clips
from host.bench.frame import MissingError
from host.bench.kokoro import HINT
from host.bench.library import Library
from host.bench.venn_clips import CROWD_APART, Saying
from host.bench.venn_voices import PEOPLE, Chorus, Roster, crowd
from host.packs import decks
from host.understand import COLOURS

NEAR_COLOURS = (
    "Bread.", "Bed.", "Head.", "Ready.", "Reed.", "Rat.", "Wed.", "Shred.", "Glue.", "Blow.", "Bloom.", "Two.", "Who?",
    "New.", "Boo.", "Flew.", "Grin.", "Queen.", "Screen.", "Greet.", "Grain.", "Cream.", "Gene.", "Wide.", "Right.",
    "Wait.", "Quite.", "Why?", "What?", "Light.", "Weight.", "Hello.", "Fellow.", "Jello.", "Yell.", "Yes.", "Mellow.",
    "Pepper.", "People.", "Turtle.", "Couple.", "Purpose.", "Person.", "Apple.", "Salver.", "Sister.", "Filter.",
    "Silly.", "Solver.", "Sliver.", "Self.", "Turkey.", "Toys.", "Voice.", "Tour.", "Turn.", "Noise.", "Orange.",
    "Black.", "Gray.", "Gold.", "Pink.", "Brown.",
)
"""Words that sound like a colour, and colours that nobody plays."""
BEHIND = ("{answer}, {colour}.", "It was {colour}.", "{answer}. {colour}!", "I think it was {colour}.", "Me, {colour}.")
FRONT = ("{colour}, {answer}.", "{colour}. {answer}.", "{colour}, is it {answer}?", "{colour}! {answer}!",
         "{colour} is here.", "{colour}, {answer}.")


def sayings(seed: int = 2) -> list[Saying]:
    """Everything, in an order drawn by seed. Kinds of a colour's are alone, first and last."""
    draw = random.Random(seed)
    plain = Library().voices("tuning")
    answers = sorted(answer for answer in {card.answer for card in decks.load(CLUES).clues}
                     if not set(answer.lower().split()) & set(COLOURS))
    found: list[Saying] = []
    for voice, front, behind in [*((voice, 3, 2) for voice in plain), *((voice, 2, 1) for voice in PEOPLE),
                                 *((voice, 1, 1) for voice in crowd(CROWD_APART))]:
        for colour in COLOURS:
            found.append(Saying("alone", voice, f"{colour.capitalize()}."))
            found += [Saying("first", voice, _filled(draw, FRONT, colour, answers)) for _ in range(front)]
            if behind > 1 or draw.random() < 0.5:
                found += [Saying("last", voice, _filled(draw, BEHIND, colour, answers)) for _ in range(behind)]
        found += [Saying("guess", voice, f"{answer[0].upper()}{answer[1:]}.") for answer in draw.sample(answers, 4)]
        found += [Saying("near", voice, text) for text in draw.sample(NEAR_COLOURS, 6 if voice.startswith("k") else 20)]
    draw.shuffle(found)
    return list(dict.fromkeys(found))


def _filled(draw: random.Random, forms: tuple[str, ...], colour: str, answers: list[str]) -> str:
    text = draw.choice(forms).format(colour=colour, answer=draw.choice(answers))
    return f"{text[0].upper()}{text[1:]}"


def colour_of(one: Saying) -> str:
    """The colour that a saying names; empty for one that names none."""
    return next(_named(one.text), "") if one.kind in ("alone", "first", "last") else ""


def _named(text: str) -> Iterator[str]:
    words = text.lower().replace(",", " ").replace(".", " ").replace("!", " ").replace("?", " ").split()
    return (word for word in (words[0], words[-1], *words) if word in COLOURS)


def make() -> tuple[list[Saying], list[Saying]]:
    """All clips that the voices on this machine can make: of colours and against them. Raises MissingError."""
    if not crowd():
        raise MissingError(f"Kokoro's voices are not on this machine: {HINT}")
    own = sayings()
    good = set(Chorus(Roster()).all_of((one.voice, one.text) for one in own))
    mine = [one for one in own if (one.voice, one.text) in good]
    others = [Saying("word" if one.kind in ("alone", "first", "last") else one.kind, one.voice, one.text)
              for one in venn_clips.make()]
    return mine, [one for one in others if not set(one.text.lower().replace(".", " ").split()) & set(COLOURS)]


if __name__ == "__main__":
    made, _ = make()
    print(f"{len(made)} clips of {len({one.voice for one in made})} voices; held out: {sum(one.held for one in made)}")
