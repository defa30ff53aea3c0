"""Turns and rounds: how they begin and end, what follows by itself, and who has won when a round is over."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import board, dominance
from tabletape.projector.games.splicers.effects import next_effects
from tabletape.projector.games.splicers.selecting import dominated_by, has_keyword
from tabletape.projector.games.splicers.state import ACTION, END, OVER, START, Splicers, tings_and_seeds
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.seating import zone_of

NEEDED_BIOMS: Final = 3
"""Bioms that a player has to dominate to win."""
NEXT_ROUND: Final = ("begin", "triggers", "draws", "turn")
END_ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "reveal_jumpers_count_effects_expiry": ("reveal", "jumpers", "count", "effects", "expiry", *NEXT_ROUND),
    "reveal_jumpers_effects_count_expiry": ("reveal", "jumpers", "effects", "count", "expiry", *NEXT_ROUND),
    "jumpers_reveal_count_effects_expiry": ("jumpers", "reveal", "count", "effects", "expiry", *NEXT_ROUND),
}
CARRIED_OUT_BY_COUNT: Final = (
    "splicers.biom.dominated",
    "splicers.biom.threshold",
    "splicers.biom.beats-opponent",
    "splicers.ting.face-up-counts",
    "splicers.seed.counts-one",
    "splicers.win.check-at-round-end",
)


# -- what follows at once ----------------------------------------------------------------------------------------------


def settles(table: Splicers) -> str:
    """Take everything that follows by itself, until a line is needed.

    Return who may go on freely: the player on turn, where nothing is due, waits for a mutation or ends by itself.
    """
    while True:
        if table.touched or table.restless:
            dominance.update_totals(table)
        if table.agenda and table.owed is None:
            next_effects(table)
        elif table.requirement_queue:
            look_at_requirements(table)
        elif (table.turning and _wins_by_rotating(table)) or table.owed is not None:
            return ""
        elif not (table.steps or table.ends_itself):
            return "" if table.window else table.active
        elif not (table.TURN.take_steps(table) if table.steps else _ends_by_itself(table)):
            return ""


def _wins_by_rotating(table: Splicers) -> bool:
    """Rotate the bioms that turn; end the game if three are enough in mid-round (ruling `domination_mid_round`)."""
    dominance.rotate(table)
    if table.phase != ACTION or table.options["domination_mid_round"] == "no_win":
        return False
    three = [player for player in table.seating if len(dominated_by(table, player)) >= NEEDED_BIOMS]
    if three:
        end_game(table, three[0], "domination", "splicers.win.three-bioms")
    return bool(three)


def look_at_requirements(table: Splicers) -> None:
    """Devolve the tings that may not stay where they are, all at once."""
    requirement_queue = table.requirement_queue
    table.requirement_queue = ()
    for card in requirement_queue:
        if card.face_up and card.place is not None and card.name != table.window:
            table.applied.append("splicers.req.must-hold")
            if dominance.unmet(table, card, card.place):
                board.devolve(table, card, "requirement", "splicers.req.devolve")


# -- turns -------------------------------------------------------------------------------------------------------------


def begin_first_round(table: Splicers, first: str) -> None:
    """Begin round 1, which has no start phase."""
    table.update(table, round=1, phase=ACTION, first=first, opening_turn=table.turn + 1)
    table.derive(ev.RoundStarted(round=1), "splicers.turn.rounds-of-turns")
    table.begin_turn(first, "splicers.turn.first-player-starts")
    if table.options["start_triggers_round1"] == "happen":
        board.fire(table, "round.start")


def begin_turns(table: Splicers) -> None:
    """Begin the turn of the round's first player; by ruling a last round is counted in place of being played."""
    if table.last_round and table.options["last_round_after"] == "ends_at_once":
        count(table)
        if table.over:
            return
    table.enter_phase(ACTION)
    table.change(table, "opening_turn", table.opening_turn, table.turn + 1)
    table.change(table, "steps", table.steps, ())
    table.begin_turn(table.first, "splicers.turn.first-player-starts")


