"""The table of a game without rules: its zones as the game's file names them, and where a card may lie."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from tabletape.events.importing.lines.words import Words
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.events.vocabulary.open_games import OpenGame, ZoneKind
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.kit.seating import ROLES, SEEN_BY
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.things import Card, Internal, Player, Zone

ELSEWHERE: Final = "elsewhere"
"""The zone of cards that lie in a zone which the game's file does not name."""

_WHOSE: Final = re.compile(r"(.+?)(?:['\u2019]s?\s+|/)(.+)")

Whereabouts = Literal["here", "perhaps", "elsewhere"]


class TabletopPlayer(Player, eq=False, kw_only=True):
    """A player; `counters` is replaced as a whole, never changed; `declared`: the deck list was written down."""

    counters: Mapping[str, float] = {}
    declared: bool = False
    turns: int = 0


class Tabletop(Table[Card, TabletopPlayer], eq=False, kw_only=True):
    """A table of a game without rules; `counters` are those that belong to no player.

    `counter_names` are those of the game's file, also those that are still at nothing. `counts_rounds`: the log says
    when a round begins; else a round is as many turns as the player with most of them has begun.
    """

    counters: Mapping[str, float] = {}
    counter_names: tuple[str, ...] = ()
    counts_rounds: Internal[bool] = False


def opening(described: OpenGame, seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Tabletop:
    """Lay out the zones of every player and those of the table."""
    names = tuple(name.removesuffix(" shared") for name in described.counters)
    table = Tabletop(options=ruleset.options, library=library, counter_names=names)
    kinds = described.zone_kinds
    for seat in seats:
        deck = seat.deck if isinstance(seat.deck, str) else ""
        table.add_player(TabletopPlayer(id=seat.id, name=seat.name, deck=deck))
        for kind in kinds:
            if not kind.shared:
                _lay_out(table, kind, f"{seat.id}/{kind.name}", seat.id)
        for name in ("deck", "hand", ELSEWHERE):
            if f"{seat.id}/{name}" not in table.zones and name not in table.zones:
                kind = ZoneKind(name, shared=False, seen_by=SEEN_BY.get(name, "all"))
                _lay_out(table, kind, f"{seat.id}/{name}", seat.id)
        for kind in kinds:
            if kind.shared and kind.name not in table.zones:
                _lay_out(table, kind, kind.name, "")
    return table


def _lay_out(table: Tabletop, kind: ZoneKind, name: str, owner: str) -> None:
    table.add_zone(name, owner=owner, role=ROLES.get(kind.name, ""), seen_by=kind.seen_by)


def zone_called(table: Tabletop, name: str, player: str) -> Zone | None:
    """Return the zone that a log calls by a name, a player's own before the table's; None where there is none.

    A name may be written as it is said: `the Hand`, `Discard Pile`, `Ben's hand`.
    """
    found = table.zones.get(f"{player}/{name}") or table.zones.get(name)
    if found is not None:
        return found
    whose = _WHOSE.fullmatch(name)
    named = [each.id for each in table.players.values() if whose and whose[1].casefold() in _called(each)]
    owner, text = (named[0], whose[2]) if whose and named else (player, name)
    called = _words(tuple(table.zones)).called(text)
    return table.zones.get(f"{owner}/{called}") or table.zones.get(str(called))


def counter_called(table: Tabletop, counters: Mapping[str, float], name: str) -> str:
    """Return the counter that a log calls by a name, `Score` for score; the name itself where there is none yet."""
    if name in counters or name in table.counter_names:
        return name
    called = _words((*table.counter_names, *counters)).called(name)
    return name if called is None else str(called)


def _called(player: TabletopPlayer) -> tuple[str, str]:
    return player.name.casefold(), player.id.casefold()


@lru_cache(maxsize=64)
def _words(zones: tuple[str, ...]) -> Words:
    """Return the names of zones, whoever's they are, as words that may be written otherwise."""
    return Words({zone: zone for zone in {name.rpartition("/")[2] for name in zones}}, nouns=("pile", "zone", "area"))


def zone_or_elsewhere(table: Tabletop, name: str, player: str) -> Zone:
    """Return the zone that a log calls by a name, or the place for all zones that the game's file does not name."""
    return zone_called(table, name, player) or table.zones[f"{player}/{ELSEWHERE}"]


def copies_of(table: Tabletop, name: str) -> list[Card]:
    """Return the cards on the table that a name may mean: the copy with that number, else all copies of the card."""
    if "#" in name or is_unseen(name):
        card = table.find(name)
        return [] if card is None else [card]
    wanted = card_of(name), owner_of(name)
    return [card for card in table.cards.values() if (card_of(card.name), card.owner) == wanted and not card.renamed_to]


def is_open(table: Tabletop, owner: str) -> bool:
    """Return whether a player may have any number of copies of a card: nobody has written down the deck."""
    player = table.players.get(owner)
    return player is None or not player.declared


def whereabouts(table: Tabletop, name: str, zone: Zone) -> Whereabouts:
    """Return whether a card lies in a zone, may lie there as far as the log shows, or certainly lies elsewhere."""
    found = copies_of(table, name)
    if any(card.zone is zone for card in found):
        return "here"
    if not found or is_open(table, owner_of(name)):
        return "perhaps"
    unnamed = zone.unseen > 0 or zone.role == "deck"
    # Where a zone is that the game does not have, nobody can say: it may be the one that is meant now.
    loose = [each for each in found if each.zone.unseen != 0 or each.zone.role == "deck" or _is_elsewhere(each.zone)]
    return "perhaps" if unnamed or loose or _is_elsewhere(zone) else "elsewhere"


def _is_elsewhere(zone: Zone) -> bool:
    return zone.name.rpartition("/")[2] == ELSEWHERE


def take(table: Tabletop, name: str, zone: Zone | None) -> Card:
    """Return the card that a log takes from a zone: a copy that lies there, else another, else a new one."""
    found = copies_of(table, name)
    here = [card for card in found if card.zone is zone] if zone is not None else found
    if here:
        return here[-1]
    if found and not (is_open(table, owner_of(name)) and zone is not None):
        # A draw that was only counted: which card it was is known now.
        drawn = [card for card in found if zone is not None and table.may_be_in(card.name, zone)]
        return table.take(drawn[0].name, zone) if drawn and zone is not None else found[0]
    home = zone if zone is not None else table.zones[NOWHERE]
    if home.unseen > 0:
        table.count(home, "unseen", -1)
    elif home.role == "hand":
        table.set(table.players[home.owner], "hand_guessed", True)
    return table.make(new_name(table, name), home)


def new_name(table: Tabletop, name: str) -> str:
    """Return a name for one more copy of a card."""
    if name not in table.cards:
        return name
    number = 2
    while f"{name}#{number}" in table.cards:
        number += 1
    return f"{name}#{number}"
