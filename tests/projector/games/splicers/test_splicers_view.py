"""The text of a Splicers game for a viewer who may not know every card."""

from typing import Any

from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game


def test_a_ting_that_evolves_and_devolves_in_one_step_is_named(begin: Any) -> None:
    """A ting whose requirement is not met is face up within that step only: its name is public there and not before."""
    log = begin(ann=("velvet-patriarch", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"))
    log.seeds("A", "velvet-patriarch", "thunder-shelf").passes("B", "A").draws("tin-wasp", "tithe-barn")
    log.evolves("A", "velvet-patriarch").passes("B")
    replay = fold(game("splicers"), log.events, traced=True)
    assert isinstance(replay, Traced)
    evolved = len(log.events) - 3
    assert not replay.at(evolved).cards["A:velvet-patriarch"].face_up
    view = View(replay)
    public_texts = {view.text(index, "") for index in range(len(view))}
    assert view.text(evolved, "") == "Ann evolves Velvet Patriarch"
    assert "Ann plays a hidden card as a seed at Thunder Shelf" in public_texts
    assert "A:velvet-patriarch" in view.hidden(len(view) - 1, "")
