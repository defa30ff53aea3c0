"""What a table without rules is worth to look at: counters, progress, and its zones as they are drawn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.open_games import SOMEWHERE, OpenGame
from tabletape.projector.model.areas import EVERYTHING, Area, Shown, players_around, zone_area
from tabletape.projector.model.phrases import ZONE_WORDS
from tabletape.projector.model.table import Table
from tabletape.projector.model.telling import in_words
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.moment import Moment
from tabletape.projector.tabletop.state import ELSEWHERE, Tabletop, TabletopCard, is_open, zone_called

POINTS: Final = "points"
"""The counter that is meant where only a number is said."""

HOPE: Final = 0.3
"""What a point is worth that may still be made together."""

UNKNOWN_REST: Final = "the rest is not known"
"""What is said of a deck that nobody has written down."""

UNKNOWN_COUNT: Final = "how many more is not known"
"""What is said of a zone in which cards may lie that nobody has written down."""

WITHOUT_LIMIT: Final = 10**9
"""The most of a counter for which the file names none."""


def progress(described: OpenGame, table: Tabletop, player: str) -> float | None:
    """Return how much of its goal the counter of the game's file has reached, between 0 and 1; None without a goal."""
    goal = described.progress
    if goal is None:
        return None
    return min(1.0, max(0.0, table.players[player].counters.get(goal.counter, 0) / goal.of))


def points(described: OpenGame, table: Tabletop, player: str) -> float | None:
    """Return a player's score: the counter, or the word of the rules, that the game's file calls so; else None."""
    if described.score:
        own = table.players[player].counters.get(described.score)
        return own if own is not None else table.counters.get(described.score)
    word = described.rules.scope.names.get("score") if described.rules is not None else None
    counted = word.run(Moment(described.rules, table, player)) if word is not None else None
    return counted if isinstance(counted, int | float) else None


def value(described: OpenGame, table: Tabletop, player: str) -> float:
    """Return how good a table looks to a player: the points, as far as the file says what counts.

    Of points that all score together some that are still missing count as well: an end would take them away.
    """
    now = points(described, table, player) or 0.0
    if described.rules is None or described.score not in table.counters:
        return now
    limit = described.rules.counters[described.score].high
    return now if limit >= WITHOUT_LIMIT else now + HOPE * max(limit - now, 0)


def totals(table: Tabletop, player: str) -> dict[str, int]:
    """Return a player's counters in whole numbers, and the cards in the hand."""
    shown = _shown_counters(table, table.players[player].counters)
    counts = {name: int(value) for name, value in shown.items() if float(value).is_integer()}
    hand = zone_called(table, "hand", player)
    return {**counts, "hand": hand.size} if hand is not None else counts


def areas(table: Tabletop, viewer: str) -> Sequence[Area]:
    """Draw each player's zones on lines of their own, the table's between the first and the others."""
    near, *far = players_around(table, viewer) or ("",)
    drawn = [area for line, player in enumerate(far) for area in _side(table, player, line, viewer)]
    shared = [zone for zone in table.zones.values() if not zone.owner and zone.role != "nowhere"]
    shared = [zone for zone in shared if zone.size > 0 or not _is_unknown(table, zone)]
    drawn += [_area(table, zone, len(far), column, viewer) for column, zone in enumerate(shared)]
    piles = enumerate(dict.fromkeys(name for name, _ in table.piles), len(shared))
    drawn += [_pile(table, name, len(far), column) for column, name in piles]
    return [*drawn, *_side(table, near, len(far) + 1, viewer)]


def _pile(table: Tabletop, name: str, line: int, column: int) -> Area:
    """Return a deck of which nobody has said more than that cards were drawn from it."""
    taken = sum(number for of, number in table.piles if of == name)
    title, caption = f"{name[:1].upper()}{name[1:]}", f"{taken} drawn, {UNKNOWN_REST}"
    return Area(name=f"pile/{name}", title=title, line=line, column=column, caption=caption)


def _side(table: Tabletop, player: str, line: int, viewer: str) -> Iterator[Area]:
    mine = [zone for zone in table.zones.values() if zone.owner == player]
    shown = [zone for zone in mine if zone.size > 0 or not _is_unknown(table, zone)]
    for column, zone in enumerate(shown):
        yield _area(table, zone, line, column, viewer)


def _is_unknown(table: Tabletop, zone: Zone) -> bool:
    """Return whether nobody has said what lies in a zone: elsewhere, and a deck that nobody has written down."""
    is_elsewhere = zone.name.rpartition("/")[2] in {SOMEWHERE, ELSEWHERE}
    return is_elsewhere or (zone.role == "deck" and is_open(table, zone.owner))


def _area(table: Tabletop, zone: Zone, line: int, column: int, viewer: str) -> Area:
    kind = zone.name.rpartition("/")[2]
    owner = table.players.get(zone.owner)
    counters = owner.counters if owner is not None else table.counters
    shown = _shown_counters(table, counters) if column == 0 else {}
    told = [f"{name.replace('_', ' ')} {value:g}{_overdrawn(table, name, value)}" for name, value in shown.items()]
    role = owner.deck if owner is not None and column == 0 else ""
    caption = ", ".join(filter(None, (role, *told, _doubt(table, zone, kind))))
    pile = zone.seen_by == "nobody" or zone.role == "discard"
    title = f"{owner.name}'s {ZONE_WORDS.get(kind, kind)}" if owner is not None else kind.capitalize()
    # The cards of a file lie in its deck in no order that anybody knows.
    unordered = table.closed and zone.seen_by == "nobody"
    cards = [] if unordered else [_shown(table, card, viewer) for card in zone.cards]
    shape = "hand" if zone.seen_by in {"owner", "others"} else "pile" if pile else "row"
    return zone_area(zone, title, cards, (line, column), shape=shape, caption=caption, count=max(zone.size, 0))


def _overdrawn(table: Tabletop, name: str, value: float) -> str:
    """Return that somebody has less than nothing of what no file speaks of: more went than the log says there was."""
    is_own = name in table.counter_names or name == POINTS
    return " (more went than was written down)" if value < 0 and not is_own else ""


def _shown_counters(table: Tabletop, counters: Mapping[str, float]) -> dict[str, float]:
    """Return the counters that people know by their names, and of which everybody knows what they have come to."""
    hidden = table.inner | table.unsure
    return {name: value for name, value in counters.items() if name.partition("/")[0] not in hidden}


def _doubt(table: Tabletop, zone: Zone, kind: str) -> str:
    """Return why nobody knows what lies in a zone; of a deck of known cards that is so where hands are not known."""
    if kind in table.unsure:
        return f"nobody has said what {table.undescribed.replace('_', ' ') or 'a move'} does to it"
    from_deck = table.closed and zone.seen_by == "nobody" and any(name.endswith("/hand") for name in table.undeclared)
    return UNKNOWN_COUNT if zone.name in table.undeclared or from_deck else ""


def _shown(table: Tabletop, card: TabletopCard, viewer: str) -> Shown:
    if not (viewer == EVERYTHING or table.knows(viewer, card)):
        return Shown(name=card.name, title="card", owner=card.owner, face_up=False, marks=in_words(card))
    title = card.text.name if card.text is not None else card_of(card.name).replace("-", " ").title()
    return Shown(name=card.name, title=title or card.name, owner=card.owner)


def points_of(table: Table[Any, Any]) -> Mapping[str, float]:
    """Return the points that were counted of players so far, where somebody has counted them."""
    counters = {player: getattr(each, "counters", {}) for player, each in table.players.items()}
    return {player: counted[POINTS] for player, counted in counters.items() if POINTS in counted}
