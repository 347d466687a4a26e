"""Everything the host ever says, in one place.

A key has several wordings; `say` takes them in turn, so that none is heard twice in a row. Values are
put in with `{name}`. The words are short, warm, never blaming, easy for a synthesiser to say and for a
child to follow (GM-4). No line is longer than 12 s.
"""

TABLE: dict[str, tuple[str, ...]] = {
    # --- before the game
    "greeting": (
        "Good evening, and welcome to {game}! I read the clues, you call out the answers. Who is playing? "
        "Say your name and your colour, one after the other.",
        "Hello everybody, this is {game}! Sit down and get comfortable. Who is playing? "
        "Say your name and your colour, one after the other.",
    ),
    "greeting_known": (
        "Good evening, and welcome to {game}! I read the clues, you call out the answers. Tonight we have {roll}.",
        "Hello everybody, this is {game}! Sit down and get comfortable. Playing tonight: {roll}.",
    ),
    "counted": ("{number} players. Who is who? Your names and colours, please.",
                "So you are {number}. Your names and colours, please."),
    "wish": ("Good: {wish}. Anything else, or who is playing?", "As you like: {wish}. And who is playing?"),
    "wish_no": ("Those wishes do not go together, so we play the usual way.",),
    "who_again": (
        "Who is playing? For example: Anna is blue.",
        "Tell me who plays, like this: Ben is red.",
    ),
    "who_wait": ("Take your time. When you are ready, say your name and your colour.",),
    "who_more": ("{roll}. Anybody else? One more player, or say: that is all.",),
    "names_alike": ("{names} sound alike to me, so say your colours.",
                    "I may mix up {names}. Your colours tell you apart."),
    "youngest": ("{roll}. Who is the youngest?", "So we have {roll}. Who is the youngest?"),
    "youngest_again": ("Who is the youngest? Say the colour.", "Which colour is the youngest?"),
    "youngest_who": ("Who is that?", "And which colour is that?"),
    "youngest_skip": ("Then {who} starts.",),
    "starts": (
        "{who} starts. Say your colour first, then your answer.",
        "{who} starts. When you know it, say your colour and then the answer.",
    ),
    # --- at any time
    "again": ("Say that once more, please.", "Once more, please?", "I did not catch that. Once more?"),
    "again_who": ("Once more, {who}?", "Say that once more, {who}.", "I did not catch that, {who}. Once more?"),
    "again_slow": (
        "Let us try it another way, {who}: only the answer, slowly, and close to me.",
        "One more time, {who}, another way: come close, and say nothing but the answer.",
    ),
    "again_leave": ("Let us leave that one.", "We will let that one go."),
    "paused": ("Pause. Say go on when you are ready.", "We wait. Say go on when you are back."),
    "continued": ("On we go.", "Good, on we go.", "Here we go again."),
    "still_paused": ("We are still waiting. Say go on when you are ready.",),
    "slower": ("A little slower.", "Slower it is."),
    "faster": ("A little faster.", "Faster it is."),
    "louder": ("A little louder.", "Louder it is."),
    "quieter": ("A little quieter.", "Quieter it is."),
    "speed_end": ("That is as far as I go.",),
    "help": (
        "Say your colour and your answer. You can also say: repeat, score, how many guesses, pause, skip, undo, "
        "we object, or stop the game.",
    ),
    # --- questions
    "quit": ("Stop the game? Yes or no?", "Shall I stop the game? Yes or no?"),
    "quit_stay": ("Then we play on.", "Good, we play on."),
    "goodbye": ("Thank you for playing. Good night!", "That was fun. Good night, everybody!"),
    "another": ("Another round?", "Shall we play another one?"),
    "objection_right": (
        "Which way: should it not count for {who}?",
        "All right, which way: should I take it back from {who}?",
    ),
    "objection_wrong": (
        "Which way: should it count for {who}?",
        "All right, which way: was {who} right?",
    ),
    "objection_none": ("There is nothing to object to just now.",),
    "objection_late": ("That is too long ago now. It stands.",),
    "stands": ("Then it stands.", "It stands, then."),
    "disputed": ("You do not agree, so it stands.",),
    "undone": ("Taken back.", "Good, that is taken back."),
    "undo_none": ("There is nothing to take back.",),
    "resumed": (
        "Welcome back. We were in the middle of a game. Shall we go on?",
        "There was a game going on here. Shall we go on with it?",
    ),
    "resume_wait": ("I will wait. Say go on when you are ready.",),
    "disk": ("A word about the box: I can not keep a record of tonight, but we can play on.",),
    "recording": ("Please note: this evening is being recorded for the next ten minutes.",),
    "half_duplex": (
        "Please note: while I speak, I can not hear you. Early guesses do not reach me. Wait for the tone.",
    ),
    "sound": ("I had lost my ears and my voice for a moment. Here they are again.",),
    "muted": ("I hear nothing at all. Is the microphone switched off?",),
    "monitor": ("I hear nobody but myself. Is the microphone plugged in?",),
    "clipped": ("You are too loud for my microphone. Please move it away a little, or turn it down.",),
    "memory": ("A word about the box: my list of played cards was damaged, so I use an older one.",),
    "settings": ("A word about the box: its settings could not be read, so I use the last good ones.",),
    "trouble": ("Something is not right with the box, but we can play on.",),
    "joiner": ("Welcome! Free are {colours}. Your name and your colour?",
               "With pleasure! There is {colours}. Your name, and which colour?"),
    "joiner_taken": ("{colour} is taken. Free are {colours}. Which one?",
                     "Somebody is {colour} already. There is {colours}. Which one?"),
    "table_full": ("Eight play already, and I have no ninth colour.",),
    "leaver": ("Who is leaving? Which colour?", "Which colour is leaving?"),
    "leave": ("{who} is leaving, and the piece goes. Yes or no?", "Take {who} out of the game? Yes or no?"),
    "leave_last": ("Two are needed to play on. To end it, say stop the game.",),
    "chair_stays": ("Then everything stays as it is.", "Good, nobody moves."),
    "chair_wait": ("In a moment.", "One moment, first this."),
    "chair_round": ("{who}: from the next round on.", "From the next round on, {who}."),
    "phones": (
        "To play, say your name and a colour. With a phone, scan the picture on the screen, or open {address}. "
        "The code is {code}.",
    ),
    "your_turn": ("{who} is next.", "Now {who}.", "{who}, your guess."),
    "marked": ("Noted. On to the next one.", "I have made a note of that. Next one."),
}
"""What the table says in any game."""

