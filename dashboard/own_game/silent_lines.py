"""Lines of a chat that name a card and what it brings, and say no move: `Ann: Fox, +2 coins`, `Ben: Owl -1`."""

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.kinds import OFTEN
from tabletape.events.importing.maps.counted import plurals_of

_AMOUNTS: Final = r"(?P<amounts>(?:[,;:]? *\(?[+\-\u2212\u2013] ?\d{1,3}(?: [^\W\d_]+)?\)?)+)[ .!]*"
"""What comes of a card: `, +2 coins`, ` -1`."""


class SilentLine(NamedTuple):
    """A line that says no move: its number, who says it, the words of its card, what comes of that."""

    number: int
    who: str
    card: str
    amounts: str

    @property
    def shown(self) -> str:
        """The line, nearly as it stands."""
        return f"{self.number}  {self.who}: {self.card}{self.amounts}"


def silent_lines(said: Iterable[tuple[int, str, str]], cards: Collection[str]) -> tuple[SilentLine, ...]:
    """Return which messages, each with its line and who says it, are a card and an amount; none where these are few."""
    names = {form for card in cards for form in (card, *plurals_of(card))}
    named = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or r"(?!)"
    silent = re.compile(rf"(?:(?:an?|the|my) )?(?P<card>(?:{named})(?: \d{{1,2}})?){_AMOUNTS}", re.IGNORECASE)
    read = ((number, who, silent.fullmatch(message)) for number, who, message in said)
    found = tuple(SilentLine(number, who, match["card"], match["amounts"]) for number, who, match in read if match)
    return found if len(found) >= OFTEN and len({each.who for each in found}) > 1 else ()
