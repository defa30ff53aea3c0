"""A right log of Splicers stays right in whichever way it is written, and a slip is found at its own line."""

import random
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.games.splicers import (
    CardsDrawn,
    EventPlayed,
    RoundCounted,
    SeedPlayed,
    TingEvolved,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from tabletape.events.vocabulary import Event
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.cards import CardError
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.written_games import game_of_bots

SEEDS = st.integers(1, 12)
twelve_examples = settings(deadline=None, max_examples=12)


def kinds(replay: Replay) -> set[str]:
    """Return the kinds of the findings of a replay that nothing has stopped."""
    assert replay.stopped is None
    return {finding.kind for finding in replay.findings}


@twelve_examples
@given(seed=SEEDS)
def test_a_turn_that_ends_with_a_pass_may_be_written_as_ended(seed: int) -> None:
    """A `turn.ended` after each pass is reported as `info` and changes nothing at the table."""
    events = game_of_bots("splicers", seed)
    lines: list[Event] = []
    for event in events:
        lines.append(event)
        if isinstance(event, TurnPassed | EventPlayed):
            lines.append(TurnEnded(player=event.player))
    replay = fold(game("splicers"), lines)
    assert kinds(replay) == {"info"}
    assert len(replay.findings) == len(lines) - len(events)
    assert replay.table.state() == fold(game("splicers"), events).table.state()


@twelve_examples
@given(seed=SEEDS, full=st.booleans(), dice=st.randoms(use_true_random=False))
def test_a_turn_that_ends_by_itself_may_be_written_as_ended(seed: int, full: bool, dice: random.Random) -> None:
    """`turn_end = automatic`: a game is clean with every `turn.ended`, and without those after the last action too."""
    events, one = game_of_bots("splicers", seed, full=full), game("splicers")
    ruleset = one.rulebook.ruleset("0.2a", {"turn_end": "automatic"})
    replay = Replay(one, ruleset)
    shortened: list[Event] = []
    for event in events:
        is_optional = isinstance(event, TurnEnded) and replay.table.players[event.player].actions <= 0
        replay.run((event,))
        if not (is_optional and dice.random() < 0.6):
            shortened.append(event)
    assert len(shortened) < len(events)
    for lines in (events, shortened):
        found = Replay(one, ruleset).run(lines).finish()
        assert [(each.seq, each.message) for each in found.findings] == []
        assert (found.table.winner, found.table.reason) == (replay.table.winner, replay.table.reason)


@twelve_examples
@given(seed=SEEDS, which=st.integers(0, 99), full=st.booleans(), stray=st.booleans())
def test_a_pass_of_the_wrong_player_does_not_end_the_turn(seed: int, which: int, full: bool, stray: bool) -> None:
    """A pass under the wrong name, or an extra one in the turn of the other player, is one finding."""
    events = list(game_of_bots("splicers", seed, full=full))
    kinds = (SeedPlayed, TingEvolved) if stray else (TurnPassed,)
    places = [index for index, event in enumerate(events) if isinstance(event, kinds)]
    index = places[which % len(places)]
    wrong_pass = TurnPassed(player="B" if events[index].player == "A" else "A")  # type: ignore[attr-defined]  # each has one
    lines = [*events[:index], wrong_pass, *events[index if stray else index + 1 :]]
    found = [finding for finding in fold(game("splicers"), lines).findings if finding.kind != "info"]
    assert [finding.seq for finding in found] == [index + 1]


@twelve_examples
@given(seed=SEEDS, order=st.integers(0, 999))
def test_the_bioms_of_a_count_stand_in_any_order(seed: int, order: int) -> None:
    """A count may list its bioms in any order, leave out a player who dominates none, and give only some totals."""
    dice = random.Random(order)  # noqa: S311 - the order is no secret
    lines = [
        _reordered(event, dice) if isinstance(event, RoundCounted) else event
        for event in game_of_bots("splicers", seed)
    ]
    assert kinds(fold(game("splicers"), lines)) == set()


def _reordered(event: RoundCounted, dice: random.Random) -> RoundCounted:
    dominated = {player: tuple(dice.sample(bioms, len(bioms))) for player, bioms in event.dominated.items() if bioms}
    totals = event.totals or {}
    some = {biom: totals[biom] for biom in dice.sample(sorted(totals), dice.randint(0, len(totals)))}
    return msgspec.structs.replace(event, dominated=dominated, totals=some)


@twelve_examples
@given(seed=SEEDS, which=st.integers(0, 99))
def test_a_final_turn_that_is_left_out_is_missing(seed: int, which: int) -> None:
    """If the final turn of a round is left out, the first finding says that it is missing, at the next line."""
    events = list(game_of_bots("splicers", seed, full=False))
    passes = [index for index, event in enumerate(events) if _is_first_pass(events, index)]
    first = passes[which % len(passes)]
    player = events[first].player  # type: ignore[attr-defined]  # a pass has one
    last = next(index for index in range(first + 1, len(events)) if _ends_turn(events[index], player))
    replay = fold(game("splicers"), [*events[: first + 1], *events[last + 1 :]])
    if len(events) == last + 1:
        return  # the game ended with that turn
    found = replay.findings[0]
    assert (found.rule, found.kind, found.seq) == ("splicers.round.final-turn", "missing", first + 2)


def _is_first_pass(events: list[Event], index: int) -> bool:
    """Return whether a line is the first pass of its round, and another one comes after it."""
    if not isinstance(events[index], TurnPassed | EventPlayed):
        return False
    for event in reversed(events[:index]):
        if isinstance(event, TurnPassed | EventPlayed):
            return False
        if isinstance(event, CardsDrawn) and event.reason != "ability":
            break
    return any(isinstance(event, CardsDrawn) and event.reason == "round-start" for event in events[index:])


def _ends_turn(event: Event, passed: str) -> bool:
    ends = isinstance(event, TurnPassed | EventPlayed | TurnEnded)
    return ends and event.player != passed  # type: ignore[attr-defined]  # each of them has one


# -- messages and card files -------------------------------------------------------------------------------------------


def test_a_message_tells_the_cards_of_both_sides_apart(begin: Any) -> None:
    """Both players have Kelp Choir, which is named with its owner; only Ann has Reed Heron, which is named without."""
    log = begin().seeds("A", "kelp-choir", "moss-parish").evolves("B", "kelp-choir", end=False)
    log.add("ting.evolved", "B", card="A:kelp-choir").add("ting.evolved", "B", card="A:reed-heron")
    said = " ".join(finding.message for finding in log.replay().findings)
    assert "Ben's Kelp Choir does not lie at a biom" in said
    assert "Ann's Kelp Choir belongs to Ann, not to Ben" in said
    assert "Reed Heron does not lie at a biom" in said
    assert "Ann's Reed Heron" not in said


@pytest.mark.parametrize(("number", "words"), [(0, "no card"), (1, "1 card"), (2, "2 cards")])
def test_a_message_has_singular_and_plural(number: int, words: str) -> None:
    """One takes the singular, and zero is `no card`."""
    assert how_many(number, "card") == words


@pytest.mark.parametrize(
    ("kind", "word"),
    [(kind, word) for kind in ("mutation", "event") for word in ("jumper", "upgrade", "evade", "farsight", "shockwave")]
    + [("biom", "backup"), ("splicer", "backup"), ("event", "abomination"), ("mutation", "expensive 1")],
)
def test_a_card_file_refuses_a_keyword_that_means_nothing_on_its_card(kind: str, word: str) -> None:
    """The message says which kinds of cards can have the keyword and which kind this card is."""
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
    """`round_end = at_first_pass`: no turn begins after a pass before the count, and no rule is broken."""
    one = game("splicers")
    plan = Plan(seed=7, rulings={"round_end": "at_first_pass"}, full=True)
    for simulated in simulate(one, one.cards, plan, 3):
        assert not simulated.abandoned
        assert simulated.findings == []
        for event, after in pairwise(simulated.events):
            if isinstance(event, TurnPassed):
                assert not isinstance(after, TurnStarted)
