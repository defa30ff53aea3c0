"""Stored games under every reading: the outcomes, their cache, and the ranking of the rulings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletape.events.log import Log
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.comparing.every_reading import (
    FOLDER,
    Flip,
    GameReadings,
    games_read_otherwise,
    read_every_way,
    weights,
)
from tabletape.projector.comparing.ruleset_comparison import ComparedOutcome, reread
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

GAMES = 9
"""More than one pack."""


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Store some games of bots."""
    one = game("crystal")
    with Log.open(tmp_path / "evenings.db", create=True) as log:
        for match in simulate(one, one.cards, Plan(seed=5), GAMES):
            log.append(match.game_id, match.events, expected_last_seq=0)
        yield log


def test_each_flip_agrees_with_a_comparison_under_that_ruling(log: Log) -> None:
    """A flip has the outcomes and counts of a comparison under its ruling; a ruling without a flip changes nothing."""
    stored = log.games()[0]
    found = read_every_way(log, [stored])[stored.game_id]
    flips = {f"{each.ruling}={each.option}": each for each in found.flips}
    assert flips
    assert not found.refused
    for name in found.tried:
        key, _, option = name.partition("=")
        (compared,) = reread(log, [stored], RulesetOverride("", {key: option}))
        assert compared.changed == (name in flips), name
        if name in flips:
            flip = flips[name]
            assert (flip.before, flip.after) == (compared.before, compared.after)
            assert (flip.gone, flip.new) == (len(compared.gone), len(compared.new))


def test_the_games_of_a_ruling_are_those_that_another_option_changes(log: Log) -> None:
    """For some rulings, exactly the games that a flip of one of them changes are named; for no rulings, no game."""
    read = read_every_way(log, log.games()[:3])
    rulings = {flip.ruling for each in read.values() for flip in each.flips}
    for ruling in rulings:
        named = dict(games_read_otherwise(read, [ruling]))
        changed = {name for name, each in read.items() if any(flip.ruling == ruling for flip in each.flips)}
        assert named == dict.fromkeys(changed, (ruling,))
    assert dict(games_read_otherwise(read, [])) == {}


def test_several_processes_read_the_same_as_one(log: Log, tmp_path: Path) -> None:
    """However many processes share the work, the readings are the same, and progress is reported for each game."""
    progress: list[int] = []
    in_parallel = read_every_way(log, log.games(), progress.append, processes=2)
    assert sum(progress) == GAMES
    for file in (tmp_path / FOLDER).iterdir():
        file.unlink()
    assert read_every_way(log, log.games(), processes=1) == in_parallel


def test_a_stored_reading_is_reused_until_the_game_changes(log: Log, tmp_path: Path) -> None:
    """A second run writes nothing; only games with a damaged or an outdated line are read again."""
    first = read_every_way(log, log.games())
    (file,) = (tmp_path / FOLDER).iterdir()
    lines = file.read_bytes().splitlines(keepends=True)
    assert read_every_way(log, log.games()) == first
    assert file.read_bytes() == b"".join(lines)
    damaged, old = lines[0][: len(lines[0]) // 2] + b"\n", lines[1].replace(b'"stamp":"', b'"stamp":"old ')
    file.write_bytes(b"".join([damaged, old, *lines[2:]]))
    progress: list[int] = []
    assert read_every_way(log, log.games(), progress.append) == first
    assert progress[0] == GAMES - 2


def test_the_ranking_puts_other_winners_first() -> None:
    """Changed winners rank before endings, and endings before verdicts; the proof begins with the most changed game."""
    ann, ben = (ComparedOutcome(over=True, winner=name, reason="crystals") for name in ("Ann", "Ben"))
    late = ComparedOutcome(over=True, winner="Ann", reason="last-standing")

    def flip(option: str, after: ComparedOutcome, new: int) -> Flip:
        return Flip(ruling="r", option=option, before=ann, after=after, gone=0, new=new, seq=3 if new else 0)

    tried = ("r=verdicts", "r=winner", "r=ending", "r=nothing")
    games = [
        GameReadings(game_id="g", stamp="", tried=tried, flips=(flip("verdicts", ann, 50), flip("winner", ann, 1))),
        GameReadings(game_id="h", stamp="", tried=tried, flips=(flip("winner", ben, 0), flip("ending", late, 2))),
    ]
    ranked = weights(games)
    assert [each.option for each in ranked] == ["winner", "ending", "verdicts", "nothing"]
    assert ranked[0].proof == (("h", 0), ("g", 3))
    assert [(each.games, each.changed, each.winners, each.endings, each.verdicts) for each in ranked] == [
        (2, 2, 1, 1, 1), (2, 1, 0, 1, 2), (2, 1, 0, 0, 50), (2, 0, 0, 0, 0)
    ]  # fmt: skip
