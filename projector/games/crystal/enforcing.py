"""What the table does when a written consequence differs from the rules: it did what the log says.

`expected` is what the rules had derived in its place and the fold has done already, or None. Where a total differs, the
later lines that are still to come for that player have the same difference, so that one slip is one finding.
"""

from collections.abc import Callable, Mapping
from typing import Any

from events.games import crystal as ev
from events.vocabulary import Consequence
from projector.games.crystal import board
from projector.games.crystal.abilities import TOKENS
from projector.games.crystal.chapters.deploy_phase import go_on_undrawn, has_just_begun
from projector.games.crystal.chapters.playing import play_card
from projector.games.crystal.chapters.rounds import begin_first_round, next_part
from projector.games.crystal.chapters.winning import ZERO_HITPOINTS, end_game, put_out
from projector.games.crystal.state import DEPLOY, LANE, SETUP, Crystal, lane_of, living
from projector.kit.adopting import as_written, surplus
from projector.kit.ending import adopt_end


def _totals(sign: int = 0) -> Callable[[Crystal, Any, Any], None]:
    """Return what takes written totals over; a line that nothing was derived for changes them by its amount."""

    def enforce(table: Crystal, event: Any, expected: Any) -> None:
        for field in ("hitpoints", "crystals"):
            if field in event.__struct_fields__:
                by = getattr(event, field) - getattr(expected, field) if expected else sign and sign * event.amount
                board.shift(table, event.player, field, by)

    return enforce


def _supply(table: Crystal, event: ev.SupplySet, expected: ev.SupplySet | None) -> None:
    for field in ("hitpoints", "crystals"):
        table.set(table.players[event.player], field, getattr(event, field))


def _limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> None:
    if event.player == table.active and not table.limited:
        go_on_undrawn(table)
        table.set(table, "limited", True)
    table.set(table.players[event.player], "tech_limit", event.limit)


def _acts_now(table: Crystal, source: str) -> bool:
    """Return whether a card was deployed in this round, so that what it does now holds until the end of it."""
    card = table.find(source)
    return card is not None and card.since == table.round


def _raised(table: Crystal, event: ev.PowerRaised, expected: ev.PowerRaised | None) -> None:
    if event.lane in LANE and _acts_now(table, event.source):
        board.raise_power(table, table.players[event.player], event.lane, surplus(event, expected, "amount"))


def _prevented(table: Crystal, event: ev.PreventionAdded, expected: ev.PreventionAdded | None) -> None:
    if _acts_now(table, event.source):
        board.prevent(table, table.players[event.player], surplus(event, expected, "amount"))


def _token(table: Crystal, event: ev.TokenPlaced, expected: ev.TokenPlaced | None) -> None:
    if event.lane not in LANE or event.token not in TOKENS:
        return
    player = table.players[event.player]
    if expected is not None and expected.token != event.token:
        board.lay_token(table, player, expected.lane, expected.token, -1)
    there_are = player.tokens.count(f"{event.token} on {event.lane}")
    board.lay_token(table, player, event.lane, event.token, event.count - there_are)


def _destroyed(table: Crystal, event: ev.CardDestroyed, expected: Any) -> None:
    card = table.find(event.card)
    if card is not None and lane_of(card):
        board.put_away(table, card)


def _moved(table: Crystal, event: ev.CardMoved, expected: Any) -> None:
    card = table.find(event.card)
    if card is not None and lane_of(card) and event.lane in LANE:
        board.enter(table, card, card.zone.owner, event.lane)


def _eliminated(table: Crystal, event: ev.PlayerEliminated, expected: Any) -> None:
    """Put a player out; among several only once the others go on without that player."""
    player = table.players[event.player]
    if not player.living or table.over:
        return
    table.set(player, "written_out", True)
    if len(living(table)) == 2:
        with as_written(table, event):
            put_out(table, [player], ZERO_HITPOINTS.id)


def _paid(table: Crystal, event: ev.CrystalsPaid, expected: Any) -> None:
    """Take the payment over; a card that seemed too dear was evidently played."""
    refused = table.refused
    if expected is None and refused is not None and refused.player == event.player:
        table.set(table, "refused", None)
        with as_written(table, event):
            play_card(table, refused, table.card(refused.card), event.amount)
        table.set(table.players[event.player], "crystals", event.crystals)
    else:
        _totals(-1)(table, event, expected)


def _passed(table: Crystal, event: ev.PriorityPassed, expected: Any) -> None:
    """Pass the token to the other player, who deploys first then."""
    to = table.players.get(event.to)
    if table.priority == event.to or to is None or not to.living:
        return
    table.set(table, "priority", event.to)
    if table.phase == DEPLOY and has_just_begun(table):
        _restart(table)


def _restart(table: Crystal) -> None:
    """Begin the deploy phase again with the player who has the token now; nobody has done anything in it yet."""
    begun = (ev.TurnStarted, ev.TechLimitSet)
    table.derived = [each for each in table.derived if not isinstance(each.event, begun)]
    table.set(table, "waiting", tuple(player.id for player in living(table)))
    table.count(table, "turn", -1)
    next_part(table)


def _turn(table: Crystal, event: ev.TurnStarted, expected: Any) -> None:
    """Hand the deploying to another player than the one whose part it is."""
    if table.phase == DEPLOY and event.player != table.active and table.players[event.player].living:
        others = tuple(player for player in table.waiting if player != event.player)
        table.set(table, "waiting", (event.player, *others))
        with as_written(table, event):
            next_part(table)
        table.set(table, "handed_over", True)


def _phase(table: Crystal, event: ev.PhaseStarted, expected: Any) -> None:
    """Leave the deploy phase where the table has left it."""
    if table.phase == DEPLOY and event.phase == "attack":
        table.update(table, waiting=(), owed=())
        with as_written(table, event):
            next_part(table)


def _round(table: Crystal, event: ev.RoundStarted, expected: Any) -> None:
    """Begin round 1 where the table has begun it, or count as the table counts."""
    if table.phase == SETUP:
        with as_written(table, event):
            begin_first_round(table, table.flips[-1] if table.flips else next(iter(table.players)))
    else:
        table.set(table, "round", event.round)


ENFORCE: Mapping[type[Consequence], Callable[[Crystal, Any, Any], None]] = {
    ev.SupplySet: _supply,
    ev.TechLimitSet: _limit,
    ev.CrystalsPaid: _paid,
    ev.CrystalsGained: _totals(1),
    ev.CrystalsLost: _totals(-1),
    ev.HitpointsGained: _totals(1),
    ev.DamageTaken: _totals(-1),
    ev.PowerRaised: _raised,
    ev.PreventionAdded: _prevented,
    ev.TokenPlaced: _token,
    ev.CardDestroyed: _destroyed,
    ev.CardMoved: _moved,
    ev.AttackResolved: _totals(),
    ev.MiningResolved: _totals(),
    ev.PlayerEliminated: _eliminated,
    ev.PriorityPassed: _passed,
    ev.TurnStarted: _turn,
    ev.PhaseStarted: _phase,
    ev.RoundStarted: _round,
    ev.GameEnded: adopt_end(end_game),
}
