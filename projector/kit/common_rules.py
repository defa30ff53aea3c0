"""Rules that every game has: who sits there, which cards exist, what the set-up lacks, what comes after the end.

A game declares each with its own id, lines and sentence in its section, `SECTION.rule("…", "…", "…")(check)`, and takes
the check from here, or calls it with its own words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, copies, is_unseen, owner_of
from tabletape.events.vocabulary.shared import (
    CardShown,
    DeckDeclared,
    DeckShuffled,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
)
from tabletape.projector.model.amounts import how_many, joined, pluralized
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.due import Due, draw_due, number_of_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Case, Check, Rule, Undecidable, Verdict
from tabletape.projector.model.sentences import clause
from tabletape.projector.model.showing import why_not_shown
from tabletape.projector.model.table import Table

SINGLE_IDENTITY = "A card that nobody could name is one card, which lies nowhere else (implied)."
"""The sentence of `state.single-identity`, which no rulebook has."""


Players = Callable[[Any], Iterable[Any]]


# -- players -----------------------------------------------------------------------------------------------------------


def two_players(table: Table[Any, Any], event: GameStarted) -> Verdict:
    """Return whether `game.started` names two different players."""
    return None if len(event.players) == len(table.players) == 2 else wrong_seats(table, event, "two different players")


def wrong_seats(table: Table[Any, Any], event: GameStarted, expected: str) -> Broken:
    """Return how many seats and players a game begins with, where it is for others."""
    seats, players = how_many(len(event.players), "seat"), how_many(len(table.players), "player")
    return Broken(f"the log names {seats} for {players}", expected)


def out_of_game(table: Table[Any, Any], event: Event, seats: Rule, end: Rule) -> RuleVerdict | None:
    """Return the finding on a line of nobody at this table, or after the end; None where it belongs into the game.

    `seats` is the rule about who plays, `end` the one that nothing comes after the end; hidden cards are shown then.
    """
    is_late = table.over and not isinstance(event, CardShown)
    return by_stranger(table, event, seats) or (
        RuleVerdict(end, end.check(table, event), played=False) if is_late else None
    )


def by_stranger(table: Table[Any, Any], event: Event, seats: Rule) -> RuleVerdict | None:
    """Return the finding on a line of nobody at this table, or None; `seats` is the rule about who plays."""
    player = getattr(event, "player", UNSET)
    if player is UNSET or player in table.players:
        return None
    message = f"{player} does not sit at this table; the players are {joined(table.players)}"
    return RuleVerdict(seats, message, played=False)


def nothing_after(ended: type[GameEnded], because: Mapping[str, str] = MappingProxyType({})) -> Check:
    """Return the check that no line comes after the end, which is said as the game's own line for the end says it.

    `because` are the rules by which the game ends, by the reason of the end.
    """

    def nothing_after_end(table: Table[Any, Any], _event: Event) -> Verdict:
        if not table.over:
            return NOT_APPLICABLE
        how = clause(table, ended(winner=table.winner or None, reason=table.reason))
        message = f"the game is over, but the log goes on: {how}"
        return Broken(message, because=because[table.reason]) if table.reason in because else message

    return nothing_after_end


# -- the set-up --------------------------------------------------------------------------------------------------------


def lacking(of: Rule, field: str, words: str, line: str, who: Players = lambda table: table.players.values()) -> Case:
    """Return the case of a rule that players have to do something before the game begins, by a line of type `line`.

    The field of a player that is called `field` says who has done it, `words` what: `declared a deck list`; `who` are
    the players that have to, by default all.
    """

    def all_have(table: Table[Any, Any], _event: Event) -> Verdict:
        names = [player.name for player in who(table) if not getattr(player, field)]
        what = f"not {words} yet"
        return Broken(pluralized(names, f"has {what}", f"have {what}"), line, "missing") if names else None

    return Case(of, all_have)


def declared_once(table: Table[Any, Any], event: DeckDeclared, *others: str) -> Verdict:
    """Return whether it is the first list of its player (`listed`), who has not drawn from that deck yet (`opened`).

    `others` are the cards that the list names besides those of the deck.
    """
    player = table.players[event.player]
    if player.listed:
        return said_again(table, event, *others) or f"{player.name} declares a second deck list"
    return f"{player.name} declares a deck list after cards were drawn from the deck" if player.opened else None


def said_again(table: Table[Any, Any], event: DeckDeclared, *others: str) -> Broken | None:
    """Return the verdict that a deck list was declared by its player before: a line written twice breaks no rule.

    `others` are the cards that the list names besides those of the deck; the cards on the table are those of its list.
    """
    player = event.player
    names = {*copies(player, (*event.cards, *others))}
    mine = {name for name in table.cards if owner_of(name) == player}
    if names != mine:
        return None
    return Broken(f"{table.players[player].name} declares the same deck list again", "no second line", "info")


def shuffled_in_time(table: Table[Any, Any], event: DeckShuffled) -> Verdict:
    """Return whether a deck is shuffled for the game after its list is declared, before its first card is drawn."""
    player = table.players[event.player]
    if not player.listed:
        return f"{player.name} shuffles a deck that has not been declared"
    return f"{player.name} shuffles the deck after cards were drawn from it" if player.opened else None


def drawn_from_shuffled(table: Table[Any, Any], event: Any) -> Verdict:
    """Return whether the first cards are drawn from a deck that is shuffled."""
    player = table.players[event.player]
    return None if player.shuffled or player.opened else f"{player.name} draws from a deck that has not been shuffled"


def opening_hand(table: Table[Any, Any], event: Any, size: int) -> Verdict:
    """Return whether a player draws one opening hand, of so many cards, before the game begins."""
    player, number = table.players[event.player], number_of_cards(event)
    if table.turn:
        return f"{player.name} draws an opening hand although the game has begun"
    if player.opened:
        return f"{player.name} draws a second opening hand"
    if number == size:
        return None
    return Broken(
        f"{player.name} draws {how_many(number, 'card')} for the opening hand, not {size}", how_many(size, "card")
    )


def chosen_once(table: Any, event: FirstPlayerChosen) -> Verdict:
    """Return whether it is said once who begins, before the game does."""
    if table.turn:
        return f"{name_of(table, event.player)} is made the first player although the game has begun"
    return f"{name_of(table, table.first)} is the first player already" if table.first else None


def first_is_chosen(table: Any, _event: Event) -> Verdict:
    """Return whether it has been said who begins."""
    return None if table.first else Broken("nobody has written down who begins", "first-player.chosen", "missing")


def note_first(table: Any, event: FirstPlayerChosen) -> None:
    """Note who begins, as long as the game has not begun."""
    if table.phase == "setup":
        table.set(table, "first", event.player)


Ruled = tuple[type[Event], Rule]
"""A line, and the rule that owes it."""


def due_in_setup(table: Any, shuffle: Ruled, draw: Ruled, hand: int, *others: Due) -> Iterator[Due]:
    """Yield what is due once all lists are known, in any order: a shuffle, then a hand of that size, and `others`.

    The table has `decks` by player.
    """
    players = table.players.values()
    if all(player.listed for player in players):
        for player in players:
            if not player.shuffled:
                yield Due(line=shuffle[0], known={"player": player.id, "reason": "setup"}, rule=shuffle[1].id)
            elif not player.opened:
                yield draw_due(table, draw[0], table.decks[player.id].name, hand, draw[1].id, player=player.id)
        yield from others


def first_lacking(table: Table[Any, Any], steps: Sequence[Case]) -> Case | None:
    """Return the first of several steps of the set-up that is still lacking, or None where none is."""
    return next((step for step in steps if step.check(table, None) is not None), None)


# -- cards -------------------------------------------------------------------------------------------------------------


def names_in(event: Event, fields: Iterable[str]) -> list[str]:
    """Return the names of cards that a line has in some fields, as far as it has these."""
    names: list[str] = []
    for field in fields:
        value = getattr(event, field, ())
        if isinstance(value, str):
            names.append(value)
        elif isinstance(value, tuple):
            names += value
    return names


def is_unknown(table: Table[Any, Any], name: str) -> bool:
    """Return whether a name is that of no card at this table and of no card of the game."""
    return name not in table.cards and not is_unseen(name) and card_of(name) not in table.library


def unknown_among(table: Table[Any, Any], names: Iterable[str]) -> Undecidable | None:
    """Return the doubt about cards that no card file has; None where all are known. It is said once."""
    ids = [card_of(name) or name for name in names if is_unknown(table, name)]
    return Undecidable(unknown_cards(ids, table.library), once=True) if ids else None


def known_shown(table: Table[Any, Any], event: CardShown) -> Verdict:
    """Return whether the card that is shown is in the card file."""
    return unknown_among(table, (event.card,))


def shown_as_one_card(table: Table[Any, Any], event: CardShown) -> Verdict:
    """Return whether a card without a name turns out to be one that it can be; of an unknown one it is open."""
    return NOT_APPLICABLE if is_unknown(table, event.card) else why_not_shown(table, event.was, event.card)
