"""Words beside an answer: those that make nothing another thing, and those that deny it."""

from host.judge.numerals import bag

HARMLESS = bag(
    "famous great old big called named thing one thingy guy actually original real that this of own very year letter "
    "number word my your his her our their some wooden ordinary simple normal regular typical traditional common"
)
"""Extra words that make nothing another thing."""
EVENTFUL = bag(
    "festival concert celebration celebrations holiday ceremony parade party event disaster accident tragedy "
    "catastrophe feast show races games music"
)
"""Beside the essential part of an event these say only what kind of event it is."""
DENIALS = bag("not isn't wasn't can't cannot neither nor never don't didn't aren't ain't no")
JOINTS = bag("of in the and s")
"""Words that join the parts of an answer in one order or the other."""
BECOMING = bag("becoming became become getting got going went being was were is are happening happened")
"""Verbs that say of an event only that it happened."""
SOMEBODY = bag("they people we he she someone somebody men it on at to over")
"""Who it was, and small words between: "when they landed on the moon"."""
WHENS = (("when",), ("the", "day"), ("the", "time"), ("the", "moment"), ("the", "year"))
"""Before an event these say only that it happened."""
TAILS = bag("in from by on at near")
"""After the whole answer these begin something that only says where or whose it is."""
