"""What is said of a line by looking at it from several sides, put together.

Most lines break no rule: for these the answer was made beforehand, and the fold counts only how often it was given.
"""

from collections.abc import Collection
from functools import lru_cache
from itertools import chain
from typing import Final

from projector.games.duelyst.state import DuelystText
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Judgement, Rule, Undecidable, Verdict, all_passed

Judgements = tuple[Judgement, ...]
"""Rules with their verdicts, in the order in which they are told."""

NOTHING: Final = all_passed()
"""What somebody keeps to who has nothing to keep to."""

_kept: Final = lru_cache(maxsize=256)(all_passed)


def single(rule: Rule, verdict: Verdict) -> Judgements:
    """Return what one rule says of a line."""
    if verdict is None:
        return _kept(rule)
    return NOTHING if verdict is NOT_APPLICABLE else ((rule, verdict),)


def misnamed(name: str, due: str) -> Broken:
    """Return that a unit which the game creates has not the next free name."""
    return Broken(f"the new unit is called {name}, but the next free name is {due}", due)


def are(things: Collection[object]) -> str:
    """Return the verb for one thing or for several."""
    return "is" if len(things) == 1 else "are"


def told_by_people(text: DuelystText) -> Undecidable:
    """Return the verdict that only people can tell what a card does; it is reported once a game."""
    message = f"only people can tell what {text.name} does, and what follows from it: {text.manual}"
    return Undecidable(message, once=True)


_together: Final[dict[tuple[Judgements, ...], Judgements]] = {}


def together(*looks: Judgements) -> Judgements:
    """Return what several looks at a line say, one after the other.

    The answers to lines with which nothing is wrong are kept, by the looks that they consist of: there are a few dozen.
    """
    return _together.get(looks) or _put_together(looks)


def _put_together(looks: tuple[Judgements, ...]) -> Judgements:
    if all(type(look) is AllPassed for look in looks):
        return _together.setdefault(looks, AllPassed(chain(*looks)))
    return tuple(chain(*looks))
