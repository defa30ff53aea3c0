"""Several mistakes in a game that a file describes: each of its own is named, and what follows from one is not."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.rules import HARD
from tests.projector.test_rules_file import SEATS, drawn, folded, move, play

FERRY = """
title = "Ferry"
players = [2, 4]
[zones]
deck = "shared hidden"
hand = "own"
raft = "shared"
bank = "open"
[cards]
kind = ["oak", "elm", "ash"]
number = [1, 2, 3, 4, 5, 6, 7, 8]
[deal]
zone = "hand"
count = 4
says = "Everybody gets four logs."
cite = "L1"
[turn]
order = "left"
actions = 1
says = "One does one thing in a turn."
cite = "L2"
[move.lay]
fields.card = { is = "card of hand", says = "A log is laid from the hand.", cite = "L3" }
needs.kind.that = "no(raft) or card.kind != top(raft).kind"
needs.kind.says = "No log is laid on one of its kind."
needs.kind.cite = "L4"
needs.heavy.that = "card.number < 8 or no(raft)"
needs.heavy.says = "An eight is laid first."
needs.heavy.cite = "L5"
does = ["card -> raft"]
[move.rest]
fields.card = { is = "card of deck", says = "Who rests draws two logs.", cite = "L6" }
needs.few.that = "size(hand) < 6"
needs.few.says = "Who holds six logs does not rest."
needs.few.cite = "L7"
free = false
does = ["card -> hand", "top(deck) -> hand"]
[move.ferry]
needs.three.that = "size(raft) > 2"
needs.three.says = "Three logs cross together."
needs.three.cite = "L8"
does = ["raft -> bank"]
"""

BOATS = """
title = "Boats"
players = [2, 4]
[zones]
deck = "shared hidden"
hand = "own"
somewhere = "shared hidden"
boat = "open"
[cards]
kind = ["oak", "elm", "ash"]
number = [1, 2, 3, 4, 5, 6, 7, 8]
copies = "any"
[move.board]
fields.cards = "cards of somewhere"
needs.older.that = "no(boat) or all(cards, it.number > top(boat).number)"
needs.older.says = "Who boards is older than the last one in the boat."
needs.older.cite = "L1"
does = ["cards -> boat"]
"""
"""A game of which nothing says whose turn it is."""

KITES = """
title = "Kites"
zones = { sky = "open", store = "shared hidden" }
counters = { now = { start = 0, each = true }, snips = { start = 0, each = true }, wind = { start = 0 } }
[cards]
kind = ["red", "blue"]
copies = "any"
begin = "store"
[move.launch]
fields.cards = "cards of store"
needs.once = { that = "now < 1", says = "One kite is launched in a turn.", cite = "L1" }
needs.room = { that = "size(sky) < 3", says = "Three kites fly for each at most.", cite = "L2" }
needs.calm = { that = "wind < 2", says = "In a storm nobody launches.", cite = "L3" }
does = ["cards -> sky", "now(all) = if(it = player, now(it) + 1, 0)"]
[move.snip]
fields.to = "player"
needs.few = { that = "snips < 1", says = "Nobody snips twice in a row.", cite = "L4" }
does = ["sky(to) -> store", "snips + 1", "now(all) = if(it = player, now(it), 0)"]
[move.rest]
does = ["snips = 0", "wind + 1", "now(all) = if(it = player, now(it), 0)"]
[move.calm]
does = ["wind = 0", "now(all) = if(it = player, now(it), 0)"]
"""
"""A game whose rules look each at something else."""

BELLS = """
title = "Bells"
counters = { calls = { start = 0, each = true }, rings = { start = 0, each = true } }
[move.call]
needs.once = { that = "calls < 1", says = "Nobody calls twice.", cite = "L1" }
does = ["calls + 1"]
[move.ring]
needs.once = { that = "rings + 1 <= 1", says = "Nobody rings the bell more than once a game.", cite = "L2" }
does = ["rings + 1"]
[move.sail]
needs.rung = { that = "rings > 0", says = "Who sails has rung the bell.", cite = "L3" }
needs.calm = { if = "rings > 0", that = "calls < 1", says = "Who has rung and called stays.", cite = "L4" }
does = ["calls + 0"]
"""
"""A game whose counters are never less than they were."""

HANDS = [
    drawn("A", "oak-1", "oak-2", "elm-1", "elm-2"),
    drawn("B", "oak-3", "oak-4", "elm-3", "ash-8"),
    drawn("C", "ash-1", "ash-2", "ash-3", "elm-4"),
]


@pytest.fixture(scope="module", autouse=True)
def ferry(own_games: Path) -> None:
    """Put a game beside the examples in which an effect draws a card that no line names."""
    (own_games / "games" / "ferry.toml").write_text(FERRY)
    (own_games / "games" / "boats.toml").write_text(BOATS)
    (own_games / "games" / "kites.toml").write_text(KITES)
    (own_games / "games" / "bells.toml").write_text(BELLS)
    look_in(own_games)


def rules_of(replay: Replay) -> list[tuple[int, str, int]]:
    """Return line and rule of each finding, and the line that it follows from."""
    return [(each.seq, each.rule, each.follows) for each in replay.findings if each.kind in HARD]


def lay(player: str, card: str) -> dict[str, object]:
    """Return the line of a log that is laid."""
    return move("lay", player, card=card)


def test_too_full_a_hand_does_not_follow_from_another_players_wrong_log() -> None:
    """Whatever else A had done, B holds seven cards; had B laid the wrong log, that might be the reason."""
    lines = [lay("A", "oak-1"), move("rest", "B"), lay("C", "elm-4"), lay("A", "elm-1"), lay("B", "oak-3")]
    lines += [lay("C", "ash-1"), lay("A", "oak-2"), move("rest", "B"), lay("C", "ash-2"), lay("A", "elm-2")]
    found = rules_of(folded("ferry", *HANDS, *lines, move("rest", "B"), players="ABC"))
    assert found == [(9, "ferry.lay.kind", 0), (16, "ferry.rest.few", 0)]
    lines[2:5] = [lay("C", "ash-3"), lay("A", "elm-1"), lay("B", "elm-3")]
    found = rules_of(folded("ferry", *HANDS, *lines, move("rest", "B"), players="ABC"))
    assert found == [(10, "ferry.lay.kind", 0), (16, "ferry.rest.few", 10)]


def test_a_raft_that_has_crossed_since_is_known_again() -> None:
    """What lay there before, wrongly or not, is away: an eight on the next logs is a mistake of its own."""
    lines = [lay("A", "oak-1"), lay("B", "oak-3"), lay("C", "ash-1"), move("ferry", "A"), lay("B", "elm-3")]
    lines += [lay("C", "ash-2"), lay("A", "oak-2"), lay("B", "ash-8")]
    found = rules_of(folded("ferry", *HANDS, *lines, players="ABC"))
    assert found == [(7, "ferry.lay.kind", 0), (13, "ferry.lay.heavy", 0)]


def test_what_is_done_too_often_is_so_whatever_was_done_in_place_of_an_earlier_mistake() -> None:
    """A second ring is one too many even if the wrong call was a ring; that none was rung may come of it."""
    lines = [move("call", "A"), move("call", "B"), move("call", "A"), move("sail", "A")]
    assert rules_of(folded("bells", *lines, players="AB")) == [(5, "bells.call.once", 0), (6, "bells.sail.rung", 5)]
    lines[3:] = [move("ring", "A"), move("ring", "B"), move("ring", "A")]
    assert rules_of(folded("bells", *lines, players="AB")) == [(5, "bells.call.once", 0), (8, "bells.ring.once", 0)]
    lines = [move("ring", "A"), move("call", "B"), move("ring", "A"), move("ring", "A")]
    assert rules_of(folded("bells", *lines, players="AB")) == [(5, "bells.ring.once", 0), (6, "bells.ring.once", 5)]
    lines = [move("ring", "A"), move("call", "A"), move("call", "A"), move("sail", "A")]
    assert rules_of(folded("bells", *lines, players="AB")) == [(5, "bells.call.once", 0), (6, "bells.sail.calm", 5)]


def test_a_mistake_in_another_boat_follows_from_nothing_in_this_one() -> None:
    """Without turns a line touches what it names: B boards wrongly whatever A did, and A's next one may follow."""
    ages = [("A", "oak-5"), ("B", "elm-5"), ("A", "oak-3"), ("B", "elm-4"), ("A", "ash-2"), ("B", "ash-8")]
    found = rules_of(folded("boats", *(move("board", who, cards=[card]) for who, card in ages), players="AB"))
    assert found == [(5, "boats.board.older", 0), (6, "boats.board.older", 0), (7, "boats.board.older", 5)]


