"""The turns of a round: they begin, end, and the last one of a round leads to the steps that follow it."""

from collections.abc import Mapping
from typing import Final

from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.projector.games.splicers.state import ACTION, END, START, Splicers

NEXT_ROUND: Final = ("begin", "triggers", "draws", "turn")
END_ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "reveal_jumpers_count_effects_expiry": ("reveal", "jumpers", "count", "effects", "expiry", *NEXT_ROUND),
    "reveal_jumpers_effects_count_expiry": ("reveal", "jumpers", "effects", "count", "expiry", *NEXT_ROUND),
    "jumpers_reveal_count_effects_expiry": ("jumpers", "reveal", "count", "effects", "expiry", *NEXT_ROUND),
}


def end_turn(table: Splicers, _said: TurnEnded | None = None) -> None:
    """End the turn of the player on turn, by a line or without one; after the final turn the round is over."""
    active = table.players[table.active]
    if active.actions:
        table.applied.append("splicers.action.may-leave-unused")
        if table.options["action_carryover"] == "lost":
            table.set(active, "actions", 0)
    passed = table.passed_first
    if not passed:
        table.begin_turn(active.opponent or active.id, "splicers.turn.alternate")
    elif passed == active.id and table.options["round_end"] == "after_final_turn":
        table.begin_turn(active.opponent or active.id, "splicers.round.final-turn")
    else:
        table.applied.append("splicers.round.ends-after-pass")
        steps = END_ORDERS[table.options["end_order"]]
        table.journal += ((table, "phase", ACTION, END), (table, "active", active.id, ""), (table, "steps", (), steps))
        table.phase, table.active, table.steps = END, "", steps


def pass_turn(table: Splicers, player: str) -> None:
    """Carry out a pass, which ends the turn; the first pass of the round gives the other one the final turn."""
    if not table.passed_first:
        table.set(table, "passed_first", player)
        table.applied.append("splicers.round.next-first-player")
    elif table.options["first_passer_every_round"] == "last_passer":
        table.set(table, "begins_next", player)
    close_turn(table, player, "pass")


def close_turn(table: Splicers, player: str, how: str) -> None:
    """End a turn without a line that says so, and remember it: that line may come all the same."""
    table.set(table, "closed", (player, table.turn, how))
    end_turn(table)


def is_closed(table: Splicers, player: str) -> bool:
    """Return whether a player's turn was the last one, ended without `turn.ended`, and nothing has happened since.

    Where the log has gone on before it, the line that it has gone on with has.
    """
    who, turn, how = table.closed
    if who != player:
        return False
    if table.phase == ACTION:
        is_open = how == "gone-on" or not table.has_acted
        return table.turn == turn + 1 and is_open and table.opening_turn != table.turn
    return table.turn == turn and not (table.phase == START and table.drew)


def has_just_ended(table: Splicers, player: str) -> bool:
    """Return whether a player was the last one on turn, and nobody has acted or drawn since."""
    if table.has_acted if table.phase == ACTION else table.drew:
        return False
    last = next((before for _, field, before, _ in reversed(table.journal) if field == "active"), "")
    return last == player


def is_final_turn(table: Splicers) -> bool:
    """Return whether a player has passed, so that the turn is the last one of its round."""
    return table.phase == ACTION and bool(table.passed_first)
