# ruff: noqa: F401 - tooling that runs once a model, no part of the host
"""A quick look at two models while adapting: guesses in voices that the adaptation never had, tuning rooms and noises.

    python models/adapt/evaluate.py COUNT MODEL_FOLDER...

Voices us1, us2 and us3 (MBROLA) were in the first training and are in no clip of the adaptation. What it prints is no
figure: those are of the benches, on the test voices.
"""

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from host.bench.hearing import Listener, decide  # noqa: E402
from host.bench.library import Library  # noqa: E402
from host.bench.trials import utterances  # noqa: E402
from host.events import Verdict  # noqa: E402

VOICES = ("us1", "us2", "us3")


def main() -> None:
    """A line for each condition, models side by side."""
    count, folders = int(sys.argv[1]), sys.argv[2:]
    listeners = [Listener.open(folder) for folder in folders]
    for listener in listeners:
        listener.second = None
    packs = listeners[0].packs
    said = [one for one in utterances(packs, Library(), "tuning", 77, True) if one.voice in VOICES][:count]
    for listener, folder in zip(listeners, folders, strict=True):
        tally: Counter[tuple[str, str, str]] = Counter()
        for one in said:
            row = listener.row(one)
            found = decide(listener.hearing, listener.cards[one.card], one.seats, row.finals, row.waits)
            kind = "right" if one.right else one.kind
            tally[one.condition, kind, "all"] += 1
            tally[one.condition, kind, found.verdict.name] += 1
            if one.owner is not None:
                tally[one.condition, "owner", "all"] += 1
                tally[one.condition, "owner", "RIGHT" if found.owner == one.owner else
                      "none" if found.owner is None else "other"] += 1
        print(folder)
        for condition, kind, _ in sorted(key for key in tally if key[2] == "all"):
            counts = {name: number for (c, k, name), number in tally.items() if (c, k) == (condition, kind)}
            print(f"  {condition:12} {kind:10} {counts.pop('all'):4}  {counts}", flush=True)


if __name__ == "__main__":
    main()
