"""Totals that were read off the table otherwise than the fold has them, as what is wrong."""

import re
from collections.abc import Iterable
from typing import Final

from tabletape.projector.fold.compiled_rules import in_words
from tabletape.projector.model.game import Drift
from tabletape.projector.model.rules import Broken

_PREPOSITION: Final = re.compile(r" (?:of|on|in|at) ")


def drifts_in(seen: Iterable[Drift]) -> list[Drift]:
    """Return what was read otherwise than the fold has it."""
    return [each for each in seen if each.folded != each.seen]


def as_broken(drift: Drift) -> Broken:
    """Return a drift as what is wrong."""
    folded, seen = in_words(drift.folded), in_words(drift.seen)
    was, it = ("were", "them") if _is_plural(drift) else ("was", "it")
    message = f"{drift.field} {was} read as {seen}, the log makes {it} {folded}"
    return Broken(message, folded, "drift", drift.because)


def _is_plural(drift: Drift) -> bool:
    """Return whether a number was read of what is called by a plural: `hit points`, `cards in the hand of Ann`."""
    noun = _PREPOSITION.split(drift.field, maxsplit=1)[0]
    return type(drift.seen) is int and noun.endswith("s") and not noun.endswith(("ss", "us"))
