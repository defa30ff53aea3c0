"""What happens by itself: what has been declared, and the steps of a turn, each as the outline (`turn`) asks for it."""

from collections.abc import Callable
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.effects import carry_on, carry_out_together, deck_out
from tabletape.projector.games.evolve.orders import end_of_turn, order_matters, start_of_turn
from tabletape.projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve, EvolvePlayer

MAIN_STARTED: Final = ev.PhaseStarted(phase="main")
END_STARTED: Final = ev.PhaseStarted(phase="end")
ENOUGH: Final = 3
"""Own turn ends in a row at which the other player starves that win the game (L8.1)."""

NOTED: Final = {
    "ordered": None,
    "unstressed": 0,
    "paid_unstress": 0,
    "discarded": (),
    "starved": False,
    "arrived": (),
    "end_triggers": "",
    "late": "",
    "gained": False,
}
"""What is noted of a turn only, by the fields of the table, with what they hold where there is nothing."""

Resolve = Callable[[Evolve, Any], None]
"""Lets happen what was declared: a `Pending`, or an event that is open (`Opened`)."""
RESOLVE: Final[dict[str, Resolve]] = {}
"""How each kind of what has been declared happens."""


def resolves(kind: str) -> Callable[[Resolve], Resolve]:
    """Declare what happens when a kind of play or action (`PlayKind`), or an `event`, resolves."""
    return lambda resolve: RESOLVE.setdefault(kind, resolve)


def resolve_next(table: Evolve) -> bool:
    """Resolve the last thing that was declared; return whether there was one that could."""
    if table.owed is not None or table.over:
        return False
    event, answer, pending = table.event, table.answer, table.pending
    if table.agenda:
        carry_on(table)
    elif event is not None and not (pending is not None and table.options["event_resolution"] == "after"):
        RESOLVE["event"](table, event)
    elif answer is not None:
        table.update(table, answer=None, played=(), declined=())
        RESOLVE[answer.kind](table, answer)
    elif pending is not None:
        table.change(table, "pending", pending, None)
        RESOLVE[pending.kind](table, pending)
    else:
        return False
    if table.agenda:
        carry_on(table)
    return True


def is_open(table: Evolve) -> bool:
    """Return whether something that was declared has not happened yet."""
    return bool(table.pending is not None or table.event is not None or table.answer is not None or table.agenda)


def resolve_all(table: Evolve) -> None:
    """Resolve everything that was declared, as far as the next draw."""
    # As `is_open` asks it: mostly nothing is open, and each line of the main step and each try-out comes through here.
    while table.pending is not None or table.event is not None or table.answer is not None or table.agenda:
        if not resolve_next(table):
            return


def resolve_event(table: Evolve) -> None:
    """Resolve the open event, and what abilities have put on the agenda."""
    while (table.event is not None or table.agenda) and resolve_next(table):
        pass


def settle(table: Evolve) -> None:
    """Carry out what abilities of cards have put on the agenda, as far as the next draw."""
    if table.agenda and table.event is None:
        carry_on(table)


def is_set_up(table: Evolve) -> bool:
    """Return whether both lists, the first player and both hands are there."""
    players = table.players.values()
    return len(players) == 2 and bool(table.first) and all(each.listed and each.opened for each in players)


def open_game(table: Evolve) -> None:
    """Begin the first turn if the set-up is complete."""
    if is_set_up(table):
        begin_turn(table, table.first)


