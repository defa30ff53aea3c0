"""The course of a game: turns and their steps, and the automatic steps that a line needs before it.

A log may leave out everything that follows by itself, so the fold takes such a step as late as it can: when a line
comes that needs it (catalogue, part 2.4).
"""

from typing import Final

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.changes import change_dna, change_mp, end_game, set_stressed
from tabletape.projector.games.evolve.effects import deck_out
from tabletape.projector.games.evolve.resolving import resolve_all
from tabletape.projector.games.evolve.state import (
    BEGIN,
    DRAW,
    END,
    MAIN,
    SETUP,
    Evolve,
    EvolveCard,
    EvolvePlayer,
    is_food,
)
from tabletape.projector.games.evolve.trigger_order import end_in_order, end_of_turn, order_matters, start_in_order
from tabletape.projector.kit.owed import OwedLine

MAIN_STARTED: Final = ev.PhaseStarted(phase="main")
END_STARTED: Final = ev.PhaseStarted(phase="end")
ENOUGH: Final = 3
"""Own turn ends in a row at which the other player starves that win the game (L8.1)."""

# -- a turn ------------------------------------------------------------------------------------------------------------


def is_set_up(table: Evolve) -> bool:
    """Return whether both lists, the first player and both hands are there."""
    players = table.players.values()
    return len(players) == 2 and bool(table.first) and all(each.listed and each.opened for each in players)


def begin_turn(table: Evolve, player: str) -> None:
    """Begin a player's turn: what is left of the MP is lost, then the draw has to come (not in the first turn)."""
    current = table.players[player]
    _take_turn(table, current)
    _ready_organisms(table)
    table.derive(ev.TurnStarted(player=player), "evolve.turn.alternate")
    if table.zones["status"].cards:
        table.applied.append("evolve.status.persist")
    if table.turn == 1:
        if table.options["second_player_mp_turn1"] == "five" and current.opponent in table.players:
            change_mp(table, table.players[current.opponent], 5, "evolve.begin.mp")
        begin_step(table)
        return
    if current.mp and table.options["mp_keep"] == "until_own_begin_step":
        change_mp(table, current, -current.mp, "evolve.begin.mp-lost")
    if current.listed and table.zones[current.deck_zone].size <= 0:
        gain_before_draw(table)
        deck_out(table, player, is_begin_step=True)


def owed_now(table: Evolve) -> OwedLine | None:
    """Return the draw that has to come before anything else: that of the turn, or one that a card has ordered."""
    if table.phase != DRAW:
        return table.owed
    rule, words = "evolve.begin.draw", "draws {cards} at the start of the turn"
    return OwedLine(line=ev.CardsDrawn, player=table.active, rule=rule, words=words, count=1)


