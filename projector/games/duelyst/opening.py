"""The set-up: the board with its globes, the players with their zones, decks and generals, the mulligans."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from events.games import duelyst as ev
from events.names import copies
from events.shared import Seat
from projector.games.duelyst.board import enter, require_text
from projector.games.duelyst.hands import draw, put_back
from projector.games.duelyst.overdue import start
from projector.games.duelyst.state import BOARD, GENERAL, REMOVED, Duelyst, DuelystPlayer, Tile
from projector.kit.seating import add_zones, seat_players
from projector.model.rulebook import Ruleset

HOME: Final = ((3, 1), (3, 9))
"""The tiles of the two generals, in the order of the seats."""


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Duelyst:
    """Lay the table out: the board with its globes, the two players with their zones."""
    table = Duelyst(options=ruleset.options, library=library)
    table.add_zone(BOARD)
    table.add_zone(REMOVED)
    ids = list(dict.fromkeys(seat.id for seat in seats))[:2]
    for player in seat_players(table, [seat for seat in seats if seat.id in ids], DuelystPlayer):
        name = player.id
        player.capacity = _first_capacity(ruleset.options, player.seat)
        table.decks[name], table.hands[name] = add_zones(table, name, "deck", "hand")
        table.graveyards[name] = table.add_zone(f"graveyard:{name}", owner=name, role="discard")
        table.worn[name] = table.add_zone(f"artifacts:{name}", owner=name)
    table.first = ids[0] if ids else ""
    table.globes = globe_tiles(table)
    for tile in table.globes:
        table.derive(ev.GlobePlaced(tile=tile), "duelyst.setup.three-globes")
    return table


def _first_capacity(options: Mapping[str, str], seat: int) -> int:
    bonus = 1 if seat == 1 and options["second_player_bonus"] == "one_capacity" else 0
    return bonus + (seat + 1 if options["start_capacity"] == "digital" else 0)


def globe_tiles(table: Duelyst) -> tuple[Tile, ...]:
    """Return the tiles on which mana globes are placed, in the order of the rulebook."""
    listed = table.options["globe_tiles"] == "listed"
    return ((1, 5), (3, 6)) if listed else ((1, 5), (5, 5), (3, 6))


def deck_declared(table: Duelyst, event: ev.DeckDeclared) -> None:
    """Make the cards of a list; the general enters the board at its home."""
    player = table.players[event.player]
    if player.listed:
        return
    table.set(player, "listed", True)
    deck = table.decks[player.id]
    known = table.make_all(copies(player.id, event.cards), deck)
    table.count(deck, "unseen", len(known))
    general = table.card(f"{player.id}:{event.general}")
    require_text(table, general, GENERAL)
    if general.text.kind != GENERAL:
        return
    tile = HOME[player.seat]
    enter(table, general, tile)
    table.set(general, "exhausted", False)
    table.set(player, "general", general.name)
    placed = ev.GeneralPlaced(player=player.id, unit=general.name, tile=tile)
    table.derive(placed, "duelyst.setup.generals-placed")


def deck_shuffled(table: Duelyst, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled."""
    table.set(table.players[event.player], "shuffled", True)


def first_player_chosen(table: Duelyst, event: ev.FirstPlayerChosen) -> None:
    """Note who begins."""
    table.update(table, first=event.player, chosen=True)


def mulligan_taken(table: Duelyst, event: ev.MulliganTaken) -> None:
    """Put hand cards back and draw as many others; after both mulligans the first turn begins."""
    player = table.players[event.player]
    draw(table, player.id, (name for name in event.drawn if name not in event.returned), 0)
    for name in (each for each in event.returned if each not in event.drawn):
        put_back(table, player.id, name)
    table.set(player, "mulliganed", True)
    if not table.turn and all(each.mulliganed for each in table.players.values()):
        start(table)
