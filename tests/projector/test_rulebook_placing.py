"""Cited sentences are located in a designer's text: unchanged, moved or reworded; missing ones are reported."""

from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.model.game import Game
from tabletape.projector.rulebooks.anchors import anchors_of, read_anchors, written
from tabletape.projector.rulebooks.changes import text_changes
from tabletape.projector.rulebooks.kept import keep, keep_our_wording, kept_rulebook, passages
from tabletape.projector.rulebooks.placing import align, citations, placed
from tabletape.projector.rulebooks.text import RulebookText, read_rulebook_text, words_of
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


def test_every_citation_is_located_in_the_text_that_the_rules_were_written_from(higher: Game) -> None:
    """The text is recognised by its hash, each citation leads to its sentence, and nothing is in doubt."""
    book = placed(higher, read_rulebook_text("rulebook.md", FILE.read_bytes()))
    assert book.written_from
    assert not book.missing
    (found,) = passages(book.text, book.rules["higher.card.from-hand"])
    assert (found.place, found.text, found.doubt) == ("line 2", "A card is always played from the hand.", "")
    assert found.before.startswith("The players take turns")
    assert found.after.startswith("Nobody may play the One")


def test_in_our_own_words_rules_and_rulings_have_their_places(tmp_path: Path) -> None:
    """A ruling stands beside the sentence of the rule that cites the same line."""
    book = keep_our_wording(tmp_path, "splicers")
    assert not book.missing
    assert all(each.placements for each in book.rulings.values())


def test_a_cited_line_is_all_of_its_sentences(higher: Game) -> None:
    """`L2` has three sentences, and all are cited; `L4.1` is one of the two of its line."""
    book = placed(higher, read(TEXT))
    (line,) = passages(book.text, book.rules["higher.turn.alternate"])
    assert line.text.startswith("The players take turns")
    assert line.text.endswith("in the second edition!")
    assert book.rules["higher.turn.alternate"].whole
    (sentence,) = passages(book.text, book.rules["higher.end.nothing-after"])
    assert sentence.text == "As soon as the game is over, nothing happens any more at this table."


def test_another_number_or_negation_is_another_sentence(higher: Game) -> None:
    """Reworded it stays the ground of its rule; with another number, a negation or "only" in it, it is none."""
    for before, after, how in (
        ("takes the trick for its owner", "takes this trick for its owner", "reworded"),
        ("the higher number takes", "the lower number takes", "altered"),
        ("takes the trick for its owner", "takes no trick for its owner", "altered"),
        ("takes the trick for its owner", "takes only the trick for its owner", "altered"),
        ("takes the trick for its owner", "takes the trick for its left owner", "altered"),
    ):
        book = placed(higher, read(TEXT.replace(before, after)))
        cited = book.rules["higher.trick.higher-card"]
        (found,) = passages(book.text, cited)
        assert [each.how for each in cited.placements] == [how], after
        assert found.ground is (how == "reworded")
        assert ("was written from another sentence" in found.doubt) is (how == "altered")


def test_what_is_left_of_a_citation_says_that_it_is_a_part(higher: Game) -> None:
    """Of the three sentences of a cited line one is gone: the others are shown, and the missing one is named."""
    book = placed(higher, read(TEXT.replace("A card is always played from the hand. ", "")))
    found, *_ = passages(book.text, book.rules["higher.turn.alternate"])
    assert found.doubt == "in part: L2 not found here"


def test_moved_sentences_are_located_and_removed_ones_are_reported(higher: Game) -> None:
    """One sentence is moved to the end, one reworded, one removed: two are located, the third is reported."""
    moved_sentence = "A card is always played from the hand. "
    text = TEXT.replace(moved_sentence, "").replace(" Nobody may play the One in the second edition!", "")
    text = text.replace("takes the trick for its owner", "takes this trick for its owner") + moved_sentence
    book = placed(higher, read(text))
    assert not book.written_from
    assert book.missing == {"higher.card.no-one": ("L2.3",), "higher.turn.alternate": ("L2 (in part)",)}
    placements = {rule: [(each.how, each.certainty) for each in cited.placements] for rule, cited in book.rules.items()}
    assert placements["higher.card.from-hand"] == [("moved", 1.0)]
    ((how, certainty),) = placements["higher.trick.higher-card"]
    assert how == "reworded"
    assert 0.8 < certainty < 1
    (found,) = passages(book.text, book.rules["higher.trick.higher-card"])
    assert found.doubt == f"reworded since the rule was written, {round(certainty * 100)} % alike"


def test_nothing_is_located_in_another_games_text(higher: Game) -> None:
    """In a text about something else no sentence is taken for a cited one, and all citations are missing."""
    book = placed(higher, read("The dealer gives out ten tiles. A road is worth six victory points.\n\nBuild it!"))
    assert not any(cited.placements for cited in book.rules.values())
    assert set(book.missing) == {rule.id for rule in higher.rules if rule.lines}


