"""The set-up: the empty table, lists, bioms and mulligans; what drawing and shuffling do."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from events.games import splicers as ev
from events.names import copies
from events.shared import Seat, TurnStarted
from events.vocabulary import Event
from projector.games.splicers import rounds, triggers, turns
from projector.games.splicers.acting import go_on_without
from projector.games.splicers.effects import drawn_in_part, to_discard_pile
from projector.games.splicers.state import END, SETUP, START, Splicers, SplicersPlayer, tings_and_seeds
from projector.kit.seating import add_zones, seat_players, zone_of
from projector.model.rulebook import Ruleset

LAYS_DOWN: Final = frozenset({"0.2a-2016-08-27"})
"""The editions whose text has a found card played at once."""


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Splicers:
    """Lay the table out: the players with their zones, and the places between them."""
    options = ruleset.options
    table = Splicers(options=options, library=library, ends_itself=options["turn_end"] == "automatic")
    table.keeps_found = options["splice_destination"] == "hand" and ruleset.edition in LAYS_DOWN
    for player in seat_players(table, seats, SplicersPlayer):
        player.begins = TurnStarted(player=player.id)
        deck, hand, _ = add_zones(table, player.id, "deck", "hand", "discard")
        side = table.add_zone(f"play:{player.id}", owner=player.id, seen_by="owner")
        player.draws_from, player.hand, player.side = deck.name, hand.name, side.name
        table.add_zone(f"splicer:{player.id}", owner=player.id)
    table.seating = tuple(table.players)
    table.everybody = frozenset(table.seating)
    table.sides = tuple([player.side for player in table.players.values()])
    table.readied_zones = (*table.sides, "mutations", "row", *[f"splicer:{player}" for player in table.seating])
    table.add_zone("row")
    table.add_zone("mutations")
    table.add_zone("event", seen_by="owner")
    table.add_zone("season")
    return table


def deck_declared(table: Splicers, event: ev.DeckDeclared) -> None:
    """Make the cards of a list: the splicer beside the deck, the bioms at hand, the rest in the deck."""
    player = table.players[event.player]
    table.set(player, "listed", True)
    table.make_all(copies(player.id, event.cards), table.zones[player.draws_from])
    splicer = f"{player.id}:{event.splicer}"
    if table.find(splicer) is None:
        triggers.activate_text(table, table.make(splicer, zone_of(table, "splicer", player.id), face_up=True))
        table.set(player, "splicer", splicer)
    table.set(player, "bioms", event.bioms)
    table.applied += ("splicers.setup.splicer-face-up", "splicers.setup.discard-empty")


def bioms_placed(table: Splicers, event: ev.BiomsPlaced) -> None:
    """Lay the row of bioms out; one that both players brought goes by its card's name."""
    brought: dict[str, str] = {}
    for player in table.players.values():
        for each in player.bioms:
            brought.setdefault(each, f"{player.id}:{each}")
    bioms: dict[str, str] = {}
    for place in dict.fromkeys(event.row):
        name = place if ":" in place else brought.get(place, place)
        biom = table.card(name)
        if biom.zone.name != "row":
            table.move(biom, table.zones["row"])
        table.set(biom, "face_up", True)
        table.set(biom, "place", place)
        table.set(biom, "totals", (0,) * len(table.players))
        bioms[place] = name
    table.update(table, bioms=bioms, row=tuple(bioms))
    for biom in table.zones["row"].cards:
        triggers.activate_text(table, biom)
    for card in tings_and_seeds(table):
        table.set(card, "worth", 0)
        triggers.touch(table, card)


