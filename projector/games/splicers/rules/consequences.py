"""The rules that a written consequence can break: what the log says follows, against what the rules make of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.games import splicers as ev
from events.vocabulary import Consequence
from projector.games.splicers import board
from projector.games.splicers.ending import NEEDED
from projector.games.splicers.naming import called
from projector.games.splicers.rules.counting import CONSEQUENCE, round_counted, round_started, state_of_biom
from projector.games.splicers.rules.drawing import unable_to_draw
from projector.games.splicers.rules.turns import alternate, nothing_after_end
from projector.games.splicers.selecting import dominated_by
from projector.games.splicers.state import OVER, START, Splicers
from projector.kit.mismatches import contradiction, unexpected
from projector.model.amounts import how_many
from projector.model.game import RuleVerdict
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import NOT_APPLICABLE, Broken, Rule, Verdict, case, declare

ROTATE: Final = declare(
    "splicers.biom.rotate", "Card Types: Biom", "L65.1", "A dominated biom is turned towards its dominator."
)
JUMPER_RETURN: Final = declare(
    "splicers.kw.jumper-return",
    "Advanced Keywords",
    "L191.1",
    "A card that jumped is back in the hand when the round is counted.",
)
REQUIREMENT: Final = declare(
    "splicers.req.devolve", "Misc. Rules: Requirements", "L143.3", "A ting whose requirement is not met devolves."
)
WILLPOWER_EFFECT: Final = declare(
    "splicers.kw.willpower-effect",
    "Advanced Keywords",
    "L189.2 L189.3",
    "If the opponent does not, the effect after the colon happens; otherwise it does not.",
)
THREE_BIOMS: Final = declare(
    "splicers.win.three-bioms",
    "End of game",
    "L35.1 L64.2",
    "The game ends at the end of a round in which a player dominates three or more bioms; that player wins.",
)
AT_ROUND_END: Final = declare(
    "splicers.win.check-at-round-end",
    "End of game",
    "L35.1 L64.2 L116.2",
    "Domination decides the game only when a round ends, never in the middle of a round.",
)
MOST_BIOMS: Final = declare(
    "splicers.end.final-most-bioms",
    "End of game",
    "L36.2",
    "When the final round is over the player who dominates more bioms wins.",
)
PRINTED_SUM: Final = declare(
    "splicers.end.final-tie-printed-sum",
    "End of game",
    "L36.3",
    "If both dominate equally many, compare the sums of the printed values of the bioms each dominates; the larger "
    "sum wins.",
)
CONCESSION: Final = declare(
    "splicers.end.concession",
    "Outside the rulebook",
    "",
    "A player may give up; the other one wins (outside the rulebook).",
)


@case(CONCESSION)
def may_concede(table: Splicers, event: ev.PlayerConceded) -> Verdict:
    """Judge whether a player may give up (ruling `concede`)."""
    if table.options["concede"] == "accepted":
        return NOT_APPLICABLE
    return f"{name_of(table, event.player)} gives up, which nobody may {by_ruling(table, 'concede')}"


ABANDONED: Final = declare(
    "splicers.end.abandoned",
    "Outside the rulebook",
    "",
    "A game that the table stops has no winner (outside the rulebook).",
)

ENDS: Final = {"final-round": MOST_BIOMS, "final-round-sum": PRINTED_SUM, "final-round-draw": PRINTED_SUM}


def explain_mismatch(table: Splicers, event: Any, expected: Any) -> RuleVerdict:
    """Return which rule a written consequence breaks; `expected` is what the rules derive in its place, or None."""
    if expected is None:
        if table.phase == OVER:
            return RuleVerdict(nothing_after_end, nothing_after_end(table, event))
        if table.last_note[0] == "answered in vain" and isinstance(event, (*EFFECTS, *TURNED)):
            return RuleVerdict(WILLPOWER_EFFECT, None)
    if isinstance(event, ev.CardDiscarded) and board.declined_backup(table, event.card) is not None:
        return RuleVerdict(CONSEQUENCE, None)
    judge = JUDGES.get(type(event))
    return judge(table, event, expected) if judge is not None else _unexpected(table, event, expected)


def _unexpected(table: Splicers, event: Consequence, expected: Any) -> RuleVerdict:
    """Return the rule for consequences without one of their own, and the derived rule that they contradict."""
    if expected is not None:
        return RuleVerdict(CONSEQUENCE, contradiction(table, event, expected))
    return RuleVerdict(CONSEQUENCE, unexpected(table, event, {}), because=_contradicted(table, event))


def _contradicted(table: Splicers, event: Any) -> str:
    """Return the derived rule that such a consequence contradicts: the one about its card, or its kind."""
    name = getattr(event, "card", "")
    card = table.find(name) if name else None
    leaves = isinstance(event, ev.CardDiscarded | ev.CardReturned | ev.CardMouldered)
    if card is not None and card.zone.name == f"splicer:{card.owner}" and leaves:
        discarded = isinstance(event, ev.CardDiscarded)
        return "splicers.splicer.no-discard" if discarded else "splicers.splicer.always-in-play"
    if card is not None and card.zone.name == "season":
        return "splicers.kw.season"
    of_kind = [each.rule for each in table.derived if type(each.event) is type(event)]
    of_card = [each.rule for each in table.derived if name and getattr(each.event, "card", "") == name]
    if of_kind or of_card:
        return [*of_kind, *of_card][0]
    if table.zones["event"].cards and isinstance(event, EFFECTS):
        return "splicers.event.one-shot"
    if table.phase == START and isinstance(event, EFFECTS):
        return "splicers.round.end-effects"
    by_reason = SPEAKING.get(type(event), {})
    return by_reason.get(getattr(event, "reason", ""), by_reason.get("", ""))


EFFECTS: Final = (ev.CardDiscarded, ev.DominanceChanged, ev.TokensChanged, ev.CardReturned, ev.ActionsGained)
TURNED: Final = (ev.CardExhausted, ev.TingDevolved, ev.CardMouldered)
SPEAKING: Final[Mapping[type[Consequence], Mapping[str, str]]] = {
    ev.CardExhausted: {"": "splicers.exhaust.at-symbol"},
    ev.TingDevolved: {"hunt": "splicers.kw.hunt-optional", "ability": "splicers.kw.devolve"},
    ev.CardDiscarded: {
        "host-gone": "splicers.mutation.lost-on-devolve",
        "extinguish": "splicers.kw.extinguish",
        "crunch": "splicers.kw.crunch",
        "event-done": "splicers.event.discard-after",
        "season-over": "splicers.kw.season-replaced",
    },
    ev.CardReturned: {"backup": "splicers.kw.backup", "bounce": "splicers.kw.bounce"},
    ev.DominanceChanged: {"": "splicers.kw.plus-minus"},
    ev.TokensChanged: {"": "splicers.ability.passive-triggers"},
    ev.ActionsGained: {"": "splicers.kw.graze-gain"},
}
"""The derived rules that a consequence contradicts which comes out of nowhere, by type and reason."""


# -- consequences with rules of their own ------------------------------------------------------------------------------


def _turn_started(table: Splicers, event: ev.TurnStarted, expected: ev.TurnStarted | None) -> RuleVerdict:
    due = expected.player if expected is not None else table.active
    if due == event.player:
        message = f"a turn of {name_of(table, due)} begins, which has begun before"
        return RuleVerdict(alternate, Broken(message, "no second line", "info"), played=False)
    whose = f"the turn of {name_of(table, due)}" if due else "no turn"
    message = f"a turn of {name_of(table, event.player)} begins where {whose} is due"
    return RuleVerdict(alternate, Broken(message, whose))


def _jumper_returned(table: Splicers, event: ev.JumperReturned, expected: ev.JumperReturned | None) -> RuleVerdict:
    return RuleVerdict(
        JUMPER_RETURN, f"{called(table, event.card)} has not jumped in this round, or has returned already"
    )


def _biom_rotated(table: Splicers, event: ev.BiomRotated, expected: ev.BiomRotated | None) -> RuleVerdict:
    name = table.bioms.get(event.biom, "")
    dominator = table.cards[name].dominator if name else ""
    biom, turned = called(table, name or event.biom), name_of(table, event.dominator) if event.dominator else "nobody"
    if (event.dominator or "") == dominator:
        message = f"{biom} is turned to {turned}, as it was before"
        return RuleVerdict(ROTATE, Broken(message, "no second line", "info"), played=False)
    due = f"{name_of(table, dominator) if dominator else 'nobody'} dominates it{state_of_biom(table, event.biom)}"
    return RuleVerdict(ROTATE, Broken(f"{biom} is turned to {turned}, but {due}", due))


def _ting_devolved(table: Splicers, event: ev.TingDevolved, expected: ev.TingDevolved | None) -> RuleVerdict:
    if event.reason != "requirement":
        return _unexpected(table, event, expected)
    because = "splicers.mutation.with-evolve" if "splicers.mutation.with-evolve" in table.newly_applied else ""
    message = f"{called(table, event.card)} devolves although its requirements are met"
    return RuleVerdict(REQUIREMENT, message, because=because)


def _card_discarded(table: Splicers, event: ev.CardDiscarded, expected: ev.CardDiscarded | None) -> RuleVerdict:
    if event.reason == "extinguish" and table.last_note[0] == "answered":
        message = f"{called(table, event.card)} is discarded although willpower was answered"
        return RuleVerdict(WILLPOWER_EFFECT, message)
    return _unexpected(table, event, expected)


def _game_ended(table: Splicers, event: ev.GameEnded, expected: ev.GameEnded | None) -> RuleVerdict:
    due = NOTHING_OF_THE_KIND.get(event.reason, "the game goes on")
    rule = _rule_of_end(table, event)
    if rule is AT_ROUND_END:
        due += ", as bioms are counted when the round ends"
    elif rule is THREE_BIOMS and event.winner is not None and expected is None:
        number = len(dominated_by(table, event.winner))
        due += f": {name_of(table, event.winner)} dominates {how_many(number, 'biom')}, and {NEEDED} are needed"
    if expected is not None:
        due = f"{name_of(table, expected.winner) if expected.winner else 'nobody'} wins: {expected.reason}"
    winner = name_of(table, event.winner) if event.winner else "nobody"
    broken = Broken(f"the log says that {winner} wins: {event.reason}; by the lines before {due}", due)
    return RuleVerdict(rule, broken)


NOTHING_OF_THE_KIND: Final = {"concession": "nobody has conceded", "abandoned": "nobody has stopped the game"}


def _rule_of_end(table: Splicers, event: ev.GameEnded) -> Rule:
    if event.reason == "domination":
        at_end = table.phase in {OVER, START} and not table.drew and not table.zones["event"].cards
        return THREE_BIOMS if at_end else AT_ROUND_END
    if event.reason == "concession":
        return CONCESSION
    if event.reason == "abandoned":
        return ABANDONED
    if not table.last_round:
        return unable_to_draw
    numbers = {len(dominated_by(table, player)) for player in table.players}
    if max(numbers) >= NEEDED and table.reason == "domination":
        return THREE_BIOMS
    return MOST_BIOMS if len(numbers) > 1 else PRINTED_SUM


JUDGES: Final[Mapping[type[Consequence], Callable[[Splicers, Any, Any], RuleVerdict]]] = {
    ev.RoundCounted: round_counted,
    ev.RoundStarted: round_started,
    ev.TurnStarted: _turn_started,
    ev.JumperReturned: _jumper_returned,
    ev.BiomRotated: _biom_rotated,
    ev.TingDevolved: _ting_devolved,
    ev.CardDiscarded: _card_discarded,
    ev.GameEnded: _game_ended,
}
