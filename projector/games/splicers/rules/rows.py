"""Which rules are looked at for each line, in order, and what comes before them."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from events.games import splicers as ev
from events.vocabulary import Consequence, Decision, Event
from projector.games.splicers import rounds, triggers
from projector.games.splicers.effects import draw_of_other_first
from projector.games.splicers.opening import draw_nothing, may_draw_first
from projector.games.splicers.rules import (
    answering,
    choosing,
    consequences,
    counting,
    drawing,
    evolving,
    observed,
    picking,
    playing,
    setup,
    splicing,
    turns,
    using,
)
from projector.games.splicers.rules.splicing import CARRY_GENES
from projector.games.splicers.rules.turns import who_may_act
from projector.games.splicers.state import SETUP, START, Splicers
from projector.games.splicers.turns import has_just_ended, is_closed
from projector.kit.common_rules import first_lacking, out_of_game
from projector.kit.owed import missing
from projector.model.due import number_of_cards
from projector.model.game import RuleVerdict
from projector.model.rules import (
    AllPassed,
    Case,
    Judgement,
    Rows,
    Rule,
    all_passed,
    check_in_order,
    first_of,
    group_check,
    judgement_of,
    kept_if,
    select_rule,
    stop,
    usually,
)

MODULES: Final = (
    setup,
    drawing,
    turns,
    playing,
    evolving,
    splicing,
    picking,
    choosing,
    using,
    answering,
    counting,
    consequences,
    observed,
)
"""The modules that declare the rules, in the rulebook's order."""

MAY_ACT: Final = select_rule(who_may_act)
LIST: Final = (
    setup.card_types,
    setup.listed_first,
    setup.min_size,
    setup.singleton,
    setup.two_bioms,
    setup.one_splicer,
)
LISTED: Final = all_passed(*LIST)
DRAWN: Final = (stop(drawing.no_splicer_or_biom), stop(playing.in_deck))
ROUND_START: Final = (
    stop(playing.revealed_before_draw),
    stop(select_rule(counting.final_turn_first)),
    stop(drawing.no_start_in_round_one),
    stop(drawing.draw_one),
    stop(drawing.unable_to_draw),
)
NEXT_CARD: Final = all_passed(
    drawing.no_splicer_or_biom,
    playing.in_deck,
    drawing.no_start_in_round_one,
    drawing.draw_one,
    drawing.unable_to_draw,
)
"""What there is to say of a player who draws the next card when a round starts, or nothing from an empty deck."""

FOR_ABILITY: Final = all_passed(drawing.no_splicer_or_biom, playing.in_deck, choosing.ability_effect)
"""What there is to say of a player who draws cards of the own deck because an ability says so."""

OPENING: Final = (setup.opening_hand, setup.shuffled_first)
OPENED: Final = all_passed(drawing.no_splicer_or_biom, playing.in_deck, *OPENING)
"""What there is to say of a player who draws the opening hand from the own deck."""

MULLIGAN: Final = (
    stop(setup.mulligan_once),
    stop(setup.mulligan_in_setup),
    select_rule(setup.mulligan_turn),
    setup.redraw_equal,
    setup.choose_any,
    playing.in_deck,
)


def draws_well(table: Splicers, event: ev.CardsDrawn) -> AllPassed | None:
    """Return what is kept by a draw that is due, of cards that lie in the own deck."""
    names, player, cards = event.cards, event.player, table.cards
    if names is UNSET or names is None or (len(names) > 1 and len({*names}) < len(names)):
        return None
    deck = table.zones[table.players[player].draws_from]
    for name in names:
        card = cards.get(name)
        if card is None or card.zone is not deck or (card.text is not None and card.text.kind not in CARRY_GENES):
            return None
    if event.reason == "round-start":
        is_next = table.phase == START and player not in table.drew
        return NEXT_CARD if is_next and (len(names) == 1 or not (names or deck.size)) else None
    if event.reason == "ability":
        owed = table.owed
        is_due = owed is not None and owed.player == player and owed.count == len(names)
        return FOR_ABILITY if is_due else None
    is_due = setup.opening_hand(table, event) is None and setup.shuffled_first(table, event) is None
    return OPENED if is_due else None


