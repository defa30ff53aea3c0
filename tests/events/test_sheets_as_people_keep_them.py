"""Sheets of results as people keep them: what stands in them is read or named, and nothing is made of the rest."""

import io
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tabletape.events.importing.maps.documents.foreign import document_of, fits, sheet_of
from tabletape.events.importing.maps.documents.trees import ForeignError, Tree, text_of
from tabletape.events.importing.maps.fates import NOT_READ_FATE
from tabletape.events.importing.maps.finding import fitting_map, shipped_maps
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import NEW_GAME
from tabletape.events.importing.maps.proposing.column_names import tells_results
from tabletape.events.importing.maps.proposing.preview import Preview, preview
from tabletape.events.importing.maps.proposing.surveying import survey_of
from tabletape.events.importing.maps.results.reading import ResultsReader
from tabletape.events.importing.maps.schema import Column
from tabletape.events.importing.maps.writing import map_text
from tabletape.events.importing.sheets.joined_sheets import LEFT_OUT, SHEET, NumberedSheet, joined
from tabletape.events.templates.results_sheet import COLUMNS
from tabletape.events.vocabulary import vocabulary

FORM = """\
Zeitstempel;Dein Name;Wer hat gewonnen?;Mitspieler;Wie viel Spaß hat es gemacht? (1-5);Anmerkungen
03.01.2026 20:11:02;Anna;Anna;Anna, Bernd;5;toll
03.01.2026 20:12:44;Bernd;Anna;Anna, Bernd;3;
"""
"""What two people say of one game."""


def read(sheet: str) -> Preview:
    """Return what the proposed map of a sheet makes of it."""
    written = map_text(survey_of(sheet.encode()), [], game="tabletop", edition="x")
    return preview(read_map(written, "s.map.toml", vocabulary), sheet.encode(), None, "s")


@pytest.mark.parametrize(
    "heading", ["role", "Roles", "deck", "decks", "Faction", "characters", "class", "Rollen", "Volk"]
)
def test_what_each_player_played_is_read_and_said_before_it_is_stored(heading: str) -> None:
    """Whatever it is called, one or several: the preview says the roles and the fun of the rows that it asks about."""
    rows = "Ilse; Tom,Smuggler; Warden,Ilse,14; 11,7\nTom; Ilse,Warden; Smuggler,Tom,9; 8,6\n"
    found = read(f"players,{heading},winner,points,fun\n{rows}")
    assert "Ilse 14, Tom 11; Ilse: Smuggler, Tom: Warden; fun 7 of 10;" in found.games[0]
    assert NOT_READ_FATE not in {fate.fate for fate in found.fates}


def test_what_is_said_of_players_by_name_or_in_columns_of_their_own_is_theirs() -> None:
    """Parts of a cell that begin with the names are told apart by these, in whatever order; `-2` keeps its sign."""
    named = 'players,winner,roles,points\n"Ilse, Tom",Ilse,"Tom: Warden, Ilse: Smuggler","Tom -2, Ilse 14"\n'
    assert "Ilse 14, Tom -2; Ilse: Smuggler, Tom: Warden;" in read(named).games[0]
    seats = "Player 1,Player 1 role,Player 2,Player 2 role,Winner\nIlse,Smuggler,Tom,Warden,Ilse\n"
    assert "Ilse: Smuggler, Tom: Warden;" in read(seats).games[0]
    others = "players,winner,decks\nIlse; Tom,Ilse,Tomb; Ilsebill\n"
    assert "Ilse: Tomb, Tom: Ilsebill;" in read(others).games[0]


