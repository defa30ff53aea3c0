"""Turns of a game's file: what each begins and ends with, and draws of which nobody knows whether they are actions."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.projector.test_rules_file import drawn, folded, found, move, play

HEAD = """title = "Ponds"
players = [2, 4]
zones = { deck = "shared hidden", hand = "own", pond = "open", discards = "shared" }
cards = { kind = ["reed", "frog", "pike"], copies = 9 }
deal = { zone = "hand", count = 3, says = "Three cards each.", cite = "L1" }
[move.lay]
fields.cards = "cards of hand"
does = ["cards -> pond"]
needs.alone = { that = "size(cards) = 1 or no(cards where it.kind = pike)", says = "A pike lies alone.", cite = "L5" }
[end.six]
that = "size(pond) >= 6"
winner = "player"
says = "The first with six has won."
cite = "L6"
"""
FIRST = """[move.draw]
owed = true
fields.card = "card of deck"
does = ["card -> hand"]
[move.discard]
owed = true
fields.card = "card of hand"
does = ["card -> discards"]
[turn]
actions = 1
first = { move = "draw", unless = "no(deck)", says = "A turn begins with a draw.", cite = "L2" }
last = { move = "discard", unless = "size(hand) <= 3", says = "At most three at the end.", cite = "L4" }
says = "Then one lays."
cite = "L3"
"""
DRAW = """[move.draw]
FREE
fields.card = "card of deck"
does = ["card -> hand"]
[turn]
actions = ACTIONS
says = "Players take turns."
cite = "L3"
"""
OPEN_ENDED = FIRST.replace("actions = 1\n", "").replace("last = ", "#")
"""A turn ends when the next one begins, and nobody writes that down."""

FILES = {
    "begun-with": FIRST,
    "open-ended": OPEN_ENDED,
    "no-draw": DRAW[DRAW.index("[turn]") :].replace("ACTIONS", "1"),
} | {
    f"draw-{said}-{actions}": DRAW.replace("FREE", f"free = {said}" if said != "unsaid" else "").replace(
        "ACTIONS", str(actions)
    )
    for said in ("true", "false", "unsaid")
    for actions in (1, 2)
}


@pytest.fixture(scope="module", autouse=True)
def ponds(own_games: Path) -> None:
    """Put the files into the workspace."""
    for name, text in FILES.items():
        (own_games / "games" / f"{name}.toml").write_text(HEAD + text)
    row = HEAD.replace('pond = "open"', 'pond = "shared"').replace(
        "[end.six]",
        """needs.other = { that = "not top(pond).kind = first(cards).kind", says = "Never two alike.", cite = "L7" }
[end.six]""",
    )
    (own_games / "games" / "in-a-row.toml").write_text(row + OPEN_ENDED)
    named = HEAD.replace('"pike"]', '"pike", "Old Wolf"]') + OPEN_ENDED
    (own_games / "games" / "with-names.toml").write_text(named)
    look_in(own_games)


def laid(player: str, *cards: str) -> dict[str, Any]:
    """Return the line of a move that lays cards."""
    return move("lay", player, cards=cards)


def turns(draws: Sequence[dict[str, Any]], lays: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return turns in which each draws and lays."""
    return [line for pair in zip(draws, lays, strict=True) for line in pair]


WITHOUT_DEAL = turns(
    [drawn(each, count=1) for each in "ABAB"],
    [laid("A", "reed"), laid("B", "frog", "frog"), laid("A", "pike"), laid("B", "reed")],
)


def test_a_turn_begins_with_its_draw_whether_or_not_the_deal_is_written() -> None:
    """A chat begins with the first draw: the hands are dealt then, and nobody has drawn too much or too little."""
    deal = [drawn(each, count=3) for each in "AB"]
    for lines in (WITHOUT_DEAL, [*deal, *WITHOUT_DEAL]):
        replay = folded("begun-with", *lines)
        assert found(replay) == []
        assert [replay.table.zones[f"{each}/hand"].size for each in "AB"] == [3, 2]


def test_who_acts_before_his_turn_begins_may_still_draw() -> None:
    """He discards for what another has done; where no line ends a turn, his own one begins with the draw behind it."""
    deal = [drawn(each, count=3) for each in "AB"]
    lines = [
        *deal,
        drawn("A", count=1),
        laid("A", "reed"),
        move("discard", "B", card="pike"),
        drawn("B", count=1),
        laid("B", "frog"),
    ]
    replay = folded("open-ended", *lines)
    assert {kind for _, _, kind in found(replay)} <= {"unverifiable"}
    twice = folded("open-ended", *lines[:4], *lines[5:], drawn("B", count=1))
    assert found(twice)[-1] == (9, "open-ended.turn.first", "illegal")


