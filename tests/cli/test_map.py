"""`tabletape map`: from an unknown file to a map that reads it, by a few answers."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.proposing.surveying import survey
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.writing import map_text
from tabletape.events.vocabulary import vocabulary
from tests.cli.conftest import Tabletape

RECORDED = Path(__file__).parents[1] / "recordings" / "maps"

TALK = 12
"""The most lines of a hundred that are talk, or say who has joined."""

CARDS = ("Paper Lamp", "Tea, Cake and Rain", "Moss Golem", "Old Bridge", "Fern Witch")


def chat() -> list[str]:
    """Return a chat of a hundred lines, as a tabletop program writes it: two players, talk between the moves."""
    lines = ["[19:00] Ann joined the table", "[19:00] Ben joined the table", "[19:01] Ann: hi", "[19:01] Ben: hello"]
    lines += ["[19:02] Ann won the coin flip and goes first", "[19:02] Ann draws 7 cards", "[19:02] Ben draws 7 cards"]
    turn = 0
    while len(lines) < 98:
        who, other = ("Ann", "Ben") if turn % 2 == 0 else ("Ben", "Ann")
        said = [f"It is now {who}'s turn {turn + 1}", f"{who} draws a card"]
        said += [f"{who} plays {CARDS[turn % 5]} from their hand"]
        said += [f"{who} attacks {other} with {CARDS[turn % 4]}", f"{other} loses {turn % 3 + 1} life"] * (
            turn % 3 == 0
        )
        said += [f"{who}: nice one"] * (turn % 4 == 1) + [f"{who} shuffles their deck"] * (turn % 5 == 2)
        lines += [f"[19:{turn + 3:02}] {text}" for text in [*said, f"{who} ends their turn"]]
        turn += 1
    return [*lines[:98], "[19:58] Ben concedes", "[19:59] Ann wins the game"]


def test_a_chat_of_a_hundred_lines_takes_at_most_twelve_answers(tabletape: Tabletape, tmp_path: Path) -> None:
    """The proposed map reads nine lines of ten; who began, the turns and who won are right."""
    (tmp_path / "chat.txt").write_text("\n".join(chat()), encoding="utf-8")
    result = tabletape("map", "chat.txt", stdin=b"\n" * 12)
    assert result.exit_code == 0
    assert result.stdout.count("Enter accepts") <= 12
    assert "0 % -> " in result.stdout
    assert "    line 5: first-player.chosen  player = A | " in result.stdout
    counted = re.search(r"([\d.]+) % of (\d+) lines understood, (\d+) of 100 skipped", result.stdout)
    assert counted is not None
    understood, said, skipped = map(float, counted.groups())
    assert understood / 100 * said + skipped >= 90
    assert skipped <= TALK
    turns = sum("It is now" in line for line in chat())
    assert f"chat: Ann, Ben; Ann began; {turns} turns, {turns // 2} each; Ann won;" in result.stdout
    written = (tmp_path / "chat.map.toml").read_text(encoding="utf-8")
    assert '"{player} plays {card} from their hand"' in written
    assert 'with = {counter = "life", by = "-{by_number}"}' in written


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rows-a-player", ["Ann, Ben; nobody is said to have begun; Ben won"]),
        ("results-sheet", ["Ann, Ben; Ben began; Ann won"]),
        ("bg-stats", ["Ann, Ben; Ann began; Ben won"]),
        ("crucible-tracker", ["Ida, Jon; nobody is said to have begun; Ida won"]),
    ],
)
def test_results_are_recognized_by_their_columns(
    tabletape: Tabletape, tmp_path: Path, name: str, expected: list[str]
) -> None:
    """A sheet or a document of results needs no answers: the meaning of a column is proposed by its name."""
    (source,) = (RECORDED / name).glob("input.*")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    result = tabletape("map", source.name, "--out", "own.map.toml", stdin=b"")
    assert result.exit_code == 0
    assert "results, read by their columns" in result.stdout
    for text in expected:
        assert text in result.stdout


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("rows-of-actions", ['shape = "rows"', 'text = "Action"', 'player = "Who"', 'at = "Time"']),
        ("duelingbook", ['shape = "json"', 'rows = "plays"', 'unfold = "log"', 'player = "log.username"']),
    ],
)
def test_a_log_of_actions_in_rows_is_found(tabletape: Tabletape, tmp_path: Path, name: str, head: list[str]) -> None:
    """The proposed map names the list with the rows and the keys of text, player and time, and can be read."""
    (source,) = (RECORDED / name).glob("input.*")
    one_game, _, second = source.read_bytes().partition(b"2026-10-02 19:40")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    both = tabletape("map", source.name, "--propose", "--out", "own.map.toml")
    # Ann and Cem sit down behind the end of the first game: no sentence is only that of a beginning.
    assert both.exit_code == bool(second)
    assert ("2 lines end one game (lines 13, 17)" in both.stderr) == bool(second)
    (tmp_path / source.name).write_bytes(one_game)
    assert tabletape("map", source.name, "--propose", "--force", "--out", "own.map.toml").exit_code == 0
    written = (tmp_path / "own.map.toml").read_text(encoding="utf-8")
    assert [each for each in head if each not in written] == []
    assert "{player} " not in written


def test_an_unreviewed_map_calls_no_line_harmless(tabletape: Tabletape, tmp_path: Path) -> None:
    """A proposal that nobody has accepted does not claim that a line changes nothing: an unread line is a gap."""
    (tmp_path / "chat.txt").write_text("\n".join([*chat(), "[20:00] Ann gloops sideways"] * 1), encoding="utf-8")
    tabletape("map", "chat.txt", "--propose")
    assert "harmless" not in (tmp_path / "chat.map.toml").read_text(encoding="utf-8")


def test_only_events_of_the_game_are_proposed(tabletape: Tabletape, tmp_path: Path) -> None:
    """Of a game with rules a text tells who began and who won; what it says of moves is kept in its words, unjudged."""
    (tmp_path / "chat.txt").write_text("\n".join(chat()), encoding="utf-8")
    assert tabletape("map", "chat.txt", "--propose", "--game", "splicers").exit_code == 0
    written = (tmp_path / "chat.map.toml").read_text(encoding="utf-8")
    assert "card.moved" not in written
    assert "turn.ended" not in written
    assert "chat.txt: 1 new" in tabletape("import", "chat.txt").stdout
    assert "illegal" not in tabletape("audit").stdout


@settings(deadline=None)
@given(st.lists(st.text(alphabet="AnnBe plays drawstrigger 12.:'", max_size=30), max_size=25))
def test_every_proposed_map_can_be_read(lines: list[str]) -> None:
    """No proposed map is refused, whatever the lines are."""
    seen = survey("\n".join(["Ann plays Lamp", "Ben draws 2", "Ann draws 3", "Ben plays Tea", *lines]))
    written = map_text(
        seen, [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")], game="tabletop", edition="x"
    )
    assert read_map(written, "proposed", vocabulary).lines


@pytest.mark.parametrize("content", [b"", b"nothing here\n", b"[1, 2, 3]\n", b"<a>", b'{"a": ', b"PK\x03\x04oops"])
def test_a_file_that_holds_no_game_is_refused_in_words(tabletape: Tabletape, tmp_path: Path, content: bytes) -> None:
    """For any file without a game the error is a plain sentence."""
    (tmp_path / "x.dat").write_bytes(content)
    result = tabletape("map", "x.dat")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: x.dat")


PLAYED = ["Ann joined", "Ben joined", "Ann won the die roll", "Ann draws 5 cards", "It is Ann's turn", "Ann plays Lamp"]
PLAYED += [
    "Ben: nice",
    "Ann ends their turn",
    "It is Ben's turn",
    "Ben plays Kite",
    "Ann concedes",
    "Ben wins the game",
]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("de.csv", "Datum;Spieler;Gewinner\n02.10.2026;Änne, Bernd;Änne\n".encode("cp1252"), "Änne, Bernd; nobody"),
        ("fr.csv", "Date;Joueurs;Vainqueur\n2026-10-02;Zoé et Léo;Zoé\n".encode(), "Zoé, Léo; nobody"),
        ("seats.csv", b"Date,Player 1,Player 2,Winner\n2026-10-02,Ann,Ben,Ben\n", "Ann, Ben; nobody"),
        ("vs.csv", b"When,Players,Winner\n2026-10-02,Ann-Lee vs Ben,Ben\n", "Ann-Lee, Ben; nobody"),
        (
            "strokes.txt",
            b"| Players | Winner |\n|---|:-:|\n| Ann vs Ben | Ann |\n| Ben vs. Ann | Ben |\n| Ben v Ann | Ann |\n",
            "strokes-3: Ben, Ann; nobody",
        ),
        (
            "frame.txt",
            "+--+--+\n|Spieler|Sieger|\n+==+==+\n|Änne gegen Jo|Jo|\n".encode(),
            "Änne, Jo; nobody",
        ),
        ("tabs.txt", b"Date\tPlayers\tWinner\n2026-05-01 19:02\tAnn, Ben and Cid\tBen\n", "Ann, Ben, Cid; nobody"),
        (
            "aligned.txt",
            b"Day  Players    Winner\nMon  Ann / Ben  Ann\nTue  Ben / Cid  Cid\n",
            "Ben, Cid; nobody",
        ),
        ("down.csv", b'Date,Players,Winner\n2026-05-01,"Ann, Ben",Ann\n,"Ann, Cid",Cid\n', "Ann, Cid; nobody"),
        ("rows.csv", b"Game,Player,Result\n1,Ann,Win\n1,Ben,Loss\n2,Ann,Loss\n2,Ben,Win\n", "Ann, Ben; nobody"),
        ("iso.txt", "\n".join(f"2026-10-02 19:00:07 - {line}" for line in PLAYED).encode(), "Ann, Ben; Ann began"),
        ("stars.txt", "\r\n".join(f"* {line}" for line in PLAYED).encode("utf-8-sig"), "Ann, Ben; Ann began"),
        (
            "names.txt",
            "\n".join(PLAYED).replace("Ann", "Mary Jane").replace("Ben", "El Niño").encode("utf-16"),
            "Mary Jane, El Niño; Mary Jane began",
        ),
    ],
)
def test_the_players_are_found_in_any_format(
    tabletape: Tabletape, tmp_path: Path, name: str, content: bytes, expected: str
) -> None:
    """Languages, encodings, separators of names, times and marks before a line, and names of several words vary."""
    (tmp_path / name).write_bytes(content)
    result = tabletape("map", name, "--propose")
    assert result.exit_code == 0
    assert expected in result.stdout


def test_no_map_is_written_where_nothing_has_a_meaning(tabletape: Tabletape, tmp_path: Path) -> None:
    """A map that cannot be read would keep every file beside it from being imported."""
    (tmp_path / "a.csv").write_text("Who,Number\nAnn,1\nBen,2\nAnn,3\nBen,4\n", encoding="utf-8")
    assert tabletape("map", "a.csv", "--propose").exit_code != 0
    assert not (tmp_path / "a.map.toml").exists()


def test_one_line_of_json_is_a_document(tabletape: Tabletape, tmp_path: Path) -> None:
    """A file of another program is reported as such, with the command that maps it, and not as a missing game."""
    (tmp_path / "a.json").write_text('{"players": ["Ann"], "log": [{"t": 1}]}', encoding="utf-8")
    result = tabletape("import", "a.json")
    assert "a JSON document" in result.stderr
    assert "tabletape map a.json" in result.stderr


@pytest.mark.parametrize(("answer", "winners"), [(b"\n", ("Ben", "Cid")), (b"l\n", ("Ann", "Ben"))])
def test_scores_in_a_column_a_player_ask_which_score_wins(
    tabletape: Tabletape, tmp_path: Path, answer: bytes, winners: tuple[str, str]
) -> None:
    """A player without a score did not play, a tie has no winner, and rows of sums are no games."""
    sheet = (
        "Date,Ann,Ben,Cid\n2026-05-01,12,15,\n2026-05-01,9,8,20\n2026-05-02,,7,7\nTotal,21,30,27\nMean,10.5,10,13.5\n"
    )
    (tmp_path / "scores.csv").write_text(sheet, encoding="utf-8")
    result = tabletape("map", "scores.csv", stdin=answer)
    assert f"scores-1: Ann, Ben; nobody is said to have begun; {winners[0]} won" in result.stdout
    assert f"scores-2: Ann, Ben, Cid; nobody is said to have begun; {winners[1]} won" in result.stdout
    assert "scores-3: Ben, Cid; nobody is said to have begun; a draw" in result.stdout
    assert "2 rows of sums or averages passed over" in tabletape("import", "scores.csv", "--zone", "UTC").stderr


def test_the_keys_of_a_document_are_no_players(tabletape: Tabletape, tmp_path: Path) -> None:
    """Moves of another program (Hanabi Live, 18xx, Board Game Arena) give no games, but a word about what was seen."""
    rows = [{"type": n % 4, "target": n % 25, "value": n % 5} for n in range(55)]
    (tmp_path / "moves.json").write_text(json.dumps({"players": ["Ann", "Ben"], "actions": rows}), encoding="utf-8")
    refused = tabletape("map", "moves.json", "--propose")
    assert refused.exit_code == 1
    assert "a JSON document with 55 rows at actions (type, target, value)" in refused.stderr
    assert "docs/how-to/bring-any-log.md" in refused.stderr
    assert not (tmp_path / "moves.map.toml").exists()


@pytest.mark.parametrize(
    "sheet",
    [
        "Timestamp,How long? (minutes),Fun (1-5),Clarity (1-5)\n1.5.2026 19:00,45,4,5\n8.5.2026 19:00,60,5,3\n",
        "Evening,Fun,Clarity\n1,4,5\n2,5,3\n",
        "Evening,Mood,Table\nMay,4,5\nJune,5,3\n",
        "Game,P1 score,P2 score\nMay,40,51\nJune,35,31\n",
        "Move,Time,Ann\nplay,1,4\npass,2,9\ndraw,3,11\nend,5,12\n",
    ],
)
def test_questions_marks_and_categories_are_no_players(tabletape: Tabletape, tmp_path: Path, sheet: str) -> None:
    """A form, marks from 1 to 5, a score pad, columns of scores and of times: no game is made of any of them."""
    (tmp_path / "sheet.csv").write_text(sheet, encoding="utf-8")
    refused = tabletape("map", "sheet.csv", "--propose")
    assert refused.exit_code == 1
    assert "so no map is proposed" in refused.stderr
    assert not (tmp_path / "sheet.map.toml").exists()


def test_names_above_scores_are_players(tabletape: Tabletape, tmp_path: Path) -> None:
    """A column for each player, with names of two words, is read when somebody says that these are players."""
    (tmp_path / "sheet.csv").write_text(
        "Date,Ann,Ben B.,Mary Lou\n2026-05-01,40,51,\n2026-05-08,35,31,50\n2026-05-09,,31,50\n", encoding="utf-8"
    )
    unsure = tabletape("map", "sheet.csv", "--propose")
    assert "tabletape map sheet.csv --players 'Ann,Ben B.,Mary Lou'" in unsure.stderr
    assert "nothing says who played" in tabletape("map", "sheet.csv", stdin=b"n\n").stderr
    result = tabletape("map", "sheet.csv", "--players", "Ann,Ben B.,Mary Lou", "--propose")
    assert "Ann, Ben B.; nobody is said to have begun; Ben B. won" in result.stdout


def test_a_proposal_that_reads_no_game_is_not_written(tabletape: Tabletape, tmp_path: Path) -> None:
    """Hundreds of lines of which only the talk is recognized are no game that was understood: 0 turns, no winner."""
    lines = [f"Ann: well number {n} of many\nBen: indeed {n}" for n in range(60)]
    (tmp_path / "talk.txt").write_text("\n".join(lines), encoding="utf-8")
    refused = tabletape("map", "talk.txt", "--propose")
    assert refused.exit_code == 1
    assert "does not read the game: 0 turns, no winner, nobody began" in refused.stderr
    assert not (tmp_path / "talk.map.toml").exists()


SEATED = """{0} draws 5 cards
{1} draws 5 cards
{0} goes first
{0} plays Moss Golem
{0} ends their turn
{1} draws a card
{1} plays Fern Witch
{1} ends their turn
{0} draws a card
{0} ends their turn
{1} wins the game
"""


@pytest.mark.parametrize(
    ("names", "before", "more"),
    [
        (("Player 1", "Player 2"), "", ()),
        (("italianPlayer1", "italianPlayer2"), "", ()),
        (("Ann", "Ben"), "{n}. ", ()),
        (("Ann", "Ben"), "~{n} @table ", ("--players", "Ann,Ben", "--prefix", "~{n:number} @table ")),
        (("the red side", "the blue side"), "", ("--players", "the red side,the blue side")),
    ],
)
def test_names_that_nobody_sees_at_once_are_read(
    tabletape: Tabletape, tmp_path: Path, names: tuple[str, str], before: str, more: tuple[str, ...]
) -> None:
    """Names that end in a digit, numbered lines, and what `--players` and `--prefix` say."""
    lines = SEATED.format(*names).splitlines()
    text = "".join(f"{before.format(n=number)}{line}\n" for number, line in enumerate(lines, 1))
    (tmp_path / "log.txt").write_text(text, encoding="utf-8")
    result = tabletape("map", "log.txt", "--propose", *more)
    assert (
        f"log: {names[0]}, {names[1]}; {names[0]} began; 3 turns ({names[0]} 2, {names[1]} 1) ended; {names[1]} won"
        in result.stdout
    )


@pytest.mark.parametrize(
    ("name", "content", "way"),
    [
        ("a.txt", "something happens\nanything else happens\n", "tabletape map a.txt --players Ann,Ben"),
        ("a.csv", "Group A,Group B,Group C\nPeople,Result,Colour\nAnn & Ben,Ann,red\n", "map a.csv --heading-row"),
        ("a.csv", "Your name,Who won?,Fun (1-5)\nAnn,Ben,4\nBen,Ben,3\n", "add a column with all who played"),
        ("a.json", '{"moves": [{"kind": 1, "place": 2}, {"kind": 2, "place": 4}]}', 'each = "players"'),
    ],
)
def test_a_file_that_is_not_taken_names_one_way_on(
    tabletape: Tabletape, tmp_path: Path, name: str, content: str, way: str
) -> None:
    """What `map` cannot make out, an option of it says."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    refused = tabletape("map", name, "--propose")
    assert refused.exit_code == 1
    assert way in refused.stderr


