"""What the table listens for, and what it makes of what was heard: `understand` and `judge` at work."""

from functools import cache

from host.clock import samples
from host.events import Heard, Listens, Verdict
from host.games import Expects, Player
from host.judge import forms, judge, wrong_forms
from host.packs import Card, Packs
from host.table.state import State
from host.understand import Listening, Said, Understood, complete, phrases, understand

PATIENCE = samples(0.7)
"""Silence that ends an utterance which may go on."""
THINKING = samples(1.2)
"""The same in a roll call, where people look at one another between the names."""
RIVALS = 60
"""Other cards' answers in a card's grammar: those of the same category first. Measured with so many (docs)."""


class Hearing:
    """Fixed by the packs: the forms of all answers, and who they could be taken for."""

    def __init__(self, packs: Packs, names: tuple[str, ...] = ()) -> None:
        self.packs, self.names = packs, names
        self.answers = tuple(card.answer for card in packs.clues)
        self.answer_forms = tuple(dict.fromkeys(form for card in packs.clues for form in forms(card)))
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
        rivals = () if card is None else self._card_phrases(card)
        return Listens(
            phrases=tuple(dict.fromkeys((*phrases(seats, listening), *own, *rivals))),
            complete=complete(seats, listening, own),
            patience=THINKING if listening.roll_call else PATIENCE,
        )

    def _phrases_of(self, card: Card) -> tuple[str, ...]:
        alike = sorted((other for other in self.packs.clues if other is not card),
                       key=lambda other: (other.category != card.category, other.id))[:RIVALS]
        return tuple(dict.fromkeys((*wrong_forms(card), *(form for other in alike for form in forms(other)[:2]))))

    # --- what was heard -------------------------------------------------------------------------

    def understand(self, state: State, expects: Expects | None, heard: Heard) -> Understood:
        """The meaning of an utterance in this moment."""
        return understand(heard, self.seats(state), self.listening(state, expects))

    def judge(self, card: Card, said: Said) -> Verdict:
        """The verdict on one guess."""
        return judge(card, said.words, said.dictation, self._others(card), self.packs.pronunciations).verdict

    @staticmethod
    def called(players: tuple[Player, ...], seat: int | None) -> str:
        """How a player is called at the table: by colour, else by name."""
        if seat is None or not 0 <= seat < len(players):
            return ""
        return players[seat].colour.capitalize() or players[seat].name
