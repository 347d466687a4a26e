"""The child that tries a model: `python -m host.ears.selftest FOLDER` prints what it found as JSON.

It may hang or abort; that is why it is a child.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from host.clock import RATE
from host.ears.hcl import UNKNOWN
from host.ears.kaldi import VoskEngine


def main() -> None:
    """Load, look for `[unk]`, decode a second of noise by grammar and by dictation."""
    try:
        engine = VoskEngine(Path(sys.argv[1]))
        noise = np.random.default_rng(1).normal(0, 300, RATE).astype("<i2").tobytes()
        began = time.process_time()
        for recogniser in (engine.grammar(()), engine.dictation()):
            recogniser.feed(noise)
            recogniser.finish()
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent wants it in one line
        sys.exit(f"{error}".splitlines()[0] if f"{error}" else type(error).__name__)
    json.dump({"unknown": engine.knows(UNKNOWN), "seconds": time.process_time() - began}, sys.stdout)


if __name__ == "__main__":
    main()
