"""Drawing in the deploy phase (L44 to L48): the card of the turn, and what a card says to be drawn."""

from collections.abc import Iterable
from typing import Final

import msgspec

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters import DEPLOY_PHASE, deploy_phase, starting_hand
from tabletape.projector.games.crystal.chapters.choosing import as_written
from tabletape.projector.games.crystal.chapters.setup import known_cards
from tabletape.projector.games.crystal.schema import FACTION
from tabletape.projector.games.crystal.state import BASIC, DECKS, DEPLOY, Crystal, CrystalCard, CrystalPlayer
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.outline import SETUP
from tabletape.projector.model import rules
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.due import Due, draw_due, number_of_cards
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.verdicts import NOT_APPLICABLE, Broken, Undecidable, Verdict


def due_draws(table: Crystal) -> list[Due]:
    """Return the draws of the deploy phase that luck has to write now, from either deck."""
    owed, optional = deploy_phase.owed_now(table), not table.owed and deploy_phase.may_leave_draw(table)
    if owed is None or (optional and table.limited):
        return []
    decks = [(each, table.deck_of(each, owed.player)) for each in DECKS if owed.deck in {each, "any"}]
    by, who = owed.rule, owed.player
    draws = [
        draw_due(table, owed.line, deck.name, 1, by, player=who, from_=each) for each, deck in decks if deck.size > 0
    ]
    return [msgspec.structs.replace(each, optional=optional) for each in draws]


# -- who draws how much ------------------------------------------------------------------------------------------------


