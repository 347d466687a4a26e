"""Texts as they are said (TTS-20, TTS-21), and numbers as words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.voices import numerals
from host.voices.spoken import spoken, words_of

TABLE = [
    # years, decades, centuries
    ("1938", "nineteen thirty eight"), ("1905", "nineteen oh five"), ("1900", "nineteen hundred"),
    ("2000", "two thousand"), ("2005", "two thousand and five"), ("2024", "twenty twenty four"),
    ("1066", "ten sixty six"), ("in the 1990s", "in the nineteen nineties"), ("the '60s", "the sixties"),
    ("the 1800s", "the eighteen hundreds"), ("1914-18", "nineteen fourteen to eighteen"),
    ("1914–1918", "nineteen fourteen to nineteen eighteen"), ("196 BC", "one hundred and ninety six B.C."),
    ("44 B.C.", "forty four B.C."), ("AD 79", "A.D. seventy nine"), ("c. 1500", "about fifteen hundred"),
    # roman numerals
    ("Louis XIV", "Louis the fourteenth"), ("World War II", "World War two"), ("World War I", "World War one"),
    ("Henry VIII", "Henry the eighth"), ("Elizabeth I", "Elizabeth the first"), ("Pius X", "Pius the tenth"),
    ("Queen Elizabeth II's crown", "Queen Elizabeth the second's crown"), ("Malcolm X", "Malcolm X"),
    ("Super Bowl LIV", "Super Bowl fifty four"), ("Chapter IV", "Chapter four"), ("Rocky IV", "Rocky four"),
    ("Pope John Paul II", "Pope John Paul the second"), ("He and I", "He and I"), ("I, Claudius", "I, Claudius"),
    ("Vitamin C", "Vitamin C"), ("my friend Mary I love", "my friend Mary I love"), ("a CD", "a CD"),
    ("Chapter IIII", "Chapter IIII"), ("Part I", "Part one"), ("Leo XIII of Rome", "Leo the thirteenth of Rome"),
    # abbreviations, saints, streets, initials
    ("Dr. Watson", "Doctor Watson"), ("Mulholland Dr.", "Mulholland Drive."), ("St. Paul", "Saint Paul"),
    ("10 Downing St. in London", "ten Downing Street in London"), ("St. Mark's St.", "Saint Mark's Street."),
    ("221B Baker St.", "two hundred and twenty one B Baker Street."), ("Mr. and Mrs. Smith", "Mister and Missus Smith"),
    ("Mt. Everest", "Mount Everest"), ("Sgt. Pepper", "Sergeant Pepper"), ("Ft. Knox", "Fort Knox"),
    ("Martin Luther King Jr.", "Martin Luther King Junior."), ("cats, dogs, etc.", "cats, dogs, and so on."),
    ("e.g. this", "for example this"), ("No. 5", "number five"), ("No. It was not.", "No. It was not."),
    ("J. K. Rowling", "J K Rowling"), ("J.R.R. Tolkien", "J R R Tolkien"), ("George W. Bush", "George W Bush"),
    ("vitamin C. The end", "vitamin C. The end"), ("NASA", "NASA"), ("p. 7", "page seven"),
    # money
    ("$500", "five hundred dollars"), ("$1", "one dollar"), ("$5.50", "five dollars and fifty cents"),
    ("$0.99", "ninety nine cents"), ("$3 million", "three million dollars"),
    ("$1.5bn", "one point five billion dollars"), ("£20", "twenty pounds"), ("£1.01", "one pound and one penny"),
    ("€9.99", "nine euros and ninety nine cents"), ("¥300", "three hundred yen"), ("50¢", "fifty cents"),
    # numbers
    ("1,250,000", "one million two hundred and fifty thousand"), ("3.14", "three point one four"),
    ("0.5", "zero point five"), (".5", "zero point five"), ("007", "zero zero seven"),
    ("747", "seven hundred and forty seven"), ("1st", "first"), ("22nd", "twenty second"),
    ("112th", "one hundred and twelfth"), ("1/2", "one half"), ("2 1/2", "two and a half"), ("3½", "three and a half"),
    ("3/4", "three quarters"), ("3-6", "three to six"), ("-5", "minus five"), ("24/7", "twenty four seven"),
    ("Apollo 11", "Apollo eleven"), ("20,000 leagues", "twenty thousand leagues"), ("C3PO", "C three PO"),
    # dates and times
    ("July 4, 1776", "July fourth, seventeen seventy six"),
    ("4 July 1776", "the fourth of July seventeen seventy six"), ("Sept. 3", "September third"),
    ("7:30", "seven thirty"), ("7:00", "seven o'clock"), ("7:05 pm", "seven oh five P.M."), ("7 a.m.", "seven A.M."),
    ("a score of 33:20", "a score of thirty three to twenty"),
    ("rule 2 20/20", "rule two twenty twenty"), ("$2.00", "two dollars"), ("$2.5", "two point five dollars"),
    ("20/20 vision", "twenty twenty vision"),
    ("May 5 people come?", "May five people come?"), ("2 1/8", "two and an eighth"),
    # units and symbols
    ("50%", "fifty percent"), ("5 °C", "five degrees Celsius"), ("1°", "one degree"),
    ("-5°F", "minus five degrees Fahrenheit"), ("100 m", "one hundred metres"), ("60 mph", "sixty miles an hour"),
    ("1 ft", "one foot"), ("6 ft", "six feet"), ("R&B", "R and B"), ("AC/DC", "AC DC"), ("he/she", "he or she"),
    ("2 + 2 = 4", "two plus two equals four"), ("#1", "number one"), ("x²", "x squared"),
    # entities, tags, blanks, quotes and signs that can't be said
    ("Tom &amp; Jerry", "Tom and Jerry"), ("&quot;Hi&quot;", "Hi"), ("&amp;quot;Hi&amp;quot;", "Hi"),
    ("It was ____ who", "It was blank who"), ("____", "blank"), ('the symbol "&" here', "the symbol and here"),
    ("the symbol '%'", "the symbol percent"), ("<break time='3s'/>hello", "hello"), ("😀 smile", "smile"),
    ("a — b", "a, b"), ("yes (really).", "yes, really."), ("One ... two ... GO!", "One… two… GO!"),
    ("it’s “so”", "it's so"), ("rock 'n' roll", "rock 'n' roll"), ("well-known", "well-known"), ("café", "café"),
    ("Ångström", "Ångström"), ("東京 is Tokyo", "is Tokyo"), ("π", "pi"), ("...", ""), ("", ""), ("🎲", ""),
]


@pytest.mark.parametrize(("text", "said"), TABLE, ids=lambda value: value or "empty")
def test_tts_20_21_a_text_is_written_out_as_it_is_said(text: str, said: str) -> None:
    """TTS-20, TTS-21: every token of the table becomes what a person would say for it."""
    assert spoken(text) == said


def test_the_table_is_long_enough() -> None:
    """TTS-20 asks for 80 tokens."""
    assert len({text for text, _ in TABLE}) >= 80


@pytest.mark.parametrize("text", [text for text, _ in TABLE])
def test_what_is_written_out_stays_as_it_is(text: str) -> None:
    """A spoken text passes unchanged, so that a cache's key and a voice's words are the same."""
    assert spoken(spoken(text)) == spoken(text)


@given(st.text(max_size=80))
def test_only_what_can_be_said_comes_out(text: str) -> None:
    """Whatever comes in, nothing comes out but letters, apostrophes, hyphens and plain punctuation."""
    said = spoken(text)
    assert not re.search(r"\d(?<=[0-9])|[_$%&<>\"()\[\]]", said)
    assert said == said.strip()
    assert "  " not in said


@given(st.lists(st.sampled_from([text for text, _ in TABLE if text]), min_size=1, max_size=4))
def test_tokens_in_a_sentence_leave_no_figure_behind(tokens: list[str]) -> None:
    """Tokens of the table keep being read when they meet in one sentence."""
    assert not re.search(r"[0-9$£€%&_<>]", spoken(", ".join(tokens)))


def test_words_are_as_a_recogniser_writes_them() -> None:
    """Words are lower case, without punctuation, one for each stretch between spaces."""
    assert words_of(spoken("In 1938, Dr. O'Neill's well-known dog!")) == (
        "in", "nineteen", "thirty", "eight", "doctor", "o'neill's", "well-known", "dog",
    )


def naive_roman(count: int) -> str:
    steps = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
             (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    text = ""
    for value, letters in steps:
        while count >= value:
            text, count = text + letters, count - value
    return text


def test_roman_numerals_are_read_as_they_are_written() -> None:
    """Every number from 1 to 3999 written in roman numerals reads as itself."""
    assert all(numerals.roman(naive_roman(count)) == count for count in range(1, 4000))


@pytest.mark.parametrize("text", ["", "IIII", "VX", "IC", "ABC", "iv"])
def test_what_is_no_roman_numeral_is_refused(text: str) -> None:
    """Letters in an order that no roman numeral has raise ValueError."""
    with pytest.raises(ValueError, match="not a roman numeral"):
        numerals.roman(text)


def counted(words: str) -> int:
    """The number that words stand for: the reference that undoes `cardinal`."""
    small = {numerals.cardinal(n): n for n in range(20)} | {numerals.cardinal(n): n for n in range(20, 100, 10)}
    scales = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15}
    total = group = 0
    for word in words.split():
        if word == "and":
            continue
        if word == "hundred":
            group *= 100
        elif word in scales:
            total, group = total + group * scales[word], 0
        else:
            group += small[word]
    return total + group


@given(st.integers(0, numerals.LARGEST))
def test_cardinals_can_be_counted_back(count: int) -> None:
    """The words of a cardinal stand for exactly that number."""
    assert counted(numerals.cardinal(count)) == count


@pytest.mark.parametrize(("count", "said"), [
    (0, "zeroth"), (1, "first"), (2, "second"), (3, "third"), (5, "fifth"), (8, "eighth"), (9, "ninth"),
    (12, "twelfth"), (13, "thirteenth"), (20, "twentieth"), (21, "twenty first"), (100, "one hundredth"),
    (101, "one hundred and first"), (1000, "one thousandth"),
])
def test_ordinals(count: int, said: str) -> None:
    """Ordinals have their irregular forms and their endings."""
    assert numerals.ordinal(count) == said


def test_a_row_of_digits_too_long_to_be_a_number_is_read_one_by_one() -> None:
    """A number beyond a quintillion is read digit by digit."""
    assert spoken("1" * 19) == " ".join(["one"] * 19)
