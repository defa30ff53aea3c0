"""How often Python looks for garbage while a game is folded."""

import gc
from contextlib import suppress

from projector.fold.gc_pause import GcPause


def test_garbage_is_looked_for_again_afterwards() -> None:
    """Within the block nothing is looked for, after it everything is as before, also after a mistake."""
    seen = []
    with suppress(ValueError), GcPause():
        seen.append(gc.isenabled())
        raise ValueError
    assert [*seen, gc.isenabled()] == [False, True]


def test_whoever_does_not_look_for_garbage_is_left_alone() -> None:
    """A block within a block does not look for garbage when it ends; the outer one does."""
    with GcPause():
        with GcPause():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
