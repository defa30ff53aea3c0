"""Playing cards in the deploy phase (L48 to L50): from the hand into a lane, for what they cost; and the end of it."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from msgspec import UNSET

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.games.crystal import board, effects
from tabletape.projector.games.crystal.abilities import LANES, Effect
from tabletape.projector.games.crystal.chapters import DEPLOY_ANATOMY, DEPLOY_PHASE, SET_UP, WINNING
from tabletape.projector.games.crystal.chapters.choosing import (
    AFTER_PAYMENT,
    as_written,
    asked_of,
    choices,
    printed,
    rule_of_ability,
    why_no_ability,
)
from tabletape.projector.games.crystal.chapters.deploy_phase import SAME_TURN, draw_first, own_turn
from tabletape.projector.games.crystal.chapters.drawing import draw_may_lack, drawn_before_end, note_unwritten_draw
from tabletape.projector.games.crystal.chapters.setup import known_cards
from tabletape.projector.games.crystal.schema import CrystalText
from tabletape.projector.games.crystal.state import LANE, Crystal, CrystalCard, CrystalPlayer, lane_meant
from tabletape.projector.kit import common_rules, mismatches
from tabletape.projector.kit.adopting import as_written as written_down
from tabletape.projector.kit.consequence import consequence, follows
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.outline import SETUP
from tabletape.projector.kit.own_part import own_end
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.rules import Rule, all_passed, usually
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict

# -- where a card comes from and goes to -------------------------------------------------------------------------------


@DEPLOY_PHASE.rule("crystal.play.from-hand", "L48.1", "Cards are played from the hand.")
def from_hand(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there, or only the line of its draw is missing."""
    card, player, hand = table.find(event.card), table.players[event.player], table.hand_of(event.player)
    if table.may_be_in(event.card, hand):
        return None
    if common_rules.is_unknown(table, event.card) or draw_may_lack(table, player, card):
        return NOT_APPLICABLE
    message = f"{table.called(event.card)} is not in the hand of {name_of(table, event.player)}"
    copy = next((card.name for card in hand.cards if card_of(card.name) == card_of(event.card)), "")
    if copy:
        is_own = owner_of(event.card) == event.player
        other = "another copy of it" if is_own else f"one of {player.name}'s own"
        return Broken(f"{event.card}: {message}, but {other}, {copy}, is", copy)
    lane = card.lane if card is not None else ""
    return f"{message}; it lies in the {lane} lane already" if lane else message


def may_lie(table: Crystal, text: CrystalText, lane: str) -> bool:
    """Return whether a card may lie in a lane (ruling `lane_choice`)."""
    return lane in LANE and (table.options["lane_choice"] == "any_lane" or bool(text.values[LANE[lane]]))


