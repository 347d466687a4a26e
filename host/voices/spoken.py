"""A text as it is said: figures, abbreviations and symbols written out, before any synthesiser sees it.

Both voices get the text from here and from nowhere else: the natural voice reads most figures well by
itself, but then the words of the text would no longer be the words that sound, and it is these that
the ear has to disregard while the host speaks. What comes out holds Latin letters, apostrophes, hyphens and
`. , ; : ! ? …` only, so it passes through a synthesiser's own normalisation unchanged (TTS-20, TTS-21).

The rules are tried in the order in which they stand; each is a pattern and what is said for it.
"""

import html
import re
import unicodedata
from collections.abc import Callable
from functools import cache

from host.voices.numerals import cardinal, decade, decimal, digits, ordinal, plural_ordinal, roman, year

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_BIG = r"hundred|thousand|million|billion|trillion"
_MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)
_MONTHS = {name[:3]: name for name in _MONTH_NAMES} | {name: name for name in _MONTH_NAMES} | {"Sept": "September"}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))

_MONEY = {"$": ("dollar", "cent"), "£": ("pound", "penny"), "€": ("euro", "cent"), "¥": ("yen", "")}
_PLURALS = {"penny": "pence", "yen": "yen", "foot": "feet", "inch": "inches", "": ""}
_SHORT_BIG = {"k": "thousand", "m": "million", "bn": "billion", "b": "billion"}

_UNITS = {
    "km/h": "kilometre* an hour", "mph": "mile* an hour", "km": "kilometre*", "cm": "centimetre*",
    "mm": "millimetre*", "m": "metre*", "kg": "kilogram*", "g": "gram*", "mg": "milligram*", "lb": "pound*",
    "lbs": "pound*", "oz": "ounce*", "ft": "foot*", "in.": "inch*", "mi": "mile*", "ml": "millilitre*",
    "l": "litre*", "L": "litre*", "hrs": "hour*", "min": "minute*", "sec": "second*", "Hz": "hertz", "kHz": "kilohertz",
    "MB": "megabyte*", "GB": "gigabyte*", "W": "watt*", "kW": "kilowatt*", "V": "volt*", "x": "times",
    "°C": "degree* Celsius", "°F": "degree* Fahrenheit", "°": "degree*", "º": "degree*", "%": "percent", "¢": "cent*",
}
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))

_TITLES = {
    "Dr": "Doctor", "Mr": "Mister", "Mrs": "Missus", "Ms": "Miz", "Prof": "Professor", "Gen": "General",
    "Col": "Colonel", "Capt": "Captain", "Cpt": "Captain", "Lt": "Lieutenant", "Sgt": "Sergeant", "Rev": "Reverend",
    "Gov": "Governor", "Pres": "President", "Sen": "Senator", "Hon": "Honourable", "St": "Saint", "Sts": "Saints",
    "Mt": "Mount", "Ft": "Fort",
}
_ROADS = {
    "St": "Street", "Dr": "Drive", "Ave": "Avenue", "Blvd": "Boulevard", "Rd": "Road", "Ln": "Lane",
    "Sq": "Square",
}
_SHORT = {
    "Jr": "Junior", "Sr": "Senior", "etc": "and so on", "e.g": "for example", "i.e": "that is", "vs": "versus",
    "approx": "approximately", "Inc": "Incorporated", "Ltd": "Limited", "Co": "Company", "Corp": "Corporation",
    "Dept": "Department", "Vol": "Volume", "Bros": "Brothers", "Esq": "Esquire", "Mts": "Mountains",
}
_BEFORE_NUMBER = {
    "No": "number", "Nos": "numbers", "p": "page", "pp": "pages", "ca": "about", "c": "about", "#": "number",
}

