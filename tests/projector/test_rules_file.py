"""Rules without programming: a game's file that states rules is a game like every other."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.open_games import game_file_problems, look_in
from tabletape.projector.fold import refolding
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, Simulated, simulate
from tabletape.projector.tabletop import acting, setup
from tests.benchmarks.hostile_rules import odd_file, odd_log

SEATS = {"fireworks": 3, "whist": 4, "expeditions": 2, "battler": 2, "market": 3, "climbing": 4}

NO_NAMES: Mapping[str, str] = {}

ONE_RULE = """
title = "Fireworks"
[move.clue]
fields.to = { is = "other player", says = "A clue is given to another player.", cite = "L17" }
"""


@pytest.fixture(scope="module", autouse=True)
def one_rule(own_games: Path) -> None:
    """Put a file with a single rule beside the examples."""
    (own_games / "games" / "one-rule.toml").write_text(ONE_RULE)
    look_in(own_games)


def folded(
    slug: str, *lines: dict[str, Any], players: str = "AB", names: Mapping[str, str] = NO_NAMES, **rulings: str
) -> Replay:
    """Fold lines behind a `game.started` and the choice of who begins; `names` are those of players, else their ids."""
    seats = [{"id": each, "name": names.get(each, each)} for each in players]
    head = {"type": "game.started", "game": slug, "edition": "v1", "id": "one", "players": seats, "rulings": rulings}
    begins = {"type": "first-player.chosen", "player": players[0]}
    decode = vocabulary(slug).decode
    replay = fold(game(slug), [decode(json.dumps(each)) for each in (head, begins, *lines)])
    assert replay.stopped is None
    return replay


def found(replay: Replay) -> list[tuple[int, str, str]]:
    """Return line, rule and kind of each finding."""
    return [(each.seq, each.rule, each.kind) for each in replay.findings]


def play(slug: str, seed: int, bot: Bot = Bot.RANDOM) -> Simulated:
    """Play one game of an example."""
    one = game(slug)
    (match,) = simulate(one, one.cards, Plan(seed=seed, bots=(bot,) * SEATS.get(slug, 3), limit=1500), 1)
    return match


def drawn(player: str, *cards: str, count: int = 0) -> dict[str, Any]:
    """Return the line of a draw."""
    return {"type": "cards.drawn", "player": player} | ({"count": count} if count else {"cards": cards})


def move(name: str, player: str, **fields: Any) -> dict[str, Any]:
    """Return the line of a move."""
    return {"type": f"move.{name}", "player": player, **fields}


FIREWORKS = [
    drawn("A", "red-1#1", "red-1#2", "red-2#1", "blue-5", "white-3#1"),
    drawn("B", "green-1#1", "green-2#1", "green-3#1", "white-1#1", "white-2#1"),
]


def test_a_file_with_one_rule_audits_that_rule_alone() -> None:
    """A clue to oneself is illegal with the sentence of the file; what the file does not say is not judged."""
    lines = [move("clue", "A", to="B"), move("clue", "A", to="A"), move("clue", "A", to="B"), move("clue", "B", to="B")]
    replay = folded("one-rule", *lines)
    assert found(replay) == [(4, "one-rule.clue.to", "illegal"), (6, "one-rule.clue.to", "illegal")]
    finding, other = replay.findings
    assert other.follows == 0  # nothing before can have made it one
    assert (finding.lines, finding.message) == (
        "L17",
        "A clue is given to another player. Here A is the player who moves.",
    )


def test_a_finding_names_the_values_that_the_rule_reads_and_the_ruling() -> None:
    """The message has the sentence, the numbers behind it, and by which reading it holds; another one allows it."""
    line = move("discard", "A", card="red-2#1")
    (finding,) = folded("fireworks", *FIREWORKS, line).findings
    assert (finding.rule, finding.lines) == ("fireworks.discard.not-at-eight", "L24")
    assert finding.message == (
        "While all eight tokens lie ready nobody may discard. Here there are 8 tokens; fewer than 8 are allowed "
        "(by the ruling discard_at_eight=not_allowed)."
    )
    assert found(folded("fireworks", *FIREWORKS, line, discard_at_eight="allowed")) == []


def test_what_is_owed_is_missing_and_the_turn_goes_on() -> None:
    """Whoever plays draws; without that the next line says so once, and what comes behind it is judged as before."""
    lines = [move("play", "A", card="red-1#1"), move("clue", "B", to="A", rank=5), move("clue", "A", to="B", rank=1)]
    replay = folded("fireworks", *FIREWORKS, *lines)
    assert found(replay) == [(6, "fireworks.play.then", "missing")]
    counters = replay.table.state()["0"]["counters"]
    assert counters["tokens"] == 6


def test_a_wrong_player_is_found_once_and_taken_as_the_one_on_turn() -> None:
    """After a line out of turn the table goes on from whoever moved."""
    lines = [move("clue", "C", to="A", rank=1), move("clue", "A", to="B", rank=1), move("clue", "B", to="A", rank=1)]
    third = drawn("C", "yellow-1#1", "yellow-1#2", "yellow-2#1", "yellow-5", "yellow-3#1")
    assert found(folded("fireworks", *FIREWORKS, third, *lines, players="ABC")) == [(6, "fireworks.turn", "illegal")]


def test_a_lost_line_accuses_nobody_of_being_out_of_turn() -> None:
    """Who comes next may be so, or the line before is lost: something is missing, and the finding says both."""
    lines = [move("clue", "A", to="B", rank=1), move("clue", "A", to="B", rank=2), move("clue", "B", to="A", rank=1)]
    replay = folded("fireworks", *FIREWORKS, *lines)
    assert found(replay) == [(6, "fireworks.turn", "missing")]
    said = "A has taken 1 action in this turn already; this is the 2nd. Unless that is wrong, a line of B is missing."
    assert said in replay.findings[0].message


def test_a_card_that_lies_elsewhere_is_found_and_taken_from_there() -> None:
    """Nobody plays another player's card; the table did it all the same."""
    replay = folded("fireworks", *FIREWORKS, move("play", "A", card="green-1#1"))
    assert found(replay) == [(5, "fireworks.play.card", "illegal")]
    assert [card.name for card in replay.table.zones["firework/green"].cards] == ["green-1#1"]


