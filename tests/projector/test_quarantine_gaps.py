"""A line in quarantine leaves a gap: nobody is accused because of it, and mending it gives the clean game."""

import io
import json
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.games.notation import ReadGame
from tabletape.events.importing.games.reading import Reader
from tabletape.events.importing.lines.json_lines import JsonLines
from tabletape.events.importing.lines.text import MendsOfFile
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.vocabulary import tag_of, vocabulary
from tabletape.events.vocabulary.shared import LogGap
from tabletape.projector.archive.recordings import EXPECTED_SUFFIX, recorded_lines, recordings
from tabletape.projector.archive.stored import known_of
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tests.unreadable import UNREADABLE, opening, unreadable
from tests.written_games import game_of_bots
from tests.wrong_values import accusations, slips, with_play_too_early

RECORDINGS = Path(__file__).parents[1] / "recordings"
ACCUSING = {"illegal", "missing", "mismatch", "drift"}
MANY = 200
"""A game of more lines takes too long where each of them is left out in turn."""

SET_UP = 30
"""Lines behind which a wrong number is looked for that no line before the first turn explains."""

Lines = Sequence[str]


@cache
def clean(slug: str) -> tuple[Path, ...]:
    """Return the recordings of a game in which nobody is accused of anything."""
    return tuple(path for path in recordings(RECORDINGS / slug) if not _accused(_expected_of(path)["findings"]))


def _expected_of(path: Path) -> Any:
    return json.loads(path.with_suffix(EXPECTED_SUFFIX).read_text(encoding="utf-8"))


def _accused(findings: Sequence[Mapping[str, Any]]) -> bool:
    return any(each["kind"] in ACCUSING for each in findings)


@cache
def lines_of(path: Path) -> Lines:
    """Return the lines of a recording."""
    return recorded_lines(path)


def read(
    lines: Lines, mends: MendsOfFile | None = None, known: Any = None
) -> tuple[list[ReadGame], list[QuarantinedLine]]:
    """Return the games in some lines, as the import reads them, and what is put into quarantine."""
    found: list[ReadGame] = []
    entries: list[QuarantinedLine] = []
    content = io.BufferedReader(io.BytesIO("\n".join([*lines, ""]).encode()))
    notation = JsonLines(content, "utf-8", lambda _: None)
    Reader("log", notation, Checks(known), found.append, entries.append).read(mends or {})
    return found, entries


def folded(path: Path, one: ReadGame) -> Replay:
    """Fold a game as its recording is read."""
    slug, ruleset, own = one.head.game, _expected_of(path).get("ruleset", {}), path.with_suffix(".cards.toml")
    of_game = game(slug)
    cards = of_game.cards
    if own.exists():
        cards = cards.plus(of_game.read_cards(own.read_text(encoding="utf-8"), own.name))
    events = [vocabulary(slug).decode(body) for body in one.chain.rows.bodies]
    chosen = ruleset.get("edition", ""), ruleset.get("rulings", {})
    return fold(of_game, events, edition=chosen[0], rulings=chosen[1], library=cards.library)


