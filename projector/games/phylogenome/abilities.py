"""The words of an Event: what it needs, whom it means and what it does, as the tables of a card file say it.

A card is parsed once, when its file is read; a word that nobody knows is a `ValueError` that names it.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from projector.model.rulebook import unknown

MODES: Final = ("beneath", "on_top", "table", "instant")
TRIGGERS: Final = ("on_play", "start_of_turn", "while_in_play", "at_scoring")
DURATIONS: Final = ("momentary", "until_discarded", "until_used", "next_turn_of_opponent")
NUMBER: Final = ("a number",)

OPERATIONS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "draw": {"n": NUMBER},
    "discard": {"what": ("target",)},
    "points_add": {"n": NUMBER},
    "points_set": {"n": NUMBER},
    "scale_add": {"n": NUMBER},
    "forbid": {"action": ("play_species",), "player": ("opponent",), "turns": NUMBER},
    "recover_from_discard": {"what": ("target",)},
    "discard_event": {"what": ("target",)},
    "look_at_deck": {"n": NUMBER, "keep": NUMBER},
    "generation_bonus": {"n": NUMBER, "uses": NUMBER},
    "move": {"what": ("target",), "to": ("cell",)},
}
"""What an Event can do, and the words that each operation takes with it."""

WHEN: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("on_play", "start_of_turn"),
    "points_add": ("at_scoring",),
    "points_set": ("at_scoring",),
    "scale_add": ("while_in_play",),
    "generation_bonus": ("while_in_play",),
}
"""The triggers that an operation can have; all others happen when the Event is played."""

NEEDS: Final = ("discard_from_hand", "min_species_facing")

TARGETS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "none": {},
    "species": {"facing": ("self", "opponent", "any")},
    "event_in_play": {},
    "card": {"where": ("own_discard",), "kind": ("species",)},
}
AIMED: Final[Mapping[str, str]] = {
    "discard": "species",
    "move": "species",
    "recover_from_discard": "card",
    "discard_event": "event_in_play",
}
"""The type of target that an operation acts upon."""


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that an Event does: `op` with its number, and how many cards are kept or how often it can be used."""

    op: str
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


def parsed_text(card: Any) -> ParsedText:
    """Read the tables of an Event. Raises `ValueError` for a word that nobody knows."""
    mode = _one_of(MODES, card.mode, "mode")
    trigger = _one_of(TRIGGERS, card.trigger or "on_play", "trigger")
    _one_of(DURATIONS, card.duration or "momentary", "duration")
    needs = dict(_need(need) for need in card.requires)
    target = card.target or {"type": "none"}
    kind = _one_of(tuple(TARGETS), target.get("type"), "type of target")
    _words(target, "type", TARGETS[kind])
    effects = tuple(_effect(effect, trigger, kind) for effect in card.effects)
    if trigger == "start_of_turn" and mode != "table":
        raise ValueError("only an Event on the table has an ability for the start of the turn")
    if mode == "beneath" and kind != "species":
        raise ValueError("an Event that lies beneath a Species needs a Species as its target")
    return ParsedText(
        mode=mode,
        trigger=trigger,
        pays=needs.get("discard_from_hand", 0),
        species=needs.get("min_species_facing", 0),
        target=kind,
        facing=target.get("facing", ""),
        effects=effects,
        bonus=next((effect for effect in effects if effect.op == "generation_bonus"), None),
        scale=sum(effect.n for effect in effects if effect.op == "scale_add"),
        moves=any(effect.op == "move" for effect in effects),
    )


def _one_of(known: tuple[str, ...], word: Any, what: str) -> str:
    if word not in known:
        raise ValueError(unknown(what, str(word or ""), known))
    return str(word)


def _need(need: Mapping[str, Any]) -> tuple[str, int]:
    """Read a requirement: its kind and its number."""
    kind = _one_of(NEEDS, need.get("kind"), "requirement")
    _words(need, "kind", {"count": NUMBER})
    return kind, need["count"]


def _effect(effect: Mapping[str, Any], trigger: str, target: str) -> Effect:
    """Read an effect of an Event with this trigger and this type of target."""
    op = _one_of(tuple(OPERATIONS), effect.get("op"), "operation")
    _words(effect, "op", OPERATIONS[op])
    if trigger not in WHEN.get(op, ("on_play",)):
        raise ValueError(f"{op} cannot have the trigger {trigger}; it can have {', '.join(WHEN.get(op, ('on_play',)))}")
    if AIMED.get(op, target) != target:
        raise ValueError(f"{op} needs a target of the type {AIMED[op]}, not {target}")
    numbers = {word: value for word, value in effect.items() if isinstance(value, int)}
    return Effect(op=op, **numbers)


def _words(table: Mapping[str, Any], first: str, known: Mapping[str, tuple[str, ...]]) -> None:
    """Check the words beside the first one: all there, none unknown, each with a value that it can have."""
    name = table[first]
    for word, value in table.items():
        if word == first:
            continue
        if word not in known:
            raise ValueError(unknown(f"word of {name}", word, known))
        if known[word] is not NUMBER:
            _one_of(known[word], value, word)
        elif type(value) is not int or (value < 1 and name not in {"points_add", "points_set"}):
            raise ValueError(f"{word} of {name} has to be a number from 1, not {value!r}")
    missing = [word for word in known if word not in table]
    if missing:
        raise ValueError(f"{name} needs {' and '.join(missing)}")


def keywords(text: Any) -> tuple[str, ...]:
    """Return the words of a printed card: mode, operations and needs of an Event, interest areas of a Species."""
    if text.kind == "species":
        return tuple(text.interest_areas)
    needs = [need["kind"] for need in text.requires]
    return tuple(dict.fromkeys([text.mode, *needs, *(effect.op for effect in text.says.effects)]))
