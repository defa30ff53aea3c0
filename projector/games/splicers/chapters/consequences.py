"""What a log says follows, against what the rules make of it: the rule that it breaks, why, and what is done then."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.splicers import board, rounds, triggers, turns
from tabletape.projector.games.splicers.chapters import counting
from tabletape.projector.games.splicers.chapters.answering import WILLPOWER_EFFECT
from tabletape.projector.games.splicers.chapters.entering import JUMPER_RETURN
from tabletape.projector.games.splicers.chapters.evolving import REQUIREMENT
from tabletape.projector.games.splicers.chapters.setup import players_two
from tabletape.projector.games.splicers.chapters.turns import alternate, nothing_after_end
from tabletape.projector.games.splicers.effects import add_actions, to_discard_pile
from tabletape.projector.games.splicers.state import ACTION, START, Splicers, SplicersCard
from tabletape.projector.kit.adopting import as_written, surplus
from tabletape.projector.kit.ending import adopt_end
from tabletape.projector.kit.mismatches import Mismatches, Reason, RuleOf
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_of


def explain_mismatch(table: Splicers, event: Any, expected: Any) -> RuleVerdict:
    """Return which rule a written consequence breaks; `expected` is what the rules derive in its place, or None."""
    if expected is None and table.last_note[0] == "answered in vain" and isinstance(event, (*EFFECTS, *TURNED)):
        return RuleVerdict(WILLPOWER_EFFECT, None)
    if isinstance(event, ev.CardDiscarded) and board.declined_backup(table, event.card) is not None:
        return RuleVerdict(counting.CONSEQUENCE, None)
    return MISMATCHES.explain(table, event, expected)


def _because(table: Splicers, event: Any, expected: Any) -> str:
    if isinstance(event, ev.TingDevolved) and event.reason == "requirement":
        return WITH_EVOLVE if WITH_EVOLVE in table.newly_applied else ""
    return "" if expected is not None else _contradicted(table, event)


def _contradicted(table: Splicers, event: Any) -> str:
    """Return the derived rule that a line contradicts which the rules do not make: about its card, or its kind."""
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


WITH_EVOLVE: Final = "splicers.mutation.with-evolve"
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


def _is_answered(table: Splicers, event: ev.CardDiscarded) -> bool:
    return event.reason == "extinguish" and table.last_note[0] == "answered"


RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    ev.RoundStarted: counting.round_started,
    ev.RoundCounted: counting.round_counted,
    ev.TurnStarted: alternate,
    ev.JumperReturned: JUMPER_RETURN,
    ev.BiomRotated: counting.ROTATE,
    ev.TingDevolved: lambda _table, event, _expected: (
        REQUIREMENT if event.reason == "requirement" else counting.CONSEQUENCE
    ),
    ev.CardDiscarded: lambda table, event, _: WILLPOWER_EFFECT if _is_answered(table, event) else counting.CONSEQUENCE,
    ev.GameEnded: counting.game_ended,
}


def _due_turn(table: Splicers, event: ev.TurnStarted) -> str:
    return f"{f'the turn of {name_of(table, table.active)}' if table.active else 'no turn'} is due"


def _dominator(table: Splicers, event: ev.BiomRotated) -> str:
    name = table.bioms.get(event.biom, "")
    return table.cards[name].dominator if name else ""


def _dominates(table: Splicers, event: ev.BiomRotated) -> str:
    dominator = _dominator(table, event)
    return f"{name_of(table, dominator) if dominator else 'nobody'} dominates it"


REASONS: Final[Mapping[type[Consequence], Reason]] = {
    ev.RoundStarted: lambda table, _event: f"it is round {table.round}, which is not over",
    ev.RoundCounted: lambda table, _event: f"round {table.round} is not over",
    ev.TurnStarted: _due_turn,
    ev.JumperReturned: lambda _table, _event: "it has not jumped in this round, or has returned already",
    ev.BiomRotated: _dominates,
    ev.TingDevolved: lambda _table, event: "its requirements are met" if event.reason == "requirement" else "",
    ev.CardDiscarded: lambda table, event: "willpower was answered" if _is_answered(table, event) else "",
    ev.GameEnded: counting.goes_on,
}
IS_SO: Final[Mapping[type[Consequence], Callable[[Splicers, Any], bool]]] = {
    ev.RoundStarted: lambda table, event: event.round == table.round,
    ev.TurnStarted: lambda table, event: event.player == table.active,
    ev.BiomRotated: lambda table, event: (event.dominator or "") == _dominator(table, event),
}
"""Whether the table is already as a line says that is not due."""


def _resting_on(table: Splicers, event: Any, _expected: Any) -> str:
    return counting.state_of_biom(table, event.biom) if isinstance(event, ev.BiomRotated) else ""


MISMATCHES: Final = Mismatches(
    seats=players_two,
    end=nothing_after_end,
    rules=RULES,
    usual=counting.CONSEQUENCE,
    reasons=REASONS,
    is_so=IS_SO,
    because=_because,
    resting_on=_resting_on,
)


# -- what the table goes on with: it did what the log says; `expected` is what it has done already, or None ------------

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
    board.put_tokens(table, card, surplus(event, expected, "by"))


def _gained(table: Splicers, event: ev.ActionsGained, expected: ev.ActionsGained | None) -> None:
    if event.player in table.players:
        add_actions(table, event.player, surplus(event, expected, "count"))


def _turn(table: Splicers, event: ev.TurnStarted, expected: Any) -> None:
    if table.phase == ACTION and event.player in table.players and table.active != event.player:
        with as_written(table, event):
            table.begin_turn(event.player, alternate.id)


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
