"""The decisions that are offered to a scribe: all possible ones, without revealing hidden cards."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games.phylogenome import SpeciesMoved
from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.names import card_of, unseen_cards
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.deciding import Offer, decisions, is_same
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.selfplay.simulate import Plan, simulate

every_game = pytest.mark.parametrize("slug", games())
SEEDS = st.integers(1, 4)
PUBLIC = ""


@cache
def played(slug: str, seed: int) -> tuple[Event, ...]:
    """Return a game of two random bots without its consequences."""
    one = game(slug)
    (found,) = simulate(one, one.cards, Plan(seed=seed, limit=120), 1)
    return tuple(found.events)


def decided(one: Game, seed: int) -> Iterator[tuple[Replay, Any]]:
    """Fold a game; yield its replay and the next event before each decision of a player."""
    replay = Replay(one, one.rulebook.ruleset(one.rulebook.editions[0].label), one.cards.library)
    for event in played(one.slug, seed):
        if isinstance(event, Decision) and replay.events and not isinstance(event, DeckDeclared) and not event.ANY_TIME:
            yield replay, event
        replay.run([event])


def is_offered(one: Game, table: Table[Any, Any], offers: list[Offer], event: Event) -> bool:
    """Return whether a decision is among the offers, or is an extension of one."""
    alike = [offer.event for offer in offers if type(offer.event) is type(event)]
    if any(is_same(table, each, event) for each in alike):
        return True
    return any(is_same(table, longer, event) for each in alike for longer in one.shortlist.more(table, each))


def without_names(event: Any) -> Any:
    """Return a decision with unseen cards in place of the cards that are returned."""
    if not hasattr(event, "returned"):
        return event
    return msgspec.structs.replace(event, returned=unseen_cards(event.player, len(event.returned)))


@every_game
@settings(deadline=None, max_examples=2)
@given(seed=SEEDS)
def test_every_decision_of_a_bot_is_offered(slug: str, seed: int) -> None:
    """A bot's decision is offered both with all hands known and to an observer who sees no hand."""
    one = game(slug)
    for replay, event in decided(one, seed):
        table = replay.table
        if not hasattr(event, "player"):
            continue
        before = table.state()
        assert is_offered(one, table, decisions(one, table)[event.player], event)
        public = decisions(one, table, PUBLIC)
        assert table.state() == before
        if table.phase != "setup" or hasattr(event, "returned"):
            assert is_offered(one, table, public[event.player], without_names(event)), event


@every_game
@settings(deadline=None, max_examples=3)
@given(seed=SEEDS, step=st.integers(0, 60), choice=st.integers(0, 1000))
def test_offers_reveal_no_hidden_hand(slug: str, seed: int, step: int, choice: int) -> None:
    """An observer who sees no hand gets the same offers, whichever hidden cards are in the hand."""
    one = game(slug)
    for number, (replay, _) in enumerate(decided(one, seed)):
        if number < step:
            continue
        table = replay.table
        for player in table.players:
            here, there = (hidden(table, player, role) for role in ("hand", "deck"))
            if not here or not there:
                continue
            before = sentences_of(decisions(one, table, PUBLIC))
            length = len(table.journal)
            ours, theirs = here[choice % len(here)], there[choice % len(there)]
            hand, deck = ours.zone, theirs.zone
            table.move(ours, deck)
            table.move(theirs, hand)
            assert sentences_of(decisions(one, table, PUBLIC)) == before
            table.undo(length)
        break


def hidden(table: Table[Any, Any], player: str, role: str) -> list[Any]:
    """Return the cards in a player's hand or deck that the public does not know."""
    zones = [zone for zone in table.zones.values() if zone.role == role and zone.owner == player]
    cards = [card for zone in zones if zone.seen_by != "all" for card in zone.cards]
    return [card for card in cards if not table.knows(PUBLIC, card) and not card.known_to]


def sentences_of(found: dict[str, list[Offer]]) -> set[str]:
    """Return offers as text, with cards without copy numbers."""
    return {without_copies(repr(offer)) for offers in found.values() for offer in offers}


def without_copies(text: str) -> str:
    """Return text without copy numbers."""
    return "".join(part.lstrip("0123456789") if number else part for number, part in enumerate(text.split("#")))


def test_a_decision_is_the_same_whichever_copy_it_names() -> None:
    """Any copy in the hand makes the same decision, whoever it names as opponent; another card makes another."""
    one = game("crystal")
    for replay, event in decided(one, 1):
        table: Any = replay.table
        if type(event).__name__ == "CardDeployed":
            copies = [
                card.name for card in table.find(event.card).zone.cards if card_of(card.name) == card_of(event.card)
            ]
            others = [card.name for card in table.find(event.card).zone.cards if card.name not in copies]
            assert all(is_same(table, event, msgspec.structs.replace(event, card=name)) for name in copies)
            assert not any(is_same(table, event, msgspec.structs.replace(event, card=name)) for name in others)
            opponent = next(player for player in table.players if player != event.player)
            assert is_same(table, event, msgspec.structs.replace(event, opponent=opponent))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_second_species_may_move_along_legally(seed: int) -> None:
    """Moving any other Species along with one, even one that is neither cut off nor clashing, breaks no rule."""
    one, rng = game("phylogenome"), Random(seed)  # noqa: S311 - the same moves for the same seed
    assert one.shortlist.offers is not None
    tried = 0
    for number, (replay, event) in enumerate(decided(one, seed)):
        moves = [each for each in one.shortlist.offers(replay.table, event.player) if isinstance(each, SpeciesMoved)]
        if number % 6 or not moves:
            continue
        longer: list[Any] = list(one.shortlist.more(replay.table, rng.choice(moves)))
        for each in rng.sample(longer, min(2, len(longer))):
            again = Replay(one, replay.ruleset, one.cards.library).run([*replay.events, each])
            assert [found for found in again.findings if found.seq == len(again.events)] == []
            second = replay.table.cards[each.moves[1].card]
            tried += not second.cut_off and not second.clashing
    assert tried
