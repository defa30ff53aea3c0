"""What is undecidable: lines that name a card no file knows, and what may come from an uncheckable card."""

from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.crystal.chapters.choosing import as_written, uncheckable
from tabletape.projector.games.crystal.chapters.setup import known_list
from tabletape.projector.games.crystal.state import Crystal
from tabletape.projector.kit.common_rules import names_in
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import Rule, Undecidable

CARDS: Final = ("card", "cards", "target", "source")
"""The fields of lines that name cards."""


def _ids(*names: str) -> frozenset[str]:
    return frozenset(f"crystal.{name}" for name in names)


WHATEVER_THE_CARD: Final = _ids(
    *("setup.two-or-more-players", "setup.shuffle-and-cut", "setup.priority-flip", "setup.order", "setup.supply"),
    *("hand.at-most-seven", "hand.one-flip", "lane.three", "play.own-lane", "play.resolve-first"),
    *("draw.one-per-turn", "draw.either-deck", "draw.deck-not-empty", "deploy.own-turn", "deploy.draw-first"),
    *("round.phase-order", "priority.passes-left", "elimination.leaves", "end.nothing-after-end"),
    "state.single-identity",
)
"""Rules about turns and numbers of cards: a line breaks them whichever card it names."""

WHATEVER_IS_IN_PLAY: Final = WHATEVER_THE_CARD - _ids(
    *("play.resolve-first", "draw.one-per-turn", "draw.deck-not-empty", "elimination.leaves", "end.nothing-after-end")
) | _ids("setup.faction", "state.known-card", "hand.at-most-seven")
"""Rules that no card in play can change."""

ON_WHO_IS_LIVING: Final = _ids("deploy.own-turn", "round.phase-order", "priority.passes-left")
"""Those of them that rest on who is still in the game."""

ONLY_AT_ONCE: Final = _ids("draw.one-per-turn", "play.resolve-first")
"""Rules that a card can change in its round and the next only: an ability happens once."""


def doubt(table: Crystal, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    if rule.id not in WHATEVER_THE_CARD:
        unknown = unknown_cards(filter(None, map(card_of, names_in(event, CARDS))), table.library)
        if unknown:
            return RuleVerdict(known_list, Undecidable(unknown, once=True))
    is_somebody_out = table.over or not all(player.living for player in table.players.values())
    if rule.id in WHATEVER_IS_IN_PLAY and not (rule.id in ON_WHO_IS_LIVING and is_somebody_out):
        return None
    if rule.id in ONLY_AT_ONCE and table.round > table.unchecked_round + 1:
        return None
    unchecked = unchecked_card(table, event)
    return None if unchecked is None else RuleVerdict(as_written, unchecked)


def unchecked_card(table: Crystal, event: Any = None) -> Undecidable | None:
    """Return the verdict that a card in play, or just being played, is uncheckable; None without one."""
    name = table.uncheckable or (event.card if isinstance(event, ev.CardDeployed) else "")
    card = table.find(name)
    text = card.text if card is not None else None
    if text is not None and text.manual:
        return uncheckable(text)
    if not table.uncheckable:
        return None
    if is_unseen(name):
        which = f"nobody knew which card {name} is as it was played"
    else:
        which = f"no card file has {name}, and it is in play"
    return Undecidable(f"{which}; what follows may come from it", once=True)
