"""What a viewer may not know, taken out of sentences: no rule's message names a card that lies hidden."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from tabletape.events.vocabulary.names import card_of, owner_of
from tabletape.projector.model.table import Table


def without_hidden(
    text: str, hidden: Collection[str], library: Mapping[str, Any], about: Callable[[], tuple[Table[Any, Any], str]]
) -> str:
    """Return a rule's message without the names of the cards that are `hidden`.

    The printed name of a hidden card stays where another card of that name is known and the line is not about the
    hidden one: `about` says on which table and about which line of the log the message is; it is asked only if needed.
    """
    # Most messages are empty or name no hidden card: nothing is made ready for these.
    words = {name: f"{owner_of(name)}:?" for name in hidden if name in text} if text else {}
    printed = {name: title for name in hidden if (title := _printed(library, name)) in text} if text else {}
    if printed:
        table, line = about()
        known = {card_of(name) for name in table.cards if name not in hidden}
        for name, title in printed.items():
            if title and (card_of(name) not in known or f'"{name}"' in line):
                words[title] = "a hidden card"
    if not words:
        return text
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.sub(rf"(?<!\w)({pattern})(?!\w)", lambda match: words[match[0]], text)


def _printed(library: Mapping[str, Any], name: str) -> str:
    """Return what is printed on a card; empty for an unknown one."""
    text = library.get(card_of(name))
    return "" if text is None else str(text.name)
