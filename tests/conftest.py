"""What holds for all tests."""

from hypothesis import settings

# no test judges by the wall clock, hypothesis's own deadline included
settings.register_profile("gamehost", deadline=None)
settings.load_profile("gamehost")
