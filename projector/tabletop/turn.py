"""The turn of a game as its file has it: the set-up, whose turn it is, its phases and actions, and what is owed first.

The outline (`kit/outline.py`) is made of what the file says; a file that has no turns lets everybody act at once.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tabletape.events.rules_file.lines import NEXT_PHASE
from tabletape.events.rules_file.stated import MoveRules, Stated
from tabletape.events.rules_file.values import TooLongError
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.events.vocabulary.tabletop import CardsDrawn, DeckShuffled, FirstPlayerChosen, TurnStarted
from tabletape.projector.kit.outline import EachPlayer, Outline, Setup
from tabletape.projector.model.amounts import counted, nth
from tabletape.projector.model.due import Due, draw_due, option_due
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Broken, Judgement, Undecidable, Verdict
from tabletape.projector.tabletop import acting
from tabletape.projector.tabletop.file_rules import TOO_LONG, FileRules, doubted
from tabletape.projector.tabletop.out_of_turn import done_before, in_turns, is_drawn_behind, may_have_ended
from tabletape.projector.tabletop.state import Tabletop, deck_of, neighbour, place_of


def turn_of(file: FileRules) -> Outline:
    """Return the outline of a file: what comes first, and then turn after turn."""
    rules = file.rules
    begins = partial(acting.begin, file)
    return Outline(
        Setup(
            due=partial(due_at_first, file),
            first=lambda table: table.active,
            begins=lambda table, first: None if table.turn or not rules.turn else begins(table, table.players[first]),
            lasts=lambda table: not table.turn or not table.dealt,
        ),
        EachPlayer(
            after=partial(neighbour, rules),
            at_once=rules.turn is None,
            stages=rules.phases,
            begins=begins,
            draws=(CardsDrawn,),
            due=partial(due_draws, file),
            waits=lambda table: bool(file.turn.due(table)),
            plays=tuple(file.lines.values()),
            first=partial(comes_first, file),
            settles=partial(acting.settle, file),
            ends=TurnEnded,
            leaves=lambda table, _player: table.set(table, "owed", ()),
        ),
    )


# -- what luck has to write --------------------------------------------------------------------------------------------


def due_at_first(file: FileRules, table: Tabletop) -> Sequence[Due]:
    """Return what luck has to write before the first turn: own decks shuffled, the deal, who begins."""
    rules = file.rules
    own_decks = rules.begin in rules.zones and not rules.zones[rules.begin].shared
    unshuffled = [each.id for each in table.players.values() if own_decks and rules.counted and not each.shuffled]
    if unshuffled and not table.turn:
        return [Due(line=DeckShuffled, known={"player": player}) for player in unshuffled]
    if not table.dealt and rules.deal is not None:
        return [*_deals(file, table, rules.deal.id)]
    if not table.active and not table.turn:
        return [option_due(FirstPlayerChosen, "player", [*table.players], rule="")]
    return []


def _deals(file: FileRules, table: Tabletop, rule: str) -> Iterator[Due]:
    need = file.rules.hand_size(len(table.players))
    for player in table.players:
        hand, deck = table.zones.get(place_of(file.rules.deal_zone, player)), deck_of(file.rules, table, player)
        if hand is not None and deck is not None and hand.size < need:
            yield draw_due(table, CardsDrawn, deck.name, need - hand.size, rule, player=player)


def due_draws(file: FileRules, table: Tabletop) -> Sequence[Due]:
    """Return the draw that is owed before anything else, if one is."""
    for owed in table.owed[:1]:
        deck = deck_of(file.rules, table, owed.player)
        if owed.move in file.draw_names and deck is not None:
            return [draw_due(table, CardsDrawn, deck.name, 1, owed.rule, player=owed.player)]
    return []


# -- what stands against a line at its place ---------------------------------------------------------------------------


def comes_first(file: FileRules, table: Tabletop, event: Any) -> RuleVerdict | None:
    """Return the verdict that something else is owed, and missing; a log that writes no draws leaves that open."""
    owed = table.owed[0] if table.owed else None
    if owed is None or (event.player == owed.player and type(event) is file.lines.get(owed.move, CardsDrawn)):
        return None
    rule = file.by_id[owed.rule]
    if table.has_no_steps:
        return RuleVerdict(rule, TOO_LONG)
    if acting.writes_no(file, table, owed):
        whose = f" of {name_of(table, owed.player)}" if table.draws else ""
        return RuleVerdict(rule, Undecidable(f"{rule.text} The log writes no draws{whose}.", once=True))
    message = f"{rule.text} {name_of(table, owed.player)} still has to {owed.move}."
    return RuleVerdict(rule, Broken(message, owed.move, "missing"))


def is_out_of_place(table: Tabletop, move: MoveRules) -> str:
    """Return why a move does not belong to this place of a turn, its phase or how often; empty where it does."""
    if move.phase and move.phase != table.phase:
        return f"It is the phase {table.phase}; {move.name} belongs to the phase {move.phase}."
    if move.times and table.used.count(move.name) >= move.times:
        return f"{move.name} is done already {counted(move.times, 'time')} in this turn, and more often is not allowed."
    return ""


def judge_place(file: FileRules, move: MoveRules, table: Tabletop, event: Any) -> Judgement | None:
    """Return what stands against a move at this place: what is owed, whose turn it is, and what belongs into it."""
    if table.owed and (first := judge_owed(file, table, event)) is not None:
        return first
    turn = file.rules.turn
    if turn is None or move.owed or (table.owed and table.owed[0].player == event.player):
        return None
    if move.name in file.free_draws and is_drawn_behind(file, table, event.player, move):
        return None
    if table.active != event.player and table.active:
        return judge_whose(
            file, table, event.player, is_action=file.by(table.options).moves[move.name].counted == "acts"
        )
    why = is_out_of_place(table, move) if move.phase or move.times else ""
    if not why:
        return None
    verdict = _silent(turn, _unsaid(file, table, move)) or doubted(table, {"turn"}, turn.says, why)
    if isinstance(verdict, Broken) and file.is_later(move.phase, table.phase):
        verdict = Broken(verdict.message, NEXT_PHASE, "missing")  # nobody has written that the player went on
    return file.by_id[turn.id], verdict


def judge_owed(file: FileRules, table: Tabletop, event: Any) -> Judgement | None:
    """Return what stands against a line while something is owed before it; None where nothing is.

    What another player's turn begins with says first whose turn it is.
    """
    rules, owed = file.rules, table.owed
    if owed and rules.first is not None and owed[0].rule == rules.first.rule.id and event.player != owed[0].player:
        return None
    first = comes_first(file, table, event)
    return (first.rule, first.verdict) if first is not None else None


def judge_whose(file: FileRules, table: Tabletop, player: str, *, is_action: bool = False) -> Judgement | None:
    """Return what stands against a line of a player in the turn of another; None where it may be the own turn.

    Whose turn comes next is out of turn only if no line is lost. What goes on with something that was out of turn
    already is no other mistake.
    """
    turn = file.rules.turn
    if turn is None or table.active in {"", player}:
        return None
    place, is_next = in_turns(file, table, player), neighbour(file.rules, table, table.active) == player
    if place == "aside":
        return None
    if place == "next":
        may_be_over = is_next and may_have_ended(file, table)
        return _judge_next(file, table, player, is_action=is_action) if may_be_over else None
    why = _out_of_turn(file, table, player, more=is_action and place == "again")
    verdict = _silent(turn, _unsaid_turn(file, table)) or doubted(table, {"turn"}, turn.says, f"{why}.")
    passed = neighbour(file.rules, table, player) if place == "again" else table.active
    if isinstance(verdict, Broken) and neighbour(file.rules, table, passed) == player:
        if _may_lack_draw(file, table):
            said = f"The log writes no draws of {name_of(table, table.active)}."
            return file.by_id[turn.id], Undecidable(f"{turn.says} {why}. {said}", once=True)
        lost = f"a line of {name_of(table, passed)}"
        verdict = Broken(f"{turn.says} {why}. Unless that is wrong, {lost} is missing.", lost, "missing")
    return file.by_id[turn.id], verdict


def _out_of_turn(file: FileRules, table: Tabletop, player: str, *, more: bool) -> str:
    """Return why a line is out of turn: it is an action `more` than a turn has, or in the turn of another."""
    who, whose, had = name_of(table, player), name_of(table, table.active), done_before(file, table, player)
    if more:
        done = had or table.aside.times
        return f"{who} has taken {counted(done, 'action')} in this turn already; this is the {nth(str(done + 1))}"
    if had:
        return f"{who} has taken {counted(had, 'action')} already, and it is the turn of {whose}"
    so_far = f": {whose} has taken {counted(table.acts, 'action')} of {file.rules.actions}" if table.acts else ""
    return f"It is the turn of {whose}, not of {who}{so_far}"


def _may_lack_draw(file: FileRules, table: Tabletop) -> bool:
    """Return whether a turn may be too short because the log writes no draws of its player, which are actions."""
    return bool(table.acts) and False in file.free_draws.values() and table.active not in table.drew


def _judge_next(file: FileRules, table: Tabletop, player: str, *, is_action: bool) -> Judgement | None:
    """Return what stands against a line of the next player where the turn before it may be over."""
    turn = file.rules.turn
    if turn is None:
        return None
    if file.rules.fewer and is_action and done_before(file, table, player):  # Of two players: has the other passed?
        why = _out_of_turn(file, table, player, more=True)
        passed = f"unless {name_of(table, table.active)} has done nothing in a turn between"
        return file.by_id[turn.id], Undecidable(f"{turn.says} {why}, {passed}.", once=True)
    if file.rules.fewer:
        return _judge_last(file, table)
    said = "The file does not say whether a draw counts as an action: `free = true` or `free = false`."
    if False in file.free_draws.values():
        said = "Nobody knows how many actions the draws before it are, or whether they are the first hand."
    return file.by_id[turn.id], Undecidable(f"{turn.says} {said}", once=True)


def _judge_last(file: FileRules, table: Tabletop) -> Judgement | None:
    """Return the verdict that what comes last in the turn that is over now is missing; None where it is not owed."""
    last = file.rules.last
    if last is None:
        return None
    moment, _ = file.acting(table, table.active)
    try:
        moment.spend(last.unless.parts)
        if last.unless.run(moment) is not False:
            return None
    except TooLongError:
        return file.by_id[last.rule.id], TOO_LONG
    why = f"{name_of(table, table.active)} still has to {last.move}."
    verdict = doubted(table, last.unless.reads, last.rule.says, why)
    if isinstance(verdict, Broken):
        verdict = Broken(verdict.message, last.move, "missing")
    return file.by_id[last.rule.id], verdict


def _silent(turn: Stated, unsaid: str) -> Undecidable | None:
    """Leave open what a log never writes by which a line would be in its place; None where it does."""
    return Undecidable(f"{turn.says} The log does not write where {unsaid} ends.", once=True) if unsaid else None


def _unsaid_turn(file: FileRules, table: Tabletop) -> str:
    return "a turn" if file.ends_turns and not table.ends else ""


def _unsaid(file: FileRules, table: Tabletop, move: MoveRules) -> str:
    """Return what a log never writes the end of by which a move would be in its place: `a turn`, `a phase`."""
    if acting.may_be_next_turn(file, table, move):
        return "a turn"
    return "a phase" if file.is_later(move.phase, table.phase) and not table.stages else ""


def judge_turn_line(file: FileRules, table: Tabletop, event: Any) -> Sequence[Judgement]:
    """Return the verdict on a line that ends a turn or a phase, or begins a turn: whose it is, and what is owed."""
    first = comes_first(file, table, event)
    if first is not None:
        return [(first.rule, first.verdict)]
    rules, turn = file.rules, file.rules.turn
    if turn is None:
        return []
    expected = table.active
    if isinstance(event, TurnStarted) and file.ends_turns and not table.ends:
        expected = neighbour(rules, table, table.active) if table.acts else ""
    if expected in {"", event.player}:
        return [(file.by_id[turn.id], _judge_phases(file, table, event))]
    why = f"It is the turn of {name_of(table, expected)}, not of {name_of(table, event.player)}."
    silent = None if isinstance(event, TurnEnded) else _silent(turn, _unsaid_turn(file, table))
    return [(file.by_id[turn.id], silent or doubted(table, {"turn"}, turn.says, why))]


def _judge_phases(file: FileRules, table: Tabletop, event: Any) -> Verdict:
    """Return the verdict on the end of a turn before its last phase: a line by which the player went on is missing."""
    turn, phases = file.rules.turn, file.rules.phases
    if turn is None or not phases or not isinstance(event, TurnEnded) or table.phase == phases[-1]:
        return None
    why = f"It is the phase {table.phase}; a turn ends behind the phase {phases[-1]}."
    verdict = _silent(turn, "" if table.stages else "a phase") or doubted(table, {"turn"}, turn.says, why)
    return Broken(verdict.message, NEXT_PHASE, "missing") if isinstance(verdict, Broken) else verdict


# -- lines that begin a turn or a phase --------------------------------------------------------------------------------


def do_turn_started(file: FileRules, table: Tabletop, event: TurnStarted) -> None:
    """Begin a turn where it has not begun by itself."""
    file.turn.begin(table, event.player)
    table.set(table, "owed", ())
    if table.active != event.player or table.acts:
        file.turn.begin_part(table, event.player)


def do_turn_ended(file: FileRules, table: Tabletop, event: TurnEnded) -> None:
    """End the turn of a player."""
    table.set(table, "ends", True)
    file.turn.end_part(table, event)


def do_next_phase(file: FileRules, table: Tabletop, event: Any) -> None:
    """Go on to the next phase, behind the last one to the next turn."""
    file.turn.begin(table, event.player)
    if table.active != event.player and _unsaid_turn(file, table):
        acting.begin(file, table, table.players[event.player])
    table.update(table, owed=(), active=event.player, stages=True)
    file.turn.next_stage(table)
