"""What a greedy bot sees of a decision before it tries it: which ones look alike, and how good one looks at most.

The value of a table (see `view.value`) reads of a tile how far the other general is, whether the own one is beside, and
on which half it lies; of a hand how many cards there are; of the mana nothing.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst.abilities import HEARD, Effect
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tiles import FAR_SIDE, distance, touches
from tabletape.projector.games.duelyst.view import HAND_WORTH, MINION, NEARER, value
from tabletape.projector.kit.memo import Memo
from tabletape.projector.model.game import Glance

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
KNOWN_VERBS: Final = STAYING_VERBS | DEADLY_VERBS
LINGERING_VERBS: Final = STAYING_VERBS - {"return", "suspend"}
"""Verbs after which a minion that is summoned still stands there."""
UNKNOWN_VERB: Final = ""
"""Stands for whatever else a card says."""


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


class DuelystGlance(Glance):
    """What is seen of the decisions of a player on a table."""

    def __init__(self, table: Duelyst, player: str) -> None:
        super().__init__(table, player)
        self._looks, self._bounds = (LOOKS, MOST) if _are_known(table) else ({}, {})
        self._heeds = Memo(lambda name: _heeded(table, table.cards[name]))
        self._gains = Memo(lambda name: _most_anywhere(table, table.cards[name]))
        self._around = Memo(lambda name: _Around(table, table.cards[name]))
        self._verbs = Memo(lambda name: _verbs_at_once(table, table.cards[name]))

    def alike(self, events: Sequence[Event]) -> list[Hashable]:
        """Return what the value of a table hangs on after legal decisions, None where that takes more than a look."""
        looks = self._looks
        return [look(self, event) if (look := looks.get(type(event))) is not None else None for event in events]

    def at_most(self, events: Sequence[Event]) -> list[float]:
        """Return what the value of a table does not exceed after legal decisions: infinite where only a try tells."""
        now, bounds = value(self.table, self.player), self._bounds
        most = [now + bound(self, event) if (bound := bounds.get(type(event))) is not None else inf for event in events]
        for farther in self._farther([place for place, each in enumerate(most) if each == inf], events):
            most[farther] = -inf
        return most

    def _farther(self, places: Iterable[int], events: Sequence[Event]) -> list[int]:
        """Return those places of summonings of a minion that stays where it is put, of which another is nearer."""
        steps: dict[int, tuple[Hashable, int]] = {}
        nearest: dict[Hashable, int] = {}
        for place in places:
            event = events[place]
            if isinstance(event, ev.MinionSummoned) and self.verbs(event.card) <= LINGERING_VERBS:
                away, *besides = self.of_tile(event.card, event.tile)
                kind = (event.card, event.target, *besides)
                steps[place] = kind, away
                nearest[kind] = min(away, nearest.get(kind, away))
        return [place for place, (kind, away) in steps.items() if away > nearest[kind]]

    def verbs(self, card: str) -> frozenset[str]:
        """Return what happens at once, and is known, when a minion is summoned."""
        verbs: frozenset[str] = self._verbs.get(card) or self._verbs[card]
        return verbs

    def of_tile(self, minion: str, tile: Any) -> tuple[int, bool, bool]:
        """Return what the value reads of a tile on which a minion stands (see `attack_of`)."""
        other, own, far_side = self._heeds.get(minion) or self._heeds[minion]
        away = -1 if other is None else distance(other, tile)
        return away, own is not None and touches(own, tile), tile[1] in far_side

    def most_of_tile(self, minion: str, tile: Any) -> float:
        """Return how much a minion gains at most on a tile."""
        gain: float
        gain, other = self._gains.get(minion) or self._gains[minion]
        return gain if other is None else gain - NEARER * distance(tile, other)

    def around(self, general: str) -> "_Around":
        """Return on what it hangs where a general stands."""
        around: _Around = self._around[general]
        return around


def _heeded(table: Duelyst, minion: DuelystCard) -> tuple[Any, Any, Collection[int]]:
    """Return what a minion's tile is seen against: the other general's, the own one's, and columns that it heeds."""
    player = table.players[minion.owner]
    other, own = table.general_of(player.opponent), table.general_of(player.id)
    heeded = None if own is None or not _heeds_general(table, minion) else own.place
    return None if other is None else other.place, heeded, FAR_SIDE[player.seat] if minion.text.says.infiltrate else ()


class _Around:
    """On what it hangs where a general stands: the other's minions, and the own units that heed the general."""

    def __init__(self, table: Duelyst, general: DuelystCard) -> None:
        units = table.units
        heeding = [unit for unit in units if unit.owner == general.owner and _heeds_general(table, unit)]
        self._minions = [unit.place for unit in units if unit.owner != general.owner and unit.text.kind != GENERAL]
        self._heeding = [unit.place for unit in heeding]
        self._far_side = _heeded(table, general)[2]
        self._now = sum([distance(each, general.place) for each in self._minions])
        self._attack = sum([_most_attack(table, each) for each in (general, *heeding)])

    def look(self, tile: Any) -> tuple[Hashable, ...]:
        """Return what the value reads of a tile for the general."""
        theirs = [distance(each, tile) for each in self._minions]
        return tile[1] in self._far_side, *theirs, *[touches(tile, each) for each in self._heeding]

    def most(self, tile: Any) -> float:
        """Return how much is gained at most by going there: others are farther away."""
        return NEARER * (sum([distance(each, tile) for each in self._minions]) - self._now) + self._attack


def _moved(look: DuelystGlance, event: ev.UnitMoved) -> Hashable:
    """Return what a move comes to: that of a minion by its own tile, that of a general by where the others stand."""
    is_general = look.table.cards[event.unit].text.kind == GENERAL
    seen = look.around(event.unit).look(event.to) if is_general else look.of_tile(event.unit, event.to)
    return event.unit, *seen


