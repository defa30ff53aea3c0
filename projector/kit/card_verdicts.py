"""Verdicts that hang on what is printed on a card: now, once the card is shown, or never, where no file knows it."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.kit.common_rules import unknown_among
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Check, Undecidable, Verdict
from tabletape.projector.model.table import Table


def does(table: Table[Any, Any], event: Any, words: str, ruling: str = "") -> str:
    """Return what the player of a line does, and by which ruling that is wrong, if by one."""
    return f"{name_of(table, event.player)} {words}{as_ruled(table, ruling) if ruling else ''}"


def known(table: Table[Any, Any], name: str, judge: Callable[[Any], Verdict]) -> Verdict:
    """Return the verdict on a card's text, or wait for the text where the card is not shown.

    A card that is in no card file has no text; the line on which it first came up says so.
    """
    card = table.find(name)
    if card is None:
        return None
    if card.text is not None:
        return judge(card.text)
    if not is_unseen(card.name):
        return NOT_APPLICABLE
    return Undecidable(f"nobody knows which card {name} is", name, judge)  # type: ignore[arg-type]  # judge never waits


def as_printed(check: Callable[[Any, Any, Any], Verdict]) -> Check:
    """Return a check that is given what is printed on the card of a line; without that it has nothing to say."""

    @wraps(check)
    def look(table: Table[Any, Any], event: Any) -> Verdict:
        card = table.find(event.card)
        return NOT_APPLICABLE if card is None or card.text is None else check(table, event, card.text)

    return look


def of_card(judge: Callable[[Any, Any, Any], Verdict]) -> Check:
    """Return the check of the text of a line's card: `judge(table, event, text)`, once the card is shown."""

    @wraps(judge)
    def check(table: Table[Any, Any], event: Any) -> Verdict:
        card = table.find(event.card)
        if card is not None and card.text is not None:
            return judge(table, event, card.text)
        return known(table, event.card, partial(judge, table, event))

    return check


def unless_unknown(table: Table[Any, Any], name: str, message: str, expected: str = "") -> Verdict:
    """Return what is wrong with a card; of one that is in no card file it is open, which is said once a game."""
    card = table.find(name)
    if card is not None:
        return Broken(message, expected) if card.text is not None or is_unseen(card.name) else NOT_APPLICABLE
    return unknown_among(table, (name,)) or Broken(message, expected)
