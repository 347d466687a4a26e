"""The checks of packs: each seeded fault is found, with its line; a good pack has none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pack_samples import CARD, GOOD, HEADER, OTHER, about, line_of, spoil, write

from host.packs import Fault
from host.packs.checks import by_ear, check, report, sift, unknown_words
from host.packs.decks import load
from host.packs.files import load_pack, load_packs, read_pack
from host.packs.filter import needs_eyes, unfit
from host.packs.text import Lexicon, phones, pronunciations, related, words
from host.packs.tools import spelt_right

LEXICON = {
    word: tuple(phones(way) for way in ways.split("|"))
    for word, ways in {
        "ladder": "L AE D ER", "latter": "L AE T ER|L AE D ER", "knight": "N AY T", "night": "N AY T", "eye": "AY",
        "full": "F UH L", "eiffel": "AY F UH L", "tower": "T AW ER", "towel": "T AW AH L", "a": "AH|EY", "my": "M AY",
        "i": "AY", "son": "S AH N", "sun": "S AH N", "scream": "S K R IY M", "ice": "AY S", "cream": "K R IY M",
        "marathon": "M EH R AH TH AA N", "marathons": "M EH R AH TH AA N Z", "telethon": "T EH L AH TH AA N",
        "merryton": "M EH R AH T AA N", "bee": "B IY", "be": "B IY",
    }.items()
}


def faults_of(folder: Path, text: str, lexicon: Lexicon | None = None) -> tuple[Fault, ...]:
    return check([load_pack(write(folder, text))], lexicon)


def test_a_good_pack_has_no_faults(tmp_path: Path) -> None:
    """Neither error nor warning for the samples that the other tests spoil."""
    assert faults_of(tmp_path, GOOD) == ()


RUNG = "You climb me one rung at a time."
WALL = "Lean me against the wall and mind your fingers."
LONG = " ".join(["very"] * 20) + " long."

# what is spoilt, its new form, what the fault says, severity
SEEDED = [
    ('false_statement = "Fish use me at weekends."\n', "", "false_statement is missing", "error"),
    ('"a railway", "a bookcase"', "", "name at least 4", "error"),
    ("century = -5", "century = 0", "no century 0", "error"),
    ('region = "none"', 'region = "atlantis"', 'region "atlantis"', "warning"),
    ('essential = "ladder"', 'essential = "staircase"', 'essential "staircase"', "warning"),
    ('"One is painted in a Spanish cave, beside a person who robs bees."', f'"{LONG} {LONG}"', "42 words", "error"),
    # within a card: right and wrong at once
    ('never = ["a staircase"]', 'never = ["the stepladder"]', "is in never and an alias", "error"),
    ('rivals = ["a fence"', 'rivals = ["Ladder"', "is in rivals and the answer", "error"),
    ('prompt = ["a frame"]', 'prompt = ["a ladder"]', "is in prompt and the answer", "error"),
    ('prompt = ["a frame"]', 'prompt = ["staircase"]', "in prompt and in never", "error"),
    ('prompt = ["a frame"]', 'prompt = ["?!"]', "has no word in it", "error"),
    ('answer = "a kettle"\nessential = "kettle"', 'answer = "?!"', 'the answer "?!" has no word', "error"),
    # speech
    (RUNG, LONG, "21 words; 20 at most", "error"),
    (RUNG, "Rung.", "is no sentence", "error"),
    (RUNG, "You climb me one rung at a time", "doesn't end in", "warning"),
    (RUNG, "You climb me 1 rung at a time.", 'stumbles over "1"', "error"),
    (RUNG, "You climb me in the 1990s (mostly).", 'stumbles over "("', "error"),
    (RUNG, "You climb me at 50% off.", 'stumbles over "%"', "error"),
    (RUNG, "You climb me, e.g. at home.", 'stumbles over "e.g."', "error"),
    (RUNG, "You climb me to visit Dr. Brown.", 'stumbles over "Dr."', "error"),
    (RUNG, "You climb me like Henry VIII did.", 'stumbles over "VIII"', "error"),
    (RUNG, "You climb me in the U.S.A. today.", 'stumbles over "U.S.A."', "error"),
    (RUNG, "You climb me 🙂 with a smile.", 'stumbles over "🙂"', "error"),
    # the answer in a statement
    (RUNG, "You climb a ladder rung by rung.", 'statement 5 says "ladder", a word', "error"),
    (RUNG, "Ladders like me have rungs.", 'says "ladders", the stem of "ladder"', "error"),
    (RUNG, "The ladder's rungs are round.", 'says "ladder", a word', "error"),
    (RUNG, "A LADDER has rungs.", 'says "ladder", a word', "error"),
    (RUNG, "A stepladder has rungs.", 'says "stepladder", a word', "error"),
    (RUNG, "Use a step-ladder at home.", 'says "stepladder", a word', "error"),
    (RUNG, "My laddermaker loved rungs.", 'says "laddermaker", part of "ladder"', "error"),
    (RUNG, "My bladder is empty.", 'says "bladder", perhaps a part of "ladder"', "warning"),
    ('"Fish use me at weekends."', '"Fish climb ladders at weekends."', "the false statement says", "error"),
    # twice
    (RUNG, WALL, "statement 6 is statement 5", "error"),
    (RUNG, "Lean me against a wall and mind your fingers!", "statement 6 is nearly statement 5", "error"),
    ("Switch me on for tea.", RUNG, "is statement 5 of thing-ladder", "error"),
    ("Switch me on for tea.", "You climb up me one rung at a time.", "is nearly statement 5 of thing-ladder", "error"),
    # across cards
    ('answer = "a kettle"\nessential = "kettle"', 'answer = "The Ladder"', 'is that of thing-ladder too', "error"),
    ('aliases = ["a stepladder"]', 'aliases = ["the kettle"]', 'the alias "the kettle" also means', "error"),
    # for the judge alone
    ('aliases = ["a stepladder"]', 'aliases_written = ["the kettle"]', 'the alias "the kettle" also means', "error"),
    ('prompt = ["a frame"]', 'aliases_written = ["the fence"]', "in rivals and in aliases_written as well", "error"),
    ('prompt = ["a frame"]', 'aliases_written = ["stepladder"]', "the judge knows it already", "error"),
    ('prompt = ["a frame"]', 'prompt_written = ["a stepladder"]', "in prompt_written and an alias as well", "error"),
    ('prompt = ["a frame"]', 'prompt_written = ["the staircase"]', "in prompt_written and in never", "error"),
    ('prompt = ["a frame"]', 'prompt_written = ["?"]', "in prompt_written has no word in it", "error"),
    # CON-01, CON-02, CON-05
    ('"a stepladder"', '"&amp;quot;stepladder&amp;quot;"', "entity twice over", "error"),
    (RUNG, "The thing seen here has rungs.", '"seen here" needs a picture', "error"),
    (RUNG, "You climb me like a bastard.", "held back by the family filter", "error"),
]


SEEDED += [
    ('basis = "Cuevas de la Arana, Bicorp"', "", "basis is missing", "warning"),
    (RUNG, "Nevertheless extraordinarily conscientious representatives of international organisations disagreeably "
     "misunderstood incomprehensible responsibilities, notwithstanding considerable straightforwardness.",
     "s to read; 9 at most", "error"),
    ("Switch me on for tea.", "Fingers lean against any wall; mind me.", "tells much of statement 6 of thing-ladder",
     "warning"),
]


@pytest.mark.parametrize(("old", "new", "says", "severity"), SEEDED, ids=[row[2] for row in SEEDED])
def test_seeded_faults_are_found(tmp_path: Path, old: str, new: str, says: str, severity: str) -> None:
    """Each bad pack has the fault that was put into it, of that severity, naming file, card and a line of the card."""
    text = spoil(old, new)
    path = write(tmp_path, text)
    pack, _ = read_pack(path)
    assert pack is not None
    hits = about(check([pack]), says)
    assert hits, [str(fault) for fault in check([pack])]
    assert hits[0].severity == severity
    assert hits[0].file == str(path)
    assert hits[0].card in ("thing-ladder", "thing-kettle")
    start = pack.place(hits[0].card)[0]
    assert start <= hits[0].line < start + CARD.count("\n")
    if old == RUNG and "statement 6" not in says:
        assert hits[0].line == line_of(text, new)


def test_the_line_and_column_of_a_statement_are_named(tmp_path: Path) -> None:
    """The fault of statement 5 names its own line and column, so that an editor can jump there."""
    text = spoil(RUNG, "You climb me 1 rung at a time.")
    (fault,) = faults_of(tmp_path, text)
    assert (fault.line, fault.column) == (line_of(text, "1 rung"), 3)
    assert str(fault).startswith(f"{tmp_path / 'probe.toml'}:{fault.line}:3: thing-ladder: ")


def test_con_01_the_linter_rejects_entities_that_loading_decodes(tmp_path: Path) -> None:
    """An entity is decoded for play, and an error for the author, with its line."""
    text = spoil(RUNG, "You &quot;climb&quot; me one rung at a time.")
    pack, faults = read_pack(write(tmp_path, text))
    assert pack is not None
    assert pack.cards[0].statements[4] == 'You "climb" me one rung at a time.'
    (fault,) = faults
    assert (fault.severity, fault.line) == ("error", line_of(text, "&quot;"))


@pytest.mark.parametrize("text", [
    "The animal seen here barks.", "The man pictured above signed it.", "This picture shows a bridge.",
    "Name the building in this photo.", "[Video clue] A man dances.", "(audio clue) Who sings?",
    "Listen to this recording.", "Look at the screen.", "Click here to find out.", "It is at www.example.org today.",
])
def test_con_02_clues_that_need_eyes_are_found(text: str) -> None:
    """What points at a picture or a sound is found."""
    assert needs_eyes(text)


@pytest.mark.parametrize("text", [
    "I am seen in every kitchen.", "Here comes the bride.", "My picture hangs in the Louvre.",
    "People listen to me at night.", "Look at me twice.", "I click when I am happy.", "A video shop once sold me.",
])
def test_con_02_other_clues_pass(text: str) -> None:
    """Pictures and sounds as such may be spoken of."""
    assert not needs_eyes(text)


UNFIT_ITEMS = [
    "He was a bastard king.", "What a load of bollocks!", "They sold HEROIN in bottles.", "A porn film made me.",
    "I was a stripper's friend.", "It happened at a strip club.", "Somebody called him a faggot.",
    "The Ku Klux Klan met here at night.", "Sex sells me.", "Fücking loud I am.",
]


@pytest.mark.parametrize("item", UNFIT_ITEMS)
@pytest.mark.parametrize("where", [RUNG, "Fish use me at weekends.", "a stepladder",
                                   "One is painted in a Spanish cave, beside a person who robs bees."])
def test_con_05_no_bad_item_is_selectable(tmp_path: Path, item: str, where: str) -> None:
    """A seeded bad item in any field that the host may say keeps the card out of play by default."""
    write(tmp_path, "id='b'\ntitle='b'\nlicence='x'\nsource='x'\nlength=4\nred=[2]\n", "boards/b.toml")
    write(tmp_path, spoil(where, item))
    assert [card.id for card in load(tmp_path).clues] == ["thing-kettle"]
    assert [card.id for card in load(tmp_path, family=False).clues] == ["thing-ladder", "thing-kettle"]
    assert sift(load_packs(tmp_path))[1] == ("thing-ladder",)


@pytest.mark.parametrize("text", [
    "I was born in Scunthorpe.", "A cocktail with a cherry.", "He assassinated the consul.", "Dick Whittington's cat.",
    "Blue tits nest in me.", "A Maine Coon is fond of me.", "Dutch dykes keep me dry.", "A bass sings me.",
    "The classics master.", "Moby Dick chased him.",
])
def test_con_05_harmless_words_pass(text: str) -> None:
    """Whole words only, and none with a harmless meaning of its own."""
    assert not unfit(text)


def test_an_alias_of_two_cards_is_fine_as_a_prompt(tmp_path: Path) -> None:
    """A true but ambiguous name belongs into `prompt` and is no fault there."""
    text = HEADER + spoil('prompt = ["a frame"]', 'prompt = ["a kettle"]', CARD) + OTHER
    assert about(faults_of(tmp_path, text), "also means") == []


def test_another_cards_answer_that_would_pass_is_told(tmp_path: Path) -> None:
    """The answer "a ladder kettle" has the word that the ladder asks for: a warning, until it is ruled out."""
    text = spoil('"a kettle"', '"a ladder kettle"')
    (fault,) = about(faults_of(tmp_path, text), "all that essential asks for")
    assert (fault.card, fault.severity, fault.line) == ("thing-ladder", "warning", line_of(text, "essential"))
    text = spoil('never = ["a staircase"]', 'never = ["the ladder kettle"]', text)
    assert about(faults_of(tmp_path, text), "all that essential asks for") == []


def test_subjects_and_statements_are_compared_across_packs(tmp_path: Path) -> None:
    """Two packs that are good alone have faults together."""
    other = spoil('"probe"', '"second"', HEADER) + spoil('"a kettle"', '"ladder"', spoil("Switch me on for tea.", RUNG,
                                                                                         OTHER))
    packs = load_packs([write(tmp_path, HEADER + CARD, "a.toml"), write(tmp_path, other, "b.toml")])
    found = check(packs)
    assert about(found, "is that of thing-ladder too")[0].file.endswith("b.toml")
    assert about(found, "is statement 5 of thing-ladder")[0].file.endswith("b.toml")


def test_a_card_twice_is_found_also_without_loading_both_files_together(tmp_path: Path) -> None:
    """The same pack given twice: every id, answer and statement is told once for the second."""
    pack = load_pack(write(tmp_path, GOOD))
    found = check([pack, pack])
    assert len(about(found, "another card has this id")) == 2
    assert len(about(found, "is that of thing-")) == 2
    assert len(about(found, "change one")) == 14


def sounding(answer: str, statement: str) -> str:
    """The sample with another answer and a statement that may sound like it; nothing else has a sound."""
    text = spoil('answer = "a ladder"\nessential = "ladder"\naliases = ["a stepladder"]', f'answer = "{answer}"')
    return spoil(RUNG, statement, text)


@pytest.mark.parametrize(("answer", "statement", "says", "severity"), [
    ("a knight", "I ride all night.", '"night", which sounds like "knight"', "error"),
    ("the Eiffel Tower", "I have an eye full of stars.", '"eye full", which sounds like "eiffel"', "error"),
    ("ice cream", "When I scream you melt.", '"i scream", which sounds like "ice cream"', "error"),
    ("the ladder", "The former, not the latter.", '"latter", which sounds like "ladder"', "error"),
    ("a marathon", "They ran to Merryton.", '"merryton", nearly the sound of "marathon"', "warning"),
])
def test_what_sounds_like_the_answer_is_found(
    tmp_path: Path, answer: str, statement: str, says: str, severity: str,
) -> None:
    """Homophones, also over several words, are errors; near ones of five phones and more are warnings."""
    hits = about(faults_of(tmp_path, sounding(answer, statement), LEXICON), says)
    assert [fault.severity for fault in hits] == [severity]


@pytest.mark.parametrize(("answer", "statement"), [
    ("a bee", "I may be small."), ("an eye", "I am round."), ("a tower", "I am dry as a towel."),
    ("a marathon", "A telethon is a cousin of mine."),
])
def test_what_sounds_otherwise_is_not_found(tmp_path: Path, answer: str, statement: str) -> None:
    """Function words, and words that differ by more, are no faults."""
    found = faults_of(tmp_path, sounding(answer, statement), LEXICON)
    assert about(found, "sounds like") + about(found, "nearly the sound") == []


def test_a_card_brings_its_own_sounds(tmp_path: Path) -> None:
    """`sounds` is used before the lexicon, for what is said and for what can be heard."""
    text = sounding("Cnut", "I ride at night.")
    text = spoil('region = "none"', 'region = "none"\nsounds = { Cnut = "N AY T" }', text)
    card = load_pack(write(tmp_path, text)).cards[0]
    assert about(faults_of(tmp_path, text, LEXICON), 'sounds like "Cnut"')
    assert unknown_words(card, LEXICON) == ()
    assert unknown_words(card, {}) == ()


def test_con_10_what_the_recogniser_cannot_hear_is_told(tmp_path: Path) -> None:
    """Unknown words, answers that are too short, and rivals that sound alike are warnings of the card."""
    text = spoil('rivals = ["a fence"', 'rivals = ["the latter"', sounding("a ladder", RUNG))
    text = spoil("essential = \"kettle\"", 'essential = "kettle"\naliases = ["zarf"]', text)
    ladder, kettle = load_pack(write(tmp_path, text)).cards
    assert unknown_words(kettle, LEXICON) == ("kettle", "zarf")
    told = 'the rival "the latter" sounds nearly like the answer; try both, then name it in never as well'
    assert by_ear(ladder, LEXICON) == (told,)
    ruled_out = load_pack(write(tmp_path, spoil('never = ["a staircase"]', 'never = ["the latter"]', text))).cards[0]
    assert by_ear(ruled_out, LEXICON) == ()
    short = load_pack(write(tmp_path, sounding("a bee", RUNG))).cards[0]
    assert "very short" in by_ear(short, LEXICON)[0]
    assert all(fault.severity == "warning" for fault in about(faults_of(tmp_path, text, LEXICON), "vocabulary"))


@pytest.mark.parametrize(("alias", "never", "told"), [
    ("a latter", "", True), ("a latter", "a ladder", False), ("a tower", "", False),
])
def test_answers_of_two_cards_that_sound_alike_are_found(tmp_path: Path, alias: str, never: str, told: bool) -> None:
    """Two cards of which one answer is said like the other's: one must rule the other out."""
    other = spoil("essential = \"kettle\"", f'essential = "kettle"\naliases = ["{alias}"]\nnever = ["{never}"]', OTHER)
    text = HEADER + CARD + (other if never else other.replace('never = [""]\n', ""))
    assert bool(about(faults_of(tmp_path, text, LEXICON), "sounds like")) is told


