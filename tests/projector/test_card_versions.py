"""Cards have versions: a changed card rewrites no history."""

import json
from pathlib import Path

import pytest

from dashboard.questions import ask
from events.importing import import_paths
from events.importing.report import Options
from events.log import Log
from events.writing import write_log
from projector.datasets.build import build
from projector.datasets.plans import Request
from projector.games import game
from projector.model.cards import CardError
from projector.reading.archive import Reading, cards_of, known_of, replays
from projector.reading.card_versions import texts_of
from projector.selfplay.simulate import Plan, simulate

NOW = Reading(cards="now")


def changed(place: Path) -> str:
    """Write a workspace's own cards in which one card of Crystal costs more; return its id."""
    library = game("crystal").cards.library
    card = next(each for each in library.values() if getattr(each, "cost", None) is not None)
    lines = [line for line in card_lines(card.id) if not line.startswith("cost")]
    (place / "cards").mkdir(exist_ok=True)
    (place / "cards" / "crystal.toml").write_text("\n".join([*lines, f"cost = {card.cost + 3}"]), encoding="utf-8")
    return card.id


def card_lines(card: str) -> list[str]:
    """Return the lines of a built-in card."""
    texts = texts_of(Path("/nowhere"), "crystal")
    assert texts is not None
    entries = texts.built_in.split("[[card]]")
    (mine,) = [entry for entry in entries if f'id = "{card}"' in entry]
    return ["[[card]]", *mine.partition("[[deck]]")[0].strip().splitlines()]


def imported(place: Path, seed: int) -> None:
    """Import six games of bots into the log of a workspace, as its cards are now."""
    one = game("crystal")
    file = place / f"{seed}.jsonl"
    with file.open("wb") as stream:
        for match in simulate(one, cards_of(place, "crystal"), Plan(seed=seed), 6):
            write_log(match.events, stream)
    with Log.open(place / "tabletape.db", create=True) as log:
        report = import_paths(log, [file], Options(known=lambda slug: known_of(place, slug)))
        assert [len(each.games) for each in report.files] == [6]


def findings(place: Path, reading: Reading) -> int:
    """Count the findings of all games by a reading."""
    with Log.open(place / "tabletape.db") as log:
        return sum(len(replay.findings) for _, replay in replays(log, log.games(), reading=reading))


def test_old_games_are_read_by_the_cards_that_they_were_recorded_under(tmp_path: Path) -> None:
    """A card that costs more today makes no finding in games that were played before, unless it is asked for."""
    imported(tmp_path, 1)
    assert findings(tmp_path, Reading()) == findings(tmp_path, NOW) == 0
    changed(tmp_path)
    assert findings(tmp_path, Reading()) == 0
    assert findings(tmp_path, NOW) > 0
    imported(tmp_path, 2)
    assert findings(tmp_path, Reading()) == 0


def test_games_before_and_after_a_change_are_counted_apart(tmp_path: Path) -> None:
    """Ruleset and cards are what A and B are: games that name the changed card are of an older version."""
    imported(tmp_path, 1)
    card = changed(tmp_path)
    imported(tmp_path, 2)
    with Log.open(tmp_path / "tabletape.db") as log:
        folder = build(log).folder
        named = [any(card in event.body for event in log.stored(each)) for each in log.games()]
        labels = [row["ruleset"] for row in ask("games", folder, source="bots").to_pylist()]
        assert sorted("cards=" in label for label in labels) == sorted([*named[:6], *[False] * 6])
        assert any(named[:6])
        build(log, Request(reading=NOW))
    rows = ask("games", folder, source="bots").to_pylist()
    assert len(rows) == 12 + sum(named[:6])
    by_today = [row for row in rows if "cards=" not in row["ruleset"]]
    assert len(by_today) == 12


def test_a_correction_of_an_old_game_keeps_its_cards(tmp_path: Path) -> None:
    """A revision is of the game that was played, so it is read by the cards of that day."""
    imported(tmp_path, 1)
    changed(tmp_path)
    file = tmp_path / "1.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    started = json.loads(lines[0])
    started["note"] = "written down by Ann"
    file.write_text("\n".join([json.dumps(started), *lines[1:]]), encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db") as log:
        import_paths(log, [file], Options(revise=True, known=lambda slug: known_of(tmp_path, slug)))
        revised = log.game(started["id"])
        assert (revised.revision, revised.cards) == (2, log.game(started["id"], 1).cards)


def test_cards_are_kept_once_however_many_games_use_them(tmp_path: Path) -> None:
    """Games that were imported under the same files name the same ones, and the text comes back as it was."""
    imported(tmp_path, 1)
    imported(tmp_path, 2)
    with Log.open(tmp_path / "tabletape.db") as log:
        assert {each.cards for each in log.games()} == {(1, 0)}
        assert log.card_texts(log.games()[0]) == texts_of(tmp_path, "crystal")


def test_kept_cards_that_cannot_be_read_any_more_name_the_way_out(tmp_path: Path) -> None:
    """Where today's rules do not know a word of an old card, the message says how the games can be read."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        one = game("crystal")
        (match,) = simulate(one, one.cards, Plan(), 1)
        texts = texts_of(tmp_path, "crystal")
        assert texts is not None
        odd = texts._replace(own='[[card]]\nid = "trooper"\nname = "Trooper"\nfrobs = 3\n')
        log.append(match.game_id, match.events, expected_last_seq=0, cards=odd)
        with pytest.raises(CardError, match="--cards now"):
            list(replays(log, log.games()))
        assert build(log).skipped[0].game_id == match.game_id
        assert ask("games", build(log, Request(reading=NOW)).folder, source="bots").num_rows == 1
