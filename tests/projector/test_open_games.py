"""Games without rules: the workspace's own and `tabletop`; the audit judges only what any card table has."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import ask
from tabletape.events.importing import ImportReport, Options, import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import game_file_problems, look_in, open_games
from tabletape.projector.archive.audit import audit
from tabletape.projector.archive.stored import known_of
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.columns import OWN_SCHEMAS
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.plans import Request
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.areas import EVERYTHING

WYLDWOOD = """
title = "Wyldwood"
players = [2, 4]
zones = ["deck hidden", "hand own", "table", "discard", "camp shared"]
counters = ["score", "woodwisps"]
progress = { counter = "score", of = 12 }
endings = ["score", "deck-out"]
"""
PLAYERS = [{"id": "A", "name": "Ann", "deck": "moss"}, {"id": "B", "name": "Ben", "deck": "fern"}]


def started(slug: str = "wyldwood", **more: Any) -> dict[str, Any]:
    """Return the first line of a game."""
    return {
        "type": "game.started",
        "game": slug,
        "edition": "v3",
        "id": "one",
        "players": PLAYERS,
        "rulings": {},
    } | more


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    """Make a workspace with a game of its own, and forget that game at the end."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "wyldwood.toml").write_text(WYLDWOOD)
    look_in(tmp_path)
    yield tmp_path
    look_in(Path(__file__).parent)


def test_what_nobody_knows_of_a_zone_is_not_drawn(workspace: Path) -> None:
    """A chat says neither the deal nor what a move does: no card lies face up on the deck, and zones say so."""
    file = 'zones = ["deck shared hidden", "hand own", "discard"]\n[cards]\nkind = ["frog", "pike"]\ncopies = 3\n'
    file += "[move.lay]\n[move.lay.fields]\ncards = 'cards of hand'\n"
    (workspace / "games" / "pond.toml").write_text(f"title = 'Pond'\n{file}")
    look_in(workspace)
    for lines, doubt in (
        ([], "how many more is not known"),
        ([{"type": "move.lay", "player": "A", "cards": ["frog"]}], "nobody has said what lay does to it"),
    ):
        table = folded(*lines, slug="pond").table
        drawn = {area.name: area for area in game("pond").areas(table, EVERYTHING)}
        assert drawn["deck"].cards == ()
        assert (drawn["deck"].caption, drawn["A/hand"].caption) == (doubt, f"moss, {doubt}")


def folded(*lines: dict[str, Any], slug: str = "wyldwood") -> Replay:
    """Fold lines behind a `game.started`."""
    decode = vocabulary(slug).decode
    return fold(game(slug), [decode(json.dumps(each)) for each in (started(slug), *lines)])


def kinds(replay: Replay) -> list[tuple[str, str]]:
    """Return rule and kind of each finding."""
    return [(each.rule, each.kind) for each in replay.findings]


@pytest.mark.usefixtures("workspace")
def test_a_second_copy_out_of_a_hand_that_nobody_knows_is_said_to_be_one() -> None:
    """It may be the card that lies on the table, which somebody took back: that is said once, and no mistake."""
    drawn = {"type": "cards.drawn", "player": "A", "count": 5}
    moved = [
        {"type": "card.moved", "player": "A", "card": f"A:{card}", "from": "hand", "to": "table"}
        for card in ("oak", "elm", "oak", "oak", "oak#4")
    ]
    (found,) = folded(drawn, *moved).findings
    assert (found.seq, found.kind) == (5, "info")
    assert found.message == "taken for another Oak than the one in Ann's table"


TURN = [{"type": "turn.started", "player": "A"}, {"type": "turn.started", "player": "B"}]
LIST = {"type": "deck.declared", "player": "A", "cards": ["oak", "oak", "elm"]}


def imported(workspace: Path, *lines: dict[str, Any]) -> ImportReport:
    """Import lines as a file."""
    file = workspace / "log.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Log.open(workspace / "tabletape.db", create=True) as log:
        return import_paths(log, [file], Options(known=partial(known_of, workspace)))


