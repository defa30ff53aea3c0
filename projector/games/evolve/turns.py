"""The course of a game: turns and their steps, and the automatic steps that a line needs before it.

A log may leave out everything that follows by itself, so the fold takes such a step as late as it can: when a line
comes that needs it (catalogue, part 2.4).
"""

from collections.abc import Callable
from typing import Any, Final

from events.games.evolve import (
    ActionTaken,
    AttackDeclared,
    CardEntered,
    CardLeft,
    CardsDrawn,
    EventCancelled,
    EventDeclined,
    EventPlayed,
    FoodConsumed,
    FoodUnstressed,
    MutationPlayed,
    OrganismAttacked,
    OrganismDied,
    OrganismDuplicated,
    OrganismEvolved,
    OrganismPhotosynthesized,
    OrganismPlayed,
    OrganismStressed,
    OrganismUnstressed,
    PhaseStarted,
    StarvationCounted,
    StatusEnded,
    StatusPlayed,
    SurplusDiscarded,
    TriggersOrdered,
    TurnEnded,
    TurnStarted,
)
from events.vocabulary import Consequence, Event, vocabulary
from projector.compare import is_counterpart, says_the_same
from projector.games.evolve.changes import change_dna, change_mp, end_game
from projector.games.evolve.effects import carry_on, carry_out_all, deck_out, fire, start_of_turn
from projector.games.evolve.resolving import has_only_food, opponent_starves, resolve_all, resolve_next
from projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve, is_food, organisms

CONSEQUENCES: Final = tuple(kind for kind in vocabulary("evolve").types.values() if issubclass(kind, Consequence))

# -- a turn ------------------------------------------------------------------------------------------------------------


def is_set_up(table: Evolve) -> bool:
    """Tell whether both lists, the first player and both hands are there."""
    players = table.players.values()
    return len(players) == 2 and bool(table.first) and all(each.listed and each.opened for each in players)


