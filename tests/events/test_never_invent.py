"""Nothing is invented: what a map makes of a file is what stands in it, and the rest is left out and named."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.documents.foreign import sheet_rows, turned_rows
from tabletape.events.importing.maps.documents.trees import ForeignError, in_utf8, is_encoding
from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.surveying import Survey, survey
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.results.sheet_rows import COLUMN, HEADING, SheetRows
from tabletape.events.importing.maps.seating import owners_of
from tabletape.events.importing.programs.tabletop_simulator import read
from tabletape.events.importing.sheets.joined_sheets import SHEET
from tabletape.events.log import Log
from tabletape.events.vocabulary import tag_of, vocabulary
from tabletape.events.vocabulary.open_games import look_in, looked_in
from tabletape.events.vocabulary.tabletop import CardMoved
from tests.events.test_maps import CHAT, chat, mapped, vassal

SWAP = """
title = "Swap"
[turn]
order = "left"
says = "In turns."
cite = "1"
[move.wait]
sentence = "{player} waits"
[move.trade]
sentence = "{player} trades {player3} {player2}"
fields.player3 = "other player"
fields.player2 = "other player"
[end.never]
that = "no(players)"
winner = "players"
says = "It goes on."
cite = "2"
"""

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


@pytest.mark.parametrize(
    ("more", "content"),
    [("", vassal("LOG\tCHAT* Ann wins")), ('encoding = "cp850"\n', "Bärbel wins\r\n".encode("cp850"))],
)
def test_a_map_called_like_its_file_reads_it_whatever_its_bytes_are(tmp_path: Path, more: str, content: bytes) -> None:
    """A zipped Vassal log and a file in an old encoding are texts, too."""
    (tmp_path / "one.map.toml").write_text(CHAT.replace("[[line]]", f"{more}[[line]]", 1), encoding="utf-8")
    (tmp_path / "two.map.toml").write_text(CHAT, encoding="utf-8")
    used = fitting_map(tmp_path / "one.vlog", content, None)
    assert used is not None
    assert Path(used.name).name == "one.map.toml"
    report = tmp_path / "three.vlog"
    assert fitting_map(report, b"\x89PNG\0\0\0\0", None) is None


def test_an_encoding_is_one_that_files_can_be_in() -> None:
    """Every encoding of letters is one; what Python keeps in the same place and is none is refused by its name."""
    assert all(map(is_encoding, ("cp850", "UTF-8", "latin 1", "hz", "tis-620", "iso2022_jp", "mac_roman")))
    others = ("punycode", "idna", "unicode_escape", "raw-unicode-escape", "base64", "rot13", "undefined", "a\0b", "")
    assert not any(map(is_encoding, (*others, "x" * 5000, "../x")))
    with pytest.raises(ForeignError, match="no encoding is called 'base64'"):
        in_utf8(b"Ann", "base64")


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
    assert "left out, because it is not one for each player: row 2" in said


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


def test_a_player_is_called_by_an_alias_and_is_no_other_player() -> None:
    """What `[players]` calls somebody is the same person, whoever says so: a seat, a row, or only the words."""
    known = '[players."Ann"]\naliases = ["annie"]\n[players."Ben"]\n'
    for text in ("annie sits down\nBen sits down\nannie wins\n", "annie plays Lamp\nBen wins\n"):
        events, log = mapped(chat(known), text)
        head: Any = events[0]
        assert [seat.name for seat in head.players] == ["Ann", "Ben"]
        assert not log.entries or "sits down" not in log.entries[0].message
    rows = 'map = 1\ngame = "tabletop"\nshape = "json"\nrows = "."\ntext = "what"\nplayer = "who"\n'
    rows += '[[line]]\nis = "wins"\nevent = "game.ended"\nwith = { winner = "{other}", reason = "won" }\n' + known
    said = [{"who": who, "what": what} for who, what in (("Ben", "waits"), ("annie", "wins"))]
    log = MappedLog(
        "r", read_map(rows, "r.map.toml", vocabulary), json.dumps(said).encode(), FileReading(lambda _: None)
    )
    (batch,) = log.batches()
    found: list[Any] = [event for _, event in batch]
    assert [seat.name for seat in found[0].players] == ["Ben", "Ann"]
    assert found[-1].winner == "A"


def test_a_name_is_its_owners_whatever_others_are_called_besides() -> None:
    """An alias that is the name of another player is that player."""
    known = '[players."Ben"]\n[players."Ann"]\naliases = ["Ben"]\n'
    events, _ = mapped(chat(known), "Ben sits down\nAnn sits down\nBen wins\n")
    ended: Any = events[-1]
    assert ended.winner == "A"


def test_a_harmless_line_changes_the_event_above_whole_or_not_at_all() -> None:
    """Where one of the values of a line below has no place in the event above, none of them is taken."""
    below = '[[line]]\nunder = "at {nowhere} to {to}"\nharmless = true\n'
    events, _ = mapped(chat(below), "Ann sits down\nBen sits down\nAnn plays Owl\nat once to deck\n")
    moved: Any = next(event for event in events if tag_of(type(event)) == "card.moved")
    assert moved.to == "table"


def test_a_game_starts_within_a_document_as_its_map_says() -> None:
    """The sentence of `[document]` parts its games; one that cannot be read is refused with its line."""
    written = CHAT.replace(
        "[[line]]", '[document]\nshape = "json"\nrows = "."\ntext = "t"\nstarts = "A game of {}"\n[[line]]', 1
    )
    with pytest.raises(MapError, match=r"s.map.toml:\d+: "):
        read_map(written, "s.map.toml", vocabulary)
    used = read_map(written.replace("{}", "{what}"), "s.map.toml", vocabulary)
    said = [f"{who} {does}" for who in ("Ann", "Ben") for does in ("sits down", "wins")]
    said = ["A game of owls", *said[:2], "A game of foxes", *said[2:]]
    content = json.dumps([{"t": each} for each in said]).encode()
    assert len([*MappedLog("s", used, content, FileReading(lambda _: None, "UTC", "s")).batches()]) == 2


def test_an_alias_of_two_people_is_nobodys() -> None:
    """A map that says whose it is twice is refused; what lines say so is nobody's."""
    with pytest.raises(MapError, match="'A' is an alias of Ann and of Axel; it can be that of one of them"):
        chat('[players."Ann"]\naliases = ["A"]\n[players."Axel"]\naliases = ["A"]\n')
    assert owners_of({"Ann": ("A", "Annie"), "Axel": ("A",), "Annie": ()}) == {}