CLEVER: dict[str, tuple[str, ...]] = {
    # a card begins
    "clever_card": ("Here is card {number}.", "Card {number}.", "Now for card {number}.", "On to card {number}."),
    "clever_card_reader": (
        "Card {number}. {who}, read us the category, and tap before each statement.",
        "Card {number} is yours, {who}. The category first, and a tap before each statement.",
        "{who}, card {number}. Read the category, then tap before each statement.",
    ),
    "clever_category": ("It's {category}.", "This one is {category}.", "We are looking for {category}."),
    "clever_ready": (
        "{who}, you read. Ready for the next one?",
        "Your card next, {who}. Ready?",
        "{who} has the cards. Shall we go on?",
        "The next one is yours, {who}. Ready?",
    ),
    "clever_joined": (
        "Welcome, {who}! You sit beside {names}, and begin on Start.",
        "{who} joins us beside {names}, on Start.",
        "Good to have you, {who}. On Start, beside {names}.",
    ),
    "clever_left": (
        "Goodbye, {who}, and thank you. Your piece goes back into the box.",
        "Good night, {who}! That piece comes off the board.",
        "So long, {who}. We take that piece away.",
    ),
    "clever_seats": (
        "{names} have changed seats.",
        "Then {names} sit the other way round.",
        "{names}, each in the other's chair.",
    ),
    "clever_anew": (
        "That was every card we have. I shuffle them, and we begin again.",
        "You have been through all the cards. I shuffle, and they start anew.",
        "The deck is through. A good shuffle, and it begins again.",
    ),
    # right
    "clever_right": (
        "Yes, {who}! {answer}. {read}: {spaces}.",
        "Right, {who}! {answer}. {read}: {spaces}.",
        "That's it, {who}! {answer}. {read}: {spaces}.",
        "{who} has it! {answer}. {read}: {spaces}.",
        "Well done, {who}! {answer}. {read}: {spaces}.",
    ),
    "clever_in_time": (
        "{who} had it in time! {answer}. {read}: {spaces}.",
        "Wait, {who} was in time! {answer}. {read}: {spaces}.",
        "And {who} said it before me! {answer}. {read}: {spaces}.",
    ),
    "clever_bonus": (
        "And {spaces} more, from the Venture card.",
        "The Venture card adds {spaces}.",
        "Plus {spaces}, as the Venture card promised.",
    ),
    "clever_who": ("Right! Who said it?", "That's it! Who was that?", "Yes! Whose was it?"),
    "clever_who_likely": ("Right! {name}, was that you?", "That's it! {name}, was it you?", "Yes! Was that {name}?"),
    "clever_who_again": (
        "It was right. Whose was it? Your colour, please.",
        "Somebody had it. Which colour?",
        "Right it was. Who may move?",
    ),
    "clever_first": ("{names}: who was first?", "{names}, which of you was first?", "Who said it first, {names}?"),
    "clever_tie": (
        "{names}, at exactly the same time! Nobody moves.",
        "{names} together! Then nobody moves.",
        "A dead heat, {names}. Nobody moves.",
    ),
    # wrong
    "clever_wrong_free": (
        "No, {who}. {left} left.",
        "Not that, {who}. {left} left.",
        "Good thought, {who}, but no. {left} left.",
    ),
    "clever_wrong_last": (
        "No, {who}. That was your last free one.",
        "Not this time, {who}. The next one is no longer free.",
        "No, {who}. From here on a guess may cost a space.",
    ),
    "clever_wrong_back": (
        "Sorry, {who}, no. Back one space.",
        "No, {who}. One space back.",
        "Not quite, {who}. Back one space.",
        "That is not it, {who}. One step back.",
    ),
    "clever_wrong_start": (
        "No, {who}. You are on Start, so it costs nothing.",
        "Not that, {who}. Further back than Start nobody goes.",
        "No, {who}, and you stay on Start.",
    ),
    "clever_wrong_shield": (
        "No, {who}, but your Venture card takes the step for you.",
        "Not that, {who}. Your shield holds: no step back.",
        "No, {who}. Forgiven, thanks to your Venture card.",
    ),
    "clever_exactly": ("More exactly, {who}?", "Which one, {who}?", "A little more exactly, {who}?"),
    "clever_owner": (
        "Colour first, please.",
        "Say your colour first, then I know who it is.",
        "Your colour first, please, then the answer.",
    ),
    # nobody
    "clever_last_chance": ("Last chance.", "Last chance, everybody.", "Any last ideas?", "One last chance."),
    "clever_nobody": ("Nobody. It was {answer}.", "Time is up. It was {answer}.", "That was a hard one: {answer}."),
    "clever_answer": ("It was {answer}.", "The answer was {answer}.", "We were looking for {answer}."),
    "clever_pass": (
        "{who} passes the cards to {next}.",
        "The cards go from {who} to {next}.",
        "{next} takes over the cards from {who}.",
    ),
    "clever_note": ("By the way: {note}", "And did you know? {note}", "One more thing: {note}"),
    "clever_false": (
        "And I own up: statement {number} was false.",
        "Statement {number} was my little lie.",
        "By the way, statement {number} was not true at all.",
    ),
    # moves
    "clever_venture": (
        "{who} lands on a triangle. Venture: {text}",
        "A triangle for {who}. The Venture card says: {text}",
        "{who} is on a triangle and draws a Venture card. {text}",
    ),
    "clever_swapped": ("{names} change places.", "{names} trade places.", "So {names} swap."),
    "clever_meant": ("That means {names}.", "That is for {names}.", "And that is {names}."),
    "clever_unmoved": ("Everybody stays put.", "And nothing moves.", "This time it changes nothing."),
    "clever_slid": (
        "{who} is on an arrow: back to space {number}.",
        "An arrow takes {who} back to space {number}.",
        "The arrow sends {who} to space {number}.",
    ),
    "clever_win": (
        "{who} enters the Winner's Circle! {name} wins, in {cards} and {minutes}.",
        "{who} is in the Winner's Circle! Congratulations, {name}: {cards}, {minutes}.",
        "That is the Winner's Circle for {who}! {name} wins after {cards} and {minutes}.",
    ),
    # objections
    "clever_overruled_right": (
        "{who}'s it is: {spaces}. Everything else stands as it stood.",
        "Then it is {who}'s: {spaces}. The rest is as it was.",
        "Agreed, it goes to {who}: {spaces}. The rest is as it was.",
    ),
    "clever_overruled_wrong": (
        "Agreed, it does not count. Nobody has this card.",
        "Then nobody has this card.",
        "All right, we take it back. The card is nobody's.",
    ),
    # answers
    "clever_score": ("{places}.", "It stands like this: {places}.", "So far: {places}."),
    "clever_where": ("{places}.", "Here they stand: {places}.", "On the path: {places}."),
    "clever_turn": ("{who} has the cards.", "The cards are with {who}.", "It is {who}'s card."),
    "clever_free": ("Free guesses: {places}.", "Still free: {places}.", "Free guesses left: {places}."),
    "clever_hidden": (
        "The category stays our secret tonight.",
        "We play without categories.",
        "No category: that is how you wanted it.",
    ),
    "clever_nothing_yet": (
        "Nothing has been read yet.",
        "There is no statement yet.",
        "The first one is still to come.",
    ),
    "clever_not_yet": (
        "After statement {number} I can read them all again.",
        "All of them again from statement {number} on.",
        "Once statement {number} is read, I read them all again.",
    ),
    "clever_reminder": (
        "Say go on when you want to hear more.",
        "I wait for your go on.",
        "Take your time, and say go on when you are ready.",
    ),
    "clever_pause_set": (
        "{seconds} seconds between statements.",
        "All right: {seconds} seconds in between.",
        "I leave {seconds} seconds between statements.",
    ),
    "clever_pause_refused": (
        "The pause can be three, four, five or six seconds.",
        "Choose three, four, five or six seconds.",
        "From three to six seconds, please.",
    ),
}
"""What is said in Clever Endeavor."""

