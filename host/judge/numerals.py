"""Numbers as people say and write them, turned into one form.

A number becomes one token that no word can be: `#1945` (cardinal), `#6o` (ordinal), `#14r` (roman,
which is read either way). Numbers are compared as numbers only, never by their letters (ANS-12,
REC-22): "nineteen forty five", "1945" and "one nine four five" are all `#1945`.
"""

import re
from collections.abc import Iterator


def bag(text: str) -> frozenset[str]:
    """A set of words written in a row."""
    return frozenset(text.split())


_UNIT_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS = {word: value for value, word in enumerate(_UNIT_WORDS.split())}
TENS = {word: 20 + 10 * value for value, word in enumerate(_TEN_WORDS.split())}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
ORDINALS = {
    "first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight", "ninth": "nine",
    "twelfth": "twelve", **{f"{word}th": word for word in UNITS if word not in
                            ("zero", "one", "two", "three", "five", "eight", "nine", "twelve")},
    **{f"{word[:-1]}ieth": word for word in TENS}, **{f"{word}th": word for word in SCALES},
}
MONTHS = bag(
    "january february march april may june july august september october november december"
)
TEEN_TY = {f"{stem}teen": f"{stem}ty" for stem in ("thir", "six", "seven", "nine")} | {
    "fourteen": "forty", "fifteen": "fifty", "eighteen": "eighty",
}
TEEN_TY |= {f"{teen}th": f"{ty[:-1]}ieth" for teen, ty in TEEN_TY.items()}
TEEN_TY |= {ty: teen for teen, ty in TEEN_TY.items()}
"""thirteen <-> thirty and so on: heard for one another so often that they are asked back."""
REGNAL = bag(
    "charles james george elizabeth henry richard william edward louis napoleon philip pius john paul mary francis "
    "frederick catherine peter ivan alexander nicholas ramses ptolemy darius xerxes gustav carlos juan pope"
)
"""Names after which a single letter i, v or x is a number."""
ROMAN = re.compile(r"^(?=[ivxlc]{2,}$)(c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$")
"""Two letters at least: a single one is more often a letter than a number."""
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_DIGITS = re.compile(r"^(\d+(?:\.\d+)?)(st|nd|rd|th|s)?$")


def roman(word: str) -> int | None:
    """The value of a roman numeral of two letters or more, None for anything else."""
    if not ROMAN.match(word):
        return None
    values = [_ROMAN_VALUES[letter] for letter in word]
    return sum(-v if v < nxt else v for v, nxt in zip(values, [*values[1:], 0], strict=True))


def _small(words: list[str], at: int) -> tuple[int, int, bool]:
    """A number below 100 at that place: its value, the next place, whether it was an ordinal. Value -1: none."""
    word = words[at]
    base = ORDINALS.get(word, word)
    if base in UNITS:
        return UNITS[base], at + 1, base != word
    if base in TENS:
        value, ordinal = TENS[base], base != word
        if not ordinal and at + 1 < len(words):
            unit = ORDINALS.get(words[at + 1], words[at + 1])
            if 1 <= UNITS.get(unit, 0) <= 9:
                return value + UNITS[unit], at + 2, unit != words[at + 1]
        return value, at + 1, ordinal
    return -1, at, False


def _spoken(words: list[str], at: int) -> tuple[str, int, bool]:
    """One spoken number: its digits, the next place, whether it was an ordinal. Empty digits: none."""
    start = at
    total = current = 0
    ordinal = any_scale = False
    if words[at] in ("a", "the") and at + 1 < len(words) and words[at + 1] in SCALES:
        at += 1
    while at < len(words) and not ordinal:
        step = at + 1 if words[at] == "and" and any_scale and at + 1 < len(words) else at
        base = ORDINALS.get(words[step], words[step])
        if base in SCALES and step == at:
            scale = SCALES[base]
            ordinal = base != words[step]
            if scale == 100:
                current = (current or 1) * 100
            else:
                total, current = total + (current or 1) * scale, 0
            any_scale, at = True, step + 1
            continue
        value, after, is_ordinal = _small(words, step)
        if value < 0 or current % 100 or (current and not any_scale) or (value == 0 and at != start):
            break
        current, at, ordinal = current + value, after, is_ordinal
        if value == 0:
            break
    return (str(total + current) if at > start else ""), at, ordinal


def _decimal(words: list[str], at: int) -> tuple[str, int]:
    """The digits after "point", and the next place."""
    digits = ""
    while at < len(words) and ((words[at] in UNITS and UNITS[words[at]] < 10) or words[at] in ("oh", "o")):
        digits += str(UNITS.get(words[at], 0))
        at += 1
    return digits, at


