"""The chat of a new game as a map reads it: its moves by the game's file, and what nobody can read in it."""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.dashboard.own_game.look import FirstLook, with_doers
from tabletape.dashboard.own_game.messages import WORD
from tabletape.dashboard.tape.tape import Tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing.games.known_deck import names_said
from tabletape.events.importing.maps.counted import plurals_of
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.finding import map_of_file
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.move_words import MoveWords, move_called
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.describing import ways_on
from tabletape.events.importing.maps.proposing.spoken import fields_of
from tabletape.events.importing.maps.proposing.surveying import Survey, survey_of
from tabletape.events.importing.maps.proposing.text import LineProposal, proposals
from tabletape.events.importing.maps.writing import map_text, require_readable
from tabletape.events.vocabulary import Event, tag_of, vocabulary
from tabletape.projector.archive.stored import known_of
from tabletape.projector.model.amounts import counted

BESIDE_MOVES: Final = frozenset({"log.gap", "note.added", "game.started", "game.ended"})
"""Events that stand beside the moves of a chat."""

TALK_WORDS: Final = frozenset({"talk", "t"})
"""What somebody says of a line that is talk."""

Entry = tuple[str, Mapping[str, Any]]
"""A sentence of a map, and what it means."""


def surveyed(content: bytes, name: str) -> Survey:
    """Return what a chat looks like. Raises `RefusedError` where nothing says who plays, with the way on."""
    try:
        seen = survey_of(content)
    except ForeignError as error:
        raise RefusedError(f"{name}: {error}") from None
    if not seen.players or not seen.lines:
        raise RefusedError(f"{name}: no name begins several of its lines; {ways_on(content, Path(name))}")
    return with_doers(seen)


class ReadLines(NamedTuple):
    """How the lines of a chat are read: how many moves they say, those that are left open, how many are talk."""

    moves: int
    open: Mapping[int, str]
    talk: int

    @property
    def in_words(self) -> str:
        """The three numbers in a sentence."""
        return f"{counted(self.moves, 'move')}; {counted(len(self.open), 'line')} left open; {self.talk} talk"


class SaidLine(NamedTuple):
    """A chat with a line that somebody has said again: what that is read as, and the other lines that are read so."""

    reading: "ChatReading"
    words: str
    also: tuple[int, ...]

    @property
    def in_words(self) -> str:
        """What the line is read as, and which others are."""
        others = ", ".join(map(str, self.also))
        so = f"; so {'are lines' if len(self.also) > 1 else 'is line'} {others}" if others else ""
        return f"read as {self.words}{so}"


class ChatReading(NamedTuple):
    """A chat as the file of its game reads it: who plays, in the order of their turns, and what its lines mean."""

    seen: Survey
    slug: str
    accepted: tuple[Entry, ...]
    unread: tuple[LineProposal, ...]
    content: bytes

    @property
    def written(self) -> str:
        """The map."""
        return map_text(self.seen, self.accepted, game=self.slug, edition="unknown")

    def with_entry(self, entry: Entry) -> "ChatReading":
        """Return the chat with a meaning for lines that were not read; the gap with the same words goes."""
        return self._replace(accepted=(entry, *(each for each in self.accepted if each[0] != entry[0])))

    def lines(self, folder: Path) -> ReadLines:
        """Return how the lines are read by the map."""
        cards = known_of(folder, self.slug).ids
        used = read_map(self.written, "chat", vocabulary)
        log = MappedLog("chat", used, self.content, FileReading(lambda _: cards, "UTC", "chat"))
        events = [(line, tag_of(type(event))) for batch in log.events() for line, event in batch[1:]]
        left = {each.record.line for game in log.games for each in game.left_over}
        gaps = left | {line for line, tag in events if tag == "log.gap"}
        moves = [line for line, tag in events if tag not in BESIDE_MOVES]
        texts = dict(self.seen.lines)
        talk = len(texts.keys() - {*moves} - gaps)
        return ReadLines(len(moves), {line: text for line, text in texts.items() if line in gaps}, talk)


