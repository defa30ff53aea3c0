"""The datasets: numbers that can be counted on one hand, and builds that do no more than they have to."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.log import Log
from projector.datasets import build as building
from projector.datasets import pack_builder, packs, plans
from projector.datasets.build import Built, build, folder_of, outdated
from projector.datasets.choices import choices_of
from projector.datasets.columns import COMMON, DATASETS, OWN
from projector.datasets.manifest import FILE, DatasetError, read_manifest
from projector.datasets.plans import Request
from projector.datasets.rows import rows_of_game
from projector.datasets.timeline import Walk, timeline_of
from projector.fold.folding import fold
from projector.model.game import Game
from projector.reading.archive import Reading

Store = Callable[..., Path]


def played(player: str, card: str, **more: Any) -> dict[str, Any]:
    """Return the line of a card that is played."""
    return {"type": "card.played", "player": player, "card": f"{player}:{card}", **more}


WON = [played("A", "four"), played("B", "two"), played("A", "six"), played("B", "three")]


def built(place: Path, **asked: Any) -> Built:
    """Build the datasets of a log."""
    with Log.open(place) as log:
        return build(log, Request(**asked))


def rows(place: Path, dataset: str) -> list[dict[str, Any]]:
    """Return the rows of a dataset, without the columns that all share but the game's id and ruleset."""
    folder = place.parent / ".tabletape" / "datasets"
    hidden = {name for name, _, _ in COMMON} - {"game_id", "ruleset"}
    found = [row for file in read_manifest(folder).files(dataset) for row in pq.read_table(folder / file).to_pylist()]
    ordered = sorted(found, key=lambda row: (row.get("game_id", ""), row.get("ruleset", "")))
    return [{key: value for key, value in row.items() if key not in hidden} for row in ordered]


def one(found: list[dict[str, Any]], **where: Any) -> dict[str, Any]:
    """Return the only row with some values."""
    (row,) = [row for row in found if all(row[key] == value for key, value in where.items())]
    return row


def test_a_game_is_counted_as_on_the_fingers(store: Store) -> None:
    """Ann wins two tricks in two turns; the numbers of the game are those that one counts at the table."""
    place = store("g", *WON, at="2026-05-01T19:00:00Z")
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


def test_turns_tell_what_everybody_had_at_their_ends(store: Store) -> None:
    """Progress and lead, and the totals of the player on turn, are those of the moment before the next turn begins."""
    place = store("g", *WON)
    built(place)
    told = [(row["turn"], row["player"], row["progress"], row["ahead"]) for row in rows(place, "turns")]
    assert told == [(1, "A", 0.5, 0.5), (1, "B", 0.0, -0.5), (2, "A", 1.0, 1.0), (2, "B", 0.0, -1.0)]
    totals = [(row["turn"], row["player"], row["own_turn"], row["name"], row["value"]) for row in rows(place, "totals")]
    assert totals == [(1, "A", 1, "tricks", 1), (2, "A", 2, "tricks", 2)]


def test_times_give_the_length_of_turns_and_of_the_waiting(store: Store) -> None:
    """A turn lasts from the end of the one before; who has several turns in a row has waited for nobody."""
    at = [f"2026-05-01T19:{minute:02}:00Z" for minute in (0, 1, 3, 4, 9)]
    lines = [line | {"at": when} for line, when in zip(WON, at[1:], strict=True)]
    place = store("g", *lines, at=at[0])
    built(place)
    turns = {row["turn"]: row for row in rows(place, "turns") if row["on_turn"]}
    assert [turns[1]["seconds"], turns[2]["seconds"]] == [180, 360]
    assert [turns[1]["waited"], turns[2]["waited"]] == [None, 0]
    assert one(rows(place, "games"))["minutes"] == 9


def test_the_lead_passes_when_the_other_player_is_further(store: Store) -> None:
    """Ann leads, then it is a tie, then Ben leads and wins: the lead changed once, and the winner was behind."""
    lines = [played("A", "four"), played("B", "two"), played("A", "one"), played("B", "three"),
             played("B", "six"), played("A", "six")]  # fmt: skip
    place = store("g", *lines)
    built(place, reading=Reading("", {"ties": "first_card"}))
    game = one(rows(place, "games"))
    assert (game["winner"], game["turns"], game["lead_changes"], game["last_lead_change"]) == ("B", 3, 1, 3)
    assert (game["deepest_deficit"], game["half_time_leader"]) == (0.5, "A")


def test_every_card_is_followed_through_the_game(store: Store) -> None:
    """What was drawn is seen; what was never played and still in hand at the end is dead."""
    place = store("g", *WON)
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


