"""Talk among which moves stand: what may be one is never skipped in silence, and behind it nobody is accused."""

from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Tabletape

GAME: Final = """title = "Tidewrack"
players = [2, 2]
[zones]
deck = "shared hidden"
hand = "own"
shore = "open"
[cards]
find = ["shell", "net", "buoy"]
copies = 6
[deal]
zone = "hand"
count = 3
says = "Deal three finds to each player."
cite = "1"
[turn]
order = "left"
actions = 1
says = "Take turns."
cite = "2"
[move.draw]
does = ["top(deck) -> hand"]
[move.lay]
fields.cards = { is = "cards of hand", says = "Lay what you hold.", cite = "3" }
does = ["cards -> shore"]
[move.trade]
fields.card = "card of hand"
fields.to = "other player"
"""
CHAT: Final = """Una: hello again
Ivo: well played last week
Una: lay net
Ivo: lay shell
Una: then i trade with ivo
Ivo: TWO BUOYS for me
Una: lay net
Una: lay net
Ivo: that was fast
"""
BY_HAND: Final = """map = 1
game = "tidewrack"
edition = "unknown"
shape = "lines"
id = "{file}"
[players]
Una = {}
Ivo = {}
[[line]]
is = "{player}: lay {card}"
event = "move.lay"
with = { cards = ["{card}"] }
[[line]]
is = "{player}: well played {words}"
skip = true
[[line]]
TALK
skip = true
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A workspace with the game and the chat."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tidewrack.toml").write_text(GAME, encoding="utf-8")
    (tmp_path / "chat.txt").write_text(CHAT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("talk", ['is = "{player}: {words}"', "matches = '\\w+: .*'"])
def test_a_sentence_for_any_talk_skips_nothing_that_may_be_a_move(tabletape: Tabletape, table: Path, talk: str) -> None:
    """A verb of a move, or a card in the plural, is named with its line, and is a gap; who is said to play is none."""
    (table / "chat.map.toml").write_text(BY_HAND.replace("TALK", talk), encoding="utf-8")
    checked = tabletape("map", "chat.txt", "--check")
    assert "66.7 % of 6 lines understood, 3 of 9 skipped" in checked.stdout
    assert "line 5: 1 line like `{player}: then i trade with ivo`: it names `trade` and may be a move" in checked.stdout
    assert "it names `BUOYS` and may be a move" in checked.stdout
    taken = tabletape("import", "chat.txt")
    assert "it names `trade` and may be a move" in taken.stdout + taken.stderr
    audited = tabletape("audit")
    assert "illegal" not in audited.stdout, audited.stdout


def test_what_is_skipped_by_its_own_words_stays_skipped(tabletape: Tabletape, table: Path) -> None:
    """The way out that is named: a sentence of its own with `skip`; then the same lines are judged again."""
    talk = 'is = ["{player}: then i trade with ivo", "{player}: TWO BUOYS for me", "{player}: {words}"]'
    (table / "chat.map.toml").write_text(BY_HAND.replace("TALK", talk), encoding="utf-8")
    checked = tabletape("map", "chat.txt", "--check")
    assert checked.exit_code == 0
    assert "100.0 % of 4 lines understood, 5 of 9 skipped" in checked.stdout


def test_a_proposal_names_the_talk_that_may_be_moves(tabletape: Tabletape, table: Path) -> None:
    """Verbs anywhere in a message, in any form, and cards of the game's file: asked about, and not proposed as talk."""
    (table / "chat.txt").write_text(f"{CHAT}Una: and then laid a net\nIvo: still trading?\n", encoding="utf-8")
    made = tabletape("map", "chat.txt", "--propose")
    named = [line.partition("`")[2].partition("`")[0] for line in made.stderr.splitlines() if "may be a move" in line]
    assert {"Una: then i trade with ivo", "Ivo: TWO BUOYS for me"} <= {*named}
    assert "Una: and then laid a net" not in named, "it is a move"
    assert "Ivo: still trading?" in named
    assert "Ivo: that was fast" not in named
