"""The datasets of games that are small enough to count by hand."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.log import Log
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.datasets.columns import DATASETS, OWN_SCHEMAS
from tabletape.projector.datasets.manifest import read_manifest
from tabletape.projector.datasets.rows.choices import choices_of
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.datasets.rows.timeline import Walk, player_of, timeline_of
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.projector.counting import built, one, rows
from tests.written_games import ANN_WINS, played

Store = Callable[..., Path]


def test_the_numbers_of_a_game_match_a_count_by_hand(store: Store) -> None:
    """Ann wins two tricks in two turns; the numbers of the game are those counted by hand."""
    place = store("g", *ANN_WINS, at="2026-05-01T19:00:00Z")
    built(place)
    game = one(rows(place, "games"))
    expected = {
        "edition": "first", "as_played": True, "players": 2, "first_player": "A", "over": True, "winner": "A",
        "reason": "tricks", "events": 9, "rounds": 1, "turns": 2, "questions": 0, "take_backs": 0,
        "lead_changes": 0, "last_lead_change": 0, "half_time_leader": "A", "deepest_deficit": 0.0,
        "minutes": None, "first_illegal_seq": None, "stopped": None,
    }  # fmt: skip
    assert {key: game[key] for key in expected} == expected
    assert game["started_at"].isoformat() == "2026-05-01T19:00:00+00:00"
    seats = {row["player"]: (row["seat"], row["deck"], row["first"], row["won"]) for row in rows(place, "seats")}
    assert seats == {"A": (1, "low", True, True), "B": (2, "high", False, False)}


def test_a_turns_rows_hold_each_players_state_at_its_end(store: Store) -> None:
    """Progress and lead, and the totals of the player on turn, are those just before the next turn begins."""
    place = store("g", *ANN_WINS)
    built(place)
    progress = [(row["turn"], row["player"], row["progress"], row["ahead"]) for row in rows(place, "turns")]
    assert progress == [(1, "A", 0.5, 0.5), (1, "B", 0.0, -0.5), (2, "A", 1.0, 1.0), (2, "B", 0.0, -1.0)]
    totals = [(row["turn"], row["player"], row["own_turn"], row["name"], row["value"]) for row in rows(place, "totals")]
    assert totals == [(1, "A", 1, "tricks", 1), (2, "A", 2, "tricks", 2)]


def test_times_give_the_length_of_turns_and_of_waiting(store: Store) -> None:
    """A turn lasts from the end of the one before; a player with several turns in a row has no waiting time."""
    at = [f"2026-05-01T19:{minute:02}:00Z" for minute in (0, 1, 3, 4, 9)]
    lines = [line | {"at": when} for line, when in zip(ANN_WINS, at[1:], strict=True)]
    place = store("g", *lines, at=at[0])
    built(place)
    turns = {row["turn"]: row for row in rows(place, "turns") if row["on_turn"]}
    assert [turns[1]["seconds"], turns[2]["seconds"]] == [180, 360]
    assert [turns[1]["waited"], turns[2]["waited"]] == [None, 0]
    assert one(rows(place, "games"))["minutes"] == 9


def test_the_lead_changes_when_the_other_player_is_ahead(store: Store) -> None:
    """Ann leads, then it is a tie, then Ben leads and wins: the lead changed once, and the winner was behind."""
    lines = [played("A", "four"), played("B", "two"), played("A", "one"), played("B", "three"),
             played("B", "six"), played("A", "six")]  # fmt: skip
    place = store("g", *lines)
    built(place, reading=RulesetOverride("", {"ties": "first_card"}))
    game = one(rows(place, "games"))
    assert (game["winner"], game["turns"], game["lead_changes"], game["last_lead_change"]) == ("B", 3, 1, 3)
    assert (game["deepest_deficit"], game["half_time_leader"]) == (0.5, "A")


def test_every_card_is_followed_through_the_game(store: Store) -> None:
    """A card that was drawn is seen; one that was never played and is in hand at the end is dead."""
    place = store("g", *ANN_WINS)
    built(place)
    cards = rows(place, "cards")
    four = one(cards, player="A", card="four")
    assert [four[key] for key in ("copies", "seen", "drawn", "opening", "played", "dead", "left_in_hand")] == [
        1, 1, 1, 0, 1, 0, 0,
    ]  # fmt: skip
    left = one(cards, player="A", card="one")
    assert [left[key] for key in ("seen", "played", "dead", "left_in_hand", "stays", "turns_in_hand")] == [
        1, 0, 1, 1, 1, 2,
    ]  # fmt: skip
    unseen = one(cards, player="A", card="two")
    assert [unseen[key] for key in ("copies", "seen", "appeared", "first_turn")] == [1, 0, 0, None]
    assert all(row["playable"] is None for row in cards)


def test_a_play_that_was_taken_back_counts_only_as_an_event(store: Store) -> None:
    """A play that was taken back counts neither for its card nor as an action in play; its event is kept, marked."""
    lines = [played("A", "one"), {"type": "play.taken-back", "to": 5, "rule": "higher.card.no-one"}, *ANN_WINS]
    place = store("g", *lines)
    built(place)
    assert one(rows(place, "cards"), player="A", card="one")["played"] == 0
    assert [row["seq"] for row in rows(place, "events") if row["taken_back"]] == [6]
    assert one(rows(place, "games"))["take_backs"] == 1
    assert one(rows(place, "opportunities"), rule="higher.card.no-one")["take_backs"] == 1
    mix = {row["player"]: row for row in rows(place, "actions") if row["type"] == "card.played"}
    assert (mix["A"]["events"], mix["A"]["in_play"]) == (3, 2)


def test_a_hand_that_was_drawn_as_a_count_is_marked_as_unknown(store: Store) -> None:
    """Cards drawn as a count make only that player's hand unknown."""
    drawn = [
        {"type": "cards.drawn", "player": "A", "count": 3},
        {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:six"]},
    ]
    place = store("g", *ANN_WINS, drawn=drawn)
    built(place)
    assert {row["player"]: row["hand_known"] for row in rows(place, "seats")} == {"A": False, "B": True}
    assert one(rows(place, "cards"), player="A", card="four")["played"] == 1


def test_a_broken_rule_is_a_finding_and_an_opportunity(store: Store) -> None:
    """An illegal event is a finding and a broken opportunity; later events are tainted and counted separately."""
    place = store("g", played("B", "two"), played("A", "four"))
    built(place)
    finding = one(rows(place, "findings"))
    assert [finding[key] for key in ("seq", "rule", "kind", "player", "type", "turn", "tainted")] == [
        6, "higher.turn.alternate", "illegal", "B", "card.played", 1, False,
    ]  # fmt: skip
    rule = one(rows(place, "opportunities"), rule="higher.turn.alternate")
    assert (rule["kept"], rule["broken"], rule["kept_later"], rule["follow_ups"]) == (0, 1, 1, 0)
    assert one(rows(place, "games"))["first_illegal_seq"] == 6
    assert [row["seq"] for row in rows(place, "events") if row["tainted"]] == [7]


@pytest.mark.usefixtures("as_older_logs")
def test_a_replay_that_stopped_has_rows_up_to_that_event(store: Store) -> None:
    """A game that cannot be folded to its end is in the datasets with the reason."""
    place = store("g", *ANN_WINS[:2], {"type": "play.taken-back", "to": 99}, *ANN_WINS[2:])
    assert built(place).skipped == ()
    game = one(rows(place, "games"))
    assert (game["stopped_seq"], game["over"], game["events"]) == (8, False, 7)
    assert "99" in game["stopped"]


def test_the_decision_load_is_counted_on_request(store: Store) -> None:
    """With the decision load, decisions have a count of legal ones and dead cards a reason; without it neither does."""
    place = store("g", *ANN_WINS)
    built(place)
    assert {row["legal"] for row in rows(place, "events")} == {None}
    assert rows(place, "choices") == []
    assert built(place, decision_load=True).projected == 1
    plays = [row["legal"] for row in rows(place, "events") if row["type"] == "card.played"]
    assert plays == [3, 3, 2, 2]
    counted = [(row["round"], row["legal"], row["decisions"]) for row in rows(place, "choices")]
    assert counted == [(1, 2, 2), (1, 3, 2)]
    dead = one(rows(place, "cards"), player="A", card="one")
    assert (dead["playable"], dead["dead_unplayable"], dead["dead_too_late"]) == (1, 0, 0)
    assert built(place).unchanged == 1
    assert [row["legal"] for row in rows(place, "events") if row["type"] == "card.played"] == plays


def test_an_unplayable_card_is_counted_under_the_rule_that_forbids_it(store: Store, higher: Game) -> None:
    """A card in no legal decision is tried in place of a legal one, and the rule that this breaks is counted."""
    place = store("g", *ANN_WINS, edition="second")
    legal_by_the_rules: Callable[..., Any] = higher.legal

    def legal(table: Any, player: str) -> Any:
        return [event for event in legal_by_the_rules(table, player) if event.card != "A:one"]

    with Log.open(place) as log:
        events = log.events(log.game("g"))
    changed = Game(**{name: getattr(higher, name) for name in Game.__struct_fields__ if name != "legal"}, legal=legal)
    replay = fold(changed, events)
    choices = choices_of(replay, timeline_of(replay))
    assert "A:one" in choices.held - choices.playable
    assert choices.blocked["A:one"] == Counter({"higher.card.no-one": 2})


@pytest.mark.parametrize(("slug", "matches"), [("evolve", 12), ("crystal", 2), ("duelyst", 1), ("splicers", 2)])
def test_counting_unplayable_cards_does_not_change_the_table(slug: str, matches: int) -> None:
    """The legal decisions that are counted are as many as at a table where no unplayable cards were tried."""
    one = game(slug)
    for match in simulate(one, one.cards, Plan(seed=5), matches):
        replay = fold(one, match.events)
        timeline = timeline_of(replay)
        walk = Walk(replay, timeline)
        counted = choices_of(replay, timeline).legal
        assert counted == {
            step: len(one.legal(walk.before(step), str(player_of(replay.events[step])))) for step in counted
        }


@pytest.mark.parametrize("dataset", OWN_SCHEMAS)
def test_the_rows_match_the_columns(store: Store, dataset: str) -> None:
    """Every dataset has the declared columns and types, each with a description."""
    place = store("g", *ANN_WINS, played("A", "one"))
    built(place, decision_load=True)
    folder = place.parent / ".tabletape" / "datasets"
    (file,) = read_manifest(folder).files(dataset)
    schema = pq.read_schema(folder / file)
    assert schema.equals(DATASETS[dataset])
    assert all(field.metadata[b"doc"] for field in DATASETS[dataset])


moves = st.lists(
    st.one_of(
        st.builds(played, st.sampled_from("AB"), st.sampled_from(["one", "two", "three", "four", "five", "six", "?1"])),
        st.builds(lambda to: {"type": "play.taken-back", "to": to}, st.integers(3, 9)),
        st.builds(lambda c: {"type": "card.shown", "card": f"A:{c}", "was": "A:?1"}, st.sampled_from(["one", "five"])),
    ),
    max_size=14,
)  # fmt: skip


@settings(deadline=None, max_examples=80)
@given(lines=moves, hidden=st.booleans())
def test_the_steps_of_the_timeline_lead_to_the_table_of_the_fold(
    higher: Game, lines: list[dict[str, Any]], hidden: bool
) -> None:
    """Whatever the log has, leaving out what was taken back gives the same table, and no row is lost."""
    head = [
        {"type": "game.started", "game": "higher", "edition": "first", "id": "g", "rulings": {},
         "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]},
        {"type": "deck.declared", "player": "A", "cards": ["one", "two", "three", "four", "five", "six"]},
        {"type": "cards.drawn", "player": "A", **({"count": 3} if hidden else {"cards": ["A:one", "A:four", "A:six"]})},
    ]  # fmt: skip
    replay = fold(higher, [higher.vocabulary.decode(json.dumps(line)) for line in [*head, *lines]])
    timeline = timeline_of(replay)
    assert Walk(replay, timeline).to(timeline.steps[-1]).state() == replay.table.state()
    result = rows_of_game(replay, decision_load=True).rows
    assert [row[0] for row in result["events"]] == replay.seqs
    assert len(result["findings"]) == len(replay.findings)
    assert sum(row[4] for row in result["actions"]) == len(replay.events)
    assert all(len(row) == len(OWN_SCHEMAS[dataset]) for dataset, each in result.items() for row in each)
