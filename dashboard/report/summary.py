"""What an evening came to in a few sentences: how it went, what people said, and the moments worth looking at again."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec

from tabletape.dashboard.questions import select
from tabletape.dashboard.report.choosing import Row
from tabletape.dashboard.report.document import Block, Board, Bullets, Heading, Paragraph
from tabletape.projector.archive.view import View
from tabletape.projector.games import game
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.rules import Finding

MOMENTS: Final = 3
"""So many moments are shown with their board."""

Causes = Callable[[View], Sequence[Finding]]
"""The mistakes of a game that follow from no earlier one."""

FEEDBACK: Final = """\
SELECT feedback.*, coalesce(name, '') AS name
FROM feedback LEFT JOIN seats USING (game, game_id, ruleset_id, player)
ORDER BY game_id, name"""

REMARKS: Final = """\
SELECT remarks.*, coalesce(name, '') AS name
FROM remarks LEFT JOIN seats USING (game, game_id, ruleset_id, player)
ORDER BY game_id, seq"""


class Sayings(msgspec.Struct, frozen=True):
    """What people said about some games: their feedback, and their remarks, as rows with the names of who said them."""

    feedback: Sequence[Row] = ()
    remarks: Sequence[Row] = ()


def said_about(games: Sequence[Row], datasets: Path) -> Sayings:
    """Return what was said about some games, as their tables read them."""
    ids = [row["game_id"] for row in games]
    if not ids:
        return Sayings()
    read_by = {(row["game_id"], row["ruleset"]) for row in games}
    found = []
    for sql in (FEEDBACK, REMARKS):
        rows = select(sql, datasets, (), games=ids, source="all").to_pylist()
        found.append([row for row in rows if (row["game_id"], row["ruleset"]) in read_by])
    return Sayings(*found)


def summary(games: Sequence[Row], views: Mapping[str, View], said: Sayings, causes: Causes) -> Iterator[Block]:
    """Yield what some games came to: a few lines, how they felt, and the moments worth looking at again."""
    lines = [_lengths(games), _winners(games), _trouble(views, causes), _asked(said)]
    yield Bullets(tuple(line for line in lines if line))
    yield from _felt(said, games)
    yield from _moments(views, said, causes)


def _lengths(games: Sequence[Row]) -> str:
    over = [row for row in games if row["over"]]
    minutes = [row["minutes"] for row in over if row["minutes"] is not None]
    turns = [row["turns"] for row in over if row["turns"]]
    words = []
    for values, unit in ((minutes, "minutes"), (turns, "turns")):
        if values:
            reach = f" ({min(values):.0f} to {max(values):.0f})" if len(values) > 1 else ""
            words.append(f"{median(values):.0f} {unit}{reach}")
    return f"A finished game took {' and '.join(words)}." if words else ""


def _winners(games: Sequence[Row]) -> str:
    won = Counter(row["won_by"] for row in games if row["won_by"])
    named = ", ".join(f"{name} {times} times" if times > 1 else name for name, times in won.most_common())
    return f"Won: {named}." if named else ""


def _trouble(views: Mapping[str, View], causes: Causes) -> str:
    """Return in how many games something went wrong, and the rule that was broken most often."""
    found = {id_: causes(view) for id_, view in views.items()}
    wrong = sum(bool(each) for each in found.values())
    if not wrong:
        return f"No mistake in {counted(len(views), 'game')} that could be read line by line." if views else ""
    rules = Counter((views[id_].replay.game.slug, each.rule) for id_, some in found.items() for each in some)
    (slug, rule), times = rules.most_common(1)[0]
    text = game(slug).by_id[rule].text.rstrip(".")
    return f"{wrong} of {counted(len(views), 'game')} with a mistake; most often, {counted(times, 'time')}: {text}."


def _asked(said: Sayings) -> str:
    asked = [row for row in said.remarks if row["what"] == "question"]
    if not asked:
        return ""
    about = Counter((row["game"], row["rule"] or row["broken"]) for row in asked if row["rule"] or row["broken"])
    words = f"{counted(len(asked), 'question')} asked"
    for (slug, rule), times in about.most_common(1):
        known = game(slug).by_id.get(rule)
        words += f"; most often, {counted(times, 'time')}: {known.text.rstrip('.') if known else rule}"
    return f"{words}."


# -- how it felt -------------------------------------------------------------------------------------------------------


def _felt(said: Sayings, games: Sequence[Row]) -> Iterator[Block]:
    """Yield what people said about the games: every number with who gave it, no average of a few."""
    seats = sum(len([name for name in (row["names"] or "").split(", ") if name]) for row in games)
    lines = [*_scales(said.feedback, seats), *_lengths_felt(said.feedback), *_words(said)]
    if lines:
        yield Heading("How it felt", 3)
        yield Bullets(tuple(lines))


def _scales(rows: Sequence[Row], seats: int) -> Iterator[str]:
    for field, words in (("fun", "Fun"), ("fair", "Fair")):
        given = sorted(
            ((row[field], row["name"] or "somebody") for row in rows if row[field] is not None), reverse=True
        )
        if given:
            each = ", ".join(f"{name} {value}" for value, name in given)
            yield f"{words}, 1 to 5, said by {len(given)} of {counted(seats, 'seat')}: {each}."


def _lengths_felt(rows: Sequence[Row]) -> Iterator[str]:
    lengths = Counter(row["length"] for row in rows if row["length"])
    if lengths:
        yield "Length: " + ", ".join(f"{times} {length}" for length, times in lengths.most_common()) + "."
    again = [row["again"] for row in rows if row["again"] is not None]
    if again:
        yield f"Would play again: {sum(again)} of {len(again)} who said so."


def _words(said: Sayings) -> Iterator[str]:
    for row in said.remarks:
        if row["what"] == "feedback" and row["text"]:
            yield f"{row['name'] or 'Somebody'}: “{row['text']}”"


# -- moments -----------------------------------------------------------------------------------------------------------


def _moments(views: Mapping[str, View], said: Sayings, causes: Causes) -> Iterator[Block]:
    """Yield the moments that were marked and the first mistake, each with its board."""
    found = {(id_, seq): words for id_, seq, words in _worth(views, said, causes)}
    shown = [(*place, words) for place, words in found.items()][:MOMENTS]
    if shown:
        yield Heading("Moments", 3)
    for id_, seq, words in shown:
        view = views[id_]
        index = view.index_of(seq)
        if index is not None:
            caption = f"{id_}, event {seq}: {view.text(index, EVERYTHING)}"
            yield Paragraph(words)
            yield Board(caption, tuple(view.areas(index, EVERYTHING)))


def _worth(views: Mapping[str, View], said: Sayings, causes: Causes) -> Iterator[tuple[str, int, str]]:
    for row in said.remarks:
        if row["what"] == "moment" and row["on"] is not None and row["game_id"] in views:
            text = f": “{row['text']}”" if row["text"] else ""
            yield row["game_id"], row["on"], f"{row['name'] or 'Somebody'} felt {row['felt']}{text}."
    for id_, view in views.items():
        first: Any = next(iter(causes(view)), None)
        if first is not None:
            yield id_, first.seq, f"The first mistake: {first.message}."
            break
