"""Cards have versions: changing a card does not change games that were already recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import ask
from tabletape.events.importing import import_paths
from tabletape.events.importing.report import Options
from tabletape.events.log import Log
from tabletape.events.log.rows import as_lines
from tabletape.projector.archive.card_versions import readable_cards, texts_of
from tabletape.projector.archive.stored import RulesetOverride, cards_of, import_options, known_of, replays
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game
from tabletape.projector.model.cards import CardError
from tabletape.projector.selfplay.simulate import Plan, simulate

NOW = RulesetOverride(cards="now")


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
            stream.write(as_lines(match.events))
    with Log.open(place / "tabletape.db", create=True) as log:
        report = import_paths(log, [file], Options(known=lambda slug: known_of(place, slug)))
        assert [len(each.games) for each in report.files] == [6]


def count_findings(place: Path, reading: RulesetOverride) -> int:
    """Return the number of findings in all games under a reading."""
    with Log.open(place / "tabletape.db") as log:
        return sum(len(replay.findings) for _, replay in replays(log, log.games(), reading=reading))


def test_old_games_are_read_by_the_cards_that_they_were_recorded_under(tmp_path: Path) -> None:
    """A card that costs more now causes no finding in older games, unless the reading asks for today's cards."""
    import_games(tmp_path, 1)
    assert count_findings(tmp_path, RulesetOverride()) == count_findings(tmp_path, NOW) == 0
    make_a_card_cost_more(tmp_path)
    assert count_findings(tmp_path, RulesetOverride()) == 0
    assert count_findings(tmp_path, NOW) > 0
    import_games(tmp_path, 2)
    assert count_findings(tmp_path, RulesetOverride()) == 0


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


def append_game(log: Log, seed: int, own: str) -> str:
    """Store a game of bots under the built-in cards of Crystal, with own ones that no import has looked at."""
    one, texts = game("crystal"), texts_of(Path("/nowhere"), "crystal")
    assert texts is not None
    (match,) = simulate(one, one.cards, Plan(seed=seed), 1)
    log.append(match.game_id, match.events, expected_last_seq=0, cards=texts._replace(own=own))
    return match.game_id


ODD = '[[card]]\nid = "{card}"\nname = "Odd"\nfrobs = 3\n'


def test_an_old_card_that_cannot_be_read_any_more_touches_no_game_without_it(tmp_path: Path) -> None:
    """Today's code does not know a field of a kept card: games that never name it are read as before."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        append_game(log, 1, ODD.format(card="of-nobody"))
        ((_, replay),) = replays(log, log.games())
        assert (replay.findings, replay.stopped) == ([], None)


def test_an_old_card_that_cannot_be_read_any_more_is_unknown_where_it_is_played(tmp_path: Path) -> None:
    """Its games are not read by another text of that card: what hangs on it cannot be told, and it is named."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        append_game(log, 1, ODD.format(card="trooper"))
        ((_, replay),) = replays(log, log.games())
        assert {each.kind for each in replay.findings} == {"unverifiable"}
        assert any("trooper" in each.message for each in replay.findings)
        assert next(iter(replays(log, log.games(), reading=NOW)))[1].findings == []


def test_kept_files_that_are_none_of_cards_are_reported_with_a_remedy(tmp_path: Path) -> None:
    """Where a file cannot be read at all, the message says how the games can still be read."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        game_id = append_game(log, 1, "[[card]\n")
        with pytest.raises(CardError, match="--cards now"):
            list(replays(log, log.games()))
        assert build(log).skipped[0].game_id == game_id
        assert ask("games", build(log, Request(reading=NOW)).folder, source="bots").num_rows == 1


def test_a_card_of_the_workspace_that_is_refused_stops_no_import_of_games_without_it(tmp_path: Path) -> None:
    """The report names it with its file and line; the game is read, audited and built as without that card."""
    (tmp_path / "cards").mkdir()
    own = tmp_path / "cards" / "crystal.toml"
    own.write_text(ODD.format(card="of-nobody"), encoding="utf-8")
    file = tmp_path / "g.jsonl"
    (match,) = simulate(game("crystal"), game("crystal").cards, Plan(seed=1), 1)
    with file.open("wb") as stream:
        stream.write(as_lines(match.events))
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        (report,) = import_paths(log, [file], import_options(tmp_path)).files
        assert (len(report.games), report.quarantined) == (1, 0)
        assert [each for each in report.remarks if each.startswith(f"{own}:2: card 'of-nobody'")]
        assert [replay.findings for _, replay in replays(log, log.games())] == [[]]
        built = build(log)
        assert (len(ask("games", built.folder, source="bots")), built.skipped) == (1, ())


def test_each_entry_that_is_refused_is_named_and_takes_no_other_with_it() -> None:
    """A card without an id, the second of two with one id and two decks are refused; the first card is read."""
    known = min(game("crystal").cards.library)
    entry = "\n".join(card_lines(known))
    decks = [f'[[deck]]\nid = "{name}"\ncards = 5' for name in ("one", "two")]
    source = "\n".join([entry, '[[card]]\nname = "Nobody"', entry, *decks])
    cards, refused = readable_cards(game("crystal"), source, "own.toml")
    assert [*cards.library] == [known]
    assert len(refused) == 4
