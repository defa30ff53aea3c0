"""Nothing is invented: what a map makes of a file is what stands in it, and the rest is left out and named."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.documents.trees import ForeignError, in_utf8, is_encoding
from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.describing import holds, ways_on
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.proposing.surveying import Said, survey, survey_of
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.seating import owners_of
from tabletape.events.importing.maps.values.times import NO_DAY
from tabletape.events.importing.programs.tabletop_simulator import read
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
[move.play]
called = ["plays"]
fields.card = "card of hand"
fields.pays = "number 0 to 9?"
[end.never]
that = "no(players)"
winner = "players"
says = "It goes on."
cite = "2"
"""


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


def test_a_chat_of_a_vassal_log_in_which_one_person_writes_is_asked_about() -> None:
    """It is no binary file of which nothing can be made: what is missing is said, and the option that says it."""
    content = vassal("LOG\tCHAT** (IFT DR) 6,6 *** <test>\x1bLOG\tCHAT** (IFT DR) 4,1 *** <test>")
    assert not survey_of(content).players
    assert holds(content) == "nothing of it looks like a log of a game: no name begins several of its lines"
    assert "--players Ann,Ben" in ways_on(content, Path("one.vlog"))
    assert len(survey_of(content, Said(players=("test",))).lines) == 2


def test_an_encoding_is_one_that_files_can_be_in() -> None:
    """Every encoding of letters is one; what Python keeps in the same place and is none is refused by its name."""
    assert all(map(is_encoding, ("cp850", "UTF-8", "latin 1", "hz", "tis-620", "iso2022_jp", "mac_roman")))
    others = ("punycode", "idna", "unicode_escape", "raw-unicode-escape", "base64", "rot13", "undefined", "a\0b", "")
    assert not any(map(is_encoding, (*others, "x" * 5000, "../x")))
    with pytest.raises(ForeignError, match="no encoding is called 'base64'"):
        in_utf8(b"Ann", "base64")


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


@pytest.mark.parametrize(
    ("line", "sentence", "event"),
    [
        ("Ann waits", "{player} waits", "move.wait"),
        ("Ann waits 3", "{player} waits {n:number}", None),
        ("Ann plays Brig and pays 4 oil", "{player} plays {card} and pays {pays:number} oil", "move.play"),
        ("Ann plays Brig and pays 4 less", "{player} plays Brig and pays {n:number} less", "log.gap"),
        ("Ann plays Brig and hides 4 coins", "{player} plays Brig and hides {n:number} coins", "log.gap"),
        ("Ann trades Ben Cid", "{player} trades {player3:player} {player2:player}", "move.trade"),
    ],
)
def test_a_line_is_a_move_that_says_all_that_the_line_says(
    tmp_path: Path, line: str, sentence: str, event: str | None
) -> None:
    """A move without fields is none of a line that names something; of two fields each has its own hole.

    What is not wholly a move of the game is open, and never what another table does with a card.
    """
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


@pytest.mark.parametrize(
    ("heading", "day"),
    [
        ("Crystal Factions, Friday 27 November 2026", "2026-11-27"),
        ("Whist, May 3, 2026", "2026-05-03"),
        ("Spieleabend (27.11.2026)", "2026-11-27"),
        ("2026-11-27", "2026-11-27"),
        ("Exported on 27 November 2026", None),
        ("Whist, 1 May - 3 May 2026", None),
        ("Whist, 11/12/2026", None),
        ("[19:00] Ann: see you, 4 December 2026", None),
    ],
)
def test_a_day_above_a_chat_is_that_of_its_times(heading: str, day: str | None) -> None:
    """Nobody is asked for it then; what is no such heading, or no single day, leaves it open. Whose it is is said."""
    chat = f"{heading}\n[19:01] Ann sits down\n[19:02] Ben sits down\n[19:03] Ann wins\n"
    dated = "the day is that of the map: 2026-05-01"
    for says, unsaid in (("", NO_DAY), ('date = "2026-05-01"\n', dated)):
        text = CHAT.replace("[[line]]", f'prefix = "[{{at:time}}] "\n{says}[[line]]', 1)
        _, log = mapped(read_map(text, "chat.map.toml", vocabulary), chat, zone="UTC")
        assert log.remarks == [f"the day is that of the first line: {day}" if day else unsaid]


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
    ("said", "entry"),
    [("Mara won", "game.ended"), ("gg, Mara won!", "game.ended"), ("Mara won?", None), ("Mara won that trick", None)],
)
def test_the_winner_may_be_named_by_anyone_who_writes(said: str, entry: str | None) -> None:
    """A line below a chat belongs to its last message, whose writer need not be among the players."""
    acts = ("Mara: draw 2", "Pia: draw 1", "Jonas: hi", "Mara: discard 1", "Pia: discard 2", "Jonas: what a day")
    lines = tuple(enumerate((*acts, f"Jonas: {said}", "Round: Pia won"), 1))
    kinds = {kind.example: kind.entry for kind in proposals(Survey(lines, ("Mara", "Pia"), spoken=True), "tabletop")}
    assert kinds.get(f"Jonas: {said}", {}).get("event") == entry
    assert "event" not in kinds["Round: Pia won"]


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


@pytest.mark.parametrize(
    "text",
    [
        "Then Ann drew two cards\nThe deck is shuffled\nThen Ben played Owl\nThe market is new\nAnn wins",
        "Dann spielt Anna den Fuchs\nDer Markt ist leer\nDann nimmt Ben Gold\nDer Stapel fehlt\nJetzt gewinnt Anna",
        "Puis Anne joue Renard\nLe marché est vide\nPuis Luc passe\nLe tour est fini\nAnne gagne",
        "Luego juega Ana un zorro\nEl mercado no tiene nada\nLuego pasa Luis\nEl turno acaba\nAna gana",
    ],
)
def test_words_with_which_sentences_begin_are_nobodys_names(text: str) -> None:
    """Who tells a game in sentences is asked who plays: neither `Then` nor `Der` has won."""
    assert survey(text).players == ()


def test_the_only_name_that_begins_several_lines_is_asked_about() -> None:
    """Whom else the text tells of nobody knows: it is no game of one player before somebody says so."""
    text = "Ann plays Fox\nThen Ben played Owl\nAnn attacks Ben\nAnn wins"
    assert (survey(text).players, survey(text).guessed) == (("Ann",), ("Ann",))
    assert survey(text, Said(players=("Ann",))).guessed == ()
