"""Methods that fit a model: DuckDB returns games in any order, and the answer is the same to the last digit."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tabletape.dashboard import questions
from tabletape.dashboard.questions.methods.sides import GAME, run_starts
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

GAMES = 24


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the datasets of some games of bots."""
    one = game("crystal")
    with Log.open(tmp_path_factory.mktemp("order") / "tabletape.db", create=True) as log:
        for match in simulate(one, one.cards, Plan(seed=11), GAMES):
            log.append(match.game_id, match.events, expected_last_seq=0)
        return build(log).folder


def shuffled(rows: pa.Table, seed: int) -> pa.Table:
    """Return rows with their games in another order; the order within a game stays."""
    if not set(GAME) <= set(rows.column_names) or not rows.num_rows:
        return rows
    starts = np.append(run_starts(rows, *GAME), rows.num_rows)
    order = np.random.default_rng(seed).permutation(len(starts) - 1)
    return rows.take(np.concatenate([np.arange(starts[place], starts[place + 1]) for place in order]))


@pytest.mark.parametrize("name", sorted(each.name for each in questions.questions() if each.method))
def test_the_order_of_the_games_does_not_matter(datasets: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question that a Python method answers has the same answer, to the last digit, in any order of the games."""
    select = questions.select
    answers: list[Any] = [questions.ask(name, datasets, source="bots").to_pylist()]
    for seed in range(3):
        monkeypatch.setattr(questions, "select", lambda *arguments, **more: shuffled(select(*arguments, **more), seed))  # noqa: B023 - asked at once
        answers.append(questions.ask(name, datasets, source="bots").to_pylist())
    assert answers[1:] == answers[:1] * 3