def read_chat(content: bytes, seen: Survey, look: FirstLook, file: Path) -> ChatReading:
    """Return how the file of a game reads a chat; what may be a move and is not read is a gap."""
    seen, slug = seen._replace(players=look.players), file.stem
    kinds = proposals(seen, slug, tuple(known_of(file.parent.parent, slug).names))
    accepted = tuple((kind.sentence, kind.entry) for kind in kinds if "harmless" not in kind.entry)
    return ChatReading(seen, slug, accepted, tuple(kind for kind in kinds if kind.is_unsure), content)


def said_again(chat: ChatReading, number: int, words: str, folder: Path) -> SaidLine | None:
    """Return a chat with what somebody says of an open line: `talk`, or the move in plain words; None for no move.

    A number of the line that the words say too is read in every line that differs in it alone.
    """
    before = chat.lines(folder).open
    line = before[number]
    if words.casefold() in TALK_WORDS:
        entry: Entry = _without_speaker(line, chat), {"skip": True}
        if not _is_readable(entry, chat.slug):
            return None
        told = "talk"
    else:
        meant = restated(chat, number, line, words, folder)
        if meant is None:
            return None
        entry, told = _for_every_number(meant, chat), _in_words(meant[1])
    reading = chat.with_entry(entry)
    also = tuple(each for each in before if each != number and each not in reading.lines(folder).open)
    return SaidLine(reading, told, also)


def _without_speaker(line: str, chat: ChatReading) -> str:
    who = next((each for each in chat.seen.players if line.startswith(each)), "")
    return re.sub(rf"^{re.escape(who)}(?!\w)", "{player}", line)


def _is_readable(entry: Entry, slug: str) -> bool:
    try:
        require_readable(*entry, slug)
    except MapError:
        return False
    return True


def _for_every_number(entry: Entry, chat: ChatReading) -> Entry:
    """Return a meaning whose numbers, where its line has each of them once, are those of each line of that kind."""
    sentence, meant = entry[0], deepcopy(dict(entry[1]))
    for at, each in enumerate([meant, *meant.get("also", ())]):
        for field, value in each.get("with", {}).items():
            places = [*re.finditer(rf"(?<![\w{{]){value}(?!\w)", sentence)] if type(value) is int else []
            if len(places) == 1:
                hole = f"said{at}{field}"
                sentence = f"{sentence[: places[0].start()]}{{{hole}:number}}{sentence[places[0].end() :]}"
                each["with"][field] = f"{{{hole}}}"
    general = sentence, meant
    return general if _is_readable(general, chat.slug) else entry


def _in_words(entry: Mapping[str, Any]) -> str:
    """Return what an entry says happens: `draw (count 1), play (cards reed)`."""
    told = []
    for each in (entry, *entry.get("also", ())):
        said = (
            f"{name} {', '.join(map(str, value)) if isinstance(value, list | tuple) else value}"
            for name, value in each.get("with", {}).items()
        )
        inside = "; ".join(said)
        told.append(each["event"].removeprefix("move.") + (f" ({inside})" if inside else ""))
    return ", ".join(told)


def store(target: Path, slug: str, chat: Path, tape: Tape, *, revise: bool = False) -> None:
    """Import a chat by its map; where that has changed, it may `revise` what is stored.

    Raises `RefusedError` where the map is one of another game, and where no game comes out of the chat.
    """
    game = map_of_file(target).written.game
    if game != slug:
        raise RefusedError(f"{target} reads {chat.name} as the game {game}: move it away, or name that game")
    report = tape.import_files(chat, map=target, revise=revise)
    problem = next((each.problem.message for each in report.files if each.problem), "")
    if problem or not report.games:
        raise RefusedError(f"{chat.name} is not read: {problem or 'no game comes out of it'}; the map is {target}")


