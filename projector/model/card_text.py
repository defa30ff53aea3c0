"""The cards as they are printed."""

from typing import Any

import msgspec


class CardText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A card as it is printed; a game adds its own fields. `abilities` are lines of the game's card-text vocabulary."""

    id: str
    name: str
    kind: str
    abilities: tuple[str, ...] = ()
    text: str = ""
    flavor: str = ""
    designer: str = ""
    manual: str = ""

    def printed(self, field: str) -> Any:
        """Return the value of a field that the card has, as a clue about it would name it."""
        return getattr(self, field)
