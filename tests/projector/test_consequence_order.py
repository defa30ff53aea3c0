"""A consequence is compared with its derived counterpart, wherever the log writes it."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.shared import DeckDeclared
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.passed_over import player_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tests.written_games import game_of_bots

CARDS = ["one", "two", "three", "four", "five", "six"]
HEAD: list[dict[str, Any]] = [
    {"type": "game.started", "game": "higher", "edition": "first", "id": "g", "rulings": {},
     "players": [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]},
    {"type": "deck.declared", "player": "A", "cards": CARDS},
    {"type": "deck.declared", "player": "B", "cards": CARDS},
    {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
    {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:five"]},
    {"type": "card.played", "player": "A", "card": "A:one"},
    {"type": "card.played", "player": "B", "card": "B:two"},
]  # fmt: skip
LEAD = {"type": "card.played", "player": "B", "card": "B:three"}
ANSWER = {"type": "card.played", "player": "A", "card": "A:four"}
TAKEN = {"type": "trick.taken", "player": "B"}


def depends_on(event: Event, consequence: Consequence) -> bool:
    """Return whether an event is a decision before which the consequence has to be written, if it is written at all."""
    if not isinstance(event, Decision) or isinstance(event, DeckDeclared):
        return False
    about = player_of(consequence)
    return not about or getattr(event, "player", "") == about


def allowed_range(events: tuple[Event, ...], here: int) -> tuple[int, int]:
    """Return the lowest and highest index for a consequence: after its cause, before a decision that depends on it."""
    consequence: Any = events[here]
    first = max(index for index in range(here) if not isinstance(events[index], Consequence))
    later = range(here + 1, len(events))
    return first, next((index for index in later if depends_on(events[index], consequence)), len(events)) - 1


@pytest.mark.parametrize("slug", games())
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(1, 12), share=st.floats(0.05, 1), order=st.integers(0, 9999))
def test_a_consequence_may_stand_anywhere_before_the_decision_that_depends_on_it(
    slug: str, seed: int, share: float, order: int
) -> None:
    """A legal full log stays clean, and ends at the same table, however its consequences are moved."""
    events = game_of_bots(slug, seed)
    rng = Random(order)  # noqa: S311 - not for security
    places = [
        (rng.randint(*allowed_range(events, here)) + rng.uniform(0.1, 0.9), here)
        if isinstance(event, Consequence) and rng.random() < share
        else (float(here), here)
        for here, event in enumerate(events)
    ]
    moved = [events[here] for _, here in sorted(places)]
    replay = fold(game(slug), moved)
    assert replay.stopped is None
    assert [(found.seq, found.rule, found.message) for found in replay.findings] == []
    assert replay.table.state() == fold(game(slug), events).table.state()


def consequences_after_their_cause(slug: str, seed: int) -> list[Event]:
    """Return a legal game in which each line comes before all its consequences, even those that happen first."""
    one, events = game(slug), game_of_bots(slug, seed)
    head: Any = events[0]
    replayed = Replay(one, one.rulebook.ruleset(head.edition, head.rulings)).run(events[:1])
    table, written = replayed.table, [*events[:1]]
    for event in events[1:]:
        if isinstance(event, Consequence):
            continue
        first: list[Event] = []
        if one.before is not None:
            one.before(table, event)
            first = [each.event for each in table.derived]
            replayed.run(first)
        replayed.run([event])
        then = [each.event for each in table.derived]
        replayed.run(then)
        written += [event, *first, *then]
    return written


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("seed", range(3))
def test_consequences_may_come_after_their_cause(slug: str, seed: int) -> None:
    """Even steps that come before a line at the table, such as the end of a turn, may be written after it."""
    assert [
        (found.seq, found.message) for found in fold(game(slug), consequences_after_their_cause(slug, seed)).findings
    ] == []


def replay(one: Game, *lines: dict[str, Any]) -> Replay:
    """Fold a game of Higher in which Ben's Two has beaten Ann's One."""
    return fold(one, [one.vocabulary.decode(json.dumps(line)) for line in (*HEAD, *lines)])


def kinds_found(replayed: Replay) -> list[tuple[int, str]]:
    """Return position and kind of each finding."""
    return [(finding.seq, finding.kind) for finding in replayed.findings]


def test_a_line_that_is_repeated_at_once_is_only_an_info(higher: Game) -> None:
    """Repeating the previous line is reported as an info and changes nothing."""
    once, again = replay(higher, TAKEN), replay(higher, TAKEN, TAKEN)
    assert kinds_found(again) == [(9, "info")]
    assert again.table.state() == once.table.state()
    lead = {"type": "question.raised", "text": "Who leads?"}
    assert kinds_found(replay(higher, lead, TAKEN, lead, TAKEN)) == [(11, "info")]


def test_a_consequence_after_a_decision_that_depends_on_it_is_late(higher: Game) -> None:
    """After Ben's next lead, a line for his trick is late (an info); after two more cards it is a mismatch."""
    assert kinds_found(replay(higher, TAKEN, LEAD)) == []
    assert kinds_found(replay(higher, LEAD, TAKEN)) == [(9, "info")]
    assert kinds_found(replay(higher, LEAD, ANSWER, LEAD | {"card": "B:five"}, TAKEN))[-1][1] == "mismatch"


def test_a_consequence_that_was_passed_over_counts_once() -> None:
    """It counts once a player, whether it is written at once, late or not yet, also if counts are read in between."""
    one = game("crystal")
    ruleset = one.rulebook.ruleset(one.rulebook.editions[0].label)
    head, declared, supply, next_deck = game_of_bots("crystal", 1)[:4]
    at_once = Replay(one, ruleset).run([head, declared, supply, next_deck])
    late = Replay(one, ruleset).run([head, declared, next_deck])
    number = one.by_id["crystal.setup.supply"].number
    assert late.kept[number] == 2
    late.run([supply])
    assert late.kept == at_once.kept
    assert late.kept[number] == 2


def test_a_wrong_total_is_a_mismatch_even_if_written_late() -> None:
    """A late consequence is compared with the derived one that was passed over."""
    one = game("crystal")
    events = [event for event in game_of_bots("crystal", 1) if not isinstance(event, Consequence)]
    declared = [event for event in events if isinstance(event, DeckDeclared)]
    here = events.index(declared[-1]) + 3
    late = one.vocabulary.convert({"type": "supply.set", "player": declared[0].player, "hitpoints": 99, "crystals": 5})
    findings = fold(one, [*events[:here], late]).findings
    assert [(found.kind, "hit points" in found.expected.replace("hitpoints", "hit points")) for found in findings] == [
        ("mismatch", True)
    ]


def test_a_source_without_its_owner_is_accepted() -> None:
    """A source that names only the card means the copy that the rules derive."""
    one = game("crystal")
    events = game_of_bots("crystal", 2)
    short = [
        msgspec.structs.replace(event, source=event.source.partition(":")[2].partition("#")[0])
        if hasattr(event, "source")
        else event
        for event in events
    ]
    assert short != list(events)
    assert fold(one, short).findings == []
