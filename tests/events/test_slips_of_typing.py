"""One slip of typing in what a line is, or in the name of its game, is seen through and said; more is asked about."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.importing.bad_lines import slip_of
from events.importing.lenient_reader import type_or_slip
from events.log import Log
from events.vocabulary import games, vocabulary
from tests.events.conftest import game, head, line, take, written

TAGS = [(slug, tag) for slug in games() for tag in vocabulary(slug).types]


@pytest.mark.parametrize("written_type", ["seed.playd", "seed.plaeyd", "seed.playyed", "seed.plsyed", "Seed Playd"])
def test_a_type_with_one_slip_is_taken_and_said(log: Log, tmp_path: Path, written_type: str) -> None:
    """A letter that is missing, swapped, doubled or wrong leaves one type of the game; its line is named."""
    bad = line(written_type, player="A", card="A:reed-heron", biom="moss-parish")
    report = take(log, written(tmp_path / "g.jsonl", [head(), bad, line("turn.ended", player="A")]))
    assert report.quarantined == 0
    assert [event.type for event in log.stored(log.game("g"))] == ["game.started", "seed.played", "turn.ended"]
    told = f"info: line 2: `{written_type}` was taken for `seed.played`, the only known name that is written almost so"
    assert told in report.remarks


@pytest.mark.parametrize("written_type", ["seed.plyd", "unit.moved", "sed.plyed"])
def test_a_type_with_more_than_one_slip_is_asked_about(log: Log, tmp_path: Path, written_type: str) -> None:
    """What is farther off may be something else, which decides what happened: nothing is taken."""
    bad = line(written_type, player="A", card="A:reed-heron", biom="moss-parish")
    report = take(log, written(tmp_path / "g.jsonl", [head(), bad]))
    assert [(entry.line, entry.code) for entry in report.entries] == [(2, "unknown-type")]


@pytest.mark.parametrize(
    ("begin", "slip", "meant"),
    [
        (head(game="splicer"), "splicer", "splicers"),
        (head(game="Spliccers"), "Spliccers", "splicers"),
        (head().replace("game.started", "game.startd"), "game.startd", "game.started"),
    ],
)
def test_a_head_with_one_slip_begins_its_game(log: Log, tmp_path: Path, begin: str, slip: str, meant: str) -> None:
    """So does a game whose name, or whose first word, has one letter wrong; it is the game's from then on."""
    report = take(log, written(tmp_path / "g.jsonl", [begin, *game()[1:]]))
    assert report.quarantined == 0
    assert (log.game("g").game, log.game("g").events) == ("splicers", len(game()))
    told = f"info: line 1: `{slip}` was taken for `{meant}`, the only known name that is written almost so"
    assert told in report.remarks


def test_a_row_of_a_sheet_with_one_slip_is_taken(log: Log, tmp_path: Path) -> None:
    """A sheet is read as a log of lines is, its first row too."""
    players = json.dumps([{"id": "A", "name": "Ann"}]).replace('"', '""')
    rows = ["type,game,edition,id,players,player", f'game strated,splicer,x,g,"{players}",', "turn.ened,,,,,A"]
    report = take(log, written(tmp_path / "g.csv", rows))
    assert report.quarantined == 0
    assert [event.type for event in log.stored(log.game("g"))] == ["game.started", "turn.ended"]


def test_no_type_is_a_slip_of_another() -> None:
    """What is a type of its own is never taken for another one of the same game."""
    assert [tag for slug, tag in TAGS if type_or_slip(tag, vocabulary(slug)) != tag] == []


@given(st.sampled_from(TAGS), st.data())
def test_a_slip_leads_back_to_its_type_or_nowhere(one: tuple[str, str], data: st.DataObject) -> None:
    """One letter that is left out never makes another type of a line."""
    slug, tag = one
    place = data.draw(st.integers(0, len(tag) - 1))
    others = {*vocabulary(slug).types} - {tag}
    found = type_or_slip(tag[:place] + tag[place + 1 :], vocabulary(slug))
    assert found in {tag, None} or slip_of(tag[:place] + tag[place + 1 :], others)


def test_a_number_is_no_slip() -> None:
    """Names that differ in a digit are different names."""
    assert not slip_of("generation.11", ["generation.12"])
    assert not slip_of("generation.1", ["generation.12", "generation.13"])
