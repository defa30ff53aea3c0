"""Draws that a log splits over several lines: only the cards matter, not the number of lines."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import CardsDrawn
from tabletape.projector.archive.recordings import RecordedGame, recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.rules import HARD

RECORDINGS = Path(__file__).parents[1] / "recordings"


def draws_several(slug: str) -> bool:
    """Return whether several cards are drawn at once in the worked game."""
    lines = map(json.loads, recorded_lines(RECORDINGS / slug / "worked-game-sparse.jsonl"))
    return any(line["type"] == "cards.drawn" and len(line.get("cards", ())) > 1 for line in lines)


every_game = pytest.mark.parametrize("slug", [slug for slug in games() if draws_several(slug)])


def split_draw(event: Event) -> Iterator[Event]:
    """Yield one event for each card that is drawn; other events as they are."""
    names = getattr(event, "cards", None) if isinstance(event, CardsDrawn) else None
    if not isinstance(names, tuple) or len(names) < 2:
        yield event
        return
    for name in names:
        yield msgspec.structs.replace(event, cards=(name,))


@every_game
def test_each_card_may_have_a_line_of_its_own(slug: str, recorded: Callable[[str], RecordedGame]) -> None:
    """A worked game with every draw written card by card has the same findings and the same winner."""
    whole = recorded(f"{slug}/worked-game-sparse")
    split = [line for event in whole.events for line in split_draw(event)]
    found = fold(game(slug), split, rulings=whole.expected.get("ruleset", {}).get("rulings"))
    assert len(split) > len(whole.events)
    assert [each.rule for each in found.findings] == [each.rule for each in whole.replay.findings]
    assert found.table.winner == whole.replay.table.winner
    assert found.events == split


@every_game
def test_a_missing_card_is_found_in_any_number_of_lines(slug: str, recorded: Callable[[str], RecordedGame]) -> None:
    """If a card of the first draw is missing, there is a finding, whether the rest is in one line or in many."""
    whole = recorded(f"{slug}/worked-game-sparse").events
    first = next(at for at, event in enumerate(whole) if len(getattr(event, "cards", None) or ()) > 1 and drawn(event))
    short = msgspec.structs.replace(whole[first], cards=getattr(whole[first], "cards")[1:])  # noqa: B009 - of many types
    for lines in ([short], list(split_draw(short))):
        found = fold(game(slug), [*whole[:first], *lines, *whole[first + 1 :]])
        assert any(each.kind in HARD for each in found.findings)


def drawn(event: Event) -> bool:
    """Return whether an event is a draw."""
    return isinstance(event, CardsDrawn)


@every_game
@pytest.mark.parametrize("counted_first", [True, False])
def test_a_draw_may_be_partly_names_and_partly_a_count(
    slug: str, recorded: Callable[[str], RecordedGame], *, counted_first: bool
) -> None:
    """One line may count some cards of a draw and another name the rest; one card too few is still a finding."""
    whole = recorded(f"{slug}/worked-game-sparse")
    first = next(at for at, event in enumerate(whole.events) if drawn(event) and len(getattr(event, "cards", ())) > 1)
    line: Any = whole.events[first]
    counted = msgspec.structs.replace(line, cards=UNSET, count=1)
    named = msgspec.structs.replace(line, cards=line.cards[1:])
    parts = [counted, named] if counted_first else [named, counted]
    events = [*whole.events[:first], *parts, *whole.events[first + 1 :]]
    found = fold(game(slug), events, rulings=whole.expected.get("ruleset", {}).get("rulings"))
    assert [each.rule for each in found.findings] == [each.rule for each in whole.replay.findings]
    too_few = msgspec.structs.replace(named, cards=line.cards[2:])
    events[first : first + 2] = [counted, too_few] if counted_first else [too_few, counted]
    assert any(each.kind in HARD for each in fold(game(slug), events).findings)