def test_without_anchors_the_wording_of_a_rule_locates_its_sentence(higher: Game) -> None:
    """A game without anchors locates sentences by the wording of its rules, and says how certain that is."""
    unknown = msgspec.structs.replace(higher, slug="splendid")
    book = placed(unknown, read("First things first.\n\nA card is played from the hand, always."))
    (found,) = passages(book.text, book.rules["higher.card.from-hand"])
    assert found.text == "A card is played from the hand, always."
    assert found.doubt.startswith("found by our wording of the rule, ")
    assert "higher.trick.higher-card" in book.missing


def test_a_rule_that_a_file_states_later_has_its_sentence(tmp_path: Path) -> None:
    """A rulebook that was read before the rule was stated is placed anew, and its own sentence is no reworded one."""
    file = tmp_path / "games" / "pond.toml"
    file.parent.mkdir()
    file.write_text('title = "Pond"\n[move.lay]\nfields = {cards = "cards of hand"}\n', encoding="utf-8")
    try:
        look_in(tmp_path)
        keep(tmp_path, "pond", "pond.txt", b"Frogs are green.\nNobody ever lays two frogs at once.\n")
        assert not kept_rulebook(tmp_path, "pond").rules  # type: ignore[union-attr]
        says = "Nobody ever lays two frogs at once."
        with file.open("a", encoding="utf-8") as more:
            more.write(f'[move.lay.needs.one]\nthat = "size(cards) < 2"\nsays = "{says}"\ncite = "L2"\n')
        look_in(tmp_path)
        book = kept_rulebook(tmp_path, "pond")
        assert book is not None
        (passage,) = passages(book.text, book.rules["pond.lay.one"])
        assert (passage.text, passage.place, passage.doubt) == (says, "line 2", "")
    finally:
        look_in(Path(__file__).parent)


def test_a_title_whose_words_a_rule_has_is_not_taken_for_its_sentence(higher: Game) -> None:
    """All words of a title stand in a sentence about the game, which says more than the title does."""
    unknown = msgspec.structs.replace(higher, slug="splendid")
    rule = unknown.by_id["higher.card.from-hand"]
    title = " ".join(rule.text.split()[:2])
    book = placed(unknown, read(f"# {title}\n\n{rule.text.removesuffix('.')} and always so.\n\n{rule.text}"))
    (found,) = passages(book.text, book.rules[rule.id])
    assert found.text == rule.text


def test_anchors_contain_no_word_of_the_text() -> None:
    """A game stores places and hashes of its text; written and read again they are equal."""
    anchors = anchors_of(read(TEXT))
    lines = list(written(anchors))
    assert read_anchors(lines) == anchors
    stored = set(words_of("\n".join(lines)))
    assert not {word for word in words_of(TEXT) if len(word) > 3} & stored


@given(st.permutations(SENTENCES), st.integers(0, len(SENTENCES) - 1))
@settings(deadline=None)
def test_every_sentence_that_is_left_is_located_in_any_order(moved: list[str], removed: int) -> None:
    """Of reordered sentences with one removed the others are located where they stand, the removed one nowhere."""
    source = read(" ".join(SENTENCES))
    text = read("\n\n".join(each for each in moved if each != SENTENCES[removed]))
    found = align(anchors_of(source), text)
    for number, placement in enumerate(found):
        if number == removed:
            assert placement is None
        else:
            assert placement is not None
            assert text.sentences[placement.sentence].text == SENTENCES[number]


def test_a_citation_is_read_as_lines_ranges_and_sentences() -> None:
    """A citation lists lines, ranges of lines and single sentences of a line; repeated ones count once."""
    assert citations("L48 L101-L113, (L129.2) L48") == [
        ("L48", 48, 48, 0),
        ("L101-L113", 101, 113, 0),
        ("L129.2", 129, 129, 2),
    ]


def test_changes_of_the_text_name_the_rules_to_review(higher: Game) -> None:
    """A reworded sentence names the rules that cite it; removed and new sentences that no rule cites name none."""
    new = TEXT.replace("two tricks wins the game", "three tricks wins the game").replace("Nobody is angry.", "")
    found = text_changes(higher, read(TEXT), read(new + "Take a break.\n"))
    assert [(each.what, each.line, each.rules) for each in found.changes] == [
        ("reworded", 4, ("higher.end.two-tricks",)),
        ("removed", 7, ()),
        ("new", 0, ()),
    ]
    assert found.rules == ("higher.end.two-tricks",)
    assert found.changes[-1].after == "Take a break."


def test_citations_are_located_in_a_pdf_too(higher: Game) -> None:
    """A PDF has other line breaks than the text; the cited sentences are located all the same."""
    lines = TEXT.partition("\n## ")[0].replace("# ", "", 1).replace("- ", "", 1).split()
    wrapped = [" ".join(lines[start : start + 9]) for start in range(0, len(lines), 9)]
    book = placed(higher, read_rulebook_text("rules.pdf", pdf(*wrapped)))
    for rule in ("higher.card.from-hand", "higher.card.no-one", "higher.end.two-tricks"):
        assert [each.certainty for each in book.rules[rule].placements] == [1.0], rule
