"""What the table does when a written consequence differs from the rules: it did what the log says.

`expected` is what the rules had derived in its place and the fold has done already, or None.
"""

from collections.abc import Callable, Mapping
from typing import Any

from events.games import splicers as ev
from events.vocabulary import Consequence
from projector.games.splicers import board, rounds, triggers, turns
from projector.games.splicers.effects import to_discard_pile
from projector.games.splicers.state import ACTION, Splicers, SplicersCard
from projector.kit.adopting import as_written, surplus
from projector.kit.ending import adopt_end
from projector.kit.seating import zone_of

Adopt = Callable[[Splicers, Any, Any], None]


def _of_card(adopt: Callable[[Splicers, SplicersCard, Any, Any], object]) -> Adopt:
    """Return what does to the card of a line what that says, and takes what follows; no biom or splicer is moved."""

    def adopt_of_card(table: Splicers, event: Any, expected: Any) -> None:
        card = table.find(event.card)
        if card is not None and card.zone.name != "row" and not card.zone.name.startswith("splicer:"):
            adopt(table, card, event, expected)
            rounds.settle(table)

    return adopt_of_card


def _exhausted(table: Splicers, event: ev.CardExhausted, _expected: Any) -> None:
    card = table.find(event.card)
    if card is not None:
        board.turn_sideways(table, card, exhausted=True)


def _devolved(table: Splicers, card: SplicersCard, event: ev.TingDevolved, _expected: Any) -> None:
    if card.face_up and card.place is not None:
        with as_written(table, event):
            board.devolve(table, card, event.reason, board.HOST_GONE)


def _left(zone: str) -> Adopt:
    """Return what puts a card away, where the table did: into its owner's `zone`."""

    def leave(table: Splicers, card: SplicersCard, event: Any, _expected: Any) -> None:
        declined = board.declined_backup(table, card.name) if isinstance(event, ev.CardDiscarded) else None
        if declined is not None:
            table.derived.remove(declined)
            to_discard_pile(table, card)
        elif card.zone.name[:4] == "play" or card.zone.name == "mutations":
            board.leave(table, card, zone_of(table, zone, card.owner))
        elif card.zone.name in {"event", "season"} and zone == "discard":
            triggers.deactivate_text(table, card)
            to_discard_pile(table, card)

    return _of_card(leave)


def _changed(table: Splicers, card: SplicersCard, event: ev.DominanceChanged, expected: Any) -> None:
    board.modify_dominance(table, card, surplus(event, expected, "by"))
    triggers.touch(table, card)


def _tokens(table: Splicers, card: SplicersCard, event: ev.TokensChanged, expected: Any) -> None:
    table.set(card, "tokens", max(card.tokens + surplus(event, expected, "by"), 0))


def _gained(table: Splicers, event: ev.ActionsGained, expected: ev.ActionsGained | None) -> None:
    player = table.players.get(event.player)
    if player is not None:
        table.set(player, "actions", max(player.actions + surplus(event, expected, "count"), 0))


def _turn(table: Splicers, event: ev.TurnStarted, expected: Any) -> None:
    if table.phase == ACTION and event.player in table.players and table.active != event.player:
        table.set(table, "active", event.player)
        table.count(table, "turn", 1)
        table.set(table.players[event.player], "actions", 1)


def _round_over(table: Splicers, event: ev.RoundCounted | ev.RoundStarted, expected: Any) -> None:
    """End a round of which the log does not have the final turn, or its end; the line stands for what that derives."""
    if expected is not None or not turns.is_final_turn(table):
        return
    with as_written(table, event):
        rounds.end_round(table)


ENFORCE: Mapping[type[Consequence], Adopt] = {
    ev.CardExhausted: _exhausted,
    ev.TingDevolved: _of_card(_devolved),
    ev.CardDiscarded: _left("discard"),
    ev.CardReturned: _left("hand"),
    ev.JumperReturned: _left("hand"),
    ev.CardMouldered: _left("deck"),
    ev.DominanceChanged: _of_card(_changed),
    ev.TokensChanged: _of_card(_tokens),
    ev.ActionsGained: _gained,
    ev.TurnStarted: _turn,
    ev.RoundCounted: _round_over,
    ev.RoundStarted: _round_over,
    ev.GameEnded: adopt_end(rounds.end_game),
}