@DEPLOY_PHASE.rule("crystal.draw.either-deck", "L44.2", rests_on="nothing")
def either_deck(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """It comes from the basic deck or the faction deck; another word may be one of them."""
    if event.from_ in DECKS:
        return None
    if any(zone.name.startswith(f"{event.from_}:") for zone in table.zones.values()):
        return Broken(f"a card is drawn from {event.from_}, which is no deck", "faction or basic")
    return Undecidable(f"a card is drawn from a deck called {event.from_}; is that the faction or the basic deck?")


def deck_meant(table: Crystal, event: ev.CardsDrawn) -> str:
    """Return the deck that a line means by a word that names none: that of a card drawn, else the faction deck."""
    drawn = [table.find(name) for name in event.cards or ()]
    basic = table.deck_of(BASIC, event.player)
    return BASIC if any(card is not None and card.zone is basic for card in drawn) else FACTION


@DEPLOY_PHASE.rule("crystal.draw.one-per-turn", "L44.1", rests_on="lately")
def one_per_turn(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """One card is drawn in each part of the deploy phase."""
    number = number_of_cards(event)
    if number == 1 and not table.drawn:
        return None
    if number == 0:
        return _nothing_there(table, event)
    name = name_of(table, event.player)
    if not board.room_in_hand(table, event.player):
        held = how_many(table.hand_of(event.player).size, "card")
        return Broken(f"{name} draws with {held} in the hand, {by_ruling(table, 'hand_limit')}", "no draw")
    if not table.drawn:
        return Broken(f"{name} draws {number} cards, one is drawn in each turn", "1")
    message = f"{name} draws another card in this part of the deploy phase; no card lets {name} do so"
    if table.round == 1 and table.options["first_round_draw"] == "not_drawn":
        message = f"{name} draws in round 1 on top of the starting hand, {by_ruling(table, 'first_round_draw')}"
    return Broken(message, "no draw")


drawn_before_end: Final = rules.Case(one_per_turn, deploy_phase.draw_first.check)


def _nothing_there(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """Nothing is drawn where there is nothing: a line that says so is right for an empty deck."""
    size = table.deck_of(event.from_, event.player).size
    if size <= 0:
        return NOT_APPLICABLE
    name = name_of(table, event.player)
    return Broken(f"{name} draws nothing from the {event.from_} deck, which has {how_many(size, 'card')}", "1")


@rules.case(deploy_phase.draw_first)
def not_after_playing(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """Who may leave the draw out (ruling `draw_mandatory`) draws before the first card is played or not at all."""
    name, ruling = name_of(table, event.player), by_ruling(table, "draw_mandatory")
    return f"{name} draws the card of the turn after playing cards; it is drawn first or not at all, {ruling}"


@rules.case(as_written)
def as_written_draw(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """A draw that a card owes comes from the deck that it names, and is no larger."""
    owed = table.owed[0]
    source = named(table, owed.source)
    if (
        owed.deck in DECKS
        and event.from_ != owed.deck
        and event.from_ in DECKS
        and board.can_draw(table, event.player, owed.deck)
    ):
        return Broken(f"{source} draws from the {owed.deck} deck, not from the {event.from_} deck", owed.deck)
    number = number_of_cards(event)
    if number <= len(table.owed):
        return None if number else _nothing_there(table, event)
    due = how_many(len(table.owed), "card")
    message = f"{name_of(table, event.player)} draws {how_many(number, 'card')} for {source}, which says {due}"
    return Broken(message, due)


def which_draw(table: Crystal, event: ev.CardsDrawn) -> rules.Rule | rules.Case:
    """Return which rule decides whether this player may draw now."""
    if table.active != event.player or table.phase != DEPLOY:
        return deploy_phase.own_turn
    if table.owed:
        return as_written_draw
    may_be_late = not table.drawn and table.options["draw_mandatory"] == "optional"
    is_late = may_be_late and table.round in [card.since for card in table.deployed(event.player)]
    return not_after_playing if is_late else one_per_turn


# -- where the cards come from -----------------------------------------------------------------------------------------


@rules.OUTSIDE.rule("crystal.draw.deck-not-empty", "", rests_on="play")
def deck_not_empty(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """An empty deck gives no card."""
    number, size = number_of_cards(event), table.deck_of(event.from_, event.player).size
    if number <= size:
        return None
    draws, there_are = how_many(number, "card"), how_many(max(size, 0), "card")
    message = f"{name_of(table, event.player)} draws {draws} from the {event.from_} deck, which has {there_are}"
    return Broken(message, f"at most {size}" if size > 0 else "no draw from it")


@rules.case(starting_hand.hand_from_own_decks)
def from_named_deck(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """All named cards that are drawn lie in the deck that the line names, each once."""
    cards, deck = event.cards or (), table.deck_of(event.from_, event.player)
    for name in cards:
        card = table.cards.get(name)
        if card is not None and card.zone is deck:
            continue
        if card is not None or not (is_unseen(name) or table.may_be_in(name, deck)):
            return f"{table.called(name)} is not in the {event.from_} deck of {name_of(table, event.player)}"
    return starting_hand.no_card_twice(table, cards) if len(cards) > 1 else None


@rules.case(starting_hand.hand_from_top)
def next_on_top(table: Crystal, event: ev.CardsDrawn) -> Verdict:
    """The cards drawn from the basic deck lie on top, where cards on them were not drawn without a line."""
    if event.from_ != BASIC or not event.cards:
        return NOT_APPLICABLE
    drawn = [table.cards[name] for name in event.cards if name in table.cards]
    forgotten = forgotten_on_top(table, table.players[event.player], event.cards[0])
    return starting_hand.are_on_top(table, drawn, table.deck_of(BASIC, event.player).cards[len(forgotten) :])


DRAW_TESTS: Final = (deck_not_empty, known_cards, from_named_deck, next_on_top)
ALL_KEPT: Final = rules.all_passed(*DRAW_TESTS)
WITHOUT_TOP: Final = rules.all_passed(*DRAW_TESTS[:-1])


def judge_drawn(table: Crystal, event: ev.CardsDrawn) -> Iterable[rules.Judgement]:
    """Check the cards that are drawn, up to the first rule that is not kept; where nothing is drawn there is none."""
    deck, cards = table.deck_of(event.from_, event.player), event.cards
    card = table.cards.get(cards[0]) if cards and len(cards) == 1 else None
    if card is not None and card.zone is deck:  # It exists, and the deck has one.
        if event.from_ != BASIC or table.options["basic_draw"] == "any":
            return WITHOUT_TOP
        if card is deck.cards[0]:
            return ALL_KEPT
    judged: list[rules.Judgement] = []
    for test in DRAW_TESTS if number_of_cards(event) and event.from_ in DECKS else ():
        judged.append(rules.judgement_of(test, table, event))
        if judged[-1][1] is not None:
            break
    return judged


# -- lines that are missing --------------------------------------------------------------------------------------------


def draw_may_lack(table: Crystal, player: CrystalPlayer, card: CrystalCard | None) -> bool:
    """Return whether a card that is not in the hand may have been drawn, so that only that line is missing."""
    is_due = player.id == table.active and _is_due_from(table, card)
    return is_due or _may_have_been_drawn(table, player, card)


def _is_due_from(table: Crystal, card: CrystalCard | None) -> bool:
    """Return whether a card lies where the active player has still to draw a card from, so that it may be that card."""
    owed = deploy_phase.owed_now(table)
    if card is None or owed is None or (not table.owed and deploy_phase.may_leave_draw(table)):
        return False
    if owed.deck in {BASIC, "any"} and card.zone is table.deck_of(BASIC, table.active):
        return table.options["basic_draw"] == "any" or card_of(card.name) == card_of(card.zone.cards[0].name)
    return owed.deck in {FACTION, "any"} and card.zone is table.deck_of(FACTION, table.active)


def _may_have_been_drawn(table: Crystal, player: CrystalPlayer, card: CrystalCard | None) -> bool:
    """Return whether a card that the log leaves in a deck may be one of which the draw was not written down."""
    return bool(player.missed) and card is not None and card.zone in [table.deck_of(deck, player.id) for deck in DECKS]


def forgotten_on_top(table: Crystal, player: CrystalPlayer, name: str) -> list[CrystalCard]:
    """Return the cards that lie on a drawn basic card where their draws may not have been written down."""
    if not player.missed or table.options["basic_draw"] == "any":
        return []
    deck = table.deck_of(BASIC, player.id).cards
    index = next((index for index, card in enumerate(deck) if card_of(card.name) == card_of(name)), 0)
    return deck[:index] if index <= player.missed else []


@move(ev.CardsDrawn, rules.stop(either_deck), rules.select_rule(which_draw), rules.group_check(judge_drawn))
def cards_drawn(table: Crystal, event: ev.CardsDrawn) -> None:
    """Move drawn cards to the hand: the card of the turn, or what a card says.

    Nothing is drawn from a deck that does not have it. A card that is in the hand already is another one, which the log
    calls by a wrong name.
    """
    if table.phase == SETUP:
        table.TURN.begin(table, event.player)
    number = _draw_named(table, event) or _draw(table, event)
    if not number:
        return
    if event.player == table.active:
        _note_draw(table, event.player, number)
    elif table.waiting[:1] == (event.player,) and table.drawn and not table.owed:
        table.set(table, "early", event.player)


# -- what is drawn -----------------------------------------------------------------------------------------------------


def _draw_named(table: Crystal, event: ev.CardsDrawn) -> int:
    """Draw one card that the log names and that lies where it says; return how many were drawn. Nearly all are so."""
    cards, player, deck = event.cards, event.player, event.from_
    card = table.cards.get(cards[0]) if cards and len(cards) == 1 else None
    if card is None or card.zone is not table.deck_of(deck, player) or table.players[player].missed:
        return 0
    if deck == BASIC:
        table.set(card, "known_to", table.everyone)
    table.move(card, table.hand_of(player))
    return 1


def _draw(table: Crystal, event: ev.CardsDrawn) -> int:
    """Draw cards that the log names, and some that nobody has seen; return how many were drawn."""
    names, unseen = board.named_and_unseen(event)
    hand, player = table.hand_of(event.player), table.players[event.player]
    fresh = tuple(name for name in names if (card := table.find(name)) is None or card.zone is not hand)
    called = event.from_ if event.from_ in DECKS else deck_meant(table, event)
    deck, drawn = table.deck_of(called, event.player), map(table.find, fresh)
    if deck.size <= 0 or not all(card is None or card.zone is deck for card in drawn):
        return 0
    if called == BASIC and fresh and (forgotten := forgotten_on_top(table, player, fresh[0])):
        board.draw(table, player.id, [card.name for card in forgotten], 0, BASIC)
        table.count(player, "missed", -len(forgotten))
    board.draw(table, player.id, fresh, unseen + len(names) - len(fresh), called)
    return max(len(names) + unseen, 1)


def _note_draw(table: Crystal, player: str, number: int) -> None:
    """Note that the card of the turn is drawn, or what a card owes."""
    if table.owed:
        table.applied.append(table.owed[0].rule)
        table.set(table, "owed", table.owed[number:])
        board.drop_impossible_draws(table, player)
    elif not table.drawn:
        deploy_phase.card_of_turn_drawn(table, table.players[player])


def note_unwritten_draw(table: Crystal, player: CrystalPlayer, name: str) -> None:
    """Note that a card that is played was drawn before, where only the line of the draw is missing."""
    card, is_due = table.find(name), table.owed or not table.drawn
    if is_due and _is_due_from(table, card):
        _note_draw(table, player.id, 1)
        return
    if is_due:
        deploy_phase.go_on_undrawn(table)
    if _may_have_been_drawn(table, player, card):
        table.count(player, "missed", -1)
