"""What happens to lanes, supplies and cards on the table; no rule is looked at here."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.crystal import state
from tabletape.projector.games.crystal.abilities import LANES, TOKENS
from tabletape.projector.games.crystal.schema import FACTION, Three
from tabletape.projector.games.crystal.state import Crystal, CrystalCard, CrystalPlayer
from tabletape.projector.kit.adopting import go_on_with
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.due import number_of_cards

NO_LIMIT: Final = 10**6
FLOOR: Final = "crystal.lane.base-floor"
SUPPLIES: Final = (
    *(ev.CrystalsPaid, ev.CrystalsGained, ev.CrystalsLost, ev.MiningResolved),
    *(ev.HitpointsGained, ev.DamageTaken, ev.AttackResolved),
)
"""Lines that say how many crystals or hit points a player has then."""


# -- power of a lane ---------------------------------------------------------------------------------------------------


def added(numbers: Three, index: int, by: int) -> Three:
    """Return three numbers with one of them changed."""
    return (*numbers[:index], numbers[index] + by, *numbers[index + 1 :])


def lasting(table: Crystal, player: CrystalPlayer, index: int) -> int:
    """Return the power of a lane without what was raised until the end of the round (catalogue, part 1.5)."""
    shift = player.shifts[index]
    power = player.base[index] + player.sums[index] + shift
    if shift >= 0:
        return power
    floor = table.options["base_floor"]
    if floor == "floor_at_base":
        return max(player.base[index], power)
    return max(0, power) if floor == "floor_at_zero" else power


def is_at_floor(table: Crystal, player: CrystalPlayer, index: int) -> bool:
    """Return whether tokens would push a lane below what it may fall to."""
    shift = player.shifts[index]
    return shift < 0 and lasting(table, player, index) > player.base[index] + player.sums[index] + shift


def floor_ruling(table: Crystal, player: str, index: int) -> tuple[str, ...]:
    """Return the ruling that a lane's power rests on, where tokens would push it lower."""
    return ("base_floor",) if is_at_floor(table, table.players[player], index) else ()


def update_totals(table: Crystal, player: CrystalPlayer, index: int) -> None:
    """Set the power of a player's lane to what it is now."""
    table.set(player, LANES[index], lasting(table, player, index) + player.raised[index])


def raise_power(table: Crystal, player: CrystalPlayer, lane: str, by: int) -> None:
    """Raise a lane's power until the end of the round."""
    index = state.LANE[lane]
    table.set(player, "raised", added(player.raised, index, by))
    table.count(player, lane, by)


def lay_token(table: Crystal, player: CrystalPlayer, lane: str, token: str, number: int) -> int:
    """Lay tokens on a lane or take them off; return how many of these lie there now."""
    name = f"{token} on {lane}"
    changed = max(number, -player.tokens.count(name))
    tokens = [*player.tokens, *[name] * changed]
    for _ in range(-changed):
        tokens.remove(name)
    table.update(player, tokens=tuple(tokens), shifts=added(player.shifts, state.LANE[lane], TOKENS[token] * changed))
    update_totals(table, player, state.LANE[lane])
    return tokens.count(name)


def adopt_token(table: Crystal, event: ev.TokenPlaced, expected: ev.TokenPlaced | None) -> None:
    """Lay as many tokens of the kind as are written."""
    if event.lane in state.LANE and event.token in TOKENS:
        player = table.players[event.player]
        if expected is not None and expected.token != event.token:
            lay_token(table, player, expected.lane, expected.token, -1)
        lying = player.tokens.count(f"{event.token} on {event.lane}")
        lay_token(table, player, event.lane, event.token, event.count - lying)


# -- cards -------------------------------------------------------------------------------------------------------------


def count_card(table: Crystal, card: CrystalCard, lane: str, sign: int = 1) -> None:
    """Count a card in a lane, or no longer (ruling `lane_value`)."""
    player, text = table.players.get(card.zone.owner), card.text
    if player is not None and text is not None:
        for each in LANES if table.options["lane_value"] == "all_values" else (lane,):
            if value := getattr(text, each):
                table.set(player, "sums", added(player.sums, state.LANE[each], sign * value))
                update_totals(table, player, state.LANE[each])


def withdraw(table: Crystal, card: CrystalCard) -> None:
    """Stop counting a card that leaves its lane."""
    if card.lane:
        count_card(table, card, card.lane, -1)


def enter(table: Crystal, card: CrystalCard, player: str, lane: str) -> None:
    """Lay a card into a player's lane, face up."""
    withdraw(table, card)
    table.move(card, table.lanes[lane][player] if lane in state.LANE else zone_of(table, lane, player))
    table.set(card, "face_up", True)
    if lane in state.LANE:
        count_card(table, card, lane)


def put_away(table: Crystal, card: CrystalCard) -> None:
    """Put a destroyed card onto its owner's discard pile (ruling `leaving_play`)."""
    withdraw(table, card)
    pile = "discard" if table.options["leaving_play"] == "own_discard" else "out"
    table.move(card, zone_of(table, pile, card.owner))


def starting_next_round(table: Crystal, player: CrystalPlayer) -> tuple[str, ...]:
    """Return the cards that a player deployed in this round and that have something to do when the next one starts."""
    return tuple([name for name in player.acting if table.cards[name].text.says.start_of_next_round])


# -- players -----------------------------------------------------------------------------------------------------------


