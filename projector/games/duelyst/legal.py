"""The legal decisions of a player, from what that player may see."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from events.games import duelyst as ev
from events.names import unseen_cards
from events.vocabulary import Event
from projector.games.duelyst import tiles
from projector.games.duelyst.abilities import Ability
from projector.games.duelyst.board import next_name
from projector.games.duelyst.rules.cards import tiles_near_friendly
from projector.games.duelyst.selecting import candidates, targeted
from projector.games.duelyst.state import BOARD, PARTS, SLOTS, SPELLS, Duelyst, DuelystCard, Tile, general_of


def actors(table: Duelyst) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    if table.over:
        return ()
    if table.turn:
        return () if table.owed else (table.active,)
    if not all(player.opened for player in table.players.values()):
        return ()
    return tuple(player.id for player in table.players.values() if not player.mulliganed)


def legal(table: Duelyst, player: str) -> list[Event]:
    """Return the legal decisions of a player, those of the cards that the player can name.

    A mulligan draws cards that are still unseen; which ones these are is luck (see `luck`).
    """
    if player not in actors(table):
        return []
    if not table.turn:
        return list(_mulligans(table, player))
    found: list[Event] = []
    for card in table.hands[player].cards:
        if card.text is not None:
            found.extend(_plays(table, player, card))
    found.extend(_bloodbound(table, player))
    found.extend(_mechs(table, player))
    for unit in tiles.own_units(table, player):
        found.extend(_commands(table, player, unit))
    found.extend(_replacements(table, player))
    found.append(ev.TurnEnded(player=player))
    return found


def _mulligans(table: Duelyst, player: str) -> Iterator[Event]:
    held = table.hands[player]
    hand = [*(card.name for card in held.cards), *unseen_cards(player, held.unseen)]
    sizes = {
        "any_number_once": range(len(hand) + 1),
        "up_to_two": range(min(len(hand), 2) + 1),
        "whole_hand": {0, len(hand)},
        "none": {0},
    }[table.options["mulligan"]]
    for size in sizes:
        for returned in combinations(hand, size):
            yield ev.MulliganTaken(player=player, returned=returned, drawn=unseen_cards(player, size))


# -- cards -------------------------------------------------------------------------------------------------------------


def _plays(table: Duelyst, player: str, card: DuelystCard) -> Iterator[Event]:
    if tiles.cost_of(table, player, card) > table.players[player].mana:
        return
    if card.text.kind in {"minion", "token"}:
        yield from _summonings(table, player, card)
    elif card.text.kind in SPELLS:
        for target in _targets(table, player, targeted(card.text, "cast"), None):
            yield ev.SpellCast(player=player, card=card.name, target=target)
    elif card.text.kind == "artifact":
        worn = len(table.worn[player].cards)
        if worn < SLOTS or table.options["artifact_overflow"] == "replaces_oldest":
            yield ev.ArtifactEquipped(player=player, card=card.name)


def _summonings(table: Duelyst, player: str, card: DuelystCard) -> Iterator[Event]:
    taken = table.standing
    near = tiles.TILES if "airdrop" in card.text.says.keywords else tiles_near_friendly(table, player)
    ability = targeted(card.text, "opening-gambit")
    for tile in tiles.TILES:
        if tile in near and tile not in taken:
            for target in _targets(table, player, ability, tile):
                yield ev.MinionSummoned(player=player, card=card.name, tile=tile, target=target)


def _targets(table: Duelyst, player: str, ability: Ability | None, tile: Tile | None) -> list[Any]:
    """Return the targets that may be named, UNSET where none is."""
    if ability is None or ability.target is None:
        return [msgspec.UNSET]
    found: list[Any] = [unit.name for unit in candidates(table, ability.target, player, tile)]
    is_gambit = ability.trigger == "opening-gambit"
    may_lack = is_gambit and (ability.target.optional or not found)
    if may_lack and (found or table.options["empty_gambit"] != "forbidden"):
        found.append(msgspec.UNSET)
    return found


def _bloodbound(table: Duelyst, player: str) -> Iterator[Event]:
    side = table.players[player]
    general = general_of(table, player)
    text = table.library.get(general.text.bloodbound_spell) if general is not None else None
    if not side.bloodbound or side.mana < 1 or text is None:
        return
    ability = targeted(text, "cast")
    far = next((effect.n for effect in ability.effects if effect.verb == "teleport"), 0) if ability else 0
    taken = table.standing
    for target in _targets(table, player, ability, None):
        unit = tiles.unit_called(table, target) if far else None
        if unit is None:
            yield ev.BloodboundSpellCast(player=player, target=target)
            continue
        here: Any = unit.place
        for tile in tiles.TILES:
            if tile not in taken and tiles.distance(here, tile) <= far:
                yield ev.BloodboundSpellCast(player=player, target=target, tile=tile)


def _mechs(table: Duelyst, player: str) -> Iterator[Event]:
    if table.players[player].progress >= PARTS:
        taken = table.standing
        name = next_name(table, player, "mechaz0r")
        yield from (ev.MechSummoned(player=player, unit=name, tile=tile) for tile in tiles.TILES if tile not in taken)


def _replacements(table: Duelyst, player: str) -> Iterator[Event]:
    is_used = table.players[player].replaced and table.options["replace"] != "unlimited"
    if not is_used and table.decks[player].size > 0:
        for card in table.hands[player].cards:
            yield ev.CardReplaced(player=player, card=card.name)


# -- units -------------------------------------------------------------------------------------------------------------


def _commands(table: Duelyst, player: str, unit: DuelystCard) -> Iterator[Event]:
    is_stiff = tiles.is_structure(unit) and not unit.spears
    if tiles.is_exhausted(table, unit) or unit.stunned or is_stiff or not tiles.is_commanded(table, unit):
        return
    times = tiles.times_a_turn(table, unit)
    if unit.attacks >= times:
        return
    provoking = tiles.provokers(table, unit, unit.place)
    if unit.moves < times and not provoking:
        for tile in tiles.reach(table, unit):
            yield ev.UnitMoved(player=player, unit=unit.name, to=tile)
    if table.options["zero_attack"] == "forbidden" and tiles.attack_of(table, unit) == 0:
        return
    for target in provoking or _in_range(table, unit):
        yield ev.UnitAttacked(player=player, unit=unit.name, target=target.name)


def _in_range(table: Duelyst, unit: DuelystCard) -> list[DuelystCard]:
    is_ranged = tiles.has(table, unit, "ranged")
    may_hit_own = table.options["friendly_fire"] == "any"
    owner, near = unit.owner, tiles.WITHIN_RANGE[unit.place]
    return [
        other
        for other in table.zones[BOARD].cards
        if (other.owner != owner or may_hit_own) and (is_ranged or other.place in near) and other is not unit
    ]
