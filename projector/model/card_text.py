"""The cards as they are printed."""

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
