"""What each line does at the table: the draws, the actions and the end."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import phylogenome as ev
from events.names import is_unseen, owner_of
from events.vocabulary import Event
from projector.games.phylogenome import opening, tableau, turns
from projector.games.phylogenome.abilities import ParsedText
from projector.games.phylogenome.effects import carry_out, discard, put_on_pile
from projector.games.phylogenome.grid import Cell
from projector.games.phylogenome.playable import licence_for
from projector.games.phylogenome.state import (
    ENDING,
    EVENT,
    SETUP,
    TABLEAU,
    Owed,
    Phylo,
    PhyloCard,
    in_play,
    is_event,
    is_species,
    number_to_draw,
)
from projector.kit.ending import early_ends
from projector.kit.seating import zone_of
from projector.model.due import number_of_cards
from projector.model.showing import show
from projector.model.things import Zone

KEEPS: Final = "keeps a card for {source}"
EXCHANGE: Final = "phylogenome.cycle.draw-three"
EXCHANGED: Final = 3
"""Cards that are drawn for one that is exchanged."""


# -- luck --------------------------------------------------------------------------------------------------------------


def cards_drawn(table: Phylo, event: ev.CardsDrawn) -> None:
    """Move drawn cards to the hand, and strike off what luck owed."""
    player, owed = event.player, table.owed
    deck, hand = table.decks[player], table.hands[player]
    left: tuple[Owed, ...] = ()
    if owed and (len(owed) > 1 or owed[0].line is not ev.CardsDrawn):
        left = _left_after(table, event)
    if event.cards is UNSET:
        table.draw((), int(event.count), deck, hand)  # type: ignore[arg-type]  # one of the two stands
    elif event.cards:
        _take_drawn(table, event.cards, deck, hand)
    if table.phase == SETUP:
        table.set(table.players[player], "opened", True)
    elif owed and owed[0].player == player:
        table.owed = left
        table.journal.append((table, "owed", owed, left))
    elif table.missed and (late := answered_by(table, event)) is not None:
        _make_up(table, late)


def _take_drawn(table: Phylo, names: tuple[str, ...], deck: Zone, hand: Zone) -> None:
    """Move named cards from the deck to the hand; an unnamed one is one of the unseen ones there.

    So is a card that lies open in play: another one was drawn.
    """
    unnamed = len(names)
    cards = table.cards
    for name in names if unnamed == 1 else dict.fromkeys(names):
        card = cards.get(name)
        if card is not None and card.zone is deck:
            table.move(card, hand)
        elif is_unseen(name) or _lies_in_play(table, name):
            continue
        else:
            table.draw((name,), 0, deck, hand)
        unnamed -= 1
    if unnamed:
        table.draw((), unnamed, deck, hand)


def _left_after(table: Phylo, event: ev.CardsDrawn) -> tuple[Owed, ...]:
    """Return what luck still owes after a draw that is about to be made."""
    if all_answered_by(table, event):
        return ()
    left = list(table.owed)
    if (answered := answered_by(table, event)) in left:
        left.remove(answered)
    return tuple(left)


def all_answered_by(table: Phylo, event: ev.CardsDrawn) -> tuple[Owed, ...]:
    """Return the draws at the start of a turn that one line writes together, or nothing."""
    draws = tuple(due for due in table.owed if due.line is ev.CardsDrawn and due.player == event.player)
    if len(draws) < 2 or draws != table.owed:
        return ()
    return draws if number_of_cards(event) == sum(number_to_draw(table, due) for due in draws) else ()


def answered_by(table: Phylo, event: ev.CardsDrawn) -> Owed | None:
    """Return the draw due to a player that a draw answers, or None.

    What happens at the start of a turn may be drawn in any order (ruling `start_trigger_order`), and a draw that was
    left out is not taken for the next one: the first due draw of as many cards counts, else the first one. Where none
    is due it may be one that the log has gone on without.
    """
    draws = [due for due in table.owed if due.line is ev.CardsDrawn and due.player == event.player]
    if not draws:
        return next((due for due in table.missed if due.player == event.player), None)
    if table.owed[0] is not draws[0]:
        return None
    number = number_of_cards(event)
    return next((due for due in draws if number_to_draw(table, due) == number), draws[0])


def _lies_in_play(table: Phylo, name: str) -> bool:
    card = table.find(name)
    return card is not None and in_play(card)


def owed_as(table: Phylo, event: ev.CardsLookedAt | ev.CardKept) -> Owed | None:
    """Return what luck owes now if it is this look or the choice of this card, or None."""
    due = table.owed[0] if table.owed else None
    return due if due is not None and due.line is type(event) and due.player == event.player else None


def cards_looked_at(table: Phylo, event: ev.CardsLookedAt) -> None:
    """Show a player the top cards of the deck; what is kept of them is due."""
    names = () if event.cards is UNSET else event.cards or ()
    for name in names:
        card = table.find(name)
        if card is not None and card.zone.seen_by == "nobody":
            table.set(card, "known_to", card.known_to | {event.player})
    if (looked := owed_as(table, event)) is not None:
        due = msgspec.structs.replace(looked, line=ev.CardKept, words=KEEPS, cards=names)
        kept = min(due.keep, zone_of(table, "deck", event.player).size)
        table.set(table, "owed", (due,) * kept + table.owed[1:])


def card_kept(table: Phylo, event: ev.CardKept) -> None:
    """Take a card that was looked at into the hand; the others go under the deck."""
    deck, hand = zone_of(table, "deck", event.player), zone_of(table, "hand", event.player)
    if is_unseen(event.card):
        table.draw((), 1, deck, hand)
    elif not _lies_in_play(table, event.card):
        table.draw((event.card,), 0, deck, hand)
    if owed_as(table, event) is not None:
        table.set(table, "owed", table.owed[1:])
    else:
        _go_on_without(table, event.player)


# -- actions -----------------------------------------------------------------------------------------------------------


def _go_on_without(table: Phylo, player: str) -> None:
    """Go on although something else was due: a game that was not begun begins, luck owes nothing any more."""
    if table.phase == SETUP:
        turns.begin_turn(table, player)
    if table.owed and table.active == player:
        for due in table.owed:
            if due.line is ev.CardsDrawn:
                _pass_over(table, due)
        table.set(table, "owed", ())


def _pass_over(table: Phylo, due: Owed) -> None:
    """Leave out a line about a draw; it was most likely made: the hand holds so many unseen cards more."""
    number = number_to_draw(table, due)
    table.draw((), number, table.decks[due.player], table.hands[due.player])
    if number:
        table.set(table, "missed", (*table.missed, msgspec.structs.replace(due, count=number)))


def _make_up(table: Phylo, late: Owed) -> None:
    """Take back that a draw was made which has just been written down late."""
    table.set(table, "missed", tuple(due for due in table.missed if due is not late))
    table.draw((), late.count, table.hands[late.player], table.decks[late.player])


def _act(table: Phylo, player: str) -> None:
    """Use an action up."""
    if table.owed or table.phase == SETUP:
        _go_on_without(table, player)
    if table.active == player:
        mine = table.players[player]
        left = mine.actions
        table.journal.append((mine, "actions", left, left - 1))
        mine.actions = left - 1


def species_played(table: Phylo, event: ev.SpeciesPlayed) -> None:
    """Lay a Species on a cell, facing its player; one generation too high uses a licence up."""
    player = event.player
    _act(table, player)
    hand = table.hands[player]
    card = table.cards.get(event.card)
    if card is None or card.zone is not hand:
        card = table.take(event.card, hand)
    if card.text is not None and card.text.kind == EVENT:
        return
    if card.zone is not hand and in_play(card):
        tableau.relocate(table, card, event.cell)
        return
    mine = table.players[player]
    licence = licence_for(table, card, player)
    tableau.lay(table, card, player, event.cell)
    table.applied += "phylogenome.play.faces-player", "phylogenome.compat.action-left"
    if mine.highest > mine.generation:
        table.applied.append("phylogenome.generation.limit-after-loss")
    if licence is not None:
        table.count(licence, "used", 1)
        if licence.used >= licence.text.says.bonus.uses:
            discard(table, licence, player, "used")


def moving(table: Phylo, event: ev.SpeciesMoved) -> list[tuple[PhyloCard, Cell]]:
    """Return the Species in play that are moved, each with the cell to which it is."""
    cards, found = table.cards, []
    for move in event.moves:
        card = cards.get(move.card)
        if card is not None and card.zone.name == TABLEAU:
            found.append((card, move.to))
    return found


def species_moved(table: Phylo, event: ev.SpeciesMoved) -> None:
    """Move Species in the written order; Events beneath them come along."""
    moves, cards = event.moves, table.cards
    _act(table, event.player)
    if len(moves) > 1 and table.options["move_check"] == "end_state":
        for lifted, _ in moving(table, event):
            tableau.withdraw(table, lifted)
    for move in moves:
        card = cards.get(move.card)
        if card is None or card.zone.name != TABLEAU:
            continue
        tableau.withdraw(table, card)
        tableau.lay(table, card, card.controller, move.to)
        table.applied.append("phylogenome.move.compatible-spot")
        if card.beneath:
            table.applied += "phylogenome.event.travels-with-host", "phylogenome.move.carries-events"


def cards_cycled(table: Phylo, event: ev.CardsCycled) -> None:
    """Discard a hand card; three cards are due."""
    player = event.player
    _act(table, player)
    card = table.take(event.discarded, zone_of(table, "hand", player))
    if not in_play(card):
        discard(table, card, player, "cycled")
    words = "draws {cards} for the exchange"
    due = Owed(line=ev.CardsDrawn, player=player, rule=EXCHANGE, words=words, count=EXCHANGED)
    table.set(table, "owed", (*table.owed, due))


def is_too_short(table: Phylo, player: str, says: ParsedText) -> bool:
    """Return whether a deck has fewer cards than an Event draws or looks at when it is played (ruling)."""
    if table.options["event_short_draw"] != "forbidden" or says.trigger != "on_play":
        return False
    asked = max((each.n for each in says.effects if each.verb in {"draw", "look_at_deck"}), default=0)
    return table.decks[player].size < asked


def event_played(table: Phylo, event: ev.EventPlayed) -> None:
    """Carry an Event out."""
    _act(table, event.player)
    if table.active == event.player:
        table.set(table, "event_played", True)
    card = table.take(event.card, zone_of(table, "hand", event.player))
    if is_species(card):
        return
    if card.text is None:  # nobody can name it, so it lies on the table
        table.set(table, "unchecked", card.name)
        if not in_play(card):
            table.move(card, zone_of(table, "table", event.player))
        return
    if card.text.manual:
        acts_on = card.text.duration != "momentary"
        table.update(table, unchecked=card.name, unchecked_until=table.turn + acts_on)
    carry_out(table, card, event)


def turn_ended(table: Phylo, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    if table.owed or table.phase == SETUP:
        _go_on_without(table, event.player)
    if table.active == event.player:
        table.journal.append((table, "phase", table.phase, ENDING))
        table.phase = ENDING


# -- the end -----------------------------------------------------------------------------------------------------------


def card_shown(table: Phylo, event: ev.CardShown) -> None:
    """Name an unnamed card; in play it is what is printed on it from now on."""
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    if unnamed is not None:
        tableau.withdraw(table, unnamed)
    card = show(table, event.was, event.card, table.hands[owner])
    if unnamed is not None and card.zone.name == TABLEAU:
        for name in card.beneath:
            table.set(table.cards[name], "host", card.name)
        table.lay_out_cells()
        tableau.become_known(table, card)
    elif unnamed is not None and card.zone.name == f"table:{owner}":
        if table.unchecked == event.was:
            table.set(table, "unchecked", card.name)
        if is_event(card) and card.text.says.mode != "table":  # what it has done when played nobody has written down
            put_on_pile(table, card, card.owner)


PLAY: Final[Mapping[type[Event], Callable[[Phylo, Any], None]]] = {
    **early_ends(turns.end_game, "phylogenome"),
    ev.DeckDeclared: opening.deck_declared,
    ev.DeckShuffled: opening.deck_shuffled,
    ev.FirstPlayerChosen: opening.first_player_chosen,
    ev.CardsDrawn: cards_drawn,
    ev.CardShown: card_shown,
    ev.CardsLookedAt: cards_looked_at,
    ev.CardKept: card_kept,
    ev.SpeciesPlayed: species_played,
    ev.SpeciesMoved: species_moved,
    ev.CardsCycled: cards_cycled,
    ev.EventPlayed: event_played,
    ev.TurnEnded: turn_ended,
}
"""Which function does what a line says."""
