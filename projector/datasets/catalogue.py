"""The catalogue: what every game has, played or not, so that questions can tell what nobody has tried."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from tabletape.events.vocabulary import tag_of
from tabletape.projector.archive.stored import usable_cards
from tabletape.projector.datasets.columns import CATALOGUE
from tabletape.projector.datasets.manifest import path_in
from tabletape.projector.datasets.origin import name_of
from tabletape.projector.datasets.packs import write_table
from tabletape.projector.datasets.proofs import FileProof
from tabletape.projector.games import game


def write_catalogue(
    folder: Path, codes: Mapping[str, str], workspace: Path, there: Mapping[str, FileProof | None]
) -> tuple[str, FileProof | None]:
    """Write what some games have; return the file, relative to the folder of the datasets, and what proves it.

    Without games there is none. `codes` says for every game what its rules and cards are (see `origin`); what is among
    the files that are `there` already stays.
    """
    if not codes:
        return "", None
    name = path_in("catalogue", name_of([f"{slug} {code}" for slug, code in sorted(codes.items())]))
    if name in there:
        return name, there[name]
    rows = [row for slug in sorted(codes) for row in _rows(slug, workspace)]
    columns = [pa.array(values, pa.string()) for values in zip(*rows, strict=True)]
    return name, write_table(folder / name, pa.Table.from_arrays(columns, schema=CATALOGUE))


def _rows(slug: str, workspace: Path) -> Iterator[tuple[str, str, str, str, str]]:
    one = game(slug)
    for card in usable_cards(workspace, slug)[0].library.values():
        yield slug, "card", card.id, card.name, card.kind
        yield from ((slug, "keyword", keyword, keyword, card.id) for keyword in one.cards.keywords(card))
    for rule in one.rules:
        yield slug, "rule", rule.id, rule.text, rule.how
    for kind in one.vocabulary.types.values():
        yield slug, "event", tag_of(kind), (kind.__doc__ or "").strip().partition("\n")[0], kind.CLASS
    for ending in one.endings:
        yield slug, "ending", ending, ending.replace("-", " "), ""
