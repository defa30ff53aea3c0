"""The chat of a new game as a map reads it: its moves by the game's file, and what nobody can read in it."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import msgspec

from tabletape.dashboard.own_game.look import FirstLook, with_doers
from tabletape.dashboard.own_game.messages import WORD, number_of, said_by
from tabletape.dashboard.tape.tape import Tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing.maps.documents.trees import ForeignError, text_of
from tabletape.events.importing.maps.finding import map_of_file
from tabletape.events.importing.maps.map import Map, MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.describing import ways_on
from tabletape.events.importing.maps.proposing.earlier import Entry, drawn_alike, said_in, told_before
from tabletape.events.importing.maps.proposing.spoken import fields_of
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.surveying import survey, survey_of
from tabletape.events.importing.maps.proposing.text import TAKEN_BACK, LineProposal, gap, proposals
from tabletape.events.importing.maps.values.captured import DRAW_EVENT
from tabletape.events.importing.maps.writing import entries_in, map_text, require_readable
from tabletape.events.vocabulary import Event, tag_of, vocabulary
from tabletape.events.vocabulary.shared import LogGap, NoteAdded
from tabletape.projector.archive.stored import known_of
from tabletape.projector.model.amounts import counted

BESIDE_MOVES: Final = frozenset({"log.gap", "note.added", "game.started", "game.ended"})
"""Events that stand beside the moves of a chat."""

_IN_JEST: Final = "may be said in jest"
_ASKS: Final = re.compile(r"\{player\}:? (?:who|whose|when|what|why|wer|wessen|wann|was|warum)\b", re.IGNORECASE)


def surveyed(content: bytes, name: str) -> Survey:
    """Return what a chat looks like. Raises `RefusedError` where nothing says who plays, with the way on."""
    if not content.strip():
        raise RefusedError(f"{name} is empty")
    try:
        seen = survey_of(content)
    except ForeignError as error:
        raise RefusedError(f"{name}: {error}") from None
    if seen.head.get("shape") == "rows":  # Somebody says that it is a chat: its commas part no columns.
        text = survey(text_of(content))
        seen = text if text.players else seen
    if not seen.players or not seen.lines:
        raise RefusedError(f"{name}: no name begins several of its lines; {ways_on(content, Path(name))}")
    return with_doers(seen)


class ReadLines(NamedTuple):
    """How the lines of a chat are read: what happens by those that say a move, those that are left open, and talk.

    `headings` of the talk stand above the first move, and no player says them. `remarks` stand behind moves.
    """

    moves: Mapping[int, tuple[Mapping[str, Any], ...]]
    open: Mapping[int, str]
    talk: Mapping[int, str]
    headings: int = 0
    remarks: Mapping[int, str] = {}

    @property
    def in_words(self) -> str:
        """How many there are of each, in a sentence."""
        moves = f"{counted(sum(map(len, self.moves.values())), 'move')} in {counted(len(self.moves), 'line')}"
        above = f", {self.headings} of it above the first move" * bool(self.headings)
        return f"{moves}; {counted(len(self.open), 'line')} left open; {len(self.talk)} of talk{above}"

    def meant(self, line: int) -> str:
        """Return what a line that is not open is read as, in words."""
        return in_words(self.moves[line]) if line in self.moves else "talk"

    def alike(self, line: int) -> tuple[str, ...]:
        """Return the kinds of moves that a line says: none where it is open or talk."""
        return tuple(each["event"] for each in self.moves.get(line, ()))


class ChatReading(NamedTuple):
    """A chat as the file of its game reads it: who plays, in the order of their turns, and what its lines mean.

    `taught` is what was said of lines of earlier chats.
    """

    seen: Survey
    slug: str
    accepted: tuple[Entry, ...]
    content: bytes
    taught: tuple[Entry, ...] = ()

    @property
    def written(self) -> str:
        """The map."""
        return map_text(self.seen, self.accepted, game=self.slug, edition="unknown")

    def with_entry(self, entry: Entry) -> "ChatReading":
        """Return the chat with a meaning for lines that were not read; the gap with the same words goes."""
        return self._replace(accepted=(entry, *(each for each in self.accepted if each[0] != entry[0])))

    def speaker(self, line: str) -> tuple[str, str]:
        """Return who says a line, empty where nobody does, and the message."""
        return said_by(line, self.seen.players)

    def in_order(self, players: Iterable[str]) -> "ChatReading":
        """Return the chat with its players in another order of their turns."""
        return self._replace(seen=self.seen._replace(players=tuple(players)))

    def turn_order(self, folder: Path) -> tuple[str, ...]:
        """Return the players as they follow each other in the moves that are read; empty where these do not say it.

        What stands beside an open line says nothing: somebody may have moved in between.
        """
        read, texts = self.lines(folder), dict(self.seen.lines)
        doers = [self.doer(texts[at]) * (at in read.moves) for at in sorted({*read.moves, *read.open})]
        steps = Counter((one, other) for one, other in pairwise(doers) if one and other and one != other)
        order = [next(filter(None, doers), "")]
        while others := [each for each in self.seen.players if each not in order and steps[order[-1], each]]:
            order.append(max(others, key=lambda each: steps[order[-1], each]))
        told = sum(steps[step] for step in pairwise([*order, order[0]]))
        if {*order} != {*self.seen.players} or 3 * told < 2 * steps.total():
            return ()
        first = order.index(doers[0] or self.seen.players[0])  # Behind an open line nobody knows who began.
        return (*order[first:], *order[:first])

    def doer(self, line: str) -> str:
        """Return who says a line, or else the only player whom it names: `Turn 3: Ann`."""
        named = [each for each in self.seen.players if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", line)]
        return self.speaker(line)[0] or (named[0] if len(named) == 1 else "")

    def order_asked(self, folder: Path) -> str:
        """Return the question in which order the players take turns; empty where the moves say it, or two play."""
        first, *others = self.seen.players
        if len(others) < 2 or self.turn_order(folder):
            return ""
        every = " All in their order, with commas." * (len(others) > 2)
        return f"Who comes after {first}: {' or '.join(others)}?{every}"

    def order_said(self, answer: str) -> tuple[str, ...]:
        """Return the players in the order of an answer, which leaves out the last or not; empty where it is none."""
        first, *others = self.seen.players
        low = [each.strip().casefold() for each in answer.split(",") if each.strip()]
        low = low[1:] if low[:1] == [first.casefold()] else low
        named = [each for word in low for each in others if each.casefold() == word]
        left = [each for each in others if each not in named]
        return (first, *named, *left) if low and len({*named}) == len(low) and len(left) < 2 else ()

    def spoken_by(self, who: str, line: str) -> str:
        """Return a line as a player says it."""
        return f"{who}{':' * self.seen.spoken} {line}"

    def sentence(self, line: str) -> str:
        """Return the sentence that fits a line and no other, whoever says it."""
        who = self.speaker(line)[0]
        return f"{{player}}{line[len(who) :]}" if who else line

    def is_withdrawn(self, line: str) -> bool:
        """Return whether the next line may take a line back, or it is said in jest: only a person knows that."""
        return any((self.sentence(line), gap(why)) in self.accepted for why in (TAKEN_BACK, _IN_JEST))

    def lines(self, folder: Path) -> ReadLines:
        """Return how the lines are read by the map."""
        cards = known_of(folder, self.slug).ids
        used = read_map(self.written, "chat", vocabulary)
        log = MappedLog("chat", used, self.content, FileReading(lambda _: cards, "UTC", "chat"))
        events = [each for batch in log.events() for each in batch[1:]]
        left = {each.record.line for game in log.games for each in game.left_over}
        gaps = left | {line for line, event in events if isinstance(event, LogGap)}
        moves = dict[int, tuple[Mapping[str, Any], ...]]()
        for line, event in events:
            if tag_of(type(event)) not in BESIDE_MOVES:
                moves[line] = (*moves.get(line, ()), _as_entry(event, self))
        texts = dict(self.seen.lines)
        talk = {line: text for line, text in texts.items() if line not in gaps and line not in moves}
        headings = [line for line in talk if line < min(moves, default=0) and not self.speaker(texts[line])[0]]
        remarks = {line: event.text for line, event in events if isinstance(event, NoteAdded)}
        still_open = {line: text for line, text in texts.items() if line in gaps}
        return ReadLines(moves, still_open, talk, len(headings), remarks)


def read_chat(content: bytes, seen: Survey, look: FirstLook, file: Path, earlier: Sequence[Map] = ()) -> ChatReading:
    """Return how the file of a game reads a chat; what may be a move and is not read is a gap.

    What the maps of its `earlier` chats read is read so again.
    """
    seen, slug = seen._replace(players=look.players), file.stem
    kinds = proposals(seen, slug, tuple(known_of(file.parent.parent, slug).names))
    known, told = vocabulary(slug), dict(told_before(earlier, seen))
    new = [(kind.sentence, _unless_asked(kind, seen)) for kind in kinds if "harmless" not in kind.entry]
    accepted = (*told.items(), *(drawn_alike(each, told.items(), known) for each in new if each[0] not in told))
    taught = tuple(each for used in reversed(earlier) for each in said_in(used).items())
    reading = ChatReading(seen, slug, accepted, content, taught)
    return _with_silent(reading, look, file.parent.parent)


def _with_silent(reading: ChatReading, look: FirstLook, folder: Path) -> ChatReading:
    """Return a chat with the lines read that say no move, as somebody has said of them, or of those of another chat.

    What comes of the card stays a note.
    """
    told = {sentence.removeprefix("{player}").lstrip(":> "): entry for sentence, entry in reading.taught}
    before = (told[each] for each in (f"{line.card}{line.amounts}" for line in look.silent) if each in told)
    move = look.silent_move or next((str(entry.get("event")).removeprefix("move.") for entry in before), "")
    texts = dict(reading.seen.lines)
    for each in look.silent if move else ():
        if entry := restated(reading, each.number, texts[each.number], f"{move} {each.card}", folder):
            note = {"event": "note.added", "with": {"text": each.amounts.strip(" ,;:")}}
            reading = reading.with_entry((entry[0], {**entry[1], "also": [*entry[1].get("also", ()), note]}))
    return reading


def _unless_asked(kind: LineProposal, seen: Survey) -> Mapping[str, Any]:
    """Return what a kind of line means: who asks `I plant a pear?`, or `who is on turn`, has done nothing.

    Whoever goes on behind `I give up :)` has said that in jest, perhaps.
    """
    who = said_by(kind.example, seen.players)[0]
    later = (said_by(line, seen.players)[0] for number, line in seen.lines if number > kind.first)
    if kind.entry.get("event") == "player.conceded" and who in later:
        return gap(_IN_JEST)
    is_asked = "?" in kind.sentence or _ASKS.match(kind.sentence)
    return gap("may be a question") if "event" in kind.entry and is_asked else kind.entry


def read_again(content: bytes, name: str, written: str) -> ChatReading | None:
    """Return a chat as its map reads it; None where it or that map has been changed by hand since; both stay so."""
    used = tomllib.loads(written)
    seen = surveyed(content, name)._replace(players=tuple(used["players"]))
    reading = ChatReading(seen, used["game"], tuple(entries_in(used.get("line", ()))), content)
    return reading if reading.written == written else None


def store(target: Path, slug: str, chat: Path, tape: Tape, *, revise: bool = False) -> None:
    """Import a chat by its map; where that has changed, it may `revise` what is stored.

    Beside its map it is called by its path; elsewhere lies a copy of it, which is called by its name. Raises
    `RefusedError` where the map is one of another game, and where no game comes out of the chat.
    """
    game = map_of_file(target).written.game
    if game != slug:
        raise RefusedError(f"{target} reads {chat.name} as the game {game}: move it away, or name that game")
    folder = None if chat.parent == target.parent else chat.parent
    report = tape.import_files(chat, map=target, revise=revise, folder=folder)
    problem = next((each.problem.message for each in report.files if each.problem), "")
    if problem or not report.games:
        raise RefusedError(f"{chat.name} is not read: {problem or 'no game comes out of it'}; the map is {target}")


def restated(chat: ChatReading, number: int, line: str, words: str, folder: Path) -> Entry | None:
    """Return what a line means that a person says again in plain words, `play heron`; None where these are no move."""
    for name in chat.seen.players:  # Whoever answers writes a name in small letters.
        words = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", name, words, flags=re.IGNORECASE)
    for plain in dict.fromkeys((words, in_digits(words))):
        if (entry := _restated(chat, number, line, plain, folder)) is not None:
            return entry
    for rest, named in _without_kinds(in_digits(words), chat.slug):
        entry = _restated(chat, number, line, rest, folder)
        if entry is not None and entry[1]["event"] == named[0]:
            meant = entry[0], {**entry[1], "with": {**entry[1].get("with", {}), **named[1]}}
            return meant if is_readable(meant, chat.slug) else None
    return None


def done_by(who: str, line: str, entry: Mapping[str, Any], slug: str) -> Entry | None:
    """Return what a line means that no player says, and by which somebody does something."""
    acts = [dict(each) for each in (entry, *entry.get("also", ()))]
    for act in acts:
        if act["event"] not in BESIDE_MOVES:
            act["with"] = {**act.get("with", {}), "player": who}
    meant = line, {**acts[0], **({"also": acts[1:]} if acts[1:] else {})}
    return meant if is_readable(meant, slug) else None


def in_digits(words: str) -> str:
    """Return words with their numbers in digits: `dig two`."""
    return WORD.sub(lambda word: str(number_of(word[0]) or word[0]), words)


def _without_kinds(words: str, slug: str) -> Iterator[tuple[str, tuple[str, dict[str, str]]]]:
    """Yield words without what of the cards they say alone, `sell red`, and the move that names it, with that."""
    known = vocabulary(slug)
    for tag, kind in known.types.items() if words else ():
        for field in fields_of(kind):
            said = [word for word in WORD.findall(words.casefold()) if word in _words_of(field)]
            if tag.startswith("move.") and len(said) == 1:
                rest = re.sub(rf"(?:\b(?:the|my|all) )?\b{re.escape(said[0])}\b,?", "", words, flags=re.IGNORECASE)
                yield " ".join(rest.split()), (tag, {field.name: said[0]})


def _words_of(field: msgspec.structs.FieldInfo) -> Collection[str]:
    """Return the words that a field of a move may hold; none where it holds no such words."""
    parts = (field.type, *get_args(field.type))
    metas = (meta for part in parts for meta in getattr(part, "__metadata__", ()))
    return next((meta.extra["words"] for meta in metas if meta.extra and "words" in meta.extra), ())


def _restated(chat: ChatReading, number: int, line: str, words: str, folder: Path) -> Entry | None:
    who, _ = chat.speaker(line)
    sign = ": " if chat.seen.spoken else " "
    plain = f"{who}{sign}{words}"
    said = chat.seen._replace(lines=((number, plain),), head={"clean": chat.seen.head.get("clean", [])})
    read = proposals(said, chat.slug, tuple(known_of(folder, chat.slug).names)) if who else []
    if len(read) != 1 or read[0].is_unsure or "event" not in read[0].entry:
        return None
    present = (f"{{player}}{sign}hello", {"skip": True})  # Whoever says nothing is not at the table.
    text = map_text(said, [(read[0].sentence, read[0].entry), present], game=chat.slug, edition="unknown")
    content = "\n".join([plain, *(f"{each}{sign}hello" for each in chat.seen.players)]).encode()
    cards = known_of(folder, chat.slug).ids
    log = MappedLog("line", read_map(text, "line", vocabulary), content, FileReading(lambda _: cards, "UTC", "line"))
    entries = [_as_entry(event, chat) for batch in log.events() for _, event in batch[1:]]
    entry = {**entries[0], **({"also": entries[1:]} if entries[1:] else {})} if entries else {}
    meant = drawn_alike((chat.sentence(line), entry), chat.accepted, vocabulary(chat.slug))
    return meant if entry and is_readable(meant, chat.slug) else None


def is_readable(entry: Entry, slug: str) -> bool:
    """Return whether a map of a game can hold an entry."""
    try:
        require_readable(*entry, slug)
    except MapError:
        return False
    return True


def _as_entry(event: Event, chat: ChatReading) -> dict[str, Any]:
    """Return an event as a map says it that is always the same."""
    written = msgspec.to_builtins(event)
    names = {chr(ord("A") + at): name for at, name in enumerate(chat.seen.players)}
    given: dict[str, Any] = {}
    for field in fields_of(type(event)):
        if getattr(event, field.name) not in (field.default, ()):
            value = written[field.encode_name]
            given[field.encode_name] = names.get(value, value) if isinstance(value, str) else value
    return {"event": written["type"], **({"with": given} if given else {})}


def in_words(entries: Iterable[Mapping[str, Any]]) -> str:
    """Return what some entries say happens: `draw (count 1), play (cards reed)`."""
    told = []
    for each in entries:
        said = (
            f"{name} {', '.join(map(str, value)) if isinstance(value, list | tuple) else value}"
            for name, value in each.get("with", {}).items()
        )
        inside = "; ".join(said)
        name = "draw" if each["event"] == DRAW_EVENT else each["event"].removeprefix("move.")
        told.append(f"{name} ({inside})" if inside else name)
    return ", ".join(told)