def test_what_no_rule_describes_makes_unverifiable_what_it_may_have_changed(own_games: Path) -> None:
    """Behind a move of which the file says nothing a counter is not known, until it is read off."""
    text = (
        (own_games / "games" / "fireworks.toml").read_text().partition("[deal]")[0]
        + """
[move.clue]
fields.to = { is = "other player", says = "A clue is given to another player.", cite = "L17" }
[move.discard]
needs.not-at-eight = { that = "tokens < 8", says = "With eight tokens nobody discards.", cite = "L24" }
does = ["tokens + 1"]
"""
    )
    (own_games / "games" / "half.toml").write_text(text)
    look_in(own_games)
    lines = [move("discard", "A"), move("clue", "B", to="A"), move("discard", "A")]
    assert found(folded("half", *lines)) == [
        (3, "half.discard.not-at-eight", "illegal"),
        (5, "half.discard.not-at-eight", "unverifiable"),
    ]
    read_off = {"type": "state.observed", "counters": {"tokens": 8}}
    assert [each[2] for each in found(folded("half", *lines[1:2], read_off, lines[2]))] == ["illegal"]


def test_a_log_without_draws_accuses_nobody_of_not_drawing() -> None:
    """Where nobody has written down a draw the hands are dealt unseen, and who plays has drawn; that is said once."""
    lines = [move("play", "A", card="red-1#1"), move("play", "B", card="red-2#1"), move("play", "A", card="red-3#1")]
    replay = folded("fireworks", *lines)
    assert {each.kind for each in replay.findings} == {"unverifiable"}
    assert [replay.table.zones[zone].size for zone in ("A/hand", "B/hand", "firework/red", "deck")] == [4, 5, 3, 38]


