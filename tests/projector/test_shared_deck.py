"""A game of another package with one deck for all, hands that only the others see, and one end for all.

What somebody met who added Hanabi from outside, and the test that failed before it was mended:

* `red 2` of a hidden hand became a card of Ann, who was accused:
  `test_a_card_as_people_write_it_is_one_of_the_table`
* bots looked at their own hidden hands: `test_no_bot_looks_at_its_own_hand` here, and that greedy ones get what fair
  players get in `test_hanabi`
* what-if counted a game without a winner as half a win: `test_what_if`
* a variant of the set-up was taken for a reading: `test_what_a_table_chooses_is_no_reading` in `test_hanabi`
* the scribe asked for deck lists and stopped, and each list had to have a player:
  `test_the_scribe_begins_a_game_without_deck_lists`
* bots drew from decks that nobody has: `test_bots_play_a_game_with_one_deck_to_its_end`
* no question gave scores: `test_a_score_of_the_table_is_reached_together` in `test_small_games`
* `take` and `may_be_in` compared owners: `test_a_name_without_a_number_means_the_copy_in_the_hand`
* words named an empty owner, the scribe showed each copy: `test_words_name_no_owner_where_there_is_none`, and
  `test_the_scribe_begins_a_game_without_deck_lists`
* nobody's hand could be seen by the others alone: `test_others_see_a_hand_that_its_player_does_not`
* the invariants of all games were not for others: `test_all_that_must_hold_for_every_game_holds` in `test_small_games`
* a file with an underscore was passed over: `test_a_file_that_cannot_be_used_is_named_by_every_command` in
  `tests.cli.test_plugins`
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.projector.archive.stored import replay
from tabletape.projector.comparing.ruleset_comparison import outcome_of
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import package_of
from tabletape.projector.model.game import Game
from tabletape.projector.model.sentences import sentence
from tabletape.projector.scribing.beginning import Beginning, NewSeat, begin
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.bots import Decider, decide
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.search import SearchEffort
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.installed import installed
from tests.projector.decisions import tables_before_decisions
from tests.projector.test_knowing import swapped

PACKAGES = Path(__file__).parents[1] / "small_games"
HEAD = {
    "type": "game.started",
    "game": "lanterns",
    "edition": "first",
    "id": "one",
    "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}],
}


@pytest.fixture
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """Install the package by its entry point, and yield its game."""
    with installed("lanterns", PACKAGES, tmp_path_factory.mktemp("site")) as one:
        yield one


@pytest.fixture
def folded(lanterns: Game) -> Callable[..., Replay]:
    """Return a function that folds lines behind a `game.started`."""

    def fold_lines(*lines: dict[str, Any]) -> Replay:
        return fold(
            lanterns, [lanterns.vocabulary.decode(json.dumps(each)) for each in (HEAD | {"rulings": {}}, *lines)]
        )

    return fold_lines


def draws(**cards: Any) -> list[dict[str, Any]]:
    """Return what both players draw: names, or how many."""
    return [
        {"type": "cards.drawn", "player": player, **({"count": what} if isinstance(what, int) else {"cards": what})}
        for player, what in cards.items()
    ]


def play(player: str, card: str) -> dict[str, Any]:
    """Return the line that plays a card."""
    return {"type": "card.played", "player": player, "card": card}


@pytest.mark.parametrize("bot", Bot)
def test_bots_play_a_game_with_one_deck_to_its_end(lanterns: Game, bot: Bot) -> None:
    """The deck of all is drawn from, and each game ends for all with the points of the table."""
    plan = Plan(seed=3, bots=(bot, bot, bot), effort=SearchEffort(iterations=8), full=True)
    for match in simulate(lanterns, lanterns.cards, plan, 3):
        assert (match.abandoned, match.findings, match.winner) == ("", [], "")
        last: Any = match.events[-1]
        assert (last.cooperative, bool(last.winners)) == (True, last.score == 6)


def test_a_game_won_together_is_won_by_all_in_every_account(lanterns: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more copies, and where mistakes cost nothing, bots lay every card at times: all have won then."""
    monkeypatch.setattr(f"{package_of(lanterns.slug)}.play.ALLOWED", {"easy": 99})
    many = "tabletape.projector.kit.small_game.all_copies"
    monkeypatch.setattr(many, lambda library: tuple(f"{card}#{copy}" for card in library for copy in range(1, 5)))
    matches = list(simulate(lanterns, lanterns.cards, Plan(seed=1), 60))
    won = [match for match in matches if match.reason == "laid"]
    assert won
    assert {match.winners for match in won} == {("A", "B")}
    assert {match.winners for match in matches if match.reason == "out-of-cards"} == {()}
    replays = [fold(lanterns, match.events) for match in won]
    assert {outcome_of(each).winner for each in replays} == {"Random bot A and Random bot B"}