def restated(chat: ChatReading, number: int, line: str, words: str, folder: Path) -> Entry | None:
    """Return what a line means that a person says again in plain words, `play heron`; None where these are no move."""
    who = next((each for each in chat.seen.players if line.startswith(each)), "")
    sign = ": " if chat.seen.spoken else " "
    plain = f"{who}{sign}{words}"
    said = chat.seen._replace(lines=((number, plain),), head={"clean": chat.seen.head.get("clean", [])})
    read = proposals(said, chat.slug, tuple(known_of(folder, chat.slug).names)) if who else []
    if len(read) != 1 or read[0].is_unsure or "event" not in read[0].entry:
        return None
    present = (f"{{player}}{sign}{{words}}", {"skip": True})  # Whoever says nothing is not at the table.
    text = map_text(said, [(read[0].sentence, read[0].entry), present], game=chat.slug, edition="unknown")
    content = "\n".join([plain, *(f"{each}{sign}hello" for each in chat.seen.players)]).encode()
    cards = known_of(folder, chat.slug).ids
    log = MappedLog("line", read_map(text, "line", vocabulary), content, FileReading(lambda _: cards, "UTC", "line"))
    entries = [_as_entry(event, chat) for batch in log.events() for _, event in batch[1:]]
    entry = {**entries[0], **({"also": entries[1:]} if entries[1:] else {})} if entries else {}
    meant = _without_speaker(line, chat), entry
    return meant if entry and _is_readable(meant, chat.slug) else None


class MovesWithRests(NamedTuple):
    """The kinds of lines that are moves with something behind them, each with that, and the chat with them read so."""

    rests: tuple[tuple[LineProposal, str], ...]
    reading: ChatReading


def with_rests(chat: ChatReading, folder: Path) -> MovesWithRests:
    """Return which unread lines are moves with something behind them: that is kept as a note."""
    rests = []
    for kind in chat.unread:
        if (read := _with_rest(chat, kind, folder)) is not None:
            rests.append((kind, read[1]))
            chat = chat.with_entry(read[0])
    return MovesWithRests(tuple(rests), chat)


def _with_rest(chat: ChatReading, kind: LineProposal, folder: Path) -> tuple[Entry, str] | None:
    """Return what a line means that is a known move with something beside it, and that: `for 4`; None for others.

    What stands beside it is kept as a note, and names neither a move nor a card.
    """
    who = next((each for each in chat.seen.players if kind.example.startswith(each)), "")
    message, known = kind.example[len(who) :].lstrip(": "), MoveWords(vocabulary(chat.slug), names_said(chat.slug))
    for plain, before, behind in _plainer(message, chat.slug):
        if known.first_in(before) or known.first_in(behind):
            continue
        if (entry := restated(chat, kind.first, kind.example, plain, folder)) is not None:
            rest = f"{before}{' ... ' * bool(before and behind)}{behind}"
            note = {"event": "note.added", "with": {"text": rest.strip(" ,.;!") or rest}}
            return (entry[0], {**entry[1], "also": [*entry[1].get("also", ()), note]}), rest
    return None


def _plainer(message: str, slug: str) -> Iterator[tuple[str, str, str]]:
    """Yield shorter words for a message, with what stands before and behind these; `tea boards` is `boards tea`."""
    known = vocabulary(slug)
    verb = next((each for each in WORD.finditer(message) if move_called(each[0], known) in known.types), None)
    names = "|".join(map(re.escape, {form for card in names_said(slug) for form in (card, *plurals_of(card))}))
    ends = [each.end() for each in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", message, re.IGNORECASE)] if names else []
    if not ends and verb is not None and _names_nothing(verb[0], slug):
        ends = [verb.end()]
    for start in dict.fromkeys((0, verb.start() if verb is not None else 0)):
        for end in (end for end in reversed(ends) if end > start):
            plain = re.sub(rf"(?<!\w)({names}) (?=(?:{names})(?!\w))", r"\1, ", message[start:end], flags=re.IGNORECASE)
            yield plain, message[:start], message[end:]
    if verb is not None and len(ends) == 1 and message[ends[0] : verb.start()] == " ":
        yield f"{verb[0]} {message[: ends[0]]}", "", message[verb.end() :]


def _names_nothing(verb: str, slug: str) -> bool:
    """Return whether a verb is a move that names no card, player or number."""
    known = vocabulary(slug)
    tag = move_called(verb, known)
    return tag in known.types and not fields_of(known.types[tag])


def _as_entry(event: Event, chat: ChatReading) -> dict[str, Any]:
    """Return an event as a map says it that is always the same."""
    fields = msgspec.to_builtins(event)
    names = {chr(ord("A") + at): name for at, name in enumerate(chat.seen.players)}
    given = {key: value for key, value in fields.items() if key not in {"type", "seq", "at", "player"} and value}
    given = {key: names.get(value, value) if isinstance(value, str) else value for key, value in given.items()}
    return {"event": fields["type"], **({"with": given} if given else {})}