@pytest.mark.parametrize(
    ("sheet", "games", "first"),
    [
        (
            "Joueurs;Gagnant;Durée;Score\nAnne et Bruno;Anne;45 min;12-9\nAnne et Zoé;Zoé;1h05;10-14\n",
            ["s-1: Anne, Bruno; nobody is said to have begun; Anne won", "s-2: Anne, Zoé;"],
            'minutes = 45.0 | scores = {"A": 12.0, "B": 9.0}',
        ),
        (
            # The scores are not those of the players in their order: the winner has fewer, and then more.
            "Players;Winner;Score\nAnn, Ben;Ann;12-9\nAnn, Cem;Cem;14-10\n",
            ["s-1: Ann, Ben;", "s-2: Ann, Cem;"],
            'result.recorded  winners = ["A"]',
        ),
        (
            "Game,Player,Place,Points\n1,Ann,1,12\n1,Ben,2,9\n2,Ann,2,3\n2,Ben,1,4\n",
            ["s-1: Ann, Ben; nobody is said to have begun; Ann won", "s-2: Ann, Ben; nobody is said"],
            'scores = {"A": 12.0, "B": 9.0} | places = {"A": 1, "B": 2}',
        ),
        (
            'Players,Winner,Together\n"Ann, Ben","Ann, Ben",yes\n"Ann, Ben",nobody,yes\n',
            ["s-1: Ann, Ben; nobody is said to have begun; Ann and Ben won", "s-2: Ann, Ben; nobody is said"],
            "cooperative = true",
        ),
        (
            FORM,
            ["s-1: Anna, Bernd; nobody is said to have begun; Anna won; Anna: fun 5; “toll”; Bernd: fun 3; dated"],
            'result.recorded  winners = ["A"]',
        ),
        (
            "Game;Fen\nVersion;0.3\n\nDate;Players;Winner\n2026-01-03;Ann, Ben;Ann\n2026-01-04;Ann, Ben;Ben\n",
            ["s-1: Ann, Ben;", "s-2: Ann, Ben;"],
            'result.recorded  winners = ["A"]',
        ),
    ],
)  # fmt: skip
def test_what_stands_in_a_sheet_is_read_and_nothing_else(sheet: str, games: list[str], first: str) -> None:
    """Durations in words, lists of scores, places, games played together, answers of two, rows above the headings."""
    found = read(sheet)
    assert [len(found.games), found.entries] == [len(games), ()]
    assert [each for each, game in zip(games, found.games, strict=True) if not game.startswith(each)] == []
    assert first in " ".join(found.first)
    assert ("scores" in " ".join(found.first)) == ("scores" in first)


@pytest.mark.parametrize(
    "content",
    [
        "game,player,won\n1,Ann,3\n1,Ben,1\n2,Ann,2\n2,Ben,1\n",
        "Game,Player,Place\n1,Ann,4\n1,Ben,1\n1,Cem,9\n",
        "Game,Player,Place\n1,Ann,2\n1,Ben,3\n",
        '{"games": [{"players": [{"name": "Ann", "won": 3}, {"name": "Ben", "won": 1}]}]}',
        '{"games": [{"players": [{"name": "Ann", "rank": 1}, {"name": "Ben", "rank": 7}]}]}',
    ],
)
def test_how_much_somebody_won_does_not_say_who_won_the_game(content: str) -> None:
    """Rounds, tricks and numbers that are no places of the players of a game make nobody the winner."""
    assert "columns" not in survey_of(content.encode()).head


def test_places_with_ties_say_who_won() -> None:
    """Who shares the second place leaves out the third, or does not; a mark of 0 or 1 is none of a place."""
    for last in ("4", "3"):
        found = read(f"Game,Player,Place\n1,Ann,1\n1,Ben,2\n1,Cem,2\n1,Dan,{last}\n")
        assert [game.partition("; ")[2] for game in found.games] == ["nobody is said to have begun; Ann won; 2 events"]
    marked = read("Game,Player,Won\n1,Ann,0\n1,Ben,1\n2,Ann,1\n2,Ben,0\n")
    assert [" ".join(game.split("; ")[2:3]) for game in marked.games] == ["Ben won", "Ann won"]


def test_the_sheet_with_the_results_is_read_whatever_stands_before_it() -> None:
    """A workbook begins with the cards of the game: its sheet is named, not read."""
    cards = NumberedSheet("Cards", {1: ["Card", "Cost"], 2: ["Owl", "3"], 3: ["Fox", "2"]})
    results = NumberedSheet("Games", {1: ["Players", "Winner"], 2: ["Ann, Ben", "Ann"]})
    text = joined([cards, results], tells_results).decode()
    assert text.startswith(f'{SHEET}Games\r\nPlayers,Winner\r\n"Ann, Ben",Ann')
    assert f'"{LEFT_OUT}Cards (headed Card, Cost)",3' in text


def test_letters_of_another_encoding_are_no_names() -> None:
    """`Jörg` as DOS wrote it is asked about, and not taken for `J”rg`; a quotation is none of it."""
    with pytest.raises(ForeignError, match="--encoding cp850"):
        text_of("Jörg wins\n".encode("cp850"))
    assert text_of("Ann says „hi” to Zoé\n".encode("cp1252")) == "Ann says „hi” to Zoé\n"