_COUNTED = (
    "War|Chapter|Part|Act|Scene|Volume|Book|Bowl|Apollo|Type|Phase|Mark|Grade|Class|Article|Level|Rocky|"
    "Saturn|Section|Title|Episode|Stage|Rank|Round|Vatican|Quebec|Gemini|Figure|Table|Unit|Division|Zone|"
    "Symphony"
)
_RULERS = (
    "Henry|Edward|George|Charles|James|William|Richard|John|Elizabeth|Mary|Louis|Philip|Francis|Napoleon|"
    "Peter|Paul|Pius|Leo|Gregory|Benedict|Clement|Innocent|Urban|Alexander|Nicholas|Catherine|Frederick|"
    "Ferdinand|Ptolemy|Ramesses|Ramses|Gustav|Albert|Leopold|Christian|Otto|Ivan|Darius|Xerxes|Cyrus|Selim|"
    "Suleiman|Mehmed|Umberto|Victor|Emmanuel|Isabella|Joseph|Maximilian|Rudolf|Wilhelm|Alfonso|Carlos|Juan|"
    "Felipe|Haakon|Olav|Harald|Constantine|Justinian|Theodosius|Cleopatra|Mithridates|Thutmose|Amenhotep|Seti|"
    "David|Robert|Malcolm|Kenneth|Sixtus|Boniface|Adrian|Julius|Celestine|Baldwin|Fuad|Abdullah|Hussein|"
    "Mohammed|Pedro|Margaret|Beatrix|Willem|Seleucus|Antiochus|Philippe|Karl|Friedrich|Franz|Anne|Stephen|"
    "Michael|Elector"
)
_ROMAN = re.compile(
    rf"\b(?:({_COUNTED})|({_RULERS})|([A-Z][a-zà-ÿ]+)) "
    r"([IVXLCDM]{2,}|[VX]|I(?=['.,;:!?]|$| (?:of|was|is|and|had|ruled|reigned|became|died|who|from|in|to|by|ended)"
    r"\b))"
    r"(?:'(s))?(?!\w|['.]\w)"
)

_OPENERS = "(?:The|A|An|It|I|He|She|They|We|You|This|That|In|On|At|And|But|Now|Then|What|Who|My|Your|Its|One|Two)"

_FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8"}
_SYMBOLS = {
    "&": "and", "+": "plus", "=": "equals", "@": "at", "%": "percent", "°": "degrees", "#": "number", "×": "times",
    "÷": "divided by", "±": "plus or minus", "²": "squared", "³": "cubed", "<": "less than", ">": "more than",
    "$": "dollar", "£": "pound", "€": "euro", "/": "or", "√": "square root", "π": "pi", "∞": "infinity",
}
_SIGNS = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": " ", "”": " ", '"': " ", "«": " ", "»": " ", "„": " ",
    "‑": "-", "‐": "-", "−": "-", "‒": "–", "―": "—", "\u00ad": "", "\u200b": "", "\u00a0": " ", "\u202f": " ",
})


def _plural(word: str) -> str:
    return _PLURALS.get(word, f"{word}s")


def _counted(number: str, word: str) -> str:
    return word if number == "1" else _plural(word)


def _money(match: re.Match[str]) -> str:
    sign, number, big = match["sign"], match["number"], match["big"]
    unit, small = _MONEY[sign]
    if big:
        return f"{decimal(number)} {_SHORT_BIG.get(big.lower(), big.lower())} {_plural(unit)}"
    whole, _, part = number.replace(",", "").partition(".")
    if len(part) != 2 or not small:
        return f"{decimal(number)} {_counted(number, unit)}"
    cents = f"{cardinal(int(part))} {_counted(part.lstrip('0'), small)}"
    if int(part) == 0:
        return f"{cardinal(int(whole))} {_counted(whole, unit)}"
    return cents if whole == "0" else f"{cardinal(int(whole))} {_counted(whole, unit)} and {cents}"


def _unit(match: re.Match[str]) -> str:
    number = match["number"]
    stem, star, tail = _UNITS[match["unit"]].partition("*")
    return f"{_signed(match)} {_counted(number, stem) if star else stem}{tail}"


def _signed(match: re.Match[str]) -> str:
    return ("minus " if match["minus"] else "") + decimal(match["number"])


