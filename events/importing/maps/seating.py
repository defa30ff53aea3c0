"""Who sits at the table of a game: what the document, the sentences of a map or its list of players say."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.lines.words import as_own_words
from tabletape.events.importing.maps.documents.records import Record
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.map import Map
from tabletape.events.importing.maps.matching import Entries
from tabletape.events.importing.maps.schema import Seating


class SeatedPlayer(NamedTuple):
    """Somebody who sits at the table: id in the log, name, deck where it is known, what else they are called."""

    id: str
    name: str
    deck: str = ""
    aliases: tuple[str, ...] = ()


def owners_of(aliases: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return whose each alias is, by the aliases of the names: one of several is nobody's, a name is its owner's."""
    shared = Counter(alias for each in aliases.values() for alias in {*each})
    return {
        alias: name for name, each in aliases.items() for alias in each if shared[alias] == 1 and alias not in aliases
    }


def seating_of(used: Map, effort: Effort) -> Entries | None:
    """Return the entries of a map that name who sits down, None where it has none."""
    seats = tuple(line for line in used.lines if line.entry.seats)
    return Entries(used._replace(lines=seats), None, effort) if seats else None


def players_of(
    used: Map, seated: Sequence[str], seating: Entries | None, records: Sequence[Record], effort: Effort
) -> tuple[SeatedPlayer, ...]:
    """Return who plays: the seats of the document, those that a `seats` sentence names, or those of `[players]`.

    What such a sentence captures as `alias` is another name of the player: `|player|{alias}|{player}`.

    `seating` are the entries of the `seats` sentences, see `seating_of`.
    """
    given = used.written.players
    called = owners_of({name: each.aliases for name, each in given.items()})
    decks: dict[str, str] = dict.fromkeys((called.get(name, name) for name in seated), "")
    aliases: dict[str, dict[str, None]] = {name: dict.fromkeys(each.aliases) for name, each in given.items()}
    if seating is not None:
        for record in records:
            fit = seating.fit(record, below=False)
            if fit is not None:
                name = called.get(fit.captured["player"], fit.captured["player"])
                decks[name] = decks.get(name) or fit.captured.get("deck", "")
                if "alias" in fit.captured:
                    aliases.setdefault(name, {})[fit.captured["alias"]] = None
    if not decks:
        players = [record.player for record in records if record.player]
        at_table = players or named_in("\n".join(record.text for record in records), given, effort)
        decks = dict.fromkeys((called.get(name, name) for name in at_table), "")
    named = list(decks.items())[: len(SEATS)]
    return tuple(
        SeatedPlayer(SEATS[seat], name, deck or (given[name].deck if name in given else ""), (*aliases.get(name, ()),))
        for seat, (name, deck) in enumerate(named)
    )


def named_in(text: str, players: Mapping[str, Seating], effort: Effort) -> list[str]:
    """Return those of the players of a map whose name, or another one, stands somewhere in a text, as words of its own.

    They are as many as can sit at a table, and as steps are left for.
    """
    named: list[str] = []
    for name, each in players.items():
        called = name, *each.aliases
        if len(named) == len(SEATS) or not effort.allows(len(called) * (1 + (len(text) >> 10))):
            break
        if any(re.search(as_own_words(one), text) for one in called):
            named.append(name)
    return named
