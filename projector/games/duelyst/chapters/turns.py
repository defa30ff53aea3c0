"""Player's turn overview: who is on turn, how a turn begins and ends, and the card that is replaced."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.duelyst import board
from tabletape.projector.games.duelyst.chapters import TURN_OVERVIEW, WRITTEN, mulligan
from tabletape.projector.games.duelyst.owed import OBELYSK, first, works_off
from tabletape.projector.games.duelyst.state import BEGIN, END, MAIN, MAXIMUM, PET, Duelyst, DuelystCard, DuelystPlayer
from tabletape.projector.games.duelyst.tasks import MainPhase, Owed, PetsBegin, Tasks, TurnBegins, UnitBegins
from tabletape.projector.games.duelyst.tiles import is_structure
from tabletape.projector.kit import mismatches
from tabletape.projector.kit.adopting import go_on_with
from tabletape.projector.kit.consequence import consequence, why_not
from tabletape.projector.kit.moves import move
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case

END_DRAW: Final = WRITTEN["duelyst.turn.end-draw"]
FIRST_SPELL: Final = 3
"""The own turn in which a bloodbound spell is available for the first time."""
NOTHING: Final[frozenset[str]] = frozenset()

# -- the begin phase ---------------------------------------------------------------------------------------------------


@works_off(TurnBegins)
def begin_turn(table: Duelyst, task: TurnBegins) -> Tasks:
    """Begin the turn of a player: mana, bloodbound spell; return what units and pets do then, in their order."""
    name = task.player
    player = table.players[name]
    table.begin_turn(player)
    table.derive(ev.TurnStarted(player=name), "duelyst.turn.three-phases")
    _refill(table, player)
    _ready_bloodbound_spell(table, player)
    if table.out_of_turn:
        table.set(table, "out_of_turn", "")
    if player.blinding or table.options["exhaust_end"] == "owners_next_turn":
        _end_for_units(table, player)
    tasks, has_pets = [], False
    for each in table.timed:
        unit = table.cards[each]
        if unit.owner == name:
            has_pets = has_pets or unit.text.tribe == PET
            if unit.building or unit.text.says.begins:
                tasks.append(UnitBegins(unit.name))
    is_busy = has_pets or bool(tasks)
    table.enter_phase(BEGIN if is_busy else MAIN)
    return (*tasks, PetsBegin(name), MainPhase()) if is_busy else ()


def _end_for_units(table: Duelyst, player: DuelystPlayer) -> None:
    """End the blindness of units that a player has blinded, and note whose exhaustion ends with this turn (ruling)."""
    is_lasting = table.options["exhaust_end"] == "owners_next_turn"
    table.set(player, "blinding", False)
    for unit in table.units:
        if unit.blinded == player.id:
            table.set(unit, "blinded", "")
        if is_lasting and unit.exhausted and unit.owner == player.id:
            table.set(unit, "tired", True)


def _refill(table: Duelyst, player: DuelystPlayer) -> None:
    """Add one to the capacity while it is below nine, and fill the mana up (rulings `start_capacity`, `refill`)."""
    before = player.capacity
    capacity = before + (before < MAXIMUM)
    if capacity > before:
        table.set(player, "capacity", capacity)
    mana = capacity if table.options["refill"] == "to_capacity" else player.mana + capacity - before
    table.set(player, "mana", mana)
    rule = "duelyst.mana.capacity-grows" if capacity > before else "duelyst.mana.capacity-nine"
    if player.turns == 1:
        rule = "duelyst.setup.starting-mana"
    table.applied.append("duelyst.mana.refilled")
    table.derive(ev.ManaRefilled(player=player.id, capacity=capacity, mana=mana), rule)


def _ready_bloodbound_spell(table: Duelyst, player: DuelystPlayer) -> None:
    """Make the bloodbound spell available if it is due and not still available (ruling `bloodbound_kept`)."""
    if player.bloodbound:
        table.applied.append("duelyst.bloodbound.may-be-kept")
    has_room = not player.bloodbound or table.options["bloodbound_kept"] == "adds_up"
    if has_room and _is_scheduled(table, player.turns, player.capacity):
        table.count(player, "bloodbound", 1)
        table.derive(ev.BloodboundSpellReadied(player=player.id), "duelyst.bloodbound.schedule")


def _is_scheduled(table: Duelyst, turn: int, capacity: int) -> bool:
    """Return whether a bloodbound spell becomes available in an own turn (ruling `bloodbound_schedule`)."""
    by_turn = table.options["bloodbound_schedule"] == "printed_example"
    return turn >= FIRST_SPELL and (turn % 2 == 1 or (turn if by_turn else capacity) >= MAXIMUM)


def next_bloodbound_turn(table: Duelyst, player: DuelystPlayer) -> int:
    """Return the next own turn in which a bloodbound spell becomes available, while the capacity grows by itself."""
    own, capacity = player.turns, player.capacity
    return next(own + later for later in count(1) if _is_scheduled(table, own + later, capacity + later))


@works_off(UnitBegins)
def begin_unit(table: Duelyst, task: UnitBegins) -> Tasks:
    """Carry out what a unit does when its player's turn begins: go on being built, or its ability."""
    name = task.unit
    unit = table.unit_called(name)
    if unit is None:
        return ()
    if unit.building and not (unit.dispelled and table.options["dispelled_build"] == "stays_a_structure"):
        table.count(unit, "building", -1)
        if not unit.building:
            board.finish_building(table, unit)
    if unit.dispelled:
        if is_structure(unit):
            table.applied.append("duelyst.structure.dispelled")
        return ()
    rule = OBELYSK if "obelysk" in unit.text.says.keywords else board.AS_DECLARED
    return board.doings(unit.owner, name, unit.text.says.effects.get("start-of-turn", ()), rule)


