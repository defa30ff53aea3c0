"""What a greedy bot sees of a decision before it tries it: which ones look alike, and how good one looks at most.

The value of a table (see `view.value`) reads of a tile how far the other general is, whether the own one is beside, and
on which half it lies; of a hand how many cards there are; of the mana nothing.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from math import inf
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst.abilities import HEARD, Effect
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, DuelystCard, general_of
from tabletape.projector.games.duelyst.tiles import FAR_SIDE, distance, touches
from tabletape.projector.games.duelyst.view import HAND_WORTH, MINION, NEARER, value
from tabletape.projector.kit.memo import Memo

OWN_TRIGGERS: Final = ("opening-gambit", "bond")
"""Triggers of what a minion does when it is summoned."""
HEARD_TRIGGERS: Final = sorted(HEARD - {"own-spell-cast"})
"""Triggers of what others of its player do then."""
OTHER_TRIGGERS: Final = frozenset({"cast", "dying-wish", "start-of-turn", "own-spell-cast", "deals-damage"})
"""Triggers that are known to wait for something else."""
LASTING_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "zeal": frozenset({"attack"}),
    "infiltrate": frozenset({"attack"}),
    "always": frozenset({"attack", "grant", "cost", "double", "immune"}),
    "equipped": frozenset({"attack", "absorb"}),
}
"""What is known to hold as long as a card lies there: of a tile it heeds what is said above, or nothing."""
STAYING_VERBS: Final = frozenset({"heal", "blind", "spears", "grant", "free", "dispel", "stun", "return"}) | frozenset(
    {"draw", "add", "build", "suspend", "double"}
)
"""Verbs that are known to bring no unit onto the board and to kill none, wherever units stand."""
DEADLY_VERBS: Final = frozenset({"damage", "destroy", "buff"})
"""Verbs of which the same is known but that units may die, and do what they say then."""


@lru_cache(maxsize=4096)
def _is_known(text: Any) -> bool:
    """Return whether it is known of all that a card does whether it happens at once, and what it heeds of a tile."""
    return all(
        trigger in OTHER_TRIGGERS
        or trigger in OWN_TRIGGERS
        or trigger in HEARD_TRIGGERS
        or {effect.verb for effect in effects} <= LASTING_FIELDS.get(trigger, frozenset())
        for trigger, effects in text.says.effects.items()
    )


def _are_known(table: Duelyst) -> bool:
    """Return whether that is so of all cards that lie on the table."""
    worn = [card for zone in table.worn.values() for card in zone.cards]
    return all(_is_known(card.text) for card in (*table.units, *worn))


def alike(table: Duelyst, events: Iterable[Event]) -> list[Hashable]:
    """Return what the value of a table hangs on after legal decisions, None where that takes more than a look."""
    looks = LOOKS if _are_known(table) else {}
    return [look(table, event) if (look := looks.get(type(event))) is not None else None for event in events]


def _moved(table: Duelyst, event: ev.UnitMoved) -> Hashable:
    """Return what a move comes to: that of a minion by its own tile, that of a general by where the others stand."""
    unit, to = table.cards[event.unit], event.to
    if unit.text.kind != GENERAL:
        return event.unit, *_of_tile(table, unit, to)
    theirs = [_away(each, to) for each in _minions_against(table, unit)]
    return event.unit, _is_far(table, unit, to), *theirs, *[touches(to, each.place) for each in _heeding(table, unit)]


def _summoned(table: Duelyst, event: ev.MinionSummoned) -> Hashable:
    """Return what a minion comes to; None where with it more may come, for which there may be no room."""
    card = table.cards[event.card]
    verbs = {effect.verb for effect in _at_once(table, card)}
    if not verbs.isdisjoint(DEADLY_VERBS):
        verbs.update([effect.verb for unit in (card, *table.units) for effect in _wishes(unit)])
    if not (verbs <= STAYING_VERBS | DEADLY_VERBS and _is_known(card.text)):
        return None
    return "summoned", card.text.id, event.target, *_of_tile(table, card, event.tile)


def _wishes(unit: DuelystCard) -> tuple[Effect, ...]:
    effects: tuple[Effect, ...] = unit.text.says.effects.get("dying-wish", ())
    return effects


def _at_once(table: Duelyst, card: DuelystCard) -> Iterator[Effect]:
    """Yield what happens at once when a minion is summoned: what itself and the other own units do then."""
    heard = [unit for name in table.hearing if (unit := table.cards[name]).owner == card.owner]
    for each, triggers in [(card, OWN_TRIGGERS), *[(unit, HEARD_TRIGGERS) for unit in heard]]:
        for trigger in triggers:
            yield from each.text.says.effects.get(trigger, ())


def _cast(table: Duelyst, event: ev.BloodboundSpellCast) -> Hashable:
    """Return what it comes to that a spell puts a minion onto another tile."""
    unit = _teleported(table, event)
    return None if unit is None else ("cast", event.target, *_of_tile(table, unit, event.tile))


def _teleported(table: Duelyst, event: ev.BloodboundSpellCast) -> DuelystCard | None:
    """Return the own minion that a spell puts onto another tile, if that is all that it does."""
    unit = table.find(event.target) if event.target and event.tile else None
    if unit is None or unit.text.kind == GENERAL or unit.owner != event.player:
        return None
    general = general_of(table, event.player)
    spell = table.library.get(general.text.bloodbound_spell) if general is not None else None
    does = spell.says.effects.get("cast", ()) if spell is not None else ()
    return unit if [(effect.verb, effect.who) for effect in does] == [("teleport", "target")] else None


LOOKS: Final[Mapping[type[Event], Callable[[Duelyst, Any], Hashable]]] = {
    ev.MulliganTaken: lambda _table, event: ("mulligan", len(event.returned)),
    ev.CardReplaced: lambda _table, _event: "replaced",
    ev.UnitMoved: _moved,
    ev.MinionSummoned: _summoned,
    ev.BloodboundSpellCast: _cast,
}


# -- how good it looks at most -----------------------------------------------------------------------------------------


def at_most(table: Duelyst, player: str, events: Iterable[Event]) -> list[float]:
    """Return what the value of a table does not exceed after legal decisions: infinite where only a try tells."""
    bounds = MOST if _are_known(table) else {}
    now, known = value(table, player), Memo(lambda name: _most_anywhere(table, table.cards[name]))
    return [
        now + most(table, event, known) if (most := bounds.get(type(event))) is not None else inf for event in events
    ]


def _most_anywhere(table: Duelyst, unit: DuelystCard) -> tuple[float, DuelystCard | None]:
    """Return how much a minion gains at most if it stood where the other general does, and that general."""
    other = general_of(table, table.players[unit.owner].opponent)
    if unit.place is None:
        return _most_of_summoning(table, unit), other
    nearer = 0 if other is None else _away(other, unit.place)
    return NEARER * nearer + _most_attack(table, unit), other


def _most_of_summoning(table: Duelyst, card: DuelystCard) -> float:
    """Return how much a minion of the hand gains at most by itself, where it changes nothing else."""
    text = card.text
    if text.says.auras or not _is_known(text) or any(True for _ in _at_once(table, card)):
        return inf
    auras = sum([max(aura.n, 0) for name in table.boosting for aura in table.cards[name].text.says.auras])
    most: float = MINION * text.health + max(text.attack, 0) + auras - HAND_WORTH
    return most + _most_attack(table, card)


def _most_attack(table: Duelyst, unit: DuelystCard) -> int:
    """Return how much attack a unit gains at most where its own tile, or that of its general, is another one."""
    says = unit.text.says
    beside = sum([abs(each.text.says.worn_beside) for each in table.worn[unit.owner].cards])
    most: int = abs(says.zeal) + abs(says.infiltrate) + beside
    return most


def _most_of_move(table: Duelyst, event: ev.UnitMoved, known: Mapping[str, Any]) -> float:
    """Return how much a move gains at most: a minion comes nearer, from a general others go away."""
    unit, to = table.cards[event.unit], event.to
    if unit.text.kind != GENERAL:
        return _most_of_tile(known[event.unit], to)
    farther = sum([_away(each, to) - _away(each, unit.place) for each in _minions_against(table, unit)])
    return NEARER * farther + sum([_most_attack(table, each) for each in (unit, *_heeding(table, unit))])


def _most_of_cast(table: Duelyst, event: ev.BloodboundSpellCast, known: Mapping[str, Any]) -> float:
    unit = _teleported(table, event)
    return inf if unit is None else _most_of_tile(known[unit.name], event.tile)


def _most_of_tile(anywhere: tuple[float, DuelystCard | None], tile: Any) -> float:
    most, other = anywhere
    return most if other is None else most - NEARER * distance(tile, other.place)


MOST: Final[Mapping[type[Event], Callable[[Duelyst, Any, Mapping[str, Any]], float]]] = {
    ev.CardReplaced: lambda _table, _event, _known: 0.0,
    ev.UnitMoved: _most_of_move,
    ev.MinionSummoned: lambda _table, event, known: _most_of_tile(known[event.card], event.tile),
    ev.BloodboundSpellCast: _most_of_cast,
}


# -- what the value reads of tiles -------------------------------------------------------------------------------------


def _of_tile(table: Duelyst, minion: DuelystCard, tile: Any) -> tuple[int, bool, bool]:
    """Return what the value reads of a tile on which a minion stands (see `attack_of`)."""
    other = general_of(table, table.players[minion.owner].opponent)
    own = general_of(table, minion.owner) if _heeds_general(table, minion) else None
    return (
        -1 if other is None else _away(other, tile),
        own is not None and touches(own.place, tile),
        _is_far(table, minion, tile),
    )


def _minions_against(table: Duelyst, general: DuelystCard) -> list[DuelystCard]:
    return [unit for unit in table.units if unit.owner != general.owner and unit.text.kind != GENERAL]


def _heeding(table: Duelyst, general: DuelystCard) -> list[DuelystCard]:
    """Return the units whose attack hangs on whether their general is beside."""
    return [unit for unit in table.units if unit.owner == general.owner and _heeds_general(table, unit)]


def _heeds_general(table: Duelyst, unit: DuelystCard) -> bool:
    return bool(unit.text.says.zeal or table.worn[unit.owner].cards)


def _is_far(table: Duelyst, unit: DuelystCard, tile: Any) -> bool:
    return bool(unit.text.says.infiltrate) and tile[1] in FAR_SIDE[table.players[unit.owner].seat]


def _away(unit: DuelystCard, tile: Any) -> int:
    return distance(unit.place, tile)
