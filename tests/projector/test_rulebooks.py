"""The rulebooks that the games' rules were written from; only where they lie beside the project."""

import re
from pathlib import Path

import pytest

from projector.games import game, games
from projector.rulebooks.anchors import anchors_of, anchors_of_game
from projector.rulebooks.placing import PlacedRulebook, placed
from projector.rulebooks.text import read_rulebook_text

RULEBOOKS = Path(__file__).parents[2].parent / "shared" / "rulebooks"

every_game = pytest.mark.parametrize("slug", games())


@pytest.fixture
def file(slug: str) -> Path:
    """Return the rulebook of a game."""
    return next(RULEBOOKS.glob(f"{slug}.*"))


def place(slug: str, file: Path, text: str) -> PlacedRulebook:
    """Find what a game cites in a text."""
    return placed(game(slug), read_rulebook_text(file.name, text.encode()))


@every_game
def test_every_citation_is_placed(slug: str, file: Path) -> None:
    """The file is known by its hash, and every sentence that a rule or ruling cites is found, without a doubt."""
    text = read_rulebook_text(file.name, file.read_bytes())
    book = placed(game(slug), text)
    assert anchors_of_game(slug) == anchors_of(text)
    assert book.written_from
    assert book.missing == {}
    assert {each.how for cited in book.rules.values() for each in cited.placements} == {"same"}


@every_game
def test_an_edited_copy_places_what_moved_and_names_what_is_gone(slug: str, file: Path) -> None:
    """Of three cited sentences one goes to the end, one gets another word, one is taken out; all others stay placed."""
    text = file.read_text(encoding="utf-8")
    book = place(slug, file, text)
    long = [
        each.text
        for each in book.text.sentences
        if len(each.words) > 9 and text.count(each.text) == 1 and each.first == each.last
        if any(each.number in cited.sentences and not cited.whole for cited in book.rules.values())
    ]
    moved, reworded, removed = long[len(long) // 4], long[len(long) // 2], long[-1]
    word = max(re.findall(r"[a-z]+", reworded), key=len)
    other = reworded.replace(word, "whatsoever", 1)
    edited = text.replace(moved, "").replace(reworded, other).replace(removed, "") + f"\n\n{moved}\n"
    copy = place(slug, file, edited)
    assert not copy.written_from
    found: dict[str, set[tuple[str, str]]] = {}
    for name, cited in book.rules.items():
        after = {(each.how, copy.text.sentences[each.sentence].text) for each in copy.rules[name].placements}
        if not cited.whole:
            for each in cited.placements:
                found.setdefault(book.text.sentences[each.sentence].text, set()).update(after)
    assert ("moved", moved) in found.pop(moved)
    assert ("reworded", other) in found.pop(reworded)
    assert removed not in {said for _, said in found.pop(removed)}
    for sentence, places in found.items():
        assert sentence in {said for _, said in places}
    gone = {
        name for name, cited in book.rules.items() if removed in {book.text.sentences[n].text for n in cited.sentences}
    }
    assert {name for name in gone if len(book.rules[name].sentences) == 1} <= set(copy.missing)
