"""The chat of a new game as a map reads it: its moves by the game's file, and what nobody can read in it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tabletape.dashboard.first_look import FirstLook
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.proposing.preview import Preview, preview
from tabletape.events.importing.maps.proposing.surveying import Survey
from tabletape.events.importing.maps.proposing.text import LineProposal, proposals
from tabletape.events.importing.maps.writing import map_text, require_readable
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.projector.archive.stored import known_of

Entry = tuple[str, Mapping[str, Any]]
"""A sentence of a map, and what it means."""


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

    def with_entry(self, kind: LineProposal, entry: Entry | None) -> "ChatReading":
        """Return the chat with a meaning for lines that were not read; with none they stay a gap."""
        accepted = (*((entry,) if entry else ()), *self.accepted)
        return self._replace(accepted=accepted, unread=tuple(each for each in self.unread if each is not kind))

    def tried(self, folder: Path, content: bytes) -> Preview:
        """Return what the map makes of the chat. Raises `MapError` as the reading of a map does."""
        used = read_map(self.written, "chat", vocabulary)
        return preview(used, content, known_of(folder, self.slug).ids, "chat")


def read_chat(seen: Survey, look: FirstLook, slug: str, folder: Path) -> ChatReading:
    """Return how the file of a game reads a chat; what may be a move and is not read is a gap."""
    seen = seen._replace(players=look.players)
    kinds = proposals(seen, slug, tuple(known_of(folder, slug).names))
    accepted = tuple((kind.sentence, kind.entry) for kind in kinds if "harmless" not in kind.entry)
    return ChatReading(seen, slug, accepted, tuple(kind for kind in kinds if kind.is_unsure))


def restated(chat: ChatReading, kind: LineProposal, words: str, folder: Path) -> Entry | None:
    """Return what a line means that a person says again in plain words, `play heron`; None where these are no move."""
    who = next((each for each in chat.seen.players if kind.example.startswith(each)), "")
    if not who:
        return None
    plain = f"{who}: {words}" if chat.seen.spoken else f"{who} {words}"
    said = chat.seen._replace(lines=((kind.first, plain),), head={"clean": chat.seen.head.get("clean", [])})
    read = proposals(said, chat.slug, tuple(known_of(folder, chat.slug).names))
    if len(read) != 1 or read[0].is_unsure or not str(read[0].entry.get("event", "")):
        return None
    text = map_text(said, [(read[0].sentence, read[0].entry)], game=chat.slug, edition="unknown")
    seats = "".join(f"{each}: {words}\n" for each in ())
    content = f"{plain}\n{seats}".encode()
    events = _events_of(read_map(text, "line", vocabulary), content, chat, folder)
    entries = [_as_entry(event, chat) for event in events]
    if not entries:
        return None
    sentence = re.sub(rf"^{re.escape(who)}(?!\w)", "{player}", kind.example)
    entry = {**entries[0], **({"also": entries[1:]} if entries[1:] else {})}
    try:
        require_readable(sentence, entry, chat.slug)
    except MapError:
        return None
    return sentence, entry


def _events_of(used: Any, content: bytes, chat: ChatReading, folder: Path) -> list[Event]:
    from tabletape.events.importing.maps.notation import FileReading, MappedLog  # noqa: PLC0415

    log = MappedLog("line", used, content, FileReading(lambda _: known_of(folder, chat.slug).ids, "UTC", "line"))
    return [event for batch in log.events() for _, event in batch[1:]]


def _as_entry(event: Event, chat: ChatReading) -> dict[str, Any]:
    """Return an event as a map says it that is always the same."""
    fields = msgspec.to_builtins(event)
    names = {chr(ord("A") + at): name for at, name in enumerate(chat.seen.players)}
    kept = {key: value for key, value in fields.items() if key not in {"type", "seq", "at", "player"} and value}
    kept = {key: names.get(value, value) if isinstance(value, str) else value for key, value in kept.items()}
    return {"event": fields["type"], **({"with": kept} if kept else {})}
