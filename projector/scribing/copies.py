"""Which copy of a card is meant where nobody has counted them: the one that is known to lie elsewhere, or another.

A card of such a game is made when it is first named. So a name that is said again may mean the card that lies on the
table, or in another player's hand: that is offered first, and that it would be another copy is said.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.tabletop import CardMoved, CardsDrawn, CounterChanged
from tabletape.projector.model.amounts import joined
from tabletape.projector.model.table import NOWHERE
from tabletape.projector.model.things import Zone
from tabletape.projector.tabletop.as_moves import DRAW, done_in
from tabletape.projector.tabletop.rules import unwritten_in_hand
from tabletape.projector.tabletop.state import (
    Tabletop,
    TabletopCard,
    counter_called,
    is_open,
    new_name,
    where_in_words,
    zone_called,
    zone_or_elsewhere,
)
from tabletape.projector.tabletop.view import POINTS


class MeantLine(NamedTuple):
    """A line that a sentence may say, what has to be said of it, and whether the log leaves open that it can be.

    `is_known` says whether the card, or a copy of it, is at the table already.
    """

    line: Event
    doubt: str = ""
    stands: Literal["free", "open"] = "free"
    is_known: bool = False


def lines_meant(table: Tabletop, line: Any) -> Iterator[MeantLine]:
    """Yield what a line about a card by its name may mean, the likeliest first; of a counter, what more is taken."""
    if isinstance(line, CounterChanged):
        doubt = _overdrawn(table, line)
        yield MeantLine(line, doubt, "open" if doubt else "free")
        return
    name = _card_in(line)
    if not name or not is_open(table, line.player):
        yield MeantLine(line)
        return
    source = zone_called(table, "deck" if done_in(line) == DRAW else "hand", line.player)
    alike = [
        each
        for each in table.cards.values()
        if card_of(each.name) == card_of(name) and not each.renamed_to and each.zone.name != NOWHERE
    ]
    if any(each.zone is source and each.owner == line.player for each in alike):
        yield MeantLine(line)
        return
    lying: dict[str, TabletopCard] = {}
    if isinstance(line, CardMoved):
        target = zone_or_elsewhere(table, line.to, line.player)
        lying = {each.zone.name: each for each in alike if each.zone is not target}
    elif isinstance(line, CardsDrawn):  # Whoever shuffles a discard into the deck may draw the card again.
        lying = {each.zone.name: each for each in alike if each.zone.role == "discard"}
    near = {"", line.player} if isinstance(line, CardMoved) else set()
    yield from (_from_there(table, line, each) for each in lying.values() if each.zone.owner in near)
    doubt = _another(table, [each.zone for each in alike])
    if isinstance(line, CardMoved) and unwritten_in_hand(table, line):
        unwritten = f", which nobody has written into {where_in_words(table, source)}" if source is not None else ""
        is_asked = not table.players[line.player].hand_guessed  # Asked once: then the hand is known to have had others.
        yield MeantLine(
            _named(line, new_name(table, name)), doubt + unwritten, "open" if is_asked else "free", bool(alike)
        )
    else:
        yield MeantLine(_named(line, new_name(table, name)), doubt, is_known=bool(alike))
    yield from (_from_there(table, line, each) for each in lying.values() if each.zone.owner not in near)


def _overdrawn(table: Tabletop, line: CounterChanged) -> str:
    """Return that more is taken of what somebody has than was counted; nothing of points, of which some go below 0."""
    counters = table.players[line.player].counters if line.player else table.counters
    name = counter_called(table, counters, line.counter)
    had, by = counters.get(name), line.by or 0
    if had is None or had < 0 or had + by >= 0 or name == POINTS:
        return ""
    return f", with {had:g} by the log: {had + by:g}"


def _card_in(line: Any) -> str:
    """Return the card that is played, discarded or drawn; empty for every other line."""
    if isinstance(line, CardsDrawn):
        return line.cards[0] if line.cards and len(line.cards) == 1 and not line.from_ else ""
    return line.card if isinstance(line, CardMoved) and done_in(line) else ""


def _named(line: Any, name: str) -> Any:
    named: Any = replace(line, cards=(name,)) if isinstance(line, CardsDrawn) else replace(line, card=name)
    return named


def _from_there(table: Tabletop, line: Any, card: TabletopCard) -> MeantLine:
    """Return the line in which a card is taken from where it lies, which may be with somebody else."""
    is_theirs = card.zone.owner not in {"", line.player}
    origin = UNSET if is_theirs else card.zone.name.rpartition("/")[2]
    taken: Any = replace(_named(line, card.name), from_=origin)
    return MeantLine(taken, f", out of {where_in_words(table, card.zone)}" if is_theirs else "", is_known=True)


def _another(table: Tabletop, zones: Sequence[Zone]) -> str:
    """Return that a card is another copy than those that lie in some zones; nothing where there are none."""
    where = dict.fromkeys(where_in_words(table, zone) for zone in zones)
    return f", another than {'the one' if len(zones) == 1 else 'those'} in {joined(where)}" if zones else ""
