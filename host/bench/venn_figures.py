"""What `gamehost bench venn` prints: tables, curves and goals out of what the table took."""

import math
from collections.abc import Iterable, Sequence

from host.bench.frame import Report, Share, quantile
from host.bench.hearing import CHARGES
from host.bench.venn_hearing import Job, Took
from host.bench.venn_real import TALK
from host.ears import keyword

FOLDERS = (*TALK, "words")


def report(took: Sequence[Took], net: keyword.Net | None) -> Report:
    """Tables, curves, goals."""
    made = Report("venn")
    _calls(made, took)
    _near(made, took)
    _alarms(made, took)
    if net is not None:
        _chosen(made, net)
        _curve(made, took, net)
    _three_words(made, took)
    _numbers(made, took)
    return made


def _rows(took: Iterable[Took], kind: str) -> dict[str, list[Took]]:
    found: dict[str, list[Took]] = {}
    for one in took:
        if one.job.kind == kind:
            found.setdefault(one.job.condition, []).append(one)
    return dict(sorted(found.items(), key=lambda row: _order(row[1][0].job)))


def _order(job: Job) -> tuple[bool, float]:
    return job.shouted, -math.inf if job.snr is None else -job.snr


def _good(job: Job) -> bool:
    """Not shouted, and with noise at 10 dB at the worst."""
    return not job.shouted and (job.snr is None or job.snr >= 10)


def _missed(here: Sequence[Took]) -> Share:
    return Share(sum(not one.calls for one in here), len(here))


def _taken(here: Sequence[Took]) -> Share:
    return Share(sum(bool(one.calls) for one in here), len(here))


def _calls(made: Report, took: Sequence[Took]) -> None:
    rows = []
    there = _rows(took, "call")
    for condition, here in there.items():
        waits = [[one.waits[at] for one in here if one.waits] for at in range(len(CHARGES))]
        alone = [one for one in here if one.job.text.lower().strip("!.?") == "venn"]
        rows.append((condition, _missed(here), _missed(alone),
                     *(f"{quantile(values, 0.5):.2f} / {quantile(values, 0.95):.2f} s" if values else "-"
                       for values in waits)))
    made.table("\"Venn\" called, alone and in a sentence; from its end to the sound, median / 95th percentile",
               ("condition", "missed", "alone", "without decoding", "decoding charged", "four times"), rows)
    voices = sorted({one.job.voice for here in there.values() for one in here})
    good = [one for here in there.values() for one in here if _good(one.job)]
    made.table("Missed by voice, 10 dB and better", ("voice", "missed"), [
        (voice, _missed([one for one in good if one.job.voice == voice])) for voice in voices])
    made.at_most("missed at 10 dB", _missed(there.get("room 10 dB", [])), 0.02)
    charged = [one.waits[1] for here in there.values() for one in here if one.waits]
    made.at_most("from the end of \"venn\" to the sound, median, decoding charged", quantile(charged, 0.5), 0.5, "s")
    made.at_most("the same, 95th percentile", quantile(charged, 0.95), 0.5, "s")


def _near(made: Report, took: Sequence[Took]) -> None:
    near = [one for one in took if one.job.kind == "near"]
    rows = [(condition, _taken(here)) for condition, here in _rows(took, "near").items()]
    texts = sorted({one.job.text for one in near if one.calls})
    rows += [(text, _taken([one for one in near if one.job.text == text])) for text in texts]
    made.table("Near words said alone, taken for it (and which words were)", ("condition", "taken"), rows)
    made.at_most("near words taken for it", _taken(near), 0.02)


def upper(count: int, hours: float) -> float:
    """The 95 % upper bound of a rate of so many events in so many hours (one-sided, Poisson)."""
    low, high = 0.0, (count + 10.0) * 3
    for _ in range(60):
        middle = (low + high) / 2
        chance = sum(math.exp(-middle) * middle**k / math.factorial(k) for k in range(count + 1))
        low, high = (middle, high) if chance > 0.05 else (low, middle)
    return high / hours if hours else math.nan


