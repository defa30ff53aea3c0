"""What a card file may say: known types and tribes, and no line that could never do anything."""

from typing import Final

from projector.games.duelyst.abilities import TRIBES, Ability
from projector.games.duelyst.state import GENERAL, SPELLS, UNITS, DuelystText

CASTING: Final = SPELLS | {"bloodbound-spell"}
KINDS: Final = (*sorted(UNITS), *sorted(CASTING), "artifact")
AIMING: Final = frozenset({"cast", "opening-gambit", "bond"})
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
    if kind in CASTING:
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
    if ability.target is not None and trigger not in AIMING:
        raise ValueError(f"nobody names a target for {trigger!r}; that is done for {', '.join(sorted(AIMING))}")
    for effect in ability.effects:
        if effect.verb == "teleport" and kind != "bloodbound-spell":
            raise ValueError("'teleport' needs a tile, which is named for a bloodbound spell alone")
        if effect.verb == "appear" and trigger != "dying-wish":
            raise ValueError("'appear' needs the tile where a unit died: its trigger is 'dying-wish'")
        if effect.who == "self" and (kind in CASTING or trigger == "dying-wish"):
            raise ValueError(f"'{effect.verb} … self' does nothing for {trigger!r}: the card is not on the board then")
