"""Lines of a chat that own more than a rulebook allows, or pay what is not there."""

import re
from pathlib import Path

import pytest
import tomlkit

from tabletape.dashboard.own_game.besides import own_game
from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule
from tests.cli.conftest import Tabletape
from tests.dashboard.test_stocks import RAW, bay, rule_of

RECORDED = Path(__file__).parents[1] / "recordings" / "own_games"
LACKS = "You cannot pay oil that you do not have."


@pytest.mark.parametrize(
    ("evening", "accused", "left_open"),
    [
        (("Ann: gather 4 oil", "Ben: gather 2 oil", "Ann: gather 4 oil", "Ben: gather 5 oil"), [3], []),
        (("Ann: gather 4 oil", "Ben: play sloop, pays 3", "Ann: rest", "Ben: play dinghy, pays 1"), [4], []),
        (("Ann: gather 4 oil", "Ann: play sloop", "Ben: rest", "Ann: gather 9 oil"), [], [4]),
    ],
)
def test_lines_that_own_or_pay_too_much_are_accused_and_no_other(
    tabletape: Tabletape, tmp_path: Path, evening: tuple[str, ...], accused: list[int], left_open: list[int]
) -> None:
    """A line that does not say what it pays makes unknown what is left: behind it nobody is accused."""
    (tmp_path / "e.txt").write_text("\n".join(evening), encoding="utf-8")
    text = tomlkit.dumps(RAW)
    for sentence in (limits := bay("Nobody may own more than ten oil.", LACKS)[0]).sentences[-2:]:
        rule = rule_of(own_game(tomlkit.parse(text).unwrap(), limits.sentences, draws=True), sentence)
        assert isinstance(rule, FirstRule)
        text = with_changes(text, rule.changes)
    (tmp_path / "games").mkdir(exist_ok=True)
    (tmp_path / "games" / "bay.toml").write_text(text, encoding="utf-8")
    assert tabletape("rules", "new", "bay", "e.txt", stdin=b"\n" * 9).exit_code == 0
    told = tabletape("audit").stdout
    found = re.findall(r"\(e\.txt:(\d+)\)\n +(\w+)", told)
    assert [int(line) for line, kind in found if kind == "illegal"] == accused, told
    assert [int(line) for line, kind in found if kind == "unverifiable"] == left_open, told


KENNEL = (
    "You may never hold more than 9 bones.",
    "You can't adopt a dog you cannot pay for.",
    "There may never be two dogs of the same kind on the stage.",
    "A dane may never be swapped.",
)


def test_what_a_rulebook_says_of_prices_places_and_swaps_is_right_by_enter_alone(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """A price by the kind, a stage that the third card empties, what comes back in a swap: five lines break them."""
    for name in ("evening", "rulebook"):
        (tmp_path / f"{name}.txt").write_bytes((RECORDED / f"kennel-{name}.txt").read_bytes())
    effects, meant = ("", "y"), ("y",)
    answers = ["", ""]
    for sentence, then in zip(KENNEL, (effects, meant, effects, meant), strict=True):
        answers += [sentence, *then]
    given = "\n".join([*answers, "Whoever was judged misses their next turn.", "", ""]).encode()
    done = tabletape("rules", "new", "kennel", "evening.txt", "rulebook.txt", stdin=given)
    assert "there is no form for a turn that is missed yet" in done.stdout, done.stdout
    told = tabletape("audit", "--all").stdout
    assert [int(line) for line in re.findall(r"\(evening\.txt:(\d+)\)", told)] == [6, 8, 9, 10, 11], told
    assert "Here Ben has 2 bones" in told
    assert "unverifiable" not in told
