"""What is due, in words for whoever keeps the log, and the line that an answer makes of it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.errors import TabletapeError
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.model.deciding import next_unseen
from tabletape.projector.model.due import Asked, Due
from tabletape.projector.model.phrases import name_in_words, zone_in_words
from tabletape.projector.model.sentences import event_in_words, outline
from tabletape.projector.model.table import Table


class AnswerError(TabletapeError, ValueError):
    """An answer that does not fit what is asked; the message says what would."""


class NamedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that may be named in an answer, by its id; `copies` can still be there."""

    card: str
    words: str
    copies: int


class KeeperQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of whoever keeps the log.

    `lines` are the lines to choose from; where cards are asked, from `least` to `most` of `cards`, and where `unseen`
    so many of them may stay unnamed. `ordered` are names to be put into an order.
    """

    words: str
    rule: str = ""
    optional: bool = False
    lines: tuple[tuple[str, Event], ...] = ()
    cards: tuple[NamedCard, ...] = ()
    least: int = 0
    most: int = 0
    unseen: bool = False
    ordered: tuple[tuple[str, str], ...] = ()


def question_of(table: Table[Any, Any], due: Due) -> KeeperQuestion:
    """Return what is asked about a line that is due."""
    asked = due.asked
    question = KeeperQuestion(words="", rule=due.rule, optional=due.optional or due.later)
    if asked is None or (asked.kind == "cards" and not asked.most):
        line = due.event() if asked is None else due.event(**{asked.field: ()})
        words = event_in_words(table, line)
        return msgspec.structs.replace(question, words=words, lines=((words, line),))
    if asked.kind == "option":
        lines = tuple((event_in_words(table, line), line) for line in (due.event(**each) for each in asked.options))
        words = lines[0][0] if len(lines) == 1 else "What happened?"
        return msgspec.structs.replace(question, words=words, lines=lines)
    if asked.kind == "order":
        ordered = tuple((name, name_in_words(table, name)) for name in asked.names)
        done = outline(table, due.event(**{asked.field: asked.names})).rstrip(" :…")
        return msgspec.structs.replace(question, words=f"{done}: in which order?", ordered=ordered)
    cards = _cards(table, asked)
    is_hidden = any(table.zones[zone].seen_by != "all" for zone in asked.zones)
    words = _draw_in_words(table, due, asked)
    return msgspec.structs.replace(
        question, words=words, cards=cards, least=asked.least, most=asked.most, unseen=is_hidden
    )


def _draw_in_words(table: Table[Any, Any], due: Due, asked: Asked) -> str:
    number = str(asked.most) if asked.least == asked.most else f"up to {asked.most}"
    noun = "card" if asked.most == 1 else "cards"
    verb = "looks at" if "looked" in str(due.line.__struct_config__.tag) else "draws"
    player = name_in_words(table, due.player)
    zones = (zone_in_words(table, table.zones[zone]).removeprefix(f"{player}'s ") for zone in asked.zones)
    where = " or ".join(f"the {zone}" for zone in zones)
    return f"{player} {verb} {number} {noun} from {where}: which?"


def _cards(table: Table[Any, Any], asked: Asked) -> tuple[NamedCard, ...]:
    """Return the cards that can still lie where cards are drawn from, each once; of an open deck those on top."""
    names: list[str] = []
    for zone in map(table.zones.__getitem__, asked.zones):
        there = zone.cards[: asked.most] if zone.seen_by == "all" else zone.cards
        names += [card.name for card in there if not is_unseen(card.name)]
    return cards_named(table, _drawable(asked, names))


def _drawable(asked: Asked, names: Iterable[str]) -> list[str]:
    """Return the names of the cards that may be drawn: none that goes into the deck only after the draw."""
    return [name for name in names if asked.put_back_first or name not in asked.put_back]


def cards_named(table: Table[Any, Any], names: Iterable[str]) -> tuple[NamedCard, ...]:
    """Return names of copies as cards to choose from, in the order of their printed names."""
    counts = Counter(map(card_of, names))
    cards = (NamedCard(card=card, words=name_in_words(table, card), copies=number) for card, number in counts.items())
    return tuple(sorted(cards, key=lambda card: card.words))


# -- answers -----------------------------------------------------------------------------------------------------------


def answered(table: Table[Any, Any], due: Due, cards: Sequence[str], unseen: int) -> Event:
    """Return the line that cards, by their ids and in their order, and a number of unseen ones make of what is due.

    Raises `AnswerError` for cards that cannot lie there, for more of them than are asked for, or where one of several
    lines is.
    """
    asked = due.asked
    if asked is None:
        return due.event()
    if asked.kind == "option":
        if len(asked.options) > 1:
            raise AnswerError(f"one of {len(asked.options)} lines is asked for, not cards: write that line")
        return due.event(**asked.options[0])
    if asked.kind == "order":
        if sorted(cards) != sorted(asked.names):
            raise AnswerError(f"all of {', '.join(asked.names)} stand in the order, each once")
        return due.event(**{asked.field: tuple(cards)})
    if not asked.least <= len(cards) + unseen <= asked.most:
        number = str(asked.most) if asked.least == asked.most else f"{asked.least} to {asked.most}"
        raise AnswerError(f"{number} cards are drawn, not {len(cards) + unseen}")
    there = _drawable(asked, (card.name for zone in asked.zones for card in table.zones[zone].cards))
    names = copies_among(cards, there)
    return due.event(**cards_or_count(table, due, asked.field, names, unseen))


def cards_or_count(table: Table[Any, Any], due: Due, field: str, names: tuple[str, ...], unseen: int) -> dict[str, Any]:
    """Return the fields for drawn cards: their names, or where nobody saw any of them how many there were."""
    if unseen and not names and "count" in due.line.__struct_fields__:
        return {"count": unseen}
    return {field: (*names, *new_unseen(table, due.player, unseen))}


def new_unseen(table: Table[Any, Any], player: str, number: int, beside: Iterable[str] = ()) -> tuple[str, ...]:
    """Return new names for cards of a player that nobody has seen, other ones than those `beside`."""
    first = int(next_unseen(table, player).partition("?")[2])
    taken = [int(name.partition("?")[2]) for name in beside if is_unseen(name)]
    first = max([first, *(each + 1 for each in taken)])
    return tuple(f"{player}:?{each}" for each in range(first, first + number))


def copies_among(cards: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return a copy for each card id, of the names of those that are there, each copy once; a name stays as it is.

    Raises `AnswerError` for a card of which there are not enough copies.
    """
    left = list(names)
    taken: list[str] = []
    for card in cards:
        name = card if card in left else next((each for each in left if card_of(each) == card), None)
        if name is None:
            raise AnswerError(
                f"there is no {'other ' if any(card_of(each) == card for each in taken) else ''}{card} there"
            )
        left.remove(name)
        taken.append(name)
    return tuple(taken)


