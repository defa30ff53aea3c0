"""`tabletape map` on the files of other programs: what is found in them, and the way on where nothing is."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape
from tests.events.test_maps import vassal

POWER = """\
D 16:55:28.1896110 GameState.DebugPrintPower() - CREATE_GAME
D 16:55:29.1896110 GameState.DebugPrintPower() - TAG_CHANGE Entity=Ines#1 tag=TURN value=1
D 16:55:29.3896110 GameState.DebugPrintPower() - TAG_CHANGE Entity=Olek#2 tag=PLAYSTATE value=WON
"""
CRUCIBLE = [
    {"gameId": game, "players": [{"name": "Ines", "deck": {"name": "Moss"}}], "events": [
        {"date": "2026-05-01T10:00:00Z", "message": f"{first} won the flip and is first player"},
        {"date": "2026-05-01T10:00:05Z", "message": "Ines plays Fen Otter"},
        {"date": "2026-05-01T10:00:09Z", "message": "Olek plays Reed Heron"},
        {"date": "2026-05-01T10:01:09Z", "message": f"{first} has won the game"},
    ]}
    for game, first in (("g1", "Ines"), ("g2", "Olek"))
]  # fmt: skip
DOMINION = """\
<html><body><pre>
--- Ines's turn 1 ---
Ines plays 3 <span class=card-treasure>Coppers</span>.
Ines draws a card.
--- Olek's turn 1 ---
Olek plays 4 <span class=card-treasure>Estates</span>.
Olek draws a card.
Olek wins!
</pre></body></html>
"""
REPLAY = (
    "Move 1 :\n10:33:12 PM\nInes draws a card\nInes plays Reed Boat\nMove 2 :\n10:33:40 PM\nOlek draws a card\n"
    "Olek plays Fen Otter\nOlek wins the game\n"
)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("events.json", json.dumps(CRUCIBLE), ["events: Ines, Olek; Ines began;", "events-2: Ines, Olek; Olek began;"]),
        ("dominion.html", DOMINION, ["dominion: Ines, Olek; Ines began; 2 turns", "card = A:coppers", "Olek won"]),
        ("bga.txt", REPLAY, ["bga: Ines, Olek;", "Olek won", "card = A:reed-boat"]),
    ],
)
def test_a_log_of_another_program_is_proposed(
    tabletape: Tabletape, tmp_path: Path, name: str, content: str, said: list[str]
) -> None:
    """A list of games with their messages, a page with tags, a replay copied with its times: all of it is found."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    refused = tabletape("map", name, "--propose")
    assert ("the map keyforge-crucible reads it as it is" in refused.stderr) == (name == "events.json")
    proposed = tabletape("map", name, "--propose", "--force", "--out", f"{Path(name).stem}.map.toml")
    assert [each for each in said if each not in proposed.stdout] == []
    assert tabletape("import", name).exit_code == 0


TRICKS = json.dumps(
    {
        "packets": [
            {
                "move_id": str(number),
                "data": [
                    {
                        "log": "${player_name} plays ${<}${value}${>}",
                        "args": {"player_name": who, "value": number, "<": "<b>"},
                    },
                    {"log": "${player_name} wins the trick", "args": {"player_name": who}},
                ],
            }
            for number, who in enumerate(("Ines", "Olek") * 4)
        ]
    }
)
"""A game of Board Game Arena: each packet is a move, and who wins a trick has not won the game."""


@pytest.mark.parametrize(
    ("name", "content", "way"),
    [
        ("tricks.json", TRICKS, "`rows` and `text`"),
        ("Power.log", POWER, "--players Ann,Ben` says who plays, `--prefix`"),
        ("18xx.json", '{"actions": [{"type": "bid", "entity": 11, "id": 1, "price": 20}]}', "`rows` and `text`"),
        (
            "replay.xml",
            '<HSReplay><Player id="2"><Tag tag="50"/></Player><Player id="3"/></HSReplay>',
            "`rows` and `text`",
        ),
    ],
)
def test_what_has_no_words_is_no_game(tabletape: Tabletape, tmp_path: Path, name: str, content: str, way: str) -> None:
    """Of ids, tags and prices no player is made, and the way on is said."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    refused = tabletape("map", name, "--propose")
    assert (refused.exit_code, way in refused.stderr) == (1, True)
    assert not [*tmp_path.glob("*.map.toml")]


def test_what_a_reader_reads_is_not_asked_about(tabletape: Tabletape, tmp_path: Path) -> None:
    """The command that shows what the reader makes of the file is named, and works; `--out` asks all the same."""
    recorded = Path(__file__).parents[1] / "recordings" / "programs" / "eighteen-xx" / "input.json"
    (tmp_path / "game.json").write_bytes(recorded.read_bytes())
    refused = tabletape("map", "game.json")
    assert (refused.exit_code, "`tabletape import game.json --dry-run`" in refused.stderr) == (1, True)
    assert "corporation: lay_tile" in tabletape("import", "game.json", "--dry-run").stdout
    assert "reader eighteen-xx" not in tabletape("map", "game.json", "--propose", "--out", "own.map.toml").stderr


def test_of_a_vassal_log_only_what_vassal_itself_does_not_write_is_asked(tabletape: Tabletape, tmp_path: Path) -> None:
    """Its dice and turns are read as they are; what a module writes and players say is left open, and asked about."""
    chat = [
        "*** (Storm) 4 *** <Ines> [1 / 1 avg 4.00 (4.00)] (01.52)",
        "** 2d6 = 3,4 *** <Olek>",
        "** 2d6 = 1,1 *** <Ines>",
        "* Ines plays Reed Boat",
        "* Olek plays Fen Otter",
        "** 2d6 = 6,4 *** <Olek>",
    ]
    (tmp_path / "sunday.vlog").write_bytes(vassal("\x1b".join(f"LOG\tCHAT{line}" for line in chat)))
    assert "1 new (6 new events, 2 lines in quarantine)" in tabletape("import", "sunday.vlog", "--dry-run").stdout
    asked = tabletape("map", "sunday.vlog", stdin=b"\n\n")
    assert [line for line in asked.stdout.splitlines() if " x " in line] == ["2 x {player} plays {card}"]
    assert "sunday: Ines, Olek; nobody is said to have begun; 0 turns; no winner; 7 events" in asked.stdout


def test_the_way_on_of_a_log_with_a_prefix_works(tabletape: Tabletape, tmp_path: Path) -> None:
    """With players and prefix named the kinds of lines are asked about, and a meaning that is typed is in the map."""
    (tmp_path / "Power.log").write_text(POWER, encoding="utf-8")
    options = ("--players", "Ines#1,Olek#2", "--prefix", "D {clock} GameState.DebugPrintPower() - ")
    meaning = b'event = "game.ended", with = { winner = "{player}", reason = "won" }\n'
    assert tabletape("map", "Power.log", *options, stdin=b"s\n\nc\n\n\n" + meaning).exit_code == 0
    ended = 'is = "TAG_CHANGE Entity={player} tag=PLAYSTATE value=WON"'
    typed = 'event = "game.ended"\nwith = {winner = "{player}", reason = "won"}'
    assert f"{ended}\n{typed}\n" in (tmp_path / "Power.map.toml").read_text(encoding="utf-8")
    shown = tabletape("map", "Power.log", "--check").stdout.splitlines()
    assert shown[0] == "Power: Ines#1, Olek#2; nobody is said to have begun; 0 turns; Olek#2 won; 2 events"
    assert "game.ended  winner = B | reason = won" in shown[1]
    assert "Power.log: 1 new (2 new events)" in tabletape("import", "Power.log").stdout
