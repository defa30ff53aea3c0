"""The log: every playtest as append-only events in a database, SQLite by default, PostgreSQL by URL.

with Log.open("tabletape.db") as log:
    for game in log.games(game="splicers"):
        print(game.game_id, len(log.events(game)))
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import sqlalchemy as sa

from tabletape.events.log import files as log_files
from tabletape.events.log.appending import Appender, Wanted
from tabletape.events.log.bodies import Bodies, batches_of, events_of
from tabletape.events.log.game_source import Opener
from tabletape.events.log.games import GAMES, OVER, game_of, hint_at
from tabletape.events.log.heads import Head, recorded_since
from tabletape.events.log.rows import Arrival, CardTexts, QuarantinedLine, RawFile, Recording, StoredEvent, StoredGame
from tabletape.events.log.schema import (
    DEFAULT_FILE,
    UNVERSIONED_SCHEMA,
    WAIT,
    LogError,
    address,
    begin_log,
    connect,
    file_of,
    migrate,
    plainly,
    refuse_schema,
    require_file,
    schema_of,
)
from tabletape.events.log.tables import EVENT, GAME, HEAD, SCHEMA, mark_of
from tabletape.events.log.writing import LogWriter, tails_of
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.open_games import look_in


class UnknownGameIdError(LogError):
    """No game of the log has that id; the message names the nearest one."""


class Log:
    """An open log. Use it as a context manager, or close it."""

    def __init__(self, url: sa.URL, engine: sa.Engine) -> None:
        self.url = url
        self._engine = engine
        self._appender = Appender(self.writing)
        self._card_files: dict[int, str] = {}
        self._changed: Mapping[int, Mapping[int, str]] | None = None

    @classmethod
    def open(
        cls, url: str | Path = DEFAULT_FILE, *, create: bool = False, wait: float = WAIT, damaged: bool = False
    ) -> Self:
        """Open the log at a file name or a database URL; `create` makes it where there is none.

        Who writes waits for other writers for `wait` seconds. `damaged` opens also what does not say its version.

        Raises `NoLogError` where there is none, `SchemaError` where its schema is older (naming the command that
        upgrades it), newer or of something else, `LogError` where the database cannot be reached.
        """
        place = address(url)
        if not create:
            require_file(place)
        log = cls(place, connect(place, wait))
        try:
            look_in(log.workspace)
            log._require_schema(create=create, damaged=damaged)
        except BaseException:
            log.close()
            raise
        return log

    def _require_schema(self, *, create: bool, damaged: bool) -> None:
        with self.reading() as connection:
            schema = schema_of(connection)
        if schema == SCHEMA or (damaged and schema == UNVERSIONED_SCHEMA):
            return
        if schema:
            refuse_schema(schema, self.url)
        if not create:
            raise LogError(f"{self} is empty: `tabletape import` begins a log in it")
        with plainly(self.url), self._engine.execution_options(writing=True).begin() as connection:
            if connection.dialect.name == "sqlite" and not schema_of(connection):
                begin_log(connection)
            else:  # Somebody else may have begun it meanwhile.
                migrate(connection, self.url)

    @property
    def workspace(self) -> Path:
        """The folder that the log, a designer's own cards and the datasets share: that of its file, or where we are."""
        file = file_of(self.url)
        return Path.cwd() if file is None else file.absolute().parent

    def opener(self) -> Opener | None:
        """Return what opens the same log in another process; None for a log in the memory of this one."""
        if self.url.get_backend_name() == "sqlite" and file_of(self.url) is None:
            return None
        return Opener(Log.open, (self.url.render_as_string(hide_password=False),))

    def close(self) -> None:
        """Release the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __str__(self) -> str:
        return str(file_of(self.url) or self.url.render_as_string(hide_password=True))

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Return a connection for reading, whose view of the log stands still."""
        with plainly(self.url), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, *, keep: bool = True) -> Iterator[LogWriter]:
        """Return a tape to append to; what was appended is kept at the end as a whole, or not at all.

        Nothing is kept after an exception, nor with `keep=False` (a rehearsal).
        """
        with (
            plainly(self.url),
            self._engine.execution_options(writing=True).connect() as connection,
            connection.begin() as transaction,
            closing(LogWriter(connection)) as tape,
        ):
            yield tape
            tape.finish()
            if not keep:
                transaction.rollback()

    def append(
        self,
        game_id: str,
        events: Iterable[Event],
        *,
        expected_last_seq: int,
        revision: int = 1,
        cards: CardTexts | None = None,
    ) -> StoredGame:
        """Append events to a game; a new game begins with its `game.started` and `expected_last_seq=0`.

        Events without a `seq` get the next one. `cards` are the card texts that a new game is recorded under. Return
        the game as it now is. Raise `StaleAppendError` where the log does not end at `expected_last_seq`, `BegunError`
        where the same request has begun a game before, `LogError` where the events cannot follow; nothing is written
        then. What several threads append at the same time is written together.
        """
        return self._appender.append(Wanted(game_id, events, expected_last_seq, revision, cards))

    def games(
        self, *, game: str | None = None, ids: Sequence[str] | None = None, all_revisions: bool = False
    ) -> list[StoredGame]:
        """Return the stored games in the order of their recording: all, those of one `game`, or those with some `ids`.

        Only the latest revision of each, unless `all_revisions`.
        """
        self._changed = None  # What is listed now may have come since it was asked for.
        query = GAMES
        if game is not None:
            query = query.where(GAME.c.game == game)
        if ids is not None:
            query = query.where(GAME.c.game_id.in_(ids))
        if not all_revisions:
            newer = GAME.alias("newer")
            query = query.where(
                ~sa.exists().where(newer.c.game_id == GAME.c.game_id, newer.c.revision > GAME.c.revision)
            )
        with self.reading() as connection:
            return [game_of(row) for row in connection.execute(query)]

    def game(self, game_id: str, revision: int | None = None) -> StoredGame:
        """Return one game, its latest revision unless another is asked for.

        Raises `UnknownGameIdError` where there is none.
        """
        revisions = self.games(ids=[game_id], all_revisions=True)
        if not revisions:
            raise UnknownGameIdError(f"no game in {self} has the id {game_id!r}{hint_at(game_id, self.games())}")
        if revision is None:
            return max(revisions, key=lambda each: each.revision)
        for each in revisions:
            if each.revision == revision:
                return each
        raise UnknownGameIdError(
            f"game {game_id!r} has {len(revisions)} revision(s) in {self}, but no revision {revision}"
        )

    def over(self, games: Iterable[StoredGame]) -> set[int]:
        """Return the numbers of those games that have come to their end."""
        with self.reading() as connection:
            return {*connection.scalars(OVER.where(GAME.c.number.in_([each.number for each in games])))}

    def fingerprints(self, ids: Collection[str]) -> dict[str, str]:
        """Return the fingerprints of games as they are now, those of them that there are: much quicker than `games`."""
        with self.reading() as connection:
            return {game_id: tails[0].last_hash.hex() for game_id, tails in tails_of(connection, ids).items()}

    def events(self, game: StoredGame) -> list[Event]:
        """Return the events of a game, in order, each with its `seq`.

        Raises `LogError` where a stored event cannot be read (`verify` says which was altered).
        """
        return next(iter(self.each([game])))[1]

    def each(self, games: Iterable[StoredGame]) -> Iterator[tuple[StoredGame, list[Event]]]:
        """Return many games with their events, one game after the other; only a few are in memory at a time.

        What is appended to a game after it was listed is left out.

        Raises `LogError` as `events` does.
        """
        return ((game, events_of(game, bodies)) for game, bodies in self.bodies(games))

    def bodies(self, games: Iterable[StoredGame]) -> Iterator[tuple[StoredGame, Bodies]]:
        """Return many games with what is written of their events; `events_of` reads it, or says why it cannot be read.

        So a damaged game does not end the reading of the others.
        """
        for together in batches_of(games):
            yield from zip(together, self._bodies_of(together), strict=True)

    def _bodies_of(self, games: Sequence[StoredGame]) -> list[Bodies]:
        """Return what is written of the events of some games."""
        mark = mark_of(self._engine.dialect)
        query = f"SELECT body FROM event WHERE game = {mark} AND seq <= {mark} ORDER BY seq"  # noqa: S608 - marks only
        try:
            with self.reading() as connection:
                return [
                    connection.exec_driver_sql(query, (game.number, game.last_seq)).scalars().all() for game in games
                ]
        except LogError as error:
            return [error] if len(games) == 1 else [each for game in games for each in self._bodies_of([game])]

    def stored(self, game: StoredGame) -> list[StoredEvent]:
        """Return the events of a game as they stand in the log."""
        columns = [column for column in EVENT.columns if column.name != "game"]
        query = sa.select(*columns).where(EVENT.c.game == game.number).order_by(EVENT.c.seq)
        with self.reading() as connection:
            return [StoredEvent(*row) for row in connection.execute(query)]

    def quarantine(self) -> list[QuarantinedLine]:
        """Return the lines that could not be read, by file; of a file that came again only those of the last time."""
        with self.reading() as connection:
            return log_files.quarantined(connection)

    def heads(self) -> list[Head]:
        """Return the heads of the log, the newest last; none where nothing is recorded."""
        with self.reading() as connection:
            return [Head(*row) for row in connection.execute(sa.select(HEAD).order_by(HEAD.c.number))]

    def head(self) -> str:
        """Return the newest head (hexadecimal), which stands for all that is recorded; empty where nothing is."""
        with self.reading() as connection:
            newest = connection.scalar(sa.select(HEAD.c.hash).order_by(HEAD.c.number.desc()).limit(1))
        return newest.hex() if newest else ""

    def since(self, head: str) -> list[Recording]:
        """Return what was recorded after a head (hexadecimal). Raises `LogError` where it is not in the log."""
        with self.reading() as connection:
            recordings = recorded_since(connection, head)
        if recordings is None:
            raise LogError(f"the head {head} is not in {self}: `tabletape verify --head` says what that means")
        return recordings

    def card_texts(self, game: StoredGame) -> CardTexts | None:
        """Return the card files that a game was recorded under; None for none. Raise `LogError` for damaged ones."""
        built_in, own = game.cards
        return CardTexts(self._card_file(built_in), self._card_file(own) if own else "") if built_in else None

    def changed_lines(self, game: StoredGame) -> Mapping[int, str]:
        """Return what of a game's events was taken for other words than those of its files, by their `seq`."""
        if self._changed is None:
            with self.reading() as connection:
                self._changed = log_files.changed_lines(connection)
        return self._changed.get(game.number, {})

    def _card_file(self, number: int) -> str:
        if number not in self._card_files:
            with self.reading() as connection:
                self._card_files[number] = log_files.card_file(connection, number)
        return self._card_files[number]

    def raw_files(self) -> list[RawFile]:
        """Return the files that were imported, in the order of their import."""
        with self.reading() as connection:
            return log_files.raw_files(connection)

    def arrivals(self) -> list[Arrival]:
        """Return what stands behind each name by which files came: the kept file and how it was read, the last time."""
        with self.reading() as connection:
            return log_files.arrivals(connection)

    def raw_content(self, file: RawFile) -> Iterator[bytes]:
        """Return the content of an imported file, byte for byte, in pieces.

        Raises `LogError` where what was kept cannot be unpacked.
        """
        with self.reading() as connection:
            yield from log_files.content_of(connection, file)
