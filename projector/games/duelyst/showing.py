"""Cards that nobody could name and that are shown: in a hand or a deck, or after they were played."""

from events.games import duelyst as ev
from events.names import owner_of
from projector.games.duelyst.board import UNKNOWN_HEALTH, activate_text, remove_dead
from projector.games.duelyst.owed import first
from projector.games.duelyst.state import BOARD, UNITS, Duelyst, DuelystCard
from projector.model.showing import show


def show_card(table: Duelyst, event: ev.CardShown) -> None:
    """Name a card that nobody had named; a unit is what is printed on it from now on."""
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    card = show(table, event.was, event.card, table.hands[owner])
    if unnamed is not None and card.zone.name == BOARD and card.text is not None and card.text.kind in UNITS:
        _become(table, card)


def _become(table: Duelyst, unit: DuelystCard) -> None:
    """Make a unit of the board what is printed on it; what the log said of its health was so."""
    if unit.damage > UNKNOWN_HEALTH // 2:
        left = UNKNOWN_HEALTH - unit.damage
        table.set(unit, "damage", max(unit.text.health - left, 0))
    table.set(unit, "keywords", unit.keywords | unit.text.says.keywords)
    table.reckon()
    activate_text(table, unit)
    first(table, remove_dead(table, (unit,)))