def test_what_was_taken_back_did_not_happen_but_stays_an_event(store: Store) -> None:
    """A play that was taken back counts neither for its card nor for the turn; the log keeps it, marked."""
    lines = [played("A", "one"), {"type": "play.taken-back", "to": 5, "rule": "higher.card.no-one"}, *WON]
    place = store("g", *lines)
    built(place)
    assert one(rows(place, "cards"), player="A", card="one")["played"] == 0
    assert [row["seq"] for row in rows(place, "events") if row["taken_back"]] == [6]
    assert one(rows(place, "games"))["take_backs"] == 1
    assert one(rows(place, "opportunities"), rule="higher.card.no-one")["take_backs"] == 1
    mix = {row["player"]: row for row in rows(place, "actions") if row["type"] == "card.played"}
    assert (mix["A"]["events"], mix["A"]["in_play"]) == (3, 2)


def test_a_hand_that_nobody_wrote_down_is_known_to_be_unknown(store: Store) -> None:
    """Cards drawn as a count make that player's hand unknown, and only that player's."""
    drawn = [
        {"type": "cards.drawn", "player": "A", "count": 3},
        {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:six"]},
    ]
    place = store("g", *WON, drawn=drawn)
    built(place)
    assert {row["player"]: row["hand_known"] for row in rows(place, "seats")} == {"A": False, "B": True}
    assert one(rows(place, "cards"), player="A", card="four")["played"] == 1


def test_findings_and_opportunities_are_kept_with_their_game(store: Store) -> None:
    """An illegal event is a finding and a broken opportunity; what comes later is tainted and no opportunity."""
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


def test_a_replay_that_stopped_has_rows_up_to_there(store: Store) -> None:
    """A game that cannot be folded to its end stands in the datasets with the reason."""
    place = store("g", *WON[:2], {"type": "play.taken-back", "to": 99}, *WON[2:])
    assert built(place).skipped == ()
    game = one(rows(place, "games"))
    assert (game["stopped_seq"], game["over"], game["events"]) == (8, False, 7)
    assert "99" in game["stopped"]


def test_the_decision_load_is_counted_where_it_is_asked_for(store: Store) -> None:
    """With the decision load every decision has its alternatives, and dead cards their reason; without it neither."""
    place = store("g", *WON)
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


def test_a_card_that_may_not_be_played_is_told_with_the_rule(store: Store, higher: Game) -> None:
    """A card that is in no legal decision is put in the place of one that is, and the rule that breaks is counted."""
    place = store("g", *WON, edition="second")
    forbidding = higher.legal

    def legal(table: Any, player: str) -> Any:
        return [event for event in forbidding(table, player) if event.card != "A:one"]

    with Log.open(place) as log:
        events = log.events(log.game("g"))
    changed = Game(**{name: getattr(higher, name) for name in Game.__struct_fields__ if name != "legal"}, legal=legal)
    replay = fold(changed, events)
    choices = choices_of(replay, timeline_of(replay))
    assert "A:one" in choices.held - choices.playable
    assert choices.blocked["A:one"] == Counter({"higher.card.no-one": 2})


@pytest.mark.parametrize("dataset", OWN)
def test_the_rows_fit_the_columns(store: Store, dataset: str) -> None:
    """Every dataset has the columns and types that are written down, each with its meaning."""
    place = store("g", *WON, played("A", "one"))
    built(place, decision_load=True)
    folder = place.parent / ".tabletape" / "datasets"
    (file,) = read_manifest(folder).files(dataset)
    schema = pq.read_schema(folder / file)
    assert schema.equals(DATASETS[dataset])
    assert all(field.metadata[b"doc"] for field in DATASETS[dataset])


# -- building ----------------------------------------------------------------------------------------------------------


def test_a_second_build_does_nothing(store: Store) -> None:
    """Where nothing changed no file is written."""
    place = store("g", *WON)
    assert (built(place).projected, built(place).unchanged) == (1, 1)
    folder = place.parent / ".tabletape" / "datasets"
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*.parquet")} | {
        folder / FILE: (folder / FILE).stat().st_mtime_ns
    }
    built(place)
    assert {file: file.stat().st_mtime_ns for file in before} == before
    with Log.open(place) as log:
        assert outdated(log) == 0


def test_only_a_game_that_changed_is_projected(store: Store) -> None:
    """A game that went on is projected again; the rows of the others are kept, whichever pack they lie in."""
    for number in range(4):
        place = store(f"g{number}", *WON[:2])
    built(place)
    store("g2", *WON)
    with Log.open(place) as log:
        assert outdated(log) == 1
    again = built(place)
    assert (again.projected, again.unchanged, again.events) == (1, 3, 9)
    assert {row["game_id"]: row["events"] for row in rows(place, "games")} == {"g0": 7, "g1": 7, "g2": 9, "g3": 7}
    assert len(rows(place, "events")) == 7 * 3 + 9


