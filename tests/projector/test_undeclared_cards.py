"""A game whose file names no cards: what nobody has declared is unknown, and a table's missing number is not zero."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import game_file_problems, look_in
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tabletape.projector.tabletop.state import Tabletop
from tabletape.projector.tabletop.view import totals
from tests.projector.test_rules_file import drawn, folded, found, move

POND = """
title = "Pond"
[zones]
deck = "shared hidden"
hand = "own"
pond = "open"
row = "shared"
[counters]
water = { start = 3, each = true, says = "drops of water" }
reeds = { start = 2, each = true, says = "{player} has {number} reeds" }
looks = { start = 0, each = true, shown = false, says = "it is {player}'s {nth} look" }
[tables]
cost = { Otter = 2, Frog = 1 }
[turn]
actions = 1
says = "One thing a turn."
cite = "L4"
[move.play]
fields.card = "card of hand"
costs = { water = "cost(card)", says = "A card costs its water.", cite = "L5" }
does = ["card -> pond"]
[move.give]
fields.card = "card of hand"
fields.to = "other player"
does = ["card -> hand(to)"]
then = { move = "draw", unless = "no(deck)", says = "Whoever gives draws one.", cite = "L9" }
[move.draw]
owed = true
fields.card = "card of deck"
does = ["card -> hand"]
[move.look]
needs.row = { that = "any(row) and size(hand) > 0", says = "There is a row, and a hand.", cite = "L6" }
does = []
[move.rest]
needs.few = { that = "size(pond) < 2", says = "Who has two in the pond does not rest.", cite = "L7" }
does = ["water + 1"]
"""

UNDEALT = """
title = "Undealt"
zones = { deck = "shared hidden", hand = "own", pond = "open" }
cards = { kind = ["otter", "frog", "pike"], copies = 1, begin = "deck" }
turn = { actions = 1, says = "One thing a turn.", cite = "L4" }
[move.play]
fields.card = { is = "card of hand", says = "A card is played from the hand.", cite = "L1" }
does = ["card -> pond"]
"""


@pytest.fixture(scope="module", autouse=True)
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make a workspace with the game."""
    folder = tmp_path_factory.mktemp("pond")
    (folder / "games").mkdir()
    (folder / "games" / "pond.toml").write_text(POND)
    (folder / "games" / "undealt.toml").write_text(UNDEALT)
    look_in(folder)
    assert game_file_problems() == {}
    yield
    look_in(Path(__file__).parent)


def test_a_draw_from_a_deck_that_nobody_has_declared_is_no_mistake() -> None:
    """Whether the deck is empty nobody knows: a draw may be owed, and is not missed; one too many is found."""
    give, rest = move("give", "A", card="pike", to="B"), move("rest", "B")
    assert found(folded("pond", give, drawn("A", "reed"), rest)) == []
    assert found(folded("pond", give, rest)) == []
    assert found(folded("pond", give, drawn("A", "reed", "dam"), rest)) == [(4, "pond.give.then", "illegal")]


def test_a_zone_of_unknown_content_decides_nothing_and_an_open_one_is_counted() -> None:
    """A row that was laid out before the game, and a hand, are unknown; what moves lay into the open is known."""
    replay = folded("pond", move("look", "A"))
    assert found(replay) == [(3, "pond.look.row", "unverifiable")]
    assert replay.findings[0].message == "There is a row, and a hand. Nobody has said what lies in hand, row."
    plays = [line for name in ("frog", "otter") for line in (move("play", "A", card=name), move("rest", "B"))]
    assert found(folded("pond", *plays, move("rest", "A"))) == [(7, "pond.rest.few", "illegal")]


def test_the_board_shows_what_players_count_and_not_what_only_a_rule_does() -> None:
    """A counter whose sentence says how many there are, or what they are called, is one of the table."""
    table = folded("pond", move("rest", "A")).table
    assert isinstance(table, Tabletop)
    assert totals(table, "A") == {"water": 4, "reeds": 2, "hand": 0}


def test_what_was_read_off_a_zone_is_known() -> None:
    """Behind a count the rule is judged as in any game."""
    read_off: dict[str, Any] = {"type": "state.observed", "player": "A", "zones": {"hand": 2, "row": 0}}
    assert found(folded("pond", read_off, move("look", "A"))) == [(4, "pond.look.row", "illegal")]


def test_what_a_table_does_not_say_is_not_judged() -> None:
    """A card costs what the table says for its name; of another one nobody says what it costs."""
    assert found(
        folded("pond", move("play", "A", card="Otter"), move("rest", "B"), move("play", "A", card="otter"))
    ) == [(5, "pond.play.water", "illegal")]
    replay = folded("pond", move("play", "A", card="heron"))
    assert found(replay) == [(3, "pond.play.water", "unverifiable")]
    assert replay.findings[0].message == (
        "A card costs its water. The log and the file do not say the cost of heron, or cards are hidden."
    )


def test_a_draw_is_written_as_every_game_writes_it() -> None:
    """A move that only draws has no line of its own, which a log and a map are told."""
    words = vocabulary("pond")
    line = {"type": "move.draw", "player": "A", "card": "reed"}
    assert explain(ValueError(), line, words).suggestion == "write `cards.drawn`"
    text = 'map = 1\ngame = "pond"\nshape = "lines"\n[[line]]\nis = "{player} draws {card}"\nevent = "move.draw"\n'
    with pytest.raises(MapError, match=r"`move\.draw`; write `cards\.drawn`"):
        read_map(text, "pond.map.toml", vocabulary)


def test_bots_without_cards_say_why_their_game_does_not_end() -> None:
    """A file that names no cards gives bots none to play with."""
    one = game("pond")
    (match,) = simulate(one, one.cards, Plan(seed=1, bots=(Bot.RANDOM, Bot.RANDOM), limit=30), 1)
    assert "the game's file names no cards" in match.abandoned


def test_without_a_deal_a_card_of_the_deck_may_have_been_dealt() -> None:
    """A file that names its cards and no deal says nothing of the first hands; what lies on the table is in none."""
    twice = [move("play", player, card="otter") for player in "AB"]
    assert found(folded("undealt", *twice)) == [(4, "undealt.play.card", "illegal")]
    assert found(folded("undealt", twice[0], drawn("B", "frog"), move("play", "B", card="pike"))) == []
