"""`tabletape sql`: the user's own questions to the datasets."""

from typing import Annotated

import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsCsv, AsJson, Database, Datasets
from tabletape.cli.terminal.output import print_json, print_rows, remark, say, write
from tabletape.dashboard.spreadsheet import csv_of
from tabletape.dashboard.tape.answers import opened_datasets
from tabletape.dashboard.tape.records import cell_text
from tabletape.projector.datasets.columns import COMMON, DATASETS


def sql(  # noqa: PLR0913 - each parameter is an option of the command
    query: Annotated[str, typer.Argument(metavar="[SELECT …]", help="One SELECT (default: list the datasets).")] = "",
    *,
    db: Database = DATABASE,
    datasets: Datasets = "",
    rows: Annotated[int, option("--rows", "Rows to show at most.", min=1)] = 1_000,
    seconds: Annotated[float, option("--seconds", "Stop after this many seconds.", min=0.1)] = 30.0,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Ask the datasets in SQL (DuckDB's); without a query, list the datasets and their columns.

    Only the datasets can be read, and nothing can be written.

    Example:
        tabletape sql
        tabletape sql "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC"
        tabletape sql "SELECT * FROM findings WHERE kind = 'illegal'" --csv > illegal.csv
        tabletape sql "SELECT count(*) FROM games" --datasets s3://bucket/study
    """
    if not query:
        _list()
        return
    with opened_datasets(db, datasets) as opened:
        answer = opened.select(query, rows=rows, seconds=seconds)
    if json:
        print_json(answer.table.to_pylist())
    elif csv:
        write(csv_of(answer.table))
    else:
        names = answer.table.column_names
        columns = [[cell_text(value) for value in column.to_pylist()] for column in answer.table.columns]
        print_rows(names, zip(*columns, strict=True))
    if answer.cut:
        remark(f"There are more rows than the {rows:,} shown: `--rows` shows more.", "yellow")


def _list() -> None:
    common = [name for name, _, _ in COMMON]
    for dataset, schema in DATASETS.items():
        say((dataset, "bold"))
        own = [field for field in schema if dataset == "catalogue" or field.name not in common]
        print_rows(
            ["column", "type", "meaning"], ([each.name, each.type, each.metadata[b"doc"].decode()] for each in own)
        )
        say()
    say(("in every dataset but the catalogue", "bold"))
    print_rows(["column", "type", "meaning"], COMMON)
