"""A voice-driven host for two party games, Clever Endeavor and Venn.

Four laws
---------
1. Time is the number of samples heard: 16,000 a second, in blocks of 480 (30 ms).
2. One queue, one order: microphone blocks, presses and messages enter the same queue.
3. What holds for a while is read off the state (deadline, view, what to listen for); what happens
   once is an effect (say, hush, chime).
4. Only what came in is needed to live a session again.

The map
-------
- `clock`, `events`, `sound`, `phones`, `heap`: time, what can happen, sound in blocks, how alike phones sound, memory
  given back. They know nobody.
- `packs`: clue cards, venture cards, boards, words; load, check, seal. `lines`: everything the host says.
- `judge`: is it the answer? `understand`: words to guess, player, command, list word, number.
- `games/`: the rules, pure, each citing its number in docs/RULES.md.
- `table`: what any game needs: roll call, pause, repeat, scores, undo, objection, help, quit.
- `session`, `log`: the loop over blocks, and the record of what came in. They know no device, no
  recogniser and no particular game.
- `ears/`, `voices/`, `devices/`: recogniser, synthesiser, sound card, simulated room. They know only
  `clock`, `events` and `sound`.
- `memory`: which cards were played on earlier evenings.
- `server/`: screen and phones. `bench/`: the promises, measured. `app/`: the commands.
- `__main__`: the command line; with `app` and `bench` the only code that knows everybody.
"""

__version__ = "0.1.0"
