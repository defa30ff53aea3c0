"""Deploy phase (L42 to L46): a part for each player, one after another, with a tech limit."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters import DEPLOY_PHASE, WRITTEN, winning
from tabletape.projector.games.crystal.chapters.choosing import as_written
from tabletape.projector.games.crystal.state import DEPLOY, LANE, Crystal, CrystalPlayer, Owed
from tabletape.projector.kit import mismatches
from tabletape.projector.kit.consequence import by_rulings, consequence
from tabletape.projector.kit.owed import missing
from tabletape.projector.kit.own_part import own_part
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule, Verdict

DEPLOYING_WORD: Final = "deploying"
"""What a player is called to be doing in a part of the phase."""

IS_OWN_PART: Final = own_part(DEPLOYING_WORD)


@DEPLOY_PHASE.rule("crystal.deploy.own-turn", "L42.1", rests_on="living")
def own_turn(table: Crystal, event: Event) -> Verdict:
    """The players deploy one after another, the holder of the token first, then to the left."""
    verdict = IS_OWN_PART(table, event)
    if isinstance(verdict, Broken) and table.round > 1 and table.active == table.priority and not table.drawn:
        message = f"{verdict.message}, who has the priority token now"
        return msgspec.structs.replace(verdict, message=message, because="crystal.priority.passes-left")
    return verdict


def begin_part(table: Crystal, player: CrystalPlayer) -> None:
    """Begin a player's part of the deploy phase; whoever cannot draw may be out by that (ruling `deck_out`)."""
    table.next_turn(player.id)
    table.set(table, "drawn", False)
    table.set(table, "limited", False)
    if table.owed or table.undrawn:
        table.update(table, owed=(), undrawn=False)
    table.set(player, "tech_used", 0)
    table.derive(ev.TurnStarted(player=player.id), own_turn.id)
    if table.options["tech_limit_time"] != "after_draw":
        set_limit(table, player)
    is_left_out = table.round == 1 and table.options["first_round_draw"] == "not_drawn"
    draws = not is_left_out and board.room_in_hand(table, player.id) > 0
    if draws and board.can_draw(table, player.id):
        return
    if draws and table.options["deck_out"] == "lose":
        winning.put_out(table, [player], "crystal.draw.deck-not-empty")
    else:
        card_of_turn_drawn(table, player)


def leave_part(table: Crystal, player: CrystalPlayer) -> None:
    """End a player's part of the deploy phase: what is still owed may be drawn late."""
    if table.owed:
        table.count(player, "missed", len(table.owed))
        table.set(table, "owed", ())
    table.set(table, "conceding", "")
    go_on_undrawn(table)


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


# -- draw, tech limit, cards -------------------------------------------------------------------------------------------


def owed_now(table: Crystal) -> Owed | None:
    """Return the draw that comes next in the deploy phase: what a card says, or the card of the turn; or None."""
    if table.owed or table.drawn:
        return table.owed[0] if table.owed else None
    words, rule = "draws the card of the turn", "crystal.draw.one-per-turn"
    return Owed(line=ev.CardsDrawn, player=table.active, rule=rule, words=words, deck="any")


@DEPLOY_PHASE.rule("crystal.deploy.draw-first", "L42-L48", rests_on="nothing")
def draw_first(table: Crystal, event: ev.CardDeployed | ev.DeployEnded) -> Verdict:
    """In this order: draw, set the tech limit, play cards."""
    if table.active != event.player or table.undrawn or table.options["draw_mandatory"] != "mandatory":
        return NOT_APPLICABLE
    owed = None if table.drawn else owed_now(table)
    return None if owed is None else missing(table, owed, event)


@DEPLOY_PHASE.rule("crystal.play.resolve-first", "L48.4", rests_on="lately")
def resolve_first(table: Crystal, event: Event) -> Verdict:
    """The abilities of a card are worked off before the next card."""
    return missing(table, msgspec.structs.replace(table.owed[0], count=len(table.owed)), event)


def comes_first(table: Crystal, event: Any) -> RuleVerdict | None:
    """Return the verdict on a decision of whoever is deploying before which something is owed."""
    is_owed = table.owed and table.phase == DEPLOY and event.player == table.active
    return RuleVerdict(resolve_first, resolve_first(table, event)) if is_owed else None


def waits(table: Crystal) -> bool:
    """Return whether something has to be drawn before the player who deploys may decide anything."""
    return bool(table.owed) or not (table.drawn or may_leave_draw(table))


def settles(table: Crystal) -> str:
    """Check at once who is out and who wins, if rulings say so; return whoever deploys where nothing is doubtful.

    Nothing is owed, nobody was hasty, no card was too dear, and the limit is set or will be.
    """
    options = table.options
    if options["hitpoint_check"] == "immediately":
        winning.eliminate_fallen(table)
        if not table.over and not table.players[table.active].living:
            table.TURN.go_on(table)
    if options["crystal_check"] == "immediately":
        winning.check_crystals(table)
    if table.owed or table.early or table.refused is not None:
        return ""
    return table.active if table.limited or options["draw_mandatory"] == "mandatory" else ""


LIMIT_SET: Final = WRITTEN["crystal.tech.limit-set"]
SAME_TURN: Final = WRITTEN["crystal.tech.same-turn-cards"]


def set_limit(table: Crystal, player: CrystalPlayer) -> None:
    """Set the tech limit to the lasting power of the Tech lane, as it is or was (ruling `tech_limit_time`)."""
    table.set(table, "limited", True)
    tech = LANE["tech"]
    at_once = table.options["tech_limit_time"] != "start_of_round"
    limit = board.lasting(table, player, tech) if at_once else player.tech_limit
    table.set(player, "tech_limit", limit)
    if player.sums[tech]:
        table.applied.append(LIMIT_SET.id)
    rule = "crystal.tech.resets" if player.sums[tech] else LIMIT_SET.id
    table.derive(ev.TechLimitSet(player=player.id, limit=limit), rule)


def _rule_of_limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> Rule | RuleVerdict:
    if expected is not None:
        return as_written if mismatches.rule_behind(table, expected).startswith("crystal.ability") else LIMIT_SET
    if event.player != table.active:
        return LIMIT_SET
    return SAME_TURN if table.limited else RuleVerdict(draw_first, draw_first(table, event))


def _is_limit(table: Crystal, event: ev.TechLimitSet) -> bool:
    is_set = table.limited and table.active == event.player
    return is_set and table.players[event.player].tech_limit == event.limit


def _why_no_limit(table: Crystal, event: ev.TechLimitSet) -> str:
    if table.active != event.player:
        return table.TURN.where(table)
    return f"it is set already, to {table.players[event.player].tech_limit}, and no card changes it now"


def _behind_limit(table: Crystal, expected: ev.TechLimitSet) -> Iterator[str]:
    if table.options["tech_limit_time"] == "start_of_round":
        yield "tech_limit_time"
    yield from board.floor_ruling(table, expected.player, LANE["tech"])


@consequence(ev.TechLimitSet, rule=_rule_of_limit, why=_why_no_limit, is_so=_is_limit, behind=by_rulings(_behind_limit))
def adopt_limit(table: Crystal, event: ev.TechLimitSet, _expected: object) -> None:
    """Go by the limit that is written; the card of the turn may not be."""
    if event.player == table.active and not table.limited:
        go_on_undrawn(table)
        table.set(table, "limited", True)
    table.set(table.players[event.player], "tech_limit", event.limit)
