"""Bots of Evolve play under every option without a finding, and branches of a game keep its unknown cards."""

import random
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.games.evolve import MulliganTaken, OrganismPhotosynthesized
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.games.evolve.steps import is_open
from tabletape.projector.selfplay.branch import branches, stem_of
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tabletape.projector.selfplay.trying import worth_after
from tests.projector.decisions import tables_before_decisions

GAME = game("evolve")
RECORDINGS = Path(__file__).parents[3] / "recordings"
NOT_FOR_SAMPLE_DECKS = {"deck_limits"}
"""Rulings that the sample decks do not comply with."""
OTHER_OPTIONS = [
    (ruling.key, option.name)
    for ruling in GAME.rulebook.rulings
    for option in ruling.options[1:]
    if option.built and ruling.key not in NOT_FOR_SAMPLE_DECKS
]


def assert_clean_game(seed: int, rulings: dict[str, str]) -> None:
    """Assert that the audit finds nothing in a game of two bots under some rulings."""
    plan = Plan(seed=seed, bots=(Bot.GREEDY, Bot.RANDOM), full=True, rulings=rulings, limit=400)
    (found,) = simulate(GAME, GAME.cards, plan, 1)
    assert [(each.seq, each.rule, each.kind, each.message) for each in fold(GAME, found.events).findings] == [], rulings


@pytest.mark.parametrize(("key", "option"), OTHER_OPTIONS)
def test_bots_play_under_every_option(key: str, option: str) -> None:
    """Under any single option the audit finds nothing in a game of bots."""
    assert_clean_game(len(key), {key: option})


@pytest.mark.parametrize("seed", range(6))
def test_bots_play_under_any_options_together(seed: int) -> None:
    """Under several options together the audit finds nothing in a game of bots."""
    dice = random.Random(seed)  # noqa: S311 - a test, not a secret
    chosen = {key: option for key, option in OTHER_OPTIONS if dice.random() < 0.4}
    assert_clean_game(seed, chosen)


def test_a_bot_sees_what_comes_of_a_declared_action() -> None:
    """The energy of photosynthesis counts as soon as the action is tried, though the others may still answer it."""
    places: Any = tables_before_decisions(GAME, Plan(seed=4, limit=200))
    seen = {
        worth_after(GAME, table, player, event) - GAME.bots.value(table, player)
        for table, player in places
        if not is_open(table)
        for event in GAME.legal(table, player)
        if isinstance(event, OrganismPhotosynthesized)
    }
    assert seen == {3.0}


def test_branches_draw_the_returned_cards_of_a_free_mulligan_last() -> None:
    """In branches of a game with a free mulligan no returned card is drawn early or taken for an unseen card."""
    path = RECORDINGS / "evolve" / "free-mulligan.jsonl"
    events = [GAME.vocabulary.decode(line) for line in recorded_lines(path)]
    returned = next(each.returned for each in events if isinstance(each, MulliganTaken))
    replay = fold(GAME, events)
    assert set(returned) == set(replay.table.players["A"].bottom)
    for (branch,) in branches([stem_of(replay, len(events), Plan(limit=80))], 6):
        assert branch.findings == []
