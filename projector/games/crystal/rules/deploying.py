"""The rules of the deploy phase: whose part it is, drawing, playing cards, paying them, and what they ask for."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET

from events.games import crystal as ev
from events.names import is_unseen
from projector.games.crystal import effects
from projector.games.crystal.abilities import LANES, Effect
from projector.games.crystal.effects import can_draw
from projector.games.crystal.play import cost_of, requirement_of
from projector.games.crystal.state import (
    DECKS,
    DEPLOY,
    LANE,
    OVER,
    Crystal,
    CrystalCard,
    called,
    deck_of,
    deployed,
    lane_of,
    living_opponents,
    name_of,
    zone_of,
)
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Case, Rule, Verdict, case, rule

NOT_CHOSEN: Final = (UNSET, UNSET, UNSET, UNSET)
"""What a line names beside card and lane where a card asks for nothing."""

# -- whose part it is --------------------------------------------------------------------------------------------------


@rule(
    "crystal.deploy.own-turn",
    "Deploy Phase",
    "L42",
    "The players deploy one after another, the holder of the token first, then to the left.",
)
def own_turn(table: Crystal, event: Any) -> Verdict:
    """It is this player's part of the deploy phase."""
    if table.active == event.player:
        return None
    turn = f"{name_of(table, table.active)} is deploying" if table.active else "nobody is deploying"
    return Broken(f"{name_of(table, event.player)} acts although {turn}", name_of(table, table.active))


@rule("crystal.end.nothing-after-end", "Winning the game", "L4", "After the end nothing more is played (implied).")
def nothing_after_end(table: Crystal, event: Any) -> Verdict:
    """Only remarks come after the end."""
    if table.phase != OVER:
        return NOT_AT_STAKE
    how = f"{name_of(table, table.winner)} has won" if table.winner else "nobody has won"
    return f"the game is over ({how}: {table.reason}), but the log goes on"


@rule(
    "crystal.elimination.leaves",
    "Attack Phase",
    "L58",
    "What becomes of an eliminated player among several is not covered: the seat is skipped.",
)
def eliminated_leaves(table: Crystal, event: Any) -> Verdict:
    """Nobody who is out does anything."""
    return f"{name_of(table, event.player)} is out of the game"


@rule(
    "crystal.play.resolve-first",
    "Deploy Phase",
    "L48",
    "The abilities of a card are worked off before the next card.",
)
def resolve_first(table: Crystal, event: Any) -> Verdict:
    """What a card owes is drawn before anything else is played."""
    source = called(table, table.owed[0].source)
    return Broken(f"the card that {source} draws has not been drawn yet", "cards.drawn", "missing")


# -- drawing -----------------------------------------------------------------------------------------------------------


