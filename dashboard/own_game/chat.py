"""The chat of a new game as a map reads it: its moves by the game's file, and what nobody can read in it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tabletape.dashboard.own_game.look import FirstLook
from tabletape.dashboard.tape.tape import Tape
from tabletape.events.errors import RefusedError
from tabletape.events.importing.games.known_deck import printed_cards
from tabletape.events.importing.maps.counted import plurals_of
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.finding import map_of_file
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.move_words import MoveWords
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.describing import ways_on
from tabletape.events.importing.maps.proposing.surveying import Survey, survey_of
from tabletape.events.importing.maps.proposing.text import LineProposal, proposals
from tabletape.events.importing.maps.writing import map_text, require_readable
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.projector.archive.stored import known_of

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
    return seen


class ChatReading(NamedTuple):
    """A chat as the file of its game reads it: who plays, in the order of their turns, and what its lines mean."""

    seen: Survey
    slug: str
    accepted: tuple[Entry, ...]
    unread: tuple[LineProposal, ...]

    @property
    def written(self) -> str:
        """The map."""
        return map_text(self.seen, self.accepted, game=self.slug, edition="unknown")

    def with_entry(self, kind: LineProposal, entry: Entry) -> "ChatReading":
        """Return the chat with a meaning for lines that were not read."""
        accepted = (entry, *self.accepted)
        return self._replace(accepted=accepted, unread=tuple(each for each in self.unread if each is not kind))


def read_chat(seen: Survey, look: FirstLook, slug: str, folder: Path) -> ChatReading:
    """Return how the file of a game reads a chat; what may be a move and is not read is a gap."""
    seen = seen._replace(players=look.players)
    kinds = proposals(seen, slug, tuple(known_of(folder, slug).names))
    accepted = tuple((kind.sentence, kind.entry) for kind in kinds if "harmless" not in kind.entry)
    return ChatReading(seen, slug, accepted, tuple(kind for kind in kinds if kind.is_unsure))


def store(target: Path, slug: str, chat: Path, tape: Tape) -> int:
    """Import a chat by its map, and return how many events are new.

    Raises `RefusedError` where the map is one of another game, and where no game comes out of the chat.
    """
    game = map_of_file(target).written.game
    if game != slug:
        raise RefusedError(f"{target} reads {chat.name} as the game {game}: move it away, or name that game")
    report = tape.import_files(chat, map=target)
    problem = next((each.problem.message for each in report.files if each.problem), "")
    if problem or not report.games:
        raise RefusedError(f"{chat.name} is not read: {problem or 'no game comes out of it'}; the map is {target}")
    return report.events


def restated(chat: ChatReading, kind: LineProposal, words: str, folder: Path) -> Entry | None:
    """Return what a line means that a person says again in plain words, `play heron`; None where these are no move."""
    who = next((each for each in chat.seen.players if kind.example.startswith(each)), "")
    sign = ": " if chat.seen.spoken else " "
    plain = f"{who}{sign}{words}"
    said = chat.seen._replace(lines=((kind.first, plain),), head={"clean": chat.seen.head.get("clean", [])})
    read = proposals(said, chat.slug, tuple(known_of(folder, chat.slug).names)) if who else []
    if len(read) != 1 or read[0].is_unsure or "event" not in read[0].entry:
        return None
    present = (f"{{player}}{sign}{{words}}", {"skip": True})  # Whoever says nothing is not at the table.
    text = map_text(said, [(read[0].sentence, read[0].entry), present], game=chat.slug, edition="unknown")
    content = "\n".join([plain, *(f"{each}{sign}hello" for each in chat.seen.players)]).encode()
    cards = known_of(folder, chat.slug).ids
    log = MappedLog("line", read_map(text, "line", vocabulary), content, FileReading(lambda _: cards, "UTC", "line"))
    entries = [_as_entry(event, chat) for batch in log.events() for _, event in batch[1:]]
    sentence = re.sub(rf"^{re.escape(who)}(?!\w)", "{player}", kind.example)
    entry = {**entries[0], **({"also": entries[1:]} if entries[1:] else {})} if entries else {}
    try:
        require_readable(sentence, entry, chat.slug)
    except MapError:
        return None
    return sentence, entry


def with_rest(chat: ChatReading, kind: LineProposal, folder: Path) -> tuple[Entry, str] | None:
    """Return what a line means that is a known move with something behind it, and that: `for 4`; None for others.

    What stands behind it is kept as a note, and names neither a move nor a card.
    """
    who = next((each for each in chat.seen.players if kind.example.startswith(each)), "")
    message = kind.example[len(who) :].lstrip(": ")
    cards = printed_cards(chat.slug).values()
    known = MoveWords(vocabulary(chat.slug), cards)
    names = "|".join(map(re.escape, {form for card in cards for form in (card, *plurals_of(card))}))
    ends = [match.end() for match in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", message, re.IGNORECASE)] if names else []
    for end in reversed(ends):
        rest = message[end:]
        plain = re.sub(rf"(?<!\w)({names}) (?=(?:{names})(?!\w))", r"\1, ", message[:end], flags=re.IGNORECASE)
        if not known.first_in(rest) and (entry := restated(chat, kind, plain, folder)) is not None:
            note = {"event": "note.added", "with": {"text": rest.strip(" ,.;!") or rest}}
            return (entry[0], {**entry[1], "also": [*entry[1].get("also", ()), note]}), rest
    return None


def _as_entry(event: Event, chat: ChatReading) -> dict[str, Any]:
    """Return an event as a map says it that is always the same."""
    fields = msgspec.to_builtins(event)
    names = {chr(ord("A") + at): name for at, name in enumerate(chat.seen.players)}
    given = {key: value for key, value in fields.items() if key not in {"type", "seq", "at", "player"} and value}
    given = {key: names.get(value, value) if isinstance(value, str) else value for key, value in given.items()}
    return {"event": fields["type"], **({"with": given} if given else {})}
