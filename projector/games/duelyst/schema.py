"""What is printed on a card, and what a card file may say: known types, and no line that could never do anything."""

from functools import lru_cache
from typing import Any, Final

import msgspec

from tabletape.projector.games.duelyst.abilities import TRIBES, Ability, ParsedText, parsed_text
from tabletape.projector.games.duelyst.state import GENERAL, PET, SPELLS, TIMED_UNITS, UNITS
from tabletape.projector.model.things import CardText

CAST_KINDS: Final = SPELLS | {"bloodbound-spell"}
KINDS: Final = (*sorted(UNITS), *sorted(CAST_KINDS), "artifact")
AIMING_TRIGGERS: Final = frozenset({"cast", "opening-gambit", "bond"})
"""Triggers for which the player names a target."""
NEVER: Final = {
    GENERAL: {
        "opening-gambit": "is never summoned",
        "bond": "is never summoned",
        "dying-wish": "ends the game when it dies",
        "zeal": "is not beside itself",
    },
    "token": {"opening-gambit": "is never played from the hand"},
}
"""Triggers that never come about for some types of unit, and why."""
UNKNOWN_HEALTH: Final = 1_000_000
"""The health of a unit without a known text: more than any damage."""


class DuelystText(CardText, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A printed card; `says` is what its ability lines mean (read from `abilities`, whatever is written in its place).

    `kind`: general, minion, token, artifact, spell, token-spell or bloodbound-spell. `bloodbound_spell` is the id of
    the spell of a general, `counts_as` what a card is when it is played: a spell, or of its tribe. `heeded` names the
    table's lists of units that a unit with this text is on. `source` and `evidence` say where the numbers come from.
    """

    faction: str = "neutral"
    tribe: str = ""
    cost: int = 0
    attack: int = 0
    health: int = 0
    durability: int = 3
    bloodbound_spell: str = ""
    source: str = ""
    evidence: str = ""
    says: ParsedText = ParsedText()
    counts_as: frozenset[str] = frozenset()
    heeded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Read the ability lines. Raises `ValueError` for an unknown word."""
        msgspec.structs.force_setattr(self, "says", parsed_text(self.abilities))
        kinds = {"spell"} if self.kind in SPELLS else {self.tribe} - {""}
        msgspec.structs.force_setattr(self, "counts_as", frozenset(kinds))
        says = self.says
        is_on: dict[str, Any] = {
            "boosting": says.auras,
            "granting": says.grants,
            "discounting": says.discounts,
            "hearing": says.hears,
            TIMED_UNITS: says.begins or says.build or self.tribe == PET or "ephemeral" in says.keywords,
        }
        msgspec.structs.force_setattr(self, "heeded", tuple(field for field in is_on if is_on[field]))


@lru_cache(maxsize=256)
def stand_in(card: str, kind: str) -> DuelystText:
    """Return a text for a card that no card file has: the table plays it, and nobody can check what it does.

    It costs nothing, does nothing by itself, and does not die of damage unless the log says so.
    """
    return DuelystText(id=card, name=card, kind=kind, health=UNKNOWN_HEALTH, manual="no card file has this card")


def check_text(text: DuelystText) -> None:
    """Make sure that a printed card has a known type and tribe, and that each of its lines can do something.

    Raises `ValueError` otherwise.
    """
    if text.kind not in KINDS:
        raise ValueError(f"there is no type of card called {text.kind!r}; there are: {', '.join(KINDS)}")
    if text.tribe and text.tribe not in TRIBES:
        raise ValueError(f"there is no tribe called {text.tribe!r}; there are: {', '.join(TRIBES)}")
    says = text.says
    words = sorted(says.keywords) + ["backstab"] * bool(says.backstab) + ["build"] * bool(says.build)
    if words and text.kind not in UNITS:
        raise ValueError(f"the keyword {words[0]!r} does nothing on a card of type {text.kind}: it is for units")
    if says.build and text.kind == GENERAL:
        raise ValueError("the keyword 'build' does nothing on a general, which is never summoned")
    for lines in says.abilities.values():
        for ability in lines:
            _check_trigger(text.kind, ability.trigger)
            _check_effects(text.kind, ability)


def _check_trigger(kind: str, trigger: str) -> None:
    """Raise `ValueError` where a card of a type never does anything by a trigger."""
    if kind in CAST_KINDS:
        fits = trigger == "cast"
    elif kind == "artifact":
        fits = trigger == "equipped"
    else:
        fits = trigger not in {"cast", "equipped"}
    if not fits:
        raise ValueError(f"the trigger {trigger!r} does nothing on a card of type {kind}")
    why = NEVER.get(kind, {}).get(trigger)
    if why is not None:
        raise ValueError(f"the trigger {trigger!r} does nothing on a card of type {kind}, which {why}")


def _check_effects(kind: str, ability: Ability) -> None:
    """Raise `ValueError` where an effect of a line can never find whom or where it is about."""
    trigger = ability.trigger
    if ability.target is not None and trigger not in AIMING_TRIGGERS:
        raise ValueError(
            f"nobody names a target for {trigger!r}; that is done for {', '.join(sorted(AIMING_TRIGGERS))}"
        )
    for effect in ability.effects:
        if effect.verb == "teleport" and kind != "bloodbound-spell":
            raise ValueError("'teleport' needs a tile, which is named for a bloodbound spell alone")
        if effect.verb == "appear" and trigger != "dying-wish":
            raise ValueError("'appear' needs the tile where a unit died: its trigger is 'dying-wish'")
        if effect.who == "self" and (kind in CAST_KINDS or trigger == "dying-wish"):
            raise ValueError(f"'{effect.verb} … self' does nothing for {trigger!r}: the card is not on the board then")
