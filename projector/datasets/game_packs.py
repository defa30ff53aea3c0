"""Game packs: the raw events of many games as Parquet, on any filesystem that pyarrow opens (`s3://…`, `hdfs://…`).

For games that outgrow a log on one computer. A folder of packs has files with one row a game, its events as canonical
JSON in one column, in row groups of some twenty thousand events; and `packs.json`, written last of all, which names the
files and keeps the card texts. Nobody changes packs: other games are other packs.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

import msgspec
import pyarrow as pa
import pyarrow.fs as pf
import pyarrow.parquet as pq

from tabletape.events.errors import TabletapeError
from tabletape.events.log.bodies import Bodies, events_of
from tabletape.events.log.game_source import GameSource, Opener
from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.rows import CardTexts, Chain, Recording, Seated, StoredGame, seated
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import now
from tabletape.events.plans import planned
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.datasets.places import PlaceError, is_address, place_of, reason, shown
from tabletape.projector.datasets.proofs import (
    MISSING_FILE,
    FileProof,
    ProvenFile,
    Recorder,
    UnsoundError,
    sealed,
    unsealed,
)

FILE: Final = "packs.json"
FORM: Final = 1

GROUP_EVENTS: Final = 20_000
"""Events after which a row group ends; all of them are in memory at once."""

FILE_EVENTS: Final = 1_000_000
"""Events after which a file ends."""

_GAME_COLUMNS: Final = pa.schema(
    [
        ("game_id", pa.string()),
        ("revision", pa.int32()),
        ("game", pa.string()),
        ("edition", pa.string()),
        ("players", pa.string()),
        ("rulings", pa.string()),
        ("started_at", pa.string()),
        ("recorded_at", pa.string()),
        ("events", pa.int64()),
        ("last_seq", pa.int64()),
        ("fingerprint", pa.string()),
        ("file", pa.string()),
        ("cards", pa.int32()),
    ]
)
"""What is known of a game; `players` and `rulings` are JSON, `cards` counts the card texts from 1 (0: none)."""

CHANGES_COLUMN: Final = "changed"
"""The column of what was taken for other words at import: JSON, empty for nothing. Older packs do not have it."""

_BODIES: Final = pa.field("bodies", pa.list_(pa.string()))
SCHEMA: Final = _GAME_COLUMNS.append(_BODIES).append(pa.field(CHANGES_COLUMN, pa.string()))


class PackError(TabletapeError):
    """Game packs cannot be read or written; the message says what to do."""


class PackFile(msgspec.Struct, frozen=True):
    """A file of packs: its name, how many games and events are in it, and what proves it.

    Packs of older versions have no proof.
    """

    name: str
    games: int
    events: int
    written: FileProof | None = None


@planned
class Contents(msgspec.Struct, frozen=True):
    """What a folder of packs holds; `head` stands for all of its games (SHA-256, hexadecimal)."""

    head: str
    files: tuple[PackFile, ...]
    cards: tuple[tuple[str, str], ...]
    form: int = FORM


def _place_of(where: str) -> tuple[pf.FileSystem, str]:
    try:
        return place_of(where)
    except PlaceError as error:
        raise PackError(str(error)) from None


class PackWriter(AbstractContextManager["PackWriter"]):
    """Writes games into a new folder of packs; they are there when the `with` block has ended well."""

    def __init__(self, where: str) -> None:
        """Begin a folder. Raises `PackError` where one with packs is there, or where it cannot be written."""
        self._where = where
        self._files, self._folder = _place_of(where)
        self._is_made = self._files.type_name == "local" and not Path(self._folder).exists()
        try:
            is_new = self._files.get_file_info(f"{self._folder}/{FILE}").type is pf.FileType.NotFound
            if is_new:
                self._files.create_dir(self._folder, recursive=True)
        except OSError as error:
            raise PackError(f"{shown(where)} cannot be written to: {reason(error)}") from None
        if not is_new:
            raise PackError(f"there are game packs at {shown(where)} already: name another folder")
        self._done: list[PackFile] = []
        self._cards: dict[CardTexts, int] = {}
        self._head = hashlib.sha256()
        self._waiting: list[dict[str, Any]] = []
        self._waiting_events = 0
        self._writer: pq.ParquetWriter | None = None
        self._recorder: Recorder | None = None
        self._counts = (0, 0)
        self.games = self.events = 0

    def add(
        self,
        game: StoredGame,
        bodies: Sequence[str],
        cards: CardTexts | None,
        changed: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """Add a game with the canonical JSON of its events and the card texts that it was recorded under.

        `changed` says what of its events was taken for other words when it was imported, by their `seq`.
        """
        number = 0 if cards is None else self._cards.setdefault(cards, len(self._cards) + 1)
        row = {name: getattr(game, name) for name in _GAME_COLUMNS.names}
        players = msgspec.json.encode(game.players).decode()
        rulings = msgspec.json.encode(game.rulings).decode()
        more = {CHANGES_COLUMN: msgspec.json.encode(dict(changed)).decode() if changed else "", "bodies": bodies}
        self._waiting.append({**row, "players": players, "rulings": rulings, "cards": number, **more})
        self._head.update(f"{game.game_id} {game.fingerprint}\n".encode())
        self._counts = self._counts[0], self._counts[1] + len(bodies)
        self.games += 1
        self.events += len(bodies)
        self._waiting_events += len(bodies)
        if self._waiting_events >= GROUP_EVENTS:
            with self._writing():
                self._write_group()

    def _write_group(self) -> None:
        if self._writer is None:
            stream = self._files.open_output_stream(f"{self._folder}/{self._name}", compression=None)
            self._recorder = Recorder(stream)
            self._writer = pq.ParquetWriter(self._recorder, SCHEMA, compression="zstd")
        table = pa.Table.from_pylist(self._waiting, SCHEMA)
        self._writer.write_table(table, row_group_size=len(self._waiting))
        self._counts = self._counts[0] + len(self._waiting), self._counts[1]
        self._waiting, self._waiting_events = [], 0
        if self._counts[1] >= FILE_EVENTS:
            self._end_file()

    @property
    def _name(self) -> str:
        return f"games-{len(self._done) + 1:05}.parquet"

    def _end_file(self) -> None:
        if self._writer is not None and self._recorder is not None:
            self._writer.close()
            self._recorder.close()
            self._done.append(PackFile(self._name, *self._counts, written=self._recorder.written))
            self._writer, self._counts = None, (0, 0)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the rest, and last of all what there is; after an exception there are no packs, and no files of any."""
        is_whole = False
        try:
            if kind is None:
                with self._writing():
                    self._write_contents()
                is_whole = True
        finally:
            if not is_whole:
                self._take_away()

    def _write_contents(self) -> None:
        if self._waiting:
            self._write_group()
        self._end_file()
        cards = tuple((each.built_in, each.own) for each in self._cards)
        contents = Contents(self._head.hexdigest(), tuple(self._done), cards)
        with self._files.open_output_stream(f"{self._folder}/{FILE}") as stream:
            stream.write(sealed(msgspec.json.encode(contents)))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn an error of the disk or the network into one that names the file."""
        try:
            yield
        except OSError as error:
            raise PackError(f"{shown(self._where)}/{self._name} cannot be written: {reason(error)}") from None

    def _take_away(self) -> None:
        """Remove what was written, and the folder where it was made for it and nothing else is in it."""
        for each in (self._writer, self._recorder):
            with suppress(OSError):
                if each is not None:
                    each.close()
        for name in (*(each.name for each in self._done), self._name, FILE):
            with suppress(OSError):
                self._files.delete_file(f"{self._folder}/{name}")
        if self._is_made:
            with suppress(OSError):
                Path(self._folder).rmdir()


def packed_at(source: GameSource) -> str:
    """Return where the packs lie that a source reads, as people may see it; empty where it is no folder of packs."""
    return shown(source.where) if isinstance(source, GamePacks) else ""


class GamePacks:
    """The games of a folder of packs, read as those of a log are."""

    def __init__(self, where: str, workspace: str) -> None:
        """Open packs; `workspace` is the folder of the datasets and of a designer's own cards.

        Raises `PackError` where there are none.
        """
        self.where = where if is_address(where) else str(Path(where).absolute())
        self.workspace = Path(workspace)
        self._files, self._folder = _place_of(where)
        self.contents = self._read_contents()
        self._ends = [*accumulate(each.games for each in self.contents.files)]
        self._open: tuple[int, pq.ParquetFile, list[int]] | None = None
        self._group: tuple[int, int, Any] | None = None
        self._changed: dict[int, dict[int, str]] | None = None

    @classmethod
    def open(cls, where: str, workspace: str) -> Self:
        """Open packs; the function that an `Opener` names."""
        return cls(where, workspace)

    def _read_contents(self) -> Contents:
        try:
            with self._files.open_input_stream(f"{self._folder}/{FILE}") as stream:
                inner, _ = unsealed(stream.read())
            contents = msgspec.json.decode(inner, type=Contents)
        except FileNotFoundError:
            raise PackError(f"there are no game packs at {shown(self.where)}: `tabletape pack` writes them") from None
        except UnsoundError as error:
            raise self._unsound(FILE, error) from None
        except (OSError, msgspec.MsgspecError) as error:
            raise PackError(f"the game packs at {shown(self.where)} cannot be read: {reason(error)}") from None
        if contents.form != FORM:
            raise PackError(f"the game packs at {shown(self.where)} are of another Tabletape: write them again")
        return contents

    def opener(self) -> Opener:
        """Return what opens the same packs in another process."""
        return Opener(GamePacks.open, (self.where, str(self.workspace)))

    def head(self) -> str:
        """Return the hash (hexadecimal) that stands for all of the games."""
        return self.contents.head

    def since(self, head: str) -> list[Recording]:
        """Return nothing: packs do not grow. Raises `LogError` for the head of other packs."""
        if head != self.contents.head:
            raise LogError(f"the head {head} is not that of the game packs at {shown(self.where)}")
        return []

    def games(self, *, ids: Sequence[str] | None = None) -> list[StoredGame]:
        """Return all games, or those with some ids, in the order in which they were packed; no events are read."""
        rows = (row for file in self.contents.files for row in self._about(file))
        wanted = None if ids is None else frozenset(ids)
        return [_stored(number, row) for number, row in enumerate(rows) if wanted is None or row["game_id"] in wanted]

    def _about(self, file: PackFile) -> Iterator[dict[str, Any]]:
        with self._proven(file):
            for batch in self._parquet(file).iter_batches(columns=_GAME_COLUMNS.names):
                yield from batch.to_pylist()

    def _parquet(self, file: PackFile) -> pq.ParquetFile:
        """Open a file of the packs, which gives only what was written."""
        stream = self._files.open_input_file(f"{self._folder}/{file.name}")
        if file.written is None:
            return pq.ParquetFile(stream)
        file.written.require_size(stream.size())
        return pq.ParquetFile(ProvenFile(lambda begin, length: stream.read_at(length, begin), file.written))

    @contextmanager
    def _proven(self, file: PackFile) -> Iterator[None]:
        """Raise `PackError` where a file of the packs is not what was written."""
        try:
            yield
        except FileNotFoundError:
            raise self._unsound(file.name, MISSING_FILE) from None
        except (UnsoundError, pa.ArrowException) as error:
            raise self._unsound(file.name, error) from None

    def _unsound(self, file: str, problem: UnsoundError | pa.ArrowException | str) -> PackError:
        way = "`tabletape pack` into another folder writes them again"
        return PackError(f"the game packs at {shown(self.where)} are not whole: {file} {problem}; {way}")

    def each(self, games: Iterable[StoredGame]) -> Iterator[tuple[StoredGame, list[Event]]]:
        """Return games with their events, one after the other. Raises `LogError` where an event cannot be read."""
        return ((game, events_of(game, self.bodies_of(game))) for game in games)

    def bodies(self, games: Iterable[StoredGame]) -> Iterator[tuple[StoredGame, Bodies]]:
        """Return games with the canonical JSON of their events."""
        return ((game, self.bodies_of(game)) for game in games)

    def bodies_of(self, game: StoredGame) -> list[str]:
        """Return the canonical JSON of a game's events, in order."""
        file = bisect_right(self._ends, game.number)
        row = game.number - (self._ends[file - 1] if file else 0)
        with self._proven(self.contents.files[file]):
            if self._open is None or self._open[0] != file:
                parquet = self._parquet(self.contents.files[file])
                sizes = [parquet.metadata.row_group(each).num_rows for each in range(parquet.num_row_groups)]
                self._open = file, parquet, [*accumulate(sizes)]
            _, parquet, ends = self._open
            group = bisect_right(ends, row)
            if self._group is None or self._group[:2] != (file, group):
                self._group = file, group, parquet.read_row_group(group, columns=["bodies"]).column(0)
        bodies: list[str] = self._group[2][row - (ends[group - 1] if group else 0)].as_py()
        return bodies

    def card_texts(self, game: StoredGame) -> CardTexts | None:
        """Return the card files that a game was recorded under; None for none."""
        number = game.cards[0]
        return CardTexts(*self.contents.cards[number - 1]) if number else None

    def changed_lines(self, game: StoredGame) -> Mapping[int, str]:
        """Return what of a game's events was taken for other words than those of its files, by their `seq`."""
        if self._changed is None:
            texts = enumerate(text for file in self.contents.files for text in self._changed_in(file))
            self._changed = {number: msgspec.json.decode(text, type=dict[int, str]) for number, text in texts if text}
        return self._changed.get(game.number, {})

    def _changed_in(self, file: PackFile) -> Iterator[str]:
        with self._proven(file):
            parquet = self._parquet(file)
            if CHANGES_COLUMN not in parquet.schema_arrow.names:
                yield from [""] * file.games
                return
            for batch in parquet.iter_batches(columns=[CHANGES_COLUMN]):
                yield from batch.column(0).to_pylist()


