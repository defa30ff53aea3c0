"""Results sheets as people keep them: what is read of each, and what is said of the rest before anything is stored."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import xlsxwriter

from tests.cli.conftest import Tabletape

Rows = Sequence[Sequence[str | int]]

HEADINGS = ["Players", "Winner", "Rain (mm)"]


def write_book(path: Path, sheets: dict[str, Rows]) -> None:
    """Write a workbook."""
    with xlsxwriter.Workbook(str(path)) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        (
            ",Game 1,Game 2\nDate,2026-05-01,2026-05-02\nPlayers,Ann & Ben,Ann & Cid\nWinner,Ann,Cid\n",
            ["turned = true", "s-1: Ann, Ben; nobody is said to have begun; Ann won", "s-2: Ann, Cid;", "Cid won"],
        ),
        (
            "Datum;Spieler;Sieger;Startspieler;Runden;Dauer (Min.);Spaß\n17. Januar 2026;Ann, Ben;Ann;Ben;8;45;4\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "rounds = 8 | minutes = 45.0", "feedback.given  fun = 4"],
        ),
        (
            "Date;Joueurs;Gagnant;Premier joueur;Durée\n3 février 2026;Ann, Ben;Ann;Ben;45\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "minutes = 45.0"],
        ),
        (
            "Fecha;Jugadores;Ganador;Jugador inicial;Duración (min)\n17 de enero de 2026;Ann, Ben;Ann;Ben;45\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "minutes = 45.0"],
        ),
        (
            "Data;Giocatori;Vincitore;Primo giocatore;Durata\n17 gennaio 2026;Ann, Ben;Ann;Ben;45\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "minutes = 45.0"],
        ),
        (
            "Data;Jogadores;Vencedor;Primeiro jogador;Rodadas\n17 de março de 2026;Ann, Ben;Ann;Ben;9\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "rounds = 9"],
        ),
        (
            "Datum;Spelers;Winnaar;Startspeler;Duur\n17 mei 2026;Ann, Ben;Ann;Ben;45\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "minutes = 45.0"],
        ),
        (
            "Date,P1,P1 score,P2,P2 score,P3,P3 score\n2026-05-01,Ann,40,Ben,51,,\n2026-05-02,Ann,44,Ben,31,Cid,50\n",
            ["s-1: Ann, Ben; nobody is said to have begun; Ben won", "s-2: Ann, Ben, Cid;", "Cid won"],
        ),
        (
            "Name,Who,Winner,Fun,Clear? (1-5),Again?,Comments\nAnn,Ann & Bo,Bo,4,3,yes,Hi\nCid,Ann & Bo,Ann,5,9,,\n",
            [
                "feedback.given  player = A | fun = 4 | again = true | text = Hi",
                "1 column not read: Clear? (1-5)",
                "not taken of what players say: row 3 (who said it, `Cid` is none of the players)",
            ],
        ),
        (
            "Game ID,Player,Result,Was it fun?,Was it clear? (1-5)\n1,Ann,Won,5,4\n1,Ben,Lost,2,\n2,Ann,Lost,3,4\n",
            ['player = A | fun = 5 | answers = {"was-it-clear": "4"}', "feedback.given  player = B | fun = 2"],
        ),
        (
            "Datum;1. Platz;2. Platz;3. Platz\n2026-05-01;Ann;Ben;Cid\n2026-05-02;Ben;Cid;\n",
            ["Ann won", 'places = {"A": 1, "B": 2, "C": 3}', "s-2: Ben, Cid;"],
        ),
        (
            "Date | Match | Result\n---|---|---\n2026-05-01 | Ann vs Ben | 2-1\n2026-05-02 | Ann v Ben | 1-1\n",
            ["s-1: Ann, Ben; nobody is said to have begun; Ann won", "s-2: Ann, Ben", "a draw"],
        ),
        (
            "Wyldwood playtests,spring\n\nDate,Players,Winner\n2026-05-01,Ann & Ben,Ann\n",
            ["heading_row = 3", "s-1: Ann, Ben;", "Ann won"],
        ),
        (
            ",2026-05-01,2026-05-08,Total\nAnn,12,8,20\nBen,9,,9\nCid,7,14,21\nWinner,Ann,Cid,\n",
            ["turned = true", 'date = "(column)"', "s-1: Ann, Ben, Cid;", "s-2: Ann, Cid;", "Cid won", "1 row of sums"],
        ),
        (
            "Day,Team A,Team B,score A,score B\n2026-05-01,Ann & Bo,Cid & Dan,10,7\n2026-05-02,Ann & Cid,Bo & Di,5,9\n",
            [
                "Ann and Bo won",
                '"A": 10.0, "B": 10.0, "C": 7.0, "D": 7.0',
                '{"A": "Team A", "B": "Team A", "C": "Team B"',
            ],
        ),
        (
            "Mannschaft 1;Mannschaft 2;Sieger\nAnn/Ben;Cid;2\nAnn/Cid;Ben;Mannschaft 1\n",
            ["s-1: Ann, Ben, Cid; nobody is said to have begun; Cid won", "Ann and Cid won"],
        ),
        (
            "P1,P1 score,P2,P2 score,Starting player\nAnn,12,Ben,9,Ben\nAnn,7,Cid,8,Ann\n",
            ["s-1: Ann, Ben; Ben began; Ann won", "s-2: Ann, Cid; Ann began; Cid won"],
        ),
        (
            "Team A,Team B,Score A,Score B,First player\nAnn & Ben,Cid & Dan,12,9,Cid\n",
            ["s-1: Ann, Ben, Cid, Dan; Cid began; Ann and Ben won"],
        ),
        (
            "Game,Player,Team,Won\n1,Ann,red,yes\n1,Ben,blue,no\n2,Ann,blue,no\n2,Ben,red,yes\n",
            ['teams = {"A": "red", "B": "blue"}'],
        ),
    ],
)
def test_a_sheet_is_read_as_it_is_kept(tabletape: Tabletape, tmp_path: Path, sheet: str, said: list[str]) -> None:
    """Headings in seven languages, seats with scores, places, matches, a score pad, a title above the headings."""
    (tmp_path / "s.csv").write_text(sheet, encoding="utf-8")
    result = tabletape("map", "s.csv", "--propose")
    assert result.exit_code == 0
    assert [each for each in said if each not in result.stdout] == []
    assert "left out" not in result.stdout


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("Player,Military,Science\nAnn,12,8\nBen,9,11\n", "--players Ann,Ben"),
        ("Name,1,2,3,Total\nAnn,4,8,2,14\nBen,6,1,5,12\n", "--players Ann,Ben"),
        ("Name,Age,Height\nAnn,12,150\nBen,19,180\n", "--players Ann,Ben"),
        ("Category,Ann,Ben\nGold,4,12\nFields,8,9\n", "--players Ann,Ben"),
        (",Game 1,Game 2\nBirds,12,8\nFood,9,10\nTotal,21,18\n", "nothing says for certain who played"),
        ('Date,Players,Result\n2026-05-01,"Ann, Ben",lost\n', "whether all who played win or lose together"),
    ],
)
def test_categories_and_rounds_are_no_games(tabletape: Tabletape, tmp_path: Path, sheet: str, said: str) -> None:
    """Rows of players whose columns may be anything are no games of theirs, and a row that is lost has no loser."""
    (tmp_path / "s.csv").write_text(sheet, encoding="utf-8")
    result = tabletape("map", "s.csv", "--propose")
    assert (result.exit_code, said in result.stderr) == (1, True)
    assert not (tmp_path / "s.map.toml").exists()


def test_who_names_the_players_has_their_scores_read(tabletape: Tabletape, tmp_path: Path) -> None:
    """`--players` names columns or rows of scores that are called like nobody; `--encoding` says how to read them."""
    (tmp_path / "pad.csv").write_text("Category,Ann,Ben\nGold,4,12\nFields,8,9\nTotal,12,21\n", encoding="utf-8")
    pad = tabletape("map", "pad.csv", "--players", "Ann,Ben", "--propose").stdout
    assert ["pad-1: Ann, Ben;" in pad, "Ben won" in pad, "2 rows that a total" in pad] == [True] * 3
    (tmp_path / "parts.csv").write_text("Round,Ann,Ben\n1,4,12\n2,8,9\n3,7,2\n", encoding="utf-8")
    unsure = tabletape("map", "parts.csv", "--players", "Ann,Ben", "--propose").stderr
    assert "nothing says whether each row is a game or a part of one" in unsure
    assert "write a row Total below them" in tabletape("map", "parts.csv", stdin=b"\n").stderr
    assert "parts-3: Ann, Ben; nobody" in tabletape("map", "parts.csv", stdin=b"y\n\n").stdout
    (tmp_path / "wide.csv").write_text("Evening,type,cost\nMay,4,9\nJune,8,2\n", encoding="utf-8")
    assert "wide-1: type, cost; nobody" in tabletape("map", "wide.csv", "--players", "type,cost", "--propose").stdout
    (tmp_path / "down.csv").write_text("Name;1;2\nJürgen;4;9\nZoë;8;2\n", encoding="cp850")
    unread = tabletape("map", "down.csv")
    assert (unread.exit_code, "--encoding cp850" in unread.stderr) == (1, True)
    assert "no encoding is called 'rot13'" in tabletape("map", "down.csv", "--encoding", "rot13").stderr
    said = tabletape("map", "down.csv", "--encoding", "cp850", "--players", "Jürgen,Zoë", "--propose").stdout
    assert ['encoding = "cp850"' in said, "down-1: Jürgen, Zoë;" in said, "Zoë won" in said] == [True] * 3
    assert "down.csv: 2 new" in tabletape("import", "down.csv").stdout


def test_all_may_win_or_lose_together(tabletape: Tabletape, tmp_path: Path) -> None:
    """Where a row says won or lost, it is asked whether that is so for all who played; a third word is left over."""
    sheet = (
        'Date,Players,Result\n2026-05-01,"Ann, Ben",won\n2026-05-02,"Ann, Cid",lost\n2026-05-03,"Ann, Cid",stopped\n'
    )
    (tmp_path / "s.csv").write_text(sheet, encoding="utf-8")
    assert "nothing says who won" in tabletape("map", "s.csv", stdin=b"n\n").stderr
    asked = tabletape("map", "s.csv", stdin=b"y\n").stdout
    assert ["Ann and Ben won" in asked, "cooperative = true" in asked] == [True, True]
    assert "row 4: `stopped` is neither won nor lost" in asked
    assert [tabletape("import", "s.csv").exit_code, "cooperative" in tabletape("log", "s-2").stdout] == [1, True]


def test_all_sheets_of_a_workbook_are_read_or_named(tabletape: Tabletape, tmp_path: Path) -> None:
    """A sheet for each evening, whose name is its day, is read; one with other headings is named, as columns are."""
    write_book(
        tmp_path / "book.xlsx",
        {
            "2026-05-01": [HEADINGS, ["Ann, Ben", "Ann", 4], ["Ann, Cid", "Dan", 3]],
            "Shopping": [["what", "who"], ["snacks", "Ann"]],
            "2026-05-08": [HEADINGS, ["Ann, Ben", "Ben", 5], ["Ann, Ben", "Eve", 5]],
        },
    )
    result = tabletape("map", "book.xlsx", "--propose")
    assert 'date = "(heading)"' in result.stdout
    sheets = [" ".join(line.split()) for line in result.stdout.splitlines() if "  sheet " in line]
    assert sheets == [
        "2 games sheet 2026-05-01 1",
        "2 games sheet 2026-05-08 5",
        "2 not read, because the headings are others sheet Shopping (headed what, who) 9",
    ]
    taken = tabletape("import", "book.xlsx", "--zone", "UTC")
    assert "book.xlsx: 2 new" in taken.stdout
    assert "[2026-05-08] row 3: nobody called 'Eve'" in taken.stdout
    assert "1 sheet not read, because the headings are others: Shopping (headed what, who)" in taken.stderr
    assert "1 column not read: Rain (mm)" in taken.stderr
    assert "2026-05-08" in tabletape("log", "book-3").stdout


def test_a_pad_for_each_game_is_a_game_a_sheet(tabletape: Tabletape, tmp_path: Path) -> None:
    """The total is the score of each, whoever plays in which sheet."""
    rows: Rows = [["Gold", 4, 12], ["Fields", 8, 9], ["Woods", 1, 2]]
    write_book(
        tmp_path / "pads.xlsx",
        {
            "Game 1": [["Category", "Ann", "Ben"], *rows, ["Total", 13, 23]],
            "Game 2": [["Category", "Cid", "Dan"], *rows, ["Total", 23, 13]],
        },
    )
    result = tabletape("map", "pads.xlsx", stdin=b"\n")
    assert "pads-1: Ann, Ben; nobody is said to have begun; Ben won" in result.stdout
    assert "pads-2: Cid, Dan; nobody is said to have begun; Cid won" in result.stdout
    assert "6 rows that a total adds up passed over" in result.stdout


@pytest.mark.parametrize(("answer", "day"), [(b"d\n", "2026-01-03"), (b"1\nm\n", "2026-03-01"), (b"\n", "")])
def test_the_order_of_day_and_month_is_asked_once(
    tabletape: Tabletape, tmp_path: Path, answer: bytes, day: str
) -> None:
    """Where no day says it, it is asked about, again where an answer is none; without one the days are left out."""
    (tmp_path / "s.csv").write_text(
        "Date;Players;Winner\n03/01/2026;Ann, Ben;Ann\n05/02/2026;Ann, Ben;Ben\n", encoding="utf-8"
    )
    result = tabletape("map", "s.csv", stdin=answer)
    assert result.stdout.count("In 03/01/2026 the day comes first") == answer.count(b"\n")
    assert ("is the day nothing says" in result.stdout) is (not day)
    tabletape("import", "s.csv", "--zone", "UTC")
    assert day in tabletape("log", "s-1").stdout


def test_a_date_that_cannot_be_read_is_named(tabletape: Tabletape, tmp_path: Path) -> None:
    """The game counts without it."""
    (tmp_path / "s.csv").write_text("Date;Players;Winner\nsome day;Ann, Ben;Ann\n", encoding="utf-8")
    tabletape("map", "s.csv", "--propose")
    taken = tabletape("import", "s.csv")
    assert "1 new" in taken.stdout
    assert "1 time is none that can be read, and left out: `some day`" in taken.stderr


def test_the_row_of_the_headings_may_be_said(tabletape: Tabletape, tmp_path: Path) -> None:
    """Where it is not plain which row names the columns, `--heading-row` says it."""
    (tmp_path / "s.csv").write_text(
        "Group A,Group A,Group A\nPlayers,Winner,Minutes\nAnn & Ben,Ann,40\n", encoding="utf-8"
    )
    assert tabletape("map", "s.csv", "--propose").exit_code == 1
    result = tabletape("map", "s.csv", "--propose", "--heading-row", "2")
    assert "s-1: Ann, Ben; nobody is said to have begun; Ann won" in result.stdout


def test_numbers_from_a_proposal_say_so_until_somebody_has_looked_at_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """A map that `--propose` wrote is marked; without the mark, read again, its games are counted like others."""
    (tmp_path / "s.csv").write_text("Players,Winner\nAnn & Ben,Ann\nAnn & Ben,Ben\n", encoding="utf-8")
    tabletape("map", "s.csv", "--propose")
    tabletape("import", "s.csv")
    tabletape("build")
    assert "Not confirmed: games of s.csv" in tabletape("stats", "matchups").stderr
    map_ = tmp_path / "s.map.toml"
    map_.write_text(map_.read_text(encoding="utf-8").replace("proposed = true\n", ""), encoding="utf-8")
    assert "2 unchanged" in tabletape("import", "--remap").stdout
    assert "Not confirmed" not in tabletape("stats", "matchups").stderr


def test_results_of_a_game_of_ones_own_are_its_own(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`import` says how its game is begun, `rules new` begins it by its name alone, and `map` asks for the name."""
    (tmp_path / "s.csv").write_text("Players,Winner\nAnn & Ben,Ann\n", encoding="utf-8")
    assert "`--game NAME` behind it, which `tabletape rules new NAME` begins" in tabletape("import", "s.csv").stderr
    assert "games/mill-pond.toml: begun, without a rule" in tabletape("rules", "new", "mill-pond").stdout
    assert (tmp_path / "games" / "mill-pond.toml").read_text(encoding="utf-8").startswith('title = "Mill Pond"\n')
    tabletape("rules", "new", "tea-house")
    monkeypatch.setattr("tabletape.cli.map_.is_at_terminal", lambda: True)
    tabletape("map", "s.csv", "--propose", stdin="Mill Pond\n")
    assert 'game = "mill-pond"' in (tmp_path / "s.map.toml").read_text(encoding="utf-8")
    tabletape("map", "s.csv", "--propose", "--force", stdin="Will-o'-Wisps\n")
    assert 'game = "will-o-wisps"' in (tmp_path / "s.map.toml").read_text(encoding="utf-8")