# -- the main phase ----------------------------------------------------------------------------------------------------


@works_off(MainPhase)
def _main_phase(table: Duelyst, _task: MainPhase) -> Tasks:
    table.enter_phase(MAIN)
    return ()


@TURN_OVERVIEW.rule("duelyst.turn.active-player", "L83-L88", rests_on="nothing")
def active_player(table: Duelyst, event: Any) -> Verdict:
    """In the main phase the player on turn replaces, casts, plays, moves and attacks in any order."""
    if event.player == table.active:
        return None
    return Broken(f"it is not the turn of {name_of(table, event.player)}", f"{name_of(table, table.active)} is on turn")


@TURN_OVERVIEW.rule("duelyst.replace.once-per-turn", "L84")
def replace_once(table: Duelyst, event: ev.CardReplaced) -> Verdict:
    """One card of the hand may be replaced in a turn (the text has the singular)."""
    player = table.players[event.player]
    if not player.replaced or table.options["replace"] == "unlimited":
        return None
    return f"{player.name} replaces a second card in this turn{as_ruled(table, 'replace')}"


ANOTHER_CARD: Final = WRITTEN["duelyst.replace.another-card"]


@case(ANOTHER_CARD)
def card_to_draw(table: Duelyst, event: ev.CardReplaced) -> Verdict:
    """There is another card in the deck."""
    if table.decks[event.player].size > 0:
        return NOT_APPLICABLE
    return f"the deck of {name_of(table, event.player)} is empty, so there is no other card to draw"


def _replacements(table: Duelyst, player: str) -> Iterator[Event]:
    is_used = table.players[player].replaced and table.options["replace"] != "unlimited"
    if not is_used and table.decks[player].size > 0:
        for card in table.hands[player].cards:
            yield ev.CardReplaced(player=player, card=card.name)


@move(ev.CardReplaced, active_player, mulligan.from_hand, replace_once, card_to_draw, offers=_replacements)
def _card_replaced(table: Duelyst, event: ev.CardReplaced) -> None:
    player = table.players[event.player]
    board.put_back(table, player.id, event.card)
    table.set(player, "replaced", True)
    rule, words = "duelyst.replace.another-card", "draws {cards} for the card that was put back"
    due = Owed(line=ev.CardsDrawn, player=player.id, rule=rule, words=words, count=1, besides=event.card)
    first(table, (due,))


# -- the end phase -----------------------------------------------------------------------------------------------------


def end_turn(table: Duelyst, name: str) -> Tasks:
    """End the turn of a player; return the draw that luck owes and the turn of the other player."""
    table.enter_phase(END)
    if table.missed:
        table.set(table, "missed", ())
    _refresh(table, name)
    leaving = []
    for each in table.timed:
        unit = table.cards[each]
        if unit.owner == name and unit.ephemeral:
            leaving.append(unit)
        elif unit.owner == name and unit.created and "ephemeral" in unit.text.says.keywords:
            table.applied.append("duelyst.dervish.freed-for-good")
    _end_for_players(table)
    wishes = _vanish_ephemeral(table, leaving) if leaving else ()
    return (*wishes, _draw_of_turn(name), TurnBegins(table.players[name].opponent or name))


