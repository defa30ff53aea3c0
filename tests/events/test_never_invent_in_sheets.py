"""Nothing is invented in a sheet: its games say what stands in their rows, and the rest is left out and named."""

from typing import Any

import pytest

from tabletape.events.importing.maps.documents.foreign import sheet_rows, turned_rows
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.results.ratings import rated_columns
from tabletape.events.importing.maps.results.sheet_rows import COLUMN, HEADING, SheetRows
from tabletape.events.importing.sheets.joined_sheets import SHEET
from tabletape.events.vocabulary import tag_of, vocabulary

SIDES = 'sides = [{ column = "Team A", split = " & " }, { column = "Team B", split = " & " }]\n'
"""The columns of two teams."""


def results(columns: str, sheet: str) -> tuple[list[dict[str, Any]], str]:
    """Return what each game of a sheet says by its columns, and all that is said of the rest."""
    used = read_map(f'map = 1\ngame = "tabletop"\nshape = "results"\n[columns]\n{columns}', "s.map.toml", vocabulary)
    log = MappedLog("s.csv", used, sheet.encode(), FileReading(lambda _: None, "UTC", "s"))
    games = []
    for batch in log.batches():
        events: list[Any] = [event for _, event in batch]
        names = {seat.id: seat.name for seat in events[0].players}
        result = next(event for event in events if tag_of(type(event)) == "result.recorded")
        games.append({
            "players": [*names.values()],
            "won": [names[winner] for winner in result.winners],
            "teams": {names[seat]: team for seat, team in (result.teams or {}).items()},
            "scores": {names[seat]: score for seat, score in (result.scores or {}).items()},
            "said": [event for event in events if tag_of(type(event)) == "feedback.given"],
        })  # fmt: skip
    return games, " ".join([*log.remarks, *(entry.message for entry in log.entries)])


def test_a_dash_in_a_team_is_nobody_and_moves_nobody_into_another_team() -> None:
    """A place that nobody took is none of the players; who stands behind it stays in the own team."""
    sheet = "Team A,Team B,Winner\nAnn & -,Cid & Dan,Team B\n"
    (game,), _ = results(SIDES + 'winner = "Winner"\n', sheet)
    assert game["teams"] == {"Ann": "Team A", "Cid": "Team B", "Dan": "Team B"}
    assert game["won"] == ["Cid", "Dan"]


def test_the_score_of_a_team_is_that_of_its_own_players() -> None:
    """Two players of one team have its score both, though there are as many teams as players."""
    columns = SIDES.replace("]\n", ', "Team C"]\n') + 'scores = ["A", "B", "C"]\nbest = "highest"\n'
    (game,), said = results(columns, "Team A,Team B,Team C,A,B,C\nAnn & Bo,Cid,-,10,7,0\nAnn & Bo,-,,9,8,0\n")
    assert game["scores"] == {"Ann": 10, "Bo": 10, "Cid": 7}
    assert "row 3: fewer than two teams are said to have played" in said


def test_the_score_of_an_empty_team_is_nobodys() -> None:
    """Where the second of three teams is empty, the third has the score beside it, or none."""
    columns = 'sides = ["A", "B", "C"]\nscores = ["SA", "SB", "SC"]\nbest = "highest"\n'
    games, said = results(columns, "A,B,C,SA,SB,SC\nAnn,,Cid,10,50,\nAnn,,Cid,10,50,7\n")
    assert [game["scores"] for game in games] == [{"Ann": 10, "Cid": 7}]
    assert "row 2: nothing says who won: not everybody has a score" in said


def test_a_word_that_several_teams_end_with_is_no_winner() -> None:
    """`Team` means neither the Red nor the Blue Team; `Red Team` and a last word of one team alone do."""
    columns = 'sides = ["Red Team", "Blue Team"]\nwinner = "Winner"\n'
    sheet = "Red Team,Blue Team,Winner\nAnn,Ben,Team\nAnn,Ben,Red Team\n"
    games, said = results(columns, sheet)
    assert [game["won"] for game in games] == [["Ann"]]
    assert "nobody called 'Team' sits at the table" in said


