"""The legal decisions of a player, from what that player may see, and the lines that luck has to write."""

from typing import Any, Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers.chapters.cards import named_hand
from tabletape.projector.games.splicers.chapters.drawing import due_of_deck
from tabletape.projector.games.splicers.chapters.setup import STEPS, due_in_setup
from tabletape.projector.games.splicers.gate import close_window
from tabletape.projector.games.splicers.moves import MOVES, ROWS
from tabletape.projector.games.splicers.rounds import settle
from tabletape.projector.games.splicers.state import ACTION, END, SETUP, Splicers
from tabletape.projector.kit.common_rules import first_lacking
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.due import Due
from tabletape.projector.model.legality import legal_among

OFFERS: Final = {move.line: move.offers for move in MOVES if move.offers is not None}
OFFERED_LEGAL: Final = frozenset({ev.MulliganTaken, ev.WillpowerAnswered, ev.EventRevealed, ev.AbilityUsed})
"""The lines of which a chapter offers what is legal only; of the others the rules say what is."""
FROM_HAND: Final = (ev.SeedPlayed, ev.JumperPlayed, ev.TingUpgraded)
OTHERS: Final = (
    *(ev.TingEvolved, ev.AbilityUsed, ev.TingsSpliced),
    *(ev.EventPlayed, ev.TurnPassed, ev.MutationPlayed, ev.TurnEnded),
)
"""What else is offered in a turn, in this order."""


def actors(table: Splicers) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    if table.owed is not None:
        asked = table.owed.line in {ev.WillpowerAnswered, ev.TingReplaced}
        return (table.owed.player,) if asked else ()
    if table.phase == ACTION:
        return (table.active,)
    if table.phase == END:
        return tuple(card.owner for card in table.zones["event"].cards[:1])
    if table.phase == SETUP and first_lacking(table, STEPS) is None:
        order = sorted(table.players.values(), key=lambda player: player.id != table.first)
        return tuple(player.id for player in order if not player.mulliganed)[:1]
    return ()


def legal(table: Splicers, player: str) -> list[Event]:
    """Return the legal decisions of a player."""
    if player not in actors(table):
        return []
    if table.owed is not None:
        return _legal(table, player, table.owed.line)
    if table.phase == SETUP:
        return _legal(table, player, ev.MulliganTaken)
    if table.window:  # until the requirement of that ting is looked at only a mutation under it may come
        with as_it_was(table, close_window, settle):
            # With that moment the turn may end by itself (ruling).
            later = _of_turn(table, player) if table.active == player else [ev.TurnEnded(player=player)]
        return [*later, *(each for each in _legal(table, player, ev.MutationPlayed) if each.host == table.window)]
    return _legal(table, player, ev.EventRevealed) if table.phase == END else _of_turn(table, player)


def _legal(table: Splicers, player: str, *lines: type[Event]) -> list[Any]:
    """Return what is legal of some lines, line by line."""
    decisions: list[Any] = []
    for line in lines:
        offered = OFFERS[line](table, player)
        decisions += offered if line in OFFERED_LEGAL else legal_among(ROWS, table, offered)
    return decisions


def _of_turn(table: Splicers, player: str) -> list[Event]:
    """Return what a player on turn may do: first what each hand card may become, biom by biom, then all else."""
    hand, row = [card.name for card in named_hand(table, player)], table.row

    def place(event: Any) -> tuple[int, int]:
        return hand.index(event.card), len(row) if isinstance(event, ev.TingUpgraded) else row.index(event.biom)

    return [*sorted(_legal(table, player, *FROM_HAND), key=place), *_legal(table, player, *OTHERS)]


def due(table: Splicers) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up and of the start of a round in any order."""
    return list(due_in_setup(table)) if table.phase == SETUP else due_of_deck(table)
