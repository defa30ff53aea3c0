"""A slip is asked about or taken for what it means: it never becomes a broken rule, nor a line that nobody wrote."""

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.templates.rows import rows_of
from tabletape.projector.archive.samples import sample_games
from tabletape.projector.archive.stored import import_options, replays
from tabletape.projector.model.verdicts import HARD

Row = dict[str, str]

CARDS: Final = ("card", "seed", "species", "organism", "minion", "unit")
LISTS: Final = ("cards", "row", "bioms", "basic")
SPOKEN: Final = {"turn.ended": "end turn", "turn.passed": "pass"}


def printed(name: str) -> str:
    """Return an id as the card is called on paper."""
    return name.replace("-", " ").title()


def in_decks(spell: Callable[[str], str]) -> Callable[[Row], Row]:
    """Return the slip of writing one name of each deck list in another way."""

    def slip(row: Row) -> Row:
        if row["type"] != "deck.declared":
            return row
        cards = row["cards"].split("; ")
        return {**row, "cards": "; ".join((*cards[:2], printed(spell(cards[2])), *cards[3:]))}

    return slip


def misheard(name: str) -> str:
    """Return a name whose last word begins as it sounds: `kelp-quire`."""
    *words, last = name.split("-")
    return "-".join((*words, f"qu{last[2:]}"))


def bare(row: Row) -> Row:
    """Return a row that names its card as it is printed, without whose it is."""
    named = {key: printed(text[2:].partition("#")[0]) for key in CARDS if (text := row.get(key, ""))[1:2] == ":"}
    return {**row, **named}


def hidden(row: Row) -> Row:
    """Return the same where nobody has seen which cards were drawn."""
    if row["type"] != "cards.drawn" or "cards" not in row:
        return bare(row)
    return {**{key: text for key, text in row.items() if key != "cards"}, "count": str(row["cards"].count(";") + 1)}


SLIPS: Final[Mapping[str, Callable[[Row], Row]]] = {
    "a name misheard": in_decks(misheard),
    "half a name": in_decks(lambda name: name[: len(name) // 2]),
    "an ability in other words": lambda row: {**row, **({"ability": "the usual one"} if "ability" in row else {})},
    "a bare name": bare,
    "a bare name of a hidden hand": hidden,
    "spoken types": lambda row: {**row, "type": SPOKEN.get(row["type"], row["type"])},
    "words for types": lambda row: {
        **row,
        "type": {"turn.ended": "end", "turn.passed": "p"}.get(row["type"], row["type"]),
    },
    "strokes between cards": lambda row: {
        key: text.replace("; ", " / ") if key in LISTS else text for key, text in row.items()
    },
}


@pytest.mark.parametrize("slug", ["crystal", "duelyst", "evolve", "phylogenome", "splicers"])
def test_no_slip_becomes_an_accusation_or_a_line(tmp_path: Path, slug: str) -> None:
    """Of a clean game with one kind of slip in every line that can have it nothing is called wrong, nothing added."""
    written = rows_of(sample_games(slug)[0])
    options = import_options(tmp_path)
    for number, (name, slip) in enumerate(SLIPS.items()):
        rows = [slip(row) for row in written]
        sheet = io.StringIO()
        writer = csv.DictWriter(sheet, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
        (path := tmp_path / f"{number}.csv").write_text(sheet.getvalue(), encoding="utf-8")
        with Log.open(tmp_path / f"{number}.db", create=True) as log:
            import_paths(log, [path], options)
            asked = {entry.line for entry in log.quarantine()}
            ((_, replay),) = replays(log, log.games())
        assert [finding for finding in replay.findings if finding.kind in HARD] == [], name
        read = rows_of(replay.events)
        assert len(rows) - len(asked) <= len(read) <= len(rows), name
        if name in {"a name misheard", "half a name"}:
            assert asked, name
        if name in {"spoken types", "strokes between cards"}:
            assert (read, asked) == (written, set()), name
