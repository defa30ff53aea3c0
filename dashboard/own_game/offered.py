"""The open lines of a chat that are moves but for a part: what is remarked beside them, or a slip of typing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.beside import in_plain_words
from tabletape.dashboard.own_game.chat import ChatReading, done_by, restated
from tabletape.dashboard.own_game.doubts import draws_unsaid
from tabletape.dashboard.own_game.line_shapes import CLAUSE, ShapeReader
from tabletape.dashboard.own_game.messages import WORD, number_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.move_words import move_called
from tabletape.events.importing.maps.proposing.earlier import Entry
from tabletape.events.importing.maps.proposing.spoken import fields_of, is_number, required_of
from tabletape.events.vocabulary import vocabulary

_NONE_OF: Final = re.compile(r"\b(?:no|keine?) (?=[^.!?,]*[.!,] *$)", re.IGNORECASE)
"""Before a clause that ends there: `no stars, I play sun 1` says of the stars that there are none, not of the play."""

_TIMES: Final = re.compile(r"\W*(?:twice|thrice|\w+ times|x ?\d|\d ?x)\b", re.IGNORECASE)
"""Behind a move it was done more than once: `attacks with the wolf twice`."""

_CLAUSES: Final = re.compile(r"[.,;:!(+]+(?:\s|$)|\s\(|\s(?:-|and|und)\s")
_IT: Final = re.compile(r"\s*(?:it|them|that|this|these|one|es|das|sie)\b", re.IGNORECASE)

_ITS_NUMBER: Final = re.compile(r" \d+(?= (?:to (?:have|be|get)|so|because|cause|since|now)\b)", re.IGNORECASE)
"""The number of a move that says why behind it: `draws 1 to have four again`."""


class LineOffer(NamedTuple):
    """A line that is read as a move if somebody says so: as it is shown, with what is left out or misspelt.

    It `is_sure` where what is left out names no card: it is read so until somebody says that it is wrong.
    """

    number: int
    shown: str
    entry: Entry
    is_sure: bool = False


def with_offers(chat: ChatReading, offers: Iterable[LineOffer], answer: str) -> ChatReading:
    """Return a chat with those of some offers that an answer takes: all by `y`, some by their numbers."""
    numbers = re.findall(r"\d+", answer)
    for each in offers:
        if answer.casefold() in {"y", "yes"} or str(each.number) in numbers:
            chat = chat.with_entry(each.entry)
    return chat


def with_sure(chat: ChatReading, folder: Path) -> tuple[ChatReading, tuple[LineOffer, ...]]:
    """Return a chat with the open lines read that are moves and surely nothing else, and what was read so."""
    sure = tuple(each for each in offers(chat, folder) if each.is_sure)
    return with_offers(chat, sure, "y"), sure


def told_of(sure: Sequence[LineOffer]) -> str:
    """Return in which lines something was left out, or a slip of typing mended; empty where there are none."""
    lines = ", ".join(str(each.number) for each in sure)
    beside = "something stands beside the moves, or a slip of typing; it stays a note, such as"
    return f"In line{'s' * (len(sure) > 1)} {lines} {beside}" if sure else ""


def offers(chat: ChatReading, folder: Path) -> tuple[LineOffer, ...]:
    """Return the open lines that are moves with something beside them, kept as a note, or with a slip of typing."""
    shapes = ShapeReader(chat.slug, chat.seen.players)
    read, texts = chat.lines(folder), dict(chat.seen.lines)
    is_one = any(draws_unsaid(chat, chat.speaker(texts[at])[1]) for at in read.moves)  # So bare draws are read there.
    found = (
        _offered(chat, each, shapes, folder)
        for each in read.open.items()
        if not chat.is_withdrawn(each[1]) and (is_one or not draws_unsaid(chat, chat.speaker(each[1])[1]))
    )
    return tuple(each for each in found if each is not None)


def _offered(chat: ChatReading, said: tuple[int, str], shapes: ShapeReader, folder: Path) -> LineOffer | None:
    number, line = said
    who, message = chat.speaker(line)
    is_told = not who
    if is_told:  # `five pots, Ann opens the kiln`
        who = chat.doer(line)
        told, _, message = line.partition(f"{who} ") if who else ("", "", line)
        if not shapes.is_act(next(iter(WORD.findall(message)), "")) or shapes.is_doubtful(told):
            return None
        line = chat.spoken_by(who, line)
    said_as, message = message, re.sub(r"\banother (?=\w)", "a ", shapes.in_full(message), flags=re.IGNORECASE)
    for text, word, meant, note in _meant(chat, said, shapes, message):
        slip = f"  ({word}: {meant}?)" if word else ""
        for plain, before, rest in (*_plainer(text, chat.slug, shapes), *([(text, "", "")] if slip else [])):
            behind = f"{rest}{note}"
            if not slip and plain == said_as and not f"{before}{behind}".strip():
                continue
            entry = restated(chat, number, line, plain, folder)
            entry = done_by(who, said[1], entry[1], chat.slug) if entry is not None and is_told else entry
            if entry is not None:
                marked = f"{before}{'| ' * bool(before)}{plain}{f' |{behind}' * bool(behind)}"
                is_sure = not (is_told or shapes.names_card(f"{before} {behind}"))
                return LineOffer(number, f"{who}: {marked}{slip}", _with_note(entry, before, behind), is_sure)
    return None


def _meant(
    chat: ChatReading, said: tuple[int, str], shapes: ShapeReader, message: str
) -> Iterator[tuple[str, str, str, str]]:
    """Yield what a message may mean: its text, a word of it, what that was meant to be, and what it has come to."""
    bare, come = in_plain_words(message, shapes.cards, shapes.people, priced=shapes.is_priced)
    yield from ((*each, "") for each in (*_same_number(chat, said, shapes), *shapes.slips(message), (message, "", "")))
    if (both := shapes.laid_with(message)) != message:
        yield both, "with", "and", ""
    yield from ((*each, f" {' ... '.join(come)}") for each in (shapes.slips(bare) if come else ()))


def _same_number(chat: ChatReading, said: tuple[int, str], shapes: ShapeReader) -> Iterator[tuple[str, str, str]]:
    """Yield a message with the number its player said last for `that table`; these words; `table 2`."""
    who, message = chat.speaker(said[1])
    before = [line for at, line in chat.seen.lines if at < said[0] and chat.speaker(line)[0] == who]
    for label in shapes.labels:
        last = next((each[0] for line in reversed(before) if (each := re.search(rf"\b{label} \d+", line))), "")
        if last and (same := re.search(rf"\b(?:that|the same|this|same) {label}\b(?! \d)", message, re.IGNORECASE)):
            yield f"{message[: same.start()]}{last}{message[same.end() :]}", same[0], last


def _with_note(entry: Entry, before: str, behind: str) -> Entry:
    rest = " ... ".join(each for each in (before.strip(" ,.;!"), behind.strip(" ,.;!")) if each)
    if not rest:
        return entry
    note = {"event": "note.added", "with": {"text": rest}}
    return entry[0], {**entry[1], "also": [*entry[1].get("also", ()), note]}


def _plainer(message: str, slug: str, shapes: ShapeReader) -> Iterator[tuple[str, str, str]]:
    """Yield shorter words for a message, with what is remarked before and behind: `tea boards` is `boards tea`."""
    if plain := shapes.said_plainly(message):
        yield plain, "", ""
    lead, rest = shapes.without_lead(message)
    may_name = not any(_names_whom(word[0], slug) for word in WORD.finditer(message))
    for plain, before, behind in _shorter(rest, slug, shapes):
        beside = f"{_NONE_OF.sub('', f'{lead}{before}')} {behind}"
        does_more = any(map(shapes.is_act, WORD.findall(beside))) or _has_card(beside, shapes) or _TIMES.match(behind)
        if not (does_more or shapes.is_doubtful(beside, may_name=may_name) or shapes.names_number(beside)):
            # Which of numbered places is meant is no remark.
            yield plain, f"{lead}{before}", behind
    yield from _without_clauses(message, shapes)


def _has_card(beside: str, shapes: ShapeReader) -> bool:
    """Return whether a card stands beside a move that may belong to it; `lantern out` tells what comes of it."""
    said = [shapes.shape(each).words for each in CLAUSE.split(beside)]
    return any("{card}" in words and not {*words[1:]} & word_list("turning") for words in said)


def _names_whom(word: str, slug: str) -> bool:
    """Return whether a word is a move whose lines name another player."""
    known = vocabulary(slug)
    kind = known.types.get(move_called(word, known))
    return kind is not None and any(field.name == "to" for field in fields_of(kind))


def _shorter(message: str, slug: str, shapes: ShapeReader) -> Iterator[tuple[str, str, str]]:
    """Yield a part of a message from its beginning or its move to a card, with what stands before and behind it."""
    known = vocabulary(slug)
    labelled = rf"\b(?:{'|'.join(shapes.labels) or '(?!)'}) \d+\b"
    verb = next((each for each in WORD.finditer(message) if shapes.is_done(message, each)), None)
    cards = re.finditer(rf"(?<!\w)(?:{shapes.cards})(?!\w)", message, re.IGNORECASE)
    named = [each.start() + len(each[0].rstrip()) for each in cards]
    ends = named + [each.end() for each in re.finditer(labelled, message)]
    for each in WORD.finditer(message):
        tag = move_called(each[0], known)
        if tag in known.types and _needs_nothing(tag, message[each.end() :], slug):
            ends = sorted({*ends, each.end()})
        elif tag in known.types and (said := _ITS_NUMBER.match(message, each.end())):
            ends = sorted({*ends, said.end()})
    for start in dict.fromkeys((0, verb.start() if verb is not None else 0)):
        for end in (end for end in sorted(ends, reverse=True) if end > start):
            behind = WORD.match(message[end:].strip())
            if behind and behind[0].casefold() in word_list("turning") and CLAUSE.search(message[start:end]):
                continue  # The clause of its last card says something else of it: `, lantern out`.
            before = re.sub(r"(?:\bi|\bich)? *$", "", message[:start], flags=re.IGNORECASE)
            yield shapes.apart(message[start:end]), before, message[end:]
    if verb is not None and len(named) == 1 and message[named[0] : verb.start()] == " ":
        yield f"{verb[0]} {message[: named[0]]}", "", message[verb.end() :]


def _without_clauses(message: str, shapes: ShapeReader) -> Iterator[tuple[str, str, str]]:
    """Yield what is done in a message, without its clauses in which nothing is, with these: `red 5 gone`.

    A clause that is a card and nothing else may belong to a move, so that its message is none of these.
    """
    clauses = [each.strip() for each in _CLAUSES.split(message) if each.strip(" )")]
    done = [each for each in clauses if any(shapes.is_done(each, word) for word in WORD.finditer(each))]
    idle = [each for each in clauses if each not in done]
    if done and idle and not any(shapes.is_doubtful(each) or shapes.shape(each).is_bare for each in idle):
        yield shapes.apart(", ".join(done)), "", f" {' ... '.join(idle)}"


def _needs_nothing(tag: str, rest: str, slug: str) -> bool:
    """Return whether a move has to name nothing, and no number behind its verb may be one that it names."""
    kind = vocabulary(slug).types[tag]
    counted = rest if any(map(is_number, fields_of(kind))) else CLAUSE.split(rest)[0]
    says_number = any(char.isdigit() for char in counted) or any(number_of(word) for word in WORD.findall(counted))
    may_be_it = {"card", "cards", "back", "number"} & {field.name for field in fields_of(kind)}
    return not (required_of(kind) or says_number or (may_be_it and _IT.match(rest)))
