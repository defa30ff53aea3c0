"""The moves of the game, chapter by chapter: the tests of each line, what it does, and which of them may come now."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Decision, Event
from tabletape.projector.games.duelyst.board import end_game
from tabletape.projector.games.duelyst.chapters import (
    bloodbound,
    cards,
    combat,
    drawing,
    minions,
    movement,
    mulligan,
    pets,
    setup,
    tribes,
    turns,
)
from tabletape.projector.games.duelyst.overdue import BEFORE_THE_GAME, acting
from tabletape.projector.games.duelyst.owed import owed_now
from tabletape.projector.games.duelyst.state import Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Owed
from tabletape.projector.kit.ending import early_ends
from tabletape.projector.kit.moves import moves_of, play_of, rows_of
from tabletape.projector.kit.packaged import rules_by_id
from tabletape.projector.model.due import Due

CHAPTERS: Final = (setup, mulligan, turns, cards, minions, bloodbound, movement, combat, drawing, pets, tribes)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, its card types where they are played."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
FREE_PLAY: Final = play_of(
    move for move in MOVES if issubclass(move.line, Decision) and move.line not in BEFORE_THE_GAME
)
"""What the decisions of the main phase do, of a player on turn whom luck owes nothing."""
PLAY: Final = {
    **early_ends(end_game, "duelyst"),
    **play_of(MOVES),
    **{line: acting(play) for line, play in FREE_PLAY.items()},
}
RULES_BY_ID: Final = rules_by_id("tabletape.projector.games.duelyst", *CHAPTERS)
"""All rules by their ids, those with a function and those without."""

OFFERS: Final = {move.line: move.offers for move in MOVES if move.offers is not None}


def actors(table: Duelyst) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    players = table.players.values()
    if table.turn or table.over or not all(player.opened for player in players):
        return (table.active,) if table.turn and not (table.owed or table.over) else ()
    return tuple(player.id for player in players if not player.mulliganed)


def legal(table: Duelyst, player: str) -> list[Event]:
    """Return the legal decisions of a player: card by card, then unit by unit.

    A mulligan draws cards that are still unseen; which ones these are is luck (see `mulligan.fill_in_chance`).
    """
    if player not in actors(table):
        return []
    if not table.turn:
        return [*OFFERS[ev.MulliganTaken](table, player)]
    return [
        *_offered(
            table, player, "card", table.hands[player].cards, (ev.MinionSummoned, ev.SpellCast, ev.ArtifactEquipped)
        ),
        *OFFERS[ev.BloodboundSpellCast](table, player),
        *OFFERS[ev.MechSummoned](table, player),
        *_offered(table, player, "unit", table.units, (ev.UnitMoved, ev.UnitAttacked)),
        *OFFERS[ev.CardReplaced](table, player),
        *OFFERS[ev.TurnEnded](table, player),
    ]


def _offered(table: Duelyst, player: str, field: str, cards: list[DuelystCard], lines: Sequence[Any]) -> list[Event]:
    """Return the decisions of some types, in the order of the cards that one of their fields names."""
    offered = [[*OFFERS[line](table, player)] for line in lines]
    every = [event for events in offered for event in events]
    if len(every) in map(len, offered):
        return every
    places = {card.name: place for place, card in enumerate(cards)}
    return sorted(every, key=lambda event: places[getattr(event, field)])


DUE: Final[Mapping[type[Event], Callable[[Duelyst, Owed], list[Due]]]] = {
    ev.CardsDrawn: drawing.due_draw,
    ev.TokenSummoned: tribes.due_token,
    ev.TargetPicked: tribes.due_target,
    ev.PetActed: pets.due_act,
}


def due(table: Duelyst) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up in any order."""
    if table.over:
        return []
    if not table.turn:
        return list(mulligan.due_in_setup(table))
    owed = owed_now(table)
    return [] if owed is None else DUE[owed.line](table, owed)
