"""The words of an Event: what it needs, whom it means and what it does, as the tables of a card file say it.

An Event has a `mode`, a `trigger` and a `duration`, tables that it `requires` (`kind`), a table for its `target`
(`type`), and tables of `effects` (`op`). A Species has no text.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tabletape.projector.kit.card_text import Kinds, Patterns, Verbs

ENOUGH: Final = 10**6
"""More than any number that a card prints."""

TRIGGERS_BY_OPERATION: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("on_play", "start_of_turn"),
    "points_add": ("at_scoring",),
    "points_set": ("at_scoring",),
    "scale_add": ("while_in_play",),
    "generation_bonus": ("while_in_play",),
}
"""The triggers that an operation can have; all others happen when the Event is played."""

AIM_TYPES: Final[Mapping[str, str]] = {
    "discard": "species",
    "move": "species",
    "recover_from_discard": "card",
    "discard_event": "event_in_play",
}
"""The type of target that an operation acts upon."""


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that an Event does: the verb with its number, how many cards are kept or how often it can be used."""

    verb: str
    n: int = 0
    keep: int = 0
    uses: int = 0
    turns: int = 0


class ParsedText(msgspec.Struct, frozen=True, kw_only=True):
    """What an Event says: `pays` hand cards, needs `species` facing its player, means a `target`, has `effects`.

    `facing`: whom a targeted Species may face (`self`, `opponent`, `any`). `bonus` and `scale` are what it adds to the
    generation limit and to a genome scale while it is in play, `moves` whether it moves a Species to a cell.
    """

    mode: str = ""
    trigger: str = ""
    pays: int = 0
    species: int = 0
    target: str = "none"
    facing: str = ""
    effects: tuple[Effect, ...] = ()
    bonus: Effect | None = None
    scale: int = 0
    moves: bool = False


_KINDS: Final[Kinds] = {
    "n": range(1, ENOUGH),
    "points": range(-ENOUGH, ENOUGH),
    "what": ("target",),
    "to": ("cell",),
    "action": ("play_species",),
    "player": ("opponent",),
    "facing": ("self", "opponent", "any"),
    "where": ("own_discard",),
    "kind": ("species",),
}
verb = Verbs(_KINDS, "operation")
"""The operations, with the functions that carry out those that happen as the Event is played (see `effects`)."""
_MODES: Final = Patterns("mode", {}, "beneath", "on_top", "table", "instant")
_TRIGGERS: Final = Patterns("trigger", {}, "on_play", "start_of_turn", "while_in_play", "at_scoring")
_DURATIONS: Final = Patterns("duration", {}, "momentary", "until_discarded", "until_used", "next_turn_of_opponent")
_NEEDS: Final = Patterns("requirement", _KINDS, "discard_from_hand {count:n}", "min_species_facing {count:n}")
_TARGETS: Final = Patterns(
    "type of target", _KINDS, *("none", "species {facing}", "event_in_play", "card {where} {kind}")
)


def parsed_text(card: Any) -> ParsedText:
    """Read the tables of an Event. Raises `ValueError` for an unknown word."""
    mode = _MODES.require(card.mode)
    trigger = _TRIGGERS.require(card.trigger or "on_play")
    _DURATIONS.require(card.duration or "momentary")
    needs = {kind: values["count"] for kind, values in (_NEEDS.read_table(need, "kind") for need in card.requires)}
    target, values = _TARGETS.read_table(card.target or {"type": "none"}, "type")
    effects = tuple(_effect(effect, trigger, target) for effect in card.effects)
    if trigger == "start_of_turn" and mode != "table":
        raise ValueError("only an Event on the table has an ability for the start of the turn")
    if mode == "beneath" and target != "species":
        raise ValueError("an Event that lies beneath a Species needs a Species as its target")
    return ParsedText(
        mode=mode,
        trigger=trigger,
        pays=needs.get("discard_from_hand", 0),
        species=needs.get("min_species_facing", 0),
        target=target,
        facing=values.get("facing", ""),
        effects=effects,
        bonus=next((effect for effect in effects if effect.verb == "generation_bonus"), None),
        scale=sum(effect.n for effect in effects if effect.verb == "scale_add"),
        moves=any(effect.verb == "move" for effect in effects),
    )


def _effect(effect: Mapping[str, Any], trigger: str, target: str) -> Effect:
    """Read an effect of an Event with this trigger and this type of target."""
    word, values = verb.read_table(effect, "op")
    if trigger not in TRIGGERS_BY_OPERATION.get(word, ("on_play",)):
        can = ", ".join(TRIGGERS_BY_OPERATION.get(word, ("on_play",)))
        raise ValueError(f"{word} cannot have the trigger {trigger}; it can have {can}")
    if AIM_TYPES.get(word, target) != target:
        raise ValueError(f"{word} needs a target of the type {AIM_TYPES[word]}, not {target}")
    return Effect(verb=word, **{field: value for field, value in values.items() if isinstance(value, int)})


def keywords_of(text: Any) -> tuple[str, ...]:
    """Return the words of a printed card: mode, operations and needs of an Event, interest areas of a Species."""
    if text.kind == "species":
        return tuple(text.interest_areas)
    needs = [need["kind"] for need in text.requires]
    return tuple(dict.fromkeys([text.mode, *needs, *(effect.verb for effect in text.says.effects)]))
