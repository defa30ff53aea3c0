"""Chats as people paste them, in several languages and from several programs: a few answers make a map."""

import gzip
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.surveying import survey, survey_of
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.writing import map_text
from tabletape.events.vocabulary import tag_of, vocabulary
from tests.cli.chats import PHRASES, STYLES, game_lines, names, turns_of
from tests.cli.conftest import Tabletape
from tests.cli.test_map import TALK


@pytest.mark.parametrize("language", PHRASES)
def test_a_chat_in_any_language_takes_at_most_twelve_answers(
    tabletape: Tabletape, tmp_path: Path, language: str
) -> None:
    """The players, who began, the turns and who won are right, and nine lines of ten are understood."""
    (tmp_path / "chat.txt").write_text(
        "\n".join(STYLES["tabletop_program"](game_lines(language), names(language))), encoding="utf-8"
    )
    result = tabletape("map", "chat.txt", stdin=b"\n" * 12)
    assert result.exit_code == 0
    assert result.stdout.count("Enter accepts") <= 12
    counted = re.search(r"([\d.]+) % of (\d+) lines understood, (\d+) of 100 skipped", result.stdout)
    assert counted is not None
    understood, said, skipped = map(float, counted.groups())
    assert understood / 100 * said + skipped >= 90
    assert skipped <= TALK
    first, second = names(language)
    assert f"chat: {first}, {second}; {first} began; {turns_of(language)} turns" in result.stdout
    assert f"; {first} won;" in result.stdout


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_chat_of_any_program_is_read(style: str, language: str) -> None:
    """The events are the same whether a program or the player writes a line, and whatever precedes it."""
    text = "\n".join(STYLES[style](game_lines(language), names(language)))
    seen = survey(text)
    assert set(seen.players) == set(names(language))
    accepted = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, accepted, game="tabletop", edition="x"), "chat", vocabulary)
    log = MappedLog("chat", used, text.encode(), FileReading(lambda _: None, "Europe/Berlin"))
    games: list[list[Any]] = [[event for _, event in batch] for batch in log.events()]
    (game,) = games
    assert [player.name for player in game[0].players] == names(language)
    tags = [tag_of(type(event)) for event in game]
    lines = game_lines(language)
    assert tags.count("turn.started") == turns_of(language)
    cards = PHRASES[language]["play"].partition("{c}")[2]
    assert tags.count("card.moved") >= sum(line.endswith(cards) for line in lines)
    assert next(event.player for event in game if tag_of(type(event)) == "first-player.chosen") == "A"
    assert next(event.winner for event in game if tag_of(type(event)) == "game.ended") == "A"


@pytest.mark.parametrize(
    ("style", "at"),
    [
        ("telegram", "2026-05-01T19:00:00+02:00"),
        ("whatsapp_us", "2026-05-25T19:00:00+02:00"),
        ("whatsapp_bot", "2026-05-25T19:00:00+02:00"),
        ("whatsapp_ios", "2026-05-01T19:00:11+02:00"),
        ("exporter_bot", "2026-05-01T19:00:00+02:00"),
        ("slack", None),
    ],
)
def test_the_times_of_a_chat_are_read_where_they_are_unambiguous(style: str, at: str | None) -> None:
    """Times of 12 and 24 hours and dates with points or slashes are read; a time without a date is left out."""
    text = "\n".join(STYLES[style](game_lines("en"), names("en")))
    seen = survey(text)
    used = read_map(
        map_text(seen, [("{words} joined the table", {"skip": True})], game="tabletop", edition="x"), "c", vocabulary
    )
    log = MappedLog("chat", used, text.encode(), FileReading(lambda _: None, "Europe/Berlin"))
    read = [log._clock.read(record.at) for record in log._records if "joined" in record.text]
    assert read[0] == (None if at is None else datetime.fromisoformat(at))


def test_ambiguous_dates_are_left_out_and_remarked_upon() -> None:
    """In 05/04/2026 either number may be the month: the remark says what to write into the map."""
    lines = [f"[05/04/2026, 19:{number:02}] {line}" for number, line in enumerate(game_lines("en")[:50])]
    seen = survey("\n".join(lines))
    assert "dates" not in seen.head
    accepted = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    used = read_map(map_text(seen, accepted, game="tabletop", edition="x"), "chat", vocabulary)
    log = MappedLog("chat", used, "\n".join(lines).encode(), FileReading(lambda _: None, "Europe/Berlin"))
    events = [event for batch in log.events() for _, event in batch]
    assert all(event.at is None or isinstance(event.at, type(events[0].at)) for event in events)
    assert any("which figure of 05/04/2026 is the day" in remark for remark in log.remarks)