def test_what_lies_in_a_row_is_judged_in_whosever_turn_a_line_is() -> None:
    """Whether B has drawn nobody knows; that the row ends with a reed does not hang on it."""
    deal = [drawn(each, count=3) for each in "AB"]
    replay = folded("in-a-row", *deal, drawn("A", count=1), laid("A", "reed"), laid("B", "reed"))
    assert found(replay) == [(7, "in-a-row.lay.other", "illegal"), (7, "in-a-row.turn", "unverifiable")]


def test_a_card_with_a_name_of_its_own_may_let_somebody_draw() -> None:
    """What its text says no file knows; the same draw is one too many in a game of plain kinds."""
    deal = [drawn(each, count=3) for each in "AB"]
    lines = [*deal, drawn("A", count=1), laid("A", "reed"), drawn("A", count=2)]
    assert found(folded("open-ended", *lines)) == [(7, "open-ended.turn.first", "illegal")]
    assert found(folded("with-names", *lines)) == [(7, "with-names.turn.first", "unverifiable")]


def test_a_draw_that_is_no_action_may_stand_behind_the_last_action() -> None:
    """The action has ended the turn; the draw is of it, and the turn of the next player has not been left."""
    lines = [each for player in "ABA" for each in (laid(player, "reed"), move("draw", player, card="frog"))]
    assert found(folded("draw-true-1", *lines)) == []
    assert found(folded("draw-false-1", *lines)) != []
    twice = [lines[0], lines[2], lines[1], lines[3], laid("B", "reed")]
    assert ("draw-true-1.turn", "missing") in {each[1:] for each in found(folded("draw-true-1", *twice))}


def test_a_forgotten_draw_is_missing_and_a_lost_turn_is_no_draw_too_many() -> None:
    """Where others write their draws, one that is not there is missing; a draw out of turn is judged as a turn."""
    forgotten = [*WITHOUT_DEAL[:4], *WITHOUT_DEAL[5:]]
    assert found(folded("begun-with", *forgotten)) == [(7, "begun-with.turn.first", "missing")]
    lost = [*WITHOUT_DEAL[:2], *WITHOUT_DEAL[4:]]
    replay = folded("begun-with", *lost)
    assert found(replay) == [(5, "begun-with.turn", "missing")]
    assert "A has taken 1 action already, and it is the turn of B." in replay.findings[0].message
    silent = [line for line in WITHOUT_DEAL if line["type"] != "cards.drawn"]
    assert {kind for _, _, kind in found(folded("begun-with", *silent))} <= {"unverifiable"}


def test_who_never_writes_a_draw_is_not_accused_of_drawing_none() -> None:
    """One player writes draws and the other does not: that is said once, and the hands are counted as if they had."""
    lines = [line for line in WITHOUT_DEAL if line["type"] != "cards.drawn" or line["player"] == "A"]
    replay = folded("begun-with", *lines)
    assert found(replay) == [(5, "begun-with.turn.first", "unverifiable")]
    assert [replay.table.zones[f"{each}/hand"].size for each in "AB"] == [3, 2]


def test_what_is_too_much_at_the_end_of_a_turn_is_owed() -> None:
    """Four cards after a turn owe a discard: written it is right, else it is missing, and the game goes on."""
    held = [
        drawn("A", "reed", "frog", "pike"),
        drawn("B", "reed", "frog", "pike"),
        drawn("A", count=1),
        laid("A", "reed"),
    ]
    more = [*held, drawn("B", count=1), laid("B", "frog")]
    assert found(folded("begun-with", *more)) == []
    full = [*held[:2], drawn("A", count=1), move("lay", "A", cards=[]), drawn("B", count=1)]
    assert ("begun-with.turn.last", "missing") in {(rule, kind) for _, rule, kind in found(folded("begun-with", *full))}
    away = [*full[:4], move("discard", "A", card="reed"), *full[4:]]
    assert found(folded("begun-with", *away)) == []


def test_nothing_is_owed_and_nothing_ends_by_what_nobody_knows(own_games: Path) -> None:
    """Of a sting the file does not say that it takes a card away: no hand is too full behind it, and nobody has won."""
    text = HEAD.replace("size(pond) >= 6", "size(pond) >= 2") + FIRST + "[move.sting]\n"
    (own_games / "games" / "stings.toml").write_text(text)
    look_in(own_games)
    held = [drawn(each, count=3) for each in "AB"]
    sting = [drawn("A", count=1), move("sting", "A"), drawn("B", count=1), laid("B", "frog", "frog")]
    on = [drawn("A", count=1), laid("A", "frog", "frog"), drawn("B", count=1), laid("B", "frog", "frog")]
    replay = folded("stings", *held, *sting, *on)
    assert {kind for _, _, kind in found(replay)} <= {"unverifiable"}
    assert not replay.table.over


