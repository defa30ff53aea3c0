"""Which copy of a card a line means that names only the card, where its owner has several.

Copies are alike, so the first that is named is the first of the deck list. Afterwards a draw brings the next one, and
any other line means the one that is known, as long as there is only one that it can mean. Where there are more, the log
does not say which: one is taken in the order of the lines, and the game says that it is open from there on. What the
game makes is numbered in the order in which it comes; where no line says that it came, a second use may mean another.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from tabletape.events.log.rows import EventRows

DRAW_ENDING: Final = ".drawn"
"""What the types of events end with that bring cards."""

NUMBER_IT: Final = "write its number behind it: #1, #2 …"
NAME_THE_OWNER: Final = "write whose it is in front of it, as in Ann: Reed Heron"

_NUMBERED_COPY: Final = re.compile(r'"([^":]+):([^"#]+)#(\d+)"')


class Copies:
    """The copies of the cards at one table; `open` is what the last line left open, empty where it is plain."""

    def __init__(self, made: frozenset[str] = frozenset()) -> None:
        """Know the cards that come into being in the game."""
        self._made = made
        self._supposed: set[tuple[str, str]] = set()
        self._listed: dict[str, Counter[str]] = {}
        self._named: dict[tuple[str, str], tuple[int, ...]] = {}
        self._counted: Counter[tuple[str, str, str]] = Counter()
        self._unseen: set[str] = set()
        self._read = 0
        self.open = ""
        self.way_out = NUMBER_IT

    @contextmanager
    def tried(self, *, keep: bool) -> Iterator[None]:
        """Read a line that may not be taken: what it names is forgotten where it raises, or is not kept."""
        before = self._named.copy(), self._counted.copy(), self._supposed.copy()
        try:
            yield
        except BaseException:
            keep = False
            raise
        finally:
            if not keep:
                self._named, self._counted, self._supposed = before
                self.open = ""

    def declare(self, owner: str, cards: Iterable[str]) -> None:
        """Take the deck list of a player: its cards, or how often each of them is in it."""
        self._listed.setdefault(owner, Counter()).update(cards)

    def has_list(self, owner: str) -> bool:
        """Return whether a deck list of a player has been taken."""
        return owner in self._listed

    def several(self, owner: str) -> list[str]:
        """Return the cards of which a player may have more than one copy, by the deck list as far as it is known."""
        return [*(card for card, number in self._listed.get(owner, {}).items() if number > 1), *self._made]

    def has_several(self, owner: str, card: str) -> bool:
        """Return whether the copies of a card of a player have numbers: of those in deck lists, of those made."""
        return self._in_list(owner, card) > 1 or card in self._made

    def is_made(self, card: str) -> bool:
        """Return whether a card comes into being in the game."""
        return card in self._made

    def owners(self, card: str) -> list[str]:
        """Return the players who have a card in their deck lists, or of whom a line has named a copy that was made."""
        listed = (whose for whose, cards in self._listed.items() if card in cards)
        return [*dict.fromkeys((*listed, *(whose for whose, name in self._named if name == card)))]

    def leave_owner_open(self, card: str) -> None:
        """Note that the line does not say whose card it means."""
        self.open, self.way_out = f"whose {card} is meant is not written", NAME_THE_OWNER

    def draw_unseen(self, owner: str) -> None:
        """Note that a player has drawn cards that nobody named: any copy may be among them."""
        self._unseen.add(owner)

    def note(self, owner: str, card: str, number: int) -> None:
        """Note that a line has named a copy by its number."""
        named = self._named.get((owner, card), ())
        if number not in named:
            self._named[owner, card] = (*named, number)

    def note_all(self, rows: EventRows) -> None:
        """Note the copies that the events of a game have named by number; `rows` are those from its beginning."""
        new = rows.behind(self._read)
        for tag, player, body in zip(new.types, new.players, new.bodies, strict=True):
            for owner, card, number in _NUMBERED_COPY.findall(body):
                self.note(owner, card, int(number))
            if player and tag.endswith(DRAW_ENDING) and '"count":' in body:
                self.draw_unseen(player)
        self._read = len(rows.bodies)

    def name(self, owner: str, card: str, event: str, *, brings: bool) -> str:
        """Return the name of the copy that a line about `event` means.

        `brings`: the card comes with this line: out of a deck, or into being where the game makes it.
        """
        if not self.has_several(owner, card):
            return f"{owner}:{card}"
        if card in self._made:
            number = self._made_number(owner, card, event, comes=brings)
        else:
            number = self._listed_number(owner, card, event, brings=brings)
        self.note(owner, card, number)
        return f"{owner}:{card}#{number}"

    def _in_list(self, owner: str, card: str) -> int:
        return self._listed[owner][card] if owner in self._listed else 0

    def _listed_number(self, owner: str, card: str, event: str, *, brings: bool) -> int:
        listed, named = self._in_list(owner, card), self._named.get((owner, card), ())
        if not named or (brings and len(named) < listed):
            return next(each for each in range(1, listed + 1) if each not in named)
        if len(named) == 1 and not brings and owner not in self._unseen:
            return named[0]
        return self._next(owner, card, event, listed)

    def _made_number(self, owner: str, card: str, event: str, *, comes: bool) -> int:
        named = self._named.get((owner, card), ())
        if comes:
            self._supposed.discard((owner, card))
            return max(named, default=0) + 1
        if not named:
            self._supposed.add((owner, card))
            return 1
        if len(named) == 1 and (owner, card) not in self._supposed:
            return named[0]
        return self._next(owner, card, event, len(named))

    def _next(self, owner: str, card: str, event: str, copies: int) -> int:
        """Return the copy whose turn it is for an event, and say that the log leaves it open."""
        self._counted[owner, card, event] += 1
        self.way_out = NUMBER_IT
        self.open = f"which of the {copies} copies of {card} is meant is not written"
        if copies == 1:
            self.open = f"whether another copy of {card} has come into being is not written"
        return (self._counted[owner, card, event] - 1) % copies + 1