def _stored(number: int, row: dict[str, Any]) -> StoredGame:
    """Return a game as a log would; its number is its place among the packed ones."""
    players = tuple(Seated(*each) for each in msgspec.json.decode(row.pop("players")))
    rulings = msgspec.json.decode(row.pop("rulings"), type=dict[str, str])
    return StoredGame(number=number, players=players, rulings=rulings, **{**row, "cards": (row["cards"], 0)})


def as_stored(events: Sequence[Event]) -> tuple[StoredGame, list[str]]:
    """Return a game that is in no log as it would stand in one, and the canonical JSON of its events.

    They begin with its `game.started`. Raises `UnfitError` where one cannot follow.
    """
    head = events[0]
    if not isinstance(head, GameStarted):
        raise TypeError("a game begins with its game.started")
    chain = Chain((seat.id for seat in head.players), 0, opening_hash(head.id))
    for event in events:
        chain.add(event)
    rows = chain.rows
    stored = StoredGame(
        number=0,
        game_id=head.id,
        revision=1,
        game=head.game,
        edition=head.edition,
        players=seated(msgspec.json.encode(head.players).decode()),
        rulings=dict(head.rulings),
        started_at=rows.times[0],
        recorded_at=now(),
        events=len(rows.seqs),
        last_seq=rows.seqs[-1],
        fingerprint=rows.hashes[-1].hex(),
        file=None,
    )
    return stored, rows.bodies
