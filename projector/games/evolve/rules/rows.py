"""Which rules are looked at for each line, in the order of the catalogue (part 3.2)."""

from typing import Any, Final

from events.games import evolve as ev
from projector.games.evolve.rules import (
    actions,
    cards,
    consequences,
    events,
    evolving,
    lists,
    mulligans,
    observed,
    setup,
    turn,
    usual,
)
from projector.games.evolve.state import DRAW, SETUP, Evolve
from projector.kit.common_rules import out_of_game
from projector.kit.owed import missing
from projector.model.game import RuleVerdict
from projector.model.rules import (
    Case,
    InOrder,
    Rows,
    Rule,
    Test,
    all_passed,
    first_of,
    kept_if,
    select_rule,
    stop,
    usually,
)

MODULES: Final = (setup, lists, mulligans, turn, cards, actions, evolving, events, consequences, observed)
"""The modules that declare the rules."""


def _may_act(unstressed: Rule) -> tuple[InOrder, ...]:
    """Return the tests of whether an organism may act at all."""
    return (select_rule(turn.own_main_step), *_is_able(unstressed))


def _is_able(unstressed: Rule) -> tuple[InOrder, ...]:
    """Return the tests of whether an organism is able to act, whoever's turn it is."""
    return (
        stop(cards.actor_in_play),
        actions.own_organisms,
        stop(actions.food_no_actions),
        unstressed,
        actions.one_action,
    )


def _at_stake(unstressed: Rule) -> tuple[Rule, ...]:
    """Return the rules about an organism that acts in the own main step."""
    about = (cards.card_location, actions.own_organisms, actions.food_no_actions, unstressed, actions.one_action)
    return (turn.own_turn, *about)


def _acts(unstressed: Rule, cost: Rule) -> tuple[Test, ...]:
    """Return the tests of an action that a card prints."""
    kept = all_passed(*_at_stake(unstressed), actions.listed_actions, cost)
    return (usually(kept_if(usual.acts_as_printed, kept), *_may_act(unstressed), actions.listed_actions, cost),)


def _begun(table: Evolve, event: Any) -> Rule | Case:
    """Return which rule decides whether the game has got as far as this line."""
    return setup.missing_in_setup(table, event) if table.phase == SETUP else turn.drawn_before


def _may_give_up(table: Evolve, event: ev.StatusEnded) -> Rule | Case:
    """Return which rule decides whether a status of the hand may be given up now (ruling `status_hand_timing`)."""
    timing = table.options["status_hand_timing"]
    if timing == "own_main_step" or table.phase == SETUP:
        return turn.own_main_step(table, event)
    return turn.drawn_before if timing == "like_events" and table.phase == DRAW else events.status_given_up_like_event


def _may_draw(table: Evolve, event: ev.CardsDrawn) -> Rule | Case:
    """Return which rule decides about a draw, by what it is for."""
    if event.reason != "turn-start":
        return setup.hand_five if event.reason == "opening-hand" else turn.normal_if_none
    if table.phase == SETUP:
        return setup.missing_in_setup(table, event)
    if event.player != table.active:
        return turn.turn_alternate
    return setup.first_turn_no_draw if setup.is_first_begin_step(table) else turn.begin_draw


PRINTED: Final = (
    lists.main_types,
    lists.food_label,
    lists.phylum_tier,
    lists.tier_three,
    lists.tier3_evolve_cost,
    lists.status_subtypes,
)
"""What is asked of the printed cards of a list."""

ORGANISM: Final = (
    cards.card_location,
    cards.play_types,
    cards.tier2_only_by_evolve,
    cards.tier3_only_by_evolve,
)
"""What is asked of an organism that is played; the first broken rule is enough."""