def test_bots_draw_and_then_lay_and_finish() -> None:
    """Each turn of a bot is its draw and one move, with cards laid away where it holds too many; nothing is found."""
    one = game("begun-with")
    (match,) = simulate(one, one.cards, Plan(seed=3, bots=(Bot.RANDOM,) * 3, limit=600), 1)
    kinds = [type(event).__struct_config__.tag for event in match.events]
    begun = kinds[kinds.index("first-player.chosen") + 1 :]
    assert all(before == "cards.drawn" for before, kind in pairwise(begun) if kind == "move.lay")
    assert match.winner
    assert not match.findings


@pytest.mark.parametrize("name", ["no-draw", "draw-unsaid-1", "draw-unsaid-2", "draw-false-2"])
@pytest.mark.parametrize("written", ["cards.drawn", "move.draw"])
def test_a_draw_of_which_nothing_is_said_accuses_nobody(name: str, written: str) -> None:
    """Draw and lay, again and again: whether a draw is an action the file does not say, so every reading is open."""
    if name == "no-draw" and written == "move.draw":
        return
    lines = [
        move("draw", line["player"]) if written == "move.draw" and line["type"] == "cards.drawn" else line
        for line in WITHOUT_DEAL
    ]
    assert {kind for _, _, kind in found(folded(name, *lines))} <= {"unverifiable"}


def test_a_draw_that_is_free_or_counts_is_judged_by_that() -> None:
    """Free draws leave the turn where it is; one that counts ends it; and who has no turn by any reading is accused."""
    draws = [move("draw", "A"), laid("A", "reed"), move("draw", "B"), laid("B", "frog")]
    assert found(folded("draw-true-1", *draws)) == []
    assert found(folded("draw-false-2", *draws)) == []
    assert [kind for _, _, kind in found(folded("draw-true-2", *draws))] == ["missing"]
    third = [*draws[:2], laid("D", "pike")]
    for name in ("draw-unsaid-1", "draw-true-1", "draw-unsaid-2"):
        assert [kind for _, _, kind in found(folded(name, *third, players="ABCD"))] == ["illegal"], name


def test_what_a_line_says_by_itself_follows_from_nothing() -> None:
    """Two cards of which one lies alone are wrong in this line, whatever was wrong before it."""
    lines = [*WITHOUT_DEAL[:2], laid("A", "reed"), drawn("B", count=1), laid("B", "pike", "reed")]
    replay = folded("begun-with", *lines)
    assert (7, "begun-with.lay.alone", "illegal", 0) in [(e.seq, e.rule, e.kind, e.follows) for e in replay.findings]


def test_a_dropped_change_of_phase_is_missing_or_open() -> None:
    """Wherever the line is lost by which a player goes on to the next phase, the log is not taken as complete."""
    match = play("battler", 1)
    kinds = [type(event).__struct_config__.tag for event in match.events]
    for at in [at for at, kind in enumerate(kinds) if kind == "move.next-phase"][:20]:
        replay = fold(game("battler"), [*match.events[:at], *match.events[at + 1 :]])
        assert {each.kind for each in replay.findings if not each.follows} in ({"missing"}, {"unverifiable"})


def test_a_turn_of_fewer_actions_is_one(own_games: Path) -> None:
    """Where one may do fewer, the next player goes on after one action, and what is owed at the end is missing then."""
    text = HEAD + FIRST.replace("actions = 1", "actions = 2\nfewer = true")
    (own_games / "games" / "fewer.toml").write_text(text.replace("size(hand) <= 3", "size(hand) <= 2"))
    look_in(own_games)
    deal = [drawn(each, count=3) for each in "AB"]
    once = [*deal, drawn("A", count=1), laid("A", "reed", "frog"), drawn("B", count=1), laid("B", "reed", "frog")]
    assert found(folded("fewer", *once)) == []
    both = [*once[:4], laid("A", "pike"), *once[4:]]
    assert found(folded("fewer", *both)) == []
    many = [*deal, drawn("A", count=1), laid("A", "reed"), drawn("B", count=1)]
    assert found(folded("fewer", *many)) == [(7, "fewer.turn.last", "missing")]
    late = [*(drawn(each, count=3) for each in "ABCD"), *once[2:], drawn("D", count=1)]
    assert [kind for _, _, kind in found(folded("fewer", *late, players="ABCD"))] == ["illegal"]