def test_what_lies_on_top_is_known_again_behind_a_card_that_was_laid() -> None:
    """Whatever A had boarded with in place of the 3, the 6 lies on it, and the 4 behind that is wrong by itself."""
    lines = [move("board", "A", cards=[f"oak-{number}"]) for number in (5, 3, 6, 4)]
    found = rules_of(folded("boats", *lines, players="AB"))
    assert found == [(4, "boats.board.older", 0), (6, "boats.board.older", 0)]
    found = rules_of(folded("boats", *lines[:2], lines[1], players="AB"))
    assert found == [(4, "boats.board.older", 0), (5, "boats.board.older", 4)]


def kites(log: str) -> list[tuple[int, str, int]]:
    """Return what is found in the lines of some kites: `A+` launches, `A.` rests, `A=` calms, `A-B` snips B's."""
    fields: dict[str, dict[str, Any]] = {"+": {"cards": ["red"]}}
    names = {"+": "launch", ".": "rest", "=": "calm", "-": "snip"}
    lines = (
        move(names[each[1]], each[0], **({"to": each[2]} if each[2:] else fields.get(each[1], {})))
        for each in log.split()
    )
    return [
        (seq - 2, rule.rpartition(".")[2], max(cause - 2, 0))
        for seq, rule, cause in rules_of(folded("kites", *lines, players="ABC"))
    ]


