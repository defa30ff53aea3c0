"""A game kept in the scribe: what was typed as a play is a play, and becomes a move of the file of the game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tabletape.dashboard.own_game.file import begin_named, is_begun
from tabletape.dashboard.own_game.kept import kept_games, name_moves
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.events.vocabulary import tag_of, vocabulary
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.sentences import event_in_words
from tabletape.projector.rulebooks.kept import keep
from tabletape.projector.scribing.beginning import Beginning, NewSeat, begin
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tests.dashboard.test_my_game_page import APP, open_page, page_text, press, tables
from tests.waiting import PATIENCE

TYPED = (
    "Kim starts",
    "Kim draws a card",
    "Kim plays camel",
    "Kim scores 2",
    "Kim passes",
    "Jon draws a card",
    "Jon plays salt well",
    "Jon plays camel",
    "Jon passes",
    "Ida plays caravan",
    "Ida discards camel",
    "Ida passes",
)
BOOK = b"""A player may play at most one card in a turn.
Nobody may discard a caravan.
Whoever has the most points wins.
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep a game of three that is new, line by line."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        slug = begin_named(tmp_path, "Salt Road")
        seats = tuple(NewSeat(name=name) for name in ("Kim", "Jon", "Ida"))
        type_lines(log, begin(log, Beginning(game=slug, players=seats)), TYPED)
    yield tmp_path
    look_in(APP.parent)


def type_lines(log: Log, game_id: str, lines: tuple[str, ...]) -> list[str]:
    """Type lines into the scribe, and return them as it has written them."""
    scribe, written = Scribe(log, game_id), []
    for typed in lines:
        first = ViewerScreen(scribe, EVERYTHING).screen(typed=typed).options[0]
        assert first.line is not None
        scribe.write([vocabulary(scribe.stored.game).convert(dict(first.line))], scribe.last_seq)
        written.append(event_in_words(scribe.replay.table, scribe.replay.events[-1]))
    return written


def test_what_was_done_with_cards_becomes_moves_in_a_revision(place: Path) -> None:
    """The lines that were written stay; undone ones say nothing, and all else is as it was."""
    file = place / "games" / "salt-road.toml"
    with Log.open(place / "tabletape.db") as log:
        (stored,) = log.games()
        type_lines(log, stored.game_id, ("Kim plays camle",))
        scribe = Scribe(log, stored.game_id)
        scribe.write(scribe.undone(), scribe.last_seq)
        before = log.games()
        kept = kept_games(before, log, file.read_text())
        assert (dict(kept.times), kept.kinds, kept.lines) == (
            {"draw": 2, "play": 4, "discard": 1},
            ("camel", "salt well", "caravan"),
            5,
        )
        assert not is_begun(file)
        assert name_moves(file, kept.look, before, log) == 5
        assert is_begun(file)
        (after,) = log.games()
        old, new = log.events(before[0]), log.events(after)
        assert after.revision == 2
        changed = [(tag_of(type(one)), tag_of(type(two))) for one, two in zip(old, new, strict=True) if one != two]
        assert changed == [("card.moved", f"move.{move}") for move in ("play",) * 4 + ("discard",)]
        assert [each.at for each in old] == [each.at for each in new]
        assert not kept_games(log.games(), log, file.read_text()).lines


def test_the_table_of_a_kept_game_stays_when_its_moves_are_named(place: Path) -> None:
    """A card that was played lies in front of its player, and a discarded one on its pile, as in the scribe."""
    with Log.open(place / "tabletape.db") as log:
        (stored,) = log.games()
        file = place / "games" / "salt-road.toml"
        name_moves(file, kept_games([stored], log, file.read_text()).look, [stored], log)
        scribe = Scribe(log, stored.game_id)
        lying = {
            (zone.name, zone.owner): [card.name for card in zone.cards]
            for zone in scribe.replay.table.zones.values()
            if zone.cards
        }
    assert lying == {
        ("A/table", "A"): ["camel"],
        ("B/table", "B"): ["salt-well", "camel#2"],
        ("C/table", "C"): ["caravan"],
        ("discard", ""): ["camel#3"],
    }


def test_who_goes_on_in_the_scribe_types_as_before(place: Path) -> None:
    """A play of a kind that the file knows is its move; of another one it is offered as a kind the next time."""
    file = place / "games" / "salt-road.toml"
    with Log.open(place / "tabletape.db") as log:
        (stored,) = log.games()
        kept = kept_games([stored], log, file.read_text())
        name_moves(file, kept.look, [stored], log)
        lines = ("Kim starts", "Kim draws a card", "Kim plays camel", "Kim plays lantern", "Kim scores 3")
        assert type_lines(log, stored.game_id, lines)[2:4] == ["Kim plays Camel 2", "Kim plays Lantern"]
        events = log.events(log.games()[0])
        assert [tag_of(type(each)) for each in events[-3:]] == ["move.play", "card.moved", "counter.changed"]
        kept = kept_games(log.games(), log, file.read_text())
        assert (dict(kept.times), kept.kinds, kept.lines) == ({}, ("lantern",), 1)
        assert name_moves(file, kept.look, log.games(), log) == 1
        assert Scribe(log, stored.game_id).replay.findings == []


def test_a_sentence_is_watched_over_a_game_kept_in_the_scribe(place: Path) -> None:
    """One button names the moves, the rulebook's sentences are offered, and the finding is there."""
    keep(place, "salt-road", "rules.md", BOOK)
    app = open_page()
    assert "Your log says what was done with cards" in page_text(app)
    press(app, "These are its moves")
    assert "5 lines said as moves" in page_text(app)
    assert "accuse nobody" not in page_text(app)
    assert "`size(cards) <= 1` (at most one card at once)" in page_text(app)
    press(app, "Watch these")
    rows = [row[::2] for row in tables(app)]
    assert ["A player may play at most one card in a turn. (L1)", "1"] in rows


def test_a_game_that_is_new_is_begun_on_the_page_of_the_scribe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is enough; nothing is begun before the button, and the scribe opens with it."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app._page_hash = calc_hash("keep")
    app.run()
    app.text_input(key="new game").set_value("Salt Road").run()
    assert not (tmp_path / "games").exists()
    press(app, "Begin the game Salt Road")
    assert (tmp_path / "games" / "salt-road.toml").is_file()
    assert "/scribe/?new=salt-road" in [each.proto.url for each in app.get("link_button")]
    look_in(APP.parent)
