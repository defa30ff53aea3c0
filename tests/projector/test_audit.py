"""The audit of many games: findings for each, one that stops without stopping the others, and counts for each rule."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tabletape.events.log import Log
from tabletape.events.vocabulary import Event
from tabletape.projector.archive.audit import audit, reported, tallies
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.comparing.ruleset_comparison import reread
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import RulesetError

ONE_MISTAKE = Path(__file__).parents[1] / "sixth_game" / "one-mistake.jsonl"


def recorded(higher: Game, name: str, **head: object) -> list[Event]:
    """Return the recorded game under another id, with other fields in its head."""
    started, *rest = map(higher.vocabulary.decode, ONE_MISTAKE.read_bytes().splitlines())
    return [msgspec.structs.replace(started, id=name, **head), *rest]


@pytest.fixture
def log(higher: Game, tmp_path: Path) -> Iterator[Log]:
    """Store the recorded game three times: as it is, with an unknown ruling, and with nothing but its head."""
    with Log.open(tmp_path / "log.db", create=True) as log:
        log.append("fine", recorded(higher, "fine"), expected_last_seq=0)
        log.append("ruled", recorded(higher, "ruled", rulings={"tis": "first_card"}), expected_last_seq=0)
        log.append("begun", recorded(higher, "begun")[:1], expected_last_seq=0)
        yield log


def test_one_bad_game_does_not_stop_the_audit(log: Log) -> None:
    """A game that cannot be folded is reported with the reason, and the others are audited."""
    found = {each.stored.game_id: each for each in audit(log, log.games())}
    assert [finding.seq for finding in found["fine"].findings] == [10]
    assert "there is no ruling called 'tis'" in found["ruled"].stopped
    assert (found["ruled"].replay, found["ruled"].findings, reported(found["ruled"])) == (None, [], [])
    assert (found["begun"].stopped, found["begun"].findings) == ("", [])


def test_tallies_count_events_opportunities_and_games(higher: Game, log: Log) -> None:
    """Counts are by game and rule; a game that cannot be folded is not counted."""
    log.append("again", recorded(higher, "again"), expected_last_seq=0)
    tally = tallies(audit(log, log.games()))["higher"]
    assert (tally.games, tally.events) == (3, 25)
    rule = "higher.card.from-hand"
    assert (tally.kept[rule], tally.broken[rule], tally.broken_in[rule]) == (6, 2, 2)
    assert (tally.kept["higher.shuffle.fair"], tally.broken["higher.shuffle.fair"]) == (0, 0)


def test_a_reading_keeps_what_concerns_each_game(higher: Game) -> None:
    """An edition or ruling of another game is left out, one of no game is refused."""
    assert RulesetOverride("first", {"ties": "second_card", "other": "x"}).of(higher) == RulesetOverride(
        "first", {"ties": "second_card"}
    )
    assert RulesetOverride("0.2a").of(higher) == RulesetOverride()
    RulesetOverride("second", {"ties": "second_card"}).require([higher])
    for wrong in (
        RulesetOverride("secnd"),
        RulesetOverride("", {"other": "x"}),
        RulesetOverride("", {"ties": "x"}),
        RulesetOverride("", {"ties": "nobody"}),
    ):
        with pytest.raises(RulesetError):
            wrong.require([higher])


def test_a_finding_that_differs_only_in_its_taint_is_the_same(higher: Game, log: Log) -> None:
    """If another edition breaks a rule earlier, later findings become tainted, but are neither gone nor new."""
    lines = recorded(higher, "earlier")
    lines[5] = msgspec.structs.replace(lines[5], card="A:one")
    (found,) = reread(log, [log.append("earlier", lines, expected_last_seq=0)], RulesetOverride("second"))
    (other,) = audit(log, [log.game("earlier")], RulesetOverride("second"))
    assert ("higher.turn.alternate", 10, True) in [(each.rule, each.seq, each.tainted) for each in other.findings]
    assert ("higher.card.no-one", 6) in [(each.rule, each.seq) for each in found.new]
    assert "higher.turn.alternate" not in [each.rule for each in (*found.gone, *found.new)]


def test_reading_twice_by_the_same_rulings_changes_nothing(log: Log) -> None:
    """A ruling that is already in force makes no difference, nor does one for a game that cannot be replayed."""
    found = list(reread(log, log.games(), RulesetOverride("first", {"ties": "first_card"})))
    assert [each.changed for each in found] == [False, False, False]
    assert [str(each.before) for each in found] == ["Ann (tricks)", "cannot be replayed", "not finished"]