def deck_shuffled(table: Splicers, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled: nothing of its order is known any more."""
    player = table.players[event.player]
    if event.reason == "setup":
        table.set(player, "shuffled", True)
    if player.bottom:
        table.set(player, "bottom", ())
    _come_to_pass(table, ev.DeckShuffled)


def under_deck(table: Splicers, player: str) -> tuple[str, ...]:
    """Return the cards that are known to lie under a player's deck, in the order in which they will be drawn."""
    return table.players[player].bottom


def cards_drawn(table: Splicers, event: ev.CardsDrawn) -> None:
    """Move drawn cards to the hand."""
    player = table.players[event.player]
    if event.reason == "round-start" and (table.phase != START or table.owed is not None):
        _reach_draws(table, event.player)
    _draw(table, player, event.cards, event.count)
    if event.reason == "opening-hand":
        table.set(player, "opened", True)
        table.set(player, "shuffled", True)  # that nobody has shuffled before is found with this line, once
    elif event.reason == "ability":
        drawn = event.count or 0 if event.cards is UNSET else len(event.cards or ())
        _come_to_pass(table, ev.CardsDrawn, drawn)
    elif table.phase == START and player.id not in table.drew:
        drew = table.drew
        table.drew = now = (*drew, player.id)
        table.journal.append((table, "drew", drew, now))
        if not event.cards and not event.count and not table.zones[player.draws_from].size:
            table.set(table, "last_round", True)
            table.applied.append("splicers.end.no-draw-last-round")


def may_draw_first(table: Splicers, player: str) -> bool:
    """Return whether a player's draw for the round may come before what is owed (ruling `draw_vs_unexhaust_order`).

    Where the deck has enough cards for both it makes no difference, and nobody can tell.
    """
    owed = table.owed
    if owed is None or table.phase != START or player in table.drew:
        return False
    if table.options["draw_vs_unexhaust_order"] == "free":
        return True
    enough = player != owed.player or zone_of(table, "deck", owed.player).size > owed.count
    return enough and owed.line is ev.CardsDrawn


def draw_nothing(table: Splicers) -> None:
    """Take it that whoever has no card left has failed to draw for the round: the log need not say so."""
    waiting = [player for player in table.players.values() if player.id not in table.drew]
    if table.owed is None and waiting and all(table.zones[each.draws_from].size <= 0 for each in waiting):
        table.update(table, drew=(*table.drew, *(each.id for each in waiting)), last_round=True)
        table.applied.append("splicers.end.no-draw-last-round")
        rounds.settle(table)


def _reach_draws(table: Splicers, player: str) -> None:
    """Come to the draws of a round, as the log evidently has: lines that have to come before them may be missing.

    An event that still lies face down was probably turned over, and nobody has written down what it did.
    """
    if turns.is_final_turn(table):
        go_on_without(table)
        rounds.end_round(table)
    elif table.phase == END or (table.phase == START and not may_draw_first(table, player)):
        go_on_without(table)
        for card in [*table.zones["event"].cards]:
            to_discard_pile(table, card)
        rounds.settle(table)


def _draw(table: Splicers, player: SplicersPlayer, cards: Any, count: Any) -> None:
    zones = table.zones
    names = cards or ()
    table.draw(names, 0 if count is UNSET else count, zones[player.draws_from], zones[player.hand])


def first_player_chosen(table: Splicers, event: ev.FirstPlayerChosen) -> None:
    """Note who begins."""
    if table.phase == SETUP:
        table.set(table, "first", event.player)


def mulligan_taken(table: Splicers, event: ev.MulliganTaken) -> None:
    """Put hand cards back and draw as many; after both mulligans the first round begins."""
    player = table.players[event.player]
    hand, deck = table.zones[player.hand], table.zones[player.draws_from]
    destination = table.options["mulligan_destination"]
    for name in event.returned:
        card = table.take(name, hand)
        if destination == "discard_pile":
            to_discard_pile(table, card)
        else:
            table.move(card, deck)
        table.applied.append("splicers.mulligan.discard")
    if destination == "deck_bottom" and event.returned:
        table.set(player, "bottom", (*player.bottom, *reversed(event.returned)))
    _draw(table, player, event.drawn, event.count)
    if not event.returned:
        table.applied.append("splicers.setup.mulligan-optional")
    if table.options["mulligan_count"] == "one":
        table.set(player, "mulliganed", True)
    else:
        _note_one_of_several(table, player, is_last=not event.returned)
    if table.phase == SETUP and table.first and all(each.mulliganed for each in table.players.values()):
        rounds.begin_first_round(table, table.first)


def _note_one_of_several(table: Splicers, player: SplicersPlayer, *, is_last: bool) -> None:
    """Note one of several mulligans (ruling); the first one of the second player ends those of the first player."""
    table.count(player, "mulligans", 1)
    for each in table.players.values():
        if (each is player and is_last) or (each is not player and each.id == table.first):
            table.set(each, "mulliganed", True)


def _come_to_pass(table: Splicers, line: type[Event], drawn: int = 0) -> None:
    """Note that the owed line has come; of a draw some cards may be left for another line."""
    owed = table.owed
    if owed is not None and owed.line is line:
        table.owed = left = drawn_in_part(table, owed, drawn) if 0 < drawn < owed.count else None
        table.journal.append((table, "owed", owed, left))
