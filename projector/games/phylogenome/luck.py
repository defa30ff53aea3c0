"""The lines that luck writes in a simulated game, and how good a table looks to a greedy bot."""

from events.games import phylogenome as ev
from events.vocabulary import Event
from projector.games.phylogenome.rules.preparing import HAND
from projector.games.phylogenome.scoring import facing, worth
from projector.games.phylogenome.state import IN_A_TURN, NEEDED, SETUP, Phylo, is_species, number_to_draw, zone_of
from projector.model.game import Dice


def chance(table: Phylo, dice: Dice) -> Event | None:
    """Return the line that luck has to write now, if any."""
    if table.phase == SETUP:
        return _setting_up(table, dice)
    if not table.owed or table.owed[0].what == "keep":
        return None
    due = table.owed[0]
    cards = dice.draw(due.player, number_to_draw(table, due))
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


def fill_in_chance(table: Phylo, event: Event, dice: Dice) -> Event:
    """Return a decision as it is; of the cards that were looked at those that are not kept go under the real deck."""
    if isinstance(event, ev.CardKept) and table.owed:
        dice.put_under(event.player, [name for name in table.owed[0].cards if name != event.card])
    return event


def value(table: Phylo, player: str) -> float:
    """Return how good a table is for a player: the lead in points without chains, less what is broken.

    A Species that waits in the hand or the deck is worth less than none, so that games come to an end; an action that
    changes nothing is worth less than one that is left over, so that nobody moves Species for nothing.
    """
    if table.over:
        return 0.0 if not table.winner else 1000.0 if table.winner == player else -1000.0
    mine = table.players[player]
    waiting = sum(is_species(card) for kind in ("hand", "deck") for card in zone_of(table, kind, player).cards)
    left = mine.actions if table.active == player else IN_A_TURN
    steps = 4 * mine.generation + 0.5 * min(mine.first_generation, NEEDED)
    return _worth(table, player) - _worth(table, mine.opponent) + steps - 0.3 * waiting + 0.05 * left


def _worth(table: Phylo, player: str) -> float:
    """Return the points of the Species facing a player, technology and interest areas, less what is broken."""
    cards = facing(table, player)
    points: int = sum(worth(table, card) + card.text.sequencing_generation for card in cards)
    broken = sum(1 for card in cards if card.cut_off or card.clashing)
    areas = len({area for card in cards for area in card.text.interest_areas})
    events = len(zone_of(table, "table", player).cards)
    return points + 0.5 * areas - 2 * broken + 0.5 * events
