"""What is kept from a family's table: words of the family filter (CON-05), and clues that need eyes (CON-02).

The list is short on purpose: it holds words that have no place on a card for ages 8 and up, as whole words, so
that "Scunthorpe", "cocktail" or "Dick Turpin" pass. `gamehost play --no-family-filter` is for those who want it off.
"""

import re

from host.packs import Card
from host.packs.text import words

_UNFIT = """
    arsehole arseholes asshole assholes bastard bastards bitch bitches bollocks bullshit crap cunt cunts fuck fucked
    fucker fuckers fucking motherfucker motherfucking piss pissed shit shits shitty twat twats wank wanker
    wankers slut sluts whore whores
    dago dagos darkie darkies fag faggot faggots fags gook gooks golliwog honkey
    kaffir kike kikes nigga niggas nigger niggers paki pakis poofter retard retarded retards spastic spic spics tranny
    wetback wetbacks wog wogs
    blowjob boner boobs clitoris condom condoms dildo dildos ejaculate ejaculation erotic fetish genitals
    horny incest intercourse masturbate masturbation nudist orgasm orgasms orgy penis porn porno pornographic
    pornography prostitute prostitutes prostitution rape raped rapes rapist rapists sex sexual sexy stripper strippers
    striptease testicle testicles vagina vibrator viagra vulva
    cannibalism disembowel disembowelled dismember dismembered
    gangbang genocide lynched lynching paedophile paedophilia pedophile pedophilia suicide suicidal
    cocaine crackhead heroin junkie junkies lsd marijuana meth methamphetamine
"""
UNFIT = frozenset(_UNFIT.split())
"""Oaths; slurs; sex; cruelty; drugs."""

UNFIT_PHRASES = ("white power", "sieg heil", "gas chamber", "gas chambers", "ku klux klan", "strip club", "sex toy")

_NEEDS_EYES = re.compile(
    r"\b(?:seen|shown|pictured|heard|depicted|illustrated) (?:here|above|below|right here|on (?:the )?screen)\b"
    r"|\b(?:this|the|following) (?:picture|photo|photograph|image|video|clip|recording|map|logo)s? "
    r"(?:shows?|above|below|here)\b"
    r"|\bin (?:this|the following) (?:picture|photo|photograph|image|video|clip|map|recording)\b"
    r"|[\[(](?:video|audio|picture|image|photo|sound)\b|\b(?:video|audio|picture) clue\b"
    r"|\b(?:listen|look) (?:to|at) (?:this|the) (?:picture|photo|image|clip|video|recording|sound|screen)\b"
    r"|\bclick (?:here|on)\b|https?://|\bwww\.", re.IGNORECASE,
)


def heard(card: Card) -> tuple[tuple[str, int, str], ...]:
    """(field, item, text) of all that the host may say of a card."""
    return (
        ("answer", -1, card.answer), *(("statements", item, text) for item, text in enumerate(card.statements)),
        ("false_statement", -1, card.false_statement), ("note", -1, card.note),
        *((field, item, text) for field in ("aliases", "aliases_written")
          for item, text in enumerate(getattr(card, field))),
    )


def unfit(text: str) -> str:
    """The word or phrase that the family filter holds back, or ""."""
    said = words(text)
    joined = f" {' '.join(said)} "
    return next((word for word in said if word.removesuffix("'s") in UNFIT),
                next((phrase for phrase in UNFIT_PHRASES if f" {phrase} " in joined), ""))


def needs_eyes(text: str) -> str:
    """The words by which a text points at a picture or a sound that nobody has, or ""."""
    match = _NEEDS_EYES.search(text)
    return match.group() if match else ""
