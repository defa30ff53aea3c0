"""A right log of Splicers stays right in whichever way it is written, and the missing line is the mistake."""

import random
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from events.games.splicers import (
    CardsDrawn,
    EventPlayed,
    RoundCounted,
    SeedPlayed,
    TingEvolved,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from events.vocabulary import Event
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games import game
from projector.model.amounts import how_many
from projector.model.cards import CardError
from projector.selfplay.bots import Bot
from projector.selfplay.simulate import Plan, simulate

SEEDS = st.integers(1, 12)
few = settings(deadline=None, max_examples=12)


@cache
def played(seed: int, *, full: bool = True) -> tuple[Event, ...]:
    """Return a whole legal game of two random bots."""
    one = game("splicers")
    plan = Plan(seed=seed, bots=(Bot.RANDOM, Bot.RANDOM), full=full)
    (found,) = simulate(one, one.cards, plan, 1)
    return tuple(msgspec.structs.replace(event, seq=UNSET, cause=UNSET) for event in found.events)


def kinds(replay: Replay) -> set[str]:
    """Return the kinds of findings of a game that nothing has stopped."""
    assert replay.stopped is None
    return {finding.kind for finding in replay.findings}


@few
@given(seed=SEEDS)
def test_a_turn_that_ends_with_a_pass_may_be_written_as_ended(seed: int) -> None:
    """A `turn.ended` after each pass is reported, and neither the table nor what follows from the pass is another."""
    events = played(seed)
    lines: list[Event] = []
    for event in events:
        lines.append(event)
        if isinstance(event, TurnPassed | EventPlayed):
            lines.append(TurnEnded(player=event.player))
    replay = fold(game("splicers"), lines)
    assert kinds(replay) == {"info"}
    assert len(replay.findings) == len(lines) - len(events)
    assert replay.table.state() == fold(game("splicers"), events).table.state()


@few
@given(seed=SEEDS, full=st.booleans(), luck=st.randoms(use_true_random=False))
def test_a_turn_that_ends_by_itself_may_be_written_as_ended(seed: int, full: bool, luck: random.Random) -> None:
    """turn_end = automatic: a game is clean with each `turn.ended`, and where no action is left without it."""
    events, one = played(seed, full=full), game("splicers")
    ruleset = one.rulebook.ruleset("0.2a", {"turn_end": "automatic"})
    replay = Replay(one, ruleset)
    thinned: list[Event] = []
    for event in events:
        is_spent = isinstance(event, TurnEnded) and replay.table.players[event.player].actions <= 0
        replay.run((event,))
        if not (is_spent and luck.random() < 0.6):
            thinned.append(event)
    assert len(thinned) < len(events)
    for lines in (events, thinned):
        found = Replay(one, ruleset).run(lines).finish()
        assert [(each.seq, each.message) for each in found.findings] == []
        assert (found.table.winner, found.table.reason) == (replay.table.winner, replay.table.reason)


@few
@given(seed=SEEDS, which=st.integers(0, 99), full=st.booleans(), stray=st.booleans())
def test_a_pass_of_the_wrong_player_hands_nothing_over(seed: int, which: int, full: bool, stray: bool) -> None:
    """A pass written for the wrong player, or one too many in the other's turn, is one slip and one finding."""
    events = list(played(seed, full=full))
    kinds = (SeedPlayed, TingEvolved) if stray else (TurnPassed,)
    places = [here for here, event in enumerate(events) if isinstance(event, kinds)]
    here = places[which % len(places)]
    other = TurnPassed(player="B" if events[here].player == "A" else "A")  # type: ignore[attr-defined]  # each has one
    lines = [*events[:here], other, *events[here if stray else here + 1 :]]
    found = [finding for finding in fold(game("splicers"), lines).findings if finding.kind != "info"]
    assert [finding.seq for finding in found] == [here + 1]


@few
@given(seed=SEEDS, order=st.integers(0, 999))
def test_the_bioms_of_a_count_stand_in_any_order(seed: int, order: int) -> None:
    """A count may list its bioms in any order, leave out who dominates none, and name only some of the totals."""
    luck = random.Random(order)  # noqa: S311 - the order is no secret
    lines = [_shuffled(event, luck) if isinstance(event, RoundCounted) else event for event in played(seed)]
    assert kinds(fold(game("splicers"), lines)) == set()


def _shuffled(event: RoundCounted, luck: random.Random) -> RoundCounted:
    dominated = {who: tuple(luck.sample(bioms, len(bioms))) for who, bioms in event.dominated.items() if bioms}
    totals = event.totals or {}
    some = {biom: totals[biom] for biom in luck.sample(sorted(totals), luck.randint(0, len(totals)))}
    return msgspec.structs.replace(event, dominated=dominated, totals=some)


@few
@given(seed=SEEDS, which=st.integers(0, 99))
def test_a_round_without_its_final_turn_lacks_that_turn(seed: int, which: int) -> None:
    """Where the final turn of a round is left out the first finding is that it is missing, at the line after it."""
    events = list(played(seed, full=False))
    passes = [here for here, event in enumerate(events) if _is_first_pass(events, here)]
    first = passes[which % len(passes)]
    who = events[first].player  # type: ignore[attr-defined]  # a pass has one
    last = next(here for here in range(first + 1, len(events)) if _ends_turn(events[here], who))
    replay = fold(game("splicers"), [*events[: first + 1], *events[last + 1 :]])
    if len(events) == last + 1:
        return  # the game ended with that turn
    found = replay.findings[0]
    assert (found.rule, found.kind, found.seq) == ("splicers.round.final-turn", "missing", first + 2)


def _is_first_pass(events: list[Event], here: int) -> bool:
    """Return whether a line is the first pass of its round, and another one comes after it."""
    if not isinstance(events[here], TurnPassed | EventPlayed):
        return False
    for event in reversed(events[:here]):
        if isinstance(event, TurnPassed | EventPlayed):
            return False
        if isinstance(event, CardsDrawn) and event.reason != "ability":
            break
    return any(isinstance(event, CardsDrawn) and event.reason == "round-start" for event in events[here:])


def _ends_turn(event: Event, passed: str) -> bool:
    ends = isinstance(event, TurnPassed | EventPlayed | TurnEnded)
    return ends and event.player != passed  # type: ignore[attr-defined]  # each of them has one


# -- what is said, and what card files may say -------------------------------------------------------------------------


def test_a_message_tells_the_cards_of_both_sides_apart(story: Any) -> None:
    """Both have Kelp Choir in their lists, only Ann has Reed Heron: the owner stands with the one and not the other."""
    log = story().seeds("A", "kelp-choir", "moss-parish").evolves("B", "kelp-choir", end=False)
    log.add("ting.evolved", "B", card="A:kelp-choir").add("ting.evolved", "B", card="A:reed-heron")
    said = " ".join(finding.message for finding in log.folded().findings)
    assert "Ben's Kelp Choir does not lie at a biom" in said
    assert "Ann's Kelp Choir belongs to Ann, not to Ben" in said
    assert "Reed Heron does not lie at a biom" in said
    assert "Ann's Reed Heron" not in said


@pytest.mark.parametrize(("number", "words"), [(0, "no card"), (1, "1 card"), (2, "2 cards")])
def test_a_message_counts_as_people_do(number: int, words: str) -> None:
    """One is singular, and nought is none."""
    assert how_many(number, "card") == words


@pytest.mark.parametrize(
    ("kind", "word"),
    [(kind, word) for kind in ("mutation", "event") for word in ("jumper", "upgrade", "evade", "farsight", "shockwave")]
    + [("biom", "backup"), ("splicer", "backup"), ("event", "abomination"), ("mutation", "expensive 1")],
)
def test_a_card_file_refuses_a_keyword_that_means_nothing_on_its_card(kind: str, word: str) -> None:
    """Only a ting jumps, evades or evolves; the message says which cards can have the word and what this one is."""
    needs = {"biom": "dominance = 3", "splicer": "start_cards = 4"}.get(kind, "")
    source = f'[[card]]\nid = "odd"\nname = "Odd"\nkind = "{kind}"\nabilities = ["{word}"]\n{needs}\n'
    with pytest.raises(CardError, match=rf"only .* can have `{word.split(maxsplit=1)[0]}`, this is an? {kind}"):
        game("splicers").read_cards(source, "odd.toml")


@pytest.mark.parametrize("kind", ["mutation", "event"])
def test_a_card_that_is_discarded_from_play_may_have_backup(kind: str) -> None:
    """A mutation loses its host, an event is discarded after its reveal or when its season ends."""
    source = f'[[card]]\nid = "odd"\nname = "Odd"\nkind = "{kind}"\nabilities = ["backup"]\n'
    assert "odd" in game("splicers").read_cards(source, "odd.toml").library


def test_bots_play_to_the_end_where_a_round_ends_with_the_first_pass() -> None:
    """round_end = at_first_pass: nobody has a turn between a pass and the count, and nobody breaks a rule."""
    one = game("splicers")
    plan = Plan(seed=7, rulings={"round_end": "at_first_pass"}, full=True)
    for simulated in simulate(one, one.cards, plan, 3):
        assert not simulated.abandoned
        assert simulated.findings == []
        for event, after in pairwise(simulated.events):
            if isinstance(event, TurnPassed):
                assert not isinstance(after, TurnStarted)