def test_packs_are_filled_and_a_full_one_is_left_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games share files up to the size of a pack; a new game touches no full pack."""
    monkeypatch.setattr(plans, "PACK_EVENTS", 20)
    for number in range(5):
        place = store(f"g{number}", *WON)
    built(place)
    folder = place.parent / ".tabletape" / "datasets"
    packs_before = {pack.name: len(pack.entries) for pack in read_manifest(folder).packs}
    assert sorted(packs_before.values()) == [2, 3]
    store("g5", *WON)
    built(place)
    packs_after = {pack.name: len(pack.entries) for pack in read_manifest(folder).packs}
    assert sum(packs_after.values()) == 6
    assert sum(name in packs_before for name in packs_after) >= 1
    assert {row["game_id"] for row in rows(place, "games")} == {f"g{number}" for number in range(6)}


def test_a_game_is_never_split_over_row_groups(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups end where a game ends, so that one game is read from one place."""
    monkeypatch.setattr(packs, "GROUP", 10)
    for number in range(5):
        place = store(f"g{number}", *WON)
    built(place)
    folder = place.parent / ".tabletape" / "datasets"
    for dataset in OWN:
        (name,) = read_manifest(folder).files(dataset)
        file = pq.ParquetFile(folder / name)
        groups = [set(file.read_row_group(n)["game_id"].to_pylist()) for n in range(file.num_row_groups)]
        assert sum(len(group) for group in groups) == len(set().union(*groups)), dataset
    assert pq.ParquetFile(folder / read_manifest(folder).files("events")[0]).num_row_groups == 3