SHUFFLES: Final[dict[str, Rule | Case]] = {
    "setup": setup.shuffle_deck,
    "other": setup.shuffled_again,
    **answering.SHUFFLES,
}
"""The rules of shuffling, by the reason that a line says."""


def judge_draw(table: Splicers, event: ev.CardsDrawn) -> Sequence[Judgement]:
    """Check drawn cards: where they come from, and then what the draw is for."""
    judged = [*check_in_order(DRAWN, table, event)]
    if event.reason == "opening-hand":
        judged += check_in_order(OPENING, table, event)
    elif event.reason == "ability":
        judged.append(judgement_of(using.ability_draw(table, event), table, event))
    else:
        judged += check_in_order(ROUND_START, table, event)
    return judged


ROWS: Final[Rows] = {
    ev.GameStarted: (setup.players_two,),
    ev.DeckDeclared: (usually(kept_if(setup.is_sound_list, LISTED), stop(setup.card_types), *LIST[1:]),),
    ev.BiomsPlaced: (setup.bioms_row,),
    ev.DeckShuffled: (select_rule(lambda _table, event: SHUFFLES[event.reason]),),
    ev.CardsDrawn: (group_check(judge_draw, draws_well),),
    ev.FirstPlayerChosen: (setup.random_first,),
    ev.MulliganTaken: MULLIGAN,
    ev.SeedPlayed: (usually(playing.seeds_well, MAY_ACT, turns.consume, playing.in_hand, playing.at_biom),),
    ev.TingEvolved: (group_check(evolving.judge_evolving, evolving.evolves_well),),
    ev.JumperPlayed: (
        MAY_ACT,
        turns.consume_for_entry,
        using.keywords_in_hand,
        playing.in_hand,
        playing.may_enter_face_up,
        playing.at_biom,
        evolving.no_abomination,
        evolving.may_stay_there,
    ),
    ev.TingUpgraded: (
        MAY_ACT,
        turns.consume_for_entry,
        using.keywords_in_hand,
        playing.in_hand,
        stop(playing.may_enter_face_up),
        stop(playing.upgrade_cost),
        playing.upgrade_genes,
        evolving.no_abomination,
        evolving.may_stay_there,
    ),
    ev.MutationPlayed: (
        playing.mutation_own_turn,
        playing.in_hand,
        playing.is_mutation,
        first_of(playing.splicer_no_host, playing.host_is_ting),
    ),
    ev.AbilityUsed: (group_check(using.judge_ability, using.uses_well),),
    ev.WillpowerAnswered: (stop(answering.willpower_asked), answering.answer_from_hand, answering.answer_is_larger),
    ev.TingsSpliced: (
        usually(splicing.splices_well, MAY_ACT, turns.consume, group_check(splicing.judge_splice)),
        splicing.to_hand,
        splicing.found_at_biom,
    ),
    ev.EventPlayed: (MAY_ACT, turns.consume_for_event, playing.one_event, playing.in_hand, playing.is_event),
    ev.TurnPassed: (usually(turns.passes, MAY_ACT, turns.consume_for_pass),),
    ev.TurnEnded: (usually(turns.ends, MAY_ACT, turns.must_act),),
    ev.EventRevealed: (
        select_rule(counting.final_turn_first),
        stop(playing.reveal_in_time),
        stop(playing.same_event),
        playing.one_identity,
        group_check(using.chosen_for_event),
    ),
    ev.TingReplaced: (
        stop(answering.diminish_target),
        answering.replaced_if_possible,
        stop(answering.replacement_is_own_ting),
        answering.diminish_lower,
        answering.comes_from_there,
        evolving.no_abomination,
    ),
    ev.PlayerConceded: (consequences.may_concede,),
    ev.CardShown: (playing.shown_identity, playing.deck_face_down),
}


