"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from collections.abc import Iterator

from events.games import splicers as ev
from events.vocabulary import Event
from projector.games.splicers.chapters.drawing import may_draw_first
from projector.games.splicers.chapters.setup import brought_bioms, start_cards
from projector.games.splicers.state import SETUP, START, Splicers
from projector.games.splicers.view import progress
from projector.kit.seating import zone_of
from projector.model.due import Asked, Due, draw_due, option_due
from projector.model.game import Dice


def due(table: Splicers) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up and of the start of a round in any order."""
    if table.phase == SETUP:
        return list(_setting_up(table))
    owed = table.owed
    if owed is None:
        return _round_draws(table)
    if owed.line is ev.DeckShuffled:
        return [Due(line=ev.DeckShuffled, known={"player": owed.player, "reason": owed.reason}, rule=owed.rule)]
    if owed.line is not ev.CardsDrawn:
        return []
    also = [each for each in _round_draws(table) if may_draw_first(table, each.known["player"])]
    return [_draw(table, owed.player, owed.count, "ability", owed.rule), *also]


def _round_draws(table: Splicers) -> list[Due]:
    """Return the draws for the start of a round."""
    if table.phase != START:
        return []
    order = sorted(table.players, key=lambda each: each != table.first)
    return [_draw(table, each, 1, "round-start", "splicers.round.draw-one") for each in order if each not in table.drew]


def _draw(table: Splicers, player: str, count: int, reason: str, rule: str) -> Due:
    return draw_due(
        table, ev.CardsDrawn, zone_of(table, "deck", player).name, count, rule, player=player, reason=reason
    )


def _setting_up(table: Splicers) -> Iterator[Due]:
    players = table.players.values()
    if not all(player.listed for player in players):
        return
    if not table.row:
        asked = Asked(kind="order", field="row", names=brought_bioms(table))
        yield Due(line=ev.BiomsPlaced, known={}, rule="splicers.setup.bioms-row", asked=asked)
    for player in players:
        if not player.shuffled:
            known = {"player": player.id, "reason": "setup"}
            yield Due(line=ev.DeckShuffled, known=known, rule="splicers.setup.shuffle-deck")
        elif not player.opened:
            number = start_cards(table, player.id) or 0
            yield _draw(table, player.id, number, "opening-hand", "splicers.setup.opening-hand")
    if not table.first:
        yield option_due(ev.FirstPlayerChosen, "player", table.seating, "splicers.setup.random-first", method="die")


def fill_in_chance(table: Splicers, event: Event, dice: Dice) -> Event:
    """Return a decision with what luck adds to it: the cards drawn for a mulligan; what was found leaves the deck."""
    if isinstance(event, ev.MulliganTaken):
        returned = event.returned
        if table.options["mulligan_destination"] == "shuffled_in":
            dice.shuffle(event.player, add=returned)
        drawn = dice.draw(event.player, len(returned))
        if table.options["mulligan_destination"] == "deck_bottom":
            dice.put_under(event.player, returned)
        return ev.MulliganTaken(player=event.player, returned=returned, drawn=drawn)
    if isinstance(event, ev.TingsSpliced) and isinstance(event.found, str):
        dice.remove(event.player, event.found)
    if isinstance(event, ev.TingReplaced) and event.replacement is not None and event.from_ == "deck":
        dice.remove(event.player, event.replacement)
    return event


def value(table: Splicers, player: str) -> float:
    """Return how good a table is for a player: the end first, then progress, totals, hand and actions."""
    if table.over:
        return 0.0 if not table.winner else 1000.0 if table.winner == player else -1000.0
    mine = table.players[player]
    theirs = table.players.get(mine.opponent, mine)
    bioms = table.zones["row"].cards
    lead: int = sum(biom.totals[mine.seat] - biom.totals[theirs.seat] for biom in bioms if biom.totals)
    ahead = progress(table, player) - progress(table, theirs.id)
    hand = zone_of(table, "hand", player).size - zone_of(table, "hand", theirs.id).size
    return 20 * ahead + lead + 0.5 * hand + 0.2 * mine.actions