@rule("crystal.draw.either-deck", "Deploy Phase", "L44", "It comes from the basic deck or the faction deck.")
def either_deck(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """The deck is one of the two."""
    if event.from_ in DECKS:
        return None
    return Broken(f"there is no deck called {event.from_}", "faction or basic")


@rule(
    "crystal.draw.one-per-turn",
    "Deploy Phase",
    "L44",
    "One card is drawn in each part of the deploy phase.",
)
def one_per_turn(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """One card, once, and no second one unless a card says so."""
    if table.drawn:
        return Broken(f"{name_of(table, event.player)} draws another card in this part of the deploy phase", "no draw")
    number = number_drawn(event)
    return None if number == 1 else Broken(f"{name_of(table, event.player)} draws {number} cards", "1")


@case(one_per_turn)
def drawn_before_end(table: Crystal, event: ev.DeployEnded) -> Verdict:
    """Nobody is done before the card of the turn is drawn (ruling `draw_mandatory`)."""
    if table.active != event.player or table.options["draw_mandatory"] == "optional":
        return NOT_AT_STAKE
    if table.drawn:
        return None
    message = f"{name_of(table, event.player)} is done without having drawn a card"
    return Broken(message, "cards.drawn", "missing")


@rule("crystal.deploy.draw-first", "Deploy Phase", "L42-L48", "In this order: draw, set the tech limit, play cards.")
def draw_first(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """No card is played before the card of the turn is drawn."""
    if table.active != event.player or table.options["draw_mandatory"] == "optional":
        return NOT_AT_STAKE
    if table.drawn:
        return None
    message = f"{name_of(table, event.player)} plays {called(table, event.card)} before drawing the card of the turn"
    return Broken(message, "cards.drawn", "missing")


@case(draw_first)
def not_after_playing(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """Who may leave the draw out (ruling `draw_mandatory`) draws before the first card is played or not at all."""
    return f"{name_of(table, event.player)} draws the card of the turn after playing cards"


def which_draw(table: Crystal, event: ev.CardsDrawn) -> Rule | Case:
    """Say which rule decides whether this player may draw now."""
    if table.active != event.player or table.phase != DEPLOY:
        return own_turn
    if table.owed:
        return as_written_draw
    if not table.drawn and table.options["draw_mandatory"] == "optional":
        for card in deployed(table, event.player):
            if card.since == table.round:
                return not_after_playing
    return one_per_turn


def number_drawn(event: ev.CardsDrawn) -> int:
    """Give how many cards a line draws."""
    return len(event.cards) if event.cards is not UNSET else int(event.count or 0)


@rule("crystal.draw.deck-not-empty", "Outside the rulebook", "", "An empty deck gives no card.")
def deck_not_empty(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """The deck has as many cards as are drawn from it."""
    size = deck_of(table, event.from_, event.player).size
    if size > 0 and size >= number_drawn(event):
        return None
    whose = name_of(table, event.player)
    return Broken(f"{whose} draws {number_drawn(event)} of the {event.from_} deck, which has {size}", f"{size} at most")


# -- playing cards -----------------------------------------------------------------------------------------------------


@rule("crystal.play.from-hand", "Deploy Phase", "L48", "Cards are played from the hand.")
def from_hand(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there."""
    card = table.cards.get(event.card)
    hand = zone_of(table, "hand", event.player)
    if (card is not None and card.zone is hand) or table.may_be_in(event.card, hand):
        return None
    return f"{called(table, event.card)} is not in the hand of {name_of(table, event.player)}"


@rule("crystal.play.own-lane", "Winning the game", "L6", "A card goes into one of the own lanes.")
def own_lane(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The lane is one of the three (and of value, with the ruling `lane_choice`)."""
    if event.lane not in LANE:
        hint = "the Research lane is the Tech lane" if event.lane == "research" else f"there is no lane {event.lane}"
        return Broken(f"{called(table, event.card)} goes into {event.lane}: {hint}", ", ".join(LANES))
    if table.options["lane_choice"] == "any_lane":
        return None
    card = table.find(event.card)
    if card is None or card.text is None or card.text.values[LANE[event.lane]]:
        return None
    return f"{card.text.name} goes into the lane {event.lane}, for which it has no value"


@rule(
    "crystal.lane.three",
    "Winning the game",
    "L6 L12",
    "Cards are deployed into three own lanes: mining for crystals, attack for damage and defence, tech for stronger "
    "and more cards.",
)
def three_lanes(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """Every other lane that the line names is one of the three, too."""
    if event.target_lane is UNSET and event.to_lane is UNSET:
        return None if event.lane in LANE else NOT_AT_STAKE
    for lane in (event.target_lane, event.to_lane):
        if lane is not UNSET and lane not in LANE:
            return Broken(f"there is no lane called {lane}", ", ".join(LANES))
    return None


@rule(
    "crystal.cost.affordable",
    "Deploy Phase, anatomy",
    "L48 L86",
    "The cost is there and is taken off as the card is played.",
)
def affordable(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """There are enough crystals for the card, without what it yields itself."""
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        unknown = f"nobody knows which card {event.card} is, so nobody knows its cost"
        return CannotTell(unknown) if is_unseen(event.card) else NOT_AT_STAKE
    player = table.players[event.player]
    cost = cost_of(table, player, card)
    if cost <= player.crystals:
        return None
    message = f"{card.text.name} costs {cost}, {player.name} has {player.crystals} crystals"
    counted = player.crystals + card.text.says.yields >= cost
    return Broken(message, f"{cost} crystals", because="crystal.cost.own-income" if counted else "")


@rule(
    "crystal.tech.within-limit",
    "Deploy Phase, anatomy",
    "L48 L88",
    "The tech requirements of all cards of the turn together stay within the limit.",
)
def within_limit(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """What was used and what the card needs stays within the limit (ruling `tech_semantics`)."""
    card = table.cards.get(event.card)
    if card is None or card.text is None or not table.limited or table.active != event.player:
        return NOT_AT_STAKE
    player = table.players[event.player]
    needs = requirement_of(table, player, card)
    used = player.tech_used if table.options["tech_semantics"] == "budget" else 0
    if not needs or used + needs <= player.tech_limit:
        return None
    spent = f" and {used} of it is used" if used else ""
    message = f"{card.text.name} needs tech {needs}, the limit of {player.name} is {player.tech_limit}{spent}"
    return Broken(message, f"a limit of {used + needs}")


# -- what a card asks for ----------------------------------------------------------------------------------------------


@rule("crystal.ability.as-written", "Anatomy", "L90", "Abilities do what the card says; targets fit.")
def as_written(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """Everything that the text asks for is chosen, fits, and nothing else is."""
    card = table.cards.get(event.card)
    if card is None or card.text is None:
        return NOT_AT_STAKE
    if not card.text.says.asks and (event.opponent, event.target_lane, event.target, event.to_lane) == NOT_CHOSEN:
        return None
    for complaint in _complaints(table, event, card):
        return complaint
    return None


def _complaints(table: Crystal, event: ev.CardDeployed, card: CrystalCard) -> Iterator[Verdict]:
    says, title = card.text.says, card.text.name
    if not says.asks_opponent:
        if event.opponent is not UNSET:
            yield f"{title} is played against {name_of(table, event.opponent)}, but its text names no opponent"
    else:
        yield from _about_opponent(table, event, title)
    if (event.target_lane is not UNSET) != (says.asks_lane is not None):
        yield f"{title} asks for a lane of an opponent" if says.asks_lane else f"{title} asks for no lane"
    asks = says.asks_target
    if (asks is None or asks.verb != "move") and event.to_lane is not UNSET:
        yield f"{title} moves no card"
    if asks is not None:
        yield from _about_target(table, event, asks, title)
    elif event.target is not UNSET:
        yield f"{title} does nothing to a card such as {called(table, event.target)}"


def _about_opponent(table: Crystal, event: ev.CardDeployed, title: str) -> Iterator[Verdict]:
    opponents = living_opponents(table, event.player)
    if event.opponent is not UNSET and event.opponent not in [other.id for other in opponents]:
        yield f"{title} is played against {name_of(table, event.opponent)}, who is no living opponent"
    elif effects.chosen_opponent(table, event.player, event) is None and opponents:
        there_are = " or ".join(other.name for other in opponents)
        yield Broken(f"{title} does not say which opponent it is played against", there_are)


def _about_target(table: Crystal, event: ev.CardDeployed, asks: Effect, title: str) -> Iterator[Verdict]:
    target = table.find(event.target) if event.target is not UNSET else None
    if event.target is UNSET:
        if asks.verb == "destroy" and possible_targets(table, event.player, asks, event.opponent or ""):
            yield Broken(f"{title} does not say which card it destroys", "a card of that lane")
        if event.to_lane is not UNSET:
            yield f"{title} does not say which card it moves"
    elif target is None or target.name not in possible_targets(table, event.player, asks, event.opponent or ""):
        yield Broken(f"{called(table, event.target)} is no card that {title} may {asks.verb}", _what_fits(asks))
    elif asks.verb == "move" and (event.to_lane is UNSET or event.to_lane == lane_of(target)):
        yield Broken(f"{title} does not move {called(table, event.target)} into another lane", "another own lane")


def _what_fits(asks: Effect) -> str:
    if asks.verb == "destroy":
        return f"a card of {asks.lane} {asks.n} or less in the {asks.lane} lane of the opponent"
    return "an own card deployed in an earlier round" if asks.word == "earlier" else "an own deployed card"


def possible_targets(table: Crystal, player: str, asks: Effect, opponent: str = "") -> list[str]:
    """Give the deployed cards that an effect may destroy or move; of one opponent, or of all of them."""
    if asks.verb == "move":
        return [card.name for card in deployed(table, player) if effects.may_move(table, asks, card)]
    others = [other.id for other in living_opponents(table, player) if not opponent or other.id == opponent]
    cards = (card for other in others for card in deployed(table, other, asks.lane))
    return [card.name for card in cards if effects.suits(table, asks, card)]


@case(as_written)
def as_written_draw(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """A draw that a card owes comes from the deck that it names, and is no larger."""
    owed = table.owed[0]
    source = called(table, owed.source)
    if owed.deck in DECKS and event.from_ != owed.deck and can_draw(table, event.player, owed.deck):
        return Broken(f"{source} draws from the {owed.deck} deck, not from the {event.from_} deck", owed.deck)
    number = number_drawn(event)
    if 0 < number <= len(table.owed):
        return None
    return Broken(f"{name_of(table, event.player)} draws {number} cards for {source}", str(len(table.owed)))
