"""What is handed on without names: whatever is written is searched for every name, in every form."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

import msgspec
import pytest
from msgspec import UNSET

from tabletape.dashboard.questions import ask, questions
from tabletape.dashboard.report.choosing import choose
from tabletape.dashboard.sections.without_names import csv_without
from tabletape.events.log import Log
from tabletape.events.log.rows import Seated, StoredGame
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.pseudonyms import pseudonyms, renamed, without_names
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.manifest import FOLDER
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.game import Game
from tests.cli.conftest import Tabletape
from tests.cli.test_share import boards
from tests.dashboard.test_pages import open_page, page_text
from tests.written_games import game_of_bots

NAMES: Final = ("annabel", "zacharias")
"""Two who play: a first name and a whole one, one of which is an id as well."""


def lines(game_id: str, day: str) -> list[dict[str, Any]]:
    """Return a game between them, with their names in ids, in free text and in answers."""
    cards = {"annabel": ["one", "four", "six"], "B": ["two", "three", "five"]}
    return [
        {"type": "game.started", "game": "higher", "edition": "first", "id": game_id, "rulings": {},
         "at": f"{day}T19:00:00Z", "writer": "annabels phone",
         "players": [{"id": "annabel", "name": "Annabel"}, {"id": "B", "name": "Zacharias Löw"}]},
        *({"type": "deck.declared", "player": player, "cards": each} for player, each in cards.items()),
        *({"type": "cards.drawn", "player": player, "cards": [f"{player}:{card}" for card in each]}
          for player, each in cards.items()),
        {"type": "card.played", "player": "annabel", "card": "annabel:four"},
        {"type": "card.played", "player": "annabel", "card": "annabel:six", "note": "ZACHARIAS laughed"},
        {"type": "moment.marked", "player": "B", "felt": "surprised", "text": "Annabel!"},
        {"type": "question.raised", "player": "B", "text": "May Annabel do that?", "rule": "higher.turn.alternate"},
        {"type": "feedback.given", "player": "annabel", "fun": 4, "text": "Zacharias", "answers": {"who": "annabel"}},
    ]  # fmt: skip


@pytest.fixture
def evening(higher: Game, tabletape: Tabletape, tmp_path: Path) -> Path:  # noqa: ARG001 - the commands run where it is
    """Return a folder with two evenings on which they played."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        for game_id, day in (("first", "2026-05-01"), ("annabel-zacharias", "2026-05-08")):
            events = [higher.vocabulary.decode(json.dumps(line)) for line in lines(game_id, day)]
            log.append(game_id, events, expected_last_seq=0)
        build(log)
    return tmp_path


def stored(seats: tuple[Seated, ...]) -> StoredGame:
    """Return a stored game of some players."""
    return StoredGame(1, "g", 1, "higher", "first", seats, {}, None, "2026-05-01T19:00:00Z", 1, 1, "", None)


def unpacked(content: bytes) -> str:
    """Return what stands in a file; a workbook is a packed folder."""
    if not content.startswith(b"PK"):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return "".join(packed.read(name).decode() for name in packed.namelist())


def without_any_name(text: str) -> bool:
    """Return whether none of the names is in a text, in whatever letters."""
    return not any(name in text.casefold() for name in NAMES)


def test_a_name_is_nowhere_in_what_is_handed_on(evening: Path, tabletape: Tabletape) -> None:
    """Shared, reported or exported with --anonymous, no name is left; without it they are all there."""
    game = "annabel-zacharias"
    forms = {"xlsx": "w.xlsx", "text": "t.txt", "bgstats": "b.json", "ocel": "o.json", "xes": "x.xes"}
    commands = {
        "s.html": ["share", game, "first", "--out", "s.html"],
        "r.html": ["report", "--out", "r.html"],
        "r.md": ["report", "--out", "r.md"],
        **{name: ["export", f"--{form}", name, "--force"] for form, name in forms.items()},
    }
    for name, command in commands.items():
        for more in ([], ["--anonymous"]):
            done = tabletape(*command, *more)
            assert done.exit_code == 0, done.stderr
            content = unpacked((evening / name).read_bytes())
            content += boards(evening / name) if name == "s.html" else ""
            left = [content[max(0, at - 80) : at + 60] for each in NAMES if (at := content.casefold().find(each)) >= 0]
            assert (not left) == bool(more), (name, more, left)
    shared = boards(evening / "s.html")
    assert "May Player 1 do that?" in shared
    assert "p1:six" in shared


