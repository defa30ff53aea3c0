"""Tribes: Dervish, Mech, Structure and Vespyr, with the tokens and targets that luck picks by their texts.

That a structure does not move stands in `movement`, that it gains nothing in `combat` and `tiles`, its building in
`turns`.
"""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.games.duelyst import board, overdue
from tabletape.projector.games.duelyst.chapters import DERVISH, MECH, STRUCTURES, VESPYR
from tabletape.projector.games.duelyst.chapters.cards import as_declared
from tabletape.projector.games.duelyst.chapters.minions import free_tile
from tabletape.projector.games.duelyst.chapters.setup import is_unknown, known_cards, tile_on_board
from tabletape.projector.games.duelyst.chapters.turns import active_player
from tabletape.projector.games.duelyst.owed import enemy_minions, first, owed_as, owed_now, summoned
from tabletape.projector.games.duelyst.state import PARTS, Duelyst, Tile
from tabletape.projector.games.duelyst.tasks import Owed, UnitBegins
from tabletape.projector.games.duelyst.tiles import NO_TILES, TILES, free_beside, is_surrounded
from tabletape.projector.kit import common_rules, mismatches
from tabletape.projector.kit.consequence import consequence, follows, why_not
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.owed import comes_first
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.due import Due, option_due
from tabletape.projector.model.phrases import as_ruled, tile_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Kept, Verdict, case, first_of, select_rule

# -- Mech --------------------------------------------------------------------------------------------------------------