@pytest.mark.parametrize(
    ("log", "wrong"),
    [
        ("A+ A+ B-C B-C", [(2, "once", 0), (4, "few", 0)]),
        ("A-B A-B A-C A. A-B A-C", [(2, "few", 0), (3, "few", 2), (6, "few", 0)]),
        ("B+ B+ C-A C-A B. C-A", [(2, "once", 0), (4, "few", 0), (6, "few", 4)]),
        ("A-B A-B B. B. C+", [(2, "few", 0), (5, "calm", 2)]),
        ("A-B A-B C= B. B. C+", [(2, "few", 0), (6, "calm", 0)]),
        ("A+ A+ B. B+ B+", [(2, "once", 0), (5, "once", 0)]),
        ("B+ A-B A-B B+", [(3, "few", 0)]),
    ],
)
def test_mistakes_on_neighbouring_lines_are_two_causes_where_the_second_reads_nothing_of_the_first(
    log: str, wrong: list[tuple[int, str, int]]
) -> None:
    """Whatever A had done, B's own count is what it is; what A may have changed, or somebody set anew, says which.

    A wind that A may have raised explains a launch in a storm, unless somebody has calmed it since.
    """
    assert kites(log) == wrong


@pytest.mark.parametrize(("leaves", "cause"), [("deck", 0), ("apron", 5)])
def test_too_many_guests_follow_from_nothing_where_guests_only_come(own_games: Path, leaves: str, cause: int) -> None:
    """Whatever A had done in place of a third beg, the guests sit there, unless a line may send one away."""
    text = f"""title = "Guests"
zones = {{ deck = "shared hidden", apron = "open", away = "shared" }}
counters = {{ begs = {{ start = 0, each = true }} }}
cards = {{ kind = ["dog", "aunt", "mayor", "vicar"], copies = "any" }}
[move.invite]
fields.cards = "cards of deck"
needs.two = {{ that = "size(apron) + size(cards) <= 2", says = "Two guests at most.", cite = "L1" }}
does = ["cards -> apron"]
[move.leave]
fields.cards = "cards of {leaves}"
does = ["cards -> away"]
[move.beg]
needs.once = {{ that = "begs < 1", says = "Nobody begs twice.", cite = "L2" }}
does = ["begs + 1"]
"""
    (own_games / "games" / "guests.toml").write_text(text)
    look_in(own_games)
    lines = [
        move("invite", "A", cards=["dog"]),
        move("beg", "A"),
        move("beg", "A"),
        move("invite", "A", cards=["aunt"]),
    ]
    found = rules_of(folded("guests", *lines, move("invite", "A", cards=["mayor"]), players="AB"))
    assert found == [(5, "guests.beg.once", 0), (7, "guests.invite.two", cause)]


