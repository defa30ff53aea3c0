"""Turn structure and actions: a draw each, turns by turns with an action each, one more turn after the first pass."""

from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import ByPlayer, Event
from tabletape.projector.games.splicers import rounds
from tabletape.projector.games.splicers.chapters import ACTIONS, END_OF_GAME, TURN_STRUCTURE, setup
from tabletape.projector.games.splicers.state import ACTION, NO_NOTE, SETUP, START, Splicers, actions_left
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import move
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Case, Rule, all_passed, case, select_rule, usually
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Verdict


@TURN_STRUCTURE.rule("splicers.round.draw-one", "L108.2", rests_on="nothing")
def draw_one(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """At the start of a round each player draws one card."""
    number = number_of_cards(event)
    if table.phase == START and event.player not in table.drew and number <= 1:
        return None
    name = name_of(table, event.player)
    if table.last_round and table.phase != START and table.options["deck_out_other_draw"] == "does_not_draw":
        ruling = by_ruling(table, "deck_out_other_draw")
        return f"{name} draws for the last round although the other player could not {ruling}"
    if table.phase != START:
        return f"{name} draws for the start of a round in the middle of round {table.round}"
    if event.player in table.drew:
        return f"{name} draws a second time at the start of round {table.round}"
    return Broken(f"{name} draws {number} cards at the start of round {table.round}, not 1", "1")


@case(draw_one)
def both_drew(table: Splicers, event: Event) -> Verdict:
    """Nobody acts before both players have drawn."""
    (missing,) = (player.name for player in table.players.values() if player.id not in table.drew)
    return f"{missing} has not drawn for round {table.round} yet"


# -- T: may the player act now? ----------------------------------------------------------------------------------------


def out_of_turn(table: Splicers, event: ByPlayer, what: str = "acts") -> Broken:
    """Return what is wrong with a line of a player who is not on turn.

    Where the other one has no action left only the line is missing that ends that turn.
    """
    name = name_of(table, event.player)
    active = table.players.get(table.active)
    if active is not None and table.has_acted and active.actions <= 0 and type(event) is not ev.TurnEnded:
        due = f"turn.ended by {active.name}"
        return Broken(f"{name} {what}, but no line says that the turn of {active.name} has ended", due, "missing")
    is_spent = table.closed == (event.player, table.turn - 1, "spent")
    why = f"; the own turn ended with its last action {by_ruling(table, 'turn_end')}" if is_spent else ""
    whose = f"it is the turn of {name_of(table, table.active)}" if table.active else "nobody is on turn"
    return Broken(f"{name} {what} although {whose}{why}", name_of(table, table.active))


@TURN_STRUCTURE.rule("splicers.turn.alternate", "L109.1", rests_on="nothing")
def alternate(table: Splicers, event: ByPlayer) -> Verdict:
    """Players take turns alternately; only the player on turn acts."""
    return None if table.active == event.player else out_of_turn(table, event)


@TURN_STRUCTURE.rule("splicers.turn.first-player-starts", "L109.1", rests_on="nothing")
def first_player_starts(table: Splicers, event: ByPlayer) -> Verdict:
    """The first player takes the first turn of the round."""
    if table.active == event.player:
        return None
    first = name_of(table, table.first)
    message = f"{name_of(table, event.player)} begins round {table.round} although {first} is the first player"
    return Broken(message, first, because="splicers.round.next-first-player" if table.round > 1 else "")


@TURN_STRUCTURE.rule("splicers.round.passer-done", "L116.1", rests_on="nothing")
def passer_done(table: Splicers, event: ByPlayer) -> Verdict:
    """Whoever passed first takes no further turn in that round (inferred)."""
    if table.active == event.player:
        return None
    passed = f"{name_of(table, event.player)} has passed in round {table.round}"
    message = f"{passed} and acts in the final turn of the other"
    return Broken(message, because="splicers.event.is-pass" if table.event_by == event.player else "")


@TURN_STRUCTURE.rule("splicers.round.ends-after-pass", "L107.2 L116.1", rests_on="nothing")
def round_is_over(table: Splicers, event: ByPlayer) -> Verdict:
    """A round is over once somebody has passed and the other player has had one more turn."""
    passed = table.passed_first or table.first
    how = f"the pass of {name_of(table, passed)} has ended it {by_ruling(table, 'round_end')}"
    over = "the final turn is over" if table.options["round_end"] == "after_final_turn" else how
    message = f"{name_of(table, event.player)} acts in round {table.round}, but {over}; the next round has not begun"
    if table.phase == START:
        message = f"{name_of(table, event.player)} acts before round {table.round} has begun: nobody has drawn for it"
    return Broken(message, because="splicers.event.ends-turn" if table.event_by == event.player else "")


def _whose_turn(table: Splicers) -> Rule:
    """Return which rule gives the player on turn the turn."""
    if table.passed_first:
        return passer_done
    return first_player_starts if table.opening_turn == table.turn != table.acted_in else alternate


def who_may_act(table: Splicers, event: Event) -> Rule | Case:
    """Return which rule decides whether this player may act now."""
    if table.phase == ACTION:
        return _whose_turn(table)
    if table.phase == SETUP:
        return common_rules.first_lacking(table, setup.STEPS) or alternate
    return both_drew if table.phase == START and table.drew else round_is_over


ACTOR_RULE: Final = select_rule(who_may_act)
TURNS: Final = (alternate, first_player_starts, passer_done)
"""The rules that give the player on turn the turn; one of them is at stake."""


def may_act(table: Splicers, player: str) -> Rule | None:
    """Return the rule by which a player may act now, with an action to do it; None where one of the two is lacking."""
    if table.active != player:
        return None
    if table.passed_first:
        return passer_done if actions_left(table, player) > 0 else None
    if table.players[player].actions <= 0:
        return None
    return _whose_turn(table) if table.opening_turn == table.turn else alternate  # as in nearly all turns


# -- the end of a turn and of a round ----------------------------------------------------------------------------------


OVER_BY: Final = {
    "pass": "is over already with the pass",
    "gone-on": "is over already, as the lines before this go on after it",
}
"""What is said of a turn that is over, by how it has ended without a line that says so."""


def said_again(table: Splicers, event: ev.TurnEnded) -> RuleVerdict | None:
    """Return the verdict on the end of a turn that is over: said again, or after the last action (ruling); or None."""
    how = table.closed[2] if rounds.is_closed(table, event.player) else ""
    if not how and not rounds.has_just_ended(table, event.player):
        return None
    message = f"the turn of {name_of(table, event.player)} {OVER_BY.get(how, 'has ended already')}"
    verdict = NOT_APPLICABLE if how == "spent" else Broken(message, "no second line", "info")
    return RuleVerdict(alternate, verdict, played=False)


@TURN_STRUCTURE.rule("splicers.round.final-turn", "L116.1", rests_on="nothing")
def has_final_turn(table: Splicers, _event: Event) -> Verdict:
    """After the first pass of a round the opponent gets exactly one more turn."""
    passed, active = name_of(table, table.passed_first), name_of(table, table.active)
    message = f"{passed} has passed, so {active} has one more turn, which the log lacks"
    return Broken(message, f"a turn of {active}", "missing")


@case(round_is_over)
def has_end_of_turn(table: Splicers, _event: Event) -> Verdict:
    """No round is over before its final turn has ended."""
    if not rounds.is_final_turn(table):
        return NOT_APPLICABLE
    active = name_of(table, table.active)
    return Broken(f"no line says that the final turn of {active} has ended", f"turn.ended by {active}", "missing")


def final_turn_first(table: Splicers, _event: Event | None) -> Rule | Case:
    """Return which rule decides whether the round may be over, so that its event is revealed or the next one begins."""
    return has_final_turn if rounds.is_final_turn(table) and not table.has_acted else has_end_of_turn


nothing_after_end: Final = END_OF_GAME.rule(
    "splicers.end.nothing-after-end",
    "L35.1",
    "Once the game has ended no further game event happens (inferred).",
    rests_on="nothing",
)(common_rules.nothing_after(ev.GameEnded))


# -- C: are there enough actions? --------------------------------------------------------------------------------------


@ACTIONS.rule("splicers.action.consume", "L123.2", rests_on="play")
def consume(table: Splicers, event: ByPlayer) -> Verdict:
    """Each listed action uses up one action; without an action left it cannot be done."""
    if table.active != event.player:
        return NOT_APPLICABLE
    return None if actions_left(table, event.player) > 0 else none_left(table, event)


def none_left(table: Splicers, event: ByPlayer) -> Broken:
    """Return the verdict that a player has no action left, or may use no other one in a final turn (ruling)."""
    because = "splicers.action.multiple" if table.has_acted else ""
    ruling = f" {by_ruling(table, 'final_turn_scope')}" if table.players[event.player].actions > 0 else ""
    message = f"{name_of(table, event.player)} has no action left in this turn{ruling}"
    return Broken(message, "at least 1 action", because=because)


ACTION_KEPT: Final = {of: all_passed(of, consume) for of in TURNS}
LISTED_ACTION: Final = "splicers.turn.action-list"
ANOTHER_ACTION: Final = ("splicers.action.multiple", LISTED_ACTION)


def act(table: Splicers, player: str, cost: int) -> None:
    """Spend an action of a player, as far as there are actions, if it is that player's turn.

    The table may have gone on without saying so. The turn of a listed action is remembered.
    """
    if table.owed is not None:
        go_on_without(table)
    if table.active != player:
        _catch_up(table, player)
        cost = cost if table.active == player else 0
    if table.last_note is not NO_NOTE:
        table.set(table, "last_note", NO_NOTE)
    if not cost:
        return
    if table.use_actions(table.players[player], cost):
        table.applied.append(LISTED_ACTION)
    else:
        table.applied += ANOTHER_ACTION


def go_on_without(table: Splicers) -> None:
    """Wait no longer for a line that the table has left out."""
    if table.owed is not None:
        if table.owed.line is ev.WillpowerAnswered:
            table.set(table, "agenda", table.agenda[1:])
        table.set(table, "owed", None)


def _catch_up(table: Splicers, player: str) -> None:
    """Bring the turn to where the table evidently is: lines that have to come before an action may be missing."""
    table.TURN.begin(table, player)
    if table.phase == START:
        rounds.begin_turns(table)
    if (
        table.phase == ACTION
        and table.active != player
        and table.has_acted
        and table.players[table.active].actions <= 0
    ):
        rounds.close_turn(table, table.active, "gone-on")


def _passes_late(table: Splicers) -> bool:
    """Return whether the player on turn has acted and may not pass any more (ruling `pass_after_actions`)."""
    return table.options["pass_after_actions"] == "forbidden" and table.has_acted  # noqa: S105 - a ruling


@case(consume)
def consume_for_pass(table: Splicers, event: ev.TurnPassed) -> Verdict:
    """Passing uses an action too (ruling `pass_cost`)."""
    if table.active == event.player and _passes_late(table):
        return f"{name_of(table, event.player)} passes after an action {by_ruling(table, 'pass_after_actions')}"
    if table.options["pass_cost"] == "free":  # noqa: S105 - a ruling
        return NOT_APPLICABLE
    return consume.check(table, event)


@move(ev.TurnPassed, ACTOR_RULE, consume_for_pass, offers=lambda _table, player: (ev.TurnPassed(player=player),))
def turn_passed(table: Splicers, event: ev.TurnPassed) -> None:
    """Carry out a pass; nobody can pass in the turn of somebody else."""
    player = event.player
    act(table, player, 0 if table.options["pass_cost"] == "free" else 1)  # noqa: S105 - a ruling
    if table.active == player:
        rounds.pass_turn(table, player)


def _may_skip(table: Splicers) -> bool:
    """Return whether the turn may end without an action (ruling `final_turn_must_act`)."""
    return bool(table.passed_first) and table.options["final_turn_must_act"] == "may_skip"


@TURN_STRUCTURE.rule("splicers.turn.must-act", "L109.2 L123.4", rests_on="nothing")
def must_act(table: Splicers, event: ev.TurnEnded) -> Verdict:
    """In each turn the player does at least one of the six listed actions."""
    if table.active != event.player or _may_skip(table):
        return NOT_APPLICABLE
    if table.acted_in == table.turn:
        return None
    return f"{name_of(table, event.player)} ends the turn without having done one of the six actions"


TURN_ENDED: Final = all_passed(alternate, must_act)
FINAL_TURN_ENDED: Final = all_passed(passer_done, must_act)


def ends(table: Splicers, event: ev.TurnEnded) -> AllPassed | None:
    """Return what is kept where the player on turn ends it and has acted in it."""
    if table.active != event.player or table.acted_in != table.turn:
        return None
    if not table.passed_first:
        return TURN_ENDED
    return None if _may_skip(table) else FINAL_TURN_ENDED


@move(ev.TurnEnded, usually(ends, ACTOR_RULE, must_act), offers=lambda _table, player: (ev.TurnEnded(player=player),))
def turn_ended(table: Splicers, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    if table.owed is not None:
        go_on_without(table)
    if table.active == event.player:
        rounds.end_turn(table)