def test_lines_that_no_move_describes_leave_open_whose_turn_it_is() -> None:
    """A card that was moved without a move may have been the action of that turn."""
    moved = {"type": "card.moved", "player": "A", "card": "red-1#1", "from": "hand", "to": "discards"}
    lines = [moved, move("clue", "B", to="A", rank=1), move("clue", "B", to="A", rank=2)]
    assert found(folded("fireworks", *FIREWORKS, *lines)) == [
        (6, "fireworks.turn", "unverifiable"),
        (7, "fireworks.turn", "missing"),
    ]


def in_phases(*lines: tuple[Any, ...]) -> Replay:
    """Fold lines of the battler behind the deal: a player, and a line without its type's prefix, with its fields."""
    hands = [
        drawn("A", *(f"A:wolf#{each}" for each in range(1, 6))),
        drawn("B", *(f"B:wolf#{each}" for each in range(1, 6))),
    ]
    shuffled = [{"type": "deck.shuffled", "player": each} for each in "AB"]
    made = [
        {"type": "turn.ended", "player": who}
        if name == "end"
        else drawn(who, count=1)
        if name == "draw"
        else move(name, who, **fields)
        for who, name, *more in lines
        for fields in (more[0] if more else {},)
    ]
    return folded("battler", *shuffled, *hands, *made)


A_TURN = (("grow",), ("draw",), ("next-phase",), ("summon",), ("next-phase",), ("end",))


def turns(*dropped: tuple[int, str]) -> list[tuple[Any, ...]]:
    """Return six turns of both players, without what is dropped: so many times a line, by the number of the turn."""
    return [
        (who, name, {"card": f"{who}:wolf#{turn // 2 + 1}"}) if name == "summon" else (who, name)
        for turn in range(6)
        for who in ("AB"[turn % 2],)
        for (name,) in A_TURN
        if (turn, name) not in dropped
    ]


def test_a_forgotten_end_of_a_turn_or_phase_is_missing_once() -> None:
    """Nobody is accused of the line behind it, and what comes later is judged as before."""
    assert found(in_phases(*turns())) == []
    late = found(in_phases(*turns((2, "end"))))
    assert [(rule, kind) for _, rule, kind in late] == [("battler.turn", "missing")]
    skipped = in_phases(*(each for each in turns() if each[:2] != ("B", "next-phase") or each[0] == "A"))
    assert {(rule, kind) for _, rule, kind in found(skipped)} == {("battler.turn", "missing")}


@pytest.mark.parametrize("unsaid", [("end",), ("next-phase",), ("end", "next-phase")])
def test_a_log_that_never_says_where_a_turn_or_phase_ends_accuses_nobody(unsaid: tuple[str, ...]) -> None:
    """That is said once; whoever makes a move of a later phase has gone on, who makes one of another turn has it."""
    replay = in_phases(*(each for each in turns() if each[1] not in unsaid))
    assert {kind for _, _, kind in found(replay)} == {"unverifiable"}
    assert len({each.message for each in replay.findings}) == len(replay.findings)
    assert replay.table.turn == (6 if "end" in unsaid else 7)


# -- how much a rule may look at ---------------------------------------------------------------------------------------

STEPS, A_LINE, REFOLDED = 5_000, 50, 800
"""The steps in this property, and the lines folded again, in place of the product's: the log is shorter as well."""


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_no_file_makes_a_log_cost_more_than_its_steps(seed: int, own_games: Path) -> None:
    """Whatever a file looks at, the calls of Python are bounded by the lines; what is not judged says so once."""
    rng = Random(seed)  # noqa: S311 - the same file for the same seed
    text, turn = odd_file(rng)
    (own_games / "games" / "odd.toml").write_text(text)
    look_in(own_games)
    assert game_file_problems() == {}
    deal, *lines = odd_log(rng, turn, 200)
    slug = rng.choice(["odd", "odd-other"])
    with pytest.MonkeyPatch.context() as patch:
        for module, name, number in (
            (setup, "FIRST_STEPS", STEPS),
            (acting, "SAVED_STEPS", STEPS),
            (acting, "EACH", A_LINE),
            (refolding, "LINES", REFOLDED),
        ):
            patch.setattr(module, name, number)
        calls = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        game(slug)
        sys.setprofile(count)
        try:
            replay = folded(slug, deal, *lines)
        finally:
            sys.setprofile(None)
    assert calls < 6 * (STEPS + A_LINE * len(lines)) + 600 * len(lines)
    too_much = [each.rule for each in replay.findings if "look at too much" in each.message]
    assert len(too_much) == len({*too_much})


