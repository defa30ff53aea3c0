"""The set-up: the empty table, factions and decks, shuffle and cut, the token, the starting hands."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.games import crystal as ev
from events.names import copies
from events.shared import Seat
from projector.games.crystal import board
from projector.games.crystal.abilities import LANES
from projector.games.crystal.drawing import draw, named_and_unseen
from projector.games.crystal.schema import FACTION, START_CRYSTALS, START_HITPOINTS
from projector.games.crystal.state import BASIC, SETUP, Crystal, CrystalPlayer, deck_of
from projector.kit.seating import add_zones, seat_players, zone_of
from projector.model.rulebook import Ruleset


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Crystal:
    """Lay the table out: the players with their zones."""
    table = Crystal(options=ruleset.options, library=library)
    for player in seat_players(table, seats, CrystalPlayer):
        table.add_zone(f"{FACTION}:deck:{player.id}", owner=player.id, role="deck", seen_by="nobody")
        table.add_zone(f"{BASIC}:deck:{player.id}", owner=player.id, role="deck")
        add_zones(table, player.id, "hand", "base", *LANES)
        table.add_zone(f"discard:{player.id}", owner=player.id)
        table.add_zone(f"out:{player.id}", owner=player.id, seen_by="owner")
    table.everyone = frozenset(table.players)
    return table


def deck_declared(table: Crystal, event: ev.DeckDeclared) -> None:
    """Make the cards of both decks and the base cards, and set the supply."""
    player = table.players[event.player]
    if player.listed:
        return
    table.update(player, listed=True, faction=event.faction)
    named = copies(player.id, (*event.cards, *event.basic))
    for deck, cards in ((FACTION, named[: len(event.cards)]), (BASIC, named[len(event.cards) :])):
        table.make_all(cards, deck_of(table, deck, player.id))
    _set_supply(table, player)


def _set_supply(table: Crystal, player: CrystalPlayer) -> None:
    text = table.library.get(player.faction)
    hitpoints, crystals = START_HITPOINTS, START_CRYSTALS
    if text is not None and text.kind == FACTION:
        hitpoints, crystals = text.hitpoints, text.crystals
        base = table.card(f"{player.id}:{text.id}")
        board.withdraw(table, base)
        table.move(base, zone_of(table, "base", player.id))
        table.set(base, "face_up", True)
        table.set(player, "base", text.values)
        for index in range(3):
            board.update_totals(table, player, index)
    table.update(player, hitpoints=hitpoints, crystals=crystals)
    line = ev.SupplySet(player=player.id, hitpoints=player.hitpoints, crystals=player.crystals)
    table.derive(line, "crystal.setup.supply")
    table.applied.append("crystal.setup.three-base-cards")


def deck_shuffled(table: Crystal, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled; its order is never known. Whoever shuffles has to let cut again."""
    player = table.players[event.player]
    table.update(player, shuffled=True, reshuffled=player.cut or player.reshuffled, cut=False)


def deck_cut(table: Crystal, event: ev.DeckCut) -> None:
    """Note that a deck is cut; that nobody has shuffled it before is found with this line, once."""
    player = table.players[event.player]
    table.update(player, cut=True, shuffled=True)


def first_player_chosen(table: Crystal, event: ev.FirstPlayerChosen) -> None:
    """Note who has won the flip."""
    if table.phase == SETUP and len(table.flips) < flips_needed(table):
        table.set(table, "flips", (*table.flips, event.player))


def starting_hand_drawn(table: Crystal, event: ev.StartingHandDrawn) -> None:
    """Move the starting hand from both decks; the unseen cards come from the faction deck."""
    names, unseen = named_and_unseen(event)
    basic = deck_of(table, BASIC, event.player)
    open_cards = [name for name in names if (card := table.find(name)) is not None and card.zone is basic]
    draw(table, event.player, open_cards, 0, BASIC)
    draw(table, event.player, [name for name in names if name not in open_cards], unseen, FACTION)
    table.set(table.players[event.player], "opened", True)


def flips_needed(table: Crystal) -> int:
    """Return how many flips decide who has priority first (rulings `first_priority` and `second_flip`)."""
    flips = max(len(table.players) - 1, 1) if table.options["first_priority"] == "winner_stays" else 1
    return 2 * flips if table.options["second_flip"] == "second_counts" else flips


def rivals(table: Crystal) -> tuple[str, ...]:
    """Return who may win the next flip: anybody, or the winner of the last one and the next player (ruling)."""
    ids = tuple(table.players)
    if table.options["first_priority"] != "winner_stays":
        return ids
    number = len(table.flips) % max(len(ids) - 1, 1)
    return (table.flips[-1] if number else ids[0], ids[(number + 1) % len(ids)])


def is_set_up(table: Crystal) -> bool:
    """Return whether everything is there for round 1."""
    if len(table.flips) < flips_needed(table):
        return False
    players = [player for player in table.players.values() if player.living]
    return len(players) > 1 and all(player.listed and player.opened for player in players)
