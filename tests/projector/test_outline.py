"""A round that is declared once: what is taken by itself, who acts, what may come, where one is."""

from types import ModuleType
from typing import Any, ClassVar

import msgspec
import pytest

from tabletape.events.games import crystal as ev
from tabletape.projector.kit.consequence import Follows, consequence, consequences_of, follows_of
from tabletape.projector.kit.moves import Move
from tabletape.projector.kit.outline import EachPlayer, Outline, PlaceRules, Setup
from tabletape.projector.kit.rounds import Auto, Rounds, Says
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import Broken, Case, Section
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, Player

SMALL = Section("")
ORDER = SMALL.declare("small.order", "", "One step comes after the other.")
ENOUGH = 3
"""Points that end the game."""


class Someone(Player, eq=False, kw_only=True):
    """A player of the small game."""

    living: bool = True
    points: int = 0


class Small(Table[Card, Someone], eq=False, kw_only=True):
    """A table at which everybody in turn takes a point by saying to be done."""

    TURN: ClassVar[Rounds]

    waiting: tuple[str, ...] = ()
    owed: tuple[str, ...] = ()
    handed_over: bool = False
    ready: bool = False
    starter: str = ""


def said(text: str) -> Any:
    """Return a rule that every line breaks."""
    return SMALL.rule(f"small.{text}", "", text)(lambda _table, _event: text)


def not_ready(table: Small, _event: Any) -> Broken | None:
    """Return what the set-up lacks."""
    return None if table.ready else Broken("nothing is ready", "", "missing")


def take_point(table: Small, player: Someone) -> None:
    """Add a point to whoever leaves a part."""
    table.count(player, "points", 1)


def end_if_enough(table: Small) -> None:
    """End the game where somebody has enough."""
    if any(player.points >= ENOUGH for player in table.players.values()):
        table.update(table, over=True, phase="over", active="")


PART = EachPlayer(
    name="play",
    doing="playing",
    who=lambda table: table.players.values(),
    begins=lambda table, player: table.next_turn(player.id),
    draws=(ev.CardsDrawn,),
    due=lambda _table: (),
    waits=lambda table: bool(table.owed),
    plays=(ev.CardDeployed,),
    first=lambda _table, _event: RuleVerdict(said("owed-first"), "owed"),
    settles=lambda table: "" if table.owed else table.active,
    ends=ev.DeployEnded,
    leaves=take_point,
)
OUTLINE = Rounds(
    Setup(
        needs=(Case(said("not-ready"), not_ready),),
        due=lambda _table: (),
        first=lambda _table: "",
        begins=lambda table, first: table.set(table, "starter", first),
        is_done=lambda table: table.ready,
    ),
    Auto("wake", lambda _table: None),
    PART,
    Auto("count-points", end_if_enough),
    says=Says(round=ev.RoundStarted, step=ev.PhaseStarted, part=ev.TurnStarted),
    order=ORDER,
    rules=PlaceRules(seats=said("seats"), own=said("own-part"), end=said("after-the-end"), out=said("out")),
    between=lambda _table: None,
)
Small.TURN = OUTLINE


@pytest.fixture
def table() -> Small:
    """Return a table of three at which everything is ready."""
    small = Small(options={}, library={}, ready=True)
    for seat, name in enumerate(("Ann", "Ben", "Cem")):
        small.add_player(Someone(id=name[0], name=name, seat=seat))
    return small


def end_parts(table: Small, number: int) -> None:
    """End the part of whoever is playing, so many times."""
    for _ in range(number):
        OUTLINE.end_part(table, ev.DeployEnded(player=table.active))


def test_a_round_begins_by_itself_once_nothing_lacks(table: Small) -> None:
    """While the set-up lacks something nothing happens, and a line of somebody's part breaks what lacks first."""
    table.ready = False
    assert (OUTLINE.settle(table), table.round, OUTLINE.actors(table)) == ("", 0, ())
    found = OUTLINE.gate(table, ev.CardDeployed(player="A", card="A:x", lane="tech"))
    assert found is not None
    assert (found.rule.id, found.verdict) == ("small.not-ready", Broken("nothing is ready", "", "missing"))
    assert OUTLINE.where(table) == "the set-up is not done"
    table.ready = True
    OUTLINE.settle(table)
    assert (table.round, table.phase, table.active, table.waiting) == (1, "play", "A", ("B", "C"))
    assert OUTLINE.where(table) == "it is round 1, and Ann is playing"
    assert OUTLINE.settle(table) == "A"


def test_steps_are_taken_up_to_the_next_part_and_said_in_their_order(table: Small) -> None:
    """Behind the last part the other steps of the round follow, and then the next round."""
    OUTLINE.settle(table)
    table.derived.clear()
    end_parts(table, 3)
    assert (table.round, table.phase, table.active) == (2, "play", "A")
    phases = [each.event.phase for each in table.derived if isinstance(each.event, ev.PhaseStarted)]
    assert phases == ["count-points", "play"]
    assert [each.rule for each in table.derived] == [ORDER.id] * 3
    assert [player.points for player in table.players.values()] == [1, 1, 1]


