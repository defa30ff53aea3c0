"""How often Python looks for garbage."""

import gc
from typing import Final

ALLOCATIONS: Final = 50_000


def collect_less_often() -> None:
    """Let the collector run after 50,000 new objects in place of the usual few hundred.

    A fold keeps nearly all that it makes, so looking for garbage finds none and costs a tenth of the time; a program
    says this once when it starts.
    """
    gc.set_threshold(ALLOCATIONS, 20, 50)