ROWS: Final[Rows] = {
    ev.GameStarted: (setup.players_two,),
    ev.DeckDeclared: (
        usually(
            kept_if(lists.is_sound, all_passed(setup.declared_once, *PRINTED, setup.list_before_hand)),
            setup.declared_once,
            *PRINTED,
            lists.deck_construction,
            setup.list_before_hand,
        ),
    ),
    ev.DeckShuffled: (setup.shuffle_before_hand,),
    ev.FirstPlayerChosen: (setup.first_player,),
    ev.CardsDrawn: (
        usually(
            kept_if(usual.draws_for_turn, all_passed(turn.begin_draw, cards.card_location)),
            select_rule(_may_draw),
            stop(cards.drawn_in_deck),
            mulligans.draw_leaves_bottom,
        ),
    ),
    ev.MulliganTaken: (
        stop(mulligans.mulligan_in_setup),
        stop(mulligans.hand_before_mulligan),
        mulligans.first_player_decides_first,
        mulligans.free_not_after_claim,
        mulligans.free_reveal,
        mulligans.free_condition,
        mulligans.free_bottom,
        mulligans.mulligan_one,
        mulligans.mulligan_whole_hand,
        mulligans.mulligan_shuffle,
        mulligans.redraw_five,
        stop(cards.redrawn_in_deck),
        mulligans.redraw_leaves_bottom,
    ),
    ev.OrganismUnstressed: (
        stop(select_rule(_begun)),
        stop(turn.unstress_one),
        stop(turn.paid_unstress),
        cards.unstress_affordable,
    ),
    ev.TriggersOrdered: (stop(select_rule(_begun)), turn.trigger_order),
    ev.OrganismPlayed: (
        usually(
            kept_if(usual.plays_from_hand, all_passed(turn.own_turn, *ORGANISM, cards.affordable)),
            select_rule(turn.own_main_step),
            *map(stop, ORGANISM),
            cards.one_of_each,
            cards.affordable,
        ),
    ),
    ev.MutationPlayed: (
        select_rule(turn.own_main_step),
        cards.mutation_attached,
        cards.mutation_nonfood_only,
        cards.one_of_a_kind,
        stop(cards.card_location),
        stop(cards.play_types),
        cards.affordable,
    ),
    ev.StatusPlayed: (
        select_rule(turn.own_main_step),
        stop(cards.card_location),
        stop(cards.play_types),
        cards.one_per_subtype,
        cards.affordable,
    ),
    ev.StatusEnded: (
        select_rule(_may_give_up),
        cards.status_hand_only,
        stop(cards.status_hand_ability),
        cards.status_hand_subtype,
        cards.status_hand_cost,
    ),
    ev.FoodConsumed: (
        usually(
            kept_if(usual.eats, all_passed(*_at_stake(actions.actions_unstressed), actions.any_food)),
            *_may_act(actions.actions_unstressed),
            actions.action_cost,
            actions.any_food,
        ),
    ),
    ev.OrganismDuplicated: _acts(actions.duplicate_unstressed, actions.duplicate_cost),
    ev.OrganismPhotosynthesized: _acts(actions.actions_unstressed, actions.action_cost),
    ev.OrganismAttacked: (
        *_may_act(actions.actions_unstressed),
        actions.listed_actions,
        actions.action_cost,
        actions.attack_target,
    ),
    ev.ActionTaken: (*_may_act(actions.actions_unstressed), actions.other_action, actions.action_cost),
    ev.OrganismEvolved: (
        *_may_act(actions.evolve_unstressed),
        stop(evolving.can_evolve),
        evolving.evolve_cost_paid,
        evolving.tier3_no_swap,
        stop(evolving.into_is_named),
        stop(evolving.from_hand),
        evolving.next_tier,
        evolving.same_phylum,
        cards.evolve_affordable,
    ),
    ev.AttackDeclared: (
        stop(actions.attack_option),
        *_is_able(actions.attacker_unstressed),
        stop(actions.attack_listed),
        actions.attack_cost,
        actions.attack_target,
    ),
    ev.EventPlayed: (
        first_of(
            select_rule(_begun),
            events.no_events_at_the_end,
            events.begin_repeat,
            events.no_activity_no_events,
            events.single_window,
            events.attack_window,
            events.event_when,
            events.opponent_first,
            events.current_second,
        ),
        stop(cards.card_location),
        stop(cards.play_types),
        stop(events.event_term),
        cards.printed_cost,
        events.event_choices,
    ),
    ev.ResponsePlayed: (
        first_of(events.only_to_event, events.at_most_one, events.opposite_first, events.primary_second),
        stop(cards.card_location),
        stop(cards.play_types),
        stop(events.not_to_event),
        cards.printed_cost,
        events.event_choices,
    ),
    ev.EventDeclined: (stop(select_rule(_begun)), events.event_windows),
    ev.SurplusDiscarded: (stop(select_rule(_begun)), stop(turn.hand_limit), cards.card_location),
    ev.TurnEnded: (
        usually(
            kept_if(usual.ends_with_few_cards, all_passed(turn.turn_alternate, turn.hand_limit)),
            select_rule(turn.once_begun(turn.turn_alternate)),
            turn.surplus_discarded,
        ),
    ),
}


# -- what comes before the rows ----------------------------------------------------------------------------------------


def gate(table: Evolve, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    missed = table.missed
    if missed is None and not table.over and getattr(event, "player", "") in table.players:
        return None
    outside = out_of_game(table, event, setup.players_two, turn.nothing_after_end)
    if outside is not None:
        return RuleVerdict(consequences.win_deck_out, None, played=False) if _has_lost(table, event) else outside
    return None if missed is None else RuleVerdict(OWED_BY[missed.rule], missing(table, missed, event))


OWED_BY: Final = {each.id: each for each in (turn.normal_if_none, turn.trigger_order)}
"""The rules by which a line has to come before any other."""


def _has_lost(table: Evolve, event: Any) -> bool:
    """Return whether a line says that the draw which has lost the game found no card."""
    is_draw = isinstance(event, ev.CardsDrawn) and table.reason == "deck-out" and event.player != table.winner
    return is_draw and not setup.drawn_number(event)
