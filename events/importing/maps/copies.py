"""Which copy of a card a line means that names only the card, where its owner has several.

Copies are alike, so the first that is named is the first of the deck list. Afterwards a draw brings the next one, and
any other line means the one that is known, as long as there is only one that it can mean. Where there are more, the log
does not say which: one is taken in the order of the lines, and the game says that it is open from there on.
"""

from collections import Counter
from collections.abc import Iterable


class Copies:
    """The copies of the cards at one table; `open` is what the last line left open, empty where it is plain."""

    def __init__(self) -> None:
        self._listed: Counter[tuple[str, str]] = Counter()
        self._named: Counter[tuple[str, str]] = Counter()
        self._told: Counter[tuple[str, str, str]] = Counter()
        self._unseen: set[str] = set()
        self.open = ""

    def declare(self, owner: str, cards: Iterable[str]) -> None:
        """Take the deck list of a player."""
        self._listed.update((owner, card) for card in cards)

    def draw_unseen(self, owner: str) -> None:
        """Note that a player has drawn cards that nobody named: any copy may be among them."""
        self._unseen.add(owner)

    def name(self, owner: str, card: str, event: str, *, brings: bool) -> str:
        """Return the name of the copy that a line about `event` means; `brings`: the card comes with this line."""
        listed = self._listed[owner, card]
        if listed < 2:
            return f"{owner}:{card}"
        named = self._named[owner, card]
        if not named or (brings and named < listed):
            self._named[owner, card] = number = named + 1
        elif named == 1 and not brings and owner not in self._unseen:
            number = 1
        else:
            number = self._next(owner, card, event, listed)
        return f"{owner}:{card}#{number}"

    def _next(self, owner: str, card: str, event: str, listed: int) -> int:
        """Return the copy whose turn it is for an event, and say that the log leaves it open."""
        self._told[owner, card, event] += 1
        self.open = f"which of the {listed} copies of {card} is meant is not written"
        number = (self._told[owner, card, event] - 1) % listed + 1
        self._named[owner, card] = max(self._named[owner, card], number)
        return number
