"""Deploy phase (L42 to L46): a part for each player, one after another, with a tech limit."""

from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters.winning import put_out
from tabletape.projector.games.crystal.state import LANE, Crystal, CrystalPlayer
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Broken, Verdict, case, declare, rule


@rule(
    "crystal.deploy.own-turn",
    "Deploy Phase",
    "L42",
    "The players deploy one after another, the holder of the token first, then to the left.",
)
def own_turn(table: Crystal, event: Any) -> Verdict:
    """It is this player's part of the deploy phase."""
    if table.active == event.player:
        return None
    if not table.active:
        return f"{name_of(table, event.player)} acts although nobody is deploying now"
    active = name_of(table, table.active)
    return Broken(f"{name_of(table, event.player)} acts although {active} is deploying", active)


@case(own_turn)
def own_end(table: Crystal, event: ev.DeployEnded) -> Verdict:
    """Only whoever is deploying declares to be done; to say it twice changes nothing."""
    if table.active == event.player:
        return None
    if has_just_ended(table, event.player):
        return Broken(f"{name_of(table, event.player)} has declared to be done already", "no second line", "info")
    return own_turn(table, event)


def begin_next_part(table: Crystal) -> bool:
    """Go on to the next living player's deploying; return whether there is one, or the game is over."""
    while table.waiting and not table.over:
        player = table.players[table.waiting[0]]
        table.set(table, "waiting", table.waiting[1:])
        if player.living and _begin_part(table, player):
            return True
    return table.over


def _begin_part(table: Crystal, player: CrystalPlayer) -> bool:
    """Begin a player's part of the deploy phase; return whether the player is still in the game then."""
    table.next_turn(player.id)
    table.update(table, drawn=False, limited=False, owed=(), undrawn=False)
    table.set(player, "tech_used", 0)
    table.derive(ev.TurnStarted(player=player.id), own_turn.id)
    if table.options["tech_limit_time"] != "after_draw":
        set_limit(table, player)
    if _draws_nothing(table, player):
        card_of_turn_drawn(table, player)
    elif board.decks_are_empty(table, player.id):
        if table.options["deck_out"] == "lose":
            put_out(table, [player], "crystal.draw.deck-not-empty")
        else:
            card_of_turn_drawn(table, player)
    return player.living


def _draws_nothing(table: Crystal, player: CrystalPlayer) -> bool:
    """Return whether a ruling leaves the card of the turn out (`first_round_draw`, `hand_limit`)."""
    is_first = table.round == 1 and table.options["first_round_draw"] == "not_drawn"
    return is_first or not board.room_in_hand(table, player.id)


def card_of_turn_drawn(table: Crystal, player: CrystalPlayer) -> None:
    """Note that the card of the turn is drawn, or that none is due; the tech limit is set then."""
    table.set(table, "drawn", True)
    if table.undrawn:
        table.count(player, "missed", -1)
    if not table.limited:
        set_limit(table, player)


def may_leave_draw(table: Crystal) -> bool:
    """Return whether a player may leave the card of the turn undrawn (ruling `draw_mandatory`)."""
    return table.options["draw_mandatory"] == "optional"


def go_on_undrawn(table: Crystal) -> None:
    """Note that the active player has gone on without the card of the turn, which may still be drawn late.

    Whether the card or only its line was forgotten nobody can tell yet.
    """
    if not table.drawn and not table.undrawn and table.options["draw_mandatory"] == "mandatory":
        table.set(table, "undrawn", True)
        table.count(table.players[table.active], "missed", 1)


def has_just_begun(table: Crystal) -> bool:
    """Return whether nothing shows yet that the active player is deploying."""
    return any(isinstance(each.event, ev.TurnStarted) for each in table.derived)


def has_just_ended(table: Crystal, player: str) -> bool:
    """Return whether a player was the last to deploy, and no card has been touched since."""
    if table.handed_over:
        return False
    for _, field, before, _ in reversed(table.journal):
        if field == "zone" or (field == "active" and before):
            return field == "active" and before == player
    return False


LIMIT_SET: Final = declare(
    "crystal.tech.limit-set", "Deploy Phase", "L46", "The tech limit is the power of the Tech lane after the draw."
)
SAME_TURN: Final = declare(
    "crystal.tech.same-turn-cards",
    "Deploy Phase",
    "L46",
    "Cards of the same turn do not add to the limit, unless a card says so.",
)


def set_limit(table: Crystal, player: CrystalPlayer) -> None:
    """Set the tech limit to the lasting power of the Tech lane, as it is or was (ruling `tech_limit_time`)."""
    table.set(table, "limited", True)
    tech = LANE["tech"]
    at_once = table.options["tech_limit_time"] != "start_of_round"
    limit = board.lasting(table, player, tech) if at_once else player.tech_limit
    table.set(player, "tech_limit", limit)
    grown = player.sums[tech]
    rule = "crystal.tech.resets" if grown else LIMIT_SET.id
    if grown:
        table.applied.append(LIMIT_SET.id)
    table.derive(ev.TechLimitSet(player=player.id, limit=limit), rule)
