"""What holds at every table: a card comes from where it lies, a count is right, and after the end nothing happens.

Where anything is unseen, or a deck is not written down, the log cannot tell, and nothing is said.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.events.vocabulary.shared import PlayerConceded, StateObserved
from tabletape.events.vocabulary.tabletop import CardMoved, CardsDrawn, GameEnded
from tabletape.projector.model.amounts import counted, joined
from tabletape.projector.model.game import Drift, RuleVerdict
from tabletape.projector.model.phrases import name_in_words, unlisted_in_words, zone_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rows, Section, Verdict
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.state import (
    Tabletop,
    copies_of,
    counter_called,
    is_open,
    know,
    whereabouts,
    zone_called,
)

BOOKS: Final = Section("Books")
"""What holds at every table is the keeping of books, which no rulebook speaks of."""


@BOOKS.rule("tabletop.card.from-where-it-lies", "", "A card is taken from the zone in which it lies.")
def from_where_it_lies(table: Tabletop, event: CardMoved) -> Verdict:
    """The card must be able to lie in the zone that the log takes it from."""
    if not event.from_:
        return NOT_APPLICABLE
    zone = zone_called(table, event.from_, event.player)
    # Once it is said of a hand nobody knows any more what is in it.
    if zone is not None and not table.players[event.player].hand_guessed and unwritten_in_hand(table, event):
        there = joined(name_in_words(table, card.name) for card in zone.cards)
        said = f"By the log {zone_in_words(table, zone)} has {there}, not {name_in_words(table, event.card)}"
        words = unlisted_in_words(table, said)
        return Broken(words, "a line that says how it came there", "unverifiable")
    if zone is None or whereabouts(table, event.card, zone) != "elsewhere":
        return None if zone is None else _second_copy(table, event, zone)
    lies = next((card.zone for card in table.cards.values() if card_of(card.name) == card_of(event.card)), zone)
    what = name_in_words(table, event.card)
    return Broken(f"{what} is not in {zone_in_words(table, zone)}", f"it lies in {zone_in_words(table, lies)}")


def _second_copy(table: Tabletop, event: CardMoved, hand: Zone) -> Verdict:
    """Say that a card comes out of a hand of which not all is known while the one of that name lies elsewhere.

    It is taken for another copy, of the first such card: that there are several is known then.
    """
    alike = copies_of(table, event.card) if hand.role == "hand" and hand.unseen and not table.has_no_steps else []
    if len(alike) != 1 or alike[0].zone is hand or alike[0].zone.role == "deck" or not is_open(table, alike[0].owner):
        return None
    what, where = name_in_words(table, event.card), zone_in_words(table, alike[0].zone)
    words = unlisted_in_words(table, f"taken for another {what} than the one in {where}")
    return Broken(words, "a line that says how it came back, if it is the same", "info")


def unwritten_in_hand(table: Tabletop, event: CardMoved) -> bool:
    """Return whether a card comes from a hand of which the log has named every card so far, and not this one.

    That is no mistake: a draw, or that somebody gave it, may not be written down.
    """
    hand = zone_called(table, event.from_ or "", event.player)
    if hand is None or hand.role != "hand" or hand.unseen or not hand.cards or table.has_no_steps:
        return False
    return is_open(table, owner_of(event.card)) and all(card.zone is not hand for card in copies_of(table, event.card))


@BOOKS.rule("tabletop.zone.named", "", "The game's file names its zones.")
def zone_named(table: Tabletop, event: CardMoved) -> Verdict:
    """Both zones must be among those of the game's file; the card is kept elsewhere otherwise."""
    for name in (event.from_, event.to):
        if name and zone_called(table, name, event.player) is None:
            known = sorted({each.rpartition("/")[2] for each in table.zones} - {"nowhere"})
            return Broken(f"the game has no zone called {name}", f"one of {', '.join(known)}", "info")
    return None


@BOOKS.rule("tabletop.draw.from-the-deck", "", "Nobody draws more cards than the deck has.")
def enough_cards(table: Tabletop, event: CardsDrawn) -> Verdict:
    """A deck that is written down must have as many cards as are drawn."""
    deck = zone_called(table, event.from_ or "deck", event.player)
    wanted = len(event.cards or ()) + (event.count or 0)
    if deck is None or deck.role != "deck" or is_open(table, event.player) or deck.size >= wanted:
        return None
    return Broken(f"{counted(wanted, 'card')} drawn", f"the deck has {deck.size}", "unverifiable")


@BOOKS.rule("tabletop.end.nothing-after", "", "After the end of the game nothing is played.")
def nothing_after(table: Tabletop, event: Event) -> Verdict:
    """The game must not be over; who concedes when it is over does no harm."""
    is_harmless = not isinstance(event, Decision) or isinstance(event, PlayerConceded | GameEnded)
    if not table.over or table.has_no_steps or is_harmless:
        return None
    return Broken("the game is over", f"it ended: {table.reason}")


@BOOKS.rule("tabletop.end.one-winner", "", "A game has one end.")
def one_end(table: Tabletop, event: GameEnded) -> Verdict:
    """A written end must not name another winner than the end before it."""
    if table.over and table.winner and event.winner and event.winner != table.winner:
        return Broken(f"{event.winner} wins", f"{table.winner} has won already")
    return None


@BOOKS.rule("tabletop.state.observed", "", "What is read off the table is what the log makes it.")
def observed(_table: Tabletop, _event: StateObserved) -> Verdict:
    """Differences are found by `observe`."""
    return None


def gate(table: Tabletop, event: Event) -> RuleVerdict | None:
    """Check whether the game is over; what is played all the same is done."""
    if not table.over:  # as nearly always
        return None
    verdict = nothing_after(table, event)
    return RuleVerdict(nothing_after, verdict) if verdict is not None else None


def explain_mismatch(_table: Tabletop, _event: Consequence, _expected: Consequence | None) -> RuleVerdict:
    """Take every written consequence: no rules make anything of what was played."""
    return RuleVerdict(one_end, NOT_APPLICABLE)


def observe(table: Tabletop, event: Any) -> Iterable[Drift]:
    """Compare counters that the log has counted, and zones in which every card is known, with what was read off."""
    if table.has_no_steps:
        return
    thing: Any = table.players[event.player] if event.player else table
    for written, seen in event.counters.items():
        name = counter_called(table, thing.counters, written)
        if name in table.unsure or (name in table.counter_names and name not in thing.counters):
            # Nobody knew it: it is what was read off. Of a counter that each player has only this one is known then.
            _adopt(table, thing, name, seen)
            table.set(table, "unsure", table.unsure - ({name} if thing is table else set()))
        elif name in thing.counters:
            yield Drift(observed, name, thing.counters[name], seen, partial(_adopt, table, thing, name, seen))
    for name, count in event.zones.items():
        zone = zone_called(table, name, event.player or "")
        if zone is not None and zone.name in table.undeclared:
            table.set(zone, "unseen", max(count - len(zone.cards), 0))
            know(table, (zone.name,))
        elif zone is not None and zone.role != "deck" and not is_open(table, zone.owner) and not zone.unseen:
            yield Drift(observed, f"cards in {name}", zone.size, count)


def _adopt(table: Tabletop, thing: Any, name: str, seen: float) -> None:
    table.set(thing, "counters", {**thing.counters, name: seen})


ROWS: Rows = {CardMoved: (zone_named, from_where_it_lies), CardsDrawn: (enough_cards,), GameEnded: (one_end,)}
