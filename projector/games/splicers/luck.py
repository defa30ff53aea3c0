"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from events.games import splicers as ev
from events.vocabulary import Event
from projector.games.splicers.state import SETUP, START, Splicers, SplicersPlayer, zone_of
from projector.games.splicers.view import progress
from projector.model.game import Dice


def chance(table: Splicers, dice: Dice) -> Event | None:
    """Return the line that luck has to write now, if any."""
    if table.phase == SETUP:
        return _setting_up(table, dice)
    owed = table.owed
    if owed is not None and owed.line is ev.DeckShuffled:
        in_deck = [card.name for card in zone_of(table, "deck", owed.player).cards]
        dice.shuffle(owed.player, add=in_deck)
        return ev.DeckShuffled(player=owed.player, reason=owed.reason)  # type: ignore[arg-type]  # as owed
    if owed is not None and owed.line is ev.CardsDrawn:
        return ev.CardsDrawn(player=owed.player, cards=dice.draw(owed.player, owed.count), reason="ability")
    if owed is None and table.phase == START:
        for player in sorted(table.players, key=lambda each: each != table.first):
            if player not in table.drew:
                return ev.CardsDrawn(player=player, cards=dice.draw(player, 1), reason="round-start")
    return None


def _setting_up(table: Splicers, dice: Dice) -> Event | None:
    players = table.players.values()
    if not all(player.listed for player in players):
        return None
    if not table.row:
        return ev.BiomsPlaced(row=_row(table, dice))
    for player in players:
        if not player.shuffled:
            dice.shuffle(player.id)
            return ev.DeckShuffled(player=player.id, reason="setup")
        if not player.opened:
            cards = dice.draw(player.id, _start_cards(table, player))
            return ev.CardsDrawn(player=player.id, cards=cards, reason="opening-hand")
    if not table.first:
        return ev.FirstPlayerChosen(player=dice.choose(list(table.players)), method="die")
    return None


def _start_cards(table: Splicers, player: SplicersPlayer) -> int:
    text = table.card(player.splicer).text
    return (text.start_cards or 0) if text is not None else 0


def _row(table: Splicers, dice: Dice) -> tuple[str, ...]:
    brought = [(player.id, biom) for player in table.players.values() for biom in player.bioms]
    ids = [biom for _, biom in brought]
    left = [f"{player}:{biom}" if ids.count(biom) > 1 else biom for player, biom in brought]
    row = []
    while left:
        row.append(dice.choose(left))
        left.remove(row[-1])
    return tuple(row)


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
