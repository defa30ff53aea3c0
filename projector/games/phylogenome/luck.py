"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from events.games import phylogenome as ev
from events.vocabulary import Event
from projector.game import Dice
from projector.games.phylogenome.rules.preparing import HAND
from projector.games.phylogenome.scoring import points_of
from projector.games.phylogenome.state import SETUP, TABLEAU, Phylo, is_species, zone_of


def chance(table: Phylo, dice: Dice) -> Event | None:
    """Give the line that luck has to write now, if any."""
    if table.phase == SETUP:
        return _setting_up(table, dice)
    if not table.due or table.due[0].what == "keep":
        return None
    due = table.due[0]
    cards = dice.draw(due.player, due.count)
    if due.what == "draw":
        return ev.CardsDrawn(player=due.player, cards=cards)
    return ev.CardsLookedAt(player=due.player, cards=cards)


def _setting_up(table: Phylo, dice: Dice) -> Event | None:
    players = table.players.values()
    if not all(player.listed for player in players):
        return None
    for player in players:
        if not player.shuffled:
            dice.shuffle(player.id)
            return ev.DeckShuffled(player=player.id, reason="setup")
    for player in players:
        if not player.opened:
            return ev.CardsDrawn(player=player.id, cards=dice.draw(player.id, HAND))
    return ev.FirstPlayerChosen(player=_who_begins(table, dice), method="coin")


def _who_begins(table: Phylo, dice: Dice) -> str:
    seats = list(table.players)
    begins: str = seats[0] if table.options["first_player"] == "first_seat" else dice.choose(seats)
    return begins


def complete(table: Phylo, event: Event, dice: Dice) -> Event:
    """Give a decision as it is; of the cards that were looked at those that are not kept go under the real deck."""
    if isinstance(event, ev.CardKept) and table.due:
        dice.put_under(event.player, [name for name in table.due[0].cards if name != event.card])
    return event


def value(table: Phylo, player: str) -> float:
    """Give how good a table looks to a player: the points' lead, less what is broken, and Species that are in play.

    A Species that lies in the hand or the deck is worth less than in play or in the pile, so that games come to an end.
    """
    if table.over:
        return 0.0 if not table.winner else 1000.0 if table.winner == player else -1000.0
    mine = table.players[player]
    lead = sum(_worth(table, name) * (1 if name == player else -1) for name in {player, mine.opponent})
    waiting = sum(is_species(card) for kind in ("hand", "deck") for card in zone_of(table, kind, player).cards)
    broken = sum(
        1 for card in table.zones[TABLEAU].cards if card.controller == player and (card.cut_off or card.clashing)
    )
    open_way = 4 * mine.generation + 0.5 * min(mine.first, 4)
    return lead + open_way - 2 * broken - 0.3 * waiting + 0.2 * len(zone_of(table, "table", player).cards)


def _worth(table: Phylo, player: str) -> float:
    points = points_of(table)[player]
    return points.total + 0.2 * points.chain