def begin_turn(table: Evolve, player: str) -> None:
    """Begin a player's turn: what is left of the MP is lost, then the draw has to come (not in the first turn)."""
    current = table.players[player]
    table.next_turn(player)
    if table.turn % 2:
        table.set(table, "round", (table.turn + 1) // 2)
    table.enter_phase(DRAW)
    table.count(current, "turns", 1)
    _forget_last_turn(table)
    table.derive(ev.TurnStarted(player=player), "evolve.turn.alternate")
    if table.zones["status"].cards:
        table.applied.append("evolve.status.persist")
    if table.turn == 1:
        if table.options["second_player_mp_turn1"] == "five" and current.opponent in table.players:
            changes.change_mp(table, table.players[current.opponent], 5, "evolve.begin.mp")
        begin_step(table)
        return
    if current.mp and table.options["mp_keep"] == "until_own_begin_step":
        changes.change_mp(table, current, -current.mp, "evolve.begin.mp-lost")
    if current.listed and table.zones[current.deck_zone].size <= 0:
        gain_before_draw(table)
        deck_out(table, player, is_begin_step=True)


def _forget_last_turn(table: Evolve) -> None:
    """Forget what was noted of the last turn, and what organisms have done in it."""
    is_noted = table.unstressed or table.paid_unstress or table.discarded or table.starved or table.arrived
    if is_noted or table.ordered is not None or table.end_triggers or table.late or table.gained:
        for field, nothing in NOTED.items():
            table.set(table, field, nothing)
    for each in table.players.values():
        for card in table.zones[each.play].cards:
            if card.actions:
                table.change(card, "actions", card.actions, 0)


def begin_step(table: Evolve) -> None:
    """Add DNA and MP for the player on turn and unstress the own food: what follows the draw (L216.1, L217.1)."""
    player = table.players[table.active]
    table.enter_phase(BEGIN)
    if not table.triggers_due:
        table.change(table, "triggers_due", False, True)
    if table.triggered:
        table.set(table, "triggered", False)
    if table.turn == 1:
        table.applied += ["evolve.setup.first-turn-no-dna", "evolve.dna.start-three"]
        if table.options["first_player_first_turn"] == "nothing_happens":
            return
    if not table.gained:
        _gain(table, player)
    for card in table.zones[player.play].cards:
        if card.stressed and card.is_food:
            changes.set_stressed(table, card, stressed=False)
            table.derive(ev.FoodUnstressed(card=card.name), "evolve.food.unstress")


def may_gain(table: Evolve) -> bool:
    """Return whether DNA and MP may come before the draw of this turn (ruling `draw_order`), and have not yet."""
    return not table.gained and table.options["draw_order"] == "free"


def gain_before_draw(table: Evolve) -> None:
    """Add DNA and MP before the draw where that may be."""
    if may_gain(table):
        table.set(table, "gained", True)
        _gain(table, table.players[table.active])


def draw_unseen(table: Evolve) -> None:
    """Draw for the turn as nobody has written it; what follows the draw follows at once."""
    changes.draw(table, table.players[table.active], (), 1)
    begin_step(table)


def _gain(table: Evolve, player: EvolvePlayer) -> None:
    """Add the DNA and the MP of a turn for the player on turn; the first turn brings no DNA."""
    turn = table.turn
    if turn > 1 and not (turn == 2 and table.options["dna_start_second"] == "three"):
        table.applied.append("evolve.begin.order")
        changes.change_dna(table, player, 1, "evolve.begin.dna")
    changes.change_mp(table, player, 5, "evolve.setup.first-turn-scope" if turn <= 2 else "evolve.begin.mp")


def run_triggers(table: Evolve) -> None:
    """Resolve the abilities of the start of the turn, if they are due and nothing has to come before them."""
    if not table.triggers_due or table.phase != BEGIN or table.owed is not None:
        return
    table.change(table, "triggers_due", True, False)
    if table.watching:
        if due := start_of_turn(table):
            table.set(table, "triggered", True)
            carry_out_together(table, due, is_said=table.ordered is not None, at_start=True)
        if table.options["trigger_default_order"] == "must_be_said" and order_matters(table):
            table.set(table, "unsaid", True)


def enter_main(table: Evolve) -> None:
    """Resolve everything of the begin step and begin the main step, if nothing has to come before it."""
    if table.phase != BEGIN:
        return
    run_triggers(table)
    if table.owed is None and not table.over:
        table.applied.append("evolve.setup.first-turn-no-draw" if table.turn == 1 else "evolve.begin.first")
        start_step(table, MAIN_STARTED)


def enter_end(table: Evolve) -> None:
    """Begin the end step, with what cards do at the end of the turn (ruling `end_step_triggers`)."""
    start_step(table, END_STARTED)
    due = end_of_turn(table) if table.watching else ()
    if due and table.options["end_step_triggers"] == "before_discard":
        carry_out_together(table, due)
    elif due:
        table.set(table, "end_triggers", "due")


def run_late_end_triggers(table: Evolve) -> None:
    """Carry out the abilities of the end of the turn that come after the discard, unless the game ends before it."""
    if table.end_triggers == "due" and not wins_before_discard(table):
        count_before_discard(table)
        table.set(table, "end_triggers", "done")
        carry_out_together(table, end_of_turn(table))


def start_step(table: Evolve, started: ev.PhaseStarted) -> None:
    """Begin a step, in which nothing of the last one can be answered any more."""
    table.enter_phase(started.phase)
    if table.declined or table.played:
        table.update(table, declined=(), played=())
    table.derive(started, "evolve.turn.steps")


def end_turn(table: Evolve) -> None:
    """End the turn: count the starvation of the other player and begin the next turn."""
    if table.phase == MAIN:
        enter_end(table)
    if not table.starved:
        current = table.players[table.active]
        set_starvation(table, current, *_starvation(table, current))
    if not table.over:
        _begin_next_turn(table)


def _begin_next_turn(table: Evolve) -> None:
    current = table.players[table.active]
    if table.options["mp_keep"] == "lost_at_end_of_turn":
        changes.change_mp(table, current, -current.mp, "evolve.begin.mp-lost")
    begin_turn(table, current.opponent or current.id)


def _starvation(table: Evolve, current: EvolvePlayer) -> tuple[int, str]:
    """Return what a player's count of starvation comes to with this turn, and the rule by which it does."""
    other = table.players.get(current.opponent)
    cards = [] if other is None else table.zones[other.play].cards
    starves = True
    for card in cards:
        if card.text is None or not card.text.food or table.options["starvation_term"] == "any_organism":
            starves = False
            break
    count = current.starvation
    if not starves and table.options["starvation_reset"] == "to_zero":
        count = 0
    elif starves and ((other is not None and other.turns) or table.options["starvation_start"] == "first_turn"):
        count += 1
    return count, "evolve.food.not-survival" if starves and cards else "evolve.win.starvation"


def set_starvation(table: Evolve, player: EvolvePlayer, count: int, rule: str = "") -> None:
    """Set a player's count of starvation, by a rule or as it is written; the count that is enough wins."""
    if player.starvation != count:
        table.set(player, "starvation", count)
    if rule:
        table.derive(ev.StarvationCounted(player=player.id, count=count), rule)
    if count >= ENOUGH and not table.over:
        changes.end_game(table, player.id, "starvation", "evolve.win.starvation")


def counts_before_discard(table: Evolve) -> bool:
    """Return whether starvation is to be counted before anything is discarded (ruling `starvation_moment`)."""
    return table.options["starvation_moment"] == "before_discarding" and not table.starved


def count_before_discard(table: Evolve) -> None:
    """Count starvation in the end step, where that comes before the discard."""
    if counts_before_discard(table):
        current = table.players[table.active]
        table.set(table, "starved", True)
        set_starvation(table, current, *_starvation(table, current))


def wins_before_discard(table: Evolve) -> bool:
    """Return whether the player on turn wins by starvation in this end step before anything is discarded."""
    return counts_before_discard(table) and _starvation(table, table.players[table.active])[0] >= ENOUGH


def engage(table: Evolve, player: str) -> None:
    """Begin the game or the turn although the log lacks what has to come first: the table went on."""
    if table.phase == SETUP:
        _start_anyway(table, player)
    if table.phase == DRAW and player == table.active:
        table.set(table, "late", player)
        begin_step(table)


def _start_anyway(table: Evolve, player: str) -> None:
    if not table.first:
        table.set(table, "first", player)
    begin_turn(table, table.first)


def go_on_after_starvation(table: Evolve) -> None:
    """Go on with the game although the rules have ended it by starvation: the table has counted fewer turns."""
    table.update(table, over=False, winner="", reason="", phase=END)
    table.derived[:] = [each for each in table.derived if not isinstance(each.event, ev.GameEnded)]
    if not table.starved:
        _begin_next_turn(table)


def hand_over(table: Evolve, player: str) -> None:
    """Begin a player's turn although the log does not say that the other one's has ended."""
    if table.phase == SETUP:
        _start_anyway(table, player)
    if player != table.active:
        resolve_all(table)
        begin_turn(table, player)