def test_a_part_is_brought_forward_and_that_of_the_other_comes_later(table: Small) -> None:
    """The player who was passed over has a part behind it, the turn is counted once; whoever is out gets none."""
    OUTLINE.settle(table)
    table.players["B"].living = False
    assert (OUTLINE.bring_forward(table, "B"), table.active, table.turn) == (False, "A", 1)
    assert OUTLINE.bring_forward(table, "C")
    assert (table.active, table.waiting, table.turn) == ("C", ("A", "B"), 1)
    end_parts(table, 1)
    assert (table.active, OUTLINE.bring_forward(table, "C")) == ("A", False)


def test_whoever_is_out_has_no_part(table: Small) -> None:
    """The part of a player who is out is passed over, and nothing that player does is played."""
    OUTLINE.settle(table)
    table.players["B"].living = False
    end_parts(table, 1)
    assert table.active == "C"
    found = OUTLINE.gate(table, ev.DeployEnded(player="B"))
    assert found is not None
    assert (found.rule.id, found.played) == ("small.out", False)


def test_no_step_is_taken_behind_the_end(table: Small) -> None:
    """The game ends in the middle of a round: no other step begins, and nobody acts or is asked for anything."""
    OUTLINE.settle(table)
    end_parts(table, 3 * ENOUGH)
    assert (table.over, table.round, table.active) == (True, ENOUGH, "")
    assert (OUTLINE.settle(table), OUTLINE.actors(table), OUTLINE.due(table)) == ("", (), ())
    OUTLINE.go_on(table)
    assert table.round == ENOUGH


def test_what_is_owed_comes_before_all_else_of_a_part(table: Small) -> None:
    """Only the line that is owed may come, of the player whose part it is; nobody decides anything before it."""
    OUTLINE.settle(table)
    table.owed = ("a card",)
    found = OUTLINE.gate(table, ev.DeployEnded(player="A"))
    assert found is not None
    assert found.rule.id == "small.owed-first"
    assert OUTLINE.gate(table, ev.CardsDrawn(player="A", from_="basic")) is None
    assert (OUTLINE.actors(table), OUTLINE.settle(table)) == ((), "")


def test_somebody_else_ends_no_part(table: Small) -> None:
    """The line of a player whose part it is not changes nothing."""
    OUTLINE.settle(table)
    length = len(table.journal)
    OUTLINE.end_part(table, ev.DeployEnded(player="B"))
    assert len(table.journal) == length


def test_a_written_beginning_is_adopted(table: Small) -> None:
    """A line that says that another player has a part gives it to that one; a step is so already or comes to be."""
    follows = {line: each for each in OUTLINE.follows for line in each.lines}
    adopt: Any = {line: each.adopt for line, each in follows.items()}
    adopt[ev.RoundStarted](table, ev.RoundStarted(round=1), None)
    assert (table.round, table.starter) == (1, "A")
    adopt[ev.TurnStarted](table, ev.TurnStarted(player="C"), None)
    assert (table.active, table.waiting, table.handed_over) == ("C", ("B",), True)
    table.derived.clear()
    counted: Any = ev.PhaseStarted(phase="count-points")  # type: ignore[arg-type]  # a step of this game
    assert not follows[ev.PhaseStarted].is_so(table, counted)
    adopt[ev.PhaseStarted](table, counted, None)
    assert (table.round, table.active) == (2, "A")
    table.derived.clear()
    adopt[ev.RoundStarted](table, ev.RoundStarted(round=7), None)
    assert table.round == 7


# -- parts around the table --------------------------------------------------------------------------------------------


def begin_thinking(table: Small, player: Someone) -> None:
    """Begin a part that has two stages."""
    table.next_turn(player.id)
    table.enter_phase("think")


AROUND = Outline(
    Setup(
        due=lambda _table: (),
        first=lambda _table: "",
        begins=lambda table, first: begin_thinking(table, table.players[first]),
        lasts=lambda table: not table.turn,
    ),
    msgspec.structs.replace(
        PART,
        after=lambda table, player: [*table.players][[*table.players].index(player) - 1],
        stages=("think", "do"),
        begins=begin_thinking,
    ),
)


def test_parts_go_around_the_table_behind_whoever_has_had_one(table: Small) -> None:
    """Whoever acts first begins; the stages of a part follow one another, and behind the last the neighbour has one."""
    table.enter_phase("think")
    assert AROUND.actors(table) == ("A", "B", "C")
    AROUND.begin(table, "B")
    assert (AROUND.actors(table), AROUND.where(table)) == (("B",), "it is round 0, and Ben is playing")
    for _ in range(3):
        AROUND.next_stage(table)
    assert (table.active, table.phase) == ("A", "do")
    AROUND.end_part(table, ev.DeployEnded(player="B"))
    assert (table.active, table.phase, table.players["B"].points) == ("A", "think", 1)


# -- what follows is a list of tasks, and the set-up ends with a decision ----------------------------------------------


def forgetting(play: Any) -> Any:
    """Return what a decision does of whoever may not go on freely: what is owed is forgotten first."""

    def act(table: Small, event: Any) -> None:
        table.set(table, "owed", ())
        play(table, event)

    return act