def test_the_columns_of_a_sheet_with_other_headings_are_asked_for(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter takes what is likely, a number or a heading another column; what is neither is asked again."""
    sheet = "when,who,best,lead\n2026-10-23,Mara; Tom,Tom,Mara\n2026-10-24,Tom; Elke,Tom,Elke\n"
    (tmp_path / "s.csv").write_text(sheet, encoding="utf-8")
    assert tabletape("map", "s.csv", "--game", "tabletop").exit_code == 1
    monkeypatch.setattr("tabletape.cli.terminal.sheet_columns.is_at_terminal", lambda: True)
    asked = tabletape("map", "s.csv", "--game", "tabletop", stdin="\n9\n4\nbest\n" + "\n" * 9)
    assert asked.exit_code == 0
    assert asked.stdout.count("Who won?") == 2
    assert "Mara, Tom; Tom began; Mara won" in asked.stdout


def test_a_sheet_that_names_another_game_is_no_version_of_the_game_whose_map_fits(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """The headings are the same, and the sheet says itself that it is of another game."""
    for name, game in (("gulls", "Gull Ferry"), ("lantern", "Lantern Harbour")):
        rows = f"date,game,players,scores,winner\n2026-11-01,{game},Ann; Ben,12; 9,Ann\n"
        (tmp_path / f"{name}.csv").write_text(rows, encoding="utf-8")
    tabletape("map", "gulls.csv")
    assert tabletape("import", "gulls.csv").exit_code == 0
    asked = tabletape("import", "lantern.csv")
    assert asked.exit_code != 0
    assert "nobody has said yet what its columns mean" in asked.output
    tabletape("map", "lantern.csv")
    assert tabletape("import", "lantern.csv").exit_code == 0
    assert "lantern-1  lantern-harbour  unknown" in tabletape("games").output


def test_a_second_sheet_of_the_same_game_is_read_as_the_first(tabletape: Tabletape, tmp_path: Path) -> None:
    """Its map is the first one's, for both name the same game."""
    for name, day in (("may", "2026-05-01"), ("june", "2026-06-01")):
        rows = f"date,game,players,scores,winner\n{day},Gull Ferry,Ann; Ben,12; 9,Ann\n"
        (tmp_path / f"{name}.csv").write_text(rows, encoding="utf-8")
    tabletape("map", "may.csv")
    assert tabletape("import", "may.csv", "june.csv").exit_code == 0
    assert tabletape("games").output.count("gull-ferry  unknown") == 2
