"""Slips of people in deck lists and in the words of an ability accuse nobody."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games.splicers import AbilityUsed
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.games import game, games
from tests.written_games import game_of_bots
from tests.wrong_values import Slip, accusations

SLIP = "kelp-quire-xx"


def _accused(slug: str, events: tuple[Event, ...]) -> list[int]:
    return accusations(slug, Slip(events, 0, events[0], events[0]))[0]


def _misspelt(event: DeckDeclared, card: str, times: int) -> Event:
    """Return a list in which a card is called otherwise, at most so often."""
    cards = list(event.cards)
    for _ in range(min(times, cards.count(card))):
        cards[cards.index(card)] = SLIP
    return msgspec.structs.replace(event, cards=tuple(cards))


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(1, 40), order=st.integers(0, 9999), times=st.sampled_from([1, 9]))
def test_a_slip_in_a_deck_list_accuses_nobody(slug: str, seed: int, order: int, times: int) -> None:
    """Any card of any list may be written otherwise, one copy of it or all: no later line is called wrong."""
    rng = Random(order)  # noqa: S311 - which card is misspelt is no secret
    events = game_of_bots(slug, seed, full=False)
    here = rng.choice([index for index, event in enumerate(events) if isinstance(event, DeckDeclared)])
    listed = events[here]
    assert isinstance(listed, DeckDeclared)
    wrong = _misspelt(listed, rng.choice(listed.cards), times)
    assert _accused(slug, (*events[:here], wrong, *events[here + 1 :])) == []


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(1, 40), words=st.sampled_from(["probe", "the second one", ""]))
def test_an_ability_in_own_words_accuses_nobody(seed: int, words: str) -> None:
    """All abilities of a game stand in words that no card has, or without their last letter: nothing is illegal."""
    events = tuple(
        msgspec.structs.replace(event, ability=words or event.ability[:-1]) if isinstance(event, AbilityUsed) else event
        for event in game_of_bots("splicers", seed, full=False)
    )
    assert _accused("splicers", events) == []


def test_the_ability_of_another_card_is_a_broken_rule() -> None:
    """Words that another card has printed are no slip: the card has no such ability."""
    events = game_of_bots("splicers", 3, full=False)
    here = next(index for index, event in enumerate(events) if isinstance(event, AbilityUsed))
    printed = {line for text in game("splicers").cards.library.values() for line in text.says.active}
    used = events[here]
    assert isinstance(used, AbilityUsed)
    card = game("splicers").cards.library[used.card.partition(":")[2]]
    other = min(printed - set(card.says.active))
    wrong = msgspec.structs.replace(used, ability=other)
    assert here + 1 in _accused("splicers", (*events[:here], wrong, *events[here + 1 :]))
