"""What the maps of a game's earlier files say of lines: the same phrase of a new file means the same."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from tabletape.events.importing.maps.documents.records import Record
from tabletape.events.importing.maps.map import Map
from tabletape.events.importing.maps.matching import Entries
from tabletape.events.importing.maps.proposing.draws import is_luck
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.values.captured import DRAW_EVENT
from tabletape.events.importing.maps.writing import entries_in
from tabletape.events.toml_text import toml_of
from tabletape.events.vocabulary import Vocabulary

Entry = tuple[str, Mapping[str, Any]]
"""A sentence of a map, and what it means."""

_ONE_DRAWN: Final[Mapping[str, Any]] = {"event": DRAW_EVENT, "with": {"count": 1}}


def told_before(maps: Iterable[Map], seen: Survey) -> list[Entry]:
    """Return what earlier maps of a game say of lines, the last map first, but for what they leave open.

    A sentence without holes is taken only where a line of the new file says just that.
    """
    lines = {line.strip() for _, line in seen.lines}
    told: dict[str, Mapping[str, Any]] = {}
    for used in reversed([*maps]):
        for sentence, entry in said_in(used).items():
            said = {sentence.replace("{player}", name) for name in seen.players}
            if "{" in sentence.replace("{player}", "") or not said.isdisjoint(lines):
                told.setdefault(sentence, entry)
    return [*told.items()]


def unread_by(maps: Iterable[Map], seen: Survey) -> Survey:
    """Return what a file looks like without the lines that some maps read."""
    lines = seen.lines
    for entries in [Entries(used, seen.players) for used in maps]:
        lines = tuple(each for each in lines if entries.fit(Record(each[0], "", each[1]), below=False) is None)
    return seen._replace(lines=lines)


def read_apart(maps: Sequence[Map]) -> Iterator[tuple[Map, Map, str]]:
    """Yield two maps of a game and a sentence that they read differently; what one leaves open is not read."""
    for one, other in combinations(maps, 2):
        first, second = said_in(one), said_in(other)
        yield from ((one, other, each) for each in first if each in second and first[each] != second[each])


def drawn_alike(entry: Entry, others: Iterable[Entry], known: Vocabulary) -> Entry:
    """Return an entry with its draws read as the other ones of a game are.

    A rule that is written later may make a move of a draw: what was read before as cards that are drawn stays so.
    """
    sentence, meaning = entry
    told = {act.get("event") for _, each in others for act in _acts(each)}
    if DRAW_EVENT not in told or "{card}" in sentence or "{cards}" in sentence:
        return entry
    moves = {tag for tag in known.types if tag != DRAW_EVENT and is_luck(tag, known)}
    if told & moves:
        return entry
    first, *also = (_ONE_DRAWN if act.get("event") in moves and "with" not in act else act for act in _acts(meaning))
    return sentence, {**first, **({"also": also} if also else {})}


def _acts(meaning: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what happens by a meaning, one thing after another."""
    return [{key: value for key, value in meaning.items() if key != "also"}, *meaning.get("also", ())]


def said_in(used: Map) -> dict[str, Mapping[str, Any]]:
    """Return what a map says of lines, but for what it leaves open, and whose move a line of nobody was there."""
    entries = entries_in(toml_of(used.text).get("line", ()))
    told = ((sentence, entry) for sentence, entry in entries if entry.get("event") != "log.gap")
    return {said: entry for said, entry in told if "{" in said or "player" not in entry.get("with", {})}
