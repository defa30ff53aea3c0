"""What is offered and what the rules say are the same."""

from itertools import islice
from typing import Any

import pytest

from tabletape.projector.games import game, games
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Game
from tabletape.projector.model.legality import keeps_all
from tabletape.projector.model.offering import MOST, fillings, offered_by_rules
from tabletape.projector.selfplay.simulate import Plan
from tests.projector.decisions import tables_before_decisions


@pytest.mark.parametrize("slug", games())
def test_what_is_offered_is_judged_without_a_finding(slug: str) -> None:
    """The gate lets every legal decision pass, and it keeps all rules of its row."""
    one = game(slug)
    for table, player in tables_before_decisions(one, Plan(seed=9, limit=120)):
        for event in one.legal(table, player)[:60]:
            with as_it_was(table):
                if one.before is not None:
                    one.before(table, event)
                assert one.gate(table, event) is None, event
                assert keeps_all(one.rows.get(type(event), ()), table, event), event


def test_what_no_rule_forbids_is_offered(higher: Game) -> None:
    """A game that says nothing of what is legal offers every card of the hand, but the One where it is forbidden."""
    played: Any = higher.vocabulary.types["card.played"]
    editions = [
        (edition, tables_before_decisions(higher, Plan(seed=9, edition=edition))) for edition in ("first", "second")
    ]
    for edition, table, player in ((edition, *each) for edition, tables in editions for each in tables):
        least = 2 if edition == "second" else 1
        hand = [card.name for card in table.zones[f"{player}/hand"].cards if card.text.value >= least]
        assert higher.legal(table, player) == [played(player=player, card=name) for name in hand]
        (other,) = table.players.keys() - {player}
        assert higher.legal(table, other) == []


@pytest.mark.parametrize("slug", games())
def test_the_rules_alone_offer_what_a_game_offers(slug: str) -> None:
    """Each legal decision that can be filled in by its types is found by the rules alone, where there are not many."""
    one = game(slug)
    found, tables = 0, islice(tables_before_decisions(one, Plan(seed=9, limit=120)), 0, 60, 3)
    for table, player in tables:
        for kind in {type(event) for event in one.legal(table, player)} & one.rows.keys():
            filled = {*islice(fillings(kind, table, player), MOST)}
            legal = {event for event in one.legal(table, player) if event in filled}
            with as_it_was(table):
                if one.before is not None and legal:
                    one.before(table, next(iter(legal)))
                offered = {*offered_by_rules({kind: one.rows[kind]}, one.gate, table, player)}
            assert legal <= offered, legal - offered
            found += len(legal)
    assert found


def test_a_field_that_may_hold_anything_is_not_filled_in(higher: Game) -> None:
    """A line with free words is nothing that can be offered."""
    table, player = next(tables_before_decisions(higher, Plan(seed=9)))
    assert [*fillings(higher.vocabulary.types["question.raised"], table, player)] == []
