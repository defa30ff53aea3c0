"""What luck decides in a simulated game, and how dice answer what is due."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import DeckShuffled
from tabletape.projector.model.due import Asked, Due
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Zone


class Dice:
    """What luck decides in a simulated game; a simulation passes a seeded one (see `projector.selfplay.simulate`).

    It holds the real, hidden order of every deck. The deck `deck` is made of the `cards` of `deck.declared` and is in a
    random order from then on; other decks are empty until `shuffle` adds cards to them. A deck of the whole table goes
    by the name of its zone and has no player. `lay_out` makes one that nobody has declared of the cards that lie there.
    A draw takes fewer cards than were asked for where the deck has no more.
    """

    def draw(self, player: str, count: int, deck: str = "deck") -> tuple[str, ...]:
        """Take the top cards of a player's real deck."""
        raise NotImplementedError

    def shuffle(self, player: str, deck: str = "deck", add: Iterable[str] = ()) -> None:
        """Shuffle cards into a player's real deck."""
        raise NotImplementedError

    def lay_out(self, player: str, deck: str, names: Iterable[str]) -> None:
        """Shuffle the cards of a deck of a player, or of the whole table; nothing happens where it is known."""
        raise NotImplementedError

    def remove(self, player: str, name: str, deck: str = "deck") -> None:
        """Take a named card out of a player's real deck (a search)."""
        raise NotImplementedError

    def put_under(self, player: str, names: Iterable[str], deck: str = "deck") -> None:
        """Lay cards under a player's real deck."""
        raise NotImplementedError

    def choose(self, options: Sequence[Any]) -> Any:
        """Return one of several options, each as likely."""
        raise NotImplementedError

    def sample(self, options: Sequence[Any], count: int) -> list[Any]:
        """Return `count` options in a random order; each once as long as there are enough."""
        raise NotImplementedError


def chance(lines: Iterable[Due], table: Table[Any, Any], dice: Dice) -> Event | None:
    """Return the one of the due lines that luck has to write now, answered by dice; None where there is none.

    Where a card may come from several decks luck chooses the deck. Of what may be left out only draws are thought of,
    as often as not.
    """
    owed = [due for due in lines if not due.later and (due.asked is not None or not due.optional)]
    if not owed:
        return None
    first = owed[0]
    if first.optional and not dice.choose((True, False)):
        return None
    alike = [due for due in owed if due.line is first.line and due.player == first.player]
    return answered(table, first if len(alike) == 1 else dice.choose(alike), dice)


def answered(table: Table[Any, Any], due: Due, dice: Dice) -> Event:
    """Return a line that is due with what dice say to what it asks."""
    asked = due.asked
    if asked is None:
        if issubclass(due.line, DeckShuffled):
            dice.shuffle(due.player, add=[card.name for zone in _hidden_decks(table, due) for card in zone.cards])
        return due.event()
    if asked.kind == "option":
        return due.event(**dice.choose(asked.options))
    if asked.kind == "order":
        left, order = list(asked.names), []
        while left:
            order.append(dice.choose(left))
            left.remove(order[-1])
        return due.event(**{asked.field: tuple(order)})
    if asked.put_back and asked.put_back_first:
        dice.shuffle(due.player, add=asked.put_back)
    cards = _drawn(table, asked, due.player, dice)
    if asked.put_back and not asked.put_back_first:
        dice.shuffle(due.player, add=asked.put_back)
    return due.event(**{asked.field: cards})


def _hidden_decks(table: Table[Any, Any], due: Due) -> Iterator[Zone]:
    zones = table.zones.values()
    return (zone for zone in zones if zone.role == "deck" and zone.owner == due.player and zone.seen_by == "nobody")


def _drawn(table: Table[Any, Any], asked: Asked, player: str, dice: Dice) -> tuple[str, ...]:
    """Return drawn cards: of two decks some from the open one, and what is missing from it, too."""
    zones = [table.zones[name] for name in asked.zones]
    lying_open = [card.name for zone in zones if zone.seen_by == "all" for card in zone.cards]
    hidden = any(zone.seen_by != "all" for zone in zones)
    if not hidden:
        return tuple(lying_open[: asked.most])
    some = dice.choose(range(asked.most // 2 + 1)) if len(zones) > 1 else 0
    taken = lying_open[:some]
    owner, deck = _real_deck(zones, player, dice)
    drawn = dice.draw(owner, asked.most - len(taken), deck)
    return (*drawn, *lying_open[: asked.most - len(drawn)])


def _real_deck(zones: Sequence[Zone], player: str, dice: Dice) -> tuple[str, str]:
    """Return whose real deck is drawn from and what it is called: the player's own, or that of the whole table."""
    decks = [zone for zone in zones if zone.role == "deck" and zone.owner in {"", player} and zone.seen_by != "all"]
    deck = min(decks, key=lambda zone: zone.owner, default=None)
    if deck is None:
        return player, "deck"
    name = "deck" if deck.owner else deck.name
    dice.lay_out(deck.owner, name, [card.name for card in deck.cards])
    return deck.owner, name
