"""Results: a sheet or document in which a game is a row, or a row for each player, becomes games by result only."""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.lines.text import MendsOfFile
from tabletape.events.importing.maps.documents.paths import PathDocument
from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.fates import NOT_READ_FATE, LineFate
from tabletape.events.importing.maps.results.columns import (
    NOBODY_MARKED,
    TOO_LONG,
    Cells,
    ResultFault,
    column_fates,
    columns_read,
    first_path,
    is_draw,
    is_draw_marked,
    meant_in,
    paths,
    score_in,
)
from tabletape.events.importing.maps.results.ratings import answered_together, feedback_in, said_by_each
from tabletape.events.importing.maps.results.rows import NOBODY_NAMED, GameResult, Row, RowFault
from tabletape.events.importing.maps.results.scores import agreeing, best_of, called_scores, others
from tabletape.events.importing.maps.results.sheet_rows import SheetRows
from tabletape.events.importing.maps.schema import AnyColumn, Column, Columns, MapFile
from tabletape.events.importing.maps.seating import SeatedPlayer
from tabletape.events.importing.maps.values.captured import Names, ValueFault, minutes, number
from tabletape.events.vocabulary.names import slug_of

PLAYER, SCORE = "(player)", "(score)"
"""Columns of what stands in a column that is called like a player."""

MAX_ROWS_NAMED: Final = 5
"""How many rows are named that are worth knowing."""

SAMPLE: Final = 50
"""How many rows show whether a map fits a document."""