def test_a_name_is_found_where_words_have_no_blanks() -> None:
    """Chinese has no blanks between words, Korean none before endings; `Ann` is not in `Annexe`."""
    known = '[players."小明"]\n[players."민수"]\n[players."Ann"]\n'
    events, _ = mapped(chat(known), "小明打出牌\n민수가 waits\nAnnexe waits\n")
    head: Any = events[0]
    assert [seat.name for seat in head.players] == ["小明", "민수"]


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


@pytest.mark.parametrize(
    ("line", "sentence", "event"),
    [
        ("Ann waits", "{player} waits", "move.wait"),
        ("Ann waits 3", "{player} waits {n:number}", None),
        ("Ann trades Ben Cid", "{player} trades {player3:player} {player2:player}", "move.trade"),
    ],
)
def test_a_line_is_a_move_that_says_all_that_the_line_says(
    tmp_path: Path, line: str, sentence: str, event: str | None
) -> None:
    """A move without fields is none of a line that names something; of two fields each has its own hole."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "swap.toml").write_text(SWAP, encoding="utf-8")
    before = looked_in()
    look_in(tmp_path)
    try:
        (kind,) = proposals(Survey(((1, line),), ("Ann", "Ben", "Cid")), "swap")
    finally:
        look_in(before or Path())
    assert (kind.sentence, kind.entry.get("event")) == (sentence, event)


def test_zones_of_one_colour_are_one_hand_and_each_save_is_a_game_of_its_own() -> None:
    """A hand may have several zones, and two saves called alike are two saves."""
    shape = {"posZ": 0, "scaleX": 2, "scaleZ": 2}
    zones = [{"Color": "Red", "Transform": {"posX": x, **shape}} for x in (0, 10, 0)]
    cards = [{"Name": "Card", "Nickname": str(x), "Transform": {"posX": x, "posZ": 0}} for x in (0, 10)]
    save = {"SaveName": "Evening", "ObjectStates": cards, "Hands": {"HandTransforms": zones}}
    first, second = ([*(read(json.dumps(each).encode()) or ())] for each in (save, {**save, "Note": "later"}))
    assert first[1][1]["cards"] == ["A:0", "A:10"]
    assert first[0][1]["id"] != second[0][1]["id"]


@pytest.mark.parametrize("edition", ['"edition": "", ', '"edition": " ", ', ""])
def test_a_game_of_which_no_edition_is_said_has_an_unknown_one(tmp_path: Path, edition: str) -> None:
    """In a game whose editions are as one likes an empty one is no reason to refuse the game."""
    seats = '"players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]'
    head = f'{{"type": "game.started", "game": "tabletop", {edition}"id": "one", {seats}}}'
    (tmp_path / "one.jsonl").write_text(f'{head}\n{{"type": "result.recorded", "winners": ["A"]}}\n', encoding="utf-8")
    with Log.open(tmp_path / "one.db", create=True) as log:
        report = import_paths(log, [tmp_path / "one.jsonl"], Options())
        (game,) = log.games()
        events: list[Any] = [*log.events(game)]
    assert report.clean
    assert (events[0].edition, events[1].winners) == ("unknown", ("A",))


@pytest.mark.parametrize(
    ("said", "event"),
    [
        ("I win!", "game.ended"),
        ("so i win 18 to 14", "game.ended"),
        ("I won this game", "game.ended"),
        ("I won't attack", None),
        ("I win, I think", "log.gap"),
        ("I win if you pass", "log.gap"),
        ("I won the last trick", "log.gap"),
        ("did I win", "log.gap"),
        ("I win?", "log.gap"),
    ],
)
def test_who_says_more_than_to_have_won_has_not_won(said: str, event: str | None) -> None:
    """`I won't` is talk, and of what may be a victory of something else a person is asked."""
    acts = ("Ann: plays Owl", "Ben: draws a card", "Ben: plays Fox", "Ann: plays Elk", "Ben: draws a card")
    lines = tuple(enumerate((*acts, f"Ann: {said}"), 1))
    kinds = {kind.first: kind for kind in proposals(Survey(lines, ("Ann", "Ben"), spoken=True), "tabletop")}
    assert kinds[1].entry["event"] == "card.moved"
    assert kinds[6].entry.get("event") == event if 6 in kinds else event is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("plays a card", "'a card' does not say which card it is"),
        ("plays two cards from the deck", "does not say which card it is"),
        ("plays eine Karte", "does not say which card it is"),
        ("draws two", "'two' says how many cards, and not which"),
    ],
)
def test_a_card_without_its_name_is_none_of_the_game(words: str, why: str) -> None:
    """Where nobody knows the cards, `a card` is not the name of one: the line is left over with its reason."""
    draws = '[[line]]\nis = "{player} draws {card}"\nevent = "cards.drawn"\nwith = { cards = ["{card}"] }\n'
    events, log = mapped(chat(draws), f"Ann sits down\nBen sits down\nAnn plays Card Shark\nAnn {words}\nBen wins")
    assert [event.card for event in events if isinstance(event, CardMoved)] == ["A:card-shark"]
    assert why in log.entries[0].message


def test_who_writes_in_a_meeting_is_named_between_from_and_to() -> None:
    """All tell of themselves by their names, and nobody is called `From Ann to Everyone`."""
    acts = ("Ann plays Owl", "Ben draws a card", "Ben plays Fox", "Ann wins")
    text = "\n".join(f"19:0{at}:12\t From  {act[:3]} to  Everyone : {act}" for at, act in enumerate(acts))
    assert survey(text).players == ("Ann", "Ben")


@pytest.mark.parametrize("rows", ["\x03x", "\x03x,y", "\x03x," + "9" * 5000, "\x02x\n\x03x"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_text_with_the_sign_of_a_sheet_is_read_like_any_other(rows: str, *, turned: bool) -> None:
    """Whoever writes the characters that part the sheets of a workbook into a file has named a sheet, and no more."""
    text = f'Players,Winner\n"Ann, Ben",Ann\n{rows}\n'
    read = SheetRows([])
    assert list(read.games((turned_rows if turned else sheet_rows)(text)))
    assert [sheet.sentence for sheet in read.sheets if "not read" in sheet.fate] == ["sheet x"]
