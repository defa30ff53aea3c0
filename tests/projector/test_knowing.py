"""Bots decide on what their player may know: cards that the player cannot see may be any, the choice is the same."""

from random import Random
from typing import Any

import pytest

from tabletape.projector.games import game, games
from tabletape.projector.model.table import IDENTITY, Table
from tabletape.projector.selfplay.bots import Decider, decide
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.search import SearchEffort
from tabletape.projector.selfplay.simulate import Plan
from tests.projector.decisions import tables_before_decisions


def swapped(table: Table[Any, Any], viewer: str, luck: Random) -> Table[Any, Any]:
    """Return a copy on which the hidden cards of each owner have changed places between decks and hands.

    A deck alone stays: which cards are in it is known, and its order is held by the dice and not by the table.
    """
    copy = table.copy()
    by_owner: dict[str, list[Any]] = {}
    for card in copy.cards.values():
        if card.zone.role in {"hand", "deck"} and not copy.knows(viewer, card):
            by_owner.setdefault(card.owner, []).append(card)
    for cards in by_owner.values():
        if len({card.zone.name for card in cards}) == 1 and cards[0].zone.role == "deck":
            continue
        places = [(card.zone, card.zone.cards.index(card)) for card in cards]
        states = [{name: getattr(card, name) for name in copy.CARD.__struct_fields__} for card in cards]
        order = luck.sample(range(len(cards)), len(cards))
        for place, state, number in zip(places, states, order, strict=True):
            card, (zone, index) = cards[number], place
            zone.cards[index], card.zone = card, zone
            for name in state.keys() - IDENTITY:
                setattr(card, name, state[name])
    return copy


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("bot", Bot)
def test_what_a_player_cannot_know_changes_no_choice(slug: str, bot: Bot) -> None:
    """With the same dice each bot chooses the same on a table on which other cards lie where it cannot look."""
    one = game(slug)
    luck = Random(slug)  # noqa: S311 - the same swaps for the same game
    plan = Plan(seed=6, limit=90 if bot is Bot.SEARCH else 160)
    by, tried = Decider(bot, SearchEffort(iterations=14)), 0
    for number, (table, player) in enumerate(tables_before_decisions(one, plan)):
        if number % (7 if bot is Bot.SEARCH else 3):
            continue
        other = swapped(table, player, luck)
        found = [decide(one, each, player, by, SeededDice("a")) for each in (table.copy(), other)]
        assert found[0] == found[1], f"decision {number} of {player}"
        tried += other.state() != table.state()
    assert tried
