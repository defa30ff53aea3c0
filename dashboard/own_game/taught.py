"""The open lines of a chat: which are read plainly, or as those of earlier chats, and which are asked about."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from tabletape.dashboard.own_game.beside import in_plain_words
from tabletape.dashboard.own_game.chat import BESIDE_MOVES, ChatReading, restated
from tabletape.dashboard.own_game.doubts import with_doubts, with_draws_open
from tabletape.dashboard.own_game.line_shapes import LineShape, ShapeReader
from tabletape.dashboard.own_game.messages import WORD
from tabletape.dashboard.own_game.said_again import filled_words, meaning_said, unused_words
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.proposing.earlier import Entry
from tabletape.events.importing.maps.proposing.text import gap
from tabletape.events.importing.maps.values.captured import DRAW_EVENT

_DEALT: Final = re.compile(
    r"\b(?:every\w+|each|all|both|jeder|alle)\b.*\b(?:cards?|karten?)\b|\bcards?\b(?:[ ,\w]{0,30})\beach\b"
)
"""So a line says what everybody begins with, as the rulebook does: it lays no cards out."""


def read_plainly(
    chat: ChatReading, folder: Path, may: Collection[str] = (), drawn: Collection[int] = ()
) -> ChatReading:
    """Return a chat with the open lines that say a move and nothing else, behind a cry or with the card first.

    A line behind the first move that begins with what one `may` do by the rulebook is open, and no talk.
    What stands above the first move, and names none and no card, is talk. `drawn`: so many cards are drawn at
    once by the rulebook; a draw without a number that may be of more than one is open.
    """
    shapes = ShapeReader(chat.slug, chat.seen.players)
    chat = _with_headings(with_doubts(chat, shapes, folder, may), shapes, folder)
    for number, line in chat.lines(folder).open.items():
        message = chat.speaker(line)[1]
        plain = shapes.said_plainly(message) or (message if not shapes.is_doubtful(message) else "")
        plain = "" if chat.is_withdrawn(line) else plain
        entry = restated(chat, number, line, plain, folder) if plain else None
        if entry is None and not chat.is_withdrawn(line):
            entry = _without_beside(chat, (number, line), shapes, folder)
        if entry is not None and not any(shapes.names_card(note) for note in _notes_of(entry)):
            chat = chat.with_entry(entry)
    return with_draws_open(_as_taught(chat, shapes, folder), folder, drawn)


def _without_beside(chat: ChatReading, said: tuple[int, str], shapes: ShapeReader, folder: Path) -> Entry | None:
    """Return what a line means that says beside its moves what was paid, or what it has come to, which stays a note."""
    message = chat.speaker(said[1])[1]
    text, beside = in_plain_words(shapes.in_full(message), shapes.cards, shapes.people, priced=shapes.is_priced)
    text = shapes.said_plainly(text) or text
    named = [text[start:end].casefold() for start, end, kind in shapes.holes_in(text) if kind == "{name}"]
    bare = re.sub("|".join(map(re.escape, named)) or "(?!)", "", text, flags=re.IGNORECASE)
    if text == message or shapes.is_doubtful(bare) or (entry := restated(chat, *said, text, folder)) is None:
        return None
    if not all(name in str(entry[1]).casefold() for name in named):
        return None  # Somebody is spoken of to whom nothing is done.
    notes = [{"event": "note.added", "with": {"text": each}} for each in beside]
    return (entry[0], {**entry[1], "also": [*entry[1].get("also", ()), *notes]}) if notes else entry


def _as_taught(chat: ChatReading, shapes: ShapeReader, folder: Path) -> ChatReading:
    """Return a chat with the open lines read that are said as one of an earlier chat, which somebody has explained."""
    told: dict[tuple[bool, tuple[str, ...]], tuple[LineShape, str]] = {}
    for sentence, entry in chat.taught:
        is_spoken, is_talk = sentence.startswith("{player}"), "skip" in entry
        message = sentence.removeprefix("{player}").lstrip(":> ").strip()
        if (is_spoken or is_talk) and "{" not in message:
            shape = shapes.shape(message)
            told.setdefault((is_spoken, shape.words), (shape, "talk" if is_talk else _plain_words(entry)))
    for number, line in chat.lines(folder).open.items():
        who, message = chat.speaker(line)
        shape = shapes.shape(message)
        taught, words = told.get((bool(who), shape.words), (shape, ""))
        filled = "" if shape.is_bare or chat.is_withdrawn(line) else filled_words(words, shapes, taught, shape)
        meant = meaning_said(chat, (number, line), filled, folder) if filled else None
        chat = chat.with_entry(meant) if meant is not None else chat
    return chat


def _plain_words(entry: Mapping[str, Any]) -> str:
    """Return an entry as somebody would say it again: `play 2 reed, table 3`, `draw 2, depart`."""
    acts = []
    for each in (entry, *entry.get("also", ())):
        if each["event"] in BESIDE_MOVES:
            continue
        said = dict(each.get("with", {}))
        lists = [said.pop(name) for name in ("cards", "card", "back") if name in said]
        cards = [Counter([some] if isinstance(some, str) else some) for some in lists]
        words = [", ".join(f"{many} {card}" if many > 1 else card for card, many in some.items()) for some in cards]
        words += [f"with {said.pop('to')}"] if "to" in said else []
        numbers = [f"{'' if name in {'count', 'number'} else f'{name} '}{value}" for name, value in said.items()]
        verb = "draw" if each["event"] == DRAW_EVENT else each["event"].removeprefix("move.")
        acts.append(" ".join((verb, " for ".join(words), *numbers)))
    return ", ".join(acts)


def _notes_of(entry: Entry) -> list[str]:
    """Return what is remarked beside the moves of a line."""
    return [str(each["with"]["text"]) for each in entry[1].get("also", ()) if each["event"] == "note.added"]


def _with_headings(chat: ChatReading, shapes: ShapeReader, folder: Path) -> ChatReading:
    """Return a chat with its title, greetings and day as talk: left open they hide all behind.

    What names a move or a card there may lay cards out, and is open; so is what nobody says of cards.
    """
    read = chat.lines(folder)
    for number, line in {**read.open, **read.talk}.items():
        who, message = chat.speaker(line)
        if number > min(read.moves, default=0) or (who and number in read.talk):
            continue
        # The game may be called like a move.
        bare = re.sub(rf"\b(?:{chat.slug.replace('-', '|')})\b'?", "", message.casefold())
        is_quiet = "?" in message if who else word_list("dealing").isdisjoint(WORD.findall(bare))
        is_heading = bool(is_quiet and not shapes.named.first_in(bare))
        is_heading = is_heading or (_DEALT.search(bare) is not None and not shapes.names_card(bare))
        if is_heading is (number in read.open):
            chat = chat.with_entry((chat.sentence(line), {"skip": True} if is_heading else gap("may be a move")))
    return chat


def questions(chat: ChatReading, folder: Path) -> list[tuple[int, ...]]:
    """Return the numbers of the open lines, those of one shape together: the shape with most lines comes first."""
    return _by_shape(chat, chat.lines(folder).open, lambda number, line: chat.is_withdrawn(line) and number)


def answered(chat: ChatReading, folder: Path) -> dict[tuple[int, ...], str]:
    """Return what the lines that are not open are read as, moves before talk; those of one shape stand together.

    What is said of them is that of the first: `Mara: play 2 reeds: read as play (cards reed, reed)`.
    """
    read, texts = chat.lines(folder), dict(chat.seen.lines)
    found = [
        _by_shape(chat, {line: texts[line] for line in lines}, lambda number, _: read.alike(number))
        for lines in (read.moves, read.talk)
    ]
    shapes, told = ShapeReader(chat.slug, chat.seen.players), {}
    for lines in (lines for part in found for lines in part):
        first, line = lines[0], texts[lines[0]]
        done = read.moves.get(first, ())
        unused = unused_words(shapes.in_full(chat.speaker(line)[1]), ("", {"also": done}), shapes) if done else ""
        told[lines] = f"{line.strip()}: read as {read.meant(first)}{unused}"
    return told


def _by_shape(
    chat: ChatReading, lines: Mapping[int, str], apart: Callable[[int, str], object]
) -> list[tuple[int, ...]]:
    """Return the numbers of lines by their shape, which is asked about at once, and by what else keeps them apart."""
    shapes = ShapeReader(chat.slug, chat.seen.players)
    by_shape: dict[Any, list[int]] = {}
    for number, line in lines.items():
        key = shapes.shape(chat.speaker(line)[1]).words, apart(number, line)
        by_shape.setdefault(key, []).append(number)
    return sorted(map(tuple, by_shape.values()), key=lambda lines: (-len(lines), lines))
