"""What is undecidable: lines that name a card no file knows, and what may come from a text that only people read."""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.duelyst.chapters.cards import told_by_people
from tabletape.projector.games.duelyst.moves import BY_ID
from tabletape.projector.games.duelyst.schema import DuelystText
from tabletape.projector.games.duelyst.state import Duelyst, general_of
from tabletape.projector.kit.common_rules import names_in
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import Rule, Undecidable

NAMING: Final = ("card", "unit", "target", "source", "cards", "returned", "drawn")
"""The fields of lines that name cards."""
OUT_OF_SIGHT: Final = frozenset({"deck", "hand", "nowhere"})
"""The roles of zones in which a card does nothing."""
CERTAIN: Final = tuple(
    f"duelyst.{name}."
    for name in (
        "setup",
        "end",
        "turn",
        "deck.declared-once",
        "deck.agreed-rules",
        "play.card-type",
        "state.single-identity",
    )
)
"""How the rules begin that no text of a card changes: who plays, with which decks, and when."""


def doubt(table: Duelyst, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    if f"{rule.id}.".startswith(CERTAIN):
        return None
    names = [*names_in(event, NAMING)]
    text, named = unchecked(table, names), [card_of(name) or name for name in names if not is_unseen(name)]
    unknown = unknown_cards(named, table.library) or unknown_cards([text.id] if text else (), table.library)
    if unknown:
        return RuleVerdict(BY_ID["duelyst.state.known-card"], Undecidable(unknown, once=True))
    return None if text is None else RuleVerdict(BY_ID["duelyst.ability.as-declared"], told_by_people(text))


def unchecked(table: Duelyst, names: list[str]) -> DuelystText | None:
    """Return the uncheckable text of a card which a line names, or of one that has come into play."""
    return next((text for text in _at_work(table, names) if text is not None and text.manual), None)


def _at_work(table: Duelyst, names: list[str]) -> Iterator[Any]:
    """Yield the texts that may have caused what a line says: of cards that it names or that have come into play."""
    yield from (table.library.get(card_of(name)) for name in names)
    yield from (card.text for card in table.cards.values() if card.zone.role not in OUT_OF_SIGHT)
    for player in table.players:
        general = general_of(table, player)
        if general is not None and table.players[player].turns > 2:
            yield table.library.get(general.text.bloodbound_spell)