class ResultsReader:
    """Reads the games of a document by the columns of a map."""

    def __init__(
        self,
        document: PathDocument,
        written: MapFile,
        mends: MendsOfFile = MappingProxyType({}),
        effort: Effort | None = None,
    ) -> None:
        """Read a document; of its rows those in `mends` are read as they were mended; `effort` is that of the file."""
        self._effort = effort or Effort()
        self._cells = Cells(document, self._effort)
        self._document = document
        self._written = written
        self._mends = mends
        self._columns = written.columns or Columns()
        self.faults: list[RowFault] = []
        self.left_out = 0
        self.several: list[str] = []
        self.miscounted: list[str] = []
        self.unsaid: list[str] = []
        self.again: list[str] = []
        self.against: list[str] = []
        self._own_scores: dict[str, list[str]] = {}
        read = columns_read(self._columns)
        self._sorted = SheetRows(self._columns.fill_down, self._columns.example, read, only_sums=self._columns.sums)

    def fit(self) -> float:
        """Return how well the map fits: 0 where a column is missing without which there is no result."""
        columns = self._columns
        # A sheet with nothing but the example is one of this map too.
        placed = SheetRows(columns.fill_down, only_sums=columns.sums).games(self._document.rows(self._written.rows))
        rows = [row for _, _, row in islice(placed, SAMPLE)]
        needed = [*paths(columns.players), *paths([*columns.sides]), *paths(columns.winner)]
        needed += [columns.group, *columns.score_of]
        inner = [*paths(columns.player)[:1], *paths(columns.won)]
        seats = rows
        if columns.each:
            listed = [self._document.get(row, columns.each) for row in rows]
            seats = [seat for each in listed if isinstance(each, list) for seat in each]
            # Plays of which nobody wrote down who played are still plays of this program.
            needed += [] if seats else [*paths(columns.id), *paths(columns.game), *paths(columns.date)]
        else:
            needed += inner
        is_told = self._have(seats, inner) if seats else len(needed) > 3
        if not rows or not self._have(rows, needed) or not is_told:
            return 0.0
        every = columns_read(columns)
        existing = [path for path in every if self._have([*rows, *seats], [path])]
        if columns.example and len(existing) < len(every) and others(self._cells, columns, rows):
            return 0.0  # A sheet of somebody's own, with more in it than that of the template has.
        return 0.5 + 0.5 * len(existing) / len(every)

    def _have(self, rows: list[Any], paths: list[str]) -> bool:
        """Return whether each path leads somewhere in one of the rows."""
        return all(any(self._document.get(row, path) is not None for row in rows) for path in paths if path)

    def games(self) -> Iterator[GameResult]:
        """Return every game; rows that cannot be one are in `faults`."""
        for nth, group in enumerate(self._grouped(), 1):
            rows = [row for row in group if row.values is not None]
            if rows and self._cells.is_marked(rows[0].values, self._columns.left_out):
                self.left_out += 1
                continue
            try:
                if rows:
                    yield self._game(nth, rows)
            except (ResultFault, ValueFault) as fault:
                self.leave(rows, str(fault), fault.column if isinstance(fault, ResultFault) else "")
            except EffortError:
                self.leave(rows, TOO_LONG)

    def leave(self, rows: Sequence[Row], reason: str, column: str = "") -> None:
        """Leave the rows of a game out."""
        players, scores, row = list[str](), list[str](), rows[0].values
        with contextlib.suppress(EffortError, ResultFault):
            players = self._cells.values(row, self._columns.players)
            scores = self._cells.for_each(row, self._columns.scores, self._columns, players)
        alike = tuple((row.line, row.raw) for row in rows)
        self.faults.append(RowFault(rows[0], alike, reason, column, tuple(players), tuple(scores)))

    def _grouped(self) -> Iterator[list[Row]]:
        """Return the rows that make one game, in the order of their first rows."""
        group, together = self._columns.group, dict[str, list[Row]]()
        if self._columns.by and not group:
            yield from answered_together(self._rows(), self._columns, self._cells, self.again)
            return
        for row in self._rows():
            if group:
                together.setdefault(str(self._document.get(row.values or row.stands, group)), []).append(row)
            else:
                yield [row]
        yield from together.values()

    def _rows(self) -> Iterator[Row]:
        """Return the rows as they are, or as somebody has mended them."""
        for line, place, stands in self._sorted.games(self._document.rows(self._written.rows)):
            self._effort.begin_line(2)  # A row has a dozen columns.
            row = Row(line, place, stands, stands)
            yield row._replace(values=self._mends.get((line, row.raw), stands)) if self._mends else row

    def fates(self) -> list[LineFate]:
        """Return what becomes of each sheet, kind of row and column, by its rows; complete as `passed_over` is."""
        kinds = [*self._sorted.sheets, *self._sorted.others.values()]
        return kinds + column_fates(self._columns, self._sorted.columns, self._own_scores)

    def passed_over(self) -> Iterator[str]:
        """Return what was passed over, or counts otherwise than one might think; complete when all games were read."""
        yield from self._sorted.passed_over()
        seen = self._sorted.columns if self._document.is_sheet else {}
        columns = column_fates(self._columns, seen, self._own_scores)
        unread = [kind.sentence for kind in columns if kind.fate == NOT_READ_FATE]
        if unread:
            yield f"{'1 column' if len(unread) == 1 else f'{len(unread)} columns'} not read: {', '.join(unread)}"
        if self.left_out:
            yield f"{self.left_out} game{'s' * (self.left_out > 1)} passed over: the file says that they do not count"
        for words, rows in (
            ("stands for several games and is counted once", self.several),
            ("left out, because there is not one for each player", self.miscounted),
            ("scores left out, because who won has neither the most nor the fewest", self.against),
            ("answered again, so it is taken for another game", self.again),
            ("not taken of what players say", self.unsaid),
        ):
            if rows:
                yield f"{words}: {', '.join(rows[:MAX_ROWS_NAMED])}"

    def _game(self, nth: int, rows: Sequence[Row]) -> GameResult:
        columns, row = self._columns, rows[0].values
        seats = self._nested(row, [each.values for each in rows])
        players = self._players(row, seats)
        self._count_for_players(rows[0].place, row, seats, [each.name for each in players])
        names = Names({player.name: player.id for player in players}, None, self._written.values)
        by_player = self._by_player(row, seats, players)
        winners = self._winners(row, seats, names, by_player)
        called = called_scores(self._cells, row, players) if self._document.is_sheet else {}
        if called and "scores" not in by_player:
            self._own_scores |= {heading: ["score"] for heading in called}
            told = agreeing(dict(called.values()), winners)
            by_player |= told
            self.against += [] if told else [rows[0].place]
        fields: dict[str, Any] = {"winners": winners}
        if self._cells.one(row, columns.times) not in {"", "1"}:
            self.several.append(f"{rows[0].place} ({self._cells.one(row, columns.times)})")
        for name in ("rounds", "turns"):
            if text := self._cells.one(row, getattr(columns, name)):
                fields[name] = int(meant_in(number, text, getattr(columns, name)))
        if text := self._cells.one(row, columns.minutes):
            fields["minutes"] = meant_in(minutes, text, columns.minutes)
        if text := self._cells.one(row, columns.reason):
            fields["reason"] = text
        if self._is_together(row, seats):
            fields["cooperative"] = True
        fields |= by_player
        if "cooperative" in fields:
            fields |= self._of_the_table(row, fields.pop("scores", {}))
        return GameResult(
            number=nth,
            line=rows[0].line,
            place=rows[0].place,
            title=self._cells.one(row, columns.game),
            edition=self._cells.one(row, columns.edition),
            id=self._cells.one(row, columns.id),
            at=self._at(row),
            players=players,
            first=self._first(row, seats, names),
            fields=fields,
            note="" if self._is_draw(row) and not fields["winners"] else self._cells.one(row, columns.note),
            rows=tuple(rows),
            feedback=self._feedback(rows, players),
        )

    def _feedback(self, rows: Sequence[Row], players: tuple[SeatedPlayer, ...]) -> tuple[dict[str, Any], ...]:
        """Return what players say of a game; what of it cannot be taken is noted."""
        answers = [*feedback_in(self._cells, [row.values for row in rows], self._columns, players)]
        self.unsaid += [f"{rows[0].place} ({wrong})" for _, wrong in answers if wrong]
        return tuple(said for said, _ in answers if said)

    def _count_for_players(self, place: str, row: Any, seats: list[Any], names: Sequence[str]) -> None:
        """Note scores and decks of a row that cannot be told apart: there are more or fewer of them than players."""
        listed = {} if seats else {"score": self._columns.scores, "deck": self._columns.decks}
        if self._is_together(row, seats) and len(self._cells.values(row, self._columns.scores)) == 1:
            listed.pop("score", None)
        listed |= {f"{name} mark": column for name, column in said_by_each(self._columns).items()}
        for name, column in listed.items():
            read = self._cells.marks if name.endswith(" mark") else self._cells.for_each
            if (values := len(self._cells.values(row, column))) and not read(row, column, self._columns, names):
                self.miscounted.append(f"{place} ({values} {name}{'s' * (values != 1)} for {len(names)} players)")

    def _at(self, row: Any) -> Any:
        """Return the date as it stands there: a sheet's date, or a text."""
        column = self._columns.date
        if isinstance(column, list):
            column = next((each for each in column if self._cells.one(row, each)), "")
        path = column.column if isinstance(column, Column) else column if isinstance(column, str) else ""
        cell = self._document.get(row, path) if path else None
        return cell if isinstance(cell, datetime) else self._cells.one(row, column)

    def _nested(self, row: Any, rows: list[Any]) -> list[Any]:
        """Return what describes each player: several rows, the list or the scores within a row, or nothing."""
        if self._columns.score_of:
            scores = [(name, score) for name in self._columns.score_of for score in self._cells.names(row, name)]
            if unread := next((pair for pair in scores if score_in(pair[1]) is None), None):
                raise ResultFault(f"`{unread[1]}` is no score of {unread[0]}", unread[0])
            return [{PLAYER: name, SCORE: score} for name, score in scores]
        if self._columns.each:
            value = self._document.get(row, self._columns.each)
            self._effort.begin_line(min(len(value), len(SEATS)) if isinstance(value, list) else 0)
            return value if isinstance(value, list) else []
        return rows if self._columns.group else []

    def _players(self, row: Any, seats: list[Any]) -> tuple[SeatedPlayer, ...]:
        columns = self._columns
        if seats:
            name = PLAYER if columns.score_of else columns.player
            named = [(self._cells.one(each, name), self._cells.one(each, columns.deck)) for each in seats]
        else:
            # Where both winner and loser are a draw, nobody is named.
            sides = self._cells.sides(row, columns)
            names = [name for name, _ in sides] or self._cells.names(row, columns.players)
            names = [] if all(map(is_draw, names)) else names
            decks = self._cells.for_each(row, columns.decks, columns, names) or [""] * len(names)
            named = [*zip(names, decks, strict=True)]
            if sides and len({side for _, side in sides}) < 2:
                raise ResultFault("fewer than two teams are said to have played", first_path([*columns.sides]))
        if not all(name for name, _ in named):
            raise ResultFault("nothing says who one of the players is", first_path(columns.player))
        if not named or len(named) > len(SEATS):
            wrong = "nobody is said to have played" if not named else f"{len(named)} players are too many"
            raise ResultFault(wrong, first_path(columns.players))
        names = [name for name, _ in named]
        # Two guests of the same name are two players.
        unique = [
            name if names.count(name) == 1 else f"{name} {names[: place + 1].count(name)}"
            for place, name in enumerate(names)
        ]
        return tuple(
            SeatedPlayer(SEATS[seat], name, deck)
            for seat, (name, (_, deck)) in enumerate(zip(unique, named, strict=True))
        )

    def _winners(self, row: Any, seats: list[Any], names: Names, by_player: dict[str, Any]) -> list[str]:
        if self._columns.best and not self._cells.values(row, self._columns.winner):
            return best_of(by_player.get("scores", {}), names, self._columns)
        if seats and not self._columns.winner:
            return self._marked(row, seats, names)
        if not self._columns.winner:
            if not self._columns.won:
                raise ResultFault("nothing says who won")
            return [*names.players.values()] if self._cells.won_together(row, self._columns) else []
        texts = self._cells.values(row, self._columns.winner)
        if not texts:
            raise ResultFault(NOBODY_NAMED, first_path(self._columns.winner))
        # Somebody may be called so; `0,5` and `1/2` are no two names.
        whole = [self._cells.whole(row, self._columns.winner)]
        if whole[0] in names.players:
            return [names.player(whole[0])]
        if any(all(is_draw(each) and each not in names.players for each in listed) for listed in (whole, texts)):
            return []
        return [player for each in texts for player in self._called(each, names, by_player.get("teams", {}))]

    def _called(self, text: str, names: Names, teams: dict[str, str]) -> list[str]:
        """Return the players whom the name of a winner means: one, or all of a team."""
        said = text.casefold()
        called = {team for team in teams.values() if team.casefold() == said}
        called = called or {team for team in teams.values() if team.casefold().split()[-1] == said}
        if len(called) == 1:
            return [player for player, team in teams.items() if team in called]
        return [meant_in(names.player, text, self._columns.winner)]

    def _marked(self, row: Any, seats: list[Any], names: Names) -> list[str]:
        """Return which of the players are marked as winners. Raises `ResultFault` where nobody can tell who won."""
        marks = [self._cells.is_marked(each, self._columns.won) for each in seats]
        together = self._is_together(row, seats)
        if together and (any(marks) or None not in marks):
            return [*names.players.values()] if any(marks) else []
        texts = [text for each in seats if (text := self._cells.one(each, self._columns.won))]
        if texts and all(map(is_draw, texts)) and not any(marks):
            return []
        scores = [text for each in seats if (text := self._cells.one(each, self._columns.score))]
        if len({*scores}) > 1 and not any(marks):
            unmarked = "nobody is marked as the winner, and the scores differ"
            raise ResultFault(unmarked, first_path(self._columns.won))
        if not any(each is not None for each in marks):
            raise ResultFault("nothing says who won", first_path(self._columns.won))
        scored = len(scores) == len(seats) and not together
        if len(seats) > 1 and not any(marks) and not (scored or self._is_draw(row)):
            raise ResultFault(NOBODY_MARKED, first_path(self._columns.draw or self._columns.won))
        return [player for player, won in zip(names.players.values(), marks, strict=True) if won]

    def _is_draw(self, row: Any) -> bool:
        """Return whether a row says that it was a draw."""
        return is_draw_marked(self._cells.whole(row, self._columns.draw)) if self._columns.draw else False

    def _is_together(self, row: Any, seats: list[Any]) -> bool:
        """Return whether a row says that all won or lost together; some of whom are marked and some not did not."""
        columns = self._columns
        if columns.won and {True, False} <= {self._cells.is_marked(each, columns.won) for each in seats}:
            return False
        alone = columns.won and not (
            columns.each or columns.group or columns.score_of or columns.winner or columns.best
        )
        return bool(alone or (columns.cooperative and self._cells.is_marked(row, columns.cooperative)))

    def _first(self, row: Any, seats: list[Any], names: Names) -> str:
        """Return the id of who began; empty where nothing says so."""
        if seats and not self._columns.first_player:
            began = [self._cells.is_marked(each, self._columns.first) for each in seats]
            marked = [player for player, is_first in zip(names.players.values(), began, strict=True) if is_first]
            return marked[0] if len(marked) == 1 else ""
        text = self._cells.one(row, self._columns.first_player)
        return meant_in(names.player, text, self._columns.first_player) if text else ""

    def _by_player(self, row: Any, seats: list[Any], players: tuple[SeatedPlayer, ...]) -> dict[str, Any]:
        columns = self._columns
        by_player: dict[str, Any] = {}
        if seats:
            score = SCORE if columns.score_of else columns.score
            scores = {p.id: self._cells.one(each, score) for p, each in zip(players, seats, strict=True)}
            cards = {p.id: self._cells.values(each, columns.cards) for p, each in zip(players, seats, strict=True)}
            self._effort.take(2 * sum(map(len, cards.values())))
            places = {p.id: self._cells.one(each, columns.place) for p, each in zip(players, seats, strict=True)}
            teams = {p.id: self._cells.one(each, columns.team) for p, each in zip(players, seats, strict=True)}
            by_player["cards"] = {player: [slug_of(card) for card in each] for player, each in cards.items() if each}
        else:
            scores, places = self._listed(row, columns.scores, players), self._listed(row, columns.places, players)
            if columns.ranked:
                places = {player.id: str(place) for place, player in enumerate(players, 1)}
            teams = self._listed(row, columns.teams, players)
            if columns.sides:
                sides = self._cells.sides(row, columns)
                teams = {player.id: side for player, (_, side) in zip(players, sides, strict=True)}
        by_player["scores"] = {p: total for p, text in scores.items() if (total := score_in(text)) is not None}
        ranks = {p: int(place) for p, text in places.items() if (place := score_in(text)) is not None and place >= 1}
        by_player["places"] = ranks if len(ranks) == len(players) else {}
        # A team of which nobody knows who is in it is none; the same for all would be no team either.
        counts = self._cells.is_marked(row, columns.in_teams) is not False
        by_player["teams"] = teams if counts and all(teams.values()) and len({*teams.values()}) > 1 else {}
        return {name: each for name, each in by_player.items() if each}

    def _of_the_table(self, row: Any, scores: dict[str, Any]) -> dict[str, Any]:
        """Return the points of all together, which each player has or nobody; else the points of each."""
        texts = self._cells.values(row, self._columns.scores)
        alone = score_in(texts[0]) if len(texts) == 1 else None
        if alone is not None or len({*scores.values()}) == 1:
            return {"score": alone if alone is not None else next(iter(scores.values()))}
        return {"scores": scores} if scores else {}

    def _listed(self, row: Any, column: AnyColumn, players: tuple[SeatedPlayer, ...]) -> dict[str, str]:
        """Return what stands in a column for each player; nothing where it is not one for each."""
        texts = self._cells.for_each(row, column, self._columns, players)
        return {player.id: text for player, text in zip(players, texts, strict=False)}
