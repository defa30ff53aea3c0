"""Lines of a chat that no player says: cards that are laid out for all, and what somebody remarks of the others."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

from tabletape.dashboard.own_game.chat import ChatReading
from tabletape.dashboard.own_game.line_shapes import ShapeReader
from tabletape.dashboard.own_game.messages import WORD, table_verbs
from tabletape.dashboard.own_game.said_again import said_again
from tabletape.events.importing.maps.move_words import forms_of_verb

_LAID: Final = re.compile(
    r"(?:the )?(?:new|next|first|start\w*|turned|flipped|revealed)\b[^.:;,?]*?(?::| is| are| shows?| starts with) "
    r"(?P<cards>.+)",
    re.IGNORECASE,
)
"""So a line begins that nobody says, and that tells which cards are laid out."""


def with_lines_of_nobody(chat: ChatReading, folder: Path, may: Collection[str] = ()) -> ChatReading:
    """Return a chat with the open lines read that nobody says: `new wall: fig 3` lays cards out, others are talk.

    What one `may` do by the rulebook may be a move, whoever writes it down.
    """
    shapes = ShapeReader(chat.slug, chat.seen.players)
    chat = _without_asides(chat, shapes, folder, may)
    for number, line in chat.lines(folder).open.items():
        laid = _LAID.fullmatch(line.strip(" .!"))
        is_bare = laid is not None and not shapes.without_holes(laid["cards"]).strip(" ,.&and")
        if is_bare and laid and not chat.speaker(line)[0] and shapes.shape(laid["cards"]).is_bare:
            said = said_again(chat, number, "comes out", folder)
            chat = said.reading if said is not None else chat
    return chat


def _without_asides(chat: ChatReading, shapes: ShapeReader, folder: Path, may: Collection[str]) -> ChatReading:
    """Return a chat in which the open lines are talk that nobody says, and that name no card, number, or thing to do.

    `Omar wants crisps` is none of his moves where each stands behind a name and a colon.
    """
    done = table_verbs() | {*may}
    for line in chat.lines(folder).open.values() if chat.seen.spoken else ():
        words = {form for word in WORD.findall(line.casefold()) for form in (word, *forms_of_verb(word))}
        names = {kind for _, _, kind in shapes.holes_in(line)} - {"{name}"}
        is_said = line[len(chat.speaker(line)[0]) :].startswith((":", ">"))
        if not (is_said or names or words & done or shapes.named.first_in(line) or "?" in line):
            chat = chat.with_entry((chat.sentence(line), {"skip": True}))
    return chat
