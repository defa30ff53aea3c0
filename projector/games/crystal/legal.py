"""The legal decisions of a player, from what that player may see."""

from tabletape.events.vocabulary import Event
from tabletape.projector.games.crystal.chapters.deploy_phase import may_leave_draw
from tabletape.projector.games.crystal.moves import MOVES
from tabletape.projector.games.crystal.state import DEPLOY, Crystal
from tabletape.projector.kit.moves import offered


def actors(table: Crystal) -> tuple[str, ...]:
    """Return the player who may decide something now."""
    ready = table.phase == DEPLOY and not table.owed and (table.drawn or may_leave_draw(table))
    return (table.active,) if ready else ()


def legal(table: Crystal, player: str) -> list[Event]:
    """Return the legal decisions of a player: to be done, or every card that can be paid, everywhere, in every way."""
    return [*offered(MOVES, table, player)] if player in actors(table) else []
