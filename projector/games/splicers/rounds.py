"""Turns and rounds, and all that follows by itself: effects, requirements, the end of a round and the next one."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import board, triggers
from tabletape.projector.games.splicers.dominance import rotate, unmet, update_totals
from tabletape.projector.games.splicers.effects import next_effects
from tabletape.projector.games.splicers.ending import NEEDED_BIOMS, final_result, winner_of_both
from tabletape.projector.games.splicers.selecting import dominated_by, has_keyword
from tabletape.projector.games.splicers.state import ACTION, OVER, Splicers, tings_and_seeds
from tabletape.projector.games.splicers.turns import END_ORDERS, close_turn, end_turn
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.seating import zone_of

CARRIED_OUT_BY_COUNT: Final = (
    "splicers.biom.dominated",
    "splicers.biom.threshold",
    "splicers.biom.beats-opponent",
    "splicers.ting.face-up-counts",
    "splicers.seed.counts-one",
    "splicers.win.check-at-round-end",
)


# -- settling ----------------------------------------------------------------------------------------------------------


def settle(table: Splicers) -> str:
    """Take everything that follows by itself, until a line is needed.

    Return who may go on freely: the player on turn, where nothing is due, waits for a mutation or ends by itself.
    """
    while True:
        if table.touched or table.restless:
            update_totals(table)
        if table.agenda and table.owed is None:
            next_effects(table)
        elif table.requirement_queue:
            look_at_requirements(table)
        elif (table.turning and _wins_by_rotating(table)) or table.owed is not None:
            return ""
        elif not (table.steps or table.ends_itself):
            return "" if table.window else table.active
        elif not (_steps(table) if table.steps else _ends_by_itself(table)):
            return ""


def _wins_by_rotating(table: Splicers) -> bool:
    """Rotate the bioms that turn; end the game if three are enough in mid-round (ruling `domination_mid_round`)."""
    rotate(table)
    if table.phase != ACTION or table.options["domination_mid_round"] == "no_win":
        return False
    for player in table.seating:
        if len(dominated_by(table, player)) >= NEEDED_BIOMS:
            end_game(table, player, "domination", "splicers.win.three-bioms")
            return True
    return False


def look_at_requirements(table: Splicers) -> None:
    """Devolve the tings that may not stay where they are, all at once."""
    requirement_queue = table.requirement_queue
    table.requirement_queue = ()
    for card in requirement_queue:
        if card.face_up and card.place is not None and card.name != table.window:
            table.applied.append("splicers.req.must-hold")
            if unmet(table, card, card.place):
                board.devolve(table, card, "requirement", "splicers.req.devolve")


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
    settle(table)


def _steps(table: Splicers) -> bool:
    """Take steps towards the next turn, up to the first that has to wait or after which something else comes first.

    Returns whether one was taken.
    """
    steps, journal, rests = table.steps, table.journal, table.rests
    taken = 0
    for step in steps:
        rests.append(len(journal))
        if not STEPS[step](table):
            break
        if not table.steps:
            return True
        taken += 1
        if table.touched or table.agenda or table.turning or table.restless:
            break
    if not taken:
        return False
    table.set(table, "steps", steps[taken:])
    return True


# -- turns -------------------------------------------------------------------------------------------------------------


def end_round(table: Splicers) -> None:
    """End the final turn of a round that the log does not end, or does not have, and take the steps that follow."""
    end_turn(table)
    settle(table)


def begin_first_round(table: Splicers, first: str) -> None:
    """Begin round 1, which has no start phase."""
    table.update(table, round=1, phase=ACTION, first=first, opening_turn=table.turn + 1)
    table.derive(ev.RoundStarted(round=1), "splicers.turn.rounds-of-turns")
    table.begin_turn(first, "splicers.turn.first-player-starts")
    if table.options["start_triggers_round1"] == "happen":
        triggers.fire(table, "round.start")


def begin_action_phase(table: Splicers) -> bool:
    """Begin the turn of the round's first player; by ruling a last round is counted in place of being played."""
    if table.last_round and table.options["last_round_after"] == "ends_at_once" and _count(table) and table.over:
        return True
    table.enter_phase(ACTION)
    table.set(table, "opening_turn", table.turn + 1)
    table.set(table, "steps", ())
    table.begin_turn(table.first, "splicers.turn.first-player-starts")
    return True