def _chunk(words: list[str], at: int) -> tuple[str, int, str]:
    """One number at that place as digits, next place and kind ("" cardinal, "o" ordinal, "r" roman, "s" decade)."""
    written = _DIGITS.match(words[at])
    if written:
        scale = SCALES.get(words[at + 1], 0) if at + 1 < len(words) else 0
        if scale and not written[2]:
            return _plain(float(written[1]) * scale), at + 2, ""
        return written[1], at + 1, {None: "", "s": "s"}.get(written[2], "o")
    value = roman(words[at])
    if value is None and at + 1 == len(words) and at > 0 and words[at - 1] in REGNAL:
        value = _ROMAN_VALUES.get(words[at]) if words[at] in "ivx" else None
    if value is not None and at > 0:
        return str(value), at + 1, "r"
    if words[at].endswith("ties") and f"{words[at][:-3]}y" in TENS:
        return str(TENS[f"{words[at][:-3]}y"]), at + 1, "s"
    digits, after, ordinal = _spoken(words, at)
    if digits and not ordinal and after + 1 < len(words) and words[after] == "point":
        decimals, end = _decimal(words, after + 1)
        if decimals:
            return f"{digits}.{decimals}", end, ""
    if digits and not ordinal and words[after : after + 3] == ["and", "a", "half"]:
        return f"{digits}.5", after + 3, ""
    return digits, after, "o" if ordinal else ""


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _run(words: list[str], at: int) -> tuple[list[tuple[str, str]], int]:
    """All numbers that follow one another at that place: (digits, kind) each, and the next place."""
    chunks: list[tuple[str, str]] = []
    while at < len(words):
        if chunks and words[at] in ("oh", "o") and at + 1 < len(words) and UNITS.get(words[at + 1], 0) in range(1, 10):
            chunks.append((f"0{UNITS[words[at + 1]]}", ""))
            at += 2
            continue
        digits, after, kind = _chunk(words, at)
        if not digits:
            break
        chunks.append((digits, kind))
        at = after
        if kind:
            break
    return chunks, at


def _joined(chunks: list[tuple[str, str]], month: bool) -> Iterator[str]:
    """The tokens of a run: "nineteen forty five" is one number, "july four | nineteen ten" two."""
    if month and len(chunks) > 1 and len(chunks[0][0]) <= 2 and int(float(chunks[0][0])) <= 31:
        rest = "".join(digits for digits, _ in chunks[1:])
        if len(rest) == 4:
            yield f"#{chunks[0][0]}"
            yield f"#{rest}"
            return
    kind = chunks[-1][1]
    if kind == "o" and len(chunks) > 1:
        yield f"#{''.join(digits for digits, _ in chunks[:-1])}"
        yield f"#{chunks[-1][0]}o"
        return
    yield f"#{''.join(digits for digits, _ in chunks)}{kind}"


def numbered(words: list[str]) -> list[str]:
    """The words with every number in it as one token."""
    out: list[str] = []
    at = 0
    while at < len(words):
        chunks, after = _run(words, at)
        if not chunks:
            out.append(words[at])
            at += 1
            continue
        out += _joined(chunks, month=bool(out) and out[-1] in MONTHS)
        at = after
    return out


_ONES = {value: word for word, value in UNITS.items()}
_TENS = {value: word for word, value in TENS.items()}
_ORDINAL_OF = {word: ordinal for ordinal, word in ORDINALS.items()}


def cardinal(value: int) -> str:
    """A whole number in words: 2005 is "two thousand and five". Raises ValueError beyond 999,999,999."""
    if not 0 <= value < 1_000_000_000:
        raise ValueError(f"{value} is too large to be said in words")
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value - value % 10] + (f" {_ONES[value % 10]}" if value % 10 else "")
    for name, scale in (("million", 1_000_000), ("thousand", 1_000), ("hundred", 100)):
        if value >= scale:
            head, rest = divmod(value, scale)
            joint = " and " if rest < 100 else " "
            return f"{cardinal(head)} {name}" + (f"{joint}{cardinal(rest)}" if rest else "")
    raise AssertionError(value)


def ordinal_words(value: int) -> str:
    """An ordinal in words: 21 is "twenty first"."""
    head, _, last = cardinal(value).rpartition(" ")
    return f"{head} {_ORDINAL_OF[last]}".strip()


def year(value: int) -> str:
    """A year as it is said: 1945 is "nineteen forty five", 1905 "nineteen oh five"."""
    head, rest = divmod(value, 100)
    if rest == 0:
        return f"{cardinal(head)} hundred"
    return f"{cardinal(head)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def spoken_numbers(token: str) -> tuple[str, ...]:
    """The ways to say a written number ("1945", "6th", "3.5", "xiv"), the likeliest first; empty if it is none."""
    value = roman(token)
    if value is not None:
        return (f"the {ordinal_words(value)}", ordinal_words(value), cardinal(value))
    match = _DIGITS.match(token)
    if not match:
        return ()
    whole, _, decimals = match[1].partition(".")
    if len(whole) > 9:
        return ()
    number = int(whole)
    if decimals:
        return (f"{cardinal(number)} point {' '.join(_ONES[int(digit)] for digit in decimals)}",)
    if match[2] == "s":
        return (f"{year(number)[:-1]}ies",) if number % 10 == 0 and number % 100 else ()
    if match[2]:
        return (ordinal_words(number),)
    plain = cardinal(number)
    ways = [plain] if " and " not in plain else [plain, plain.replace(" and ", " ")]
    if 1100 <= number <= 2099 and number not in range(2000, 2010):
        ways.insert(0, year(number))
    elif 2000 < number < 2010:
        ways.append(year(number))
    return tuple(ways)