def test_a_chat_with_a_title_numbered_rounds_and_remarks_is_read(tabletape: Tabletape, tmp_path: Path) -> None:
    """A comma in the title makes no sheet of it, a round is one, and a remark behind a card is not part of its name."""
    (tmp_path / "friday.txt").write_text(
        "Moon Garden playtest, 14 Nov 2026\nPlayers: Ada, Bruno\n\nTurn 1\nAda plays Night Bloom\nBruno plays Owl\n"
        "Turn 2\nAda plays Owl\nBruno plays Night Bloom, oh wait he had no water\n"
        "Ada wins with 11 points, Bruno 7\n",
        encoding="utf-8",
    )
    result = tabletape("map", "friday.txt", "--propose")
    assert result.exit_code == 0, result.stderr
    assert "friday: Ada, Bruno; nobody is said to have begun; 2 rounds; Ada won" in result.stdout
    tabletape("import", "friday.txt")
    told = tabletape("log", "friday").stdout
    assert '"scores":{"A":11.0,"B":7.0}' in told
    assert '"B:night-bloom"' in told
    assert re.search(r"note.added +B +\{\"text\":\"oh wait he had no water\"\} +friday.txt:9", told)


@pytest.mark.parametrize("sign", [",", ";"])
def test_who_speaks_in_each_line_makes_a_chat_of_it_however_many_commas_there_are(sign: str) -> None:
    """A title and lines with one comma each look like a sheet of two columns."""
    said = ["bake tart 5{} draw", "bake bun 4{} draw", "evening all", "sell pie 1 and pie 2{} two coins"]
    lines = [f"{who}: {each.format(sign)}" for each in said for who in ("Mira", "Tom", "Jo")]
    seen = survey_of("\n".join([f"Bakers{sign} Thursday", *lines]).encode())
    assert seen.players == ("Mira", "Tom", "Jo")
    assert lines[0] in [line for _, line in seen.lines]


def test_a_chat_is_one_where_every_third_line_is_said_by_nobody() -> None:
    """Its first line and its scores have a comma in the same place, as the headings and a row of a sheet have."""
    said = ["sows millet 3, takes the rake", "rests"]
    acts = [f"{who}: {each}" for each in said for who in ("Mira", "Tom", "Jo")]
    lines = ["second game, Mira starts", *acts, "new field: rye 4", "tea is ready", "points: Mira 11, Tom 3, Jo 0"]
    seen = survey_of("\n".join(lines).encode())
    assert seen.players == ("Mira", "Tom", "Jo")
    assert [line for _, line in seen.lines] == lines


def test_what_somebody_does_who_is_no_player_is_no_talk(tabletape: Tabletape, tmp_path: Path) -> None:
    """It may be another name of a player: the line is left open and named, and with the alias it is the player's."""
    lines = ("Rin plays Reed Boat", "Ann plays Fen Otter", "A. plays Salt Wind", "Rin draws a card", "Ann draws a card")
    (tmp_path / "friday.txt").write_text("\n".join((*lines, "Rin wins")), encoding="utf-8")
    proposed = tabletape("map", "friday.txt", "--propose")
    assert "line 3: `A. plays Salt Wind` may be a move, and is not read" in proposed.stderr
    written = tmp_path / "friday.map.toml"
    text = written.read_text(encoding="utf-8").replace("Ann = {}", 'Ann = { aliases = ["A."] }')
    opened = '[[line]]\nis = "A. plays Salt Wind"\nevent = "log.gap"\nwith = {lines = 1, text = "may be a move"}\n\n'
    assert opened in text
    written.write_text(text.replace(opened, ""), encoding="utf-8")
    assert "line 3: card.moved  player = B | card = B:salt-wind" in tabletape("map", "friday.txt", "--check").stdout


def test_numbered_turns_of_one_player_each_are_no_rounds() -> None:
    """Where one player acts in each of them, `Turn 3` says nothing of a round."""
    text = "Turn 1\nAda plays Owl\nTurn 2\nBruno plays Owl\nTurn 3\nAda plays Fern\nTurn 4\nBruno draws a card\n"
    meant = {kind.sentence: kind.entry for kind in proposals(survey(text), "tabletop")}
    assert meant["Turn {n:number}"] == {"skip": True}
    of_two = "Turn 1\nAnn plays Owl\nAnn plays Fern\nTurn 2\nAnna plays Owl\nAnna draws a card\nTurn 3\nAnn plays Owl\n"
    meant = {kind.sentence: kind.entry for kind in proposals(survey(of_two), "tabletop")}
    assert meant["Turn {n:number}"] == {"skip": True}  # A line of Anna is none of Ann.


