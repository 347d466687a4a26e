"""Venn's words and cards: shipped lists, distance in sound, draws whose words are told apart (VN-2, VN-4, CE-20)."""

import gzip
import random
import string
import tomllib
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from venn_table import packs

from host.games.venn_state import ZONES
from host.games.venn_words import (
    alike,
    card_id,
    draw_numbers,
    draw_words,
    phone_distance,
    plain,
    sound_distance,
    stem,
    ways_to_say,
)
from host.packs import Packs
from host.packs.decks import load_numbers, load_words

ROOT = Path(__file__).resolve().parents[1]
CARDS = load_words(ROOT / "clues" / "venn" / "words.toml")
NUMBERS = load_numbers(ROOT / "clues" / "venn" / "numbers.toml")
TABLE = tomllib.loads((ROOT / "clues" / "venn" / "confusable.toml").read_text(encoding="utf-8"))
LEXICON = ROOT / "models" / "vosk-model-small-en-gamehost" / "lang" / "lexicon.txt.gz"
WORDS = [word for card in CARDS for word in card]
SPOKEN = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "venn", "stop",
    "go", "ready", "yes", "no", "pause", "repeat", "again", "score", "skip", "undo", "help", "continue", "louder",
    "quieter", "slower", "faster", "strike", "nobody", "number", "card", "words", "foxes", "owls", "objection",
)
COLOURS = ("red", "blue", "green", "white", "black", "yellow", "orange", "purple", "pink", "brown", "gray", "silver")


@pytest.fixture(scope="module")
def lexicon() -> dict[str, tuple[tuple[str, ...], ...]]:
    """The shipped model's pronunciations."""
    found: dict[str, list[tuple[str, ...]]] = {}
    with gzip.open(LEXICON, "rt", encoding="utf-8") as file:
        for line in file:
            word, *phones = line.split()
            found.setdefault(word, []).append(tuple(phones))
    found.setdefault("venn", [("V", "EH", "N")])
    return {word: tuple(ways) for word, ways in found.items()}


@pytest.fixture(scope="module")
def shipped(lexicon: dict[str, tuple[tuple[str, ...], ...]]) -> Packs:
    """The shipped words with their sounds and the measured table."""
    pairs = tuple((one, other) for one, other in TABLE["pairs"])
    sounds = {part: lexicon[part] for word in (*WORDS, *SPOKEN, *COLOURS) for part in plain(word).split()}
    return packs(words=CARDS, numbers=NUMBERS, pronunciations=sounds, confusable=pairs, closest=TABLE["closest"])


def test_there_are_three_hundred_different_words() -> None:
    """VN-2: 100 cards of three; no two words are the same but for articles, "to" and plurals."""
    assert len(CARDS) == 100
    assert len({stem(word) for word in WORDS}) == 300
    assert all(len(word.split()) <= 2 and set(word) <= set(string.ascii_lowercase + " ") for word in WORDS)


def test_there_are_a_hundred_different_number_cards() -> None:
    """VN-4: all different triples of 1-12, each number on about as many cards as any other."""
    assert len({tuple(sorted(card)) for card in NUMBERS}) == 100
    counts = [sum(one in card for card in NUMBERS) for one in range(1, 13)]
    assert max(counts) - min(counts) <= 6


def test_no_word_is_a_number_a_command_a_colour_or_a_team() -> None:
    """VN-1, VN-2: nothing that could be meant otherwise stands in the list."""
    forbidden = {stem(word) for word in (*SPOKEN, *COLOURS, *ZONES)}
    assert not [word for word in WORDS if stem(word) in forbidden or set(plain(word).split()) & forbidden]


def test_the_recogniser_knows_every_word(lexicon: dict[str, tuple[tuple[str, ...], ...]]) -> None:
    """REC-01: every part of every word is in the shipped lexicon."""
    assert not [word for word in WORDS if not all(part in lexicon for part in plain(word).split())]


def test_no_word_sounds_like_another_or_like_a_number_or_venn(shipped: Packs) -> None:
    """VN-9: no homophones in the list, of each other or of numbers, commands and "venn"."""
    by_length: dict[int, list[str]] = {}
    for word in WORDS:  # the measure is a share of the longer row: so near are only rows of one length
        for way in ways_to_say(word, shipped):
            by_length.setdefault(len(way), []).append(word)
    rows = list(by_length.values())
    pairs = {pair for row in rows for pair in combinations(dict.fromkeys(row), 2)}
    assert not [pair for pair in pairs if sound_distance(*pair, shipped) < 0.1]
    near = [(one, other) for one in WORDS for other in SPOKEN if sound_distance(one, other, shipped) < 0.3]
    assert not near


def test_words_on_one_card_are_told_apart(shipped: Packs) -> None:
    """VN-2: a card whose own words are alike could never be drawn."""
    assert not [card for card in CARDS if any(alike(*pair, shipped) for pair in combinations(card, 2))]


def test_the_measured_table_is_about_these_words() -> None:
    """VN-2: every pair of the table is a pair of list words in alphabetical order."""
    words = {plain(word) for word in WORDS}
    pairs = TABLE["pairs"]
    assert pairs
    assert all(one < other and {one, other} <= words for one, other in pairs)
    assert 0 < TABLE["closest"] < 1


