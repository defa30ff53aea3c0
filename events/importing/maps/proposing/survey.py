"""What a file of another program looks like, as it is surveyed, and the answers to what it leaves open."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class Survey(NamedTuple):
    """What a file looks like: its lines with their numbers, its players, the keys of its map beside them.

    Of a document whose rows say the player beside the text, the lines begin with the player; of results, which need no
    lines, there are none. `spoken`: the players say themselves what they do (`Ann: plays a card`).
    `open_day` is a day of which nothing says whether the month stands first; `with_days` takes the answer. `guessed`
    are columns of numbers of which only the headings say that they are players, names of whom no more is told than what
    one player does, too, or the only name. `open_start` is the sentence of headings that may begin games, or stand
    within one; `with_start` takes the answer. `columns` are the other cells of the lines of a sheet, by the hole that
    they fill, `games` what results say was played. With `open_rows` nothing says whether each row of them is a game or
    a part of one; `left_out` says why a column of theirs is not read that might be.
    """

    lines: tuple[tuple[int, str], ...] = ()
    players: tuple[str, ...] = ()
    head: Mapping[str, Any] = {}
    spoken: bool = False
    open_day: str = ""
    guessed: tuple[str, ...] = ()
    open_start: str = ""
    columns: Mapping[str, Mapping[int, str]] = {}
    games: tuple[str, ...] = ()
    open_rows: bool = False
    left_out: str = ""

    @property
    def read_as(self) -> Mapping[str, Any]:
        """How results are read: by which columns, and what of the file has to be known for that."""
        before = ("encoding", "turned", "heading_row", "dates")
        return {**{name: self.head[name] for name in before if name in self.head}, **self.head.get("columns", {})}

    @property
    def lines_in_words(self) -> str:
        """How many lines there are; those of a text that is told in paragraphs are its sentences."""
        many = f"{len(self.lines)} {{}}{'s' * (len(self.lines) != 1)}"
        return f"{many.format('sentence')} (each is a line here)" if self.head.get("prose") else many.format("line")

    @property
    def is_open(self) -> bool:
        """Whether a row says won or lost, and nothing says that all who played do so together."""
        columns = self.head.get("columns", {})
        return "won" in columns and "players" in columns


def with_days(seen: Survey, first: str) -> Survey:
    """Return what a file looks like where the days are known to begin with the `day` or the `month`."""
    year = "%y" if len(re.split("[/-]", seen.open_day)[-1]) == 2 else "%Y"
    sign = "-" if "-" in seen.open_day else "/"
    form = sign.join(("%d", "%m", year) if first == "day" else ("%m", "%d", year))
    return seen._replace(head={**seen.head, "dates": form}, open_day="")


def with_start(seen: Survey, start: str) -> Survey:
    """Return what a file looks like where each line of the sentence `start` is known to begin a game."""
    return seen._replace(head={**seen.head, "starts": start, "id": "{file}-{n}"}, open_start="")