def without_end(line: str, _: int) -> str:
    """Break a line off."""
    return line[: max(2, len(line) // 2)]


def misspelt(line: str, _: int) -> str:
    """Write an unknown type."""
    return json.dumps({**json.loads(line), "type": "card.plaid"})


def with_a_key(line: str, _: int) -> str:
    """Write an unknown key."""
    return json.dumps({**json.loads(line), "colour": "red"})


def by_a_stranger(line: str, _: int) -> str:
    """Return the line as one of somebody who does not sit at the table."""
    return json.dumps({**json.loads(line), "player": "Zoe"})


def in_words(_line: str, _: int) -> str:
    """Write what happened in words."""
    return "then it was my turn"


def without_quotes(line: str, place: int) -> str:
    """Leave a quotation mark out."""
    marks = [at for at, sign in enumerate(line) if sign == '"']
    at = marks[place % len(marks)]
    return line[:at] + line[at + 1 :]


BROKEN = (without_end, misspelt, with_a_key, by_a_stranger, in_words, without_quotes)


@pytest.mark.parametrize("slug", games())
@settings(deadline=None)
@given(data=st.data())
def test_a_line_in_quarantine_accuses_nobody_and_mends_to_the_clean_game(slug: str, data: st.DataObject) -> None:
    """Whatever line of a legal log cannot be read, and in whatever way: what it may explain is not judged."""
    path = data.draw(st.sampled_from(clean(slug)))
    lines = lines_of(path)
    at = data.draw(st.integers(1, len(lines) - 1))
    spoilt = data.draw(st.sampled_from(BROKEN))(lines[at], data.draw(st.integers(0, 20)))
    broken = [*lines[:at], spoilt, *lines[at + 1 :]]
    (whole,), unfit = read(lines)
    (one,), entries = read(broken)
    assume(entries and not unfit)
    assert [entry.line for entry in entries] == [at + 1]
    assert not _accused([{"kind": found.kind} for found in folded(path, one).findings])
    (mended,), left = read(broken, {(at + 1, entries[0].raw): json.loads(lines[at])})
    assert left == []
    assert mended.chain.rows == whole.chain.rows


@pytest.mark.parametrize("slug", games())
def test_every_line_of_a_game_may_be_missing(slug: str) -> None:
    """In one recorded game of each kind every line in turn becomes a gap: nothing is accused, the game is partial."""
    fit = [path for path in clean(slug) if len(lines_of(path)) < MANY and not read(lines_of(path))[1]]
    path = max(fit, key=lambda each: len({json.loads(line)["type"] for line in lines_of(each)}))
    lines = lines_of(path)
    for at in range(1, len(lines)):
        (one,), entries = read([*lines[:at], in_words("", 0), *lines[at + 1 :]])
        replay = folded(path, one)
        assert [(entry.line, entry.code) for entry in entries] == [(at + 1, "not-json")]
        assert [type(event) for event in replay.events].count(LogGap) == 1
        assert not _accused([{"kind": found.kind} for found in replay.findings]), f"{path.name}:{at + 1}"


def test_the_numbers_behind_a_gap_are_those_of_the_file(tmp_path: Path) -> None:
    """What names an event by its number means the same event, also where several lines cannot be read."""
    lines = lines_of(clean("splicers")[0])
    (whole,), _ = read(lines)
    (one,), _ = read([*lines[:2], "?", "?", *lines[4:]], known=partial(known_of, tmp_path))
    expected = [*whole.chain.rows.each()]
    assert [row[:2] for row in one.chain.rows.each()] == [
        *[row[:2] for row in expected[:2]],
        (4, "log.gap"),
        *[row[:2] for row in expected[4:]],
    ]


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(1, 60), full=st.booleans(), share=st.floats(0, 1), order=st.randoms(use_true_random=False))
def test_a_line_of_the_set_up_that_is_broken_off_accuses_nobody(
    slug: str, seed: int, full: bool, share: float, order: Random
) -> None:
    """Wherever it breaks off, and in whatever order its keys stand: what it may have said explains what it can."""
    lines = game_of_bots(slug, seed, full=full)
    at = order.choice([*opening(slug, lines).values()])
    fields = msgspec.json.decode(vocabulary(slug).encode(lines[at]))
    tag, keys = fields.pop("type"), order.sample([*fields], len(fields))
    text = msgspec.json.encode({"type": tag, **{key: fields[key] for key in keys}}).decode()
    text = text[: len(f'{{"type":"{tag}"') + int(share * (len(text) - len(f'{{"type":"{tag}"') - 1))]
    replay = fold(game(slug), (*lines[:at], LogGap(lines=1, text=text), *lines[at + 1 :]))
    assert replay.stopped is None
    assert not _accused([{"kind": found.kind} for found in replay.findings]), text


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=6)
@given(seed=st.integers(1, 60), full=st.booleans(), place=st.integers(0, 30), why=st.sampled_from(sorted(UNREADABLE)))
def test_a_line_of_the_set_up_or_behind_it_that_has_no_type_accuses_nobody(
    slug: str, seed: int, full: bool, place: int, why: str
) -> None:
    """What the set-up lacks is what it may have said; one that may be of the first turn explains whatever follows."""
    lines = game_of_bots(slug, seed, full=full)
    at = 1 + place % (max(opening(slug, lines).values()) + 3)
    replay = fold(game(slug), unreadable(slug, lines, at, why))
    assert not _accused([{"kind": found.kind} for found in replay.findings]), (at, why)


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(1, 60), place=st.integers(0, 30), why=st.sampled_from(sorted(UNREADABLE)))
def test_behind_a_line_of_the_set_up_that_cannot_be_read_only_the_breach_is_a_cause(
    slug: str, seed: int, place: int, why: str
) -> None:
    """What hangs on a line that is right or wrong by what could not be read is open."""
    early, _ = with_play_too_early(slug, seed, Random(place))  # noqa: S311 - no secret
    at = 1 + place % max(opening(slug, early.lines).values())
    lines = unreadable(slug, early.lines, at, why)
    assert {*accusations(slug, msgspec.structs.replace(early, lines=lines))[0]} <= {early.seq}, (at, why)


@pytest.mark.parametrize("slug", games())
def test_a_wrong_number_is_named_although_a_line_of_the_set_up_cannot_be_read(slug: str) -> None:
    """What its words say is taken as said; else what is due, or what the log goes on from: the rest is not seen."""
    slip = next(each for each in slips(slug, 3, Random(3), "derived") if SET_UP < each.seq < MANY)  # noqa: S311 - no secret
    begun = slip.lines[: slip.seq + SET_UP]
    for kind, at in opening(slug, begun).items():
        for why in UNREADABLE:
            lines = unreadable(slug, begun, at, why)
            found = accusations(slug, msgspec.structs.replace(slip, lines=lines))[0]
            assert found == [slip.seq], (tag_of(kind), why)
