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


def _on_table(table: Splicers, event: Any) -> SplicersCard | None:
    """Return the card of a line if it lies at a biom or under a host; nothing else can be moved by a consequence."""
    card = table.find(event.card)
    if card is None or card.zone.name == "row" or card.zone.name.startswith("splicer:"):
        return None
    return card


def _exhausted(table: Splicers, event: ev.CardExhausted, expected: Any) -> None:
    card = table.find(event.card)
    if card is not None:
        board.turn_sideways(table, card, exhausted=True)


def _devolved(table: Splicers, event: ev.TingDevolved, expected: Any) -> None:
    card = _on_table(table, event)
    if card is not None and card.face_up and card.place is not None:
        with as_written(table, event):
            board.devolve(table, card, event.reason, board.HOST_GONE)
        rounds.settle(table)


def _left(zone: str) -> Callable[[Splicers, Any, Any], None]:
    """Return what puts a card away, where the table did: into its owner's `zone`."""

    def leave(table: Splicers, event: Any, _expected: Any) -> None:
        card = _on_table(table, event)
        if card is None:
            return
        if card.zone.name[:4] == "play" or card.zone.name == "mutations":
            board.leave(table, card, zone_of(table, zone, card.owner))
        elif card.zone.name in {"event", "season"} and zone == "discard":
            triggers.deactivate_text(table, card)
            to_discard_pile(table, card)
        rounds.settle(table)

    return leave


def _discarded(table: Splicers, event: ev.CardDiscarded, expected: Any) -> None:
    declined = board.declined_backup(table, event.card)
    if declined is None:
        _left("discard")(table, event, expected)
        return
    table.derived.remove(declined)
    to_discard_pile(table, table.card(event.card))


def _changed(table: Splicers, event: ev.DominanceChanged, expected: ev.DominanceChanged | None) -> None:
    card = _on_table(table, event)
    if card is not None:
        board.modify_dominance(table, card, surplus(event, expected, "by"))
        triggers.touch(table, card)
        rounds.settle(table)


def _tokens(table: Splicers, event: ev.TokensChanged, expected: ev.TokensChanged | None) -> None:
    card = _on_table(table, event)
    if card is not None:
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


ENFORCE: Mapping[type[Consequence], Callable[[Splicers, Any, Any], None]] = {
    ev.CardExhausted: _exhausted,
    ev.TingDevolved: _devolved,
    ev.CardDiscarded: _discarded,
    ev.CardReturned: _left("hand"),
    ev.JumperReturned: _left("hand"),
    ev.CardMouldered: _left("deck"),
    ev.DominanceChanged: _changed,
    ev.TokensChanged: _tokens,
    ev.ActionsGained: _gained,
    ev.TurnStarted: _turn,
    ev.RoundCounted: _round_over,
    ev.RoundStarted: _round_over,
    ev.GameEnded: adopt_end(rounds.end_game),
}