def test_a_round_and_the_top_of_a_pile_are_those_of_the_line(own_games: Path) -> None:
    """The first move of a round is one of that round where the turn before had less than it may; a copy lies on top."""
    top = """title = "Tops"
zones = { deck = "shared hidden", hand = "own", pile = "shared" }
cards = { kind = ["red", "blue"], number = [1, 2], copies = "any" }
[move.lay]
fields.cards = "cards of hand"
does = ["cards -> pile"]
needs.alike = { that = "no(pile) or first(cards).kind = top(pile).kind", says = "Of one colour.", cite = "L1" }
needs.later = { that = "round > 1 or first(cards).number = 1", says = "No two in the first round.", cite = "L2" }
[turn]
actions = 2
fewer = true
says = "Up to two."
cite = "L3"
"""
    (own_games / "games" / "tops.toml").write_text(top)
    look_in(own_games)
    reds = [laid("A", "red-1"), laid("B", "red-1"), laid("A", "red-2"), laid("B", "red-1")]
    assert found(folded("tops", *reds)) == []
    counted = folded("tops", {"type": "round.started"}, *reds, {"type": "round.started"}, laid("A", "red-2"))
    assert [rule for _, rule, _ in found(counted)] == ["tops.lay.later"]  # A log that says its rounds is believed.
    blues = [*reds, laid("A", "blue-1"), laid("B", "red-1"), laid("A", "blue-1"), laid("B", "blue-2")]
    assert [seq for seq, rule, _ in found(folded("tops", *blues)) if rule == "tops.lay.alike"] == [7, 8, 9]
    assert found(folded("tops", laid("A", "red-1"), laid("B", "red-2")))[0][1:] == ("tops.lay.later", "illegal")


def test_a_finding_calls_players_by_their_names(own_games: Path) -> None:
    """What a line says of a player is shown with the name, and not with the letter of the seat."""
    text = """title = "Gifts"
zones = { hand = "own" }
[move.give]
fields.to = "player"
needs.none = { that = "1 > 2", says = "Nobody gives.", cite = "L1" }
"""
    (own_games / "games" / "gifts.toml").write_text(text)
    look_in(own_games)
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {"type": "game.started", "game": "gifts", "edition": "v1", "id": "one", "players": seats}
    lines = [vocabulary("gifts").decode(json.dumps(each)) for each in (head, move("give", "A", to="B"))]
    (finding,) = fold(game("gifts"), lines).findings
    assert finding.message == "Nobody gives. Here to is Ben."


ABSENT = (
    "first(cards).by = player",
    "no(cards where it.kind = red)",
    "max(cards, it.number) < 1",
    "top(cards).number = 1",
    "all(cards, it.number > 0)",
    "best(cards, it.number).kind = red",
    "card.number + 1 > 0",
    "num < size(hand(to))",
    "to = player",
    "next(to) = player",
    "m(to) = 0",
    "if(any(cards), num > 1, true_one = 1)",
    "size(gone(col)) = 0",
)


def test_what_a_line_leaves_out_is_a_value_for_every_function(own_games: Path) -> None:
    """A field that may be left out is nothing, or no cards, in judging and in offering: it ends in no traceback."""
    needs = "".join(
        f'needs.n{at} = {{ that = "{that}", says = "S.", cite = "L{at}" }}\n' for at, that in enumerate(ABSENT)
    )
    text = f"""title = "Absent"
zones = {{ deck = "shared hidden", hand = "own", pile = "shared", gone = "shared per kind" }}
counters = {{ m = {{ start = 0, each = true }}, true_one = {{ start = 1 }} }}
cards = {{ kind = ["red", "blue"], number = [1, 2], copies = 2 }}
[move.go]
fields.cards = "cards of hand?"
fields.card = "card of deck?"
fields.num = "number 0 to 2?"
fields.to = "player?"
fields.col = "kind?"
does = ["cards -> pile", "card -> pile", "m(to) + 1", "turn -> next(to)", "cards -> gone(col)"]
{needs}"""
    (own_games / "games" / "absent.toml").write_text(text)
    look_in(own_games)
    replay = folded("absent", move("go", "A"), move("go", "B", cards=["red-1"]), move("go", "A"))
    assert replay.stopped is None
    assert game("absent").legal(replay.table, "A") is not None


