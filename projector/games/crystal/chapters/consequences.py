"""What a log says follows, against what the rules make of it: the rule that it breaks, why, and what is done then."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Consequence, fields_of
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.abilities import TOKENS, verb
from tabletape.projector.games.crystal.chapters import (
    choosing,
    deploy_phase,
    giving_up,
    phases,
    playing,
    rounds,
    setup,
    winning,
)
from tabletape.projector.games.crystal.chapters.drawing import draw_first
from tabletape.projector.games.crystal.state import DEPLOY, LANE, SETUP, Crystal, lane_meant, lane_of, living
from tabletape.projector.kit.adopting import as_written, surplus
from tabletape.projector.kit.ending import NOT_ENDED, adopt_end
from tabletape.projector.kit.mismatches import Mismatches, Reason, RuleOf, contradiction, rule_behind
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.rules import Rule

POWERS: Final[Mapping[type[Consequence], str]] = {
    ev.AttackResolved: "attack",
    ev.MiningResolved: "mining",
    ev.TechLimitSet: "tech",
}
"""The lane whose power a line gives."""

DECIDING: Final[Mapping[type[Consequence], Mapping[str, tuple[str, ...]]]] = {
    ev.DamageTaken: {"prevention_reach": ("any_damage",), "mining_prevention": ("ability_damage",)},
    ev.TechLimitSet: {"tech_limit_time": ("start_of_round",)},
    ev.GameEnded: {"tie_break": ("always", "never")},
}
"""The options of rulings that decide about a line."""


def resting_on(table: Crystal, _event: Any, expected: Any) -> str:
    """Return the rulings that a derived line rests on, to stand behind what it says."""
    found = [key for key, options in DECIDING.get(type(expected), {}).items() if table.options[key] in options]
    if isinstance(expected, ev.AttackResolved) and expected.prevented:
        found.append("prevention")
    lane = POWERS.get(type(expected))
    if lane is not None and board.is_at_floor(table, table.players[expected.player], LANE[lane]):
        found.append("base_floor")
    return "".join(f", {by_ruling(table, key)}" for key in found)


# -- which rule --------------------------------------------------------------------------------------------------------


def _as_named(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> ev.GameEnded:
    """Return an end as the log names it: whoever stands last because the others gave up has won by a concession."""
    if event.reason == "concession" and table.conceding and expected.reason == "last-standing":
        return msgspec.structs.replace(expected, reason="concession")
    return expected


def _is_allowed_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> bool:
    """Return whether a game may also end so: by a concession, or with a tie that nobody breaks (ruling)."""
    if event.winner == expected.winner and event.reason == expected.reason:
        return True
    unbroken = table.options["tie_break"] == "tables_choice" and rule_behind(table, expected) == winning.TIE_BREAK.id
    return unbroken and event.reason == "crystals" and event.winner is None


def _rule_of_ability(table: Crystal, event: Any, expected: Any) -> Rule | RuleVerdict:
    """Return the rule about what an ability does, another amount or card; that it was not its time the reason says."""
    if expected is not None and _differs_in_name(event, expected):
        return RuleVerdict(choosing.as_written, None)
    if rule_behind(table, expected) == phases.START_ABILITIES.id:
        return phases.START_ABILITIES
    return playing.own_tokens if expected is None and isinstance(event, ev.TokenPlaced) else choosing.as_written


def _differs_in_name(event: Any, expected: Any) -> bool:
    """Return whether a line differs from the derived one only in what it calls a lane."""
    names = [field.name for field in fields_of(type(event))]
    differing = [name for name in names if getattr(event, name) not in (UNSET, getattr(expected, name))]
    return differing == ["lane"] and lane_meant(event.lane) == expected.lane


def _rule_of_limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> Rule | RuleVerdict:
    if expected is not None:
        by_ability = rule_behind(table, expected).startswith("crystal.ability")
        return choosing.as_written if by_ability else deploy_phase.LIMIT_SET
    if event.player != table.active:
        return deploy_phase.LIMIT_SET
    return deploy_phase.SAME_TURN if table.limited else RuleVerdict(draw_first, draw_first(table, event))


def _rule_of_payment(table: Crystal, event: ev.CrystalsPaid, expected: ev.CrystalsPaid | None) -> Rule:
    changed = rule_behind(table, expected) == choosing.AFTER_PAYMENT.id
    is_other = changed and expected is not None and event.amount != expected.amount
    return choosing.AFTER_PAYMENT if is_other else playing.affordable


def _rule_of_elimination(table: Crystal, event: ev.PlayerEliminated, expected: Any) -> Rule:
    gave_up = any(each.rule == giving_up.CONCESSION.id for each in table.derived)
    return giving_up.CONCESSION if gave_up else winning.ZERO_HITPOINTS


def _verdict_on_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule | RuleVerdict:
    if expected is None:
        return _rule_of_end(table, event, None)
    named = _as_named(table, event, expected)
    is_allowed = _is_allowed_end(table, event, named)
    differs = None if is_allowed else contradiction(table, event, named, resting_on(table, event, named))
    return RuleVerdict(_rule_of_end(table, event, named), differs)


def _rule_of_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule:
    reasons = {event.reason, expected.reason if expected is not None else event.reason}
    if "abandoned" in reasons:
        return giving_up.ABANDONED
    if expected is not None and expected.reason == "concession":
        return giving_up.CONCESSION
    if len(reasons) > 1:
        return winning.TWO_WAYS
    if event.reason != "crystals":
        return winning.LAST_STANDING
    return winning.LADDER.get(rule_behind(table, expected), winning.FIFTY)


# -- what is so already ------------------------------------------------------------------------------------------------


def _has_ended(table: Crystal, event: ev.GameEnded) -> bool:
    reasons = {table.reason, "concession" if table.conceding else ""}
    return table.over and (event.winner or "") == table.winner and event.reason in reasons


def _is_limit(table: Crystal, event: ev.TechLimitSet) -> bool:
    is_set = table.limited and table.active == event.player
    return is_set and table.players[event.player].tech_limit == event.limit


def _is_supply(table: Crystal, event: ev.SupplySet) -> bool:
    player = table.players[event.player]
    same = (player.hitpoints, player.crystals) == (event.hitpoints, event.crystals)
    return table.phase == SETUP and player.listed and same


IS_SO: Final[Mapping[type[Consequence], Callable[[Crystal, Any], bool]]] = {
    ev.GameEnded: _has_ended,
    ev.RoundStarted: lambda table, event: event.round == table.round,
    ev.PhaseStarted: phases.has_begun,
    ev.TurnStarted: lambda table, event: event.player == table.active,
    ev.PriorityPassed: lambda table, event: event.to == table.priority,
    ev.PlayerEliminated: lambda table, event: not table.players[event.player].living,
    ev.TechLimitSet: _is_limit,
    ev.SupplySet: _is_supply,
}
"""Whether the table is already as a line says that is not due."""


# -- why it is not so --------------------------------------------------------------------------------------------------


def _where(table: Crystal, _event: Any = None) -> str:
    """Return where the game stands: `it is round 2, and Ann is deploying`."""
    if table.phase == SETUP:
        return "the set-up is not done"
    if table.active:
        return f"it is round {table.round}, and {name_of(table, table.active)} is deploying"
    return f"it is round {table.round}, {table.phase.replace('-', ' ')}"


def _supply(table: Crystal, event: ev.SupplySet) -> str:
    player = table.players[event.player]
    return f"{player.name} has a supply already" if player.listed else f"{player.name} has declared no faction yet"


def _limit(table: Crystal, event: ev.TechLimitSet) -> str:
    if table.active != event.player:
        return _where(table)
    return f"it is set already, to {table.players[event.player].tech_limit}, and no card changes it now"


def _paid(table: Crystal, event: ev.CrystalsPaid) -> str:
    player, refused = table.players[event.player], table.refused
    if refused is not None and refused.player == event.player:
        return f"{player.name} has {how_many(player.crystals, 'crystal')} for {named(table, refused.card)}"
    return f"no card of {player.name} is to be paid; {_where(table)}"


def _resolved(table: Crystal, event: Any) -> str:
    player = table.players[event.player]
    return _where(table) if player.living else f"{player.name} is out"


def _passed(table: Crystal, event: ev.PriorityPassed) -> str:
    return f"no round ends; it is with {name_of(table, table.priority) if table.priority else 'nobody yet'}"


def _eliminated(table: Crystal, event: ev.PlayerEliminated) -> str:
    player = table.players[event.player]
    if player.hitpoints <= 0:
        return f"the attack phase has not ended, {by_ruling(table, 'hitpoint_check')}"
    return f"{player.name} has {how_many(player.hitpoints, 'hit point')} left"


def _ended(table: Crystal, event: ev.GameEnded) -> str:
    players = living(table)
    if event.reason == "crystals":
        have = ", ".join(f"{player.name} {player.crystals}" for player in players)
        return f"nobody wins with {winning.ENOUGH} crystals now ({have}; {by_ruling(table, 'crystal_check')})"
    return NOT_ENDED.get(event.reason) or f"{joined(player.name for player in players)} are still in the game"


REASONS: Final[Mapping[type[Consequence], Reason]] = {
    **dict.fromkeys(verb.made_by, choosing.why_no_ability),
    **dict.fromkeys((ev.RoundStarted, ev.PhaseStarted, ev.TurnStarted), _where),
    ev.SupplySet: _supply,
    ev.PriorityPassed: _passed,
    ev.TechLimitSet: _limit,
    ev.CrystalsPaid: _paid,
    ev.AttackResolved: _resolved,
    ev.MiningResolved: _resolved,
    ev.PlayerEliminated: _eliminated,
    ev.GameEnded: _ended,
}
RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    **dict.fromkeys(verb.made_by, _rule_of_ability),
    ev.RoundStarted: phases.PHASE_ORDER,
    ev.PhaseStarted: phases.PHASE_ORDER,
    ev.TurnStarted: deploy_phase.own_turn,
    ev.SupplySet: setup.SUPPLY,
    ev.PriorityPassed: rounds.PASSES_LEFT,
    ev.TechLimitSet: _rule_of_limit,
    ev.CrystalsPaid: _rule_of_payment,
    ev.AttackResolved: phases.rule_of_attack,
    ev.MiningResolved: lambda _table, _event, expected: phases.PHASE_ORDER if expected is None else phases.GAIN,
    ev.PlayerEliminated: _rule_of_elimination,
    ev.GameEnded: _verdict_on_end,
}
MISMATCHES: Final = Mismatches(
    seats=setup.two_or_more,
    end=winning.nothing_after_end,
    rules=RULES,
    reasons=REASONS,
    is_so=IS_SO,
    resting_on=resting_on,
)


# -- what the table goes on with: it did what the log says; `expected` is what it has done already, or None ------------
# Where a total differs, the later lines that are still to come for that player have the same difference, so that one
# slip is one finding.


def _totals(sign: int = 0) -> Callable[[Crystal, Any, Any], None]:
    """Return what takes written totals over; a line that nothing was derived for changes them by its amount."""

    def enforce(table: Crystal, event: Any, expected: Any) -> None:
        for field in ("hitpoints", "crystals"):
            if field in event.__struct_fields__:
                by = getattr(event, field) - getattr(expected, field) if expected else sign and sign * event.amount
                board.shift(table, event.player, field, by)

    return enforce


def _adopt_supply(table: Crystal, event: ev.SupplySet, expected: ev.SupplySet | None) -> None:
    table.update(table.players[event.player], hitpoints=event.hitpoints, crystals=event.crystals)


def _adopt_limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> None:
    if event.player == table.active and not table.limited:
        deploy_phase.go_on_undrawn(table)
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


def _adopt_eliminated(table: Crystal, event: ev.PlayerEliminated, expected: Any) -> None:
    """Put a player out; among several only once the others go on without that player."""
    player = table.players[event.player]
    if not player.living or table.over:
        return
    table.set(player, "written_out", True)
    if len(living(table)) == 2:
        with as_written(table, event):
            winning.put_out(table, [player], winning.ZERO_HITPOINTS.id)


def _adopt_paid(table: Crystal, event: ev.CrystalsPaid, expected: Any) -> None:
    """Take the payment over; a card that seemed too dear was evidently played."""
    refused = table.refused
    if expected is None and refused is not None and refused.player == event.player:
        table.set(table, "refused", None)
        with as_written(table, event):
            playing.play_card(table, refused, table.card(refused.card), event.amount)
        table.set(table.players[event.player], "crystals", event.crystals)
    else:
        _totals(-1)(table, event, expected)


def _adopt_passed(table: Crystal, event: ev.PriorityPassed, expected: Any) -> None:
    """Pass the token to the other player, who deploys first then."""
    to = table.players.get(event.to)
    if table.priority == event.to or to is None or not to.living:
        return
    table.set(table, "priority", event.to)
    if table.phase == DEPLOY and deploy_phase.has_just_begun(table):
        _restart(table)


def _restart(table: Crystal) -> None:
    """Begin the deploy phase again with the player who has the token now; nobody has done anything in it yet."""
    begun = (ev.TurnStarted, ev.TechLimitSet)
    table.derived = [each for each in table.derived if not isinstance(each.event, begun)]
    table.set(table, "waiting", tuple(player.id for player in living(table)))
    table.count(table, "turn", -1)
    rounds.next_part(table)


def _turn(table: Crystal, event: ev.TurnStarted, expected: Any) -> None:
    """Hand the deploying to another player than the one whose part it is."""
    if table.phase == DEPLOY and event.player != table.active and table.players[event.player].living:
        others = tuple(player for player in table.waiting if player != event.player)
        table.set(table, "waiting", (event.player, *others))
        with as_written(table, event):
            rounds.next_part(table)
        table.set(table, "handed_over", True)


def _phase(table: Crystal, event: ev.PhaseStarted, expected: Any) -> None:
    """Leave the deploy phase where the table has left it."""
    if table.phase == DEPLOY and event.phase == "attack":
        table.update(table, waiting=(), owed=())
        with as_written(table, event):
            rounds.next_part(table)


def _round(table: Crystal, event: ev.RoundStarted, expected: Any) -> None:
    """Begin round 1 where the table has begun it, or count as the table counts."""
    if table.phase == SETUP:
        with as_written(table, event):
            rounds.begin_first_round(table, table.flips[-1] if table.flips else next(iter(table.players)))
    else:
        table.set(table, "round", event.round)


ENFORCE: Mapping[type[Consequence], Callable[[Crystal, Any, Any], None]] = {
    ev.SupplySet: _adopt_supply,
    ev.TechLimitSet: _adopt_limit,
    ev.CrystalsPaid: _adopt_paid,
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
    ev.PlayerEliminated: _adopt_eliminated,
    ev.PriorityPassed: _adopt_passed,
    ev.TurnStarted: _turn,
    ev.PhaseStarted: _phase,
    ev.RoundStarted: _round,
    ev.GameEnded: adopt_end(winning.end_game),
}