def test_a_game_of_the_workspace_is_imported_counted_and_audited(workspace: Path) -> None:
    """A file of a few lines is enough: import, audit, datasets and questions know the game, and any edition of it."""
    gain = {"type": "counter.changed", "player": "A", "counter": "score", "by": 12}
    end = {"type": "game.ended", "winner": "A", "reason": "score"}
    assert imported(workspace, started(), *TURN, gain, end).clean
    with Log.open(workspace / "tabletape.db") as log:
        (audited,) = audit(log, log.games())
        assert (audited.stopped, audited.findings) == ("", [])
        build(log, Request())
        (row,) = ask("games", folder_of(log), game="wyldwood").to_pylist()
    assert (row["ruleset"], row["turns"], row["rounds"], row["winner"], row["reason"]) == ("v3", 2, 1, "A", "score")


@pytest.mark.parametrize(("number", "told"), [(0, [(1, 1)]), (1, [(1, 1)]), (2, [])])
def test_nobody_knows_who_began_where_somebody_acted_before_a_turn(
    workspace: Path, number: int, told: list[tuple[int, int]]
) -> None:
    """Whose turn was written first is who began, unless somebody had acted: a hand that is dealt is no act."""
    play = {"type": "card.moved", "player": "A", "card": "A:oak", "from": "hand", "to": "table"}
    before: list[dict[str, Any]] = [
        {"type": "cards.drawn", "player": "B", "count": 1},
        {**play, "player": "B", "card": "B:elm"},
    ]
    end = {"type": "game.ended", "winner": "A", "reason": "score"}
    assert imported(workspace, started(), *before[:number], *TURN, play, end).clean
    with Log.open(workspace / "tabletape.db") as log:
        build(log, Request())
        rows = ask("first-player", folder_of(log), game="wyldwood").to_pylist()
    assert [(row["games"], row["wins"]) for row in rows] == told


def test_any_card_and_any_edition_is_taken_and_editions_are_not_merged(workspace: Path) -> None:
    """A card that nobody has declared is a name; two editions that nobody knows are two rulesets."""
    moved = {"type": "card.moved", "player": "A", "card": "A:mossy-oak", "from": "hand", "to": "table"}
    assert imported(workspace, started(), moved, started(id="two", edition="v4"), moved).clean
    with Log.open(workspace / "tabletape.db") as log:
        build(log, Request())
        assert {row["ruleset"] for row in ask("games", folder_of(log)).to_pylist()} == {"v3", "v4"}


@pytest.mark.usefixtures("workspace")
def test_a_card_is_played_as_often_as_the_log_says_where_no_list_is_known() -> None:
    """Nobody knows how many copies there are, so the same name played three times is no mistake."""
    moved = {"type": "card.moved", "player": "A", "card": "A:oak", "from": "hand", "to": "table"}
    replay = folded(*TURN, moved, moved, moved)
    assert kinds(replay) == []
    assert replay.table.zones["A/table"].size == 3


@pytest.mark.usefixtures("workspace")
def test_a_card_that_lies_elsewhere_is_found() -> None:
    """Both copies of a written list lie on the table, so a third cannot come from the hand."""
    drawn = {"type": "cards.drawn", "player": "A", "cards": ["A:oak#1", "A:oak#2", "A:elm"]}
    moved = [
        {"type": "card.moved", "player": "A", "card": each, "from": "hand", "to": "table"}
        for each in ("A:oak#1", "A:oak#2", "A:oak#1")
    ]
    assert kinds(folded(LIST, drawn, *moved)) == [("tabletop.card.from-where-it-lies", "illegal")]


@pytest.mark.usefixtures("workspace")
def test_a_card_that_may_be_unseen_is_not_judged() -> None:
    """Cards drawn by number only may be any: nothing is said of a card that comes from that hand."""
    drawn = {"type": "cards.drawn", "player": "A", "count": 2}
    moved = {"type": "card.moved", "player": "A", "card": "A:elm", "from": "hand", "to": "table"}
    assert kinds(folded(LIST, drawn, moved)) == []


@pytest.mark.usefixtures("workspace")
def test_play_after_the_end_is_found_and_a_late_concession_is_not() -> None:
    """After the end nothing is played; somebody who concedes then says only what is known."""
    end = {"type": "game.ended", "winner": "A", "reason": "score"}
    concession = {"type": "player.conceded", "player": "B"}
    assert kinds(folded(end, concession)) == []
    assert kinds(folded(end, TURN[0])) == [("tabletop.end.nothing-after", "illegal")]


