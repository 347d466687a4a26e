"""What holds for all tests."""

import os
import signal

from hypothesis import settings

# No test judges by the wall clock, hypothesis's own deadline included. The examples are the same on every run, so
# that a change is judged by what it changed; GAMEHOST_EXPLORE=1 draws new ones, to go looking for faults.
settings.register_profile("gamehost", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("explore" if os.environ.get("GAMEHOST_EXPLORE") else "gamehost")

# A shell without job control starts what it puts into the background with SIGINT ignored, and children inherit that:
# tests that end a host by SIGINT would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
