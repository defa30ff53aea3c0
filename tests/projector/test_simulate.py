"""Self-play: every decision of the bots is legal, and the same seed gives the same game."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Decision, Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, Simulated, SimulationError, simulate
from tabletape.projector.selfplay.trying import TryOut, worth_now

few_examples = settings(deadline=None, max_examples=12)


def play(one: Game, seed: int, **plan: Any) -> Simulated:
    """Play one game."""
    (match,) = simulate(one, one.cards, Plan(seed=seed, **plan), 1)
    return match


def problems(match: Simulated, events: list[Event], one: Game) -> list[str]:
    """Return the findings of a log in short, and why its replay stopped if it did."""
    replayed = fold(one, events)
    stopped = [replayed.stopped.reason] if replayed.stopped else []
    return [
        f"{match.game_id}:{finding.seq} {finding.rule} {finding.message}" for finding in replayed.findings
    ] + stopped


@few_examples
@given(seed=st.integers(0, 10_000), bot=st.sampled_from([Bot.RANDOM, Bot.GREEDY]), full=st.booleans())
def test_a_simulated_game_of_the_sixth_game_has_no_findings(higher: Game, seed: int, bot: Bot, full: bool) -> None:
    """Every simulated game folds without findings, sparse and full, with any bots."""
    match = play(higher, seed, bots=(bot, Bot.RANDOM), full=full)
    assert (match.findings, match.abandoned, match.reason) == ([], "", "tricks")
    assert problems(match, match.events, higher) == []


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 10_000), bot=st.sampled_from([Bot.RANDOM, Bot.GREEDY]), full=st.booleans())
def test_a_simulated_game_has_no_findings(slug: str, seed: int, bot: Bot, full: bool) -> None:
    """Every simulated game of every game folds without findings, sparse and full, and the replay never stops."""
    one = game(slug)
    match = play(one, seed, bots=(bot, Bot.RANDOM), full=full, limit=600)
    assert not match.abandoned or match.abandoned.startswith("not over after ")
    assert problems(match, match.events, one) == []


def disguised(table: Table[Any, Any], viewer: str, random: Random) -> Table[Any, Any]:
    """Return a copy of a table on which the other players' cards that a viewer does not know are shuffled."""
    copy = table.copy()
    hidden = [
        card
        for card in copy.cards.values()
        if card.owner not in {"", viewer} and card.text is not None and not copy.knows(viewer, card)
    ]
    texts = [card.text for card in hidden]
    random.shuffle(texts)
    for card, text in zip(hidden, texts, strict=True):
        card.text = text
    return copy


def worth(one: Game, table: Table[Any, Any], player: str) -> float:
    """Return how good a table looks to a player; it is put back as it was."""
    with TryOut(table):
        return worth_now(one, table, player)


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=3)
@given(seed=st.integers(0, 10_000))
def test_bots_do_not_use_hidden_cards(slug: str, seed: int) -> None:
    """A player's legal decisions, and the value of a table to them, do not depend on cards that they cannot see."""
    one = game(slug)
    random = Random(seed)  # noqa: S311 - the same test for the same seed
    events = play(one, seed, limit=200).events
    replay = Replay(one, one.rulebook.ruleset(one.rulebook.editions[0].label), one.cards.library)
    for event in events:
        player = getattr(event, "player", "")
        if isinstance(event, Decision) and replay.events and player in one.actors(replay.table):
            other = disguised(replay.table, player, random)
            assert one.legal(other, player) == one.legal(replay.table, player), event
            assert worth(one, other, player) == worth(one, replay.table, player), event
        replay.run([event])


@few_examples
@given(seed=st.integers(0, 10_000))
def test_a_full_and_a_sparse_game_end_at_the_same_table(higher: Game, seed: int) -> None:
    """Recording the consequences changes neither the result nor the last table."""
    sparse, full = play(higher, seed), play(higher, seed, full=True)
    assert (sparse.winner, sparse.reason) == (full.winner, full.reason)
    assert fold(higher, sparse.events).table.state() == fold(higher, full.events).table.state()


def test_game_n_is_the_same_however_many_games_are_played(higher: Game) -> None:
    """A longer simulation begins with the same games."""
    three, five = (list(simulate(higher, higher.cards, Plan(seed=2), count)) for count in (3, 5))
    assert [match.events for match in three] == [match.events for match in five[:3]]


def test_a_greedy_bot_plays_better_than_a_random_one(higher: Game) -> None:
    """The bot that looks one decision ahead wins clearly more than half of its games."""
    plan = Plan(bots=(Bot.RANDOM, Bot.GREEDY))
    winners = [match.winner for match in simulate(higher, higher.cards, plan, 60)]
    assert winners.count("B") > 36


def test_looking_ahead_leaves_the_table_unchanged(higher: Game) -> None:
    """Decisions that a greedy bot only tries out do not change the game: its log folds to the same winner."""
    match = play(higher, 4, bots=(Bot.GREEDY, Bot.GREEDY))
    again = fold(higher, match.events)
    assert (again.table.winner, again.findings) == (match.winner, [])


def test_decks_and_rulings_can_be_chosen(higher: Game) -> None:
    """A plan's decks, edition and rulings stand in the head of the log."""
    match = play(higher, 1, decks=("all",), edition="second", rulings={"ties": "first_card"})
    head: Any = match.events[0]
    assert (head.edition, head.rulings, head.players[0].deck) == ("second", {"ties": "first_card"}, "all")


def test_an_unknown_deck_is_refused(higher: Game) -> None:
    """An unknown deck is an error that names the known ones."""
    with pytest.raises(SimulationError, match="there is no deck called 'none'; there are: all"):
        play(higher, 1, decks=("none",))


def test_a_deck_is_drawn_from_the_top_until_it_is_empty() -> None:
    """Every card of a deck is drawn once, in an order that the seed alone decides."""
    drawn = []
    for _ in range(2):
        dice = SeededDice("x")
        dice.shuffle("A", add=["a", "b", "c", "d"])
        drawn.append((*dice.draw("A", 3), *dice.draw("A", 3), *dice.draw("A", 1)))
    assert drawn[0] == drawn[1]
    assert sorted(drawn[0]) == ["a", "b", "c", "d"]


def test_a_removed_card_is_not_drawn() -> None:
    """A removed card is never drawn; a shuffle adds cards that are not in the deck, and no card twice."""
    dice = SeededDice("x")
    dice.shuffle("A", add=["a", "b"])
    dice.remove("A", "a")
    dice.remove("A", "z")
    dice.shuffle("A", add=["b", "c"])
    assert sorted(dice.draw("A", 9)) == ["b", "c"]
    assert dice.draw("B", 1) == ()
