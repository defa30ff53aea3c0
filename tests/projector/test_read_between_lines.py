"""What is read off the table between two lines of a full log is right, also between the consequences of one line."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games import crystal, splicers
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.fold.folding import fold, ruleset_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tests.written_games import game_of_bots

SET_UP: Final = 12
"""Lines of a game of which nothing is read."""


def read_in_crystal(table: Any) -> Iterator[Event]:
    """Yield what can be read of each player: hit points, crystals, the hand and the lanes."""
    for player in table.players.values():
        if player.living:
            totals = {name: getattr(player, name) for name in ("hitpoints", "crystals", "attack", "mining", "tech")}
            yield crystal.StateObserved(player=player.id, hand=table.zones[f"hand:{player.id}"].size, **totals)


def read_in_splicers(table: Any) -> Iterator[Event]:
    """Yield what can be read of each player, and how each card at a biom lies."""
    for player in table.players:
        sizes = {name: table.zones[f"{name}:{player}"].size for name in ("hand", "deck", "discard")}
        yield splicers.StateObserved(player=player, **sizes)
    for card in table.cards.values():
        if card.place is not None and card.zone.name.startswith("play"):
            face: Literal["up", "down"] = "up" if card.face_up else "down"
            yield splicers.StateObserved(card=card.name, face=face, exhausted=card.exhausted)


READ: Final[Mapping[str, Callable[[Any], Iterator[Event]]]] = {"crystal": read_in_crystal, "splicers": read_in_splicers}


@pytest.mark.parametrize("slug", READ)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(1, 8), part=st.floats(0, 1))
def test_what_is_read_after_a_consequence_is_no_drift(slug: str, seed: int, part: float) -> None:
    """After any written consequence the table may be read as it is then, though more follows that is written later."""
    one = game(slug)
    events: Any = game_of_bots(slug, seed)
    places = [index for index, event in enumerate(events) if index >= SET_UP and isinstance(event, Consequence)]
    here = places[int(part * (len(places) - 1))] + 1
    replay = Replay(one, ruleset_of(one, events[0].edition, events[0].rulings, rulings={})).run(events[:here])
    replay.table.undo(replay.ledger.last_mark)
    read = [*READ[slug](replay.table)]
    assert fold(one, [*events[:here], *read, *events[here:]]).findings == []