VENN: dict[str, tuple[str, ...]] = {
    # a round begins
    "venn_round_first": (
        "Round {number}. Twelve words, listen:",
        "Here we go: round {number}. Twelve words:",
        "Round {number}, nobody has a point yet. Your twelve words:",
    ),
    "venn_round": (
        "Round {number}. {score}. Twelve words, listen:",
        "{score}. Here is round {number}. Twelve words:",
        "Round {number}. It stands {score}. Listen, twelve new words:",
    ),
    "venn_round_first_cooperative": (
        "Round {number} of {rounds}, all together. Twelve words, listen:",
        "Round {number} of {rounds}. Nothing won yet, nothing lost. Twelve words:",
    ),
    "venn_round_cooperative": (
        "Round {number} of {rounds}. You have {score}. Twelve words, listen:",
        "{score} so far. Round {number} of {rounds}. Twelve words:",
    ),
    "venn_words_anew": (
        "By the way: you have been through all my words. I shuffle them and start anew.",
        "That was every word I know. From here on they come round again.",
    ),
    "venn_new_words": ("Other words, then:", "Fresh words coming up:", "Fine, away with those. Here are others:"),
    "venn_again": ("Again?", "Once more?", "Shall I say them again?"),
    "venn_offer_cooperative": (
        "You are {number}. Two teams need four players, but all together you can play as one. Shall we?",
    ),
    # the family's own words
    "venn_collect": (
        "Now your own cards. Read me the twelve words, each with its number: one, and the word.",
        "Your cards, your words. Say the number, then the word, from one to twelve.",
    ),
    "venn_collect_next": ("I am listening. Number {number} comes next.", "Number {number}, please."),
    "venn_missing": ("Only number {number} to go.", "I still need number {number}."),
    "venn_list_right": ("Is that right?", "Have I got that right?"),
    "venn_list_wrong": (
        "Which one? Say its number, and the word.",
        "Tell me the number and the word, and I change it.",
    ),
    "venn_word_twice": (
        "{word} is number {number} already. Take another word, please.",
        "I have {word} as number {number}. A different word, please.",
    ),
    "venn_word_name": ("{word} is a team here. Take another word, please.", "That is a team's name. Another word?"),
    "venn_unknown_word": (
        "I don't know word {number}. Spell it, or say number {number} and another word.",
        "Word {number} is new to me. Spell it for me, or replace it: its number, and another word.",
    ),
    # ready, and the count
    "venn_ready_both": (
        "{names} give clues. Look at your numbers, and say ready.",
        "Clues from {names}. Take your numbers, and tell me when you are ready.",
        "{names}, the clues are yours. Ready when you both are.",
    ),
    "venn_ready_one": (
        "{names} gives clues. Look at your numbers, and say ready.",
        "Clues from {names}. Take your numbers, and tell me when you are ready.",
    ),
    "venn_giver": ("{name} gives clues, then.", "Good, {name} gives clues."),
    # who plays in which team
    "venn_joined": ("{name} joins {team}.", "{name} is in, with {team}."),
    "venn_joined_even": (
        "{name} joins {team}, so that the teams stay even.",
        "To keep it even, {name} plays with {team}.",
    ),
    "venn_joined_together": ("{name} plays along.", "{name} is in. All together!"),
    "venn_left": ("{name} has left the game.", "Goodbye, {name}."),
    "venn_evened": (
        "So that the teams are even, {name} goes over to {team}.",
        "{name} helps out with {team}, to keep it even.",
    ),
    "venn_over": ("{name} goes over to {team}.", "From here on {name} plays with {team}."),
    "venn_over_no": (
        "{name} is needed with {team}. Two of you can change places.",
        "Then {team} would be too few. {name} can change places with somebody.",
    ),
    "venn_traded": (
        "{one} goes to {first}, and {other} to {second}.",
        "{one} and {other} change places: {one} is with {first} now, {other} with {second}.",
    ),
    "venn_same_team": (
        "{one} and {other} both play with {team} already.",
        "{one} and {other} are in one team as it is.",
    ),
    "venn_expert": (
        "Experts: your first card goes inside, on two circles or on all three.",
        "Remember, experts: the first card goes into an inner zone, or into the middle.",
    ),
    "venn_one": ("One.",),
    "venn_two": ("Two.",),
    "venn_three": ("Three.",),
    "venn_go": ("Go!",),
    "venn_not_yet": ("Not yet!", "Too soon!"),
    # the call
    "venn_stop": ("Stop!", "Stop! Hands off!", "Stop, everybody!"),
    "venn_perhaps": ("Was that a call?", "Did somebody call?"),
    "venn_which": ("Which team?", "Who was that, which team?"),
    "venn_which_again": ("Which team called? Or was it nobody?", "Say your team, or say nobody."),
    "venn_earlier": ("{team} were first, by a hair.", "A moment: {team} called earlier."),
    "venn_both": (
        "Both at once! {team} guess first, and there is no bonus this time.",
        "Then it was both. {team} begin, without the bonus.",
    ),
    "venn_false_alarm": (
        "False alarm. Cards in hand, we go on.",
        "Nobody? Then on we go, when I say so.",
    ),
    "venn_only": ("Only {number} {cards} yet.", "That is only {number} {cards} so far."),
    "venn_only_none": ("There is no card yet.", "Not a single card yet."),
    "venn_minute": ("One minute left.", "A minute to go."),
    "venn_thirty": ("Thirty seconds.", "Half a minute."),
    "venn_ten": ("Ten seconds!", "Ten more seconds!"),
    "venn_time_up": ("Time!", "Time is up!"),
    # three words
    "venn_your_words": ("{name}, your three words.", "Three words, {name}.", "{name}, let's hear three words."),
    "venn_our_words": ("Your three words?", "Three words, please.", "Which three words are they?"),
    "venn_other_words": (
        "Now {name}: three words.",
        "{name}, your turn: three words.",
        "And {name}? Three words, please.",
    ),
    "venn_words_wanted": ("I am listening, {name}: {left} {words}.", "Take a guess, {name}: {left} {words}."),
    "venn_more": ("{left} more {words}?", "Still {left} {words} to go."),
    "venn_struck": ("{word} is out, unless somebody says no.", "I take {word} back. Any objections?"),
    "venn_kept": ("{word} stays, then.", "Good, {word} stands."),
    "venn_instead": ("{word} it is.", "I change it to {word}."),
    "venn_taken": ("I have {words}.", "I noted {words}."),
    "venn_none_taken": ("No word yet.", "I have none so far."),
    # the numbers
    "venn_reveal": (
        "{words}. {name}, your numbers?",
        "{words}. What are the numbers, {name}?",
        "{words}, I see. {name}, which numbers were they?",
    ),
    "venn_reveal_again": ("{name}, read me the three numbers, please.", "The three numbers, {name}?"),
    "venn_read_back": ("{numbers}?", "{numbers}, is that right?"),
    "venn_numbers_rest": ("I have {numbers}. And the rest?", "{numbers}, and what else?"),
    "venn_numbers_again": ("Then once more, please: which three?", "Sorry. Say all three again."),
    "venn_numbers_slow": (
        "Let's take it slowly: say one number at a time, with a little pause.",
        "One number after the other, please, as slowly as you like.",
    ),
    "venn_numbers_three": (
        "Three different numbers from one to twelve, please.",
        "I need three of them, all different, none above twelve.",
    ),
    "venn_numbers_were": ("The numbers were {numbers}.", "It was {numbers}."),
    # points
    "venn_bonus": (
        "All three! {points} for {team}, the call included.",
        "Every single one! With the bonus, {points} for {team}.",
        "Three out of three, and you called: {points} for {team}!",
    ),
    "venn_all": ("All three! {points} for {team}.", "Three out of three: {points} for {team}!"),
    "venn_some": (
        "{words} {are} right. {points} for {team}.",
        "Right: {words}. {points} for {team}.",
        "{points} for {team}: {words}.",
    ),
    "venn_none": ("None of them, {name}. It happens.", "Not one this time, {name}.", "Alas, no points for {team}."),
    "venn_no_words": ("No words, no points. On we go.", "Nothing from {team} this time."),
    "venn_score": ("{score}.", "That makes {score}.", "The score: {score}."),
    "venn_extra": (
        "{score}: level! One more round decides.",
        "{score}. Nobody is ahead, so you play another round.",
    ),
    "venn_together": ("You have {score}.", "That makes {score}.", "{score} now."),
    "venn_between": (
        "Clear your circles, and say ready.",
        "Cards off the table. Ready for more?",
        "Tidy your circles, then tell me that you are ready.",
    ),
    "venn_won": (
        "{team} win! Well played, all of you.",
        "And {team} win the game. What a match!",
        "That's it: victory for {team}!",
    ),
    "venn_game_won": (
        "This game goes to {team}: {wins} to {loses}. First to two games wins.",
        "{team} take this one. In games it is {wins} to {loses}.",
    ),
    "venn_best_won": (
        "{team} win the match, {wins} games to {loses}. Bravo!",
        "Two games for {team}, and with them the evening. Bravo!",
    ),
    "venn_together_won": (
        "{score}: you did it, all together!",
        "{score}. You win! Pats on all the backs.",
    ),
    "venn_together_lost": (
        "{score}, and no number card is left. So close! Another try?",
        "{score} when the cards ran out. Next time it's yours.",
    ),
    # questions
    "venn_turn_both": ("{names} give clues in this round.",),
    "venn_turn_one": ("{names} gives clues in this round.",),
    "venn_turn_guess": ("{team} are guessing.", "It's for {team} to guess."),
    "venn_help_collect": ("Say a number and its word, like: seven, river. The same number again replaces it.",),
    "venn_help_ready": ("Say ready when you are. Say the words again, or ask for one: word seven.",),
    "venn_help_placing": (
        "Call out as soon as your team has three cards down and knows its words. The table watches the three cards.",
    ),
    "venn_help_team": ("Say which team called. If nobody did, say nobody.",),
    "venn_help_guessing": (
        "Say three of the twelve words. They are final. If a stranger spoke, say: strike that.",
    ),
    "venn_help_numbers": ("The clue giver reads out the three numbers. I read them back, and you say yes or no.",),
    "venn_zones": (
        "Three circles stand for your three words. Where only one of them covers the table, a card fits one word.",
    ),
    "venn_zones_cards": (
        "Where two overlap, it fits both, and in the middle all three. One card shows in each zone. "
        "A better one may cover it, but none is moved.",
    ),
    "venn_zones_talk": (
        "Guessers may talk from the first card on. Clue givers keep quiet, with faces of stone. "
        "And nobody peeks under a card.",
    ),
}
"""What is said in Venn."""

