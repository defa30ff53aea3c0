"""When a card counts as tried: drawn, played, used, or on the table from the beginning."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tabletape.events.vocabulary import Event
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.datasets.columns import OWN_SCHEMAS
from tabletape.projector.datasets.coverage import Coverage
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.model.game import Game

RECORDINGS = Path(__file__).parents[1] / "recordings"


def covered(one: Game, events: Iterable[Event]) -> Coverage:
    """Return the coverage of one game of these events."""
    coverage = Coverage(one, one.cards.library)
    replay = fold(one, list(events), traced=True)
    assert isinstance(replay, Traced)
    coverage.take(replay)
    return coverage


def recorded(name: str) -> tuple[Game, list[Event]]:
    """Return a recorded game (`splicers/worked-game`): its game and its events."""
    one = game(name.partition("/")[0])
    lines = recorded_lines(RECORDINGS / f"{name}.jsonl")
    return one, [one.vocabulary.decode(line) for line in lines]


@pytest.mark.parametrize(
    ("name", "fields"), [("splicers/worked-game", ("splicer", "bioms")), ("duelyst/bloodbound-blink", ("general",))]
)
def test_a_card_on_the_table_from_the_beginning_is_tried(name: str, fields: tuple[str, ...]) -> None:
    """The splicer, bioms and general that deck lists name count although they never move."""
    one, events = recorded(name)
    declared = [getattr(event, field) for event in events[:3] for field in fields if hasattr(event, field)]
    cards = {card for each in declared for card in ([each] if isinstance(each, str) else each)}
    assert len(cards) >= 2
    assert cards <= covered(one, events).cards.seen


def test_a_card_that_stays_in_the_deck_is_not_tried() -> None:
    """A deck list alone covers no card; a card drawn from the deck counts."""
    one, events = recorded("splicers/worked-game")
    lists = [event for event in events[:3] if hasattr(event, "splicer")]
    drawn = next(event for event in events if getattr(event, "cards", None) and event not in lists)
    before = covered(one, events[: events.index(drawn)])
    after = covered(one, events[: events.index(drawn) + 1])
    assert not before.cards.seen & {card for each in lists for card in each.cards}  # type: ignore[attr-defined]
    assert after.cards.seen - before.cards.seen == {name.partition(":")[2].partition("#")[0] for name in drawn.cards}  # type: ignore[attr-defined]


def test_a_spell_that_is_never_on_the_table_is_tried_by_its_effect() -> None:
    """The effect of a general's own spell is enough, whether the log states it or the fold derives it."""
    one, events = recorded("duelyst/ability-as-declared-zeal")
    assert "roar" in covered(one, events).cards.seen
    assert "roar" in covered(one, [event for event in events if not hasattr(event, "source")]).cards.seen
    assert "roar" not in covered(one, events[:12]).cards.seen


@pytest.mark.parametrize("name", ["duelyst/ability-as-declared-zeal", "splicers/worked-game", "evolve/worked-game"])
def test_the_datasets_agree_with_coverage(name: str) -> None:
    """In a log with all consequences, the cards that appeared in the datasets are those that coverage counts."""
    one, events = recorded(name)
    replay = fold(one, events, traced=True)
    rows = [dict(zip(OWN_SCHEMAS["cards"].names, row, strict=True)) for row in rows_of_game(replay).rows["cards"]]
    assert {row["card"] for row in rows if row["appeared"]} == covered(one, events).cards.seen
