"""Cited sentences found again in a designer's text: the same, moved or reworded; what is gone is reported."""

from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from projector.model.game import Game
from projector.rulebooks.anchors import anchors_of, read_anchors, written
from projector.rulebooks.changes import text_changes
from projector.rulebooks.kept import passages
from projector.rulebooks.placing import align, citations, placed
from projector.rulebooks.text import RulebookText, read_rulebook_text, words_of
from tests.projector.test_rulebook_text import pdf

FILE = Path(__file__).parents[1] / "sixth_game" / "rulebook.md"
TEXT = FILE.read_text(encoding="utf-8")
ANIMALS = ("fox", "owl", "eel", "ant", "bee", "cow", "hen", "rat")
PLACES = ("wood", "sky", "sea", "hill", "field", "barn", "yard", "hut")
SENTENCES = [
    f"The {animal} of the {place} is worth {number} points."
    for number, (animal, place) in enumerate(zip(ANIMALS, PLACES, strict=True), 3)
]


def read(text: str) -> RulebookText:
    """Read a text as the file of a rulebook."""
    return read_rulebook_text("rules.md", text.encode())


def test_every_citation_of_the_text_that_the_rules_were_written_from_is_placed(higher: Game) -> None:
    """By its hash the text is known, each citation leads to its sentence, and nothing is in doubt."""
    book = placed(higher, read_rulebook_text("rulebook.md", FILE.read_bytes()))
    assert book.written_from
    assert not book.missing
    (found,) = passages(book.text, book.rules["higher.card.from-hand"])
    assert (found.place, found.text, found.doubt) == ("line 2", "A card is always played from the hand.", "")
    assert found.before.startswith("The players take turns")
    assert found.after.startswith("Nobody may play the One")


def test_a_line_that_is_cited_whole_shows_the_sentence_that_is_meant(higher: Game) -> None:
    """`L4` has two sentences; the rule's own wording decides which of them it is about."""
    book = placed(higher, read(TEXT))
    (found,) = passages(book.text, book.rules["higher.end.nothing-after"])
    assert found.text == "As soon as the game is over, nothing happens any more at this table."


def test_moved_sentences_are_found_and_removed_ones_are_named(higher: Game) -> None:
    """One sentence went to the end, one was reworded, one is gone: the first two are placed, the third is reported."""
    moved = "A card is always played from the hand. "
    text = TEXT.replace(moved, "").replace(" Nobody may play the One in the second edition!", "")
    text = text.replace("takes the trick for its owner", "takes this trick for its owner") + moved
    book = placed(higher, read(text))
    assert not book.written_from
    assert book.missing == {"higher.card.no-one": ("L2.3",), "higher.turn.alternate": ("L2 (in part)",)}
    how = {rule: [(each.how, each.certainty) for each in cited.placements] for rule, cited in book.rules.items()}
    assert how["higher.card.from-hand"] == [("moved", 1.0)]
    ((word, certainty),) = how["higher.trick.higher-card"]
    assert word == "reworded"
    assert 0.8 < certainty < 1
    (found,) = passages(book.text, book.rules["higher.trick.higher-card"])
    assert found.doubt == f"reworded since the rule was written, {round(certainty * 100)} % alike"


def test_another_games_text_places_nothing(higher: Game) -> None:
    """Nothing is quoted from a text that says something else."""
    book = placed(higher, read("The dealer gives out ten tiles. A road is worth six victory points.\n\nBuild it!"))
    assert not any(cited.placements for cited in book.rules.values())
    assert set(book.missing) == {rule.id for rule in higher.rules if rule.lines}


def test_without_the_source_our_wording_finds_the_sentence(higher: Game) -> None:
    """A game that does not keep its text's sentences finds them by its own words, and says how sure that is."""
    unknown = msgspec.structs.replace(higher, slug="splendid")
    book = placed(unknown, read("First things first.\n\nA card is played from the hand, always."))
    (found,) = passages(book.text, book.rules["higher.card.from-hand"])
    assert found.text == "A card is played from the hand, always."
    assert found.doubt.startswith("found by our wording of the rule, ")
    assert "higher.trick.higher-card" in book.missing


def test_anchors_hold_no_word_of_the_text() -> None:
    """What a game keeps of its text are places and hashes; written and read again they are the same."""
    anchors = anchors_of(read(TEXT))
    lines = list(written(anchors))
    assert read_anchors(lines) == anchors
    kept = set(words_of("\n".join(lines)))
    assert not {word for word in words_of(TEXT) if len(word) > 3} & kept


@given(st.permutations(SENTENCES), st.integers(0, len(SENTENCES) - 1))
@settings(deadline=None)
def test_whatever_moves_every_sentence_that_is_left_is_found(moved: list[str], gone: int) -> None:
    """Sentences in any order, one of them missing: the others are found where they stand, the missing one nowhere."""
    source = read(" ".join(SENTENCES))
    text = read("\n\n".join(each for each in moved if each != SENTENCES[gone]))
    found = align(anchors_of(source), text)
    for number, placement in enumerate(found):
        if number == gone:
            assert placement is None
        else:
            assert placement is not None
            assert text.sentences[placement.sentence].text == SENTENCES[number]


def test_citations_are_read_as_they_are_written() -> None:
    """Lines, pieces, ranges and several of them, each once."""
    assert citations("L48 L101-L113, (L129.2) L48") == [
        ("L48", 48, 48, 0),
        ("L101-L113", 101, 113, 0),
        ("L129.2", 129, 129, 2),
    ]


def test_a_new_text_says_which_rules_have_to_be_read_again(higher: Game) -> None:
    """A reworded sentence names the rules that cite it; one that only moved asks for nothing."""
    new = TEXT.replace("two tricks wins the game", "three tricks wins the game").replace("Nobody is angry.", "")
    found = text_changes(higher, read(TEXT), read(new + "Take a break.\n"))
    assert [(each.what, each.line, each.rules) for each in found.changes] == [
        ("reworded", 4, ("higher.end.two-tricks",)),
        ("removed", 7, ()),
        ("new", 0, ()),
    ]
    assert found.rules == ("higher.end.two-tricks",)
    assert found.changes[-1].after == "Take a break."


def test_a_pdf_of_the_text_is_placed_too(higher: Game) -> None:
    """A PDF breaks lines where it likes; the cited sentences are found all the same."""
    lines = TEXT.partition("\n## ")[0].replace("# ", "", 1).replace("- ", "", 1).split()
    wrapped = [" ".join(lines[start : start + 9]) for start in range(0, len(lines), 9)]
    book = placed(higher, read_rulebook_text("rules.pdf", pdf(*wrapped)))
    for rule in ("higher.card.from-hand", "higher.card.no-one", "higher.end.two-tricks"):
        assert [each.certainty for each in book.rules[rule].placements] == [1.0], rule
