"""How bots decide: any legal decision, the one after which the table looks best, or the one that a search finds."""

from collections.abc import Sequence

import msgspec

from tabletape.events.vocabulary import Event
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.dealing import worths_after
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.restriction import NOTHING, Restriction
from tabletape.projector.selfplay.search import USUAL, SearchEffort, search
from tabletape.projector.selfplay.trying import MAX_DECISIONS, AnyTable


class Decider(msgspec.Struct, frozen=True):
    """Who decides at a seat: which bot, how long it searches where it is one that does, and what it may not do."""

    bot: Bot
    effort: SearchEffort = USUAL
    restriction: Restriction = NOTHING


def decide(game: Game, table: AnyTable, player: str, by: Decider, dice: Dice) -> Event | None:
    """Return the decision of a bot, or None where it has none."""
    bot = by.bot
    if bot is Bot.SEARCH:
        return search(game, table, player, dice, by.effort, restriction=by.restriction)
    if bot is Bot.RANDOM:
        best = by.restriction.offered(game, table, player, dice, 1)
    else:
        offers = by.restriction.offered(game, table, player, dice, MAX_DECISIONS)
        best = looking_best(game, table, player, offers)
    chosen: Event | None = dice.choose(best) if best else None
    return chosen


def looking_best(game: Game, table: AnyTable, player: str, events: Sequence[Event]) -> Sequence[Event]:
    """Return those decisions after which a table looks best to a player, by what the player may know."""
    if len(events) < 2:
        return events
    worths = worths_after(game, table, player, events, only_best=True)
    highest = max(worths, default=0.0)
    return [event for event, worth in zip(events, worths, strict=True) if worth == highest]
