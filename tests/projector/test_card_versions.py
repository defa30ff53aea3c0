"""Cards have versions: changing a card does not change games that were already recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import ask
from tabletape.events.importing import import_paths
from tabletape.events.importing.report import Options
from tabletape.events.log import Log
from tabletape.events.log.json_lines import write_log
from tabletape.projector.archive.card_versions import texts_of
from tabletape.projector.archive.stored import Reading, cards_of, known_of, replays
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game
from tabletape.projector.model.cards import CardError
from tabletape.projector.selfplay.simulate import Plan, simulate

NOW = Reading(cards="now")


def make_a_card_cost_more(place: Path) -> str:
    """Write own cards of a workspace, in which one card of Crystal costs more; return its id."""
    library: dict[str, Any] = {**game("crystal").cards.library}
    card = next(each for each in library.values() if getattr(each, "cost", None) is not None)
    lines = [line for line in card_lines(card.id) if not line.startswith("cost")]
    (place / "cards").mkdir(exist_ok=True)
    (place / "cards" / "crystal.toml").write_text("\n".join([*lines, f"cost = {card.cost + 3}"]), encoding="utf-8")
    return str(card.id)


def card_lines(card: str) -> list[str]:
    """Return the lines of a built-in card in its card file."""
    texts = texts_of(Path("/nowhere"), "crystal")
    assert texts is not None
    entries = texts.built_in.split("[[card]]")
    (mine,) = [entry for entry in entries if f'id = "{card}"' in entry]
    return ["[[card]]", *mine.partition("[[deck]]")[0].strip().splitlines()]


def import_games(place: Path, seed: int) -> None:
    """Import six games of bots, played with a workspace's present cards, into its log."""
    one = game("crystal")
    file = place / f"{seed}.jsonl"
    with file.open("wb") as stream:
        for match in simulate(one, cards_of(place, "crystal"), Plan(seed=seed), 6):
            write_log(match.events, stream)
    with Log.open(place / "tabletape.db", create=True) as log:
        report = import_paths(log, [file], Options(known=lambda slug: known_of(place, slug)))
        assert [len(each.games) for each in report.files] == [6]


def count_findings(place: Path, reading: Reading) -> int:
    """Return the number of findings in all games under a reading."""
    with Log.open(place / "tabletape.db") as log:
        return sum(len(replay.findings) for _, replay in replays(log, log.games(), reading=reading))


def test_old_games_are_read_by_the_cards_that_they_were_recorded_under(tmp_path: Path) -> None:
    """A card that costs more now causes no finding in older games, unless the reading asks for today's cards."""
    import_games(tmp_path, 1)
    assert count_findings(tmp_path, Reading()) == count_findings(tmp_path, NOW) == 0
    make_a_card_cost_more(tmp_path)
    assert count_findings(tmp_path, Reading()) == 0
    assert count_findings(tmp_path, NOW) > 0
    import_games(tmp_path, 2)
    assert count_findings(tmp_path, Reading()) == 0


def test_games_before_and_after_a_change_are_counted_separately(tmp_path: Path) -> None:
    """Only older games that name the changed card get a label with their cards; today's cards add rows without it."""
    import_games(tmp_path, 1)
    card = make_a_card_cost_more(tmp_path)
    import_games(tmp_path, 2)
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
    """A revision is of the same game as played, so it is read by the cards of that day."""
    import_games(tmp_path, 1)
    make_a_card_cost_more(tmp_path)
    file = tmp_path / "1.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    started = json.loads(lines[0])
    started["note"] = "written down by Ann"
    file.write_text("\n".join([json.dumps(started), *lines[1:]]), encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db") as log:
        import_paths(log, [file], Options(revise=True, known=lambda slug: known_of(tmp_path, slug)))
        revised = log.game(started["id"])
        assert (revised.revision, revised.cards) == (2, log.game(started["id"], 1).cards)


def test_cards_are_stored_once_however_many_games_use_them(tmp_path: Path) -> None:
    """Games that were imported under the same card files refer to the same stored texts, which are unchanged."""
    import_games(tmp_path, 1)
    import_games(tmp_path, 2)
    with Log.open(tmp_path / "tabletape.db") as log:
        assert {each.cards for each in log.games()} == {(1, 0)}
        assert log.card_texts(log.games()[0]) == texts_of(tmp_path, "crystal")


def test_stored_cards_that_cannot_be_read_any_more_are_reported_with_a_remedy(tmp_path: Path) -> None:
    """If today's code does not know a field of an old card, the message says how the games can still be read."""
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