def test_many_short_games_are_folded_again_no_more_than_their_lines_are_worth(
    own_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the lines of a log are cut into games: in none of them each is folded thousands of times."""
    rng = Random(3)  # noqa: S311 - the same file each time
    text, turn = odd_file(rng, 0)
    (own_games / "games" / "odd.toml").write_text(text)
    look_in(own_games)
    folded_lines, run = [0], Replay.run

    def counted(replay: Replay, events: Sequence[Event]) -> Replay:
        folded_lines[0] += len(events)
        return run(replay, events)

    monkeypatch.setattr(Replay, "run", counted)
    games = [odd_log(rng, turn, 20) for _ in range(20)]
    for lines in games:
        assert folded("odd", *lines).findings
    assert folded_lines[0] < 6 * sum(map(len, games))


@pytest.mark.parametrize("steps", [500, 3_000, 10_000])
def test_whoever_runs_out_of_steps_accuses_nobody(steps: int) -> None:
    """With hands of which nobody knows a card Whist takes more than these: what is not done then makes nobody wrong."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "FIRST_STEPS", steps)
        patch.setattr(acting, "SAVED_STEPS", steps)
        patch.setattr(acting, "EACH", 120)
        for seed in range(4):
            replay = fold(game("whist"), [as_counted(each) for each in play("whist", seed).events])
            assert replay.table.took_too_long
            assert {each.kind for each in replay.findings} == {"unverifiable"}
            too_much = [each.rule for each in replay.findings if "look at too much" in each.message]
            assert too_much
            assert len(too_much) == len({*too_much})


# -- hidden cards ------------------------------------------------------------------------------------------------------


def test_a_revoke_is_found_in_its_own_line_when_the_suit_is_shown() -> None:
    """With hidden hands a card of another suit waits; it is illegal as soon as the suit that was led comes out."""
    deal = [drawn(player, count=13) for player in "ABCD"]
    first = ["clubs-2", "diamonds-3", "clubs-4", "clubs-5"]
    second = ["spades-2", "spades-3", "spades-4", "clubs-9"]
    lines = [move("lay", player, card=card) for player, card in zip("ABCD", first, strict=True)]
    replay = folded("whist", *deal, *lines, players="ABCD")
    assert found(replay) == [(8, "whist.lay.follow", "unverifiable")]
    again = [move("lay", player, card=card) for player, card in zip("DABC", second, strict=True)]
    more = [move("lay", "D", card="clubs-10"), move("lay", "A", card="clubs-jack"), move("lay", "B", card="clubs-3")]
    replay = folded("whist", *deal, *lines, *again, *more, players="ABCD")
    assert (8, "whist.lay.follow", "illegal") in found(replay)


@pytest.mark.parametrize("slug", ["fireworks", "whist"])
@settings(deadline=None, max_examples=5)
@given(seed=st.integers(0, 10_000))
def test_with_all_hands_hidden_nothing_is_illegal_that_the_open_log_does_not_have(slug: str, seed: int) -> None:
    """Draws that are only counted never make a legal game illegal."""
    match = play(slug, seed)
    one = game(slug)
    hidden = [as_counted(each) for each in match.events]
    kinds = {each.kind for each in fold(one, hidden).findings}
    assert kinds <= {"unverifiable"}


def as_counted(event: Event) -> Event:
    """Return a draw as somebody writes it who has not seen the cards."""
    line: Any = event
    if type(event).__name__ != "CardsDrawn":
        return event
    return vocabulary("fireworks").convert(drawn(line.player, count=len(line.cards)) | {"seq": line.seq})
