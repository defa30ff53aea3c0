"""Cards that nobody could name and that are shown: in a hand or a deck, or after they were played."""

from events.games import phylogenome as ev
from events.names import owner_of
from projector.games.phylogenome import tableau
from projector.games.phylogenome.effects import put_on_pile
from projector.games.phylogenome.state import TABLEAU, Phylo, PhyloCard, is_event
from projector.model.showing import show


def show_card(table: Phylo, event: ev.CardShown) -> None:
    """Name a card that nobody had named; in play it is what is printed on it from now on."""
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    if unnamed is not None:
        tableau.withdraw(table, unnamed)
    card = show(table, event.was, event.card, table.hands[owner])
    if unnamed is not None and card.zone.name == TABLEAU:
        _lie_there(table, card)
    elif unnamed is not None and card.zone.name == f"table:{owner}":
        _lie_on_the_table(table, card, event.was)


def _lie_there(table: Phylo, card: PhyloCard) -> None:
    """Have a Species of the tableau count as what it is, with what lies beneath it."""
    for name in card.beneath:
        table.set(table.cards[name], "host", card.name)
    table.lay_out_cells()
    tableau.become_known(table, card)


def _lie_on_the_table(table: Phylo, card: PhyloCard, was: str) -> None:
    """Leave an Event on the table if it stays there; what it has done when it was played nobody has written down."""
    if table.unchecked == was:
        table.set(table, "unchecked", card.name)
    if is_event(card) and card.text.says.mode != "table":
        put_on_pile(table, card, card.owner)
