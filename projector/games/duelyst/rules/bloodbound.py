"""The rules of using a bloodbound spell: available, paid for, aimed as its text asks."""

from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from projector.games.duelyst.naming import called, is_taken
from projector.games.duelyst.rules.answers import NOTHING, Judgements, single, together
from projector.games.duelyst.rules.cards import ON_TILE, active_player, no_such_tile, tile_on_board, why_no_target
from projector.games.duelyst.selecting import fits, targeted
from projector.games.duelyst.state import Duelyst, DuelystCard, DuelystPlayer, general_of
from projector.games.duelyst.tiles import ON_BOARD, distance, unit_called
from projector.games.duelyst.turns import FIRST_SPELL, next_bloodbound_turn
from projector.model.phrases import as_ruled, tile_in_words
from projector.model.rules import NOT_APPLICABLE, Broken, Verdict, all_passed, declare

BLOODBOUND_TARGET: Final = declare(
    "duelyst.bloodbound.target", "Bloodbound Spell", "L150", "Its target is what the text asks for."
)
BLOODBOUND_AVAILABLE: Final = declare(
    "duelyst.bloodbound.available", "Bloodbound Spell", "L85 L150 L151", "It can be used only while it is available."
)
BLOODBOUND_MANA: Final = declare(
    "duelyst.bloodbound.one-mana", "Bloodbound Spell", "L150", "A bloodbound spell costs one mana."
)


READIED: Final = all_passed(active_player, BLOODBOUND_AVAILABLE, BLOODBOUND_MANA)


def judge_bloodbound(table: Duelyst, event: ev.BloodboundSpellCast) -> Judgements:
    """Check a bloodbound spell: readied and not used since, paid with one mana, aimed as the text asks.

    For a tile off the board this alone is reported.
    """
    player = table.players[event.player]
    is_paid = player.mana >= 1
    spell: Judgements = READIED
    if not player.bloodbound or not is_paid or player.id != table.active:
        spell = (
            (active_player, active_player(table, event)),
            (BLOODBOUND_AVAILABLE, None if player.bloodbound else _not_readied(table, player)),
            (
                BLOODBOUND_MANA,
                None if is_paid else Broken(f"a bloodbound spell costs 1 mana, {player.name} has none left", "1 mana"),
            ),
        )
    if event.tile is not UNSET and event.tile not in ON_BOARD:
        return together(spell, ((tile_on_board, no_such_tile(event.tile)),))
    site = NOTHING if event.tile is UNSET else ON_TILE
    return together(spell, site, single(BLOODBOUND_TARGET, _bloodbound_target(table, event)))


def _not_readied(table: Duelyst, player: DuelystPlayer) -> Verdict:
    """Say in which turn the spell of a player is available again, or for the first time."""
    why = as_ruled(table, "bloodbound_schedule")
    used = " has been used; it is available again" if player.turns >= FIRST_SPELL else " becomes available"
    turn = next_bloodbound_turn(table, player)
    message = (
        f"the bloodbound spell of {player.name}{used} in own turn {turn}, and this is own turn {player.turns}{why}"
    )
    return Broken(message, f"own turn {turn}")


def _bloodbound_target(table: Duelyst, event: ev.BloodboundSpellCast) -> Verdict:
    """Return whether target and tile fit the text."""
    general = general_of(table, event.player)
    text = table.library.get(general.text.bloodbound_spell) if general is not None else None
    if text is None:
        return NOT_APPLICABLE
    ability = targeted(text, "cast")
    if ability is None or ability.target is None:
        if event.target is UNSET and event.tile is UNSET:
            return NOT_APPLICABLE
        return f"{text.name} asks for no target and no tile"
    unit = unit_called(table, event.target)
    if unit is None or not fits(table, ability.target, event.player, None, unit):
        if event.target is UNSET:
            return f"{text.name} is cast without a target: {text.text}"
        return f"{called(table, event.target)} is no target for {text.name}: {why_no_target(table, text, unit)}"
    far = next((effect.n for effect in ability.effects if effect.verb == "teleport"), 0)
    return _teleported(table, event, unit, far)


def _teleported(table: Duelyst, event: ev.BloodboundSpellCast, unit: DuelystCard, far: int) -> Verdict:
    if not far:
        return None if event.tile is UNSET else "a tile is named, but the spell puts nobody anywhere"
    if event.tile is UNSET:
        return f"the log does not say on which tile {called(table, unit.name)} is put"
    other = table.standing.get(event.tile)
    if other is not None:
        return is_taken(table, event.tile, other)
    here: Any = unit.place
    steps = distance(here, event.tile)
    if steps <= far:
        return None
    told = f"{tile_in_words(event.tile)} is {steps} tiles away from {called(table, unit.name)}"
    return Broken(f"{told}, at most {far} are allowed", f"at most {far}")