def test_plays_without_players_are_still_plays_of_their_program(tmp_path: Path) -> None:
    """Who logs plays alone names nobody: each is left over with that reason, and no card is taken for a player."""
    play = '<play id="{n}" date="2026-01-0{n}" length="0" incomplete="0" nowinstats="0"><item name="Fen"/></play>'
    content = f"<plays>{''.join(play.format(n=n) for n in (1, 2))}</plays>".encode()
    used = fitting_map(tmp_path / "plays.xml", content, None)
    assert used is not None
    found = preview(used, content, None, "plays")
    assert found.games == ()
    assert [entry.message for entry in found.entries] == [f"play[{n}]: nobody is said to have played" for n in (0, 1)]


def test_numbers_of_a_workbook_are_those_that_it_shows() -> None:
    """A workbook keeps 1 as 1.0: game numbers and places are whole all the same, so that rows of players are read."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet()
        rows = [
            ("Game", "Player", "Score", "Place"),
            (1, "Ann", 12, 2),
            (1, "Ben", 17, 1),
            (2, "Ann", 9.5, 1),
            (2, "Ben", 4, 2),
        ]
        for line, row in enumerate(rows):
            sheet.write_row(line, 0, row)
    assert sheet_of(content.getvalue()).decode().splitlines()[1:4] == ["1,Ann,12,2", "1,Ben,17,1", "2,Ann,9.5,1"]


@pytest.mark.parametrize("heading", ["Score", "Scores", "Punktestand"])
def test_scores_that_contradict_a_winner_are_named_with_their_row(heading: str) -> None:
    """Whose scores they are nothing says then, and what is left out says why; scores that fit are read."""
    sheet = f"Players;Winner;{heading}\nAnn, Ben;Ann;31-24\nAnn, Cem;Ann;20-14\nAnn, Ben;Ben;19-12\n"
    seats = sheet.replace("Players;", "Player 1;Player 2;").replace(", ", ";")
    for written in (sheet, seats):
        seen = survey_of(written.encode())
        assert seen.left_out.startswith(f"{heading} is not read, because at least one row contradicts the winner: Ann")
        assert "scores" not in seen.head["columns"]
        seen = survey_of(written.replace("19-12", "12-19").encode())
        assert (seen.left_out, seen.head["columns"]["scores"]) == ("", {"column": heading, "split": "-"})
    together = f'Players,Winner,Together,{heading}\n"Ann, Ben","Ann, Ben",yes,31\n'
    assert survey_of(together.encode()).head["columns"]["scores"] == heading
    mixed = survey_of(f'{together}"Ann, Ben",Ben,no,4-9\n'.encode())
    assert mixed.head["columns"]["scores"] == {"column": heading, "split": "-"}


@pytest.mark.parametrize("clock", ["", " 19:30"])
def test_a_day_that_is_another_day_of_the_week_is_left_out_and_named(clock: str) -> None:
    """The 14th of March 2026 is a Saturday: which of the two is meant by who writes Monday nobody knows."""
    sheet = f"Date;Players;Winner\nSaturday, 14 March 2026{clock};Ann, Ben;Ann\n"
    assert ["dated 2026-03-14" in game for game in read(sheet).games] == [True]
    wrong = read(sheet.replace("Saturday", "Montag"))
    assert ["dated" in game for game in wrong.games] == [False]
    assert [each.rpartition(": ")[2] for each in wrong.remarks] == ["`Montag, 14 March 2026` is a Saturday"]


def test_a_hidden_sheet_is_called_so() -> None:
    """What is read, or not, of a sheet that nobody sees in the workbook says where it stands."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        for name, rows in (
            ("Games", [("Players", "Winner"), ("Ann, Ben", "Ann")]),
            ("Old", [("Players", "Winner"), ("Ann, Ben", "Ben")]),
            ("Costs", [("Card", "Cost"), ("Owl", 3)]),
        ):
            sheet = book.add_worksheet(name)
            for line, row in enumerate(rows):
                sheet.write_row(line, 0, row)
            if name != "Games":
                sheet.very_hidden() if name == "Costs" else sheet.hide()
    assert [kind.sentence for kind in read(sheet_of(content.getvalue()).decode()).fates[:3]] == [
        "sheet Games",
        "sheet Old (hidden)",
        "sheet Costs (hidden) (headed Card, Cost)",
    ]


def test_a_form_in_german_is_read_by_its_questions() -> None:
    """Which game it was, who played and who won are asked in whole sentences."""
    asked = "Zeitstempel;Welches Spiel?;Wer hat mitgespielt?;Wer hat gewonnen?;Wie lange hat es gedauert?"
    answers = "14.11.2026 21:03:11;Hafen;Anna, Bernd;Bernd;45 Minuten\n20.11.2026 22:03:11;Hafen;Anna, Jo;Jo;60 min\n"
    shown = read(f"{asked}\n{answers}")
    assert [game.partition("; ")[0] for game in shown.games] == ["s-1: Anna, Bernd", "s-2: Anna, Jo"]


