"""The rules of a card that is played: where it comes from and goes to, what it costs, and what it asks for."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from events.games import crystal as ev
from events.names import card_of, is_unseen, owner_of
from projector.games.crystal import drawing, effects
from projector.games.crystal.abilities import LANES, Effect
from projector.games.crystal.naming import owned
from projector.games.crystal.paying import can_be_paid, cost_of, foreign_tokens, may_lie, requirement_of, tech_spent
from projector.games.crystal.rules.setup import known_list
from projector.games.crystal.schema import CrystalText
from projector.games.crystal.state import LANE, Crystal, deployed, lane_of, living_opponents
from projector.kit.common_rules import is_unknown, unknown_among
from projector.kit.seating import zone_of
from projector.model.amounts import how_many, joined
from projector.model.phrases import by_ruling, name_of, named
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict, all_passed, case, rule

NOT_CHOSEN: Final = (UNSET, UNSET, UNSET, UNSET)
"""What a line names beside card and lane where a card asks for nothing."""


def _printed(table: Crystal, event: ev.CardDeployed) -> CrystalText | None:
    card = table.find(event.card)
    return None if card is None else card.text


@case(known_list)
def known_played(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The card that is played is in the card file."""
    return unknown_among(table, (event.card,))


# -- where it comes from and goes to -----------------------------------------------------------------------------------


