"""What people put around an answer: carriers, hedges, afterthoughts, negations, small talk."""

from host.judge.numerals import bag

CARRIERS = (
    "is it", "it's", "it is", "its", "i think it's", "i think it is", "i think that's", "i think", "i'd say",
    "i would say", "i say", "i guess", "i guess it's", "my guess is", "my answer is", "the answer is", "answer is",
    "the answer", "answer", "could it be", "might it be", "would it be", "can it be", "is that", "that's", "that is",
    "what about", "how about", "what is", "what's", "what are", "who is", "who's", "who was", "are you", "are they",
    "you are", "you're", "am i", "is he", "is she", "is this", "this is", "he is", "he's", "she is", "she's",
    "was it", "it was", "it must be", "must be", "that must be", "it has to be", "has to be", "i know it's",
    "i know it", "i know", "i've got it", "i got it", "got it", "i'm going with", "i'll go with", "i'm going to say",
    "i'll say", "i believe it's", "i believe", "it's got to be", "we say", "we think it's", "we think", "isn't it",
    "isn't that", "are we talking about", "would that be", "could that be", "they are", "they're", "is the answer",
    "it's called", "let me say", "let's say", "i'm guessing", "obviously", "definitely", "surely", "of course",
    "clearly", "says", "thinks it's", "thinks", "here", "my guess", "easy", "ooh", "aha", "yes", "yeah", "i am",
    "i'm",
)
"""Stand before an answer and say that it is one (ANS-10)."""

HEDGES = (
    "maybe", "maybe it's", "maybe it is", "perhaps", "perhaps it's", "could be", "it could be", "might be",
    "it might be", "what if it's", "what if", "do you think it's", "do you think", "you think it's",
    "don't you think", "probably", "it sounds like", "sounds like", "something like", "or maybe", "what's that",
    "what was that", "i wonder if it's", "i wonder", "wasn't that", "we thought of", "i thought it was", "i thought",
    "i don't know", "i do not know", "no idea", "not sure", "i'm not sure", "dunno", "it can be", "some kind of",
    "a kind of", "did you say", "let me think", "let me see", "let's see", "hang on",
)
"""Stand before something that is thought aloud: table talk, unless somebody's colour comes first (CE-16)."""

AFTERTHOUGHTS = (
    "i think", "i guess", "i'd say", "i say", "right", "isn't it", "is it", "of course", "for sure", "please",
    "final answer", "maybe", "is my guess", "is my answer", "is the answer", "that's it", "obviously", "i know it",
    "or something", "i believe", "perhaps", "surely", "definitely", "correct", "yes", "yeah", "isn't that right",
)
"""Stand after an answer and mean nothing for it."""

NEGATIONS = (
    "not", "it's not", "it is not", "it isn't", "isn't", "that's not", "it can't be", "can't be", "cannot be",
    "it wasn't", "not the", "no it's not", "it's never", "definitely not", "surely not", "certainly not", "neither",
    "nor", "it cannot be", "i don't think it's", "i don't think",
)
"""What follows is what it is not: no guess (CE-14b)."""
GLUE = bag(
    "read blew know who is it its in on to them end we enough like low slow go for this that there here you i be have "
    "has with how was are do did all again what when they she he at of me my see say says said are into and"
)
"""Small words that a recogniser puts at an edge for a colour, a name or a carrier that it did not understand."""
TALK = bag("um uh er erm ah oh hmm well so like okay please now then and but hey ooh aha hm mm huh eh the a an")
"""Carry nothing at the edges of a guess; articles go with their answer and are not in the way."""
