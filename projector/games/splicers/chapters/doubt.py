"""What is undecidable: lines that name a card no file knows, and what may come from a text that only people read."""

from typing import Any, Final

from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.splicers.chapters.counting import CONSEQUENCE
from tabletape.projector.games.splicers.chapters.seeds import at_biom
from tabletape.projector.games.splicers.chapters.setup import card_types
from tabletape.projector.games.splicers.naming import rule_ids, title
from tabletape.projector.games.splicers.state import Splicers, SplicersCard
from tabletape.projector.kit.common_rules import names_in
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import NOT_APPLICABLE, Rule, Undecidable
from tabletape.projector.model.suggestions import nearest

CARDS: Final = frozenset(
    (
        *("card", "cards", "splicer", "bioms", "row", "biom", "to", "target", "shown", "tings", "found", "host"),
        *("mutations", "discarded", "replacement", "returned", "drawn", "was"),
    )
)
"""The fields of lines that name cards and bioms."""


WHATEVER_THE_CARD: Final = rule_ids(
    *("players.two", "deck.min-size", "deck.singleton", "end.nothing-after-end"),
    *("setup.shuffle-deck", "setup.opening-hand", "setup.random-first", "setup.mulligan-order", "mulligan.once"),
    *("setup.first-round-no-start", "round.draw-one", "turn.alternate", "turn.first-player-starts", "turn.must-act"),
    *("round.passer-done", "round.ends-after-pass", "round.final-turn", "event.one-per-round"),
    *("action.consume", "ability.consumes-action", "ability.own-turn", "mutation.own-turn"),
)
"""Rules about turns, actions and numbers of cards: a line breaks them whichever card it names."""
MAY_COME_FROM_A_CARD: Final = rule_ids(
    *("state.consequence", "state.observed", "state.card-location", "info.counts-public", "ting.face-up-counts"),
    *("action.consume", "ability.consumes-action", "kw.expensive", "ability.effect", "kw.dominating"),
    *("splice.shuffle", "kw.moulder", "kw.diminish-shuffle", "kw.diminish-target", "kw.diminish-search"),
    *("ting.evolve-definition", "ting.seed-definition", "evolve.unexhausted", "splice.unexhausted"),
    *("exhaust.not-twice", "ability.face-up-in-play", "ability.colon", "ability.cost-paid"),
    *("kw.close", "kw.distant", "kw.hunt", "kw.hunt-dominance", "kw.graze-target", "kw.revive", "kw.roam"),
    *("kw.upgrade-cost", "kw.upgrade-genes", "mutation.host-is-ting", "splice.two-tings", "splice.search-deck"),
    *("kw.willpower-show", "kw.willpower-answer", "kw.willpower-effect", "kw.jumper-return", "req.devolve"),
    *("req.roam-blocked", "req.must-hold", "splice.gene-match", "mutation.no-splice-genes"),
    *("biom.dominated", "biom.rotate", "win.three-bioms", "end.final-most-bioms", "end.final-tie-printed-sum"),
)
"""Rules about places, totals and consequences, which the text of a card may change."""


def doubt(table: Splicers, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    if rule.id not in WHATEVER_THE_CARD:
        unknown = {card for card in filter(None, map(card_of, names_in(event, CARDS))) if card not in table.library}
        if rule is at_biom and not nearest(event.biom, table.row):  # It is no slip for one of the row.
            unknown.discard(event.biom)
        new = unknown.difference(card_of(name) for name in table.cards)
        if unknown:
            message = unknown_cards(sorted(new), table.library)
            return RuleVerdict(card_types, Undecidable(message, once=True) if new else NOT_APPLICABLE)
    if rule.id not in MAY_COME_FROM_A_CARD:
        return None
    unchecked = _unchecked(table)
    return None if unchecked is None else RuleVerdict(CONSEQUENCE, unchecked)


def _unchecked(table: Splicers) -> Undecidable | None:
    """Return the verdict that something was done which nobody can check; None where there is no such thing."""
    if table.unclear:
        message = f"nobody can tell which ability {table.unclear!r} was; what follows may come from it"
        return Undecidable(message, once=True)
    for card in table.cards.values():
        if _is_unchecked(card):
            does = f' ("{card.text.manual}")' if card.text is not None else ""
            message = f"{title(table, card)} is a card that nobody can check{does}; what follows may come from it"
            return Undecidable(message, once=True)
    return None


def _is_unchecked(card: SplicersCard) -> bool:
    """Return whether a card is out of hand and deck that no file knows, or open with a text that only people read."""
    if card.text is None:
        return not is_unseen(card.name) and card.zone.role not in {"deck", "hand"}
    return bool(card.text.manual) and (card.face_up or bool(card.known_to))