def test_answers_of_two_days_are_about_two_games() -> None:
    """`20 Nov` and `20 Dec` are two days; of one day two times are one, however a form writes them."""
    columns = 'players = { column = "Who", split = " & " }\nwinner = "Winner"\nby = "Name"\ndate = "Date"\n'
    columns += '[columns.feedback]\nfun = "Fun"\n'
    head = "Date,Name,Who,Winner,Fun\n"
    two, _ = results(columns, f"{head}20 Nov 2026,Ann,Ann & Bo,Bo,4\n20 Dec 2026,Bo,Ann & Bo,Bo,2\n")
    assert len(two) == 2
    for first, second in (
        ("20 Nov 2026 19:30", "20 Nov 2026 21:05"),
        ("2026-11-20T19:30:00Z", "2026-11-20T21:05:00Z"),
        ("11/20/2026 7:30:11 PM", "11/20/2026 9:05:00 PM"),
        ("2026/11/20 10:42:11 PM GMT+1", "2026/11/20 11:02:01 PM GMT+1"),
        ("19:30 20 Nov 2026", "21:05 20 Nov 2026"),
    ):
        (one,), _ = results(columns, f"{head}{first},Ann,Ann & Bo,Bo,4\n{second},Bo,Ann & Bo,Bo,2\n")
        assert [event.fun for event in one["said"]] == [4, 2]


def test_who_did_not_play_together_did_not_win_together() -> None:
    """A row that says no to playing together, and won without a name, leaves open who won; it is not all of them."""
    columns = 'players = { column = "Who", split = " & " }\nwon = "Won"\ncooperative = "Together"\n'
    games, said = results(columns, "Who,Won,Together\nAnn & Bo,yes,no\nAnn & Bo,yes,yes\nAnn & Bo,no,\n")
    assert [game["won"] for game in games] == [["Ann", "Bo"], []]
    assert "row 2: they did not play together, and nothing says who of them won" in said


def test_nobody_marked_in_a_game_played_together_is_no_defeat() -> None:
    """All have lost where each is marked so; where nothing stands there, nothing is known."""
    columns = 'group = "Game"\nplayer = "Name"\nwon = "Won"\ncooperative = "Together"\n'
    rows = "1,Ann,,yes\n1,Bo,,yes\n2,Ann,no,yes\n2,Bo,no,yes\n"
    games, said = results(columns, f"Game,Name,Won,Together\n{rows}")
    assert [game["won"] for game in games] == [[]]
    assert "nothing says who won" in said


def test_who_is_marked_as_no_winner_did_not_win_together_with_others() -> None:
    """A game called one of all together has the winners that are marked, where others are marked as none."""
    columns = 'group = "Game"\nplayer = "Who"\nwon = "Won"\ncooperative = "Together"\n'
    sheet = "Game,Who,Won,Together\n1,Ann,yes,yes\n1,Ben,no,yes\n1,Cid,yes,yes\n"
    ((game,), _) = results(columns, sheet)
    assert game["won"] == ["Ann", "Cid"]


def test_teams_that_a_game_did_not_have_are_none() -> None:
    """What is left in the column of teams counts only where a row says that they were played in."""
    columns = 'group = "Game"\nplayer = "Who"\nwon = "Won"\nteam = "Team"\nin_teams = "Teams?"\n'
    sheet = "Game,Who,Won,Team,Teams?\n1,Ann,yes,red,no\n1,Ben,no,blue,no\n2,Ann,yes,red,yes\n2,Ben,no,blue,yes\n"
    (one, other), _ = results(columns, sheet)
    assert (one["teams"], other["teams"]) == ({}, {"Ann": "red", "Ben": "blue"})


def test_a_score_beside_no_player_is_not_given_to_another() -> None:
    """Where each player has a column and each score one, a score without its player is nobody's."""
    columns = 'players = ["P1", "P2", "P3"]\nscores = ["S1", "S2", "S3"]\nwinner = "W"\n'
    (game,), said = results(columns, "P1,S1,P2,S2,P3,S3,W\nAnn,10,,5,Cid,,Ann\n")
    assert game["scores"] == {}
    assert "left out, because there is not one for each player: row 2" in said


def test_a_word_among_scores_is_no_game() -> None:
    """`not finished` beside the scores of some is no game that the others played alone; a dash is nobody's score."""
    columns = 'score_of = ["Ann", "Ben", "Cid"]\nbest = "highest"\n'
    games, said = results(columns, "Ann,Ben,Cid\n4,5,-\n12,,not finished\n")
    assert [game["players"] for game in games] == [["Ann", "Ben"]]
    assert "row 3: `not finished` is no score of Cid" in said


def test_a_column_without_a_heading_has_its_fate() -> None:
    """What stands beside or behind the headings is named as a column that is not read; a title above them is none."""
    _, said = results('players = ["Who", "With"]\nwinner = "Who"\n', "Our games\nWho,With\nAnn,Ben,dry\n")
    assert "1 column not read: (column 3)" in said
    _, said = results('players = ["Who", "With"]\nwinner = "Who"\n', "Who,,With\nAnn,dry,Ben\n")
    assert "1 column not read: (column 2)" in said
    (game,), said = results('players = ["Who", "With"]\nwinner = "Who"\n', "Who,With,Who\nAnn,Ben,Cid\n")
    assert (game["won"], "1 column not read: Who (column 3)" in said) == (["Ann"], True)


