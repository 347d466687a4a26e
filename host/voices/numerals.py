"""Numbers as English words: cardinals, ordinals, years, decimals, roman numerals.

`spoken` uses these, so that no synthesiser ever has to guess how a figure is read. A hundred and its
remainder are joined by "and"; every word stands by itself ("one thousand two hundred and thirty
four"), as recognisers write it and as the natural voice stresses it best.
"""

import re

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ("", "thousand", "million", "billion", "trillion", "quadrillion")
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN_FORM = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")

LARGEST = 10**18 - 1
"""The largest number that is read as a whole; a longer row of digits is read one by one."""


def _below_hundred(count: int) -> str:
    if count < 20:
        return _ONES[count]
    tens, ones = divmod(count, 10)
    return _TENS[tens] + (f" {_ONES[ones]}" if ones else "")


def _below_thousand(count: int) -> str:
    hundreds, rest = divmod(count, 100)
    if not hundreds:
        return _below_hundred(rest)
    return f"{_ONES[hundreds]} hundred" + (f" and {_below_hundred(rest)}" if rest else "")


def cardinal(count: int) -> str:
    """`1234` as "one thousand two hundred and thirty-four"; beyond `LARGEST` digit by digit. Never negative."""
    if count > LARGEST:
        return digits(str(count))
    if count < 1000:
        return _below_thousand(count)
    groups = []
    rest, scale = count, 0
    while rest:
        rest, group = divmod(rest, 1000)
        if group:
            groups.append(f"{_below_thousand(group)} {_SCALES[scale]}".strip())
        scale += 1
    groups.reverse()
    if 0 < count % 1000 < 100:
        groups.insert(-1, "and")
    return " ".join(groups)


def ordinal(count: int) -> str:
    """`21` as "twenty first"."""
    head, space, last = cardinal(count).rpartition(" ")
    regular = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return f"{head}{space}{_ORDINALS.get(last, regular)}"


def plural_ordinal(count: int) -> str:
    """`3` as "thirds"; `2` as "halves", `4` as "quarters": the lower part of a fraction."""
    return {2: "halves", 4: "quarters"}.get(count, f"{ordinal(count)}s")


def year(count: int) -> str:
    """`1938` as "nineteen thirty eight", `1905` "nineteen oh five", `2005` "two thousand and five"."""
    century, rest = divmod(count, 100)
    if not 10 <= century < 100 or (century % 10 == 0 and rest < 10):
        return cardinal(count)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def decade(count: int) -> str:
    """`1990` as "nineteen nineties", `1900` as "nineteen hundreds"."""
    words = year(count)
    return f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"


def digits(text: str) -> str:
    """`007` as "zero zero seven"."""
    return " ".join(_ONES[int(digit)] for digit in text)


def decimal(text: str) -> str:
    """`1,250` or `3.14` or `007` as it stands in a text; digits only, with commas and one point."""
    whole, _, part = text.replace(",", "").partition(".")
    head = digits(whole) if len(whole) > 1 and whole.startswith("0") else cardinal(int(whole or "0"))
    return f"{head} point {digits(part)}" if part else head


def roman(text: str) -> int:
    """`XIV` as 14. Raises ValueError where it is not a roman numeral in its usual form."""
    if not text or not _ROMAN_FORM.fullmatch(text):
        raise ValueError(f"{text!r} is not a roman numeral")
    values = [_ROMAN[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