def end_turn(table: Splicers, _said: ev.TurnEnded | None = None) -> None:
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


def _ends_by_itself(table: Splicers) -> bool:
    """End the turn where nothing more can be done, not even for free (ruling `turn_end`); return whether it ended."""
    if not is_spent(table) or _may_do_something_free(table):
        return False
    close_turn(table, table.active, "spent")
    return True


def is_spent(table: Splicers) -> bool:
    """Return whether the turn ends by itself now: the player has acted and has no action left."""
    if not table.ends_itself or table.phase != ACTION or table.owed is not None or table.window:
        return False
    return table.has_acted and table.players[table.active].actions <= 0


def _may_do_something_free(table: Splicers) -> bool:
    """Return whether the player on turn may have something to do without an action: a mutation, a pass, an event."""
    free_pass = table.options["pass_cost"] == "free"  # noqa: S105 - a ruling
    hand = zone_of(table, "hand", table.active)
    if free_pass or hand.unseen > 0 or table.last_note[0] == "found":
        return True
    return any(card.text is None or card.text.kind == "mutation" for card in hand.cards)


def end_spent_turn(table: Splicers) -> None:
    """End a turn without an action left because the log has gone on, and take the steps that follow."""
    close_turn(table, table.active, "spent")
    table.TURN.settle(table)


def end_round(table: Splicers) -> None:
    """End the final turn of a round that the log does not end, or does not have, and take the steps that follow."""
    end_turn(table)
    table.TURN.settle(table)


# -- the end of a round ------------------------------------------------------------------------------------------------


def return_jumpers(table: Splicers) -> None:
    """Return what has jumped to the hands, by ruling every jumper."""
    always = table.options["jumper_return_scope"] == "always"
    if not (always or table.jumpers):
        return
    for card in tings_and_seeds(table):
        if card.jumped or (always and card.face_up and has_keyword(table, card, "jumper")):
            returned = ev.JumperReturned(card=card.name)
            board.leave(table, card, zone_of(table, "hand", card.owner), "splicers.kw.jumper-return", returned)
    table.set(table, "jumpers", tuple([name for name in table.jumpers if table.card(name).jumped]))


def count_round(table: Splicers) -> None:
    """Count the round; what happens at its end may happen though the game is over (ruling `end_effects_after_win`)."""
    count(table)
    if table.over and table.options["end_effects_after_win"] == "happen":
        order = END_ORDERS[table.options["end_order"]]
        if order.index("effects") > order.index("count"):
            end_effects(table)


def count(table: Splicers) -> None:
    """Count the bioms, and end the game where that decides it."""
    seating, bioms, cards = table.seating, table.bioms, table.cards
    dominated: dict[str, tuple[str, ...]] = dict.fromkeys(seating, ())
    totals: dict[str, dict[str, int]] = {}
    for place in table.row:
        biom = cards[bioms[place]]
        totals[place] = _by_player(seating, biom.totals)
        if biom.dominator:
            dominated[biom.dominator] += (place,)
    counted = ev.RoundCounted(round=table.round, dominated=dominated, totals=totals)
    table.derive(counted, "splicers.round.win-check")
    table.applied += CARRIED_OUT_BY_COUNT
    is_won = max(map(len, dominated.values())) >= NEEDED_BIOMS
    if is_won and table.options["both_three"] == "play_on" and min(map(len, dominated.values())) >= NEEDED_BIOMS:
        return
    if is_won and not (table.last_round and table.options["final_round_three"] == "final_round_reason"):
        three = [player for player, bioms in dominated.items() if len(bioms) >= NEEDED_BIOMS]
        both = table.first if table.options["both_three"] == "first_player_wins" else final_result(table, dominated)[0]
        winner = three[0] if len(three) == 1 else both
        end_game(table, winner, "domination" if winner else "final-round-draw", "splicers.win.three-bioms")
    elif table.last_round:
        winner, reason, rule = final_result(table, dominated)
        if reason == "final-round-draw" and table.options["final_tie_unbroken"] == "play_another_round":
            table.set(table, "last_round", False)
        else:
            end_game(table, winner, reason, rule)


