"""What a printed card of Evolve can be."""

from typing import ClassVar, Final

import msgspec

from tabletape.projector.games.evolve.abilities import ParsedText, parsed_text
from tabletape.projector.model.things import CardText

KINDS: Final = ("organism", "event", "mutation", "status")


class EvolveCost(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an organism needs to evolve; its energy is also the most that the organism can hold."""

    name: ClassVar[str] = "evolve"

    energy: int
    dna: int


class EvolveText(CardText, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A printed card; `says` is what its ability lines mean (read from `abilities`, whatever is written in its place).

    `mp` and `dna` are its costs; a food organism has `food_energy`, any other one a phylum, a tier and an evolve cost;
    an event may be a `response`; a status has `subtypes`.
    """

    mp: int = 0
    dna: int = 0
    phylum: str = ""
    tier: int = 0
    evolve: EvolveCost | None = None
    food: bool = False
    food_energy: int = 0
    response: bool = False
    subtypes: tuple[str, ...] = ()
    says: ParsedText = ParsedText()

    def __post_init__(self) -> None:
        """Read the ability lines. Raises `ValueError` for an unknown word."""
        msgspec.structs.force_setattr(self, "says", parsed_text(self.abilities))


def check_text(text: EvolveText) -> None:
    """Refuse a card that is none of the four kinds. Raises `ValueError`; unknown words have been refused before."""
    if text.kind not in KINDS:
        raise ValueError(f"{text.kind!r} is no kind of card; there are: {', '.join(KINDS)}")


def organism_kind(text: EvolveText) -> str:
    """Return what kind of organism a card is: food, or of which tier."""
    return "food organism" if text.food else f"organism of tier {text.tier}"
