"""Proposed maps: whatever a sheet or a document holds, nobody plays in a game of it whom the file does not name."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.preview import preview
from tabletape.events.importing.maps.proposing.survey import with_start
from tabletape.events.importing.maps.proposing.surveying import Said, survey, survey_of
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.writing import map_text
from tabletape.events.vocabulary import vocabulary

NAMES = ("Ann", "Ben", "Cid Lee")
KEYS = (
    *("id", "time", "type", "target", "value", "price", "rotation", "move_id", "n", "Total", "Score", "Round", "Table"),
    *("Fun (1-5)", "Length (minutes)", "How clear was it?", "Military", "Gold", "Team A", "Game 1", "2", "player"),
    *("Winner", "Players", "Result", "Date", "1. Platz", "rank", "P1 score", "Who went first?"),
)
CELLS = st.one_of(st.integers(0, 60), st.sampled_from(["", "yes", "won", "red", "2-1", "2026-05-01", "Total", *NAMES]))
WAYS = (
    lambda played, winner: {"Players": ", ".join(played), "Winner": winner},
    lambda played, winner: {**{f"Player {seat}": name for seat, name in enumerate(played, 1)}, "Winner": winner},
    lambda played, winner: {**{name: 9 - place for place, name in enumerate(played)}, "Winner": winner},
)
"""How a sheet says who played and who won: together, in a column a seat, or in a column a player with the scores."""

Rows = list[dict[str, Any]]
Written = Callable[[Rows], bytes]
Way = Callable[[Sequence[str], str], dict[str, Any]]


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    """Draw the rows of a sheet of results, amid columns of other things; some say nothing about who played."""
    way = draw(st.sampled_from([*WAYS, lambda *_: {}]))
    others = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True))
    found = []
    for _ in range(draw(st.integers(1, 5))):
        played = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=3, unique=True))
        row = {**{key: draw(CELLS) for key in others}, **way(played, draw(st.sampled_from(played)))}
        found.append(row)
    order = draw(st.permutations(list(dict.fromkeys(key for row in found for key in row))))
    return [{key: row.get(key, "") for key in order} for row in found]


def players_of(content: bytes) -> tuple[list[str], int]:
    """Return who plays in the games that a proposal makes of a file, and how many games there are."""
    try:
        seen = survey_of(content, Said())
        accepted = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")] if seen.lines else []
        if not (accepted or "columns" in seen.head) or seen.is_open or seen.open_rows or seen.guessed:
            return [], 0
        used = read_map(map_text(seen, accepted, game="tabletop", edition="x"), "x.map.toml", vocabulary)
        if not preview(used, content, None, "x").tells:
            return [], 0
        games: list[Any] = [*MappedLog("x", used, content, FileReading(lambda _: None)).batches()]
    except TabletapeError:
        return [], 0
    return [seat.name for game in games for seat in game[0][1].players], len(games)


def as_sheet(rows: Rows) -> bytes:
    """Return rows as a sheet."""
    text = io.StringIO()
    csv.writer(text).writerows([list(rows[0]), *(row.values() for row in rows)])
    return text.getvalue().encode()


def as_document(rows: Rows) -> bytes:
    """Return rows as a document."""
    return json.dumps({"moves": rows, "version": 3}).encode()


@pytest.mark.parametrize("written", [as_sheet, as_document])
@pytest.mark.parametrize("way", WAYS)
def test_what_the_properties_draw_is_read(written: Written, way: Way) -> None:
    """Of each way to say who played, games come out, so that the properties speak of something."""
    rows = [way(("Ann", "Ben"), "Ann"), way(("Ben", "Ann"), "Ben")]
    players, games = players_of(written([{"Date": f"2026-05-0{day}", **row} for day, row in enumerate(rows, 1)]))
    assert (sorted(players), games) == (["Ann", "Ann", "Ben", "Ben"], 2)


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from([as_sheet, as_document]))
def test_nobody_plays_whom_a_file_does_not_name(rows: Rows, written: Written) -> None:
    """Who plays stands in a cell, or is a name that heads a column; there are no more games than rows or columns."""
    players, games = players_of(written(rows))
    named = {str(cell) for row in rows for cell in row.values()} | ({*rows[0]} & {*NAMES})
    parts = {part.strip() for name in named for part in name.replace("-", ",").split(",")} | named
    assert {name.rstrip(" 23456") for name in players} <= {part.rstrip(" 23456") for part in parts}
    assert games <= max(len(rows), len(rows[0]))


GAME = ("Ann goes first", "Ann plays Red Fox", "Ben plays Blue Owl", "Ben draws 2 cards", "Ann draws 1 card")


@pytest.mark.parametrize(
    ("heading", "starts"),
    [("Game {}", "Game {n:number}"), ("--- Spiel {} ---", "--- Spiel {n:number} ---"), ("", "{who}")],
)
@pytest.mark.parametrize("end", ["{} wins", "{} wins with 12 points", "{} wins {}"])
def test_each_game_of_a_text_has_its_own_winner(heading: str, starts: str, end: str) -> None:
    """Where headings count the games, or each begins with who begins, nobody wins the games of others."""
    winners = ("Ann", "Ben", "Ann")
    how = ("gladly", "barely", "at last")
    games = [
        [heading.format(number)] * bool(heading) + [*GAME, end.format(who, how[number])]
        for number, who in enumerate(winners)
    ]
    seen = survey_of("\n".join(line for game in games for line in game).encode(), Said())
    assert str(seen.head["starts"]).startswith(starts)
    entries = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, entries, game="tabletop", edition="x"), "x.map.toml", vocabulary)
    content = "\n".join(line for game in games for line in game).encode()
    found = preview(used, content, None, "x")
    assert [game.split("; ")[3] for game in found.games] == [f"{who} won" for who in winners]
    assert not found.ends


@pytest.mark.parametrize(
    "lines",
    [
        (*GAME[:3], "Game 1", *GAME[3:], "Game 2", "Ann wins"),
        ("Game 1", *GAME[1:], "Game 2", *GAME[1:], "Game 3", *GAME[1:], "Ben wins"),
    ],
)
def test_headings_that_may_count_what_one_game_has_part_nothing(lines: Sequence[str]) -> None:
    """Where play goes on over a heading, or only the last of several ends, a person says what the headings count."""
    seen = survey_of("\n".join(lines).encode(), Said())
    assert "starts" not in seen.head
    assert seen.open_start == "Game {n:number}"
    assert with_start(seen, seen.open_start).head["starts"] == "Game {n:number}"


def test_headings_of_games_that_nobody_is_said_to_have_won_part_them() -> None:
    """Without any end, headings are all that tells games apart; what has braces is no heading."""
    lines = [line for number in (1, 2) for line in (f"Game {number}", *GAME[1:])]
    assert survey_of("\n".join(lines).encode(), Said()).head["starts"] == "Game {n:number}"
    braced = "\n".join(lines).replace("Game", "{Game")
    assert "starts" not in survey_of(braced.encode(), Said()).head


def test_names_of_whom_only_the_same_is_told_may_be_players() -> None:
    """One player in a text in which others do the same things is a guess: those are named."""
    lines = [f"{who} plays Red {card}" for card in ("Fox", "Owl", "Elk") for who in ("Ann", "Ben", "Cara")]
    seen = survey_of("\n".join([*lines, "Ben wins the game"]).encode(), Said())
    assert (seen.players, seen.guessed) == (("Ben",), ("Ann", "Cara"))
    assert not survey_of("\n".join(lines).encode(), Said(players=("Ann", "Ben", "Cara"))).guessed


def test_tricks_that_are_won_end_no_game() -> None:
    """Who wins something again and again in one game has not won it; two ends of one game are no proposal."""
    tricks = [
        line
        for n in range(6)
        for line in (*GAME[1:], f"{'Ben' if n % 2 else 'Ann'} wins {('pile', 'heap', 'lot')[n % 3]}")
    ]
    seen = survey_of("\n".join(tricks).encode(), Said())
    assert "starts" not in seen.head
    kinds = proposals(seen, "tabletop")
    assert not [kind for kind in kinds if kind.entry.get("event") == "game.ended"]
    # They may end games that nothing parts: nobody is asked to call them harmless.
    assert [kind.entry["event"] for kind in kinds if "wins" in kind.sentence and kind.is_unsure] == ["log.gap"]
    twice = "\n".join([*GAME, "Ann wins", *GAME[1:], "Ben wins"]).encode()
    seen = survey_of(twice, Said())
    entries = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, entries, game="tabletop", edition="x"), "x.map.toml", vocabulary)
    assert preview(used, twice, None, "x").ends == (6, 11)
    assert not preview(used, twice, None, "x").is_well


@pytest.mark.parametrize(
    ("sheet", "columns"),
    [
        ("Game,Player,Winner\n1,Ann,Y\n1,Ben,\n2,Ann,\n2,Ben,x\n", {"won": "Winner", "player": "Player"}),
        ('Spieler,Sieger,Erweiterung\n"Ann, Ben",Ann,Sturm\n"Ann, Ben",Ben,\n', {"edition": "Erweiterung"}),
        ("Date,Ann,Ben,Note\n1.5.2026,4,7,\n2.5.2026,9,7,\n,,,not finished\n", {"score_of": ["Ann", "Ben"]}),
        ("Date,Ann,Ben,Cy\n1.5.2026,4,7,1\n2.5.2026,not finished,,\n", {"score_of": ["Ann", "Ben", "Cy"]}),
    ],
)
def test_a_sheet_is_read_by_what_stands_below_its_headings(sheet: str, columns: dict[str, Any]) -> None:
    """Marks say who won, an expansion is what was played and fills no row below it, a remark is no game."""
    seen = survey_of(sheet.encode(), Said())
    assert {name: seen.head["columns"].get(name) for name in columns} == columns
    assert "Erweiterung" not in seen.head["columns"].get("fill_down", [])


def test_the_clock_of_a_form_plays_in_no_game() -> None:
    """Of a form that asks nobody who played, `PM GMT+1` is no message of somebody called PM."""
    rows = [f"2026/11/2{n} 9:02:01 PM GMT+1,Ann,Ben,{n},the market was empty" for n in range(4)]
    seen = survey_of("\n".join(["Timestamp,Your name,Who won?,Fun (1-5),What was unclear?", *rows]).encode(), Said())
    assert "PM" not in seen.players
    assert "columns" not in seen.head


def columns_of(sheet: str) -> Any:
    """Return the columns of results that are proposed for a sheet, nothing where none are."""
    return survey_of(sheet.encode(), Said()).head.get("columns", {})


def test_marks_beside_a_text_are_nobody_who_acts() -> None:
    """A column of a table that says true and false names no players, whatever its rows say."""
    rows = "\n".join(f"{n},a remark of some words {n},{'true' if n % 2 else 'false'}" for n in range(8))
    assert survey_of(f"id,comments,newPlayer\n{rows}\n".encode(), Said()).players == ()


def test_remarks_beside_some_rows_of_a_table_are_no_log() -> None:
    """What few rows say in words is told of these, and nobody plays whose name begins several of them."""
    said = {1: "Ann wins at last", 5: "Ann begins", 9: "Ben wins", 13: "Ben draws a card"}
    rows = "\n".join(f"{n},2026,{said.get(n, '')}" for n in range(20))
    assert survey_of(f"id,year,comments\n{rows}\n".encode(), Said()).players == ()


def test_marks_are_no_names_and_names_are_no_marks() -> None:
    """`Y` under *Winner* says who won, unless somebody is called so; `yes` below *Expansion* says not which."""
    sheet = "Game,Player,Winner\n1,Ann,Y\n1,Ben,\n2,Ann,\n2,Ben,Y\n"
    assert columns_of(sheet)["won"] == "Winner"
    assert "won" not in columns_of(sheet.replace("Ben", "Y"))
    sheet = "Players,Winner,Expansion\nAnn & Ben,Ann,Tides\nAnn & Ben,Ben,\n"
    assert columns_of(sheet)["edition"] == "Expansion"
    assert "edition" not in columns_of(sheet.replace("Tides", "yes"))


@pytest.mark.parametrize(
    ("said", "began"),
    [
        (("Ann won the coin toss.",), "nobody is said to have begun"),
        (("Ann won the coin toss.", "Ann chooses to go second"), "Ben began"),
        (("Ann won the coin toss.", "Ann chose to go first"), "Ann began"),
        (("Ann wins the toss and begins",), "Ann began"),
        (("Ann gewinnt den Münzwurf", "Ann spielt zuletzt"), "Ben began"),
    ],
)
def test_who_wins_the_toss_may_choose_to_be_second(said: Sequence[str], began: str) -> None:
    """Only who is said to begin has begun; of two the one begins who does not choose to be second."""
    content = "\n".join([*said, *GAME[1:], "Ann wins"]).encode()
    seen = survey_of(content, Said())
    entries = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, entries, game="tabletop", edition="x"), "x.map.toml", vocabulary)
    (found,) = preview(used, content, None, "x").games
    assert found.split("; ")[1] == began


RESULTS: Final = {
    "en": (
        "plays Owl",
        "draws 2 cards",
        "First player: Ann",
        "Ann beats Ben 12-9",
        "It's a draw 9-9",
        "Game abandoned",
    ),
    "de": (
        "spielt Owl",
        "zieht 2 Karten",
        "Startspieler: Ann",
        "Ann gewinnt 12:9",
        "Unentschieden",
        "Spiel abgebrochen",
    ),
    "fr": ("joue Owl", "pioche 2 cartes", "Ann commence", "Ann a gagné 12 à 9", "Match nul", "Partie interrompue"),
    "es": ("juega Owl", "roba 2 cartas", "Primer jugador: Ann", "Ann gana 12-9", "Empate", "Partida abandonada"),
    "it": ("gioca Owl", "pesca 2 carte", "Ann inizia", "Ann ha vinto (12:9)", "Pareggio", "Partita interrotta"),
    "pt": ("joga Owl", "compra 2 cartas", "Ann começa", "Ann venceu 12 a 9", "Empate", "Jogo interrompido"),
    "nl": ("speelt Owl", "trekt 2 kaarten", "Startspeler: Ann", "Ann wint 12-9", "Gelijkspel 9-9", "Spel afgebroken"),
}


@pytest.mark.parametrize("language", RESULTS)
@pytest.mark.parametrize("end", ["won", "drawn", "abandoned"])
def test_a_result_is_told_in_seven_languages(language: str, end: str) -> None:
    """Who begins, who wins by how much, that nobody does, and that a game was stopped; a victory is no gain."""
    plays, draws, begins, won, drawn, abandoned = RESULTS[language]
    moves = [f"{who} {does}" for does in (plays, draws, plays) for who in ("Ann", "Ben")]
    text = "\n".join((begins, *moves, {"won": won, "drawn": drawn, "abandoned": abandoned}[end]))
    seen = survey(text)
    kinds = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, kinds, game="tabletop", edition="x"), "chat", vocabulary)
    log = MappedLog("chat", used, text.encode(), FileReading(lambda _: None))
    ((_, *events),) = log.events()
    began, *_, told = [msgspec.to_builtins(event) for _, event in events]
    assert (began["type"], began["player"], len(events)) == ("first-player.chosen", "A", 8)
    assert (told["type"], told.get("winner"), told.get("scores")) == {
        "won": ("game.ended", "A", {"A": 12, "B": 9}),
        "drawn": ("game.ended", None, None),
        "abandoned": ("game.abandoned", None, None),
    }[end]


def test_the_first_name_in_a_line_of_dice_is_that_of_a_player() -> None:
    """What a program of a table writes behind it is none, and its rows of blanks are one blank."""
    rolled = "** (TH DR) 5,2 ***   <{}>      [1 / 3   avg   7.00]    (01.86)<Hull>"
    text = "\n".join(rolled.format(who) for who in ("Ann", "Ben", "Ann", "Ben"))
    seen = survey(text)
    assert seen.players == ("Ann", "Ben")
    kinds = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, kinds, game="tabletop", edition="x"), "chat", vocabulary)
    found = preview(used, text.encode(), None, "chat")
    assert (found.left_over, found.events, found.tells) == (0, 0, False)


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Ann draws 1, plays Owl",
            "Ben draws 2, plays Otter",
            "Ann plays Fox, discards Hen",
            "Ben plays Fox and draws 2",
        ),
        (
            "Ann: ziehe 1, spiele Eule",
            "Ben: ziehe 2, spiele Otter",
            "Ann: spiele Wal, ziehe 2",
            "Ben: spiele Ur, ziehe 1",
        ),
    ],
)
def test_a_line_that_says_two_things_is_not_read_as_the_first_alone(lines: Sequence[str]) -> None:
    """What a phrase leaves aside is said by a gap: the second thing is not lost in silence."""
    kinds = proposals(survey_of("\n".join(lines).encode()), "tabletop")
    assert sum(kind.lines for kind in kinds) == len(lines)
    assert {(kind.is_unsure, kind.entry["event"]) for kind in kinds} == {(True, "log.gap")}