def test_what_a_player_does_is_the_move_of_the_game_called_so(tabletape: Tabletape, tmp_path: Path) -> None:
    """The first rule of an own game is held against the log by nothing but the proposal."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "moon-garden.toml").write_text(
        'title = "Moon Garden"\n[zones]\nhand = "own"\n[counters]\nwater = { start = 1, each = true }\n'
        '[move.play]\nfields.card = "card of hand"\n'
        "costs = { water = 1, says = 'A plant costs one water.', cite = 'L2' }\n"
        '[move.ask]\nfields.to = { is = "other player", says = "Ask another.", cite = "L3" }\n'
        "[variant.two]\nplayers = [2, 2]\n",
        encoding="utf-8",
    )
    (tmp_path / "friday.txt").write_text(
        "Players: Ada, Bruno\nRound 1\nAda plays Night Bloom\nBruno plays Owl\nBruno takes 1 water\nAda takes 2 seeds\n"
        "Bruno plays Fern\nAda plays Owl\nAda asks Bruno: 5\nBruno asks Bruno: 7\nAda wins\n",
        encoding="utf-8",
    )
    proposed = tabletape("map", "friday.txt", "--propose")
    assert "Read as Moon Garden, the game of this workspace" in proposed.stderr
    assert proposed.exit_code == 0
    assert tabletape("import", "friday.txt").exit_code == 0
    told = tabletape("audit").stdout
    assert "Ada: play Owl  (friday.txt:8)\n        illegal  A plant costs one water." in told
    assert "Ask another. Here Bruno is the player who moves." in told
    assert told.count("illegal  ") == 2
    assert tabletape("build").exit_code == 0
    counted = tabletape("sql", "select turns, rounds, decisions from games", "--csv").stdout.splitlines()
    assert counted == ["turns,rounds,decisions", ",1,8"]  # Nobody wrote whose turn it was, so nobody knows how many.


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (b"\x1f\x8b\x08" + bytes(20), "the file is damaged"),
        (b'{"a": [1,2', "as a document the file is no JSON: Expecting"),
        (b"<a><b>", "as a document the file is no XML: no element found"),
        (None, "is a folder: name one file of it"),
    ],
)
def test_what_no_map_can_be_made_of_says_why(
    tabletape: Tabletape, tmp_path: Path, content: bytes | None, said: str
) -> None:
    """A file that is empty, packed and damaged or broken off is refused by its reason, and nothing is written."""
    file = tmp_path / "one.txt"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    result = tabletape("map", "one.txt", "--propose")
    assert (result.exit_code, said in result.stderr) == (1, True)
    assert not (tmp_path / "one.map.toml").exists()


def test_a_packed_chat_has_its_map(tabletape: Tabletape, tmp_path: Path) -> None:
    """A chat that is packed is looked at as it is when it is imported: unpacked."""
    lines = [f"{who} {does}" for does in ("plays Owl", "draws 2 cards", "ends the turn") for who in ("Ann", "Ben")]
    (tmp_path / "one.txt.gz").write_bytes(gzip.compress("\n".join([*lines, "Ann wins"]).encode()))
    assert "one: Ann, Ben" in tabletape("map", "one.txt.gz", "--propose").stdout


COMPACT = "Ann: Fox, +2 coins\nBen: Owl -1\nAnn: Bear +1\nBen: Fox, +2 coins\nAnn: haha nice\nBen: Owl, -1 coin\n"


def test_lines_that_are_a_card_and_what_it_brings_are_asked_about_once(tabletape: Tabletape, tmp_path: Path) -> None:
    """The card is laid and the number of coins changes, if somebody says so; without an answer nothing is guessed."""
    (tmp_path / "one.txt").write_text(COMPACT)
    said = tabletape("map", "one.txt", stdin=b"\n\n").stdout
    asked = "proposed: a card laid somewhere, then a number of something changes, of the card that each names"
    assert said.count(asked) == said.count("proposed: a card") == 1
    assert "line 2: card.moved  player = B | card = B:owl | from = hand | to = table" in said
    assert "line 2: counter.changed  player = B | counter = coin | by = -1" in said
    (tmp_path / "two.txt").write_text(COMPACT)
    proposed = tabletape("map", "two.txt", "--propose")
    assert "counter.changed" not in proposed.stdout
    assert "line 2: `Ben: Owl -1` may be a move, and is not read" in proposed.stderr


def test_a_name_with_a_number_that_one_player_says_is_talk(tabletape: Tabletape, tmp_path: Path) -> None:
    """A score that somebody writes down is no card."""
    (tmp_path / "one.txt").write_text("Ann: Fox +2\nAnn: Owl +1\nAnn: Bear +1\nBen: haha\nBen: Ann wins\n")
    assert "may be a move" not in tabletape("map", "one.txt", "--propose").output
