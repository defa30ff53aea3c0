"""The page of datasets: their columns, as the files have them."""

from collections.abc import Iterable

from docs.generator.markdown import code, page, table
from tabletape.projector.datasets.columns import CLOCK, COMMON, DATASETS, TIME, Described

INTRODUCTION = """\
`tabletape build` writes these datasets as Parquet files into `.tabletape/datasets` beside the log. Any program that
reads Parquet can open them; `tabletape sql "SELECT …"` asks them in SQL ([how](../how-to/ask-in-sql.md)). They are made
from the log and can be thrown away: `tabletape build --fresh` makes them again. Sums over many games (`card_sums` and
those behind it) have files for large packs of games only; `tabletape sql` adds the games of small ones.

A column is empty (`NULL`) where the log does not tell, where there was nothing, or where it was not asked for."""

WORDS = {
    "string": "text",
    "int32": "whole number",
    "int64": "whole number",
    "double": "number",
    "bool": "yes or no",
    str(TIME): "time (UTC)",
    str(CLOCK): "time (of the table)",
}


def datasets_page() -> str:
    """Return the page `generated/datasets.md`."""
    common = {name for name, _, _ in COMMON}
    blocks = [INTRODUCTION, "## In every dataset but the catalogue", _columns(COMMON)]
    for name, schema in DATASETS.items():
        own = [(field.name, field.type, field.metadata[b"doc"].decode()) for field in schema]
        shown = own if name == "catalogue" else [each for each in own if each[0] not in common]
        blocks += [f"## {name}", _columns(shown)]
    return page("Datasets", *blocks)


def _columns(columns: Iterable[Described]) -> str:
    rows = ([code(name), WORDS[str(kind)], meaning] for name, kind, meaning in columns)
    return table(["column", "type", "meaning"], rows)