def test_the_page_of_an_evening_hides_names(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the switch no name is on the page, in the words to copy or in the lines of its games."""
    monkeypatch.setenv("TABLETAPE_DB", str(evening / "tabletape.db"))
    assert choose(evening / ".tabletape" / "datasets").games
    for hidden in (False, True):
        app = open_page("evening", **({"anonymous": "true"} if hidden else {}))
        assert not app.exception
        shown = [
            page_text(app),
            *(each.value for each in app.code),
            *(str(each.proto.body) for each in app.get("html")),
        ]
        shown += [each.proto.label for each in app.get("page_link")]
        assert without_any_name("\n".join(shown)) == hidden


def test_the_numbers_of_a_page_are_handed_on_without_names(evening: Path) -> None:
    """Of each question that says it has names or words the CSV has none, and the same rows; no other has any."""
    tables = [ask(each.name, evening / FOLDER) for each in questions() if each.personal]
    others = {each.name: ask(each.name, evening / FOLDER) for each in questions() if not each.personal}
    assert [name for name, table in others.items() if not without_any_name(csv_without(table, {}))] == []
    with Log.open(evening / "tabletape.db") as log:
        names = pseudonyms(log.games())
    assert any(not without_any_name(csv_without(table, {})) for table in tables)
    for table in tables:
        hidden = csv_without(table, names)
        assert without_any_name(hidden), hidden
        assert len(hidden.splitlines()) == table.num_rows + 1


@pytest.mark.parametrize("name", ["Weiß", "İlker", "Zoë", "Ångström", "ΣΊΣΥΦΟΣ", "ŉola", "ﬁona", "Iłża Ko"])
def test_no_letter_keeps_a_name_in_a_text(name: str) -> None:
    """In large or small letters, with accents as signs of their own, and as an id, the name is found."""
    forms = {name, name.upper(), name.lower(), name.casefold(), name.title(), slug_of(name)}
    for form in forms | {normalize("NFD", each) for each in forms}:
        assert renamed(f"then {form} won", {name: "Player 1"}) == "then Player 1 won", form


def test_a_pseudonym_is_nobodys_name_and_stays_as_it_is() -> None:
    """Whoever is called `Player 1` or only `1` is hidden too; what was renamed once is the same when it is again."""
    seats = tuple(Seated(letter, name, None) for letter, name in (("A", "1"), ("B", "Ann Lee"), ("C", "player 2")))
    names = pseudonyms([stored(seats)])
    assert names == {"1": "Player 1", "Ann Lee": "Player 3", "player 2": "Player 4"}
    once = renamed("Player 2 and Ann met 1", names)
    assert once == "Player 4 and Player 3 met Player 1"
    assert renamed(once, names) == once
    assert renamed("Ann won", {"Ann Lee": "Player 1", "Ann Poe": "Player 2"}) == "Player 1 or Player 2 won"
    both = {"The Ann": "Player 1", "The Ben": "Player 2"}
    assert renamed("the deck that Ann and The Ben cut", both) == "the deck that Player 1 and Player 2 cut"


def test_ids_and_decks_that_are_names_become_others_without_meeting_one(higher: Game) -> None:
    """A player called p1 keeps the id, and no other one gets it; the label of a deck is somebody's words."""
    named = [{"id": "annabel", "name": "Annabel", "deck": "annabel-aggro"}, {"id": "p1", "name": "Zacharias Löw"}]
    started = {**lines("g", "2026-05-01")[0], "players": named}
    event = higher.vocabulary.decode(json.dumps(started))
    seats = (Seated("annabel", "Annabel", "annabel-aggro"), Seated("p1", "Zacharias Löw", None))
    replayed: Any = fold(higher, [event], edition="first")
    hidden, replayed = without_names(stored(seats), replayed, pseudonyms([stored(seats)]))
    assert [(seat.id, seat.deck) for seat in hidden.players] == [("p2", "Player 1-aggro"), ("p1", None)]
    assert [(seat.id, seat.deck) for seat in replayed.events[0].players] == [("p2", "Player 1-aggro"), ("p1", UNSET)]


def test_a_pile_is_no_name_of_a_player() -> None:
    """Which deck is shuffled is a word of the game, also where somebody is called nearly so."""
    head, *rest = game_of_bots("crystal", 1)
    assert isinstance(head, GameStarted)
    players = zip(head.players, ("Faction Fan", "Basic Ben"), strict=True)
    head = msgspec.structs.replace(
        head, players=tuple(msgspec.structs.replace(seat, name=name) for seat, name in players)
    )
    seats = tuple(Seated(seat.id, seat.name, None) for seat in head.players)
    about = stored(seats)._replace(game="crystal")
    hidden, replayed = without_names(about, fold(game("crystal"), [head, *rest]), pseudonyms([about]))
    assert [seat.name for seat in hidden.players] == ["Player 1", "Player 2"]
    assert (replayed.stopped, replayed.findings) == (None, [])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ann and ANNE met Ann.", "P1 and ANNE met P1."),
        ("Bo Li and Bo", "P2 and Bo"),
        ("Cleo's; Cleopatra", "P3's; Cleopatra"),
    ],
)
def test_a_name_is_a_whole_word(text: str, shown: str) -> None:
    """A name inside a longer word stays; of a first name of two letters nobody can say whether it is one."""
    assert renamed(text, {"Ann": "P1", "Bo Li": "P2", "Cleo Fox": "P3"}) == shown


def test_names_alike_and_names_in_scripts_without_blanks_are_hidden() -> None:
    """`Ann` and `ann` are two people, of whom a text may mean either; 小明 stands within what is said of him."""
    names = {"Ann": "Player 1", "ann": "Player 2", "小明": "Player 3"}
    assert (renamed("Ann", names), renamed("ann", names)) == ("Player 1", "Player 2")
    assert renamed("ANN waits", names) == "Player 1 or Player 2 waits"
    assert renamed("小明打出牌", names) == "Player 3打出牌"