@pytest.mark.usefixtures("workspace")
def test_a_counter_that_is_read_off_otherwise_is_a_drift() -> None:
    """The table's count wins; a counter that the log never counted cannot differ."""
    gain = {"type": "counter.changed", "player": "A", "counter": "score", "by": 2}
    seen = {"type": "state.observed", "player": "A", "counters": {"score": 3, "woodwisps": 9}}
    replay = folded(gain, seen)
    assert kinds(replay) == [("tabletop.state.observed", "drift")]
    assert replay.table.players["A"].counters["score"] == 3


@pytest.mark.usefixtures("workspace")
def test_an_unnamed_zone_is_an_information() -> None:
    """A zone that the file does not name is no error: the card is kept elsewhere, and a finding says so."""
    moved = {"type": "card.moved", "player": "A", "card": "A:oak", "from": "hand", "to": "attic"}
    assert kinds(folded(moved)) == [("tabletop.zone.named", "info")]


@pytest.mark.usefixtures("workspace")
def test_zones_are_read_as_people_write_them() -> None:
    """Any case, an article, a pile, another player's hand: a card that lies there is where the log says."""
    drawn = {"type": "cards.drawn", "player": "A", "cards": ["A:elm"]}
    ways = (("Hand", "the Table"), ("TABLE", "Discard Pile"), ("discard", "Ben's hand"), ("Ben/Hand", "Camp"))
    moved = [{"type": "card.moved", "player": "A", "card": "A:elm", "from": each, "to": to} for each, to in ways]
    replay = folded(LIST, drawn, *moved)
    assert kinds(replay) == []
    assert [card.name for card in replay.table.zones["camp"].cards] == ["A:elm"]


@pytest.mark.usefixtures("workspace")
def test_a_counter_is_one_however_it_is_written() -> None:
    """Score and score are one number: it counts as progress, and what is read off is held against it."""
    gains = [{"type": "counter.changed", "player": "A", "counter": each, "by": 2} for each in ("Score", "the SCORE")]
    seen = {"type": "state.observed", "player": "A", "counters": {"Score": 4}}
    replay = folded(*gains, seen)
    assert kinds(replay) == []
    assert replay.table.players["A"].counters == {"score": 4}


@pytest.mark.usefixtures("workspace")
def test_what_comes_from_a_zone_that_nobody_named_is_not_judged() -> None:
    """The attic may be the discard pile: that the card comes from there later is no accusation."""
    drawn = {"type": "cards.drawn", "player": "A", "cards": ["A:elm"]}
    ways = (("hand", "attic"), ("discard", "hand"))
    moved = [{"type": "card.moved", "player": "A", "card": "A:elm", "from": each, "to": to} for each, to in ways]
    assert kinds(folded(LIST, drawn, *moved)) == [("tabletop.zone.named", "info")]


def test_cards_of_an_unknown_deck_have_no_copies_and_no_known_hand(workspace: Path) -> None:
    """What was only seen when it was played says nothing about the hand it came from, but that it was played."""
    drawn = {"type": "cards.drawn", "player": "A", "count": 2}
    moved = {"type": "card.moved", "player": "A", "card": "A:oak", "from": "hand", "to": "table"}
    imported(workspace, started(), drawn, *TURN, moved, {"type": "game.ended", "winner": "A", "reason": "score"})
    with Log.open(workspace / "tabletape.db") as log:
        build(log, Request())
        assert ask("play-rate", folder_of(log)).to_pylist() == []
        assert [(row["card"], row["wins"]) for row in ask("tempo", folder_of(log)).to_pylist()] == [("oak", 1)]


