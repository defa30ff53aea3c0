"""A map as TOML: its keys, and the sentences that were accepted, in the order in which they are matched."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

import tomlkit

from tabletape.events.importing.maps.documents.chats import CLEAN
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.vocabulary import vocabulary

EXPECTS: Final = "\n[expect]\nunderstood = "
"""What stands at the end of a map of lines before the percentage of them that it understands at least."""

_HOLE: Final = re.compile(r"\{[^{}]*\}")


def map_text(seen: Survey, accepted: Iterable[tuple[str, Mapping[str, Any]]], *, game: str, edition: str) -> str:
    """Return a map as TOML: the sentences that were accepted, those with the same meaning together."""
    document = tomlkit.document()
    document.add(tomlkit.comment("Written by `tabletape map`; every sentence may be changed by hand."))
    head = {
        "map": 1,
        "game": game,
        "edition": edition,
        "shape": "lines",
        "id": "{file}",
        "clean": [*CLEAN],
        **seen.head,
    }
    for key, value in head.items():
        if key != "columns" and not (key == "clean" and "columns" in head):
            document.add(key, tomlkit.item(value))
    if "columns" in head:
        columns = tomlkit.table()
        for key, value in head["columns"].items():
            columns.add(key, _inline(value))
        document.add("columns", columns)
        return tomlkit.dumps(document)
    players = tomlkit.table()
    for name in () if "player" in head else seen.players:
        players.add(name, tomlkit.inline_table())
    document.add("players", players)
    entries = tomlkit.aot()
    for shapes, entry in _together(accepted):
        # A row says beside its text who acts.
        sentences = [each.removeprefix("{player} ") for each in shapes] if "player" in head else shapes
        table = tomlkit.table()
        table.add("is", tomlkit.item(sentences if len(sentences) > 1 else sentences[0]))
        for key, value in entry.items():
            table.add(key, _inline(value))
        entries.append(table)
    document.add("line", entries)
    return tomlkit.dumps(document)


def entries_in(lines: Iterable[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the sentences of the lines of a map, each with its meaning: what `map_text` was given for them."""
    return [
        (sentence, {key: value for key, value in line.items() if key != "is"})
        for line in lines
        if "is" in line
        for sentence in ([line["is"]] if isinstance(line["is"], str) else line["is"])
    ]


def expecting(written: str, understood: float) -> str:
    """Return the text of a map so that it takes no game of which it understands less than half as much (per cent).

    A file of the same name may be the log of another game, in which only a few words are the same.
    """
    return f"{written}{EXPECTS}{understood // 2:.0f}\n" if understood >= 2 else written


def _inline(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    table.update({key: _inline(each) for key, each in value.items()})
    return table


def _together(accepted: Iterable[tuple[str, Mapping[str, Any]]]) -> list[tuple[list[str], Mapping[str, Any]]]:
    """Return the sentences, those that say most in words first: the first that fits a line counts.

    Neighbours with the same meaning stand together; a list that was read from a map and a tuple mean the same.
    """
    ordered = sorted(accepted, key=lambda each: (-len(_HOLE.sub("", each[0])), "event" not in each[1]))
    groups = [[*group] for _, group in groupby(ordered, key=lambda each: json.dumps(each[1], sort_keys=True))]
    return [([sentence for sentence, _ in group], group[0][1]) for group in groups]


# -- what a person writes ----------------------------------------------------------------------------------------------


def entry_text(entry: Mapping[str, Any]) -> str:
    """Return what an entry says as TOML in a line: `event = "card.moved", with = { to = "table" }`."""
    return ", ".join(f"{tomlkit.key(key).as_string()} = {toml_value(value)}" for key, value in entry.items())


def toml_value(value: Any) -> str:
    """Return a value as TOML in a line."""
    if isinstance(value, Mapping):
        return "{ " + entry_text(value) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def entry_of(sentence: str, text: str, game: str) -> dict[str, Any]:
    """Return the entry that a person has written for a sentence. Raises `MapError` where it is none of a game."""
    try:
        entry: dict[str, Any] = tomllib.loads("entry = { " + text + " }")["entry"]
    except tomllib.TOMLDecodeError as error:
        raise MapError(str(error)) from None
    require_readable(sentence, entry, game)
    return entry


def require_readable(
    sentence: str, entry: Mapping[str, Any], game: str, head: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Raise `MapError` where a map of a game, with such a head, cannot hold a sentence with this meaning."""
    written = map_text(Survey(head=head), [(sentence, entry)], game=game, edition="draft")
    read_map(written, "the answer", vocabulary)
