"""How far apart phones are to the ear, and rows of them: one measure for the judge and for the ear's close calls."""

from collections.abc import Sequence

VOWELS = frozenset(("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"))
_NEAR: dict[frozenset[str], float] = {}
for _group, _cost in (
    ("P B", 0.4), ("T D", 0.4), ("K G", 0.4), ("F V", 0.4), ("S Z", 0.3), ("SH ZH CH JH", 0.4), ("TH DH F", 0.4),
    ("M N NG", 0.4), ("L R W", 0.6), ("S SH TH", 0.5), ("T CH", 0.5), ("D DH", 0.5), ("IY Y", 0.5), ("UW W", 0.5),
    ("AH IH EH UH", 0.25), ("AA AO AH", 0.25), ("IH IY", 0.25), ("EH AE", 0.25), ("UH UW OW", 0.3), ("AY AE", 0.4),
    ("ER AH", 0.3), ("EY EH", 0.3), ("AW AA", 0.4), ("OY AO", 0.4),
):
    for _one in _group.split():
        for _other in _group.split():
            if _one != _other:
                _NEAR.setdefault(frozenset((_one, _other)), _cost)

LOST = 1.2
"""What it costs to add or lose a phone."""
GAP = {"HH": 0.5, "AH": 0.6, "T": 0.8, "D": 0.8, "R": 0.8}
"""The same for those that are often swallowed."""


def change(one: str, other: str) -> float:
    """What it costs to hear one phone for another, from 0 to 1."""
    if one == other:
        return 0.0
    near = _NEAR.get(frozenset((one, other)))
    if near is not None:
        return near
    return 0.5 if one in VOWELS and other in VOWELS else 1.0


def phone_distance(one: Sequence[str], other: Sequence[str]) -> float:
    """The cheapest way to turn one row of phones into the other; ER is a vowel and an R."""
    one, other = spread(one), spread(other)
    row = [0.0]
    for phone in other:
        row.append(row[-1] + GAP.get(phone, LOST))
    for phone in one:
        above, gap = row, GAP.get(phone, LOST)
        row = [above[0] + gap]
        for at, target in enumerate(other, start=1):
            row.append(min(above[at] + gap, row[-1] + GAP.get(target, LOST), above[at - 1] + change(phone, target)))
    return row[-1]


def spread(phones: Sequence[str]) -> list[str]:
    """The phones with ER as a vowel and an R."""
    return [part for phone in phones for part in (("AH", "R") if phone == "ER" else (phone,))]
