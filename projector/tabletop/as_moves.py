"""Lines that every table has as the moves of a game's file: who keeps a log says that a card is played."""

from typing import Final

import msgspec

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.tabletop import CardMoved, CardsDrawn, CardUsed

DRAW: Final = "draw"
_BY_PLACE: Final = {"table": "play", "elsewhere": "play", "discard": "discard"}
"""What is done with a card of a hand, by where it goes."""

_IN_OWN_WORDS: Final = frozenset({"type", "card", "from", "to", "what"})
"""What a move says in words of its own."""


def done_in(event: Event) -> str:
    """Return what a line that every table has does with a card, as a move is called; empty for all else."""
    if isinstance(event, CardMoved) and event.from_ == "hand" and not is_unseen(event.card):
        return _BY_PLACE.get(event.to, "")
    if isinstance(event, CardUsed) and not is_unseen(event.card):
        return "use"
    return DRAW if isinstance(event, CardsDrawn) and not event.from_ else ""


def as_move(slug: str, event: Event) -> Event:
    """Return a line as the move of the game's file that is called so; as it is where none is, or not with that card."""
    rules, done = open_games()[slug].rules, done_in(event)
    if rules is None or not isinstance(event, CardMoved | CardUsed) or card_of(event.card) not in rules.cards:
        return event
    moves = (move for move in rules.moves.values() if done == move.name or done in move.called)
    move = next((each for each in moves if [field.name for field in each.fields] == ["cards"]), None)
    if move is None:
        return event
    beside = {key: value for key, value in msgspec.to_builtins(event).items() if key not in _IN_OWN_WORDS}
    return vocabulary(slug).convert({**beside, "type": f"move.{move.name}", "cards": [card_of(event.card)]})