EVENINGS = """\
date,players,winner,ann,ben,cem,fun
2026-08-07,Ann; Ben; Cem,Ann,31,24,19,7
2026-08-14,Ben; Cem,Cem,,22,25,4
2026-08-21,Ann; Ben,Ben,33,22,,9
2026-08-28,Ann; Ben; Cem,Ben,2,1,3,9
2026-09-04,Ann; Ben; Cem,Ann; Ben,30,30,12,8
"""


def test_columns_called_like_the_players_hold_their_scores() -> None:
    """Of a row whose winner has neither the most nor the fewest they are left out, and so are places from 1 on."""
    fates = [each.fate for each in read(EVENINGS).fates]
    assert (fates.count("score"), fates[-1], NOT_READ_FATE in fates) == (3, "fun-of-10", False)
    used = read_map(map_text(survey_of(EVENINGS.encode()), [], game="tabletop", edition="x"), "s.map.toml", vocabulary)
    reader = ResultsReader(document_of(used, EVENINGS.encode()), used.written)
    scores = [each.fields.get("scores") for each in reader.games()]
    assert scores == [
        {"A": 31, "B": 24, "C": 19},
        {"A": 22, "B": 25},
        {"A": 33, "B": 22},
        None,
        {"A": 30, "B": 30, "C": 12},
    ]
    wrong = EVENINGS.replace("Ann; Ben; Cem,Ann,31", "Ann; Ben; Cem,Ben,31").encode()
    reader = ResultsReader(document_of(used, wrong), used.written)
    assert "scores" not in next(reader.games()).fields
    assert any("neither the most nor the fewest: row 2" in each for each in reader.passed_over())


def test_marks_up_to_ten_are_no_marks_up_to_five() -> None:
    """They are kept as the answer to a question of their own: 4 of 10 would be 4 of 5 else."""
    written = map_text(survey_of(EVENINGS.encode()), [], game="tabletop", edition="x")
    assert 'fun-of-10 = "fun"' in written
    assert 'fun = "fun"' in map_text(
        survey_of(EVENINGS.replace(",9\n", ",5\n").replace(",7\n", ",3\n").replace(",8\n", ",2\n").encode()),
        [], game="tabletop", edition="x",
    )  # fmt: skip


def test_a_sheet_with_more_in_it_than_the_template_is_asked_about() -> None:
    """The shipped map reads its own sheet, with a column more, and others without one that it does not know."""
    (used,) = [each for each in shipped_maps() if each.name.startswith("results-sheet")]

    def share(sheet: str) -> float:
        return fits(used, Tree(sheet.encode()))

    assert share(EVENINGS) == 0
    assert share("\n".join(line.rpartition(",")[0] for line in EVENINGS.splitlines())) > 0.5
    whole = ",".join(name for name, _ in COLUMNS)
    row = "wist,1,2026-05-01,Ann; Ben,a; b,Ann,Ann,x; y,no,points,1,2,3,4; 5,1; 2,well"
    assert share(f"{whole},mood\n{row},good\n") == 1


def test_a_game_that_nobody_knows_is_begun_by_the_sheet_that_names_it() -> None:
    """It is told once for a game; numbers of games, and a table without a game, begin none."""
    one = read("Game,Version,Players,Winner\nLantern,v1,Ann; Ben,Ann\nLantern,v2,Ann; Ben,Ben\n")
    assert [each for each in one.remarks if "is new here" in each] == [NEW_GAME.format("Lantern", "lantern")]
    several = read("Game,Players,Winner\nLantern,Ann; Ben,Ann\nTide,Ann; Ben,Ben\n")
    assert sum("is new here" in each for each in several.remarks) == 2
    counted = read("Game,Players,Winner\nGame 1,Ann; Ben,Ann\nGame 2,Ann; Ben,Ben\n")
    assert not any("is new here" in each for each in counted.remarks)
    assert not any("is new here" in each for each in read("Game,Players,Winner\n1,Ann; Ben,Ann\n").remarks)


def test_names_parted_by_semicolons_in_some_rows_and_by_commas_in_others_are_all_read() -> None:
    """But where a cell has both, the comma stands within a name."""
    columns = survey_of(b'players,winner\n"Ann, Ben",Ann\nAnn; Cem,Cem\n').head["columns"]
    assert columns["players"] == {"column": "players", "split": [";", ","]}
    columns = survey_of(b'players,winner\n"Lee, Ann; Roe, Ben","Lee, Ann"\n').head["columns"]
    assert columns["players"] == {"column": "players", "split": ";"}


