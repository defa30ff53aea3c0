"""The garbage collector is paused while a game is folded, and runs again afterwards."""

import gc
from contextlib import suppress

from tabletape.projector.fold.gc_pause import GcPause


def test_the_collector_is_on_again_after_a_pause() -> None:
    """The collector is off within the block, and on again after it, also if an exception ends the block."""
    seen = []
    with suppress(ValueError), GcPause():
        seen.append(gc.isenabled())
        raise ValueError
    assert [*seen, gc.isenabled()] == [False, True]


def test_an_inner_pause_does_not_turn_the_collector_on() -> None:
    """The end of an inner block leaves the collector off; the end of the outer one turns it on."""
    with GcPause():
        with GcPause():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
