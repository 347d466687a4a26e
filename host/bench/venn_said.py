"""What is said at Venn's table in benches and in training: calls, words near "venn", talk, list words."""

from functools import cache

from host.app.paths import CLUES
from host.packs.decks import load_words

CALLS_ALONE = ("Venn!", "Venn.", "Venn?")
CALLS_WITHIN = ("Venn! Venn!", "Venn, Foxes!", "Venn! Owls!", "Foxes, venn!", "Okay, venn!", "I have it, venn!",
                "That's it! Venn!", "Yes, venn!", "No, no. Venn!", "Look at that one, venn!", "Venn, it's us!",
                "And, venn!", "Venn, stop!")
NEAR_GOAL = ("when", "then", "ten", "men", "end", "vent", "van", "fan", "seven", "eleven")
"""The near words of the goal."""
NEAR_MORE = (
    "pen", "hen", "den", "Ben", "been", "again", "even", "oven", "heaven", "vein", "fen", "them", "venue", "vend",
    "friend", "lend", "bend", "amen", "went", "fence", "vine", "vin", "event", "invent", "often", "driven", "given",
    "Evan", "Kevin", "Devon", "yen", "wren", "glen", "Jen", "Ken", "Len", "Zen", "fun", "fin", "phone", "vain", "veil",
    "vest", "vet", "very", "ventilate", "prevent", "vending", "in", "and", "an", "on", "man", "can", "than",
)
NEAR_SAID = tuple(f"{word.capitalize()}." for word in (*NEAR_GOAL, *NEAR_MORE))
TALK_SAID = (
    "When was that?", "And then we went home again.", "Ten men in a van.", "I think that is even better.",
    "Seven or eleven?", "Ben, put it there.", "When do we begin?", "No, then it is the other one.",
    "Can you lend me a pen?", "The end of the line.", "Look, it is a fan.", "That one is very heavy.",
    "What is this in the middle?", "It could be a friend.", "Wait, there is one more.", "Then again, maybe not.",
    "Is it seven?", "Eleven cards and then ten.", "Have you been there before?", "Not in the oven!",
)


@cache
def words_said() -> tuple[str, ...]:
    """Every list word as somebody says it."""
    cards = load_words(CLUES / "venn" / "words.toml")
    return tuple(f"{word.removeprefix('to ').capitalize()}." for card in cards for word in card)