def test_a_player_without_a_name_gets_none() -> None:
    """A row of somebody whose name is missing is left over: two games of nobody would be those of one person."""
    columns = 'group = "Game"\nplayer = "Name"\nwon = "Won"\n'
    games, said = results(columns, "Game,Name,Won\n1,,yes\n1,Ben,\n2,Ann,yes\n2,Ben,\n")
    assert [game["players"] for game in games] == [["Ann", "Ben"]]
    assert "row 2: nothing says who one of the players is" in said


def test_one_no_is_no_defeat_of_all() -> None:
    """Where one player is marked and the other is not, nothing says that they lost together."""
    columns = 'group = "Game"\nplayer = "Who"\nwon = "Won"\ncooperative = "Together"\n'
    games, said = results(columns, "Game,Who,Won,Together\n1,Ann,no,yes\n1,Ben,,yes\n2,Ann,no,yes\n2,Ben,no,yes\n")
    assert [game["won"] for game in games] == [[]]
    assert "nobody is marked as the winner" in said


def test_what_stands_behind_the_headings_of_a_turned_sheet_is_a_game() -> None:
    """A row that is longer than the headings has a game without one."""
    rows = [row for _, _, row in turned_rows("Who,Game 1\nAnn,1,2\nBen,3,4\n")]
    assert [(row[COLUMN], row["Ann"], row["Ben"]) for row in rows] == [("Game 1", "1", "3"), ("column 3", "2", "4")]


def test_a_cell_alone_is_a_heading_or_a_game_as_its_sheet_says() -> None:
    """A list of one column is no list of headings, whatever other sheets hold; nor is one behind the first column."""
    sheet = f"{SHEET}one\nWinner\nAnn\nBen\n{SHEET}two\nWho,When,Note\nRound of May\nAnn,1,x\nAnn,,\n,,late\n"
    rows = [row for _, _, row in sheet_rows(sheet)]
    assert rows[1:3] == [{"Winner": "Ann", HEADING: "one"}, {"Winner": "Ben", HEADING: "one"}]
    assert rows[4:] == [
        {HEADING: "Round of May"},
        *(
            {**row, HEADING: "Round of May"}
            for row in ({"Who": "Ann", "When": "1", "Note": "x"}, {"Who": "Ann"}, {"Note": "late"})
        ),
    ]


def test_a_turned_sheet_is_read_whole_or_refused() -> None:
    """Too many columns are refused; in each sheet the rows are counted from its own beginning."""
    wide = ["", *(f"Game {number}" for number in range(1, 400))]
    with pytest.raises(ForeignError, match="the table has 399 columns, and 300 at most are read"):
        [*turned_rows("\n".join((",".join(wide), "Ann" + ",1" * 399)))]
    sheet = "Our games,2026\n\n,Game 1,Game 2\nAnn,1,2\nAnn,3,4\n"
    rows = [row for _, _, row in turned_rows(f"{SHEET}one\n{sheet}{SHEET}two\n{sheet}", 3) if COLUMN in row]
    assert [(row[HEADING], row[COLUMN], row["Ann"], row["Ann (row 5)"]) for row in rows] == [
        (name, *each) for name in ("one", "two") for each in (("Game 1", "1", "3"), ("Game 2", "2", "4"))
    ]


def test_of_several_columns_for_one_question_none_is_that_of_the_game() -> None:
    """`fun Ann` is how much fun Ann had: with a column for each player nobody has said it of the game."""
    one = [{"fun": "4", "fair Ann": "3", "fair Ben": "5"}]
    assert rated_columns(one, set()) == {"fun": "fun"}
    assert rated_columns([{"fun Ann": "4", "fun Ben": "2"}], set()) == {}


@pytest.mark.parametrize("rows", ["\x03x", "\x03x,y", "\x03x," + "9" * 5000, "\x02x\n\x03x"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_text_with_the_sign_of_a_sheet_is_read_like_any_other(rows: str, *, turned: bool) -> None:
    """Whoever writes the characters that part the sheets of a workbook into a file has named a sheet, and no more."""
    text = f'Players,Winner\n"Ann, Ben",Ann\n{rows}\n'
    read = SheetRows([])
    assert list(read.games((turned_rows if turned else sheet_rows)(text)))
    assert [sheet.sentence for sheet in read.sheets if "not read" in sheet.fate] == ["sheet x"]