def test_a_card_that_is_moved_to_the_discard_pile_was_not_played(workspace: Path) -> None:
    """A line says where a card goes: played to the table, not played to the discard pile."""
    drawn = {"type": "cards.drawn", "player": "A", "cards": ["A:oak", "A:elm"]}
    moved = {"type": "card.moved", "player": "A", "card": "A:oak", "from": "hand", "to": "table"}
    discarded = moved | {"card": "A:elm", "to": "discard"}
    ended = {"type": "game.ended", "winner": "A", "reason": "score"}
    imported(workspace, started(), drawn, TURN[0], moved, discarded, ended)
    with Log.open(workspace / "tabletape.db") as log:
        build(log, Request())
        assert {each["card"]: each["sides"] for each in ask("tempo", folder_of(log)).to_pylist()} == {"oak": 1}
        rates = {each["card"]: each["played"] for each in ask("play-rate", folder_of(log)).to_pylist()}
        assert rates == {"oak": 1, "elm": 0}


def test_a_table_without_a_file_is_tabletop() -> None:
    """`tabletop` needs no file; without a goal nobody's progress is measured."""
    replay = folded(*TURN, slug="tabletop")
    assert replay.game.scoreboard.progress(replay.table, "A") is None
    assert replay.table.turn == 2


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('title = "W"\nzonen = ["deck"]\n', "wyldwood.toml:2: there is no `zonen`"),
        ("title = W\n", "wyldwood.toml:1:"),
        ('title = "W"\nprogress = { counter = "score", of = 9 }\n', "wyldwood.toml:2: `progress` counts score"),
        ('title = "W"\nzones = ["own"]\n', "has no name"),
        ('counters = ["score"]\n', "it needs `title`"),
        (f'players = [1, 2]\ntitle = "{"W" * 501}"\n', "wyldwood.toml:2: Expected `str` of length <= 500"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, written: str, message: str) -> None:
    """The workspace opens without that game, and what is wrong with its file is known, and where."""
    (tmp_path / "games").mkdir()
    file = tmp_path / "games" / "wyldwood.toml"
    file.write_text(written)
    Log.open(tmp_path / "tabletape.db", create=True).close()
    assert "wyldwood" not in open_games()
    assert game_file_problems()["wyldwood"].startswith(f"{file}:")
    assert message in game_file_problems()["wyldwood"]


@pytest.mark.usefixtures("workspace")
def test_another_workspace_has_other_games(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The games of one workspace are not those of the next."""
    assert "wyldwood" in open_games()
    look_in(tmp_path_factory.mktemp("other"))
    assert "wyldwood" not in open_games()


def test_rounds_are_those_that_the_log_counts(workspace: Path) -> None:
    """Where rounds are written down, turns begin none; where they are not, each player's next turn begins one."""
    assert workspace
    two = [{"type": "round.started"}, *TURN, *TURN, *TURN, {"type": "round.started"}, *TURN, *TURN]
    assert folded(*two).table.round == 2
    assert folded(*TURN, *TURN, *TURN).table.round == 3


def test_draws_that_were_only_counted_tell_what_was_played(workspace: Path) -> None:
    """A card of a deck list that is moved from a hand of unseen cards was drawn, was there, and was played."""
    assert workspace
    draw = {"type": "cards.drawn", "player": "A", "count": 2}
    play = {"type": "card.moved", "player": "A", "card": "A:oak", "from": "hand", "to": "table"}
    replay = folded(LIST, TURN[0], draw, play, {"type": "game.ended", "winner": "A", "reason": "score"})
    assert replay.findings == []
    zones = {name: (len(zone.cards), zone.unseen) for name, zone in replay.table.zones.items() if zone.owner == "A"}
    assert (zones["A/deck"], zones["A/hand"], zones["A/table"]) == ((2, -1), (0, 1), (1, 0))
    rows = [dict(zip(OWN_SCHEMAS["cards"].names, row, strict=True)) for row in rows_of_game(replay).rows["cards"]]
    assert [(row["card"], row["drawn"], row["played"]) for row in rows if row["played"]] == [("oak", 1, 1)]


def test_a_hand_may_be_hidden_from_its_owner_alone(tmp_path: Path) -> None:
    """`others` behind the name of a zone: everybody but its owner may look at the cards there."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "wyldwood.toml").write_text('title = "Wyldwood"\nzones = ["hand others", "table"]\n')
    look_in(tmp_path)
    try:
        table = folded({"type": "cards.drawn", "player": "A", "cards": ["A:oak"]}).table
        assert [table.knows(viewer, table.cards["A:oak"]) for viewer in ("A", "B", "")] == [False, True, False]
    finally:
        look_in(Path(__file__).parent)