VENN_TABLE: dict[str, tuple[str, ...]] = {
    "venn_greeting": (
        "Good evening, and welcome to {game}! Who is playing? Tell me your names, one after the other, as you sit.",
        "Hello everybody, this is {game}! Who sits around the table? Your names, please, one after the other.",
    ),
    "venn_greeting_known": (
        "Good evening, and welcome to {game}! Tonight we have {roll}.",
        "Hello everybody, this is {game}! Playing tonight: {roll}.",
    ),
    "venn_who_again": ("Who is playing? For example: Anna and Ben.", "Tell me who plays, like this: Cleo and Dan."),
    "venn_who_wait": ("Take your time. When you are ready, tell me your names.",),
    "venn_who_more": ("So far {roll}. Who else?", "I have {roll}. Anybody else?"),
    "venn_who_anew": ("Then from the beginning: who is playing?", "Good, all the names once more, please."),
    "venn_teams": (
        "The {first} are {one}, the {second} are {other}. Is that right?",
        "So {one} are the {first}, and {other} the {second}. Right?",
    ),
    "venn_joiner": ("Welcome! Your name, please?", "Good to have you. What is your name?"),
    "venn_joiner_taken": ("There is a {name} already. Which name shall I take?",
                          "{name} is somebody here. Another name, please?"),
    "venn_table_full": ("Eight play already, and I can't tell nine apart.",),
    "venn_leaver": ("Who is leaving? Your name?", "Which of you is leaving?"),
    "venn_leave": ("{who} is leaving. Yes or no?", "Shall I take {who} out of the game? Yes or no?"),
    "venn_leave_last": (
        "Two teams need four of you. To end the game, say stop the game, and then play together.",
    ),
    "venn_chair_wait": ("After this round.", "When this round is over."),
    "venn_chair_round": ("{who}: from the next game on.", "From the next game on, {who}."),
    "venn_teams_now": ("The {first} are {one}, the {second} are {other}.", "So it's {one} against {other}."),
    "venn_together_roll": ("{roll}, all together.", "{roll}: one team, then."),
    "venn_object": (
        "Tell me what I got wrong, like this: not river, but mountain. Or say undo.",
        "What did I mishear? Say it like this: not river, but mountain. Or say undo.",
    ),
}
"""What the table says in Venn only."""

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)


def say(key: str, turn: int, **values: object) -> str:
    """The wording of `key` whose turn it is. Raises KeyError for an unknown key or a missing value."""
    for table in (TABLE, CLEVER, VENN, VENN_TABLE):
        if key in table:
            wordings = table[key]
            return wordings[turn % len(wordings)].format(**values)
    raise KeyError(key)


def number(count: int) -> str:
    """A small number as a word."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as they are said in a row: "Anna, Ben and Cleo"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
