"""The lines of a chat that are asked about though they could be read, or be called talk, in silence."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from tabletape.dashboard.own_game.chat import ChatReading, is_readable, restated
from tabletape.dashboard.own_game.kinds import OFTEN
from tabletape.dashboard.own_game.line_shapes import CLAUSE, ShapeReader
from tabletape.dashboard.own_game.messages import WORD, begun_in, number_of
from tabletape.events.importing.maps.move_words import forms_of_verb, move_called
from tabletape.events.importing.maps.proposing.draws import is_luck
from tabletape.events.importing.maps.proposing.text import gap
from tabletape.events.vocabulary import vocabulary

_SAYS_ONE: Final = re.compile(r"\b(?:an?|card|karte|eine?n?)\b", re.IGNORECASE)


def with_doubts(chat: ChatReading, shapes: ShapeReader, folder: Path, may: Collection[str]) -> ChatReading:
    """Return a chat with what would be talk open where it begins as others do that name a card or a number.

    So is what is a move but for one slip of typing, and a line with a card in what would be a remark:
    `sell tart 1, tart 2 and tart 3` sells three.
    """
    read = chat.lines(folder)
    talk, texts = read.talk, dict(chat.seen.lines)
    begun = {at: shapes.shape(CLAUSE.split(chat.speaker(line)[1])[0]).words for at, line in talk.items()}
    times = Counter(begun.values())
    behind = {at: line for at, line in talk.items() if at > min(read.moves, default=at)}
    done = {at for at, line in behind.items() if _is_done(chat, line, may)}
    done |= {at for at, line in behind.items() if at not in done and _is_slip(chat, (at, line), shapes, folder)}
    for at, words in begun.items():
        is_often = times[words] >= OFTEN and len(words) > 1 and not {"{card}", "{number}"}.isdisjoint(words)
        if is_often or at in done:
            chat = _opened(chat, talk[at])
    for at, remark in read.remarks.items():
        if shapes.names_card(remark) or shapes.names_place_of_other(remark, chat.speaker(texts[at])[0]):
            chat = _opened(chat, texts[at])
    return chat


def _opened(chat: ChatReading, line: str) -> ChatReading:
    doubt = chat.sentence(line), gap("may be a move")
    return chat.with_entry(doubt) if is_readable(doubt, chat.slug) else chat


def _is_done(chat: ChatReading, line: str, may: Collection[str]) -> bool:
    """Return whether a line begins with one of the verbs of what may be done."""
    who, message = chat.speaker(line)
    verb = next(begun_in(message, chat.seen.players), ("", 0, 0))[0]
    return bool(who) and "?" not in message and not {*forms_of_verb(verb)}.isdisjoint(may)


def _is_slip(chat: ChatReading, said: tuple[int, str], shapes: ShapeReader, folder: Path) -> bool:
    """Return whether a line is a move and nothing else but for one slip of typing: `drwa 2`."""
    who, message = chat.speaker(said[1])
    if not who or shapes.is_doubtful(message):
        return False
    return any(restated(chat, *said, text, folder) is not None for text, _, _ in shapes.slips(message))


def with_draws_open(chat: ChatReading, folder: Path, drawn: Collection[int]) -> ChatReading:
    """Return a chat with each draw open that does not say how many cards it is, where that may be more than one.

    That is so where a sentence of the rulebook has more `drawn` at once, and where it is silent, another line.
    """
    bare, more = list[str](), bool(drawn)
    texts = dict(chat.seen.lines)
    for at, moves in chat.lines(folder).moves.items():
        unsaid = draws_unsaid(chat, chat.speaker(texts[at])[1])
        bare += [texts[at]] * unsaid
        more = more or (not unsaid and any(_is_several_drawn(each, chat.slug) for each in moves))
    for line in bare if more and {*drawn} != {1} else ():
        chat = _opened(chat, line)
    return chat


def draws_unsaid(chat: ChatReading, message: str) -> bool:
    """Return whether a message says of a draw that somebody makes not how many cards it is."""
    known = vocabulary(chat.slug)
    begun = [*begun_in(message, chat.seen.players), ("", len(message), 0)]
    tags = [move_called(verb, known) for verb, _, _ in begun]
    parts = zip(tags, pairwise(begun), strict=False)
    draws = (message[one[2] : other[1]] for tag, (one, other) in parts if tag in known.types and is_luck(tag, known))
    return not all(map(_says_number, draws))


def _says_number(act: str) -> bool:
    return bool(re.search(r"\d", act) or _SAYS_ONE.search(act) or any(map(number_of, WORD.findall(act))))


def _is_several_drawn(entry: Mapping[str, object], slug: str) -> bool:
    """Return whether a line says that more cards than one are drawn."""
    said = entry.get("with")
    count = said.get("count", 1) if isinstance(said, Mapping) else 1
    return is_luck(str(entry["event"]), vocabulary(slug)) and isinstance(count, int) and count > 1
