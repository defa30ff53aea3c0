"""Which of two incompatible Species goes, where their player may choose (ruling `incompatible_blame`, L57)."""

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome.state import Phylo, PhyloCard
from tabletape.projector.games.phylogenome.tableau import CLASHING, misfits


def blamed_instead(table: Phylo, card: PhyloCard) -> list[PhyloCard]:
    """Return the incompatible Species beside one in the place of which their player may give that one up."""
    if table.options["incompatible_blame"] != "owner_chooses" or card.clashing or card.place is None:
        return []
    wrong = misfits(table, card, card.controller, card.near)
    return [other for other in wrong if other.clashing and other.controller == card.controller]


def take_blame(table: Phylo, card: PhyloCard) -> None:
    """Count a Species as the one that was changed last, and so as incompatible for as long as the other one was."""
    others = blamed_instead(table, card)
    if not others:
        return
    since = min(other.clashing for other in others)
    table.changes += 1
    table.set(card, "changed", table.changes)
    table.set(card, "clashing", since)
    table.clashing += 1
    for other in others:
        if not any(other.changed > each.changed for each in misfits(table, other, other.controller, other.near)):
            table.set(other, "clashing", 0)
            table.clashing -= 1
    relieved = [ev.InconsistencyArisen(card=each.name, kind=CLASHING) for each in others if not each.clashing]
    table.derived = [each for each in table.derived if each.event not in relieved]
