"""What a printed card of Crystal Factions can have and has to have."""

from typing import Final

from projector.games.crystal.abilities import TOKENS
from projector.games.crystal.state import FACTION, CrystalText
from projector.model.rulebook import unknown

KINDS: Final = ("card", FACTION)


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