@lru_cache(maxsize=64)
def _draw_of_turn(player: str) -> Owed:
    return Owed(
        line=ev.CardsDrawn, player=player, rule=END_DRAW.id, words="draws {cards} at the end of the turn", count=1
    )


def _end_for_players(table: Duelyst) -> None:
    """End what lasts for a turn for the players."""
    for player in table.players.values():
        for artifact in table.worn[player.id].cards:
            if artifact.absorbed:
                table.set(artifact, "absorbed", 0)
        if player.played:
            table.change(player, "played", player.played, NOTHING)
        if player.replaced:
            table.change(player, "replaced", True, False)
        if player.held or player.doubling:
            table.update(player, held=False, doubling=False)


def _refresh(table: Duelyst, name: str) -> None:
    """End what lasts for a turn for the units, and the stun of those of the player on turn."""
    is_lasting = table.options["exhaust_end"] == "owners_next_turn"
    for unit in table.units:
        if unit.exhausted:
            is_rested = unit.tired and unit.owner == name  # it was exhausted when that player's turn began
            if is_rested and is_lasting:
                table.set(unit, "tired", False)
            if is_rested or not is_lasting:
                table.change(unit, "exhausted", True, False)
        if unit.moves or unit.attacks:
            table.count_anew(unit)
        if unit.spears or unit.shielded or unit.stunned:
            table.set(unit, "spears", 0)
            table.set(unit, "shielded", False)
            table.set(unit, "stunned", unit.stunned and unit.owner != name)


def _vanish_ephemeral(table: Duelyst, leaving: list[DuelystCard]) -> Tasks:
    """Take Ephemeral tokens out of the game (ruling `ephemeral_end`)."""
    if table.options["ephemeral_end"] == "dies":
        return board.resolve_deaths(table, leaving)
    for unit in leaving:
        board.vanish(table, unit, "duelyst.dervish.vanishes")
    return ()


@move(ev.TurnEnded, active_player, offers=lambda _table, player: (ev.TurnEnded(player=player),))
def _turn_ended(table: Duelyst, event: ev.TurnEnded) -> None:
    """End a turn; a stray line of somebody who is not on turn, and has not acted either, ends nothing."""
    if event.player not in {table.active, table.out_of_turn}:
        return
    table.owe(end_turn(table, event.player) + table.owed)


# -- what follows, as a log writes it ----------------------------------------------------------------------------------


@why_not(ev.TurnStarted)
def _why_no_turn(table: Duelyst, _event: ev.TurnStarted) -> tuple[str, str]:
    return "duelyst.turn.three-phases", f"{name_of(table, table.active)} is on turn" if table.active else ""


MANA: Final = (ev.ManaPaid, ev.ManaRefilled, ev.GlobeCollected)
REFILLED_BY: Final = {"duelyst.setup.starting-mana": "start_capacity", "duelyst.mana.refilled": "refill"}
"""The rulings on which the rules about new mana rest."""


def adopt_mana(table: Duelyst, event: ev.ManaPaid | ev.ManaRefilled | ev.GlobeCollected, expected: Any) -> None:
    """Go on with the mana that is written, also in what is still to be written of the player's mana."""
    more = event.mana - expected.mana
    table.count(table.players[event.player], "mana", more)
    go_on_with(table, MANA, ("player", event.player), "mana", more)


def _rule_of_refill(table: Duelyst, event: ev.ManaRefilled, expected: ev.ManaRefilled | None) -> str:
    if expected is None or event.capacity == expected.capacity:
        return "duelyst.mana.refilled"
    return "duelyst.mana.capacity-nine" if event.capacity > MAXIMUM else mismatches.rule_behind(table, expected)


def _behind_refill(table: Duelyst, event: ev.ManaRefilled, expected: ev.ManaRefilled | None) -> str:
    ruling = "" if expected is None else REFILLED_BY.get(_rule_of_refill(table, event, expected), "")
    return as_ruled(table, ruling) if ruling else ""


@consequence(ev.ManaRefilled, rule=_rule_of_refill, behind=_behind_refill)
def adopt_refilled(table: Duelyst, event: ev.ManaRefilled, expected: ev.ManaRefilled | None) -> None:
    """Go on with the mana and the capacity that are written."""
    if expected is not None:
        adopt_mana(table, event, expected)
        table.set(table.players[event.player], "capacity", event.capacity)