@pytest.mark.parametrize("bot", Bot)
def test_no_bot_looks_at_its_own_hand(lanterns: Game, bot: Bot) -> None:
    """Whatever the cards are that a player cannot see, the choice is the same."""
    luck, tried = Random(4), 0  # noqa: S311 - the same swaps each time
    for seed in range(4):
        for table, player in tables_before_decisions(lanterns, Plan(seed=seed)):
            other = swapped(table, player, luck)
            names = [[card.name for card in each.zones[f"hand:{player}"].cards] for each in (table, other)]
            by, dice = Decider(bot, SearchEffort(iterations=8)), "same"
            chosen: list[Any] = [decide(lanterns, each, player, by, SeededDice(dice)) for each in (table.copy(), other)]
            places = [(type(event), hand.index(event.card)) for event, hand in zip(chosen, names, strict=True)]
            assert places[0] == places[1]
            tried += names[0] != names[1]
    assert tried > 10


def test_others_see_a_hand_that_its_player_does_not(folded: Callable[..., Replay]) -> None:
    """Ben knows what Ann holds, Ann and the public do not."""
    table = folded(*draws(A=["red-1#1", "blue-2#1"], B=["red-2#1", "blue-3#1"])).table
    card = table.cards["red-1#1"]
    assert [table.knows(viewer, card) for viewer in ("A", "B", "")] == [False, True, False]


@pytest.mark.parametrize("card", ["red-2", "red-2#1", "red-2#2"])
def test_a_card_of_an_unseen_hand_is_no_accusation(folded: Callable[..., Replay], card: str) -> None:
    """Ann has drawn two cards that nobody named: what she plays may be any of them."""
    replay = folded(*draws(A=2, B=2), play("A", card))
    assert replay.findings == []
    assert (replay.table.zones["hand:A"].size, replay.table.zones["discard"].size) == (1, 1)
    assert replay.table.zones["deck"].size == 12 - 4


def test_a_name_without_a_number_means_the_copy_in_the_hand(folded: Callable[..., Replay]) -> None:
    """Ann holds the second copy, so that is the one that she plays; a card that she cannot have is still found."""
    hands = draws(A=["red-1#2", "blue-2#1"], B=["red-2#1", "blue-3#1"])
    replay = folded(*hands, play("A", "red-1"))
    assert replay.findings == []
    assert [card.name for card in replay.table.zones["row"].cards] == ["red-1#2"]
    (finding,) = folded(*hands, play("A", "blue-3")).findings
    assert (finding.rule, finding.kind) == ("lanterns.card.from-hand", "illegal")


def test_words_name_no_owner_where_there_is_none(folded: Callable[..., Replay]) -> None:
    """A hidden card of the table is a hidden card; a copy is not part of the name."""
    replay = folded(*draws(A=["red-1#2", "blue-2#1"], B=2))
    line = replay.events[1]
    assert sentence(replay.table, line) == "Ann draws Red 1 #2 and Blue 2 #1"
    assert sentence(replay.table, line, frozenset({"red-1#2", "blue-2#1"})) == "Ann draws 2 hidden cards"


def test_a_card_as_people_write_it_is_one_of_the_table(lanterns: Game, tmp_path: Path) -> None:
    """`red 2` of a game without deck lists belongs to nobody, and nobody is accused."""
    assert lanterns
    lines = [HEAD, *draws(A=2, B=2), play("Ann", "Red 2")]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    sheet = "type,game,edition,id,players,player,count,card\ngame.started,lanterns,first,sheet,Ann; Ben,,,\n"
    (tmp_path / "log.csv").write_text(sheet + "cards.drawn,,,,,Ann,2,\ncard.played,,,,,Ann,,Red 2\n")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        assert import_paths(log, [tmp_path / "log.jsonl", tmp_path / "log.csv"], Options()).clean
        for stored in log.games():
            events: Any = log.events(stored)
            assert events[-1].card == "red-2"
            assert replay(log, stored, events).findings == []


def test_the_scribe_begins_a_game_without_deck_lists(lanterns: Game, tmp_path: Path) -> None:
    """The head is written, no deck list is asked for, and of the deck each card is offered once with its copies."""
    seats = tuple(NewSeat(name=name) for name in ("Ann", "Ben"))
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        game_id = begin(log, Beginning(game=lanterns.slug, players=seats))
        scribe = Scribe(log, game_id)
        assert scribe.last_seq == 1
        offered = ViewerScreen(scribe, "*").screen().asked[0].question.cards
        assert {each.card: each.copies for each in offered} == {
            f"{colour}-{rank}": 4 - rank for colour in ("red", "blue") for rank in (1, 2, 3)
        }
        drawn = [lanterns.vocabulary.decode(json.dumps(each)) for each in draws(A=2, B=["red-2#1", "blue-3#1"])]
        scribe.write(drawn, 1)
        assert scribe.brought() == []
        assert ViewerScreen(scribe, "*").screen().seq == 3
        # Ann's cards were only counted, so any card may be among them.
        scribe.write([lanterns.vocabulary.decode(json.dumps(play("A", "red-1")))], 3)
        assert scribe.brought() == []