@pytest.mark.parametrize(("word", "bare", "root"), [
    ("to fold", "fold", "fold"), ("The River", "river", "river"), ("an  apple", "apple", "apple"), ("a", "a", "a"),
    ("stories", "stories", "story"), ("boxes", "boxes", "box"), ("churches", "churches", "church"),
    ("wishes", "wishes", "wish"), ("glasses", "glasses", "glass"), ("glass", "glass", "glass"),
    ("tomato", "tomato", "tomato"), ("rivers", "rivers", "river"), ("as", "as", "as"),
])
def test_articles_to_and_plurals_make_no_difference(word: str, bare: str, root: str) -> None:
    """VN-9: "to fold" is "fold", "rivers" are "river"."""
    assert (plain(word), stem(word)) == (bare, root)


def naive(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Weighted edits by plain recursion."""
    if not one or not other:
        return float(len(one) + len(other))
    change = 1 - phone_alike(one[0], other[0])
    return min(naive(one[1:], other) + 1, naive(one, other[1:]) + 1, naive(one[1:], other[1:]) + change)


def phone_alike(one: str, other: str) -> float:
    """Likeness of two phones, read off one-phone rows."""
    return 1 - phone_distance((one,), (other,))


phones = st.lists(st.sampled_from(("P", "B", "T", "S", "AH", "IH", "OW", "N", "M")), max_size=5).map(tuple)


@settings(max_examples=200, deadline=None)
@given(phones, phones)
def test_distance_equals_a_naive_reference(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """The row-by-row distance is that of a plain recursion, symmetric, and 0 only for the same row."""
    longest = max(len(one), len(other), 1)
    assert phone_distance(one, other) == pytest.approx(naive(one, other) / longest)
    assert phone_distance(one, other) == pytest.approx(phone_distance(other, one))
    assert (phone_distance(one, other) == 0) == (one == other)


def test_phones_of_a_family_are_near() -> None:
    """A voiced and an unvoiced stop are nearer than two vowels, and those nearer than vowel and consonant."""
    row = [phone_distance((one,), (other,)) for one, other in (("P", "P"), ("P", "B"), ("IY", "OW"), ("P", "OW"))]
    assert row == sorted(set(row))


def test_pronunciations_of_phrases_are_joined() -> None:
    """A phrase sounds as its words in a row; where one is unknown nothing is known."""
    small = packs(pronunciations={"night": (("N", "AY", "T"),), "sky": (("S", "K", "AY"), ("S", "G", "AY"))})
    assert ways_to_say("the night sky", small) == (
        ("N", "AY", "T", "S", "K", "AY"), ("N", "AY", "T", "S", "G", "AY"),
    )
    assert ways_to_say("night owl", small) == ()
    assert sound_distance("night owl", "night sky", small) == 1.0


def test_what_keeps_two_words_apart() -> None:
    """VN-2: the same stem, a measured pair, or a distance below the measured one."""
    sounds = {"cat": (("K", "AE", "T"),), "cad": (("K", "AE", "D"),), "moon": (("M", "UW", "N"),)}
    small = packs(pronunciations=sounds, confusable=(("lamp", "moon"),), closest=0.2)
    assert alike("to cat", "cats", small)
    assert alike("moon", "a lamp", small)
    assert alike("cat", "cad", small)
    assert not alike("cat", "moon", small)


def test_a_years_rounds_never_hold_an_alike_pair(shipped: Packs) -> None:
    """VN-2, CE-20: a hundred cards last for 25 rounds; in the first 22 no round holds a pair that is confused."""
    for seed in range(3):
        used: tuple[str, ...] = ()
        for turn in range(22):
            cards, used, anew = draw_words(shipped, used, random.Random(f"{seed}/{turn}"))
            words = [word for card in cards for word in card]
            assert not anew
            assert len(set(words)) == 12
            assert not [pair for pair in combinations(words, 2) if alike(*pair, shipped)]
        assert len(used) == 88


def test_a_deck_in_which_everything_is_alike_still_gives_a_round() -> None:
    """VN-2: better twelve words of which two are alike than no round."""
    sounds = {word: (("M", "UW", "N"),) for card in packs(6).words for word in map(plain, card)}
    cards, _, _ = draw_words(packs(6, pronunciations=sounds, closest=0.5), (), random.Random(1))
    assert len(set(cards)) == 4
    many, _, _ = draw_words(packs(300, pronunciations={
        **{plain(word): (("M", "UW", "N"),) for card in packs(300).words for word in card},
    }, closest=0.5), (), random.Random(1))
    assert len(set(many)) == 4


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 14), st.integers(0, 99))
def test_no_card_comes_twice_before_all_have_been_used(cards: int, seed: int) -> None:
    """CE-20: over any number of rounds a card comes back only when every other one has been used."""
    deck = packs(cards)
    used: tuple[str, ...] = ()
    since: set[str] = set()
    for turn in range(12):
        four, used, anew = draw_words(deck, used, random.Random(f"{seed}/{turn}"))
        ids = {card_id(card) for card in four}
        repeated, whole = ids & since, len(since | ids) == cards
        assert whole or not repeated
        assert anew == whole
        since = repeated if whole else since | ids
        assert set(used) == since


def test_number_cards_in_one_round_differ() -> None:
    """VN-4: the teams' cards differ but may share numbers."""
    deck = packs()
    cards, used, anew = draw_numbers(deck, 2, (), random.Random(1))
    assert len(set(cards)) == 2
    assert used == tuple(card_id(card) for card in cards)
    assert not anew