# -- the end of a round ------------------------------------------------------------------------------------------------


def _return_jumpers(table: Splicers) -> bool:
    always = table.options["jumper_return_scope"] == "always"
    if not (always or table.jumpers):
        return True
    for card in tings_and_seeds(table):
        if card.jumped or (always and card.face_up and has_keyword(table, card, "jumper")):
            returned = ev.JumperReturned(card=card.name)
            board.leave(table, card, zone_of(table, "hand", card.owner), "splicers.kw.jumper-return", returned)
    table.set(table, "jumpers", tuple([name for name in table.jumpers if table.card(name).jumped]))
    return True


def _count_round(table: Splicers) -> bool:
    """Count the round; what happens at its end may happen though the game is over (ruling `end_effects_after_win`)."""
    _count(table)
    if table.over and table.options["end_effects_after_win"] == "happen":
        order = END_ORDERS[table.options["end_order"]]
        if order.index("effects") > order.index("count"):
            _end_effects(table)
    return True


def _count(table: Splicers) -> bool:
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
        return True
    if is_won and not (table.last_round and table.options["final_round_three"] == "final_round_reason"):
        three = [player for player, bioms in dominated.items() if len(bioms) >= NEEDED_BIOMS]
        winner = three[0] if len(three) == 1 else winner_of_both(table, dominated)
        end_game(table, winner, "domination" if winner else "final-round-draw", "splicers.win.three-bioms")
    elif table.last_round:
        winner, reason, rule = final_result(table, dominated)
        if reason == "final-round-draw" and table.options["final_tie_unbroken"] == "play_another_round":
            table.set(table, "last_round", False)
        else:
            end_game(table, winner, reason, rule)
    return True


@lru_cache(maxsize=4096)
def _by_player(seating: tuple[str, ...], totals: tuple[int, ...]) -> dict[str, int]:
    """Return the totals of a biom by player; bioms with the same totals share them."""
    return dict(zip(seating, totals, strict=True))


def end_game(table: Splicers, winner: str, reason: str, rule: str) -> None:
    """End the game; an empty winner is a draw."""
    table.applied.append("splicers.end.nothing-after-end")
    ended = ev.GameEnded(winner=winner or None, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    end(table, ended, rule, phase=OVER, active="", steps=(), agenda=(), owed=None)


def _end_effects(table: Splicers) -> bool:
    table.applied.append("splicers.round.end-effects")
    triggers.fire(table, "round.end")
    return True


def _expire(table: Splicers) -> bool:
    if table.swayed:
        for card in tings_and_seeds(table):
            if card.changes:
                table.set(card, "changes", 0)
                triggers.touch(table, card)
        table.set(table, "swayed", tuple([name for name in table.swayed if table.card(name).changes]))
    passed = table.passed_first
    if passed:
        begins = table.begins_next or passed
        if table.first != begins:
            table.set(table, "first", begins)
        if table.begins_next:
            table.set(table, "begins_next", "")
        table.set(table, "passed_first", "")
    return True


# -- the start of a round ----------------------------------------------------------------------------------------------


def _begin(table: Splicers) -> bool:
    table.begin_round()
    table.derive(ev.RoundStarted(round=table.round), "splicers.turn.rounds-of-turns")
    table.unexhaust(table.first if table.options["unexhaust_scope"] == "active_player_only" else "")
    table.applied.append("splicers.round.unexhaust")
    if table.options["static_plus"] != "continuous":
        triggers.look_at_everything(table)
    return True


def _triggers(table: Splicers) -> bool:
    triggers.fire(table, "round.start")
    return True


def _draws(table: Splicers) -> bool:
    if len(table.drew) >= len(table.players):
        return True
    if table.last_round and table.options["deck_out_other_draw"] == "does_not_draw":
        for player in table.drew:
            if not zone_of(table, "deck", player).size:
                return True
    return False


STEPS: Final[Mapping[str, Callable[[Splicers], bool]]] = {
    "reveal": lambda table: not table.zones["event"].cards,
    "jumpers": _return_jumpers,
    "count": _count_round,
    "effects": _end_effects,
    "expiry": _expire,
    "begin": _begin,
    "triggers": _triggers,
    "draws": _draws,
    "turn": begin_action_phase,
}
