"""Games of bots, stopped before each decision."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from tabletape.events.vocabulary import Decision, Event
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.dealing import by_steps
from tabletape.projector.selfplay.simulate import Plan, simulate
from tabletape.projector.selfplay.trying import AnyTable, worth_after


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


def misjudged(one: Game, table: AnyTable, player: str, events: Sequence[Event]) -> list[Event]:
    """Return decisions that come to more than a game says at most, or to something else than those that look alike."""
    found = [worth_after(one, table, player, event) for event in events]
    look = one.bots.look(table, player)
    most = [inf] * len(events)
    for steps, places in by_steps(look, events).items():
        with as_it_was(table, *steps):
            for place, bound in zip(places, look.at_most([events[place] for place in places]), strict=True):
                most[place] = bound
    less = max(worth for worth, each in zip(found, most, strict=True) if each > -inf) - 1e-3
    bounds = [each if each > -inf else less for each in most]
    wrong = [event for event, worth, bound in zip(events, found, bounds, strict=True) if worth > bound + 1e-9]
    first: dict[Any, float] = {}
    for event, key, worth in zip(events, look.alike(events), found, strict=True):
        if key is not None and first.setdefault(key, worth) != worth:
            wrong.append(event)
    return wrong