# -- what comes before the rows ----------------------------------------------------------------------------------------

OWED_BY: Final = {
    rule.id: rule
    for rule in (
        *answering.SHUFFLES.values(),
        answering.replaced_if_possible,
        answering.willpower_asked,
        choosing.ability_effect,
    )
}
"""The rules that a line is owed by."""
ANSWERS: Final = frozenset({ev.WillpowerAnswered, ev.TingReplaced})
ALWAYS_ALLOWED: Final = frozenset({ev.CardShown, ev.PlayerConceded, ev.GameAbandoned})
SET_UP: Final = frozenset({ev.GameStarted, ev.DeckDeclared, ev.BiomsPlaced, ev.MulliganTaken})
OUT_OF_TURN: Final = SET_UP | ANSWERS | ALWAYS_ALLOWED | {ev.EventRevealed}
"""The decisions that are none of a turn."""
OF_A_TURN: Final = frozenset(line for line in ROWS if issubclass(line, Decision)) - OUT_OF_TURN
BEGIN_THE_GAME: Final = OF_A_TURN | {ev.RoundStarted, ev.TurnStarted}


def gate(table: Splicers, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    try:
        player = event.player
    except AttributeError:  # the row of bioms and the end of an abandoned game belong to no player
        player = UNSET
    owed = table.owed
    if player == table.active and owed is None:
        return None  # as nearly always: somebody is on turn only in the middle of a game
    if type(event) is ev.TurnEnded and (is_closed(table, player) or has_just_ended(table, player)):
        return RuleVerdict(turns.alternate, turns.said_again(table, event), played=False)
    sits_here = player in table.players or player is UNSET
    return None if owed is None and sits_here and not table.over else _first_due(table, event, sits_here=sits_here)


def _first_due(table: Splicers, event: Any, *, sits_here: bool) -> RuleVerdict | None:
    """Return what stands in the way of a line after the end, by nobody at this table, or before the one that is due."""
    owed = table.owed
    is_due = owed is not None and type(event) is owed.line and _is_owed(table, event)
    outside = None if is_due else out_of_game(table, event, setup.players_two, turns.nothing_after_end)
    if outside is not None:
        return msgspec.structs.replace(outside, played=sits_here)
    if owed is None or is_due or type(event) in ALWAYS_ALLOWED:
        return None
    of_round = type(event) is ev.CardsDrawn and event.reason == "round-start"
    if of_round and may_draw_first(table, event.player):
        return None
    return RuleVerdict(OWED_BY[owed.rule], missing(table, owed, event))


def _is_owed(table: Splicers, event: Any) -> bool:
    """Return whether a line of the owed type is the owed one; who answers and draws is a matter of the row."""
    owed = table.owed
    if owed is None or type(event) in ANSWERS:
        return True
    if event.reason != owed.reason:
        return False
    return type(event) is ev.CardsDrawn or event.player == owed.player


def before(table: Splicers, event: Event) -> None:
    """Take the steps that a line needs first: round 1 begins, a turn or the moment for a mutation is over (rulings)."""
    if table.phase == SETUP:
        if type(event) in BEGIN_THE_GAME and first_lacking(table, setup.STEPS) is None:
            rounds.begin_first_round(table, table.first)
    elif table.phase == START and type(event) in BEGIN_THE_GAME and type(event) is not ev.TurnEnded:
        draw_nothing(table)
    elif table.window:
        if isinstance(event, ev.MutationPlayed) and event.host == table.window:
            return
        if not isinstance(event, Consequence) or isinstance(event, ev.TingDevolved):
            close_window(table)
    if table.ends_itself and rounds.is_spent(table) and _shows_next_turn(table, event):
        rounds.end_spent_turn(table)
    if table.owed is not None and type(event) is ev.CardsDrawn and event.reason == "ability":
        draw_of_other_first(table, event.player, number_of_cards(event))


def _shows_next_turn(table: Splicers, event: Any) -> bool:
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
        triggers.touch(table, card)
        rounds.settle(table)
