"""Why the rules do not bring a written consequence about: what there is on the table in its place, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from events.games import duelyst as ev
from events.vocabulary import Consequence
from projector.games.duelyst.naming import called
from projector.games.duelyst.opening import globe_tiles
from projector.games.duelyst.state import GENERAL, Duelyst, general_of
from projector.games.duelyst.tiles import attack_of, has, is_structure, touches, unit_called
from projector.kit.ending import NOT_ENDED
from projector.kit.mismatches import Reason
from projector.model.amounts import counted
from projector.model.phrases import as_ruled, name_of, tile_in_words


def _damage(table: Duelyst, event: ev.DamageDealt) -> str:
    if event.source not in table.fight:
        return ""
    attacker, defender = table.fight
    if event.source == attacker:
        return f"it attacks {called(table, defender)} alone" if event.unit != defender else "it has done so once"
    return _no_strike_back(table, attacker, defender)


def _no_strike_back(table: Duelyst, attacker: str, defender: str) -> str:
    """Return why the defender of the last attack does not strike back (again)."""
    unit, other = unit_called(table, defender), unit_called(table, attacker)
    if unit is None:
        return "it is not on the board any more and does not strike back"
    if table.players[unit.owner].held:
        return f"the units of {name_of(table, unit.owner)} do not strike back this turn"
    if not attack_of(table, unit):
        return "its attack is 0" + (as_ruled(table, "while_building") if unit.building else "")
    if other is not None and not touches(unit.place, other.place) and not has(table, unit, "ranged"):
        return f"{called(table, attacker)} is out of its range"
    return "it has struck back already, or was attacked from behind"


def _died(table: Duelyst, event: ev.UnitDied) -> str:
    unit = unit_called(table, event.unit)
    return "it is not on the board" if unit is None else f"its health is {unit.health}"


def _finished(table: Duelyst, event: ev.UnitFinished) -> str:
    unit = unit_called(table, event.unit)
    if unit is None or not unit.building:
        return "it is not being built"
    if unit.dispelled:
        return f"it was dispelled{as_ruled(table, 'dispelled_build')}"
    return f"{counted(unit.building, 'own turn')} of building {'is' if unit.building == 1 else 'are'} left"


def _vanished(table: Duelyst, event: ev.TokenVanished) -> str:
    unit = unit_called(table, event.unit)
    if unit is None:
        return "it is not on the board"
    if unit.ephemeral:
        return "its player's turn has not ended"
    is_freed = "ephemeral" in unit.text.says.keywords
    return "a Dunecaster has freed it for good" if is_freed else "it is not Ephemeral"


def _worn(table: Duelyst, event: Any) -> str:
    card = table.find(event.card)
    if card is None or not card.zone.name.startswith("artifacts:"):
        return "nobody wears it"
    return f"its durability is {card.durability}, and its general has taken no other damage"


def _readied(table: Duelyst, event: ev.BloodboundSpellReadied) -> str:
    player = table.players.get(event.player)
    if player is None or event.player != table.active:
        return f"{name_of(table, table.active)} is on turn"
    if player.bloodbound:
        return f"it is available already{as_ruled(table, 'bloodbound_kept')}"
    return f"this is own turn {player.turns}{as_ruled(table, 'bloodbound_schedule')}"


def _globe(table: Duelyst, event: ev.GlobeCollected) -> str:
    if event.tile not in table.globes:
        return "there is no mana globe on that tile"
    is_idle = table.options["globe_effect"] == "nothing"
    unit = unit_called(table, event.unit)
    if is_idle or (unit is not None and unit.place == event.tile):
        return f"the globe stays{as_ruled(table, 'globe_effect' if is_idle else 'globe_collected_by')}"
    return f"{called(table, event.unit)} is not there"


def _placed(table: Duelyst, _event: ev.GlobePlaced) -> str:
    tiles = " ".join(tile_in_words(tile) for tile in globe_tiles(table))
    return f"the globes lie on {tiles}{as_ruled(table, 'globe_tiles')}"


def _ended(table: Duelyst, event: ev.GameEnded) -> str:
    if event.reason == "empty-deck":
        return f"an empty deck ends no game here{as_ruled(table, 'empty_deck')}"
    if event.reason in NOT_ENDED:
        return NOT_ENDED[event.reason]
    alive = [general for player in table.players if (general := general_of(table, player)) is not None]
    return " and ".join(f"the health of {called(table, general.name)} is {general.health}" for general in alive)


def _added(table: Duelyst, event: ev.CardAdded) -> str:
    """Return why no card comes into a hand, or which card comes in its place."""
    due = [each.event.card for each in table.derived if isinstance(each.event, ev.CardAdded)]
    return f"{due[0]} comes there" if due else _bond(table, event)


def _bond(table: Duelyst, _event: Any) -> str:
    units: Sequence[Any] = table.zones["board"].cards
    if any(unit.created and "bond" in unit.text.says.effects for unit in units):
        return f"no Bond works{as_ruled(table, 'bond_by_effect')}"
    return "no Bond works without another friendly unit of the tribe"


def _returned(table: Duelyst, event: ev.CardReturned) -> str:
    unit = table.find(event.card)
    is_general = unit is not None and unit.text is not None and unit.text.kind == GENERAL
    return "a general is always on the board" if is_general else ""


def _changed(table: Duelyst, event: ev.UnitChanged) -> str:
    unit = unit_called(table, event.unit)
    if unit is None:
        return "it is not on the board"
    stays = "a Structure gains no attack; " if is_structure(unit) and event.attack > attack_of(table, unit) else ""
    now = (attack_of(table, unit), unit.health)
    is_so = now == (event.attack, event.health)
    return f"{stays}it {'is' if is_so else 'stays'} {now[0]}/{now[1]}{' already' if is_so else ''}"


def _progressed(table: Duelyst, event: ev.BuildProgressed) -> str:
    player = table.players.get(event.player)
    return f"it stands at {player.progress}" if player is not None else ""


REASONS: Final[Mapping[type[Consequence], Reason]] = {
    ev.TurnStarted: lambda table, _event: f"{name_of(table, table.active)} is on turn" if table.active else "",
    ev.GameEnded: _ended,
    ev.GlobePlaced: _placed,
    ev.GlobeCollected: _globe,
    ev.BloodboundSpellReadied: _readied,
    ev.DamageDealt: _damage,
    ev.UnitChanged: _changed,
    ev.UnitFreed: lambda _table, _event: "only a Dunecaster frees a token",
    ev.UnitFinished: _finished,
    ev.UnitDied: _died,
    ev.TokenVanished: _vanished,
    ev.ArtifactWorn: _worn,
    ev.ArtifactBroken: _worn,
    ev.CardReturned: _returned,
    ev.CardAdded: _added,
    ev.StrikeBackSuspended: _bond,
    ev.BuildProgressed: _progressed,
}
