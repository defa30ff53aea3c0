"""Packs: the rows of many games in one file a dataset. A game is never split over files or row groups.

When some games of a pack change, the rows of the others are copied into the new pack as they are, not projected again.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tabletape.events.whole_files import make_folder, write_whole
from tabletape.projector.datasets.columns import COMMON, DATASETS, OWN_SCHEMAS
from tabletape.projector.datasets.manifest import Manifest, Pack, content_of, path_in
from tabletape.projector.datasets.proofs import FileProof, written
from tabletape.projector.datasets.rows.game_rows import GameRows

GROUP: Final = 122_880
"""Rows after which a row group ends with its game: as many as DuckDB gives to one thread."""

SUMMARY_SIZE: Final = 20_000
"""The size, in events, from which a pack has summaries; those of smaller ones are made while a question is answered."""

Keys = frozenset[tuple[str, str]]


def write_pack(folder: Path, name: str, game: str, parts: Sequence[dict[str, pa.Table]]) -> Pack:
    """Write a pack of which several parts are given, a file a dataset, whole or not at all; return it without entries.

    A small pack has no summaries. The tables are taken out of the parts: no more than one dataset is in memory twice.
    """
    rows: dict[str, int] = {}
    proofs: dict[str, FileProof] = {}

    def write(dataset: str, table: pa.Table) -> None:
        proofs[dataset] = write_table(folder / path_in(dataset, name), table)
        rows[dataset] = table.num_rows

    for dataset in OWN_SCHEMAS:
        write(dataset, pa.concat_tables([part.pop(dataset) for part in parts]).combine_chunks())
    pack = Pack(name=name, game=game, rows=rows, written=proofs)
    if pack.size >= SUMMARY_SIZE:
        from tabletape.projector.datasets.summaries import summaries_of  # noqa: PLC0415 - a few new games wait for no DuckDB

        for dataset, table in summaries_of(folder, name):
            write(dataset, table)
    return pack


def write_table(file: Path, table: pa.Table) -> FileProof:
    """Write a table into a Parquet file so that it is there whole or not at all; return what proves the file."""
    make_folder(file.parent)
    stream = pa.BufferOutputStream()
    with pq.ParquetWriter(stream, table.schema, compression="zstd") as writer:
        for begin, end in _groups(table):
            writer.write_table(table.slice(begin, end - begin), row_group_size=end - begin)
    content = stream.getvalue().to_pybytes()
    write_whole(file, content)
    return written(content)


def _groups(table: pa.Table) -> Iterator[tuple[int, int]]:
    """Return the row groups of a table: they end where a game ends."""
    by_game = "game_id" in table.column_names
    begin = 0
    for end in _ends_of_games(table) if by_game else [table.num_rows]:
        if end and (end - begin >= GROUP or end == table.num_rows):
            yield begin, end
            begin = end


def _ends_of_games(table: pa.Table) -> list[int]:
    if not table.num_rows:
        return []
    ids = pc.run_end_encode(table.column("game_id").combine_chunks())
    ends: list[int] = ids.run_ends.to_pylist()
    return ends


def tables_of(games: Sequence[GameRows]) -> dict[str, pa.Table]:
    """Return the rows of many games as one table a dataset."""
    return {dataset: _table(dataset, games) for dataset in OWN_SCHEMAS}


def _table(dataset: str, games: Sequence[GameRows]) -> pa.Table:
    counts = [len(game.rows[dataset]) for game in games]
    which = pa.array(chain.from_iterable(repeat(number, count) for number, count in enumerate(counts)), pa.int32())
    shared: Iterable[tuple[Any, ...]] = zip(*(game.common for game in games), strict=True)
    common = [
        pa.array(values, kind).take(which) for (_, kind, _), values in zip(COMMON, shared or (), strict=bool(games))
    ]
    columns = zip(*chain.from_iterable(game.rows[dataset] for game in games), strict=True)
    own = [pa.array(values, field.type) for field, values in zip(OWN_SCHEMAS[dataset], columns, strict=False)]
    schema = DATASETS[dataset]
    if not own:
        return schema.empty_table()
    return pa.Table.from_arrays([*common, *own], schema=schema)


def carried(folder: Path, pack: Pack, keys: Keys) -> dict[str, pa.Table]:
    """Return the rows of some games of a pack, as they are.

    Raises `DatasetError` where a file of the pack is not what was written.
    """
    manifest = Manifest(packs=(pack,))
    return {
        dataset: _carried(content_of(folder, manifest, path_in(dataset, pack.name)), keys) for dataset in OWN_SCHEMAS
    }


def _carried(content: bytes, keys: Keys) -> pa.Table:
    table = pq.ParquetFile(pa.BufferReader(content)).read()  # `read_table` would load what reads many files at once.
    ids, rulesets = (table.column(name).combine_chunks() for name in ("game_id", "ruleset_id"))
    mine = pc.binary_join_element_wise(ids, rulesets, "\n")
    return table.filter(pc.is_in(mine, value_set=pa.array(["\n".join(key) for key in keys], pa.string())))
