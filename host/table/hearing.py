"""What the table listens for, and what it makes of what was heard: `understand` and `judge` at work."""

from collections.abc import Iterator
from functools import cache

from host.clock import samples
from host.events import Heard, Listens, Verdict
from host.games import Expects, Player
from host.judge import forms, judge, wrong_forms
from host.packs import Card, Packs
from host.table.state import State
from host.understand import COLOURS, Listening, Said, Understood, complete, phrases, understand
from host.understand.listening import colours_and_names

PATIENCE = samples(0.7)
"""Silence that ends an utterance which may go on."""
THINKING = samples(1.2)
"""The same in a roll call, where people look at one another between the names."""
RIVALS = 60
"""Other cards' answers in a card's grammar: those of the same category first. Measured with so many (docs)."""
GUESS_CARRIERS = ("is it", "it's", "i think it's", "is that", "the answer is")
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
        self._others = cache(lambda card: tuple(other.answer for other in packs.clues if other is not card))
        self._listens = cache(self._listens_for)

    # --- what to listen for ---------------------------------------------------------------------

    def listening(self, state: State, expects: Expects | None) -> Listening:
        """What the table waits for now."""
        gathering, question = state.gathering, state.question
        if gathering is not None:
            first = gathering.step == "who"
            return Listening(
                roll_call=True, youngest=not first, yes_no=True, ready=True, names=self.names, claim=not first,
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
        )

    def seats(self, state: State) -> tuple[tuple[str, ...], ...]:
        """The words that name each seat: its colour and its name."""
        players = state.gathering.players if state.gathering is not None else state.players
        return tuple(
            tuple(dict.fromkeys(word for word in (player.colour, player.name.lower()) if word)) for player in players
        )

    def listens(self, state: State, expects: Expects | None) -> Listens:
        """What the ear should listen for; the same question gives the same object."""
        card = None if expects is None or state.question is not None else expects.card
        return self._listens(self.seats(state), self.listening(state, expects), card)

    def _listens_for(
        self, seats: tuple[tuple[str, ...], ...], listening: Listening, card: Card | None
    ) -> Listens:
        own = () if card is None else forms(card)
        if listening.roll_call and not listening.youngest:
            said: tuple[str, ...] = (*self._roll(), *ROLL_REPLIES)
        else:
            said = phrases(seats, listening)
        if card is not None:
            said = (*said, *self._guesses(seats, own, self._card_phrases(card)))
        return Listens(
            phrases=tuple(dict.fromkeys(said)),
            complete=complete(seats, listening, own),
            patience=THINKING if listening.roll_call else PATIENCE,
        )

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

    def _roll(self) -> Iterator[str]:
        """The roll call as it is said; each name once with each joint, the colours in turn."""
        colours = tuple(COLOURS)
        yield from (f"and {name}" for name in self.names)
        for number, name in enumerate(self.names):
            for step, joint in enumerate(("is", "takes", "is playing")):
                yield f"{name} {joint} {colours[(number + 3 * step) % len(colours)]}"
        for colour in colours:
            yield from (f"{start} {colour}" for start in ("i take", "i'm", "i am", "i want", "is", "takes"))

    def _phrases_of(self, card: Card) -> tuple[str, ...]:
        alike = sorted((other for other in self.packs.clues if other is not card),
                       key=lambda other: (other.category != card.category, other.id))[:RIVALS]
        return tuple(dict.fromkeys((*wrong_forms(card), *(form for other in alike for form in forms(other)[:2]))))

    # --- what was heard -------------------------------------------------------------------------

    def understand(self, state: State, expects: Expects | None, heard: Heard) -> Understood:
        """The meaning of an utterance in this moment."""
        return understand(heard, self.seats(state), self.listening(state, expects))

    def judge(self, card: Card, said: Said, before: str = "") -> Verdict:
        """The verdict on one guess; `before` is the unspecific one that it makes more exact (CE-14)."""
        others, sounds = self._others(card), self.packs.pronunciations
        return judge(card, said.words, said.dictation, others, sounds, before).verdict

    @staticmethod
    def called(players: tuple[Player, ...], seat: int | None) -> str:
        """How a player is called at the table: by colour, else by name."""
        if seat is None or not 0 <= seat < len(players):
            return ""
        return players[seat].colour.capitalize() or players[seat].name
