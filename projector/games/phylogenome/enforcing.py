"""What the table does when a written consequence differs from the rules: it did what the log says.

`expected` is what the rules had derived in its place and the fold has done already, or None.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence
from projector.games.phylogenome import tableau, turns
from projector.games.phylogenome.blaming import take_blame
from projector.games.phylogenome.effects import forbid, put_on_pile
from projector.games.phylogenome.state import ACTIONS, DRAW, IN_A_TURN, TABLEAU, Phylo
from projector.kit.ending import adopt_end
from projector.kit.seating import zone_of


def _settle(table: Phylo) -> None:
    if table.disturbed:
        turns.look_at_tableau(table)


def _discarded(table: Phylo, event: ev.CardDiscarded, expected: Any) -> None:
    card = table.find(event.card)
    if card is None or event.pile not in table.players:
        return
    if expected is None and event.reason == tableau.CLASHING:
        take_blame(table, card)
    if expected is None and turns.is_timely(table, card, event):
        turns.clear(table, event)
        return
    beneath = card.beneath
    put_on_pile(table, card, event.pile)
    for name in beneath:
        event_card = table.cards[name]
        put_on_pile(table, event_card, event_card.controller)
    _settle(table)


def _arisen(table: Phylo, event: ev.InconsistencyArisen, expected: Any) -> None:
    card = table.find(event.card)
    if expected is None and card is not None and event.kind == tableau.CLASHING:
        take_blame(table, card)


def _recovered(table: Phylo, event: ev.CardRecovered, expected: Any) -> None:
    card = table.find(event.card)
    if card is not None and card.zone.name[:8] == "discard:" and event.player in table.players:
        table.move(card, zone_of(table, "hand", event.player))


def _relocated(table: Phylo, event: ev.SpeciesRelocated, expected: Any) -> None:
    card = table.find(event.card)
    if card is not None and card.zone.name == TABLEAU:
        tableau.relocate(table, card, event.cell)
        _settle(table)


def _forbidden(table: Phylo, event: ev.PlayForbidden, expected: Any) -> None:
    forbid(table, event.player, 1)


def _turn(table: Phylo, event: ev.TurnStarted, expected: Any) -> None:
    if table.phase in {DRAW, ACTIONS} and event.player in table.players and table.active != event.player:
        if table.active:
            table.set(table.players[table.active], "actions", 0)
        table.update(table, active=event.player, event_played=False, owed=())
        table.set(table.players[event.player], "actions", IN_A_TURN)
        if expected is None:
            table.count(table, "turn", 1)


ENFORCE: Final[Mapping[type[Consequence], Callable[[Phylo, Any, Any], None]]] = {
    ev.CardDiscarded: _discarded,
    ev.InconsistencyArisen: _arisen,
    ev.CardRecovered: _recovered,
    ev.SpeciesRelocated: _relocated,
    ev.PlayForbidden: _forbidden,
    ev.TurnStarted: _turn,
    ev.GameEnded: adopt_end(turns.end_game),
}