def test_a_prefix_that_is_no_sentence_is_refused(tabletape: Tabletape, tmp_path: Path) -> None:
    """The refusal names the option."""
    (tmp_path / "a.txt").write_text("Ann plays\n", encoding="utf-8")
    refused = tabletape("map", "a.txt", "--prefix", "{at")
    assert refused.exit_code == 1
    assert "--prefix: a hole is written {name}" in refused.stderr


@given(st.lists(st.sampled_from(["Ann", "Player 1", "3.", "<Bo>", "plays", "12", "wins", "", ":"]), max_size=30))
def test_any_words_are_surveyed(words: list[str]) -> None:
    """Whatever lines begin with, a survey is made of them, and players are names that stand in the text."""
    text = "\n".join(" ".join(words[at : at + 3]) for at in range(0, len(words), 3))
    assert all(name in text for name in survey(text).players)


def test_a_map_is_tried_with_the_names_on_the_cards(tabletape: Tabletape, tmp_path: Path) -> None:
    """A card that is called otherwise in the rulebook than on its face is read at the first try as it is imported."""
    (tmp_path / "pond.txt").write_text(
        "Ann joins\nBen joins\nAnn plays Prochlorococcus marinus\nBen plays Anabaena variabilis\n", encoding="utf-8"
    )
    (tmp_path / "pond.map.toml").write_text(
        'map = 1\ngame = "evolve"\nedition = "unknown"\nshape = "lines"\nid = "{file}"\n\n[[line]]\n'
        'is = "{player} joins"\nseats = true\n\n[[line]]\nis = "{player} plays {card}"\nevent = "organism.played"\n',
        encoding="utf-8",
    )
    result = tabletape("map", "pond.txt", "--check")
    assert "organism.played  player = A | card = A:prochlorococcus" in result.stdout
    assert "organism.played  player = B | card = B:anabaena" in result.stdout


