"""One typing mistake in an event type or in the name of a game is corrected and reported; more are asked about."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.lines.lenient_reader import type_or_slip
from tabletape.events.importing.quarantine.bad_lines import slip_of
from tabletape.events.log import Log
from tabletape.events.vocabulary import games, vocabulary
from tabletape.events.vocabulary.shared import DeckDeclared
from tests.events.conftest import CARDS, KNOWN, game, head, import_file, line, write_lines

TAGS = [(slug, tag) for slug in games() for tag in vocabulary(slug).types]


@pytest.mark.parametrize("written_type", ["seed.playd", "seed.plaeyd", "seed.playyed", "seed.plsyed", "Seed Playd"])
def test_a_type_with_one_slip_is_corrected_and_reported(log: Log, tmp_path: Path, written_type: str) -> None:
    """With a letter that is missing, swapped, doubled or wrong only one type can be meant; a remark names the line."""
    bad = line(written_type, player="A", card="A:reed-heron", biom="moss-parish")
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [head(), bad, line("turn.ended", player="A")]))
    assert report.quarantined == 0
    assert [event.type for event in log.stored(log.game("g"))] == ["game.started", "seed.played", "turn.ended"]
    remark = (
        f"info: line 2: `{written_type}` was taken for `seed.played`, the only known name that is written almost so"
    )
    assert remark in report.remarks


@pytest.mark.parametrize("written_type", ["seed.plyd", "unit.moved", "sed.plyed"])
def test_a_type_with_more_than_one_slip_is_asked_about(log: Log, tmp_path: Path, written_type: str) -> None:
    """A type that differs more may be another event, so the line goes to quarantine."""
    bad = line(written_type, player="A", card="A:reed-heron", biom="moss-parish")
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [head(), bad]))
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
    """A wrong letter in the name of the game or in its first event type is corrected, and the game is stored."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [begin, *game()[1:]]))
    assert report.quarantined == 0
    assert (log.game("g").game, log.game("g").events) == ("splicers", len(game()))
    remark = f"info: line 1: `{slip}` was taken for `{meant}`, the only known name that is written almost so"
    assert remark in report.remarks


def test_a_row_of_a_sheet_with_one_slip_is_corrected(log: Log, tmp_path: Path) -> None:
    """A sheet is read like a log of lines, including its first row."""
    players = json.dumps([{"id": "A", "name": "Ann"}]).replace('"', '""')
    rows = ["type,game,edition,id,players,player", f'game strated,splicer,x,g,"{players}",', "turn.ened,,,,,A"]
    report = import_file(log, write_lines(tmp_path / "g.csv", rows))
    assert report.quarantined == 0
    assert [event.type for event in log.stored(log.game("g"))] == ["game.started", "turn.ended"]


@pytest.mark.parametrize(
    ("slug", "said", "meant"),
    [
        ("splicers", "pass", "turn.passed"),
        ("splicers", "End Turn", "turn.ended"),
        ("crystal", "passes", "priority.passed"),
        ("tabletop", "draws", "cards.drawn"),
        ("evolve", "Gives up", "player.conceded"),
        ("tabletop", "pass", None),
    ],
)
def test_a_type_may_stand_as_people_say_it(slug: str, said: str, meant: str | None) -> None:
    """It is the type that the game has for it; a game without one asks."""
    assert type_or_slip(said, vocabulary(slug)) == meant


@pytest.mark.parametrize(
    ("slug", "said", "meant"),
    [
        ("crystal", "done", "deploy.ended"),
        ("crystal", "end turn", "deploy.ended"),
        ("duelyst", "pass", "turn.ended"),
        ("evolve", "done", "turn.ended"),
    ],
)
def test_who_says_to_be_done_is_asked_about_what_a_game_has_its_players_end(slug: str, said: str, meant: str) -> None:
    """By its letters `end turn` is nearer to a turn that starts, and `pass` to nothing."""
    found = explain(ValueError(), {"type": said, "player": "A"}, vocabulary(slug))
    assert (found.code, found.suggestion) == ("unknown-type", f"did you mean `{meant}`?")


