"""What was probably meant by a name that does not exist: the nearest one that does."""

from collections.abc import Iterable
from typing import Final

from rapidfuzz import fuzz, process

CUTOFF: Final = 60.0
"""A name is suggested if it is at least this similar (rapidfuzz token set ratio, 0 to 100)."""

MAX_LISTED: Final = 40
"""The most names that are all listed."""

LISTED_OF_MANY: Final = 10
"""How many names are listed where there are more."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the sentence that something called `name` does not exist, and the nearest known one or what there is."""
    choices = list(known)
    best = nearest(name, choices)
    listed = (
        choices
        if len(choices) <= MAX_LISTED
        else [*choices[:LISTED_OF_MANY], f"and {len(choices) - LISTED_OF_MANY} more"]
    )
    hint = f"; did you mean {best}?" if best else f"; there are: {', '.join(listed)}" if choices else ""
    return f"there is no {what} called {name!r}{hint}"


def nearest(written: str, names: Iterable[str]) -> str:
    """Return the name that is most like what was written, or an empty string where none is.

    Whole words are compared: `komodo` finds `komodo-charger`, but `reed-heron` does not find `ion`.
    """
    best = process.extractOne(written, list(names), scorer=fuzz.token_set_ratio, processor=_words, score_cutoff=CUTOFF)
    return best[0] if best else ""


def _words(name: str) -> str:
    return name.lower().replace("-", " ").replace("_", " ")