def with_drawn(table: Table[Any, Any], event: Any, cards: Sequence[str], unseen: int) -> Event:
    """Return a decision with the cards that were drawn for it, by their ids, and so many that nobody saw.

    Raises `AnswerError` as `copies_among` does, and for a line for which no cards are drawn.
    """
    if "drawn" not in event.ASKED_AFTER:
        raise AnswerError(f"no cards are drawn for {tag_of(type(event))}: write that line")
    if not cards:
        handles = new_unseen(table, event.player, unseen, getattr(event, "returned", ()))
        counted = "count" in event.__struct_fields__
        drawn: dict[str, Any] = {"drawn": UNSET, "count": unseen} if counted else {"drawn": handles}
        without: Event = msgspec.structs.replace(event, **drawn)
        return without
    decks = (zone for zone in table.zones.values() if zone.role == "deck" and zone.owner == event.player)
    there = [card.name for deck in decks for card in deck.cards if not is_unseen(card.name)]
    names = copies_among(cards, [*there, *(name for name in event.returned if not is_unseen(name))])
    handles = new_unseen(table, event.player, unseen, event.returned)
    more = {"count": UNSET} if "count" in event.__struct_fields__ else {}
    named: Event = msgspec.structs.replace(event, drawn=(*names, *handles), **more)
    return named
