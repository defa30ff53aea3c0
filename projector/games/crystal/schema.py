"""What is printed on a card of Crystal Factions, and what it can have and has to have."""

from typing import Final

import msgspec

from tabletape.projector.games.crystal.abilities import TOKENS, ParsedText, parsed_text
from tabletape.projector.model.suggestions import unknown
from tabletape.projector.model.things import CardText

FACTION: Final = "faction"
"""The kind of a faction's base cards; a player's deck of the faction's cards is called so, too."""

KINDS: Final = ("card", FACTION)
START_HITPOINTS: Final = 20
START_CRYSTALS: Final = 5
Three = tuple[int, ...]
"""A number for each lane."""


class CrystalText(CardText, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A printed card; `says` is what its ability lines mean (read from `abilities`, whatever is written in its place).

    A card of kind `faction` stands for the three base cards of a faction: its `mining`, `attack` and `tech` are their
    power, and it prints where `hitpoints` and `crystals` begin and which `tokens` belong to the faction.
    `faction` is the faction of any other card, or `basic`.
    """

    faction: str = ""
    cost: int | None = None
    tech_requirement: int | None = None
    mining: int
    attack: int
    tech: int
    hitpoints: int = START_HITPOINTS
    crystals: int = START_CRYSTALS
    tokens: tuple[str, ...] = ()
    says: ParsedText = ParsedText()

    def __post_init__(self) -> None:
        """Read the ability lines. Raises `ValueError` for an unknown word."""
        msgspec.structs.force_setattr(self, "says", parsed_text(self.abilities))

    @property
    def values(self) -> Three:
        """The values for the three lanes."""
        return (self.mining, self.attack, self.tech)


def check_text(card: CrystalText) -> None:
    """Check a printed card. Raises `ValueError` for what a card of its kind cannot have or has to have."""
    if card.kind not in KINDS:
        raise ValueError(f"a card is a {KINDS[0]} or a {KINDS[1]} (its base cards), not a {card.kind!r}")
    if card.kind == "card":
        for field in ("cost", "tech_requirement"):
            number = getattr(card, field)
            if number is None or number < 0:
                there = "" if number is None else f", not {number}"
                raise ValueError(f"a card needs {field}, a number from 0{there}")
        if not card.faction:
            raise ValueError("a card needs its faction, or `basic`")
    else:
        wrong = [field for field in ("cost", "tech_requirement", "abilities") if getattr(card, field) not in {None, ()}]
        if wrong:
            raise ValueError(f"base cards have no cost, no tech requirement and no abilities; here is {wrong[0]}")
    strange = [token for token in card.tokens if token not in TOKENS]
    if strange:
        raise ValueError(unknown("token", strange[0], TOKENS))
