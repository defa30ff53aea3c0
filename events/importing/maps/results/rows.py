"""What comes out of rows of results: games by result only, and rows that cannot be one, with why."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz, process

from tabletape.events.importing.lines.text import written
from tabletape.events.importing.maps.proposing.leftover import OpenRecord
from tabletape.events.importing.maps.seating import SeatedPlayer
from tabletape.events.importing.quarantine.bad_lines import MIN_SIMILARITY
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.vocabulary.names import slug_of

NOBODY_NAMED: Final = "nothing says who won; write draw where nobody did"
"""Why a row is left over that only lacks who won."""

_NUMBERS: Final = re.compile(r"[\d-]+")


class Row(NamedTuple):
    """A row of a document: its line, its place for people, what stands there, its values by column as they are meant.

    There are no values where somebody has passed it over.
    """

    line: int
    place: str
    stands: Any
    values: Any

    @property
    def raw(self) -> str:
        """What stands there as text, as it can be changed and read back."""
        return written(self.stands) if isinstance(self.stands, Mapping) else str(self.stands)


class RowFault(NamedTuple):
    """The rows of one game that cannot be a result: why, the column where it is wrong if that is known, who played.

    `alike` are the lines and texts of its rows; `scores` are those of the players, where the row has one for each.
    """

    first: Row
    alike: tuple[tuple[int, str], ...]
    reason: str
    column: str = ""
    players: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()

    def entry(self, file: str) -> QuarantinedLine:
        """Return what is put into quarantine."""
        line, raw = self.alike[0]
        return QuarantinedLine(file, line, 0, "no-result", f"{self.first.place}: {self.reason}", "", raw)

    def record(self) -> OpenRecord:
        """Return what of it a person can mend: its first row, with the nearest player for a name that is none.

        Passing it over passes over all its rows.
        """
        values = self.first.values if isinstance(self.first.values, Mapping) else {}
        near = process.extractOne(
            str(values.get(self.column, "")), self.players, scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY
        )
        meant = {**values, self.column: near[0]} if near and near[0] != values[self.column] else None
        record = OpenRecord(*self.alike[0], values, self.alike, self.column, meant)
        if self.reason != NOBODY_NAMED or not self.players:
            return record
        seats = zip_longest(self.players, self.scores, fillvalue="")
        told = ", ".join(" ".join(filter(None, seat)) for seat in seats)
        return record._replace(told=f"{self.first.place}: {told}", winners=self.players)


class GameResult(NamedTuple):
    """One game as its row (or rows) describes it; `number` is its place among all games of the file, from 1."""

    number: int
    line: int
    place: str
    title: str
    edition: str
    id: str
    at: Any
    players: tuple[SeatedPlayer, ...]
    first: str
    fields: Mapping[str, Any]
    note: str
    rows: tuple[Row, ...]
    feedback: tuple[Mapping[str, Any], ...] = ()

    @property
    def game(self) -> str:
        """What the log calls the game that the row names; empty where it names none."""
        return slug_of(self.title)


def new_titles(results: Iterable[GameResult], known: Container[str]) -> dict[str, str]:
    """Return the titles of the games in results that are not `known`, by what the log will call them.

    None where they are numbers, or differ by numbers alone (`Game 1`, `Game 2`): these count the games.
    """
    titles = {each.game: each.title for each in results if each.game and each.game not in known}
    words = {_NUMBERS.sub("", slug) for slug in titles}
    return titles if len(words) == len(titles) and all(map(is_title, titles.values())) else {}


def are_of_other_games(results: Sequence[GameResult], slug: str) -> bool:
    """Return whether results name games, and none of them the one that is called `slug`: they are no versions of it."""
    return bool(new_titles(results, ())) and all(each.game not in {"", slug} for each in results)


def is_title(name: str) -> bool:
    """Return whether what stands for a game in a sheet is a title, and no number of it."""
    return bool(_NUMBERS.sub("", slug_of(name)))
