"""What a printed card of Evolve can be."""

from typing import Final

from projector.games.evolve.state import EvolveText

KINDS: Final = ("organism", "event", "mutation", "status")


def check_text(text: EvolveText) -> None:
    """Refuse a card that is none of the four kinds. Raises `ValueError`; unknown words have been refused before."""
    if text.kind not in KINDS:
        raise ValueError(f"{text.kind!r} is no kind of card; there are: {', '.join(KINDS)}")