def test_a_move_that_is_said_twice_is_done_twice(own_games: Path) -> None:
    """Where a file states no turns, the second of two equal lines is judged as any other, not taken for the first."""
    text = """title = "Twice"
counters = { done = { start = 0, each = true } }
[move.whisper]
does = ["done + 1"]
needs.once = { that = "done < 1", says = "Once.", cite = "L1" }
[move.board]
does = ["done = 0"]
"""
    (own_games / "games" / "twice.toml").write_text(text)
    look_in(own_games)
    said = [move("whisper", "A"), move("board", "A"), move("whisper", "A"), move("whisper", "A")]
    assert found(folded("twice", *said)) == [(6, "twice.whisper.once", "illegal")]


def test_what_is_compared_with_nothing_is_neither_kept_nor_broken(own_games: Path) -> None:
    """A card without a number, and the first one on an empty pile, are not held against a rule; the others are."""
    text = """title = "Bare"
zones = { deck = "shared hidden", hand = "own", pile = "shared" }
cards = { kind = ["red", "blue"], number = [1, 2, 3], bare = ["blue"], copies = "any" }
[move.lay]
fields.card = "card of hand"
does = ["card -> pile"]
needs.higher = { that = "card.number > top(pile).number", says = "A higher number.", cite = "L1" }
needs.guarded = { that = "top(pile).number = nothing or card.number > top(pile).number", says = "More.", cite = "L1" }
needs.other = { that = "no(pile where it.number = card.number)", says = "Another number.", cite = "L2" }
needs.free = { that = "top(pile).number else 0 <= 3", says = "Three at most lie there.", cite = "L3" }
"""
    (own_games / "games" / "bare.toml").write_text(text)
    look_in(own_games)
    cards = ["red-1", "red-2", "blue", "red-3", "red-1"]
    replay = folded("bare", *(move("lay", "A", card=each) for each in cards))
    assert [rule for seq, rule, kind in found(replay) if (seq, kind) == (7, "illegal")] == [
        "bare.lay.higher",
        "bare.lay.guarded",
        "bare.lay.other",
    ]
    kept = {each.id.rpartition(".")[2]: replay.kept[each.number] for each in game("bare").rules}
    assert [kept[each] for each in ("higher", "guarded", "other", "free")] == [1, 1, 2, 5]


def test_what_a_line_does_not_say_is_compared_with_nothing(own_games: Path) -> None:
    """A line that leaves out which heap it means is not held against a rule of that heap; whether it says one is."""
    text = """title = "Rinds"
zones = { deck = "shared hidden", hand = "own", heap = "shared" }
cards = { kind = ["brie", "blue"], number = [1, 2, 3], copies = "any" }
[move.lay]
fields.card = "card of hand"
does = ["card -> heap"]
[move.wax]
fields = { kind = "kind?", of = "number 0 to 9?" }
does = []
needs.two = { that = "size(heap where it.kind = kind) >= 2", says = "Two of a kind.", cite = "L1" }
needs.few = { that = "of <= 3", says = "Three at most.", cite = "L2" }
needs.said = { that = "kind != nothing or of = nothing", says = "A number needs a kind.", cite = "L3" }
"""
    (own_games / "games" / "rinds.toml").write_text(text)
    look_in(own_games)
    said = [move("wax", "A"), move("wax", "A", kind="brie"), move("wax", "A", of=4)]
    replay = folded("rinds", move("lay", "A", card="brie-1"), *said)
    assert found(replay) == [
        (5, "rinds.wax.two", "illegal"),
        (6, "rinds.wax.few", "illegal"),
        (6, "rinds.wax.said", "illegal"),
    ]


PONDS = """
title = "Ponds"
zones = { deck = "shared hidden", sea = "shared hidden", pond = "open" }
cards = { kind = ["carp", "eel"], copies = "any", begin = "sea" }
[move.lay]
fields.cards = "cards of sea"
does = ["cards -> pond"]
needs.carp = { that = "no(cards where not it.kind = carp)", says = "Only carp is laid.", cite = "L1" }
needs.two = { that = "size(pond) < 2", says = "A pond holds two.", cite = "L2" }
"""


def test_what_is_not_so_of_a_card_is_asked_of_each_and_a_copy_that_is_laid_stays_there(own_games: Path) -> None:
    """`not` turns what is asked of each card over; of a deck that nobody has counted another copy is laid."""
    (own_games / "games" / "ponds.toml").write_text(PONDS)
    look_in(own_games)
    lays = [("A", "carp"), ("B", "carp"), ("A", "carp"), ("B", "eel"), ("A", "carp"), ("B", "carp")]
    replay = folded("ponds", *({"type": "move.lay", "player": who, "cards": [card]} for who, card in lays))
    assert [(seq, rule) for seq, rule, _ in found(replay)] == [
        (6, "ponds.lay.carp"),
        (7, "ponds.lay.two"),
        (8, "ponds.lay.two"),
    ]
