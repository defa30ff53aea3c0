"""Games of bots, stopped before each decision."""

from collections.abc import Iterator

from tabletape.events.vocabulary import Decision
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tabletape.projector.selfplay.trying import AnyTable


def tables_before_decisions(one: Game, plan: Plan) -> Iterator[tuple[AnyTable, str]]:
    """Yield the table before each decision of a game of bots, and the player who decides."""
    (match,) = simulate(one, one.cards, plan, 1)
    replay = Replay(
        one, one.rulebook.ruleset(plan.edition or one.rulebook.editions[0].label, plan.rulings), one.cards.library
    )
    for event in match.events:
        player = getattr(event, "player", "")
        if isinstance(event, Decision) and replay.events and player in one.actors(replay.table):
            yield replay.table, player
        replay.run([event])