def _summoned(look: DuelystGlance, event: ev.MinionSummoned) -> Hashable:
    """Return what a minion comes to; None where with it more may come, for which there may be no room."""
    if not look.verbs(event.card) <= KNOWN_VERBS:
        return None
    return "summoned", look.table.cards[event.card].text.id, event.target, *look.of_tile(event.card, event.tile)


def _verbs_at_once(table: Duelyst, card: DuelystCard) -> frozenset[str]:
    """Return what may happen at once when a minion is summoned."""
    verbs = {effect.verb for effect in _at_once(table, card)}
    if not verbs.isdisjoint(DEADLY_VERBS):
        wishes = [unit.text.says.effects.get("dying-wish", ()) for unit in (card, *table.units)]
        verbs.update([effect.verb for effects in wishes for effect in effects])
    return frozenset(verbs if _is_known(card.text) else {*verbs, UNKNOWN_VERB})


def _at_once(table: Duelyst, card: DuelystCard) -> Iterator[Effect]:
    """Yield what happens at once when a minion is summoned: what itself and the other own units do then."""
    heard = [unit for name in table.hearing if (unit := table.cards[name]).owner == card.owner]
    for each, triggers in [(card, OWN_TRIGGERS), *[(unit, HEARD_TRIGGERS) for unit in heard]]:
        for trigger in triggers:
            yield from each.text.says.effects.get(trigger, ())


def _cast(look: DuelystGlance, event: ev.BloodboundSpellCast) -> Hashable:
    """Return what it comes to that a spell puts a minion onto another tile."""
    unit = _teleported(look.table, event)
    return None if unit is None else ("cast", event.target, *look.of_tile(unit.name, event.tile))


def _teleported(table: Duelyst, event: ev.BloodboundSpellCast) -> DuelystCard | None:
    """Return the own minion that a spell puts onto another tile, if that is all that it does."""
    unit = table.find(event.target) if event.target and event.tile else None
    if unit is None or unit.text.kind == GENERAL or unit.owner != event.player:
        return None
    spell = table.spell_of(event.player)
    does = spell.says.effects.get("cast", ()) if spell is not None else ()
    return unit if [(effect.verb, effect.who) for effect in does] == [("teleport", "target")] else None


LOOKS: Final[Mapping[type[Event], Callable[[DuelystGlance, Any], Hashable]]] = {
    ev.MulliganTaken: lambda _look, event: ("mulligan", len(event.returned)),
    ev.CardReplaced: lambda _look, _event: "replaced",
    ev.UnitMoved: _moved,
    ev.MinionSummoned: _summoned,
    ev.BloodboundSpellCast: _cast,
}


# -- how good it looks at most -----------------------------------------------------------------------------------------


def _most_anywhere(table: Duelyst, unit: DuelystCard) -> tuple[float, Any]:
    """Return how much a minion gains at most if it stood where the other general does, and that tile."""
    other = table.general_of(table.players[unit.owner].opponent)
    there = None if other is None else other.place
    nearer = 0 if there is None or unit.place is None else distance(there, unit.place)
    most = NEARER * nearer if unit.place is not None else _most_of_summoning(table, unit)
    return most + _most_attack(table, unit), there


def _most_of_summoning(table: Duelyst, card: DuelystCard) -> float:
    """Return how much a minion of the hand gains at most by itself, where it changes nothing else."""
    text = card.text
    if text.says.auras or not _is_known(text) or any(True for _ in _at_once(table, card)):
        return inf
    auras = sum([max(aura.n, 0) for name in table.boosting for aura in table.cards[name].text.says.auras])
    return float(MINION * text.health + max(text.attack, 0) + auras - HAND_WORTH)


def _most_attack(table: Duelyst, unit: DuelystCard) -> int:
    """Return how much attack a unit gains at most where its own tile, or that of its general, is another one."""
    says, worn = unit.text.says, table.worn[unit.owner].cards
    return int(abs(says.zeal) + abs(says.infiltrate) + sum([abs(each.text.says.worn_beside) for each in worn]))


def _most_of_move(look: DuelystGlance, event: ev.UnitMoved) -> float:
    """Return how much a move gains at most: a minion comes nearer, from a general others go away."""
    is_general = look.table.cards[event.unit].text.kind == GENERAL
    return look.around(event.unit).most(event.to) if is_general else look.most_of_tile(event.unit, event.to)


def _most_of_cast(look: DuelystGlance, event: ev.BloodboundSpellCast) -> float:
    unit = _teleported(look.table, event)
    return inf if unit is None else look.most_of_tile(unit.name, event.tile)


def _most_of_end(look: DuelystGlance, event: ev.TurnEnded) -> float:
    """Return how much the end of the turn gains at most, up to the draw that luck owes: the other's spears go."""
    table = look.table
    is_draw_owed = table.decks[event.player].size > 0 and table.options["hand_limit"] != "six_no_draw"
    if not is_draw_owed or any(table.cards[name].ephemeral for name in table.timed):
        return inf
    return float(sum([unit.spears for unit in table.units if unit.owner != event.player]))


MOST: Final[Mapping[type[Event], Callable[[DuelystGlance, Any], float]]] = {
    ev.CardReplaced: lambda _look, _event: 0.0,
    ev.UnitMoved: _most_of_move,
    ev.MinionSummoned: lambda look, event: look.most_of_tile(event.card, event.tile),
    ev.BloodboundSpellCast: _most_of_cast,
    ev.TurnEnded: _most_of_end,
}


def _heeds_general(table: Duelyst, unit: DuelystCard) -> bool:
    return bool(unit.text.says.zeal or table.worn[unit.owner].cards)