def _alarms(made: Report, took: Sequence[Took]) -> None:
    rows = []
    talk = [one for one in took if one.job.kind == "talk"]

    def row(what: str, here: Sequence[Took]) -> float:
        count, hours = sum(one.calls for one in here), sum(one.hours for one in here)
        if hours:
            rows.append((what, f"{hours:.2f}", count, f"{count / hours:.2f}", f"{upper(count, hours):.2f}"))
        return count / hours if hours else math.nan

    for folder in FOLDERS:
        for changed in (False, True):
            row(f"{folder}, {'changed' if changed else 'as recorded'}",
                [one for one in talk if one.job.text.startswith(f"{folder}/") and one.job.changed is changed])
    row("together, as recorded", [one for one in talk if not one.job.changed and not one.job.text.startswith("words/")])
    rate = row("together, changed", [one for one in talk if one.job.changed])
    made.table("False alarms over real people who trained nothing",
               ("what", "hours", "alarms", "an hour", "95 % bound"), rows)
    made.at_most("false alarms an hour of talk, keywords and echo, changed", rate, 0.1, "an hour")
    of_talk = [one for one in talk if one.job.text.startswith("talk/")]
    hours = sum(one.hours for one in of_talk)
    made.at_most("false alarms an hour of talk alone, as recorded and changed",
                 sum(one.calls for one in of_talk) / hours if hours else math.nan, 0.1, "an hour")


def _chosen(made: Report, net: keyword.Net) -> None:
    """The curve of the training command."""
    made.table(f"On tuning data, over the threshold of both together; {net.find:g} was chosen on this",
               ("threshold", "calls missed", "near words", "alarms an hour"),
               [(f"{at:g}", f"{100 * missed:.1f} %", f"{100 * near:.1f} %", f"{rate:.2f}")
                for at, missed, near, rate in net.curve])
    made.curve("tuning", "threshold", "share", {"missed": [(row[0], row[1]) for row in net.curve],
                                                "near words": [(row[0], row[2]) for row in net.curve]}, net.find)


def _curve(made: Report, took: Sequence[Took], net: keyword.Net) -> None:
    """What another threshold would have given: nothing is chosen on this."""
    calls, near, talk = ([one for one in took if one.job.kind == kind] for kind in ("call", "near", "talk"))
    calls = [one for one in calls if _good(one.job)]
    hours = sum(one.hours for one in talk)
    rows = []
    for at in (row[0] for row in net.curve):
        missed = Share(sum(one.best < at for one in calls), len(calls))
        taken = Share(sum(one.best >= at for one in near), len(near))
        count = sum(one.best >= at for one in talk)
        rows.append((f"{at:g}", missed, taken, f"{count / hours:.2f}" if hours else "-"))
    made.table("The same in the voices and recordings of this bench, 10 dB and better, all real sound",
               ("threshold", "calls missed", "near words", "alarms an hour"), rows)
    made.curve("the bench", "threshold", "share", {
        "missed": [(float(row[0]), row[1].rate) for row in rows],
        "near words": [(float(row[0]), row[2].rate) for row in rows]}, net.find)


def _three_words(made: Report, took: Sequence[Took]) -> None:
    rows = _rows(took, "three")
    right = {name: Share(sum(set(one.taken) == set(one.job.wanted) for one in here), len(here))
             for name, here in rows.items()}
    claimed = {name: Share(sum(bool(set(one.taken) - set(one.job.wanted)) for one in here), len(here))
               for name, here in rows.items()}
    made.table("Three list words in one breath", ("condition", "all three right", "a word that nobody said"),
               [(name, right[name], claimed[name]) for name in rows])
    singles = [one for one in took if one.job.kind == "single"]
    strangers = [one for one in took if one.job.kind == "intruder"]
    made.table("Single words of real people in lists of twelve", ("what", "share"), [
        ("right", Share(sum(one.taken == one.job.wanted for one in singles), len(singles))),
        ("another word of the list", Share(sum(bool(set(one.taken) - set(one.job.wanted)) for one in singles),
                                           len(singles))),
        ("not in the list, but taken", Share(sum(bool(one.taken) for one in strangers), len(strangers))),
    ])
    for name, wanted in (("dry", 0.95), ("room 10 dB", 0.9)):
        if name in right:
            made.at_least(f"all three words right, {name}", right[name], wanted)
    said = [one for one in took if one.job.kind == "three"]
    made.at_most("a list word claimed that nobody said",
                 Share(sum(bool(set(one.taken) - set(one.job.wanted)) for one in said), len(said)), 0.01)


def _numbers(made: Report, took: Sequence[Took]) -> None:
    rows = _rows(took, "numbers")
    made.table("Three numbers off a card", ("condition", "right at once", "one correction at most"), [
        (name, Share(sum(not one.corrections for one in here), len(here)),
         Share(sum(one.corrections < 2 for one in here), len(here))) for name, here in rows.items()])
    if "dry" in rows:
        dry = rows["dry"]
        made.at_least("number triples right, dry", Share(sum(not one.corrections for one in dry), len(dry)), 0.94)
    every = [one for here in rows.values() for one in here]
    made.at_least("one correction at most", Share(sum(one.corrections < 2 for one in every), len(every)), 0.99)