def test_a_stroke_between_blanks_parts_cards(log: Log, tmp_path: Path) -> None:
    """`Reed Heron / Kelp Choir` are two cards, as with a comma."""
    players = json.dumps([{"id": "A", "name": "Ann"}]).replace('"', '""')
    rows = [
        "type,game,edition,id,players,player,cards",
        f'game.started,tabletop,x,g,"{players}",,',
        "deck.declared,,,,,A,Reed Heron / Kelp Choir",
    ]
    assert import_file(log, write_lines(tmp_path / "g.csv", rows)).quarantined == 0
    ((_, events),) = log.each(log.games())
    assert [event.cards for event in events if isinstance(event, DeckDeclared)] == [("Reed Heron", "Kelp Choir")]


def test_no_type_is_a_slip_of_another() -> None:
    """No event type is read as another one of the same game."""
    assert [tag for slug, tag in TAGS if type_or_slip(tag, vocabulary(slug)) != tag] == []


@given(st.sampled_from(TAGS), st.data())
def test_a_slip_leads_back_to_its_type_or_nowhere(one: tuple[str, str], data: st.DataObject) -> None:
    """A missing letter never turns a type into another one, unless it is a slip of that one, too."""
    slug, tag = one
    place = data.draw(st.integers(0, len(tag) - 1))
    others = {*vocabulary(slug).types} - {tag}
    found = type_or_slip(tag[:place] + tag[place + 1 :], vocabulary(slug))
    assert found in {tag, None} or slip_of(tag[:place] + tag[place + 1 :], others)


def test_a_number_is_no_slip() -> None:
    """Names that differ in a digit are different names."""
    assert not slip_of("generation.11", ["generation.12"])
    assert not slip_of("generation.1", ["generation.12", "generation.13"])


@pytest.mark.parametrize(
    ("player", "lane"),
    [("A", "B.attack"), ("A", "B attack"), ("A", "attack B"), ("B", "A.attack"), ("A", "Ben attack")],
)
def test_a_word_that_names_a_player_is_no_slip(log: Log, tmp_path: Path, player: str, lane: str) -> None:
    """The lane of another player does not become the own one: the line is asked about, and nothing is suggested."""
    bad = line("card.deployed", player=player, card=f"{player}:scrap-runner#1", lane=lane)
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [head(game="crystal", edition="2025"), bad]))
    (entry,) = report.entries
    assert (entry.line, entry.code, entry.suggestion) == (2, "unknown-word", "")
    assert "it names the player " in entry.message


def test_a_card_behind_the_name_of_a_player_is_no_slip(log: Log, tmp_path: Path) -> None:
    """`B reed-heron` may be a card of Ben, so it is not taken for one of the player whose line it is."""
    bad = line("seed.played", player="A", card="B reed-heron", biom="moss-parish")
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [head(), bad]), known=lambda _: KNOWN)
    assert [(entry.line, entry.code) for entry in report.entries] == [(2, "unknown-card")]


def test_a_card_that_the_game_makes_is_somebodys(log: Log, tmp_path: Path) -> None:
    """A token is in no deck list: a line that does not say whose it is, is asked about, and stops no replay."""
    bad = line("token.summoned", unit="Wind Dervish", tile=[2, 2], source="A:reed-heron")
    lines = [head(game="duelyst", edition="2.0"), bad]
    known = KNOWN._replace(cards={*CARDS, "wind-dervish"}, made=frozenset({"wind-dervish"}))
    (entry,) = import_file(log, write_lines(tmp_path / "g.jsonl", lines), known=lambda _: known).entries
    assert (entry.line, entry.code, entry.suggestion) == (2, "bare-copy", "write `A:wind-dervish`")
    assert entry.message == "`wind-dervish` does not say whose card it is"


def test_a_word_with_an_article_is_still_read(log: Log, tmp_path: Path) -> None:
    """A small word in front of a lane is no player, although one of them has it as an id."""
    good = line("card.deployed", player="A", card="A:scrap-runner#1", lane="an Attack Lane")
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [head(game="crystal", edition="2025"), good]))
    assert report.quarantined == 0
    assert '"lane":"attack"' in log.stored(log.game("g"))[1].body