NOT_READY = Case(said("nothing-ready"), not_ready)
TASKS = Outline(
    Setup(
        needs=(NOT_READY,),
        asks=lambda table: tuple(player.id for player in table.players.values() if not player.points),
        plays={ev.DeckDeclared: lambda _table, event: (NOT_READY,) if event.player == "B" else ()},
        due=lambda _table: (),
        deals=ev.CardsDrawn,
    ),
    msgspec.structs.replace(
        PART,
        stages=("think",),
        draws=(ev.CardsDrawn, ev.DeckCut),
        acts=forgetting,
        in_order=(ev.CardsDrawn,),
        lacks=lambda table: table.starter,
        leaves=None,
    ),
    PlaceRules(
        seats=said("seats-here"),
        own=said("own-turn"),
        end=said("over"),
        follows_end=lambda _table, event: type(event) is ev.CardsDrawn,
    ),
)
DRAW = ev.CardsDrawn(player="A", from_="basic")
CUT = ev.DeckCut(player="A", deck="faction", by="B")


def test_the_decisions_of_a_set_up_have_needs_of_their_own(table: Small) -> None:
    """Whoever has not decided yet is asked; a decision and a line of luck that belong to parts come too early."""
    table.ready = False
    table.players["C"].points = 1
    assert TASKS.actors(table) == ("A", "B")
    lines = [ev.DeckDeclared(player=each, faction="", cards=(), basic=()) for each in "AB"]
    found = [TASKS.gate(table, each) for each in (*lines, DRAW, CUT, ev.DeployEnded(player="A"))]
    assert [each and each.rule.id for each in found] == [
        None,
        "small.nothing-ready",
        None,
        *["small.nothing-ready"] * 2,
    ]


def test_luck_is_held_against_what_is_owed_before_it(table: Small) -> None:
    """A line in order comes behind what is owed, or was passed over; the one that ended the game may follow the end."""
    begin_thinking(table, table.players["A"])
    assert TASKS.gate(table, DRAW) is None
    for field, value, nothing in (("owed", ("a task",), ()), ("starter", "A", "")):
        table.set(table, field, value)
        found = TASKS.gate(table, DRAW)
        assert found is not None
        assert found.rule.id == "small.owed-first"
        assert TASKS.gate(table, CUT) is None
        table.set(table, field, nothing)
    table.over = True
    after = TASKS.gate(table, ev.DeployEnded(player="A"))
    assert after is not None
    assert (after.rule.id, TASKS.gate(table, DRAW)) == ("small.over", None)


def test_a_decision_takes_what_comes_before_it_where_its_player_may_not_go_on_freely(table: Small) -> None:
    """The move of a decision is done freely, or behind what has to come before it; a game may say fields otherwise."""
    moves = (Move(line=ev.DeployEnded, does=lambda table, _event: table.set(table, "starter", "".join(table.owed))),)
    fields = TASKS.fields(moves, settle=None)
    for play, left in (("freely", "a task"), ("play", "")):
        table.owed = ("a task",)
        fields[play][ev.DeployEnded](table, ev.DeployEnded(player="A"))
        assert table.starter == left
    assert fields["settle"] is None


# -- a consequence, said once ------------------------------------------------------------------------------------------


def chapter(**declared: Any) -> ModuleType:
    """Return a chapter that declares something."""
    module = ModuleType("chapter")
    vars(module).update(declared)
    return module


def test_a_consequence_is_read_from_its_chapter(table: Small) -> None:
    """What is said of a line beside its rule explains a mismatch, and does what is written."""

    @consequence(ev.CrystalsPaid, rule=ORDER, why=lambda _table, _event: "nobody pays here")
    def adopt_paid(table: Small, event: ev.CrystalsPaid, _expected: object) -> None:
        table.count(table.players[event.player], "points", event.amount)

    told = consequences_of(chapter(one=adopt_paid), seats=said("seats"), end=said("end"))
    paid = ev.CrystalsPaid(player="A", amount=2, crystals=3)
    ruled: Any = told.explain(table, paid, None)
    assert ruled.rule is ORDER
    assert ruled.verdict.message.endswith(", but nobody pays here")
    told.adopt(table, paid, None)
    assert table.players["A"].points == 2


def test_two_consequences_of_one_line_are_refused() -> None:
    """Only one of them would hold; the same one may be known to several chapters."""
    paid, again = (Follows(lines=(ev.CrystalsPaid,), rule=ORDER) for _ in range(2))
    assert follows_of(chapter(one=paid), chapter(other=paid)) == {ev.CrystalsPaid: paid}
    with pytest.raises(ValueError, match=r"^consequences declared twice: CrystalsPaid$"):
        follows_of(chapter(one=paid), chapter(other=again))


def test_a_rule_says_what_it_rests_on() -> None:
    """A rule rests on what most rules of its game do, unless it is declared otherwise."""
    assert ORDER.rests_on == ""
    assert SMALL.declare("small.sure", "", "Sure.", rests_on="nothing").rests_on == "nothing"
