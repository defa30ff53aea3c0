"""Summaries: sums over the games of a pack give the same answers as the games themselves."""

from itertools import product
from pathlib import Path

import pytest

from tabletape.dashboard.questions import ask, questions
from tabletape.events.log import Log
from tabletape.projector.datasets import manifest, packs, plans
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.manifest import read_manifest
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game, games
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return datasets of bot games of every game, in several packs, some of them too small to have summaries.

    In some games a line is missing. The datasets are built twice, so that rows of old packs are carried into new ones.
    """
    place = tmp_path_factory.mktemp("summaries") / "tabletape.db"
    with pytest.MonkeyPatch.context() as patched, Log.open(place, create=True) as log:
        patched.setattr(plans, "PACK_EVENTS", 400)
        patched.setattr(manifest, "GAME_EVENTS", 0)
        patched.setattr(packs, "SUMMARY_SIZE", 400)
        for slug in sorted(games()):
            one = game(slug)
            for number, match in enumerate(simulate(one, one.cards, Plan(seed=4, bots=(Bot.RANDOM,) * 2), 4)):
                events = match.events[:-6] + match.events[-5:] if number % 2 else match.events
                log.append(match.game_id, events, expected_last_seq=0)
                if number == 2:
                    build(log)
        build(log, Request(decision_load=True, game="splicers"))
        return folder_of(log)


def test_a_question_has_the_same_answer_from_summaries_and_from_games(datasets: Path) -> None:
    """All games, and the same games selected by their ids, for which there are no sums, give the same answer."""
    ids = ask("games", datasets, source="all")["game_id"].to_pylist()
    assert len(read_manifest(datasets).packs) > 5
    assert {pack.has_summaries for pack in read_manifest(datasets).packs} == {True, False}
    for name, clean in product([each.name for each in questions()], (False, True)):
        all_games = ask(name, datasets, source="all", clean=clean).to_pylist()
        each_game = ask(name, datasets, source="all", clean=clean, games=ids).to_pylist()
        assert len(all_games) == len(each_game), name
        for mine, theirs in zip(all_games, each_game, strict=True):
            assert mine == pytest.approx(theirs), name
