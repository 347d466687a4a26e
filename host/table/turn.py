"""One step of the table in the making: the state so far and the effects so far."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from host import lines
from host.clock import Samples, samples
from host.events import (
    Adjust,
    Claim,
    Command,
    Effect,
    Floor,
    Guess,
    Guesses,
    Heard,
    Hush,
    Intent,
    Keep,
    Line,
    Part,
    Quit,
    Ready,
    Reply,
    Resumed,
    Said,
    Say,
    Speaking,
    TimeUp,
    Verdict,
)
from host.games import Player
from host.table import asking, chairs, commands, pressing, venn_gathering, venn_talk
from host.table.gathering import Gathering
from host.table.state import BUZZED, KEPT, LOST, NAMED, TOGETHER, TRIES, Before, Open, Owner, Question, State

if TYPE_CHECKING:
    from host.packs import Card
    from host.table import Table
    from host.understand import Understood


class Turn:
    """Mutable for the length of one step only; what it leaves behind is frozen again."""

    def __init__(self, table: Table, state: State, at: Samples) -> None:
        self.table, self.state, self.at = table, state, at
        self.effects: list[Effect] = []

    def set(self, **changes: object) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]  # names are checked by replace

    # --- out: saying, and telling the game ------------------------------------------------------

    def say(self, key: str, gap: float = 0.3, **values: object) -> None:
        """Say one of the table's own lines."""
        count = self.state.spoken
        self.set(spoken=count + 1)
        self.emit(Say(Line(f"table/{key}#{count}", lines.say(key, count, **values)), samples(gap)))

    def emit(self, effect: Effect) -> None:
        """Send an effect, and remember lines until they have been said."""
        if isinstance(effect, Say):
            self.set(saying=(*self.state.saying, effect.line))
        self.effects.append(effect)

    def adjust(self) -> None:
        """Speak as fast and as loud as the table wants it."""
        if (self.state.speed, self.state.volume) != (1.0, 1.0):
            self.effects.append(Adjust(self.state.speed, self.state.volume))

    def hush(self) -> None:
        """Fall silent, if anything is being said."""
        if self.state.saying:
            self.effects.append(Hush())

    def tell(self, intent: Intent) -> None:
        """Step the game, and pass on what it says."""
        over = self.is_over()
        game, effects = self.table.rules.step(self.state.game, intent)
        self.set(game=game)
        self.pass_on(effects)
        if not over and self.is_over() and self.state.question is None:
            self.ask(Question("another", self.at + LOST))
            self.say("another", gap=0.8)

    def pass_on(self, effects: tuple[Effect, ...]) -> None:
        """Send the game's effects; its lines carry the epoch, so that those undone are known later."""
        for effect in effects:
            if isinstance(effect, Say) and self.state.epoch:
                line = replace(effect.line, id=f"{effect.line.id}~{self.state.epoch}")
                self.emit(replace(effect, line=line))
            else:
                self.emit(effect)
            if isinstance(effect, Keep):
                self.set(used=(*self.state.used, (effect.deck, effect.card)))

    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        if self.state.game is None:
            return False
        view = self.table.rules.view(self.state.game, None)
        return view["winner"] is not None or view.get("phase") == "over"  # a cooperative game may be lost

    def score(self) -> object:
        """What undo compares to see whether the score changed."""
        return self.table.rules.view(self.state.game, None)["standing"]

    # --- the game's clock -----------------------------------------------------------------------

    def time(self, at: Samples | None = None) -> Samples:
        """A sample heard as the game's time."""
        at = self.at if at is None else at
        return (at if self.state.stopped is None else min(at, self.state.stopped)) - self.state.offset

    def stop_clock(self) -> None:
        """Hold the game's clock."""
        if self.state.stopped is None:
            self.set(stopped=self.at)

    def start_clock(self) -> None:
        """Let it run on, and deliver what came meanwhile."""
        if self.state.stopped is None or self.state.paused:
            return
        waiting, offset = self.state.waiting, self.state.offset + self.at - self.state.stopped
        self.set(offset=offset, stopped=None, waiting=())
        for event in waiting:
            self.tell(replace(event, at=self.time()))
        venn_talk.resume(self)

    # --- in -------------------------------------------------------------------------------------

    def greet_known(self, players: tuple[Player, ...]) -> None:
        """Players came by flag: greet them, and ask only what is missing."""
        if self.table.venn:
            venn_gathering.greet(self, players)
            return
        gathering = Gathering(step="youngest", players=players, until=self.at + LOST)
        self.set(gathering=gathering)
        self.say("greeting_known", game=self.table.title, roll=gathering.roll())
        if self.table.youngest is not None or len(players) == 1:
            asking.begin_game(self, self.table.youngest or 0)
        else:
            self.say("youngest_again")

    def speaking(self, event: Speaking) -> None:
        """Somebody has begun: the floor is theirs, and a line that yields falls silent."""
        self.set(busy=(*self.state.busy, Open(event.utterance, event.channel, event.began)))
        if self.state.saying and self.state.saying[0].yields:
            self.hush()

    def heard(self, event: Heard) -> None:
        """An utterance is known: make of it what the moment asks for."""
        if not event.final:
            if self.table.venn:
                venn_talk.partial(self, event)
            return
        same = Open(event.utterance, event.channel, 0)
        known = [o for o in self.state.busy if (o.utterance, o.channel) == (same.utterance, same.channel)]
        if not known:
            return  # delivered twice (REC-31), or from before a power cut
        self.set(busy=tuple(o for o in self.state.busy if o not in known), heard=self.shown(event))
        expects = None if self.state.game is None else self.table.rules.expects(self.state.game)
        self.meant(self.table.hearing.understand(self.state, expects, event), event)

    def meant(self, understood: Understood, event: Heard, touched: bool = False) -> None:
        """Do what somebody meant, by voice or by touch (which is never table talk)."""
        if self.state.done:
            return
        if chairs.heard(self, understood, event):
            return
        if self.state.question is not None and asking.answer(self, understood):
            return
        if self.table.venn and venn_talk.corrected(self, event):
            return
        if self.table.venn and not touched:
            understood = venn_talk.meaning(self, understood, event)
        if understood.command and commands.obey(self, understood, event):
            return
        if self.state.paused or self.state.question is not None:
            return
        if self.state.gathering is not None and self.table.venn:
            venn_gathering.gather(self, understood, event)
        elif self.state.gathering is not None:
            asking.gather(self, understood)
        elif self.state.game is not None and self.table.venn:
            venn_talk.play(self, understood, event)
        elif self.state.game is not None:
            self.play(understood, event)

    def shown(self, event: Heard) -> str:
        """What the screen may show of it: with a card open not the grammar's reading, which knows the answer."""
        free = " ".join(word.text for word in event.dictation)
        game = self.state.game
        return event.text if game is None or self.table.rules.expects(game).card is None else free

    def play(self, understood: Understood, event: Heard) -> None:
        """Words for the game: a reply, a claim, or guesses."""
        expects = self.table.rules.expects(self.state.game)
        owner = understood.owner
        mine = pressing.seat_of_channel(self, event.channel) if understood.me and owner is None else None
        if expects.claim and mine is not None:
            self.claim(mine, event.began)
        elif expects.claim and owner is not None and not understood.guesses:
            self.claim(owner, event.began)
        elif expects.yes_no and understood.yes is not None:
            self.tell(Reply(self.time(), understood.yes))
        elif expects.ready and (understood.ready or understood.yes):
            self.tell(Ready(self.time(), owner))
        elif expects.card is not None:
            self.guess(expects.card, understood, event)

    def claim(self, seat: int, began: Samples) -> None:
        """Somebody was named in reply to "who said it?"; undo and objection learn whose guess it was."""
        if self.state.before:
            *earlier, last = self.state.before
            guesses = tuple(replace(g, seat=seat) if g.seat is None else g for g in last.guesses.guesses)
            last = replace(last, guesses=replace(last.guesses, guesses=guesses), scored=True)
            self.set(before=(*earlier, last))
        self.tell(Claim(self.time(), seat, self.time(began)))

    def guess(self, card: Card, understood: Understood, event: Heard) -> None:
        """Judge what was said, and hold it until all speech begun earlier is judged."""
        floor = pressing.floor_for(self.state.owner, understood)
        seat, began = understood.owner, event.began
        if floor is not None and seat in (None, floor.seat):
            seat, began = floor.seat, floor.began
        by_button = floor is not None and floor.by_button and seat == floor.seat
        if understood.owner_only and seat is not None:
            self.set(owner=Owner(seat, began, self.at + NAMED, by_button))
            return
        addressed = understood.addressed or (floor is not None and seat == floor.seat)
        unsure = False
        for span in understood.guesses:
            verdict = self.table.hearing.judge(card, span, self.state.unspecific)
            unsure = unsure or (verdict is Verdict.AGAIN and addressed)
            if verdict in (Verdict.NONE, Verdict.AGAIN) or (verdict is not Verdict.RIGHT and not addressed):
                continue
            starts = began if by_button else span.answer_began
            doubtful = verdict is Verdict.WRONG and floor is None and not understood.owner_sure
            whose = pressing.guesser(self, None if doubtful else seat, verdict, event.channel)
            likely = pressing.likely(self, event) if whose is None else None
            said = Guess(whose, began, starts, verdict, span.text, by_button, event.utterance, event.channel, likely)
            self.set(held=(*self.state.held, said), misheard=0, owner=None)
        if unsure and not self.state.held:
            self.ask_again(seat, began, by_button)

    def ask_again(self, seat: int | None, began: Samples, by_button: bool) -> None:
        """Too unsure to rob or to reward: ask, in other words each time, and not for ever (GM-4)."""
        count = self.state.misheard + 1
        who = self.table.hearing.called(self.state.players, seat)
        if count > TRIES:
            self.say("again_leave")
            self.set(misheard=0, owner=None)
            return
        self.set(misheard=count)
        if seat is None:
            self.say("again")
        else:
            self.say("again_who" if count < TRIES else "again_slow", who=who)
            self.set(owner=Owner(seat, began, self.at + BUZZED, by_button))

    def said(self, event: Said) -> None:
        """The mouth reports on a line: keep count, and tell the game where the line is the game's."""
        name, _, epoch = event.line.partition("~")
        if event.part in (Part.ENDED, Part.CUT):
            self.set(saying=tuple(line for line in self.state.saying if line.id != event.line))
            if "/verdict" in name:
                self.set(verdict_ended=event.at)
            if name.startswith("table/"):
                asking.spoken(self, event.at)
                pressing.spoken(self, name)
        if name.startswith("table/") or self.state.game is None or int(epoch or 0) != self.state.epoch:
            return
        event = replace(event, line=name)
        if self.state.stopped is not None:
            self.set(waiting=(*self.state.waiting, event))
        else:
            self.tell(replace(event, at=self.time(event.at)))

    def time_up(self) -> None:
        """Whatever was due at this sample."""
        state = self.state
        if state.owner is not None and state.owner.until <= self.at and not state.busy:
            self.set(owner=None)
        elif state.question is not None:
            asking.unanswered(self)
        elif state.gathering is not None and self.table.venn:
            venn_gathering.gathered(self)
        elif state.gathering is not None:
            asking.gathered(self)
        elif state.game is not None and state.stopped is None:
            self.tell(TimeUp(self.time()))

    def resumed(self) -> None:
        """After a power cut: nothing is being said or heard; say where the game stands, and ask (GM-3)."""
        cut = tuple(
            Said(self.at, line.id.partition("~")[0], Part.CUT)
            for line in self.state.saying
            if not line.id.startswith("table/") and int(line.id.partition("~")[2] or 0) == self.state.epoch
        )
        told = tuple(event for event in self.state.waiting if not isinstance(event, Resumed))
        self.set(saying=(), busy=(), owner=None, nexts=(), breaths=(), troubles=(),
                 waiting=(Resumed(self.at), *told, *cut))
        self.adjust()
        if self.state.done:
            self.emit(Quit())
        elif self.state.gathering is not None and self.table.venn:
            venn_gathering.ask(self)
        elif self.state.gathering is not None:
            asking.ask_gathering(self)
        elif self.state.game is not None:
            self.stop_clock()
            self.set(paused=False)
            self.tell(Command(self.time(), "score"))
            self.ask(Question("resume", self.at + LOST))
            self.say("resumed")

    def trouble(self, what: str) -> None:
        """Say once that something around the game is wrong; "NAME.over" ends it, and it may be said again."""
        name, _, over = what.partition(".")
        if over:
            self.set(troubles=tuple(other for other in self.state.troubles if other != name))
        elif what not in self.state.troubles:
            self.set(troubles=(*self.state.troubles, what))
            self.say(what if what in lines.TABLE else "trouble")

    def ask(self, question: Question) -> None:
        """Put a question of the table's; the game's clock stands."""
        self.stop_clock()
        self.set(question=question)

    # --- at the end of every step ---------------------------------------------------------------

    def settle(self) -> None:
        """Release guesses that nothing earlier can overtake, then tell the game whose floor it is."""
        if self.state.chairs:
            chairs.settle(self)
        if self.state.game is None or self.state.stopped is not None:
            return
        if self.state.held:
            self.release()
        if self.state.nexts:
            pressing.pass_floor(self)
        busy = bool(self.state.busy) or self.state.owner is not None
        if busy != self.state.floor and self.state.stopped is None:
            starts = [o.began for o in self.state.busy] + ([self.state.owner.began] if self.state.owner else [])
            self.set(floor=busy)
            self.tell(Floor(self.time(), busy, self.time(min(starts, default=self.at))))

    def release(self) -> None:
        """Pass on the guesses before which no speech is unjudged (CE-15)."""
        first = min((o.began for o in self.state.busy), default=None)
        free = [g for g in self.state.held if first is None or g.answer_began + TOGETHER < first]
        if not free:
            return
        self.set(held=tuple(g for g in self.state.held if g not in free))
        ordered = sorted(
            (replace(g, began=self.time(g.began), answer_began=self.time(g.answer_began)) for g in free),
            key=lambda g: g.answer_began,
        )
        self.judged(Guesses(self.time(), tuple(ordered)))

    def judged(self, guesses: Guesses) -> None:
        """Step the game with guesses, and keep the state before."""
        state, score = self.state, self.score()
        before = Before(state.game, self.time(), state.saying, guesses, False)
        general = [guess.text for guess in guesses.guesses if guess.verdict is Verdict.UNSPECIFIC]
        self.set(verdict_ended=None, unspecific="".join(general[-1:]))
        self.tell(guesses)
        scored = self.score() != score
        self.set(before=(*state.before, replace(before, scored=scored))[-KEPT:])

    def restore(self, before: Before) -> None:
        """Put the game back to before some guesses, its clock with it."""
        kept = self.state.before[: self.state.before.index(before)]
        self.hush()
        self.set(
            game=before.game, before=kept, epoch=self.state.epoch + 1, offset=self.at - before.time, stopped=None,
            waiting=(), held=(), owner=None, nexts=(), floor=True, question=None, paused=False, verdict_ended=None,
        )
        for line in before.saying:
            if not line.id.startswith("table/"):
                self.tell(Said(self.time(), line.id.partition("~")[0], Part.CUT))
