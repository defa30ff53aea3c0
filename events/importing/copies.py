"""Which copy of a card a line means that names only the card, where its owner has several.

Copies are alike, so the first that is named is the first of the deck list. Afterwards a draw brings the next one, and
any other line means the one that is known, as long as there is only one that it can mean. Where there are more, the log
does not say which: one is taken in the order of the lines, and the game says that it is open from there on.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from events.log_rows import Rows

DRAWN: Final = ".drawn"
"""What the types of events end with that bring cards."""

_NUMBERED: Final = re.compile(r'"([^":]+):([^"#]+)#(\d+)"')


class Copies:
    """The copies of the cards at one table; `open` is what the last line left open, empty where it is plain."""

    def __init__(self) -> None:
        self._listed: Counter[tuple[str, str]] = Counter()
        self._owners: set[str] = set()
        self._named: dict[tuple[str, str], tuple[int, ...]] = {}
        self._told: Counter[tuple[str, str, str]] = Counter()
        self._unseen: set[str] = set()
        self._read = 0
        self.open = ""

    @contextmanager
    def tried(self, *, keep: bool) -> Iterator[None]:
        """Read a line that may not be taken: what it names is forgotten where it raises, or is not kept."""
        before = self._named.copy(), self._told.copy()
        try:
            yield
        except BaseException:
            keep = False
            raise
        finally:
            if not keep:
                self._named, self._told = before
                self.open = ""

    def declare(self, owner: str, cards: Iterable[str]) -> None:
        """Take the deck list of a player."""
        self._owners.add(owner)
        self._listed.update((owner, card) for card in cards)

    def has_list(self, owner: str) -> bool:
        """Return whether a deck list of a player has been taken."""
        return owner in self._owners

    def several(self, owner: str) -> list[str]:
        """Return the cards of which the deck list of a player has more than one copy."""
        return [card for (whose, card), number in self._listed.items() if whose == owner and number > 1]

    def has_several(self, owner: str, card: str) -> bool:
        """Return whether the deck lists of a player have more than one copy of a card."""
        return self._listed[owner, card] > 1

    def draw_unseen(self, owner: str) -> None:
        """Note that a player has drawn cards that nobody named: any copy may be among them."""
        self._unseen.add(owner)

    def note(self, owner: str, card: str, number: int) -> None:
        """Note that a line has named a copy by its number."""
        named = self._named.get((owner, card), ())
        if number not in named:
            self._named[owner, card] = (*named, number)

    def note_all(self, rows: Rows) -> None:
        """Note the copies that the events of a game have named by number; `rows` are those from its beginning."""
        new = rows.behind(self._read)
        for tag, player, body in zip(new.types, new.players, new.bodies, strict=True):
            for owner, card, number in _NUMBERED.findall(body):
                self.note(owner, card, int(number))
            if player and tag.endswith(DRAWN) and '"count":' in body:
                self.draw_unseen(player)
        self._read = len(rows.bodies)

    def name(self, owner: str, card: str, event: str, *, brings: bool) -> str:
        """Return the name of the copy that a line about `event` means; `brings`: the card comes with this line."""
        if not self.has_several(owner, card):
            return f"{owner}:{card}"
        listed, named = self._listed[owner, card], self._named.get((owner, card), ())
        if not named or (brings and len(named) < listed):
            number = next(each for each in range(1, listed + 1) if each not in named)
        elif len(named) == 1 and not brings and owner not in self._unseen:
            number = named[0]
        else:
            number = self._next(owner, card, event, listed)
        self.note(owner, card, number)
        return f"{owner}:{card}#{number}"

    def _next(self, owner: str, card: str, event: str, listed: int) -> int:
        """Return the copy whose turn it is for an event, and say that the log leaves it open."""
        self._told[owner, card, event] += 1
        self.open = f"which of the {listed} copies of {card} is meant is not written"
        return (self._told[owner, card, event] - 1) % listed + 1