def test_words_that_are_spelt_right_are_named_beside_the_pack(tmp_path: Path) -> None:
    """spelling.txt beside a pack holds words that no dictionary has; the note is looked at as well."""
    path = write(tmp_path, spoil("robs bees", "robs beez", GOOD))
    lexicon = dict.fromkeys(words(GOOD), (("AH",),))
    assert about(check([load_pack(path)], lexicon), 'the note: "beez" is in no dictionary')
    assert not about(check([load_pack(path)], lexicon, {"beez"}), "in no dictionary")
    write(tmp_path, "# names\nbeez  # a firm\n", "spelling.txt")
    assert spelt_right([path]) == spelt_right([tmp_path]) == {"beez"}


def test_con_04_typos_in_statements_are_listed(tmp_path: Path) -> None:
    """With a lexicon, a word that it does not know is a warning at the statement's line; known ones are not."""
    known = dict.fromkeys(words(GOOD), (("AH",),))
    assert about(faults_of(tmp_path, GOOD, known), "no dictionary") == []
    text = spoil("one rung", "one runng")
    (fault,) = about(faults_of(tmp_path, text, known), "no dictionary")
    assert '"runng"' in fault.text
    assert (fault.severity, fault.line) == ("warning", line_of(text, "runng"))


@pytest.mark.parametrize(("one", "other", "how"), [
    ("stone", "stones", "stem"), ("berry", "berries", "stem"), ("run", "running", "stem"), ("bake", "baking", "stem"),
    ("carry", "carried", "stem"), ("box", "boxes", "stem"), ("church", "churches", "stem"), ("egg", "eggs", "stem"),
    ("quick", "quickly", "stem"), ("horse", "horses", "stem"), ("grass", "grass", "word"), ("stop", "stopped", "stem"),
    ("egypt", "egyptian", "part"), ("paint", "painter", "part"), ("corner", "cornerstone", "part"),
    ("toothbrush", "brush", "perhaps a part"), ("king", "kingdom", "perhaps a part"),
    ("flower", "flow", ""), ("star", "start", ""), ("rain", "train", ""), ("moth", "mother", ""),
    ("corn", "corner", ""),
    ("glass", "glas", ""), ("bus", "bu", ""), ("ring", "r", ""), ("sing", "sin", ""), ("bed", "bee", ""),
])
def test_words_that_give_each_other_away(one: str, other: str, how: str) -> None:
    """Inflections are one stem, compounds are parts, look-alikes are neither; both ways round alike."""
    assert related(one, other) == how
    assert related(other, one) == how


@given(st.from_regex(r"[bcdgr]?[aeio][abcdegilnrsty]{0,6}[abcdgilnrt]", fullmatch=True))
def test_a_plural_has_its_singulars_stem(word: str) -> None:
    """For any word with a vowel that does not look inflected itself, an added s changes nothing."""
    if len(word) >= 3 and not word.endswith(("ing", "ed")):
        assert related(word + "s", word) == "stem"


def test_pronunciations_of_several_words_are_joined() -> None:
    """All ways of each word, joined; none where a word is unknown."""
    assert pronunciations("a ladder", LEXICON) == (("AH", "L", "AE", "D", "ER"), ("EY", "L", "AE", "D", "ER"))
    assert pronunciations("a zarf", LEXICON) == ()


def test_the_report_counts_cards(tmp_path: Path) -> None:
    """Counts by category, pack, region, century and difficulty are printed and add up."""
    text = report([load_pack(write(tmp_path, spoil('region = "none"', 'region = "europe"')))])
    assert text.startswith("2 cards, 1 pack\nread aloud the six statements of a card take ")
    assert "\nby category\n  Thing                       2  100%" in text
    assert "  europe                      1   50%" in text
    assert "  -5                          1   50%" in text
    assert "probe (Probe)" in text
