"""What each line does at the table, as far as it is physically possible."""

from collections.abc import Callable, Mapping
from typing import Any

from events.games import crystal as ev
from events.names import card_of, is_unseen, owner_of
from events.vocabulary import Event
from projector.games.crystal import board, deploy_phase, drawing, effects, ending, opening, rounds
from projector.games.crystal.effects import Doing
from projector.games.crystal.paying import cost_of, requirement_of
from projector.games.crystal.state import (
    BASIC,
    DECKS,
    DEPLOY,
    SETUP,
    Crystal,
    CrystalCard,
    CrystalPlayer,
    deck_of,
    lane_of,
)
from projector.kit.ending import early_ends
from projector.kit.seating import zone_of
from projector.model.showing import show

# -- the deploy phase --------------------------------------------------------------------------------------------------


def catch_up(table: Crystal, player: str) -> None:
    """Begin round 1 where the table has evidently begun it: lines of the set-up may be missing."""
    if table.phase == SETUP:
        rounds.begin_first_round(table, table.flips[-1] if table.flips else player)


def cards_drawn(table: Crystal, event: ev.CardsDrawn) -> None:
    """Move drawn cards to the hand: the card of the turn, or what a card says.

    Nothing is drawn from a deck that does not have it. A card that is in the hand already is another one, which the log
    calls by a wrong name.
    """
    catch_up(table, event.player)
    number = _draw_named(table, event) or _draw(table, event)
    if not number:
        return
    if event.player == table.active:
        _note_draw(table, event.player, number)
    elif table.waiting[:1] == (event.player,) and table.drawn and not table.owed:
        table.set(table, "early", event.player)


def _draw_named(table: Crystal, event: ev.CardsDrawn) -> int:
    """Draw one card that the log names and that lies where it says; return how many were drawn. Nearly all are so."""
    card = table.cards.get(event.cards[0]) if event.cards and len(event.cards) == 1 else None
    if card is None or card.zone is not deck_of(table, event.from_, event.player) or table.players[event.player].missed:
        return 0
    if event.from_ == BASIC:
        table.set(card, "known_to", table.everyone)
    table.move(card, zone_of(table, "hand", event.player))
    return 1


def _draw(table: Crystal, event: ev.CardsDrawn) -> int:
    """Draw cards that the log names, and some that nobody has seen; return how many were drawn."""
    names, unseen = drawing.named_and_unseen(event)
    hand, player = zone_of(table, "hand", event.player), table.players[event.player]
    fresh = tuple(name for name in names if (card := table.find(name)) is None or card.zone is not hand)
    if not _can_be_drawn(table, event, fresh):
        return 0
    if event.from_ == BASIC and fresh and (forgotten := drawing.forgotten_on_top(table, player, fresh[0])):
        drawing.draw(table, player.id, [card.name for card in forgotten], 0, BASIC)
        table.count(player, "missed", -len(forgotten))
    drawing.draw(table, player.id, fresh, unseen + len(names) - len(fresh), event.from_)
    return max(len(names) + unseen, 1)


def _can_be_drawn(table: Crystal, event: ev.CardsDrawn, names: tuple[str, ...]) -> bool:
    deck = deck_of(table, event.from_, event.player)
    if event.from_ not in DECKS or deck.size <= 0:
        return False
    return all((card := table.find(name)) is None or card.zone is deck for name in names)


def _note_draw(table: Crystal, player: str, number: int) -> None:
    """Note that the card of the turn is drawn, or what a card owes."""
    if table.owed:
        table.applied.append(table.owed[0].rule)
        table.set(table, "owed", table.owed[number:])
        drawing.drop_impossible_draws(table, player)
    elif not table.drawn:
        deploy_phase.card_of_turn_drawn(table, table.players[player])


def card_deployed(table: Crystal, event: ev.CardDeployed) -> None:
    """Pay a card, lay it into a lane and do what it says when it is played.

    A card that cannot be paid is not played; should the log say that it was paid all the same, it is played then.
    """
    catch_up(table, event.player)
    player = table.players[event.player]
    if player.id == table.active and (table.owed or player.missed or not table.drawn):
        _note_unwritten_draw(table, player, event.card)
    card = _take(table, event)
    if card.zone.role != "hand" and (card.zone.name[:4] == "base" or lane_of(card)):
        return
    cost = 0 if card.text is None else cost_of(table, player, card)
    if card.text is not None and cost > player.crystals:
        if not table.uncheckable and not card.text.manual:
            table.set(table, "refused", event)
            return
        cost = max(0, player.crystals)
    play_card(table, event, card, cost)


def _note_unwritten_draw(table: Crystal, player: CrystalPlayer, name: str) -> None:
    """Note that a card that is played was drawn before, where only the line of the draw is missing."""
    is_due = table.owed or not table.drawn
    if is_due and drawing.is_due_from(table, table.find(name)):
        _note_draw(table, player.id, 1)
        return
    if is_due:
        deploy_phase.go_on_undrawn(table)
    if player.missed and drawing.may_have_been_drawn(table, player, table.find(name)):
        table.count(player, "missed", -1)