def test_marks_of_each_player_in_one_cell_are_read_like_the_points() -> None:
    """Each is said by its player, gaps by nobody; what does not fit the players is named, and what is no mark too."""
    heading = "players,points,winner,fun\n"
    rows = "Ann; Ben,3; 5,Ben,4; 2\nAnn; Ben; Cem,9; 5; 1,Ann,5; 3; 1\nBen; Cem,2; 1,Ben,3\nAnn; Cem,2; 4,Cem,\n"
    used = read_map(
        map_text(survey_of((heading + rows).encode()), [], game="tabletop", edition="x"), "s.map.toml", vocabulary
    )
    assert used.written.columns is not None
    assert used.written.columns.feedback == {"fun": Column(column="fun", split=";")}

    def games(rows: str) -> tuple[list[tuple[Any, ...]], list[str]]:
        reader = ResultsReader(document_of(used, (heading + rows).encode()), used.written)
        read = [each.feedback for each in reader.games()]
        return read, [*reader.passed_over()]

    read, remarks = games(rows)
    assert read[0] == ({"fun": 4, "player": "A"}, {"fun": 2, "player": "B"})
    assert [len(each) for each in read] == [2, 3, 0, 0]
    assert remarks == ["left out, because there is not one for each player: row 4 (1 fun mark for 2 players)"]
    read, remarks = games("Ann; Ben; Cem,9; 5; 1,Ann,5; ; 1\nAnn; Ben,3; 5,Ben,; 2\n")
    assert [[(each["player"], each["fun"]) for each in game] for game in read] == [[("A", 5), ("C", 1)], [("B", 2)]]
    assert not remarks
    read, remarks = games("Ann; Ben,3; 5,Ben,4; 9\n")
    assert read == [({"fun": 4, "player": "A"},)]
    assert remarks == ["not taken of what players say: row 2 (fun `9`)"]


@pytest.mark.parametrize(
    ("heading", "rows", "columns"),
    [
        ("fun", ["Ann B 4; Cem 2", "Cem 5", "", "Zoe 1"], Column(column="fun", split=";")),
        ("fun Ann B,fun Cem", ["4,2", ",5", ",", ","], ["fun Ann B", "fun Cem"]),
    ],
)
def test_marks_that_name_their_players_are_read_of_those_who_gave_one(
    heading: str, rows: list[str], columns: Any
) -> None:
    """In one cell or in a column for each, whoever sits first; what somebody says who did not play is named."""
    seats = ["Ann B; Ann; Cem", "Cem; Ann B; Ann", "Ann; Cem; Ann B", "Ann B; Ann; Cem"]
    lines = [f"{who},Cem,{marks}" for who, marks in zip(seats, rows, strict=True)]
    content = f"players,winner,{heading}\n{chr(10).join(lines)}\n".encode()
    used = read_map(map_text(survey_of(content), [], game="tabletop", edition="x"), "s.map.toml", vocabulary)
    assert used.written.columns is not None
    assert used.written.columns.feedback == {"fun": columns}
    reader = ResultsReader(document_of(used, content), used.written)
    games = [({each.id: each.name for each in game.players}, game.feedback) for game in reader.games()]
    assert [[(names[each["player"]], each["fun"]) for each in said] for names, said in games] == [
        [("Ann B", 4), ("Cem", 2)],
        [("Cem", 5)],
        [],
        [],
    ]
    left = "left out, because there is not one for each player: row 5 (1 fun mark for 3 players)"
    assert [*reader.passed_over()] == ([left] if heading == "fun" else [])


@pytest.mark.parametrize("cells", ["4.5; 2", "70; 2", "good; bad", "4; 2; 1"])
def test_what_is_no_mark_of_each_player_is_not_read_as_one(cells: str) -> None:
    """The column is named as one that is not read."""
    shown = read(f"players,winner,fun\nAnn; Ben,Ann,{cells}\nBen; Ann,Ann,{cells}\n")
    assert "1 column not read: fun" in shown.remarks


def test_marks_to_ten_of_each_player_are_a_question_of_their_own() -> None:
    """Whatever the column is called beside its word for fun."""
    seen = survey_of(b"players,winner,fun per player\nAnn; Ben,Ann,8; 4\nBen; Ann,Ann,7; 10\n")
    assert seen.head["columns"]["feedback"] == {"fun-of-10": {"column": "fun per player", "split": ";"}}
