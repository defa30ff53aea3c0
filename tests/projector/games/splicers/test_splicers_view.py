"""Splicers as a viewer reads it who may not know every card."""

from typing import Any

from projector.fold.folding import fold
from projector.fold.traced import Traced
from projector.games import game
from projector.reading.view import View


def test_a_ting_that_evolves_and_devolves_in_one_step_was_seen(story: Any) -> None:
    """Its requirement is not met: it lay open for a moment, so everybody reads its name then, and not before."""
    told = story(ann=("velvet-patriarch", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"))
    told.seeds("A", "velvet-patriarch", "thunder-shelf").passes("B", "A").draws("tin-wasp", "tithe-barn")
    told.evolves("A", "velvet-patriarch").passes("B")
    replay = fold(game("splicers"), told.events, traced=True)
    assert isinstance(replay, Traced)
    evolved = len(told.events) - 3
    assert not replay.at(evolved).cards["A:velvet-patriarch"].face_up
    view = View(replay)
    told_to_all = {view.text(index, "") for index in range(len(view))}
    assert view.text(evolved, "") == "Ann evolves Velvet Patriarch"
    assert "Ann plays a hidden card as a seed at Thunder Shelf" in told_to_all
    assert "A:velvet-patriarch" in view.hidden(len(view) - 1, "")