@rule("crystal.play.from-hand", "Deploy Phase", "L48", "Cards are played from the hand.")
def from_hand(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there, or only the line of its draw is missing."""
    card, player, hand = table.find(event.card), table.players[event.player], zone_of(table, "hand", event.player)
    if table.may_be_in(event.card, hand):
        return None
    if is_unknown(table, event.card) or (player.id == table.active and drawing.is_due_from(table, card)):
        return NOT_APPLICABLE
    if drawing.may_have_been_drawn(table, player, card):
        return NOT_APPLICABLE
    message = f"{owned(table, event.card)} is not in the hand of {name_of(table, event.player)}"
    copy = next((card.name for card in hand.cards if card_of(card.name) == card_of(event.card)), "")
    if copy:
        is_own = owner_of(event.card) == event.player
        other = "another copy of it" if is_own else f"one of {player.name}'s own"
        return Broken(f"{event.card}: {message}, but {other}, {copy}, is", copy)
    lane = lane_of(card) if card is not None else ""
    return f"{message}; it lies in the {lane} lane already" if lane else message


@rule("crystal.play.own-lane", "Winning the game", "L6", "A card goes into one of the own lanes.")
def own_lane(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The lane is one of the three, and the card has a value for it (ruling `lane_choice`)."""
    text, lane = _printed(table, event), event.lane
    if lane in LANE:
        if text is None or may_lie(table, text, lane):
            return None
        return f"{text.name} goes into the lane {lane}, for which it has no value, {by_ruling(table, 'lane_choice')}"
    hint = "the Research lane is the Tech lane" if lane == "research" else f"there is no lane {lane}"
    return Broken(f"{named(table, event.card)} goes into {lane}: {hint}", ", ".join(LANES))


@rule(
    "crystal.lane.three",
    "Winning the game",
    "L6 L12",
    "Cards are deployed into three own lanes: mining for crystals, attack for damage and defence, tech for stronger "
    "and more cards.",
)
def three_lanes(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """Every lane that the line names beside the card's own is one of the three, too."""
    if is_unknown(table, event.card):
        return NOT_APPLICABLE
    others = [lane for lane in (event.target_lane, event.to_lane) if lane is not UNSET]
    for lane in others:
        if lane not in LANE:
            return Broken(f"the line names a lane called {lane}; there is none", ", ".join(LANES))
    return None if others or event.lane in LANE else NOT_APPLICABLE


# -- what it costs -----------------------------------------------------------------------------------------------------


@rule(
    "crystal.cost.affordable",
    "Deploy Phase, anatomy",
    "L48 L86",
    "The cost is there and is taken off as the card is played.",
)
def affordable(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """There are enough crystals for the card, without what it yields itself."""
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
    player, there_are = table.players[event.player], table.players[event.player].crystals
    name = player.name

    def later(text: CrystalText | None) -> Broken | None:
        if text is None or text.says.static or text.manual or (text.cost or 0) <= there_are:
            return None
        message = f"{event.card} is {text.name}, which costs {how_many(text.cost or 0, 'crystal')}"
        return Broken(f"{message}; {name} had {there_are or 'none'}", how_many(text.cost or 0, "crystal"))

    message = f"nobody knows which card {event.card} is, so nobody knows its cost"
    return Undecidable(message, card=event.card, later=None if table.uncheckable else later)


@rule(
    "crystal.tech.within-limit",
    "Deploy Phase, anatomy",
    "L48 L88",
    "The tech requirements of all cards of the turn together stay within the limit.",
)
def within_limit(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """What the card needs and what was used together stay within the limit (ruling `tech_semantics`)."""
    card, player = table.find(event.card), table.players[event.player]
    if card is None or card.text is None or not table.limited or table.active != player.id:
        return NOT_APPLICABLE
    needs, spent = requirement_of(table, player, card), tech_spent(table, player)
    if not needs or spent + needs <= player.tech_limit:
        return None
    used = f", of which {spent} is used, {by_ruling(table, 'tech_semantics')}" if spent else ""
    message = f"{card.text.name} needs tech {needs}, the tech limit of {player.name} is {player.tech_limit}{used}"
    return Broken(message, f"a limit of {spent + needs}")


@rule(
    "crystal.token.by-card",
    "Setup",
    "L10",
    "Tokens come from what cards say, and by the ruling foreign_tokens only those of the own faction.",
)
def own_tokens(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """The tokens that a card lays are those of its player's faction (ruling `foreign_tokens`)."""
    text, player = _printed(table, event), table.players[event.player]
    if text is None or not text.says.tokens or table.options["foreign_tokens"] == "with_the_deck":
        return NOT_APPLICABLE
    strange = foreign_tokens(table, player, text)
    if not strange:
        return None
    faction = table.library[player.faction]
    message = f"{text.name} lays a {strange[0]} token, which {faction.name} does not have"
    return Broken(f"{message}, {by_ruling(table, 'foreign_tokens')}", joined(faction.tokens, "or"))


# -- what it asks for --------------------------------------------------------------------------------------------------


@rule("crystal.ability.as-written", "Anatomy", "L90", "Abilities do what the card says; targets fit.")
def as_written(table: Crystal, event: ev.CardDeployed) -> Verdict:
    """What is chosen fits what the text asks for; of what only people can tell nobody can check it."""
    text = _printed(table, event)
    if text is None:
        return NOT_APPLICABLE
    return uncheckable(text) if text.manual else next(_complaints(table, event, text), None)


def uncheckable(text: CrystalText) -> Undecidable:
    """Return the verdict on whatever may come from a card that only people can carry out, reported once."""
    message = f'{text.name} is a card that nobody can check ("{text.manual}"); what follows may come from it'
    return Undecidable(message, once=True)


def _complaints(table: Crystal, event: ev.CardDeployed, text: CrystalText) -> Iterator[Verdict]:
    """Yield what is chosen wrongly: everything that the text asks for has to be, to fit, and nothing else.

    For an effect whose condition does not hold nothing has to be chosen, and nothing comes of what is.
    """
    says, title = text.says, text.name
    happens = effects.happening(table, table.players[event.player], says.when_played)
    if not says.asks_opponent:
        if event.opponent is not UNSET:
            yield f"{title} is played against {name_of(table, event.opponent)}, but its text names no opponent"
    elif any(effect.who == "opponent" for effect in happens):
        yield from _about_opponent(table, event, title)
    if event.target_lane is UNSET:
        if says.asks_lane in happens:
            yield Broken(f"{title} does not say which lane of the opponent it means", joined(LANES, "or"))
    elif says.asks_lane is None:
        yield f"{title} names the lane {event.target_lane}, but asks for none"
    asks = says.asks_target
    if (asks is None or asks.verb != "move") and event.to_lane is not UNSET:
        yield f"{title} moves a card to {event.to_lane}, but says nothing of moving"
    if asks in happens:
        yield from _about_target(table, event, asks, title)
    elif event.target is not UNSET:
        yield _for_nothing(table, event, owned(table, event.target), text)


def _for_nothing(table: Crystal, event: ev.CardDeployed, target: str, text: CrystalText) -> Verdict:
    """A card is chosen for a text that does nothing to one, or not now."""
    aimed = f"{text.name} is aimed at {target}, but does nothing to a card"
    asks = text.says.asks_target
    if asks is None:
        return aimed
    return Broken(f"{aimed} now: {name_of(table, event.player)} has no {asks.condition} token on a lane", "", "info")


def _about_opponent(table: Crystal, event: ev.CardDeployed, title: str) -> Iterator[Verdict]:
    opponents = living_opponents(table, event.player)
    if event.opponent is not UNSET and event.opponent not in [other.id for other in opponents]:
        yield f"{title} is played against {name_of(table, event.opponent)}, who is no living opponent"
    elif effects.chosen_opponent(table, event.player, event) is None and opponents:
        there_are = joined((other.name for other in opponents), "or")
        yield Broken(f"{title} does not say which opponent it is played against", there_are)


def _about_target(table: Crystal, event: ev.CardDeployed, asks: Effect, title: str) -> Iterator[Verdict]:
    fitting = possible_targets(table, event.player, asks, event.opponent or "")
    if event.target is UNSET:
        if fitting and not asks.may:
            fits = joined((owned(table, name) for name in fitting), "or")
            yield Broken(f"{title} has to {asks.verb} a card, but the line does not say which", fits)
        if event.to_lane is not UNSET:
            yield f"{title} moves a card to {event.to_lane}, but the line does not say which"
        return
    target = table.find(event.target)
    moves_itself = event.target == event.card and (asks.verb, asks.word) == ("move", "any")
    if not moves_itself and (target is None or target.name not in fitting):
        yield Broken(f"{owned(table, event.target)} is no card that {title} may {asks.verb}", _what_fits(asks))
    elif asks.verb == "move":
        lane = event.lane if moves_itself or target is None else lane_of(target)
        if event.to_lane in {UNSET, lane}:
            yield Broken(f"{title} leaves {owned(table, event.target)} in its lane", "another own lane")


def _what_fits(asks: Effect) -> str:
    if asks.verb == "destroy":
        return f"a card of {asks.lane} {asks.n} or less in the {asks.lane} lane of the opponent"
    return "an own card deployed in an earlier round" if asks.word == "earlier" else "an own deployed card"


def possible_targets(table: Crystal, player: str, asks: Effect, opponent: str = "") -> list[str]:
    """Return the deployed cards that an effect may destroy or move; of one opponent, or of all of them."""
    if asks.verb == "move":
        is_open = asks.word != "earlier"
        return [card.name for card in deployed(table, player) if is_open or card.since < table.round]
    others = [other.id for other in living_opponents(table, player) if not opponent or other.id == opponent]
    cards = (card for other in others for card in deployed(table, other, asks.lane))
    return [card.name for card in cards if effects.fits(table, asks, card)]


# -- all of it ---------------------------------------------------------------------------------------------------------

OF_A_CARD: Final = (known_played, from_hand, own_lane, three_lanes, affordable, within_limit, as_written, own_tokens)
ALL_KEPT: Final = all_passed(*OF_A_CARD[:-1])


def plays_well(table: Crystal, event: ev.CardDeployed) -> AllPassed | None:
    """Return what is kept where a card of the hand is paid, and neither asks for anything nor lays a token."""
    card, player = table.find(event.card), table.players[event.player]
    text = None if card is None else card.text
    if card is None or text is None or not table.limited or table.active != player.id:
        return None
    if card.zone is not zone_of(table, "hand", player.id) or not may_lie(table, text, event.lane):
        return None
    asks = text.says.asks or (event.opponent, event.target_lane, event.target, event.to_lane) != NOT_CHOSEN
    if asks or text.manual or (text.says.tokens and table.options["foreign_tokens"] != "with_the_deck"):
        return None
    return ALL_KEPT if can_be_paid(table, player, card, player.tech_limit) else None
