"""A seeded die: what luck decides in a simulated game, the same for the same seed."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from tabletape.projector.model.dice import Dice


class SeededDice(Dice):
    """Holds the real order of the decks, by player and name of the deck; the last card of a list is the top one."""

    def __init__(self, seed: str) -> None:
        # A game at the kitchen table, not a secret: the point is that the same seed gives the same game.
        self._random = Random(seed)  # noqa: S311 - see above
        self._decks: dict[tuple[str, str], list[str]] = {}

    def draw(self, player: str, count: int, deck: str = "deck") -> tuple[str, ...]:
        """Take the top cards of a player's real deck, as many as there are."""
        cards = self._deck(player, deck)
        return tuple(cards.pop() for _ in range(min(count, len(cards))))

    def shuffle(self, player: str, deck: str = "deck", add: Iterable[str] = ()) -> None:
        """Shuffle a player's real deck, with the cards of `add` that are not in it yet."""
        cards = self._deck(player, deck)
        inside = set(cards)
        cards.extend(card for card in add if card not in inside)
        self._random.shuffle(cards)

    def lay_out(self, player: str, deck: str, names: Iterable[str]) -> None:
        """Shuffle the cards of a deck of a player, or of the whole table; nothing happens where it is known."""
        if not self._deck(player, deck):
            self.shuffle(player, deck, add=names)

    def remove(self, player: str, name: str, deck: str = "deck") -> None:
        """Take a named card out of a player's real deck; nothing happens where it is not in it."""
        cards = self._deck(player, deck)
        if name in cards:
            cards.remove(name)

    def put_under(self, player: str, names: Iterable[str], deck: str = "deck") -> None:
        """Lay cards under a player's real deck."""
        cards = self._deck(player, deck)
        cards[:0] = names

    def choose(self, options: Sequence[Any]) -> Any:
        """Return one of several options, each as likely."""
        return self._random.choice(options)

    def sample(self, options: Sequence[Any], count: int) -> list[Any]:
        """Return `count` options in a random order; each once as long as there are enough."""
        drawn = self._random.sample(options, min(count, len(options)))
        return drawn + [self.choose(options) for _ in range(count - len(drawn))]

    def _deck(self, player: str, deck: str) -> list[str]:
        return self._decks.setdefault((player, deck), [])