def test_results_name_their_games_by_slug_or_by_title(tabletape: Tabletape, tmp_path: Path) -> None:
    """A game that Tabletape knows is that one; that of another name is begun, and has its file from then on."""
    named = ("Crystal Factions", "splicers", "Catan")
    rows = "".join(f'2026-01-0{day},{name},"Ann, Ben",Ann\n' for day, name in enumerate(named, 1))
    (tmp_path / "r.csv").write_text(f"Date,Game,Players,Winner\n{rows}", encoding="utf-8")
    assert tabletape("map", "r.csv", "--propose").exit_code == 0
    assert tabletape("import", "r.csv").exit_code == 0
    listed = [line.split()[1:3] for line in tabletape("games").stdout.splitlines() if line.startswith("r-")]
    assert listed == [["crystal", "unknown"], ["splicers", "unknown"], ["catan", "unknown"]]
    assert (tmp_path / "games" / "catan.toml").read_text(encoding="utf-8").startswith('title = "Catan"\n')


def test_a_map_of_a_result_alone_reads_no_other_chat(tabletape: Tabletape, tmp_path: Path) -> None:
    """What keeps every line as it was said understands none: another chat is asked about."""
    head = 'map = 1\ngame = "crystal"\nedition = "2025"\nshape = "lines"\nid = "{file}"\nprefix = "{player}: "\n'
    won = '[[line]]\nis = "{player}: I won"\nevent = "result.recorded"\nwith = {winners = ["{player}"]}\n'
    kept = '[[line]]\nis = "{player}: {words}"\nevent = "log.gap"\nwith = {lines = 1, text = "{words}"}\n'
    (tmp_path / "first.map.toml").write_text(f"{head}[players]\nMara = {{}}\nJonas = {{}}\n{won}{kept}", "utf-8")
    chat = "Mara: I buy a lantern\nJonas: I buy a rope\nMara: I sell it\nMara: I won\n"
    for name in ("first.txt", "other.txt"):
        (tmp_path / name).write_text(chat, "utf-8")
    assert tabletape("import", "first.txt").exit_code == 0
    other = tabletape("import", "other.txt")
    assert (other.exit_code, "no map fits it" in other.stderr) == (1, True)
    # A messenger calls each chat alike: not all who are there in the map play in these.
    for who in ("Pia", "Mara"):
        (tmp_path / "first.txt").write_text(f"{who}: I sail\nTom: I ask Jonas2\n{who}: I won\n", "utf-8")
        assert "no map fits it" in tabletape("import", "first.txt").stderr
