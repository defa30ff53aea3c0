"""The rulebooks that the games' rules were written from; they are in `../shared` and not part of the project."""

import re
from pathlib import Path

import pytest

from tabletape.projector.games import game, games
from tabletape.projector.rulebooks.anchors import anchors_of, anchors_of_game
from tabletape.projector.rulebooks.placing import PlacedRulebook, placed
from tabletape.projector.rulebooks.text import read_rulebook_text

RULEBOOKS = Path(__file__).parents[2].parent / "shared" / "rulebooks"

every_game = pytest.mark.parametrize("slug", games())


@pytest.fixture
def file(slug: str) -> Path:
    """Return the rulebook of a game."""
    return next(RULEBOOKS.glob(f"{slug}.*"))


def placed_in(slug: str, file: Path, text: str) -> PlacedRulebook:
    """Locate in a text the sentences that a game cites."""
    return placed(game(slug), read_rulebook_text(file.name, text.encode()))


@every_game
def test_every_citation_is_located(slug: str, file: Path) -> None:
    """The file is recognised by its hash, and every sentence that a rule or ruling cites is located without doubt."""
    text = read_rulebook_text(file.name, file.read_bytes())
    book = placed(game(slug), text)
    assert anchors_of_game(slug) == anchors_of(text)
    assert book.written_from
    assert book.missing == {}
    assert {each.how for cited in book.rules.values() for each in cited.placements} == {"same"}


@every_game
def test_in_an_edited_copy_moved_sentences_are_located_and_removed_ones_reported(slug: str, file: Path) -> None:
    """One cited sentence is moved to the end, one gets another word, one is removed; all others are still located."""
    text = file.read_text(encoding="utf-8")
    book = placed_in(slug, file, text)
    candidates = [
        each.text
        for each in book.text.sentences
        if len(each.words) > 9 and text.count(each.text) == 1 and each.first == each.last
        if any(each.number in cited.sentences and not cited.whole for cited in book.rules.values())
    ]
    moved, reworded, removed = candidates[len(candidates) // 4], candidates[len(candidates) // 2], candidates[-1]
    word = max(re.findall(r"[a-z]+", reworded), key=len)
    new_wording = reworded.replace(word, "whatsoever", 1)
    edited = text.replace(moved, "").replace(reworded, new_wording).replace(removed, "") + f"\n\n{moved}\n"
    copy = placed_in(slug, file, edited)
    assert not copy.written_from
    found: dict[str, set[tuple[str, str]]] = {}
    for name, cited in book.rules.items():
        after = {(each.how, copy.text.sentences[each.sentence].text) for each in copy.rules[name].placements}
        if not cited.whole:
            for each in cited.placements:
                found.setdefault(book.text.sentences[each.sentence].text, set()).update(after)
    assert ("moved", moved) in found.pop(moved)
    assert ("reworded", new_wording) in found.pop(reworded)
    assert removed not in {text for _, text in found.pop(removed)}
    for sentence, places in found.items():
        assert sentence in {text for _, text in places}
    affected = {
        name for name, cited in book.rules.items() if removed in {book.text.sentences[n].text for n in cited.sentences}
    }
    assert {name for name in affected if len(book.rules[name].sentences) == 1} <= set(copy.missing)