@pytest.mark.parametrize("written", range(len(OWN)))
def test_a_build_that_dies_leaves_the_old_datasets_whole(
    store: Store, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    """Whatever file a build dies at, the datasets are what they were, and the next build sweeps up and finishes."""
    place = store("g0", *WON)
    built(place)
    before = {dataset: rows(place, dataset) for dataset in DATASETS}
    store("g1", *WON)
    done = 0
    write_table = packs.write_table

    def dies(file: Path, table: pa.Table) -> None:
        nonlocal done
        if done == written:
            file.with_suffix(".parquet.half").write_bytes(b"half a file")
            raise KeyboardInterrupt
        done += 1
        write_table(file, table)

    monkeypatch.setattr(packs, "write_table", dies)
    with pytest.raises(KeyboardInterrupt):
        built(place)
    assert {dataset: rows(place, dataset) for dataset in DATASETS} == before
    monkeypatch.undo()
    assert built(place).projected == 1
    assert {row["game_id"] for row in rows(place, "games")} == {"g0", "g1"}
    folder = place.parent / ".tabletape" / "datasets"
    there = {str(file.relative_to(folder)) for file in folder.rglob("*.parquet*")}
    assert there == read_manifest(folder).all_files()


def test_a_build_that_dies_before_its_manifest_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The manifest is replaced last: all files may be written, and the old ones still count."""
    place = store("g0", *WON)
    built(place)
    store("g1", *WON)

    def dies(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "write_manifest", dies)
    with pytest.raises(KeyboardInterrupt):
        built(place)
    assert {row["game_id"] for row in rows(place, "games")} == {"g0"}


def test_another_reading_stands_beside_the_tables_own(store: Store) -> None:
    """A build by another edition adds rows under their own ruleset, and later builds keep them up to date."""
    place = store("g", *WON, played("A", "one"))
    built(place)
    assert built(place, reading=Reading("second", {})).projected == 1
    read = {row["ruleset"]: row["as_played"] for row in rows(place, "games")}
    assert len(read) == 2
    assert read.pop("first") is True
    assert list(read.values()) == [False]
    store("h", *WON)
    assert (built(place).projected, len(rows(place, "games"))) == (1, 3)
    built(place, fresh=True)
    assert {row["ruleset"] for row in rows(place, "games")} == {"first"}


def test_the_tables_own_reading_asked_for_by_name_adds_nothing(store: Store) -> None:
    """A reading that comes to the same ruleset is no second one."""
    place = store("g", *WON)
    built(place)
    assert built(place, reading=Reading("first", {"ties": "first_card"})).projected == 0
    assert len(rows(place, "games")) == 1


def test_games_of_bots_are_told_by_their_ids(store: Store) -> None:
    """A game whose id begins with `bot-` was played by bots."""
    store("bot-higher-1-1", *WON)
    place = store("evening", *WON)
    built(place)
    folder = place.parent / ".tabletape" / "datasets"
    (file,) = read_manifest(folder).files("games")
    told = {row["game_id"]: row["source"] for row in pq.read_table(folder / file).to_pylist()}
    assert told == {"bot-higher-1-1": "bots", "evening": "people"}


def test_a_game_that_no_rulebook_can_read_is_left_out_with_the_reason(store: Store) -> None:
    """A ruling that the rulebook does not have leaves the game out and says so; the others are built."""
    store("bad", *WON, rulings={"tise": "first_card"})
    place = store("good", *WON)
    report = built(place)
    assert [each.game_id for each in report.skipped] == ["bad"]
    assert "did you mean ties" in report.skipped[0].reason
    assert {row["game_id"] for row in rows(place, "games")} == {"good"}


def test_a_game_whose_rows_cannot_be_made_does_not_stop_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake in one game's code is reported for that game, and the build goes on."""
    store("bad", *WON)
    place = store("good", *WON)

    def rows_or_not(replay: Any, **options: Any) -> Any:
        if replay.events[0].id == "bad":
            raise ZeroDivisionError("division by zero")
        return rows_of_game(replay, **options)

    monkeypatch.setattr(pack_builder, "rows_of_game", rows_or_not)
    report = built(place)
    assert [(each.game_id, "ZeroDivisionError" in each.reason) for each in report.skipped] == [("bad", True)]
    assert (report.projected, {row["game_id"] for row in rows(place, "games")}) == (1, {"good"})


def test_two_builds_at_once_are_refused(store: Store) -> None:
    """The second of two builds says that it has to wait."""
    place = store("g", *WON)
    with Log.open(place) as log, building._alone(folder_of(log)), pytest.raises(DatasetError, match="another build"):
        build(log)


def test_a_manifest_that_cannot_be_read_is_named_with_the_way_out(store: Store) -> None:
    """A damaged manifest is an error with the command that helps, and that command helps."""
    place = store("g", *WON)
    built(place)
    (place.parent / ".tabletape" / "datasets" / FILE).write_text("{")
    with pytest.raises(DatasetError, match="--fresh"):
        built(place)
    assert built(place, fresh=True).projected == 1
    assert len(rows(place, "games")) == 1


RECORDED = Path(__file__).parents[1] / "recordings"


def test_several_processes_build_what_one_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The datasets are the same, however many processes made them."""
    monkeypatch.setattr(plans, "PACK_EVENTS", 100)
    place = tmp_path / "tabletape.db"
    from projector.model.game import game, games  # noqa: PLC0415 - the games of the product, not the sixth one

    with Log.open(place, create=True) as log:
        for slug in games():
            for number, file in enumerate(sorted((RECORDED / slug).glob("*.jsonl"))[:3]):
                lines = [json.loads(line) for line in file.read_text().splitlines() if line]
                lines[0]["id"] = f"{slug}-{number}"
                events = [game(slug).vocabulary.decode(json.dumps(line)) for line in lines]
                log.append(f"{slug}-{number}", events, expected_last_seq=0)
    one_process = built(place)
    alone = {dataset: rows(place, dataset) for dataset in DATASETS}
    monkeypatch.setattr(pack_builder, "WORTH_PROCESSES", 0)
    several = built(place, fresh=True)
    assert several == one_process
    assert {dataset: rows(place, dataset) for dataset in DATASETS} == alone


moves = st.lists(
    st.one_of(
        st.builds(played, st.sampled_from("AB"), st.sampled_from(["one", "two", "three", "four", "five", "six", "?1"])),
        st.builds(lambda to: {"type": "play.taken-back", "to": to}, st.integers(3, 9)),
        st.builds(lambda c: {"type": "card.shown", "card": f"A:{c}", "was": "A:?1"}, st.sampled_from(["one", "five"])),
    ),
    max_size=14,
)  # fmt: skip


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=moves, hidden=st.booleans())
def test_the_steps_that_counted_lead_to_the_table_of_the_fold(
    higher: Game, lines: list[dict[str, Any]], hidden: bool
) -> None:
    """Leaving out what was taken back gives the same table, and no row is lost, whatever the table did."""
    head = [
        {"type": "game.started", "game": "higher", "edition": "first", "id": "g", "rulings": {},
         "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]},
        {"type": "deck.declared", "player": "A", "cards": ["one", "two", "three", "four", "five", "six"]},
        {"type": "cards.drawn", "player": "A", **({"count": 3} if hidden else {"cards": ["A:one", "A:four", "A:six"]})},
    ]  # fmt: skip
    replay = fold(higher, [higher.vocabulary.decode(json.dumps(line)) for line in [*head, *lines]])
    timeline = timeline_of(replay)
    assert Walk(replay, timeline).to(timeline.steps[-1]).state() == replay.table.state()
    told = rows_of_game(replay, decision_load=True).rows
    assert [row[0] for row in told["events"]] == replay.seqs
    assert len(told["findings"]) == len(replay.findings)
    assert sum(row[4] for row in told["actions"]) == len(replay.events)
    assert all(len(row) == len(OWN[dataset]) for dataset, each in told.items() for row in each)
