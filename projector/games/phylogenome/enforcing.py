"""What the table does when a written consequence differs from the rules: it did what the log says.

`expected` is what the rules had derived in its place and the fold has done already, or None.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence
from projector.games.phylogenome import effects, tableau, turns
from projector.games.phylogenome.blaming import take_blame
from projector.games.phylogenome.state import ACTIONS, DRAW, Phylo
from projector.kit.adopting import as_written
from projector.kit.ending import adopt_end

Adopt = Callable[[Phylo, Any, Any], None]


def _adopted(apply: Callable[[Phylo, Any], None]) -> Adopt:
    """Return what does a written line as the rules do, and then what follows in the tableau."""

    def adopt(table: Phylo, event: Any, _expected: Any) -> None:
        with as_written(table, event):
            apply(table, event)
        if table.disturbed:
            turns.look_at_tableau(table)

    return adopt


def _blamed(table: Phylo, event: ev.InconsistencyArisen | ev.CardDiscarded, expected: Any) -> None:
    card = table.find(event.card)
    kind = event.kind if isinstance(event, ev.InconsistencyArisen) else event.reason
    if expected is None and card is not None and kind == tableau.CLASHING:
        take_blame(table, card)


def _discarded(table: Phylo, event: ev.CardDiscarded, expected: Any) -> None:
    card = table.find(event.card)
    if card is None or event.pile not in table.players:
        return
    _blamed(table, event, expected)
    if expected is None and turns.is_timely(table, card, event):
        turns.clear(table, event)
    else:
        DISCARD(table, event, expected)


DISCARD: Final = _adopted(
    lambda table, event: effects.discard(table, table.card(event.card), event.pile, event.reason, effects.AS_DECLARED)
)


def _turn(table: Phylo, event: ev.TurnStarted, expected: Any) -> None:
    if table.phase in {DRAW, ACTIONS} and table.active != event.player:
        if expected is not None:
            table.count(table, "turn", -1)
        if table.active:
            table.set(table.players[table.active], "actions", 0)
        with as_written(table, event):
            turns.begin_turn(table, event.player)


ENFORCE: Final[Mapping[type[Consequence], Adopt]] = {
    ev.CardDiscarded: _discarded,
    ev.InconsistencyArisen: _blamed,
    ev.CardRecovered: _adopted(effects.recover),
    ev.SpeciesRelocated: _adopted(effects.relocate),
    ev.PlayForbidden: _adopted(effects.forbid),
    ev.TurnStarted: _turn,
    ev.GameEnded: adopt_end(turns.end_game),
}
