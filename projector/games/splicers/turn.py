"""The game in the order of its rulebook: the set-up (L38 to L45), the turns of a round, the steps to the next one."""

from collections.abc import Iterable
from typing import Any, Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.games.splicers import board, rounds, view
from tabletape.projector.games.splicers.chapters import (
    answering,
    cards,
    choosing,
    counting,
    drawing,
    entering,
    events,
    evolving,
    mulligan,
    picking,
    playing,
    setup,
    splicing,
    turns,
    using,
)
from tabletape.projector.games.splicers.effects import draw_of_other_first
from tabletape.projector.games.splicers.state import ACTION, END, SETUP, START, Splicers
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import moves_of, rows_of
from tabletape.projector.kit.outline import EachPlayer, PlaceRules, Setup
from tabletape.projector.kit.steps import ALWAYS_ALLOWED, Owes, StepOutline, Stepwise
from tabletape.projector.model import deciding, legality
from tabletape.projector.model.due import number_of_cards

CHAPTERS: Final = (
    *(setup, cards, turns, playing, evolving, splicing, picking, choosing),
    *(answering, using, events, entering, drawing, mulligan, counting, view),
)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, its keywords where they are needed."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)

FROM_HAND: Final = (ev.SeedPlayed, ev.JumperPlayed, ev.TingUpgraded)
"""What a card of the hand may become in a turn."""
OF_TURN: Final = (
    *(*FROM_HAND, ev.TingEvolved, ev.AbilityUsed, ev.TingsSpliced),
    *(ev.EventPlayed, ev.TurnPassed, ev.MutationPlayed, ev.TurnEnded),
)
"""What the player on turn does, in the order in which it is offered."""

Splicers.TURN = Stepwise(
    Setup(due=setup.due_in_setup, begins=rounds.begin_first_round),
    EachPlayer(
        stages=(START, ACTION, END),
        due=drawing.due_of_deck,
        plays=OF_TURN,
        ends=ev.TurnEnded,
        also=(ev.TurnPassed, ev.EventPlayed),
        said_again=turns.said_again,
        settles=rounds.settles,
    ),
    StepOutline(name=SETUP, asks=mulligan.who_decides, plays=(ev.MulliganTaken,)),
    StepOutline(
        name="reveal",
        asks=lambda table: [card.owner for card in table.zones["event"].cards[:1]],
        plays=(ev.EventRevealed,),
    ),
    StepOutline(name="jumpers", does=rounds.return_jumpers),
    StepOutline(name="count", does=rounds.count_round),
    StepOutline(name="effects", does=rounds.end_effects),
    StepOutline(name="expiry", does=rounds.expire),
    StepOutline(name="begin", does=rounds.begin_round),
    StepOutline(name="triggers", does=lambda table: board.fire(table, "round.start")),
    StepOutline(name="draws", waits=rounds.waits_for_draws),
    StepOutline(name="turn", does=rounds.begin_turns),
    at_once=lambda table: table.touched or table.agenda or table.turning or table.restless,
    owes=Owes(
        rules=(
            *drawing.OWED_SHUFFLES.values(),
            *(answering.replaced_if_possible, answering.willpower_asked, choosing.ability_effect),
        ),
        is_owed=drawing.is_owed,
        may_precede=drawing.may_precede,
    ),
    rules=PlaceRules(seats=setup.players_two, own=turns.alternate, end=turns.nothing_after_end),
)

OFFERS: Final = {move.line: move.offers for move in MOVES if move.offers is not None}
OFFERED_LEGAL: Final = frozenset({ev.MulliganTaken, ev.WillpowerAnswered, ev.EventRevealed, ev.AbilityUsed})
"""The lines of which a chapter offers what is legal only; of the others the rules say what is."""


def legal(table: Splicers, player: str) -> list[Event]:
    """Return the legal decisions of a player."""
    if player not in table.TURN.actors(table):
        return []
    if table.owed is not None or not table.window:
        return _legal(table, player, table.TURN.lines(table))
    # Until the requirement of a ting is looked at only a mutation under it may come before the end of that moment,
    # with which the turn may end by itself (ruling).
    with deciding.as_it_was(table, close_window, table.TURN.settle):
        later = _legal(table, player, OF_TURN) if table.active == player else [ev.TurnEnded(player=player)]
    return [*later, *(each for each in _legal(table, player, (ev.MutationPlayed,)) if each.host == table.window)]


def _legal(table: Splicers, player: str, lines: Iterable[type[Event]]) -> list[Any]:
    """Return what is legal of some lines: first what each hand card may become, biom by biom, then line by line."""
    hand, row = [card.name for card in cards.named_hand(table, player)], [*table.row, None]
    from_hand: list[Any] = []
    others: list[Any] = []
    for line in lines:
        offered = OFFERS[line](table, player)
        decisions = from_hand if line in FROM_HAND else others
        decisions += offered if line in OFFERED_LEGAL else legality.legal_among(ROWS, table, offered)
    from_hand.sort(key=lambda event: (hand.index(event.card), row.index(getattr(event, "biom", None))))
    return from_hand + others


# -- how far the table has come before a line --------------------------------------------------------------------------

BEGIN_THE_GAME: Final = frozenset({*OF_TURN, ev.RoundStarted, ev.TurnStarted})
"""Lines that show that round 1 has begun."""


def before(table: Splicers, event: Event) -> None:
    """Take the steps that a line needs first: round 1 begins, a turn or the moment for a mutation is over (rulings)."""
    if table.phase == SETUP:
        if type(event) in BEGIN_THE_GAME and common_rules.first_lacking(table, setup.STEPS) is None:
            table.TURN.begin(table)
    elif table.phase == START and type(event) in BEGIN_THE_GAME and type(event) is not ev.TurnEnded:
        drawing.draw_nothing(table)
    elif table.window:
        if isinstance(event, ev.MutationPlayed) and event.host == table.window:
            return
        if not isinstance(event, Consequence) or isinstance(event, ev.TingDevolved):
            close_window(table)
    if table.ends_itself and rounds.is_spent(table) and _shows_next_turn(table, event):
        rounds.end_spent_turn(table)
    if table.owed is not None and type(event) is ev.CardsDrawn and event.reason == "ability":
        draw_of_other_first(table, event.player, number_of_cards(event))


def _shows_next_turn(table: Splicers, event: Event) -> bool:
    """Return whether a line is none of the turn that is going on: of the other player, or of the end of the round."""
    if table.owed is not None or type(event) in ALWAYS_ALLOWED or type(event) is ev.TurnEnded:
        return False
    if isinstance(event, Consequence) or type(event) in {ev.CardsDrawn, ev.EventRevealed}:
        return True
    return getattr(event, "player", table.active) != table.active


def finish(table: Splicers) -> None:
    """Take the steps that are due when the log ends: nothing waits for another line."""
    close_window(table)
    if rounds.is_spent(table):
        rounds.end_spent_turn(table)


def close_window(table: Splicers) -> None:
    """Check the requirement of a ting that has waited for mutations (ruling `evolve_mutation_timing`)."""
    if table.window:
        card = table.card(table.window)
        table.set(table, "window", "")
        board.touch(table, card)
        table.TURN.settle(table)