def begin_turn(table: Evolve, player: str) -> None:
    """Begin a player's turn: what is left of the MP is lost, then the draw has to come (not in the first turn)."""
    table.count(table, "turn", 1)
    table.set(table, "round", (table.turn + 1) // 2)
    table.set(table, "active", player)
    table.set(table, "phase", DRAW)
    for field, value in FRESH.items():
        if getattr(table, field) != value:
            table.set(table, field, value)
    for card in organisms(table):
        if card.actions:
            table.set(card, "actions", 0)
    current = table.players[player]
    table.count(current, "turns", 1)
    table.derive(TurnStarted(player=player), "evolve.turn.alternate")
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
        deck_out(table, player, is_begin_step=True)


FRESH: Final = {
    "played": (),
    "declined": (),
    "triggers_due": False,
    "triggered": False,
    "ordered": None,
    "unstressed": 0,
    "paid_unstress": 0,
    "discarded": 0,
    "late": "",
}
"""What a new turn sets back."""


def begin_step(table: Evolve) -> None:
    """Give the player on turn DNA and MP and unstress the own food: what follows the draw (L216.1, L217.1)."""
    player = table.players[table.active]
    table.set(table, "phase", BEGIN)
    table.set(table, "triggers_due", True)
    is_first = table.turn == 1
    if is_first:
        table.applied += ["evolve.setup.first-turn-no-dna", "evolve.dna.start-three"]
        if table.options["first_player_first_turn"] == "nothing_happens":
            return
    elif not (table.turn == 2 and table.options["dna_start_second"] == "three"):
        table.applied.append("evolve.begin.order")
        change_dna(table, player, 1, "evolve.begin.dna")
    change_mp(table, player, 5, "evolve.setup.first-turn-scope" if table.turn <= 2 else "evolve.begin.mp")
    for card in table.zones[player.play].cards:
        if card.stressed and is_food(card):
            table.set(card, "stressed", False)
            table.derive(FoodUnstressed(card=card.name), "evolve.food.unstress")


def run_triggers(table: Evolve) -> None:
    """Let the abilities of the start of the turn happen."""
    table.set(table, "triggers_due", False)
    if table.watching:
        due = start_of_turn(table, table.active)
        if due:
            table.set(table, "triggered", True)
            carry_out_all(table, due)


def enter_main(table: Evolve) -> None:
    """Let everything of the begin step happen and begin the main step."""
    if table.triggers_due:
        run_triggers(table)
    if table.awaited is None and not table.over:
        table.applied.append("evolve.setup.first-turn-no-draw" if table.turn == 1 else "evolve.begin.first")
        table.set(table, "phase", MAIN)
        _close_window(table)
        table.derive(PhaseStarted(phase="main"), "evolve.turn.steps")


def enter_end(table: Evolve) -> None:
    """Begin the end step, with what cards do at the end of the turn (ruling `end_step_triggers`)."""
    table.set(table, "phase", END)
    _close_window(table)
    table.derive(PhaseStarted(phase="end"), "evolve.turn.steps")
    if table.watching:
        own = [name for name in table.watching if (card := table.find(name)) and card.controller == table.active]
        fire(table, "end.self", own)
        carry_on(table)


def _close_window(table: Evolve) -> None:
    if table.declined:
        table.set(table, "declined", ())
    if table.played:
        table.set(table, "played", ())


def end_turn(table: Evolve) -> None:
    """End the turn: count the starvation of the other player and begin the next turn."""
    current = table.players[table.active]
    if table.phase == MAIN:
        enter_end(table)
    _count_starvation(table)
    if table.over:
        return
    if table.options["mp_keep"] == "lost_at_end_of_turn":
        change_mp(table, current, -current.mp, "evolve.begin.mp-lost")
    begin_turn(table, current.opponent or current.id)


def _count_starvation(table: Evolve) -> None:
    current = table.players[table.active]
    other = table.players.get(current.opponent)
    has_begun = other is not None and (other.turns > 0 or table.options["starvation_start"] == "first_turn")
    starves = opponent_starves(table, current.id)
    if starves and has_begun:
        table.count(current, "starvation", 1)
    elif not starves and table.options["starvation_reset"] == "to_zero":
        table.set(current, "starvation", 0)
    rule = "evolve.food.not-survival" if has_only_food(table, current.opponent) else "evolve.win.starvation"
    table.derive(StarvationCounted(player=current.id, count=current.starvation), rule)
    if current.starvation >= 3:
        end_game(table, current.id, "starvation", "evolve.win.starvation")


# -- the steps that a line needs before it -----------------------------------------------------------------------------


def before(table: Evolve, event: Event) -> None:
    """Take the automatic steps that a line needs before it."""
    if table.missed is not None:
        table.set(table, "missed", None)
    need = NEEDS.get(type(event))
    if need is not None and not table.over:
        need(table, event)


def _to_main(table: Evolve, event: OrganismPlayed) -> None:
    """Before a play or action everything open happens, and in the own begin step the main step begins."""
    phase = table.phase
    if phase == SETUP:
        _open_game(table)
        phase = table.phase
    if table.pending is not None or table.event is not None or table.answer is not None or table.agenda:
        resolve_all(table)
    if phase == BEGIN and event.player == table.active and table.awaited is None and not table.over:
        enter_main(table)
    if table.awaited is not None:
        _pass_over_draw(table)


def _to_end(table: Evolve, event: SurplusDiscarded) -> None:
    """Before a surplus card is discarded and before a turn ends, the end step begins."""
    _to_main(table, event)  # type: ignore[arg-type]  # both have a player, which is all that is looked at
    if table.phase == MAIN and event.player == table.active:
        enter_end(table)
        if table.awaited is not None:
            _pass_over_draw(table)


def _to_window(table: Evolve, event: EventPlayed) -> None:
    """Before an event the last one happens, and in the begin step the abilities of the start of the turn."""
    if isinstance(event, EventDeclined) and event.chance == "response":
        return
    _to_event(table, event)
    if table.phase == BEGIN and table.triggers_due and table.awaited is None:
        run_triggers(table)
    if table.answer is not None and table.played and table.options["consume_order"] == "attack_first":
        resolve_next(table)
    if table.awaited is not None:
        _pass_over_draw(table)


def _to_event(table: Evolve, _event: Event) -> None:
    """Let the open event happen."""
    if table.phase == SETUP:
        _open_game(table)
    while (table.event is not None or table.agenda) and resolve_next(table):
        pass
    if table.awaited is not None:
        _pass_over_draw(table)


def _to_attack(table: Evolve, event: AttackDeclared) -> None:
    """Before an answering attack the open event happens, unless events happen last (ruling `event_resolution`)."""
    if table.options["event_resolution"] == "before":
        _to_event(table, event)
    if table.answer is not None and table.options["consume_attack_scope"] == "several_attacks":
        resolve_next(table)


def _to_draw(table: Evolve, event: CardsDrawn) -> None:
    """Before a printed draw the open things happen as far as that draw; before that of a turn the game begins."""
    if event.reason == "opening-hand":
        return
    if table.phase == SETUP:
        _open_game(table)
    if event.reason == "effect":
        if table.awaited is None:
            _to_ordered_draw(table, event)
    elif table.awaited is not None:
        _pass_over_draw(table)


def _to_ordered_draw(table: Evolve, event: CardsDrawn) -> None:
    """Take the steps that order a draw; if none does, take none."""
    journal, derived, applied = len(table.journal), len(table.derived), len(table.applied)
    while table.awaited is None:
        if not _advance(table, event):
            _take_back(table, journal, derived, applied)
            return


def _open_game(table: Evolve) -> None:
    if is_set_up(table):
        begin_turn(table, table.first)


def _pass_over_draw(table: Evolve) -> None:
    """Go on without the draw that the table has passed over."""
    while table.awaited is not None:
        table.set(table, "missed", table.awaited)
        table.set(table, "awaited", None)
        carry_on(table)


# -- consequences that show what has happened --------------------------------------------------------------------------


def catch_up(table: Evolve, event: Consequence) -> None:
    """Take the automatic steps that a written consequence shows; if none of them makes it, take none.

    A consequence that the rules make of no step but that resembles one is taken for that one, so that it is compared
    with it.
    """
    if _try(table, event, _is_it) or any(is_counterpart(event, each.event) for each in table.derived):
        return
    if not _try(table, event, is_counterpart) and isinstance(event, FATES):
        _try(table, event, is_same_fate)


FATES: Final = (OrganismStressed, OrganismDied, FoodUnstressed, CardEntered, CardLeft, EventCancelled)
"""Consequences that say what becomes of a card."""


def is_same_fate(written: Consequence, derived: Consequence) -> bool:
    """Tell whether two consequences say what becomes of the same card."""
    return isinstance(written, FATES) and isinstance(derived, FATES) and written.card == derived.card


def _is_it(written: Consequence, derived: Consequence) -> bool:
    return type(written) is type(derived) and says_the_same(written, derived)


def _try(table: Evolve, event: Consequence, fits: Callable[[Any, Any], bool]) -> bool:
    """Take automatic steps until one makes a consequence that fits; if none does, take them back."""
    journal, derived, applied = len(table.journal), len(table.derived), len(table.applied)
    seen = derived
    while _advance(table, event):
        for each in table.derived[seen:]:
            if fits(event, each.event):
                return True
        seen = len(table.derived)
    _take_back(table, journal, derived, applied)
    return False


def _take_back(table: Evolve, journal: int, derived: int, applied: int) -> None:
    """Take back steps that lead nowhere."""
    table.undo(journal)
    del table.derived[derived:]
    del table.applied[applied:]


def _advance(table: Evolve, event: Event) -> bool:
    """Take one automatic step towards an event; tells whether there was one."""
    if resolve_next(table):
        return True
    if table.awaited is not None or table.over:
        return False
    phase = table.phase
    if phase == SETUP:
        _open_game(table)
    elif phase == BEGIN and table.triggers_due:
        run_triggers(table)
    elif phase == BEGIN and isinstance(event, PhaseStarted):
        enter_main(table)
    elif phase == MAIN and isinstance(event, PhaseStarted) and event.phase == "end":
        enter_end(table)
    else:
        return False
    return table.phase != phase or phase == BEGIN


def finish(table: Evolve) -> None:
    """Let everything that is open happen when the log ends."""
    resolve_all(table)


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


def hand_over(table: Evolve, player: str) -> None:
    """Begin a player's turn although the log does not say that the other one's has ended."""
    if table.phase == SETUP:
        _start_anyway(table, player)
    if player != table.active:
        resolve_all(table)
        begin_turn(table, player)


NEEDS: Final[dict[type[Event], Callable[..., None]]] = {
    **dict.fromkeys(CONSEQUENCES, catch_up),
    OrganismPlayed: _to_main,
    MutationPlayed: _to_main,
    StatusPlayed: _to_main,
    StatusEnded: _to_main,
    FoodConsumed: _to_main,
    OrganismDuplicated: _to_main,
    OrganismPhotosynthesized: _to_main,
    OrganismAttacked: _to_main,
    OrganismEvolved: _to_main,
    ActionTaken: _to_main,
    SurplusDiscarded: _to_end,
    TurnEnded: _to_end,
    EventPlayed: _to_window,
    EventDeclined: _to_window,
    AttackDeclared: _to_attack,
    OrganismUnstressed: _to_event,
    TriggersOrdered: _to_event,
    CardsDrawn: _to_draw,
}