def _take(table: Crystal, event: ev.CardDeployed) -> CrystalCard:
    """Return the card that is played from the hand; one that no file knows is one of the cards there all the same.

    In the place of a card that lies in a lane already another copy of the hand is played: none lies there twice.
    """
    hand = zone_of(table, "hand", event.player)
    usual = table.cards.get(event.card)
    if usual is not None and usual.zone is hand:
        return usual
    is_new = table.find(event.card) is None and not is_unseen(event.card)
    card = table.take(event.card, hand)
    if is_new and card.text is None and hand.size > 0:
        table.count(hand, "unseen", -1)
    copies = hand.cards if lane_of(card) else ()
    return next((each for each in copies if card_of(each.name) == card_of(card.name)), card)


def play_card(table: Crystal, event: ev.CardDeployed, card: CrystalCard, cost: int) -> None:
    """Lay a card into its lane, pay it and do what it says; whoever reads the hand after the payment has it no more."""
    player = table.players[event.player]
    board.enter(table, card, player.id, "tech" if event.lane == "research" else event.lane)
    table.journal.append((card, "since", card.since, table.round))
    card.since = table.round
    _pay(table, player, card, cost)
    if event.lane == "tech":
        table.applied.append("crystal.tech.same-turn-cards")
    if card.text is None or card.text.manual:
        table.set(table, "uncheckable", table.uncheckable or card.name)
        table.set(table, "unchecked_round", table.round)
    if card.text is None:
        return
    says = card.text.says
    if says.when_played:
        orderly = "crystal.ability.written-order"
        rule = orderly if len(says.when_played) > 1 else "crystal.ability.as-written"
        effects.carry_out(table, Doing(player, card, rule, event), says.when_played)
        table.applied.append(orderly)
    if says.waits:
        table.set(player, "acting", (*player.acting, card.name))


def _pay(table: Crystal, player: CrystalPlayer, card: CrystalCard, cost: int) -> None:
    if card.text is None:
        return
    needs = requirement_of(table, player, card)
    if needs:
        table.count(player, "tech_used", needs)
    board.change_crystals(table, player, -cost)
    paid = ev.CrystalsPaid(player=player.id, amount=cost, crystals=player.crystals)
    table.derive(paid, _rule_of_paying(table, card))


def _rule_of_paying(table: Crystal, card: CrystalCard) -> str:
    """Return the rule that says most about what is paid for a card."""
    says = card.text.says
    if says.static:
        table.applied.append("crystal.cost.affordable")
        return "crystal.cost.after-payment"
    return "crystal.cost.own-income" if says.yields else "crystal.cost.affordable"


def deploy_ended(table: Crystal, event: ev.DeployEnded) -> None:
    """Go on to the next player's deploying, or to the other phases."""
    catch_up(table, event.player)
    if table.phase == DEPLOY and table.active == event.player:
        if table.owed:
            table.count(table.players[event.player], "missed", len(table.owed))
            table.set(table, "owed", ())
        table.set(table, "conceding", "")
        table.set(table, "handed_over", False)
        deploy_phase.go_on_undrawn(table)
        rounds.next_part(table)


# -- the end -----------------------------------------------------------------------------------------------------------


def player_conceded(table: Crystal, event: ev.PlayerConceded) -> None:
    """Carry out a concession; whoever was deploying deploys no more."""
    player = table.players[event.player]
    if not player.living:
        return
    table.set(table, "conceding", event.player)
    ending.put_out(table, [player], "crystal.elimination.concession")
    if not table.over and table.active == player.id:
        table.set(table, "owed", ())
        rounds.next_part(table)


def card_shown(table: Crystal, event: ev.CardShown) -> None:
    """Name an unnamed card; one that is deployed counts in its lane from now on.

    What it cost and did as it was played is not made up for: nobody knew it then, so totals since are not judged.
    """
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    hand = zone_of(table, "hand", owner)
    card = show(table, event.was, event.card, hand if hand.unseen > 0 else zone_of(table, "out", owner))
    if unnamed is not None and unnamed is not card and lane_of(card):
        board.count_card(table, card, lane_of(card))


PLAY: Mapping[type[Event], Callable[[Crystal, Any], None]] = {
    **early_ends(ending.end_game, "crystal"),
    ev.DeckDeclared: opening.deck_declared,
    ev.DeckShuffled: opening.deck_shuffled,
    ev.DeckCut: opening.deck_cut,
    ev.FirstPlayerChosen: opening.first_player_chosen,
    ev.StartingHandDrawn: opening.starting_hand_drawn,
    ev.CardsDrawn: cards_drawn,
    ev.CardShown: card_shown,
    ev.CardDeployed: card_deployed,
    ev.DeployEnded: deploy_ended,
    ev.PlayerConceded: player_conceded,
}