@MECH.rule("duelyst.mech.free-after-five", "L242.2")
def free_after_five(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """After five of them MECHAZ0R! may be summoned for free."""
    player = table.players[event.player]
    if player.progress >= PARTS:
        return None
    why = as_ruled(table, "mech_pending") if table.options["mech_pending"] != "kept_until_used" else ""
    message = f"the MECHAZ0R! build of {player.name} stands at {player.progress}, {PARTS} parts are needed{why}"
    return Broken(message, f"{PARTS} parts")


@case(known_cards)
def known_mech(table: Duelyst, event: ev.MechSummoned) -> Verdict:
    """It has the next free number."""
    name = board.next_name(table, event.player, "mechaz0r")
    return None if event.unit == name else misnamed(event.unit, name)


def misnamed(name: str, due: str) -> Broken:
    """Return the verdict that a unit which the game creates has not the next free name."""
    return Broken(f"the new unit is called {name}, but the next free name is {due}", due)


def _mechs(table: Duelyst, player: str) -> Iterator[Event]:
    if table.players[player].progress >= PARTS:
        free, name = [tile for tile in TILES if tile not in table.standing], board.next_name(table, player, "mechaz0r")
        yield from (ev.MechSummoned(player=player, unit=name, tile=tile) for tile in free)


@move(ev.MechSummoned, active_player, free_after_five, known_mech, first_of(tile_on_board, free_tile), offers=_mechs)
def _mech_summoned(table: Duelyst, event: ev.MechSummoned) -> None:
    if not board.is_owned(table, event.unit):
        return
    player = table.players[event.player]
    unit = board.create(table, event.unit, event.tile)
    table.set(player, "progress", 0)
    table.derive(ev.BuildProgressed(player=player.id, progress=0), "duelyst.mech.progress-resets")
    first(table, summoned(table, unit))


# -- tokens ------------------------------------------------------------------------------------------------------------


@STRUCTURES.rule("duelyst.structure.dispelled", "L254-L256")
def dispelled_structure(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """A dispelled Structure summons nothing any more, but still cannot move or attack and keeps its tile."""
    return f"{table.called(event.source)} is dispelled and summons nothing any more"


def token_at_stake(table: Duelyst, event: ev.TokenSummoned) -> Any:
    """Return the rule that a token is judged by."""
    source = table.unit_called(event.source)
    if source is not None and source.dispelled and source.text.tribe == "structure":
        return dispelled_structure
    is_obelysk = source is not None and "obelysk" in source.text.says.keywords
    return obelysk_spawns if is_obelysk else token_fits


def _token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """Return whether a token is due and where it may appear; of an unknown one it is open."""
    due = owed_as(table, event)
    if is_unknown(table, event.unit):
        return NOT_APPLICABLE
    if due is None:
        return _unowed_token(table, event)
    if card_of(event.unit) != due.card or owner_of(event.unit) != due.player:
        message = f"{table.called(event.source)} brings {table.called(event.unit)}"
        return Broken(message, board.next_name(table, due.player, due.card))
    unit = table.unit_called(due.beside)
    free = free_beside(table, unit.place) if unit is not None else NO_TILES
    if event.tile in free:
        return Kept(lambda: f"the token could appear on {_one_of(free)}")
    return Broken(f"the token of {table.called(event.source)} appears on {tile_in_words(event.tile)}", _one_of(free))


obelysk_spawns: Final = DERVISH.rule(
    "duelyst.dervish.obelysk-spawns",
    "L227",
    "An Obelysk brings a token at the start of its player's turn, unless it is surrounded.",
)(_token)
token_fits: Final = case(as_declared)(_token)


def _unowed_token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """Return why a token may not come now: its turn comes later, its Obelysk is surrounded, or nothing brings it."""
    due, source, who = _token_due(table), table.unit_called(event.source), table.called(event.source)
    other = "" if due is None else table.called(due.source)
    if other and UnitBegins(event.source) in table.owed:
        why = f"{other} entered before it and has not brought its own{as_ruled(table, 'trigger_order')}"
        return Broken(f"{who} brings its token, but {why}", f"{other} first")
    if source is not None and "obelysk" in source.text.says.keywords and is_surrounded(table, source):
        return f"{who} brings a token although it is surrounded{as_ruled(table, 'surrounded')}"
    message = f"{who} brings a token, but none is due from it"
    return Broken(message, f"a token of {other}") if other else message


def _token_due(table: Duelyst) -> Owed | None:
    """Return the token that luck owes now, or None."""
    now = owed_now(table)
    return now if now is not None and now.line is ev.TokenSummoned else None


def _one_of(free: frozenset[Tile]) -> str:
    words = ", ".join(tile_in_words(tile) for tile in sorted(free))
    return f"one of {words}" if len(free) > 1 else words


@case(known_cards)
def known_token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """It has the next free number; one that comes before its turn may leave that to the token that is due first."""
    if is_unknown(table, event.unit):
        return common_rules.unknown_among(table, (event.unit,))
    owner, card = owner_of(event.unit), card_of(event.unit)
    name = board.next_name(table, owner, card)
    if event.unit == name:
        return None
    due = _token_due(table)
    is_left = due is not None and UnitBegins(event.source) in table.owed and (due.player, due.card) == (owner, card)
    return NOT_APPLICABLE if is_left else misnamed(event.unit, name)


@move(ev.TokenSummoned, known_token, select_rule(token_at_stake))
@overdue.of_luck
def _token_summoned(table: Duelyst, event: ev.TokenSummoned) -> None:
    due = owed_as(table, event)
    if due is None:
        overdue.bring_forward(table, event)
        due = owed_as(table, event)
    if due is not None:
        table.owe(table.owed[1:])
    if board.is_owned(table, event.unit):
        first(table, summoned(table, board.create(table, event.unit, event.tile)))


def due_token(table: Duelyst, owed: Owed) -> list[Due]:
    """Return the line of a token that is to appear, with the tiles on which it may."""
    unit, name = table.unit_called(owed.beside), board.next_name(table, owed.player, owed.card)
    free = sorted(free_beside(table, unit.place)) if unit is not None else []
    return [option_due(ev.TokenSummoned, "tile", free, owed.rule, unit=name, source=owed.source)]


# -- targets -----------------------------------------------------------------------------------------------------------


@case(as_declared)
def target_fits(table: Duelyst, event: ev.TargetPicked) -> Verdict:
    """A target is due, and is one of those that the card text allows."""
    due = owed_as(table, event)
    if due is None:
        now, message = owed_now(table), f"{table.called(event.source)} picks a target, but none is due from it"
        return Broken(message, comes_first(table, now) if now is not None else "")
    names = [unit.name for unit in enemy_minions(table, due.player)]
    if event.target in names:
        return Kept(lambda: f"luck could pick one of {', '.join(table.called(name) for name in names)}")
    one_of = ("one of " if len(names) > 1 else "") + ", ".join(table.called(name) for name in names)
    return Broken(f"{table.called(event.target)} is no enemy minion on the board", one_of)


token_counts: Final = VESPYR.rule("duelyst.vespyr.tokens-count", "L262", "Vespyr tokens trigger Vespyr effects too.")(
    target_fits.check
)


def target_at_stake(table: Duelyst, event: ev.TargetPicked) -> Any:
    """Return the rule that a picked target is judged by."""
    due = owed_now(table)
    is_by_token = due is not None and due.line is type(event) and due.rule == token_counts.id
    return token_counts if is_by_token else target_fits


@move(ev.TargetPicked, select_rule(target_at_stake))
@overdue.of_luck
def _target_picked(table: Duelyst, event: ev.TargetPicked) -> None:
    due, target = owed_as(table, event), table.unit_called(event.target)
    if due is not None:
        table.owe(table.owed[1:])
    if due is not None and target is not None:
        board.hurt(table, target, due.damage, due.source, due.rule)
        first(table, board.remove_dead(table, (target,)))


def due_target(table: Duelyst, owed: Owed) -> list[Due]:
    """Return the line of a target that is to be picked, with the units from which it is."""
    names = [unit.name for unit in enemy_minions(table, owed.player)]
    return [option_due(ev.TargetPicked, "target", names, owed.rule, source=owed.source)]


# -- what follows, as a log writes it ----------------------------------------------------------------------------------


@why_not(ev.UnitFinished, rule="duelyst.structure.while-building")
def _why_not_finished(table: Duelyst, event: ev.UnitFinished) -> str:
    unit = table.unit_called(event.unit)
    if unit is None or not unit.building:
        return "it is not being built"
    if unit.dispelled:
        return f"it was dispelled{as_ruled(table, 'dispelled_build')}"
    return f"{counted(unit.building, 'own turn')} of building {'is' if unit.building == 1 else 'are'} left"


@why_not(ev.TokenVanished)
def _why_not_vanished(table: Duelyst, event: ev.TokenVanished) -> tuple[str, str]:
    unit, rule = table.unit_called(event.unit), "duelyst.dervish.vanishes"
    if unit is None:
        ruling = as_ruled(table, "ephemeral_end") if table.options["ephemeral_end"] == "dies" else ""
        return rule, f"it is not on the board{ruling}"
    if unit.ephemeral:
        return rule, "its player's turn has not ended"
    if "ephemeral" in unit.text.says.keywords:
        return "duelyst.dervish.freed-for-good", "a Dunecaster has freed it for good"
    return rule, "it is not Ephemeral"


FREED_UNIT: Final = follows(
    ev.UnitFreed, rule="duelyst.dervish.only-dunecaster-frees", why="only a Dunecaster frees a token"
)


def _rule_of_token(table: Duelyst, event: ev.TokenAppeared, expected: ev.TokenAppeared | None) -> str:
    is_there = expected is not None and (event.tile, event.source) == (expected.tile, expected.source)
    return known_cards.id if is_there else mismatches.rule_behind(table, expected)


TOKEN_LINE: Final = follows(ev.TokenAppeared, rule=_rule_of_token)


@why_not(ev.CardAdded)
def _why_not_added(table: Duelyst, _event: ev.CardAdded) -> tuple[str, str]:
    """Return why no card comes into a hand, or which card comes in its place."""
    due = [each.event.card for each in table.derived if isinstance(each.event, ev.CardAdded)]
    return (known_cards.id, f"{due[0]} comes there") if due else ("duelyst.bond.arcanyst", _no_bond(table))


def _no_bond(table: Duelyst) -> str:
    is_made = any(unit.created and "bond" in unit.text.says.effects for unit in table.units)
    alone = " without another friendly unit of the tribe"
    return f"no Bond works{as_ruled(table, 'bond_by_effect') if is_made else alone}"


SUSPENDED_LINE: Final = follows(
    ev.StrikeBackSuspended, why=lambda table, _event: ("duelyst.bond.golem", _no_bond(table))
)


def _why_no_progress(table: Duelyst, event: ev.BuildProgressed) -> tuple[str, str]:
    progress = table.players[event.player].progress
    rule = f"duelyst.mech.progress{'-not-dispelled' if event.progress < progress else ''}"
    return rule, f"it stands at {progress}"


@consequence(ev.BuildProgressed, why=_why_no_progress)
def adopt_progress(table: Duelyst, event: ev.BuildProgressed, _expected: ev.BuildProgressed | None) -> None:
    """Go on with the progress that is written."""
    table.set(table.players[event.player], "progress", event.progress)