def _time(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59:
        return f"{cardinal(hour)} to {cardinal(minute)}"
    said = "" if match["half"] else " o'clock"
    if minute:
        said = f" oh {cardinal(minute)}" if minute < 10 else f" {cardinal(minute)}"
    return cardinal(hour) + said + (f" {match['half'].upper()}.M." if match["half"] else "")


def _date(match: re.Match[str]) -> str:
    month, day = _MONTHS[match["month"]], int(match["day"])
    counted = month in ("May", "March") and re.match(r" (?!is|was|and|of|in|at|when)[a-z]", match.string[match.end():])
    return match[0] if day > 31 or counted else f"{month} {ordinal(day)}"


def _day_first(match: re.Match[str]) -> str:
    month, day = _MONTHS[match["month"]], int(match["day"])
    return f"the {ordinal(day)} of {month}" if day <= 31 else match[0]


def _fraction(match: re.Match[str]) -> str:
    whole, upper, lower = match["whole"], int(match["upper"]), int(match["lower"])
    if not 0 < upper < lower or lower > 100:
        return f"{whole + ' ' if whole else ''}{cardinal(upper)} {cardinal(lower)}"
    half = {2: "half", 4: "quarter"}.get(lower, ordinal(lower))
    said = f"{cardinal(upper)} {half if upper == 1 else plural_ordinal(lower)}"
    if whole and upper == 1:
        said = f"{'an' if lower in (8, 11, 18) else 'a'} {half}"
    return f"{cardinal(int(whole))} and {said}" if whole else said


def _year_or_number(text: str) -> str:
    return year(int(text)) if len(text) == 4 and 1000 <= int(text) < 2100 else decimal(text)


def _range(match: re.Match[str]) -> str:
    first, last = match["first"], match["last"]
    if len(first) == 4 and len(last) == 2:
        return f"{year(int(first))} to {cardinal(int(last))}"
    return f"{_year_or_number(first)} to {_year_or_number(last)}"


def _numeral(match: re.Match[str]) -> str:
    counted, ruler, other, text, genitive = match.groups()
    try:
        count = roman(text)
    except ValueError:
        return match[0]
    ending = "'s" if genitive else ""
    if counted:
        return f"{counted} {cardinal(count)}{ending}"
    if set(text) - set("IVX") or (other and len(text) == 1) or (ruler == "Malcolm" and text == "X"):
        return match[0]
    return f"{ruler or other} the {ordinal(count)}{ending}"


def _road_or_title(match: re.Match[str]) -> str:
    """"St." after a name and before no other name is a street, else a saint; so with "Dr."."""
    before, short, name_follows = match["before"] or "", match["short"], match["follows"] is not None
    if short in _ROADS and before and (not name_follows or re.match(r"\d+\w* ?[A-Za-z]", before)):
        return f"{before}{_ROADS[short]}{'' if match['ends'] is None else '.'}"
    return f"{before}{_TITLES[short]}" if name_follows and short in _TITLES else match[0]


def _initials(match: re.Match[str]) -> str:
    """Initials lose their full stops, at which a synthesiser would pause; a sentence's end keeps its own."""
    return " ".join(re.findall("[A-Z]", match[0])) + " "


_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_RULES: tuple[_Rule, ...] = (
    (re.compile(r"<[^<>]*>"), " "),
    (re.compile(r"_{2,}"), " blank "),
    (re.compile(r"\.\s?\.\s?\.+"), "… "),
    (re.compile(r"\s*[—–]+\s*(?!\d)|\s+-+\s+|--+"), ", "),
    (re.compile(r"\s*[\[({]\s*"), ", "),
    (re.compile(r"\s*[\])}]\s*(?=[.,;:!?]|$)"), ""),
    (re.compile(r"\s*[\])}]\s*"), ", "),
    (re.compile(rf"(?P<sign>[$£€¥])\s?(?P<number>{_NUMBER})(?:\s?(?P<big>(?i:{_BIG}|bn|k|m|b))\b)?"), _money),
    (re.compile(rf"\b(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:%°/]|,\d)"), _date),
    (re.compile(rf"\b(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})\b\.?"), _day_first),
    (re.compile(r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)(?:\s?(?P<half>[AaPp])\.?[Mm]\b\.?)?"), _time),
    (re.compile(r"\b(?P<hour>\d{1,2})(?P<minute>)\s?(?P<half>[AaPp])\.?[Mm]\b\.?"),
     lambda m: f"{cardinal(int(m['hour']))} {m['half'].upper()}.M."),
    (re.compile(r"\b(\d{1,4}) ?(B\.?C\.?E?\.?|A\.?D\.?|C\.?E\.?)(?!\w)"),
     lambda m: f"{_year_or_number(m[1])} {'.'.join(m[2].replace('.', ''))}."),
    (re.compile(r"(?<![\w.])A\.?D\.? (?=\d)"), "A.D. "),
    (re.compile(r"\b(24)/(7)\b|\b(9)/(11)\b"), lambda m: " ".join(cardinal(int(n)) for n in m.groups() if n)),
    (re.compile(r"(?<![\w/.])(?:(?P<whole>\d+) )?(?P<upper>\d{1,2})/(?P<lower>\d{1,3})(?![\w/])"), _fraction),
    (re.compile(r"(?<![\w.,])(?P<first>\d{1,4})\s?[-–]\s?(?P<last>\d{1,4})(?![\w,]|[-–.]\d)"), _range),
    (re.compile(rf"(?<![\w.])(?P<minus>-?)(?P<number>{_NUMBER})[\s-]?(?P<unit>{_UNIT})(?![\w])"), _unit),
    (re.compile(r"(?:(?<![\w.])(No|Nos|pp|p|ca|c)\.|#) ?(?=\d)"), lambda m: f"{_BEFORE_NUMBER[m[1] or '#']} "),
    (re.compile(r"(?P<before>\b(?:(?:\d+\w* )?[A-Z][a-zà-ÿ]+(?:'s)?|\d+[a-z]*) )?"
                r"\b(?P<short>St|Sts|Dr|Mt|Ft|Ave|Blvd|Rd|Ln|Sq)\."
                r"(?P<follows>(?= [A-Z]))?(?P<ends>(?=\s*$))?"), _road_or_title),
    (re.compile(r"\b(Mr|Mrs|Ms|Prof)\."), lambda m: _TITLES[m[1]]),
    (re.compile(rf"\b({'|'.join(_TITLES)})\.? (?=[A-Z])"), lambda m: f"{_TITLES[m[1]]} "),
    (re.compile(r"(?<![\w.])(e\.g|i\.e|etc|vs|approx|Jr|Sr|Inc|Ltd|Corp|Dept|Vol|Bros|Esq|Mts|Co)\.(?=(\s*$)?)"),
     lambda m: _SHORT[m[1]] + ("." if m[2] is not None else "")),
    (_ROMAN, _numeral),
    (re.compile(rf"\b(?:[A-Z]\. ?){{2,}}(?=[A-Z][a-z])|(?<![a-z] )\b[A-Z]\. (?!{_OPENERS}\b)(?=[A-Z][a-z])"
                rf"|(?<=[A-Z][a-z][a-z] |[a-z]{{3}} )[A-Z]\. (?!{_OPENERS}\b)(?=[A-Z][a-z])"), _initials),
    (re.compile(r"(?<=\d)'(?=\d)"), " "),
    (re.compile(r"'?\b(\d{1,3}0)'?s\b"), lambda m: decade(int(m[1]))),
    (re.compile(r"\b(\d+)(?:st|nd|rd|th)\b"), lambda m: ordinal(int(m[1]))),
    (re.compile(r"(?<![\w.,])[12]\d{3}(?![\w]|[.,]\d)"), lambda m: _year_or_number(m[0])),
    (re.compile(rf"(?<![\w.])(?P<minus>-?)(?P<number>{_NUMBER}|\.\d+)(?!\w)"), _signed),
    (re.compile(r"\d+"), lambda m: f" {digits(m[0]) if m[0].startswith('0') else cardinal(int(m[0]))} "),
    (re.compile(r"(?<=[A-Z\d])/(?=[A-Z\d])"), " "),
    (re.compile("|".join(re.escape(sign) for sign in _SYMBOLS)), lambda m: f" {_SYMBOLS[m[0]]} "),
)


@cache
def _pronounceable(letter: str) -> bool:
    """Latin letters, and the punctuation that a voice makes something of."""
    return letter in " .,;:!?…'-" or (letter.isalpha() and "LATIN" in unicodedata.name(letter, ""))


def spoken(text: str) -> str:
    """The text with everything written out as it is said; already written out, it stays as it is.

    Entities are decoded, tags dropped, rows of underscores become "blank"; what can't be said (an
    emoji, a quotation mark, another alphabet) leaves a space. The result may be empty.
    """
    for _ in range(3):
        text = html.unescape(text)
    text = unicodedata.normalize("NFC", text).translate(_SIGNS)
    for sign, written in _FRACTIONS.items():
        text = re.sub(rf"(?<=\d){sign}", f" {written}", text).replace(sign, written)
    for pattern, said in _RULES:
        text = pattern.sub(said, text)
    text = "".join(letter if _pronounceable(letter) else " " for letter in text)
    text = re.sub(r"(?<!\w)['-]+(?!\w)", " ", text)
    text = re.sub(r"\s+(?=[.,;:!?…])", "", re.sub(r"\s+", " ", text))
    text = re.sub(r",(?=[.,;:!?…])|^[\s.,;:!?…]+", "", text)
    return text.strip()


def words_of(text: str) -> tuple[str, ...]:
    """The words of a spoken text: lower case, without punctuation, apart at spaces."""
    return tuple(word for word in (bare(part) for part in text.split()) if word)


def bare(word: str) -> str:
    """A word as a recogniser would write it: lower case, without the punctuation around it."""
    return re.sub(r"^[\W_]+|[\W_]+$", "", word.lower())