def forget_round(table: Crystal, player: CrystalPlayer) -> None:
    """End what holds in this round only; what cards have for the start of the next one is to come."""
    if player.raised != state.NOTHING or player.prevented:
        for lane, index in state.LANE.items():
            table.count(player, lane, -player.raised[index])
        table.update(player, raised=state.NOTHING, prevented=0)
        table.applied.append("crystal.ability.this-turn-ends")
    table.set(player, "dealt_now", False)
    table.set(player, "shield", 0)
    if player.acting:
        table.update(player, coming=starting_next_round(table, player), acting=())


def leave_game(table: Crystal, player: CrystalPlayer) -> None:
    """Take away what an eliminated player has: lanes and tokens, the hand, effects to come.

    Rulings: `elimination` and `effects_of_the_fallen`.
    """
    stay = table.options["effects_of_the_fallen"] == "still_happen"
    table.update(player, coming=(*player.coming, *starting_next_round(table, player)) if stay else (), acting=())
    hand, out = table.hand_of(player.id), zone_of(table, "out", player.id)
    stays = table.options["elimination"] == "cards_stay"
    for card in [*hand.cards, *([] if stays else table.deployed(player.id))]:
        withdraw(table, card)
        table.move(card, out)
    table.count(out, "unseen", hand.unseen)
    table.count(hand, "unseen", -hand.unseen)
    if not stays:
        table.update(player, tokens=(), shifts=state.NOTHING, raised=state.NOTHING, base=state.NOTHING)
        for index in range(3):
            update_totals(table, player, index)


def change_crystals(table: Crystal, player: CrystalPlayer, by: int) -> int:
    """Add crystals or take them, never below 0; return by how many the supply really changed."""
    really = by if player.crystals + by >= 0 else -player.crystals
    table.count(player, "crystals", really)
    return really


def prevent(table: Crystal, player: CrystalPlayer, number: int) -> None:
    """Prevent damage in this round (rulings `mining_prevention` and `prevention_reach`)."""
    table.count(player, "prevented", number)
    in_mining = table.phase == state.MINING and table.options["mining_prevention"] == "ability_damage"
    if in_mining or table.options["prevention_reach"] == "any_damage":
        table.count(player, "shield", number)


def heal(table: Crystal, player: CrystalPlayer, number: int) -> int:
    """Add hit points, as far as they may rise (ruling `hitpoint_cap`); return how many they really were."""
    faction = table.library.get(player.faction)
    if faction is not None and table.options["hitpoint_cap"] == "start_value":
        number = max(0, min(number, faction.hitpoints - player.hitpoints))
    table.count(player, "hitpoints", number)
    return number


def shift(table: Crystal, player: str, field: str, by: int) -> None:
    """Change a total of a player now, and in the lines that are still to come."""
    table.count(table.players[player], field, by)
    go_on_with(table, SUPPLIES, ("player", player), field, by)


def adopt_totals(sign: int = 0) -> Callable[[Crystal, Any, Any], None]:
    """Return what takes written totals over; a line that nothing was derived for changes them by its amount.

    Later lines that are still to come for that player have the same difference, so that one slip is one finding.
    """

    def adopt(table: Crystal, event: Any, expected: Any) -> None:
        for field in ("hitpoints", "crystals"):
            if field in event.__struct_fields__:
                by = getattr(event, field) - getattr(expected, field) if expected else sign and sign * event.amount
                shift(table, event.player, field, by)

    return adopt


# -- cards that are drawn ----------------------------------------------------------------------------------------------


def draw(table: Crystal, player: str, drawn: Iterable[str], unseen: int, deck: str) -> None:
    """Move drawn cards from a deck to the hand, each once; everybody knows what comes from the open basic deck."""
    names = tuple(dict.fromkeys(drawn))
    hand = table.hand_of(player)
    home = table.deck_of(deck if deck in state.DECKS else FACTION, player)
    if unseen and deck == state.BASIC and table.options["basic_draw"] == "top":
        top = [card.name for card in home.cards if card.name not in names][:unseen]
        names, unseen = (*names, *top), unseen - len(top)
    for name in names:
        card = table.find(name)
        if card is not None:
            if card.zone is not home:
                withdraw(table, card)
            if card.zone.name.startswith(state.BASIC):
                table.set(card, "known_to", table.everyone)
    table.draw(names, unseen, home, hand)


def named_and_unseen(event: ev.CardsDrawn | ev.StartingHandDrawn) -> tuple[list[str], int]:
    """Return the cards that a draw names, and the number of those that nobody has seen."""
    names = [name for name in event.cards or () if not is_unseen(name)]
    return names, number_of_cards(event) - len(names)


def room_in_hand(table: Crystal, player: str) -> int:
    """Return how many cards a player may still draw (ruling `hand_limit`)."""
    return NO_LIMIT if table.options["hand_limit"] == "none" else max(0, state.HAND - table.hand_of(player).size)


def can_draw(table: Crystal, player: str, deck: str = "any") -> bool:
    """Return whether a deck has a card; `any` is either of the two."""
    if deck in state.DECKS:
        return table.deck_of(deck, player).size > 0
    return table.deck_of(FACTION, player).size > 0 or table.deck_of(state.BASIC, player).size > 0


def drop_impossible_draws(table: Crystal, player: str) -> None:
    """Owe no draw from a deck that is empty, and none for which the hand has no room."""
    if table.owed:
        owed = tuple(each for each in table.owed if can_draw(table, player, each.deck))
        table.set(table, "owed", owed[: room_in_hand(table, player)])
