"""The beginning of a game: the zones of the players and of the table, and what lies and counts there at first."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletape.events.rules_file.scope import values_of
from tabletape.events.rules_file.stated import Rules
from tabletape.events.rules_file.values import FIRST_STEPS
from tabletape.events.vocabulary.names import copies
from tabletape.events.vocabulary.open_games import OpenGame, ZoneKind
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.kit.seating import ROLES, SEEN_BY
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.tabletop.state import ELSEWHERE, Tabletop, TabletopPlayer, kind_of, place_of


def opening(described: OpenGame, seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Tabletop:
    """Lay out the zones of every player and those of the table, and the cards and counters of the file's rules."""
    names = tuple(name.removesuffix(" shared") for name in described.counters)
    table = Tabletop(options=ruleset.options, library=library, counter_names=names, steps=FIRST_STEPS)
    table.given = table.steps
    table.inner = described.rules.unshown if described.rules is not None else frozenset()
    kinds = described.zone_kinds
    for seat in seats:
        deck = seat.deck if isinstance(seat.deck, str) else ""
        table.add_player(TabletopPlayer(id=seat.id, name=seat.name, deck=deck))
        for kind in kinds:
            if not kind.shared:
                _lay_out(table, described, kind, seat.id)
        for name in ("deck", "hand", ELSEWHERE):
            if f"{seat.id}/{name}" not in table.zones and name not in table.zones and not _is_shared(kinds, name):
                _lay_out(table, described, ZoneKind(name, shared=False, seen_by=SEEN_BY.get(name, "all")), seat.id)
        for kind in kinds:
            if kind.shared and kind.name not in table.zones:
                _lay_out(table, described, kind, "")
    if described.rules is not None:
        _begin(table, described.rules)
    return table


def _is_shared(kinds: Sequence[ZoneKind], name: str) -> bool:
    return any(kind.shared and kind.name == name for kind in kinds)


def _lay_out(table: Tabletop, described: OpenGame, kind: ZoneKind, owner: str) -> None:
    """Lay out a zone of a player or the table, or one for each value of a property."""
    values = values_of(described.rules.properties, kind.per) if kind.per and described.rules is not None else (None,)
    begin = described.rules.begin if described.rules is not None else ""
    role = "deck" if kind.name == begin and kind.seen_by == "nobody" else ROLES.get(kind.name, "")
    for value in values:
        name = place_of(kind.name, owner, value)
        if name not in table.zones:
            table.add_zone(name, owner=owner, role=role, seen_by=kind.seen_by)


def _begin(table: Tabletop, rules: Rules) -> None:
    """Put the counters of a file to their start, and its cards where they begin."""
    for player in table.players:
        table.players[player].counters = _starts(rules, own=True)
    table.counters = _starts(rules, own=False)
    table.closed = rules.counted
    table.undeclared = frozenset(_undeclared(table, rules))
    table.dealt = not rules.hand_size(len(table.players))
    table.phase = rules.phases[0] if rules.phases else "turn"
    kinds = tuple(kind for kind, (_, number) in rules.cards.items() for _ in range(number))
    zone = rules.zones.get(rules.begin)
    if kinds and zone is not None:
        for owner in ("",) if zone.shared else tuple(table.players):
            names = tuple(name if owner else name.removeprefix(":") for name in copies(owner, kinds))
            table.make_all(names, table.zones[place_of(rules.begin, owner)])


def _undeclared(table: Tabletop, rules: Rules) -> Iterator[str]:
    """Yield the zones of which nobody knows what lies there at first: where all look in and moves lay, nothing does.

    Where the file names the cards, they lie where it says that they begin.
    """
    moves = (effect for move in rules.moves.values() for effect in (*move.does, *move.otherwise))
    effects = (*moves, *(effect for each in rules.whens for effect in each.does))
    laid = frozenset().union(*(effect.writes for effect in effects))
    for name, zone in table.zones.items():
        kind = kind_of(rules, name)
        begins = rules.counted and kind == rules.begin
        if kind in rules.zones and not begins and not (zone.seen_by == "all" and kind in laid):
            yield name


def _starts(rules: Rules, *, own: bool) -> Mapping[str, float]:
    starts: dict[str, float] = {}
    for counter in rules.counters.values():
        if counter.each is own and counter.start is not None:
            for value in values_of(rules.properties, counter.per) if counter.per else (None,):
                starts[place_of(counter.name, "", value)] = counter.start
    return starts
