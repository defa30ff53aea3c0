"""Winning the game, and how else it ends (L6 to L9, L201)."""

from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import steps
from tabletape.projector.games.evolve.changes import end_game
from tabletape.projector.games.evolve.chapters import WINNING, WRITTEN
from tabletape.projector.games.evolve.state import Evolve, opponent_of
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.consequence import consequence, follows
from tabletape.projector.kit.ending import NOT_ENDED_REASONS, adopt_end, early_end_rules, early_ends
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import name_of

nothing_after_end: Final = WINNING.rule(
    "evolve.end.nothing-after-end",
    "L7.1",
    "Nothing happens after the game has been won (inferred).",
    rests_on="nothing",
)(common_rules.nothing_after(ev.GameEnded))
end_concession, end_abandoned = early_end_rules("evolve", rests_on="nothing")
ENDINGS: Final = {
    "tier3": WRITTEN["evolve.win.tier3"],
    "starvation": WRITTEN["evolve.win.starvation"],
    "deck-out": WRITTEN["evolve.win.deck-out"],
    "concession": end_concession,
    "abandoned": end_abandoned,
}


@consequence(
    ev.StarvationCounted,
    rule=WRITTEN["evolve.win.starvation"],
    why="it is counted once, when the turn of that player ends",
)
def starvation_counted(table: Evolve, event: ev.StarvationCounted, _expected: object) -> None:
    """Take the count over: with 3 the game has ended, and with fewer it goes on."""
    steps.set_starvation(table, table.players[event.player], event.count)
    if event.count < steps.ENOUGH and (table.winner, table.reason) == (event.player, "starvation"):
        steps.go_on_after_starvation(table)


def _no_end(table: Evolve, event: ev.GameEnded) -> str:
    loser = opponent_of(table, event.winner or "")
    if event.reason == "starvation" and event.winner in table.players:
        name, count = name_of(table, event.winner), table.players[event.winner].starvation
        if count == steps.ENOUGH:
            return f"{name} has {steps.ENOUGH} turns of starvation only by a line that contradicts the rules"
        return f"the starvation count of {name} is {count}, not {steps.ENOUGH}"
    if event.reason == "deck-out" and loser:
        size = table.zones[table.players[loser].deck_zone].size
        return f"the deck of {name_of(table, loser)} has {how_many(size, 'card')}"
    if event.reason == "tier3":
        return "no organism of tier 3 has paid its evolve cost"
    return NOT_ENDED_REASONS.get(event.reason, "nobody has won")


GAME_ENDED: Final = follows(
    ev.GameEnded,
    rule=lambda _table, event, _expected: ENDINGS[event.reason],
    why=_no_end,
    adopt=adopt_end(end_game),
    because=lambda table, _event, expected: "evolve.win.first-wins" if expected is None and table.over else "",
)


MOVES: Final = early_ends(end_game, "evolve")