def test_what_is_read_off_the_table_is_known_again() -> None:
    """A snips a second time; that A has snipped twice somebody then reads off, so a third time follows from nothing."""
    lines = [move("snip", "A", to="B"), move("snip", "A", to="B"), move("snip", "A", to="C")]
    seen = {"type": "state.observed", "player": "A", "counters": {"snips": 2}}
    assert rules_of(folded("kites", *lines, players="ABC")) == [(4, "kites.snip.few", 0), (5, "kites.snip.few", 4)]
    found = rules_of(folded("kites", *lines[:2], seen, lines[2], players="ABC"))
    assert found == [(4, "kites.snip.few", 0), (6, "kites.snip.few", 0)]


@pytest.mark.parametrize("seed", range(20))
def test_bots_never_break_a_rule_with_a_card_that_an_effect_has_drawn(seed: int) -> None:
    """What is offered is right whichever card it is, and the log names it when it is laid."""
    match = play("ferry", seed)
    assert match.findings == []
    assert not [each for each in match.events if str(getattr(each, "card", "")).startswith("?")]


@pytest.mark.parametrize("slug", ["ferry", "kites", *SEATS])
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 10_000))
def test_what_follows_from_one_wrong_move_is_no_accusation(slug: str, seed: int) -> None:
    """The game is right with the move that was made: whatever else is found follows from the wrong one."""
    one, rng = game(slug), Random(seed)  # noqa: S311 - which move is wrong is no secret
    events = [msgspec.structs.replace(each, seq=UNSET, cause=UNSET) for each in play(slug, seed).events]
    for _ in range(20):
        lines, here = with_wrong_move(events[:200], rng)
        head = fold(one, lines[: here + 1]).findings
        if [each for each in head if each.seq == here + 1 and each.kind == "illegal" and not alone(slug, each.rule)]:
            assert {seq for seq, rule, cause in rules_of(fold(one, lines)) if not cause and not alone(slug, rule)} == {
                here + 1
            }
            return


def alone(slug: str, rule: str) -> bool:
    """Return whether a rule looks at the line and at nothing else."""
    return game(slug).by_id[rule].rests_on == "line"


def with_wrong_move(events: list[Event], rng: Random) -> tuple[list[Event], int]:
    """Return a game with another of its moves in place of one, by the player of that one, and the place."""
    moves = [here for here, each in enumerate(events) if tag_of(type(each)).startswith("move.")]
    here, there = rng.choice(moves), rng.choice(moves)
    player = events[here].player  # type: ignore[attr-defined]  # moves have one
    return [*events[:here], msgspec.structs.replace(events[there], player=player), *events[here + 1 :]], here


@pytest.mark.parametrize("seed", [0, 4, 13, 26])
def test_a_line_that_is_wrong_in_itself_is_the_cause_of_what_follows(seed: int) -> None:
    """A bolt at the own head ends the game too late or too early, and nobody is accused of that; a borrowed wolf is."""
    events: list[Any] = [*play("battler", seed).events]
    kinds, one = [tag_of(type(each)) for each in events], game("battler")
    cast = kinds.index("move.cast")
    attack = kinds.index("move.attack", cast + 10)
    events[cast] = msgspec.structs.replace(events[cast], target=events[cast].player)
    found = [each for each in fold(one, events).findings if each.kind in HARD]
    assert len(found) > 1
    assert [each.seq for each in found if not each.follows] == [cast + 1]
    summoned = (each for each, kind in zip(events, kinds, strict=True) if kind == "move.summon")
    theirs = next(each.card for each in summoned if each.player != events[attack].player)
    events[attack] = msgspec.structs.replace(events[attack], card=theirs)
    own = {each.seq for each in fold(one, events).findings if each.kind in HARD and not each.follows}
    assert {cast + 1, attack + 1} <= own
