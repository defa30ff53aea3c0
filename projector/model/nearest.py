"""What somebody probably meant who wrote a name that does not exist."""

from collections.abc import Iterable
from typing import Final

from rapidfuzz import fuzz, process

CUTOFF: Final = 60.0
"""A name is suggested if it is at least so similar (rapidfuzz token set ratio, 0 to 100)."""


def nearest(written: str, names: Iterable[str]) -> str:
    """Return the name that is most like what was written, or an empty string where none is.

    Whole words are compared: `komodo` finds `komodo-charger`, but `reed-heron` does not find `ion`.
    """
    best = process.extractOne(written, list(names), scorer=fuzz.token_set_ratio, processor=_words, score_cutoff=CUTOFF)
    return best[0] if best else ""


def _words(name: str) -> str:
    return name.lower().replace("-", " ").replace("_", " ")
