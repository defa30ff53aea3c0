"""Bloodbound Spell: available, paid for, aimed as its text asks."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst.chapters import BLOODBOUND_SPELL, CARD_TYPES
from tabletape.projector.games.duelyst.chapters.cards import cast, pay, targets_offered, why_no_target
from tabletape.projector.games.duelyst.chapters.setup import tile_on_board
from tabletape.projector.games.duelyst.chapters.turns import FIRST_SPELL, active_player, next_bloodbound_turn
from tabletape.projector.games.duelyst.owed import first
from tabletape.projector.games.duelyst.state import Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tiles import TILES, distance, fits, targeted
from tabletape.projector.kit.consequence import why_not
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of, tile_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, stop


@BLOODBOUND_SPELL.rule("duelyst.bloodbound.available", "L85 L150 L151", "It can be used only while it is available.")
def available(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """The spell is readied and has not been used since; else it is said in which turn it is available."""
    player = table.players[event.player]
    if player.bloodbound:
        return None
    why = as_ruled(table, "bloodbound_schedule")
    used = " has been used; it is available again" if player.turns >= FIRST_SPELL else " becomes available"
    turn = next_bloodbound_turn(table, player)
    message = f"the bloodbound spell of {player.name}{used} in own turn {turn}"
    return Broken(f"{message}, and this is own turn {player.turns}{why}", f"own turn {turn}")


@BLOODBOUND_SPELL.rule("duelyst.bloodbound.one-mana", "L150")
def one_mana(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """A bloodbound spell costs one mana."""
    player = table.players[event.player]
    if player.mana >= 1:
        return None
    return Broken(f"a bloodbound spell costs 1 mana, {player.name} has none left", "1 mana")


@case(tile_on_board)
def named_tile_on_board(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """The tile lies on the board, where one is named."""
    return NOT_APPLICABLE if event.tile is UNSET else tile_on_board.check(table, event)


@CARD_TYPES.rule("duelyst.bloodbound.target", "")
def bloodbound_target(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """The target of a bloodbound spell is what its text asks for."""
    text = table.spell_of(event.player)
    if text is None:
        return NOT_APPLICABLE
    ability = targeted(text, "cast")
    if ability is None or ability.target is None:
        if event.target is UNSET and event.tile is UNSET:
            return NOT_APPLICABLE
        return f"{text.name} asks for no target and no tile"
    unit = table.unit_called(event.target)
    if unit is None or not fits(table, ability.target, event.player, None, unit):
        if event.target is UNSET:
            return f"{text.name} is cast without a target: {text.text}"
        return f"{table.called(event.target)} is no target for {text.name}: {why_no_target(table, text, unit)}"
    return _teleported(table, event, unit, ability.teleports)


def _teleported(table: Duelyst, event: ev.BloodboundSpellCast, unit: DuelystCard, far: int) -> Verdict:
    if not far:
        return None if event.tile is UNSET else "a tile is named, but the spell puts nobody anywhere"
    if event.tile is UNSET:
        return f"the log does not say on which tile {table.called(unit.name)} is put"
    other = table.standing.get(event.tile)
    if other is not None:
        return table.is_taken(event.tile, other)
    here: Any = unit.place
    steps = distance(here, event.tile)
    if steps <= far:
        return None
    message = f"{tile_in_words(event.tile)} is {steps} tiles away from {table.called(unit.name)}"
    return Broken(f"{message}, at most {far} are allowed", f"at most {far}")


def _castings(table: Duelyst, player: str) -> Iterator[Event]:
    side, text = table.players[player], table.spell_of(player)
    if not side.bloodbound or side.mana < 1 or text is None:
        return
    ability = targeted(text, "cast")
    far = ability.teleports if ability else 0
    for target in targets_offered(table, player, ability, None):
        unit: Any = table.unit_called(target) if far else None
        if unit is None:
            yield ev.BloodboundSpellCast(player=player, target=target)
            continue
        for tile in TILES:
            if tile not in table.standing and distance(unit.place, tile) <= far:
                yield ev.BloodboundSpellCast(player=player, target=target, tile=tile)


@move(
    ev.BloodboundSpellCast,
    *(active_player, available, one_mana, stop(named_tile_on_board), bloodbound_target),
    offers=_castings,
)
def _cast_spell(table: Duelyst, event: ev.BloodboundSpellCast) -> None:
    player = table.players[event.player]
    general = table.find(player.general)
    pay(table, player, 1, "duelyst.bloodbound.one-mana")
    if player.bloodbound:
        table.count(player, "bloodbound", -1)
    text = table.library.get(general.text.bloodbound_spell) if general is not None else None
    if text is not None:
        first(table, cast(player.id, text, f"{player.id}:{text.id}", event.target, event.tile))


@why_not(ev.BloodboundSpellReadied)
def _why_not_ready(table: Duelyst, event: ev.BloodboundSpellReadied) -> tuple[str, str]:
    player, schedule = table.players[event.player], "duelyst.bloodbound.schedule"
    if event.player != table.active:
        return schedule, f"{name_of(table, table.active)} is on turn"
    if player.bloodbound:
        return "duelyst.bloodbound.may-be-kept", f"it is available already{as_ruled(table, 'bloodbound_kept')}"
    return schedule, f"this is own turn {player.turns}{as_ruled(table, 'bloodbound_schedule')}"
