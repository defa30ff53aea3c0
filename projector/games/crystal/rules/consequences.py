"""The rules that a written consequence can break: what the log says follows, against what the rules make of it."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from events.games import crystal as ev
from events.vocabulary import Consequence
from projector.games.crystal.abilities import verb
from projector.games.crystal.rules.deploying import draw_first, nothing_after_end, own_turn
from projector.games.crystal.rules.playing import affordable, as_written, own_tokens
from projector.games.crystal.rules.reasons import IS_SO, REASONS, START_ABILITIES, resting_on
from projector.games.crystal.rules.setup import two_or_more
from projector.games.crystal.state import Crystal, living
from projector.kit.mismatches import Mismatches, RuleOf, contradiction, rule_behind
from projector.model.game import RuleVerdict
from projector.model.rules import Rule, declare

SUPPLY: Final = declare(
    "crystal.setup.supply",
    "Setup",
    "L21",
    "Hit points and crystals start at what the base cards say, else at 20 and 5.",
)
PHASE_ORDER: Final = declare(
    "crystal.round.phase-order",
    "Turn phases",
    "L32-L78",
    "A round has start of round, deploy, attack, mining, end of turn, end of round; what the log says to begin or to "
    "be resolved is due (its totals tell the order, not the place of a line).",
)
LIMIT_SET: Final = declare(
    "crystal.tech.limit-set", "Deploy Phase", "L46", "The tech limit is the power of the Tech lane after the draw."
)
SAME_TURN: Final = declare(
    "crystal.tech.same-turn-cards",
    "Deploy Phase",
    "L46",
    "Cards of the same turn do not add to the limit, unless a card says so.",
)
AFTER_PAYMENT: Final = declare(
    "crystal.cost.after-payment",
    "Deploy Phase",
    "L50",
    "Abilities come after paying, except those that change the card's own cost or requirement.",
)
VALUE: Final = declare(
    "crystal.lane.value-of-lane",
    "Attack, mining, anatomy",
    "L56 L68 L84",
    "The value that counts is the one of the lane in which the card lies; base card and tokens count too.",
)
DIFFERENCE: Final = declare(
    "crystal.attack.difference", "Attack Phase", "L56 L60", "Two players: the lower attack takes the difference."
)
HIGHEST_ONLY: Final = declare(
    "crystal.attack.highest-only", "Attack Phase", "L56 L62", "More players: everybody compares with the highest only."
)
ZERO_HITPOINTS: Final = declare(
    "crystal.attack.zero-hitpoints",
    "Attack Phase",
    "L58",
    "Whoever has 0 hit points or less at the end of the phase is out.",
)
GAIN: Final = declare(
    "crystal.mining.gain", "Mining Phase", "L68", "Each player gains crystals equal to the power of the Mining lane."
)
PASSES_LEFT: Final = declare(
    "crystal.priority.passes-left", "End of Round", "L76-L78", "The token goes to the player on the left."
)
TWO_WAYS: Final = declare(
    "crystal.win.two-ways",
    "Winning the game",
    "L4",
    "Two ways to win: 50 crystals in the own supply, or the opponents at 0 hit points.",
)
LAST_STANDING: Final = declare(
    "crystal.win.last-standing", "Winning the game, Attack Phase", "L4 L58", "The last one standing wins at once."
)
FIFTY: Final = declare(
    "crystal.win.fifty-crystals", "Mining Phase", "L70", "Whoever has 50 crystals in this phase wins."
)
MOST: Final = declare(
    "crystal.win.most-crystals", "Mining Phase", "L70", "Of several the one with the most crystals wins."
)
TIE_BREAK: Final = declare(
    "crystal.win.tie-break",
    "Mining Phase",
    "L70",
    "Then hit points, then power in the Attack lane, then in the Tech lane decide.",
)
TIE: Final = declare("crystal.win.tie", "Mining Phase", "L70", "If all is equal it is a tie.")
CONCESSION: Final = declare(
    "crystal.elimination.concession", "Outside the rulebook", "", "A player who gives up is out (outside the rulebook)."
)
ABANDONED: Final = declare(
    "crystal.end.abandoned",
    "Outside the rulebook",
    "",
    "A game that the table stops has no winner (outside the rulebook).",
)
LADDER: Final = {rule.id: rule for rule in (FIFTY, MOST, TIE_BREAK, TIE)}


def _as_named(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> ev.GameEnded:
    """Return an end as the log names it: whoever stands last because the others gave up has won by a concession."""
    if event.reason == "concession" and table.conceding and expected.reason == "last-standing":
        return msgspec.structs.replace(expected, reason="concession")
    return expected


def _is_allowed_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded) -> bool:
    """Return whether a game may also end so: by a concession, or with a tie that nobody breaks (ruling)."""
    if event.winner == expected.winner and event.reason == expected.reason:
        return True
    unbroken = table.options["tie_break"] == "tables_choice" and rule_behind(table, expected) == TIE_BREAK.id
    return unbroken and event.reason == "crystals" and event.winner is None


# -- which rule --------------------------------------------------------------------------------------------------------


def _of_ability(table: Crystal, event: Any, expected: Any) -> Rule:
    """Return the rule about what an ability does, another amount or card; that it was not its time the reason says."""
    if rule_behind(table, expected) == START_ABILITIES.id:
        return START_ABILITIES
    return own_tokens if expected is None and isinstance(event, ev.TokenPlaced) else as_written


def _tech_limit(table: Crystal, event: ev.TechLimitSet, expected: Any) -> Rule | RuleVerdict:
    if expected is not None:
        return as_written if rule_behind(table, expected).startswith("crystal.ability") else LIMIT_SET
    if event.player != table.active:
        return LIMIT_SET
    return SAME_TURN if table.limited else RuleVerdict(draw_first, draw_first(table, event))


def _paid(table: Crystal, event: ev.CrystalsPaid, expected: ev.CrystalsPaid | None) -> Rule:
    changed = rule_behind(table, expected) == AFTER_PAYMENT.id
    return AFTER_PAYMENT if changed and expected is not None and event.amount != expected.amount else affordable


def _attack(table: Crystal, event: ev.AttackResolved, expected: ev.AttackResolved | None) -> Rule:
    if expected is None:
        return PHASE_ORDER
    if event.power != expected.power:
        return VALUE
    fallen = sum(isinstance(each.event, ev.PlayerEliminated) for each in table.derived)
    return HIGHEST_ONLY if len(living(table)) + fallen > 2 else DIFFERENCE


def _eliminated(table: Crystal, event: ev.PlayerEliminated, expected: Any) -> Rule:
    gave_up = any(each.rule == CONCESSION.id for each in table.derived)
    return CONCESSION if gave_up else ZERO_HITPOINTS


def _ended(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule | RuleVerdict:
    if expected is None:
        return _rule_of_end(table, event, None)
    named = _as_named(table, event, expected)
    is_allowed = _is_allowed_end(table, event, named)
    differs = None if is_allowed else contradiction(table, event, named, resting_on(table, event, named))
    return RuleVerdict(_rule_of_end(table, event, named), differs)


def _rule_of_end(table: Crystal, event: ev.GameEnded, expected: ev.GameEnded | None) -> Rule:
    reasons = {event.reason, expected.reason if expected is not None else event.reason}
    if "abandoned" in reasons:
        return ABANDONED
    if expected is not None and expected.reason == "concession":
        return CONCESSION
    if len(reasons) > 1:
        return TWO_WAYS
    if event.reason != "crystals":
        return LAST_STANDING
    return LADDER.get(rule_behind(table, expected), FIFTY)


RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    **dict.fromkeys(verb.made_by, _of_ability),
    ev.RoundStarted: PHASE_ORDER,
    ev.PhaseStarted: PHASE_ORDER,
    ev.TurnStarted: own_turn,
    ev.SupplySet: SUPPLY,
    ev.PriorityPassed: PASSES_LEFT,
    ev.TechLimitSet: _tech_limit,
    ev.CrystalsPaid: _paid,
    ev.AttackResolved: _attack,
    ev.MiningResolved: lambda _table, _event, expected: PHASE_ORDER if expected is None else GAIN,
    ev.PlayerEliminated: _eliminated,
    ev.GameEnded: _ended,
}
MISMATCHES: Final = Mismatches(
    seats=two_or_more, end=nothing_after_end, rules=RULES, reasons=REASONS, is_so=IS_SO, resting_on=resting_on
)