def _take_turn(table: Evolve, player: EvolvePlayer) -> None:
    """Begin a player's turn, count it, and forget what was noted of the last one, which is mostly nothing."""
    table.next_turn(player.id)
    if table.turn % 2:
        table.set(table, "round", (table.turn + 1) // 2)
    table.enter_phase(DRAW)
    table.count(player, "turns", 1)
    if table.ordered is not None:
        table.set(table, "ordered", None)
    if table.unstressed:
        table.set(table, "unstressed", 0)
    if table.paid_unstress:
        table.set(table, "paid_unstress", 0)
    if table.discarded:
        table.set(table, "discarded", ())
    if table.starved:
        table.set(table, "starved", False)
    if table.arrived:
        table.set(table, "arrived", ())
    if table.end_triggers:
        table.set(table, "end_triggers", "")
    if table.late or table.gained:
        table.update(table, late="", gained=False)


def _ready_organisms(table: Evolve) -> None:
    """Make all organisms in play ready to act again."""
    card: EvolveCard
    for player in table.players.values():
        for card in table.zones[player.play].cards:
            if card.actions:
                table.set(card, "actions", 0)


def begin_step(table: Evolve) -> None:
    """Add DNA and MP for the player on turn and unstress the own food: what follows the draw (L216.1, L217.1)."""
    player = table.players[table.active]
    table.enter_phase(BEGIN)
    if not table.triggers_due:
        table.set_triggers_due(True)
    if table.triggered:
        table.set(table, "triggered", False)
    is_first = table.turn == 1
    if is_first:
        table.applied += ["evolve.setup.first-turn-no-dna", "evolve.dna.start-three"]
        if table.options["first_player_first_turn"] == "nothing_happens":
            return
    if not table.gained:
        _gain(table, player)
    card: EvolveCard
    for card in table.zones[player.play].cards:
        if card.stressed and is_food(card):
            set_stressed(table, card, stressed=False)
            table.derive(ev.FoodUnstressed(card=card.name), "evolve.food.unstress")


def gain_before_draw(table: Evolve) -> bool:
    """Add DNA and MP before the draw where that may be (ruling `draw_order`); return whether it was done."""
    if table.gained or table.options["draw_order"] != "free":
        return False
    table.set(table, "gained", True)
    _gain(table, table.players[table.active])
    return True


def _gain(table: Evolve, player: EvolvePlayer) -> None:
    """Add the DNA and the MP of a turn for the player on turn; the first turn brings no DNA."""
    turn = table.turn
    if turn > 1 and not (turn == 2 and table.options["dna_start_second"] == "three"):
        table.applied.append("evolve.begin.order")
        change_dna(table, player, 1, "evolve.begin.dna")
    change_mp(table, player, 5, "evolve.setup.first-turn-scope" if turn <= 2 else "evolve.begin.mp")


def run_triggers(table: Evolve) -> None:
    """Resolve the abilities of the start of the turn, if they are due and nothing has to come before them."""
    if not table.triggers_due or table.phase != BEGIN or table.owed is not None:
        return
    table.set_triggers_due(False)
    if table.watching:
        start_in_order(table)
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
    if table.watching and end_of_turn(table):
        if table.options["end_step_triggers"] == "before_discard":
            end_in_order(table)
        else:
            table.set(table, "end_triggers", "due")


def run_late_end_triggers(table: Evolve) -> None:
    """Carry out the abilities of the end of the turn that come after the discard, unless the game ends before it."""
    if table.end_triggers == "due" and not wins_before_discard(table):
        count_before_discard(table)
        table.set(table, "end_triggers", "done")
        end_in_order(table)


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
        _count_starvation(table)
    if not table.over:
        _begin_next_turn(table)


def _begin_next_turn(table: Evolve) -> None:
    current = table.players[table.active]
    if table.options["mp_keep"] == "lost_at_end_of_turn":
        change_mp(table, current, -current.mp, "evolve.begin.mp-lost")
    begin_turn(table, current.opponent or current.id)


def _are_food(cards: list[EvolveCard]) -> bool:
    """Return whether all organisms of a player are food; the first one mostly tells that they are not."""
    for card in cards:  # noqa: SIM110 - `all` would have to be given a generator, at every end of a turn
        if card.text is None or not card.text.food:
            return False
    return True


def _starvation(table: Evolve, current: EvolvePlayer) -> tuple[int, str]:
    """Return what a player's count of starvation comes to with this turn, and the rule by which it does."""
    other = table.players.get(current.opponent)
    cards = [] if other is None else table.zones[other.play].cards
    starves = not cards if table.options["starvation_term"] == "any_organism" else _are_food(cards)
    count = current.starvation
    if not starves:
        if count and table.options["starvation_reset"] == "to_zero":
            count = 0
    elif (other is not None and other.turns) or table.options["starvation_start"] == "first_turn":
        count += 1
    return count, "evolve.food.not-survival" if starves and cards else "evolve.win.starvation"


def _count_starvation(table: Evolve) -> None:
    current = table.players[table.active]
    count, rule = _starvation(table, current)
    set_starvation(table, current, count, rule)


def set_starvation(table: Evolve, player: EvolvePlayer, count: int, rule: str = "") -> None:
    """Set a player's count of starvation, by a rule or as it is written; the count that is enough wins."""
    if player.starvation != count:
        table.set(player, "starvation", count)
    if rule:
        table.derive(ev.StarvationCounted(player=player.id, count=count), rule)
    if count >= ENOUGH and not table.over:
        end_game(table, player.id, "starvation", "evolve.win.starvation")


def counts_before_discard(table: Evolve) -> bool:
    """Return whether starvation is to be counted before anything is discarded (ruling `starvation_moment`)."""
    return table.options["starvation_moment"] == "before_discarding" and not table.starved


def count_before_discard(table: Evolve) -> None:
    """Count starvation in the end step, where that comes before the discard."""
    if counts_before_discard(table):
        table.set(table, "starved", True)
        _count_starvation(table)


def wins_before_discard(table: Evolve) -> bool:
    """Return whether the player on turn wins by starvation in this end step before anything is discarded."""
    return counts_before_discard(table) and _starvation(table, table.players[table.active])[0] >= ENOUGH


# -- a table that goes on without what has to come first ---------------------------------------------------------------


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
