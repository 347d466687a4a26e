"""What the table listens for, and what it makes of what was heard: `understand` and `judge` at work."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from host.clock import samples
from host.events import Heard, Listens, Verdict
from host.games import Expects, Player
from host.judge import forms, judge, wrong_forms
from host.judge.normal import plain
from host.lines import NUMBERS
from host.packs import Card, Packs
from host.table.gathering import confusable
from host.table.state import State
from host.table.wishes import WISHES
from host.understand import COLOURS, Listening, Said, Understood, around, complete, phrases, understand
from host.understand.listening import UNFINISHED, colours_and_names
from host.understand.phrases import ME, NO, READY, YES

PATIENCE = samples(0.6)
"""Silence that ends an utterance which may go on."""
THINKING = samples(1.2)
"""The same in a roll call, where people look at one another between the names."""
RIVALS = 60
"""Other cards' answers in a card's grammar: those of the same category first. Measured with so many (docs)."""
GUESS_CARRIERS = ("is it", "it's", "i think it's", "is that", "the answer is", "could it be", "it must be",
                  "is it um", "um")
NAME_SURE = 0.7
"""Confidence below which a first name is not believed and the player goes by the colour.

Of 85 names heard (four tuning voices, 24 names, a room at 20 dB) 61 were surer, and 56 of those right.
"""
ASIDES = ("repeat", "say that again", "help", "pause", "stop the game", "go on", "continue")
"""The commands that the ear is ready for while the host waits for an answer; dictation hears others."""
BETWEEN = ("score", "what's the score", "who's winning", "how many guesses", "where is my piece", "undo", "we object",
           "objection", "slower", "faster", "louder", "quieter")
"""What is asked for between two cards."""
ROLL_REPLIES = ("that is all", "that's all", "that's everybody", "help", "repeat", "say that again", "stop the game")
"""What else may be said while players are gathered."""


class Hearing:
    """Fixed by the packs: the forms of all answers, and who they could be taken for."""

    def __init__(self, packs: Packs, names: tuple[str, ...] = ()) -> None:
        self.packs, self.names = packs, names
        self.answers = tuple(card.answer for card in packs.clues)
        known = (form for card in packs.clues for form in (*forms(card), *wrong_forms(card)))
        self.answer_forms = tuple(dict.fromkeys(known))
        self._card_phrases = cache(self._phrases_of)
        self._forms = cache(forms)
        self._others = cache(lambda card: tuple(other.answer for other in packs.clues if other is not card))
        self._listens = cache(self._listens_for)
        self._seats = cache(self._seats_of)

    # --- what to listen for ---------------------------------------------------------------------

    def listening(self, state: State, expects: Expects | None) -> Listening:
        """What the table waits for now."""
        gathering, question = state.gathering, state.question
        if gathering is not None:
            first = gathering.step == "who"
            names = self.names if first else ()
            return Listening(
                roll_call=first, youngest=not first, yes_no=True, ready=True, names=names, claim=not first, count=first,
            )
        expects = expects or Expects()
        if question is not None:
            return Listening(
                yes_no=True, ready=question.kind in ("resume", "another"), claim=question.kind == "objection",
                answer_forms=self.answer_forms,
            )
        return Listening(
            guessing=expects.card is not None, claim=expects.claim, yes_no=expects.yes_no, ready=expects.ready,
            numbers=expects.numbers, call=expects.call, words=expects.words, answer_forms=self.answer_forms,
            own_forms=() if expects.card is None else self._forms(expects.card),
        )

    def seats(self, state: State) -> tuple[tuple[str, ...], ...]:
        """The words that name each seat: its colour and its name, but for names that sound like another's."""
        players = state.gathering.players if state.gathering is not None else state.players
        return self._seats(players)

    def _seats_of(self, players: tuple[Player, ...]) -> tuple[tuple[str, ...], ...]:
        alike = confusable(players, self.packs.pronunciations) if all(player.colour for player in players) else ()
        return tuple(
            tuple(dict.fromkeys(word for word in (player.colour, "" if seat in alike else player.name.lower()) if word))
            for seat, player in enumerate(players)
        )

    def listens(self, state: State, expects: Expects | None) -> Listens:
        """What the ear should listen for; the same question gives the same object."""
        card = None if expects is None or state.question is not None or expects.claim else expects.card
        return self._listens(self.seats(state), self.listening(state, expects), card)

    def _listens_for(
        self, seats: tuple[tuple[str, ...], ...], listening: Listening, card: Card | None
    ) -> Listens:
        own = () if card is None else forms(card)
        if listening.roll_call:
            said: tuple[str, ...] = (*self._roll(), *ROLL_REPLIES)
        elif listening.claim or listening.yes_no or (listening.ready and card is None):
            said = (*colours_and_names(seats), *self._answers(seats, listening))
        else:
            said = phrases(seats, listening)
        rivals = () if card is None else self._card_phrases(card)
        if card is not None:
            said = (*said, *self._guesses(seats, own, rivals))
        listed = dict.fromkeys(said)
        return Listens(
            phrases=tuple(listed),
            complete=tuple(text for text in complete(seats, listening, (*own, *rivals)) if text in listed),
            likely=(*own, *rivals),
            around=around(seats, listening),
            patience=THINKING if listening.roll_call else PATIENCE,
            unfinished=UNFINISHED if card is not None else (),
            answers=own, sounds=self._sounds(own),
        )

    def _sounds(self, texts: Iterable[str]) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
        """The pronunciations of all words in these texts."""
        known = self.packs.pronunciations
        words = sorted({word for text in texts for word in plain(text)})
        return tuple((word, tuple(known[word])) for word in words if word in known)

    @staticmethod
    def _guesses(seats: tuple[tuple[str, ...], ...], own: tuple[str, ...], rivals: tuple[str, ...]) -> Iterator[str]:
        """Guesses as they are said, with an owner in front or behind and with a carrier.

        A grammar is a bigram model over its phrases: a colour that never stands before an answer in it is
        hardly heard there. Measured on 96 guesses by four tuning voices in a room (20 dB): the colour was
        heard in 47 of 96 without these, in 93 with them.
        """
        yield from own
        yield from rivals
        for form in own:
            yield from (f"{carrier} {form}" for carrier in GUESS_CARRIERS)
        for word in colours_and_names(seats):
            yield from (f"{word} {form}" for form in (*own, *rivals))
            yield from (f"{word} {carrier}" for carrier in GUESS_CARRIERS)
            yield from (f"{form} {word}" for form in own)

    @staticmethod
    def _answers(seats: tuple[tuple[str, ...], ...], listening: Listening) -> Iterator[str]:
        """Answers to a question of the host's; few, since "white" is soon "quiet" where that is a choice too."""
        yield from ASIDES
        if listening.claim or listening.youngest:
            yield from ME
            for word in colours_and_names(seats):
                yield from (f"it was {word}", f"that was {word}", f"{word} is the youngest", f"{word} said it")
        if listening.yes_no:
            yield from (*YES, *NO)
        if listening.ready:
            yield from (*READY, *BETWEEN)

    def _roll(self) -> Iterator[str]:
        """The roll call as it is said, every name with every colour."""
        for name in self.names:
            for number, colour in enumerate(COLOURS):
                yield f"{name} {'takes' if number == 0 else 'is'} {colour}"
        for colour in COLOURS:
            yield from (f"{start} {colour}" for start in ("i take", "i'm", "i am", "i want", "is", "takes"))
        for count in NUMBERS[2:9]:
            yield from (f"{count} players", f"we are {count}")
        yield from WISHES

    def _phrases_of(self, card: Card) -> tuple[str, ...]:
        alike = sorted((other for other in self.packs.clues if other is not card),
                       key=lambda other: (other.category != card.category, other.id))[:RIVALS]
        return tuple(dict.fromkeys((*wrong_forms(card), *(form for other in alike for form in forms(other)[:2]))))

    # --- what was heard -------------------------------------------------------------------------

    def understand(self, state: State, expects: Expects | None, heard: Heard) -> Understood:
        """The meaning of an utterance in this moment."""
        understood = understand(heard, self.seats(state), self.listening(state, expects))
        if not understood.roll:
            return understood
        unsure = {word.text for word in heard.words if word.confidence < NAME_SURE}
        roll = tuple(("" if name in unsure else name, colour) for name, colour in understood.roll)
        return replace(understood, roll=roll)

    def judge(self, card: Card, said: Said, before: str = "") -> Verdict:
        """The verdict on one guess; `before` is the unspecific one that it makes more exact (CE-14)."""
        others, sounds = self._others(card), self.packs.pronunciations
        return judge(card, said.words, said.dictation, others, sounds, before, said.margin).verdict

    @staticmethod
    def called(players: tuple[Player, ...], seat: int | None) -> str:
        """How a player is called at the table: by colour, else by name."""
        if seat is None or not 0 <= seat < len(players):
            return ""
        return players[seat].colour.capitalize() or players[seat].name