@lru_cache(maxsize=4096)
def _by_player(seating: tuple[str, ...], totals: tuple[int, ...]) -> dict[str, int]:
    """Return the totals of a biom by player; bioms with the same totals share them."""
    return dict(zip(seating, totals, strict=True))


def final_result(table: Splicers, dominated: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str]:
    """Return winner (empty: a draw), reason and rule of a last round, by the bioms and then by their printed values."""
    most = max(len(bioms) for bioms in dominated.values())
    best = [player for player, bioms in dominated.items() if len(bioms) == most]
    if len(best) == 1:
        return best[0], "final-round", "splicers.end.final-most-bioms"
    sums = {player: sum(_value(table, place, player) for place in dominated[player]) for player in best}
    rule = "splicers.end.final-tie-printed-sum"
    best = [player for player in best if sums[player] == max(sums.values())]
    if len(best) == 1:
        return best[0], "final-round-sum", rule
    if table.options["final_tie_unbroken"] == "first_player_wins":
        return table.first, "final-round", rule
    return "", "final-round-draw", rule


def _value(table: Splicers, place: str, player: str) -> int:
    """Return what a dominated biom adds to the sum: its printed value, or that of the own tings there (ruling)."""
    if table.options["final_tie_sum_of"] == "tings":
        tings = [card for card in table.zones[f"play:{player}"].cards if card.place == place and card.face_up]
        return sum(card.text.dominance or 0 for card in tings if card.text is not None)
    text = table.cards[table.bioms[place]].text
    return (text.dominance or 0) if text is not None else 0


def end_game(table: Splicers, winner: str, reason: str, rule: str) -> None:
    """End the game; an empty winner is a draw."""
    table.applied.append("splicers.end.nothing-after-end")
    ended = ev.GameEnded(winner=winner or None, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    end(table, ended, rule, phase=OVER, active="", steps=(), agenda=(), owed=None)


def end_effects(table: Splicers) -> None:
    """Put what happens when a round ends on the agenda."""
    table.applied.append("splicers.round.end-effects")
    board.fire(table, "round.end")


def expire(table: Splicers) -> None:
    """End the changes of the round, and note who begins the next one."""
    if table.swayed:
        for card in tings_and_seeds(table):
            if card.changes:
                table.set(card, "changes", 0)
                board.touch(table, card)
        table.set(table, "swayed", tuple([name for name in table.swayed if table.card(name).changes]))
    if table.passed_first:
        table.set(table, "first", table.begins_next or table.passed_first)
        if table.begins_next:
            table.set(table, "begins_next", "")
        table.set(table, "passed_first", "")


# -- the start of a round ----------------------------------------------------------------------------------------------


def begin_round(table: Splicers) -> None:
    """Begin the next round, in which nobody has drawn or played an event yet: cards are unexhausted."""
    table.count(table, "round", 1)
    table.enter_phase(START)
    if table.event_by:
        table.set(table, "event_by", "")
    if table.drew:
        table.set(table, "drew", ())
    table.derive(ev.RoundStarted(round=table.round), "splicers.turn.rounds-of-turns")
    table.unexhaust(table.first if table.options["unexhaust_scope"] == "active_player_only" else "")
    table.applied.append("splicers.round.unexhaust")
    if table.options["static_plus"] != "continuous":
        board.look_at_everything(table)


def waits_for_draws(table: Splicers) -> bool:
    """Return whether somebody has still to draw for the round (ruling `deck_out_other_draw`)."""
    if len(table.drew) >= len(table.players):
        return False
    if table.last_round and table.options["deck_out_other_draw"] == "does_not_draw":
        return all(zone_of(table, "deck", player).size for player in table.drew)
    return True