@WINNING.rule("crystal.play.own-lane", "L6.1", rests_on="nothing")
def own_lane(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """A card goes into one of the own lanes."""
    text, lane = printed(table, event), lane_meant(event.lane)
    if lane in LANE:
        if text is None or may_lie(table, text, lane):
            return None
        return f"{text.name} goes into the lane {lane}, for which it has no value, {by_ruling(table, 'lane_choice')}"
    return asked_of("lane", lane)


@WINNING.rule(
    "crystal.lane.three",
    "L6.1 L12.1",
    "Cards are deployed into three own lanes: mining for crystals, attack for damage and defence, tech for stronger "
    "and more cards.",
    rests_on="nothing",
)
def three_lanes(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """Every lane that the line names beside the card's own is one of the three, too, or nobody knows which."""
    if common_rules.is_unknown(table, event.card):
        return NOT_APPLICABLE
    others = [lane_meant(lane) for lane in (event.target_lane, event.to_lane) if lane is not UNSET]
    strange = next((lane for lane in others if lane not in LANE), None)
    if strange is not None:
        return asked_of("lane", strange)
    return None if others or lane_meant(event.lane) in LANE else NOT_APPLICABLE


# -- what it costs -----------------------------------------------------------------------------------------------------


def cost_of(table: Crystal, player: CrystalPlayer, card: CrystalCard) -> int:
    """Return what a card costs now, changed by what it says itself."""
    cost, static = card.text.cost or 0, card.text.says.static
    return _now(table, player, static, "cost", cost) if static else cost


def requirement_of(table: Crystal, player: CrystalPlayer, card: CrystalCard) -> int:
    """Return how much of the tech limit a card uses now."""
    requirement, static = card.text.tech_requirement or 0, card.text.says.static
    return _now(table, player, static, "requirement", requirement) if static else requirement


def _now(table: Crystal, player: CrystalPlayer, static: tuple[Effect, ...], verb: str, number: int) -> int:
    """Return what a printed number is with what the static lines change of it."""
    for effect in static:
        if effect.verb == verb and (not effect.condition or effects.holds(table, player, effect.condition)):
            number += effect.n
    return max(0, number)


def tech_spent(table: Crystal, player: CrystalPlayer) -> int:
    """Return how much of the tech limit is used up already (ruling `tech_semantics`)."""
    return player.tech_used if table.options["tech_semantics"] == "budget" else 0


def can_be_paid(table: Crystal, player: CrystalPlayer, card: CrystalCard, limit: int) -> bool:
    """Return whether a player has the crystals for a card, and a tech limit leaves room for it."""
    needs = requirement_of(table, player, card)
    is_within = not needs or tech_spent(table, player) + needs <= limit
    return is_within and cost_of(table, player, card) <= player.crystals


@DEPLOY_ANATOMY.rule("crystal.cost.affordable", "L48.2 L86.1 L86.2")
def affordable(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The cost is there and is taken off as the card is played."""
    card, player = table.find(event.card), table.players[event.player]
    if card is None or card.text is None:
        return _cost_unknown(table, event) if is_unseen(event.card) else NOT_APPLICABLE
    cost = cost_of(table, player, card)
    if cost <= player.crystals:
        return None
    with_yield = player.crystals + card.text.says.yields >= cost
    message = f"{card.text.name} costs {how_many(cost, 'crystal')}, {player.name} has {player.crystals or 'none'}"
    return Broken(message, how_many(cost, "crystal"), because="crystal.cost.own-income" if with_yield else "")


def _cost_unknown(table: Crystal, event: ev.CardDeployed) -> Undecidable:
    """What a card without a name costs is judged when it is shown, by the crystals that there are now."""
    player = table.players[event.player]
    name, there_are = player.name, player.crystals

    def later(text: CrystalText | None) -> Broken | None:
        if text is None or text.says.static or text.manual or (text.cost or 0) <= there_are:
            return None
        cost = how_many(text.cost or 0, "crystal")
        return Broken(f"{event.card} is {text.name}, which costs {cost}; {name} had {there_are or 'none'}", cost)

    message = f"nobody knows which card {event.card} is, so nobody knows its cost"
    return Undecidable(message, card=event.card, later=None if table.uncheckable else later)


@DEPLOY_ANATOMY.rule("crystal.tech.within-limit", "L48.2 L88.1 L88.3")
def within_limit(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The tech requirements of all cards of the turn together stay within the limit."""
    card, player = table.find(event.card), table.players[event.player]
    if card is None or card.text is None or not table.limited or table.active != player.id:
        return NOT_APPLICABLE
    needs, spent = requirement_of(table, player, card), tech_spent(table, player)
    if not needs or spent + needs <= player.tech_limit:
        return None
    used = f", and cards before it have used {spent}, {by_ruling(table, 'tech_semantics')}" if spent else ""
    message = f"{card.text.name} needs tech {needs}, the tech limit of {player.name} is {player.tech_limit}{used}"
    left = player.tech_limit - spent
    return Broken(message, f"a card that needs tech {left} or less" if left > 0 else "a card that needs no tech")


def foreign_tokens(table: Crystal, player: CrystalPlayer, text: CrystalText) -> list[str]:
    """Return the tokens that a card lays and its player's faction does not have, if they may not (`foreign_tokens`)."""
    faction = table.library.get(player.faction)
    if faction is None or table.options["foreign_tokens"] == "with_the_deck":
        return []
    return [token for token in text.says.tokens if token not in faction.tokens]


@SET_UP.rule("crystal.token.by-card", "L10.2")
def own_tokens(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """Tokens come from what cards say, and only those of the own faction, as that is read."""
    text, player = printed(table, event), table.players[event.player]
    if text is None or not text.says.tokens or table.options["foreign_tokens"] == "with_the_deck":
        return NOT_APPLICABLE
    strange = foreign_tokens(table, player, text)
    if not strange:
        return None
    faction = table.library[player.faction]
    message = f"{text.name} lays a {strange[0]} token, which {faction.name} does not have"
    return Broken(f"{message}, {by_ruling(table, 'foreign_tokens')}", joined(faction.tokens, "or"))


def _rule_of_token(table: Crystal, event: ev.TokenPlaced, expected: ev.TokenPlaced | None) -> Rule | RuleVerdict:
    ruled = rule_of_ability(table, event, expected)
    return own_tokens if expected is None and not isinstance(ruled, RuleVerdict) else ruled


TOKEN_PLACED: Final = follows(ev.TokenPlaced, rule=_rule_of_token, why=why_no_ability, adopt=board.adopt_token)


# -- all of it ---------------------------------------------------------------------------------------------------------

CARD_TESTS: Final = (known_cards, from_hand, own_lane, three_lanes, affordable, within_limit, as_written, own_tokens)
ALL_KEPT: Final = all_passed(own_turn, draw_first, *CARD_TESTS[:-1])


def plays_well(table: Crystal, event: ev.CardDeployed) -> AllPassed | None:
    """Return what is kept where a card of the hand is paid, and neither asks for anything nor lays a token."""
    if draw_first.check(table, event) is not None or not table.limited:  # only who is deploying keeps that rule
        return None
    card, player = table.find(event.card), table.players[event.player]
    if card is None or (text := card.text) is None:
        return None
    if card.zone is not table.hand_of(player.id) or not may_lie(table, text, event.lane):
        return None
    is_aimed = event.opponent is not UNSET or event.target_lane is not UNSET or event.target is not UNSET
    is_strange = text.says.tokens and table.options["foreign_tokens"] != "with_the_deck"
    if is_aimed or is_strange or event.to_lane is not UNSET or text.says.asks or text.manual:
        return None
    return ALL_KEPT if can_be_paid(table, player, card, player.tech_limit) else None


# -- what is played ----------------------------------------------------------------------------------------------------


def _take(table: Crystal, event: ev.CardDeployed) -> CrystalCard:
    """Return the card that is played from the hand; one that no file knows is one of the cards there all the same.

    In the place of a card that lies in a lane already another copy of the hand is played: none lies there twice.
    """
    hand = table.hand_of(event.player)
    usual = table.cards.get(event.card)
    if usual is not None and usual.zone is hand:
        return usual
    is_new = table.find(event.card) is None and not is_unseen(event.card)
    card = table.take(event.card, hand)
    if is_new and card.text is None and hand.size > 0:
        table.count(hand, "unseen", -1)
    copies = hand.cards if card.lane else ()
    return next((each for each in copies if card_of(each.name) == card_of(card.name)), card)


def play_card(table: Crystal, event: ev.CardDeployed, card: CrystalCard, cost: int) -> None:
    """Lay a card into its lane, pay it and do what it says; whoever reads the hand after the payment has it no more."""
    player = table.players[event.player]
    lane = lane_meant(event.lane)
    board.enter(table, card, player.id, lane)
    table.set(card, "since", table.round)
    text = card.text
    if text is not None:
        _pay(table, player, card, cost)
    if lane == "tech":
        table.applied.append(SAME_TURN.id)
    if text is None or text.manual or lane not in LANE:
        table.update(table, uncheckable=table.uncheckable or card.name, unchecked_round=table.round)
    if text is None:
        return
    says = text.says
    if says.when_played:
        orderly = "crystal.ability.written-order"
        rule = orderly if len(says.when_played) > 1 else as_written.id
        effects.carry_out(table, effects.Doing(player, card, rule, event), says.when_played)
        table.applied.append(orderly)
    if says.waits:
        table.set(player, "acting", (*player.acting, card.name))


def _pay(table: Crystal, player: CrystalPlayer, card: CrystalCard, cost: int) -> None:
    """Pay for a card, by the rule that says most about what is paid for it."""
    if needs := requirement_of(table, player, card):
        table.count(player, "tech_used", needs)
    board.change_crystals(table, player, -cost)
    says = card.text.says
    if says.static:
        table.applied.append(affordable.id)
    rule = AFTER_PAYMENT.id if says.static else "crystal.cost.own-income" if says.yields else affordable.id
    table.derive(ev.CrystalsPaid(player=player.id, amount=cost, crystals=player.crystals), rule)


def _rule_of_payment(table: Crystal, event: ev.CrystalsPaid, expected: ev.CrystalsPaid | None) -> Rule:
    changed = mismatches.rule_behind(table, expected) == AFTER_PAYMENT.id
    is_other = changed and expected is not None and event.amount != expected.amount
    return AFTER_PAYMENT if is_other else affordable


def _why_not_paid(table: Crystal, event: ev.CrystalsPaid) -> str:
    player, refused = table.players[event.player], table.refused
    if refused is not None and refused.player == event.player:
        return f"{player.name} has {how_many(player.crystals, 'crystal')} for {named(table, refused.card)}"
    return f"no card of {player.name} is to be paid; {table.TURN.where(table)}"


@consequence(ev.CrystalsPaid, rule=_rule_of_payment, why=_why_not_paid)
def adopt_paid(table: Crystal, event: ev.CrystalsPaid, expected: ev.CrystalsPaid | None) -> None:
    """Take the payment over; a card that seemed too dear was evidently played."""
    refused = table.refused
    if expected is None and refused is not None and refused.player == event.player:
        table.set(table, "refused", None)
        with written_down(table, event):
            play_card(table, refused, table.card(refused.card), event.amount)
        table.set(table.players[event.player], "crystals", event.crystals)
    else:
        board.adopt_totals(-1)(table, event, expected)


# -- what is offered ---------------------------------------------------------------------------------------------------


def may_deploy(table: Crystal, player: str) -> Iterator[ev.CardDeployed]:
    """Yield every card that can be paid, everywhere, in every way."""
    mine = table.players[player]
    limit = mine.tech_limit if table.limited else mine.tech
    for card in table.hand_of(player).cards:
        known = card.text is not None and not foreign_tokens(table, mine, card.text)
        if known and can_be_paid(table, mine, card, limit):
            lanes = [lane for lane in LANES if may_lie(table, card.text, lane)]
            for lane, choice in product(lanes, choices(table, mine, card.text.says)):
                yield ev.CardDeployed(player=player, card=card.name, lane=lane, **choice)


DEPLOY_ENDED: Final = Move(
    line=ev.DeployEnded,
    needs=(own_end(own_turn), drawn_before_end),
    offers=lambda _table, player: (ev.DeployEnded(player=player),),
)


@move(ev.CardDeployed, usually(plays_well, own_turn, draw_first, *CARD_TESTS), offers=may_deploy)
def card_deployed(table: Crystal, event: ev.CardDeployed) -> None:
    """Pay a card, lay it into a lane and do what it says when it is played.

    A card that cannot be paid is not played; should the log say that it was paid all the same, it is played then.
    """
    if table.phase == SETUP:
        table.TURN.begin(table, event.player)
    player = table.players[event.player]
    if player.id == table.active and (table.owed or player.missed or not table.drawn):
        note_unwritten_draw(table, player, event.card)
    card = _take(table, event)
    if card.zone.role != "hand" and (card.zone.name[:4] == "base" or card.lane):
        return
    text = card.text
    cost = 0 if text is None else cost_of(table, player, card)
    if text is not None and cost > player.crystals:
        if not table.uncheckable and not text.manual:
            table.set(table, "refused", event)
            return
        cost = max(0, player.crystals)
    play_card(table, event, card, cost)
