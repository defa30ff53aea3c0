"""Drawing: cards come from the own deck, as many as a step, an exchange or an Event owes."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.phylogenome.chapters import GAME_BEGINS, WRITTEN, setup
from tabletape.projector.games.phylogenome.chapters.cards import AS_DECLARED, known_card, may_lie_in
from tabletape.projector.games.phylogenome.naming import called, where_is
from tabletape.projector.games.phylogenome.state import Owed, Phylo
from tabletape.projector.games.phylogenome.steps import ABILITY_DRAW, TURN_DRAW
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.outline import SETUP
from tabletape.projector.kit.owed import comes_first, make_up, missed_draw, what_is_owed
from tabletape.projector.model import rules
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.due import Due, draw_due, number_of_cards
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.things import Zone
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Verdict


def all_answered_by(table: Phylo, event: ev.CardsDrawn) -> tuple[Owed, ...]:
    """Return the draws at the start of a turn that one line writes together, or nothing."""
    draws = tuple(due for due in table.owed if due.line is ev.CardsDrawn and due.player == event.player)
    if len(draws) < 2 or draws != table.owed:
        return ()
    return draws if number_of_cards(event) == sum(table.number_to_draw(due) for due in draws) else ()


def answered_by(table: Phylo, event: ev.CardsDrawn) -> Owed | None:
    """Return the draw due to a player that a draw answers, or None.

    What happens at the start of a turn may be drawn in any order (ruling `start_trigger_order`), and a draw that was
    left out is not taken for the next one: the first due draw of as many cards counts, else the first one. Where none
    is due it may be one that the log has gone on without.
    """
    draws = [due for due in table.owed if due.line is ev.CardsDrawn and due.player == event.player]
    if not draws:
        missed: Owed | None = missed_draw(table, event.player)
        return missed
    if table.owed[0] is not draws[0]:
        return None
    number = number_of_cards(event)
    return next((due for due in draws if table.number_to_draw(due) == number), draws[0])


@GAME_BEGINS.rule("phylogenome.draw.only-when-due", "L69 L76 L78")
def only_when_due(table: Phylo, event: ev.CardsDrawn) -> Verdict:
    """Cards are drawn only where a step, an action or an Event says so."""
    if answered_by(table, event) is not None:
        return None
    name, owed = name_of(table, event.player), table.owed[0] if table.owed else None
    if owed is not None:
        return Broken(f"{name} draws, but {comes_first(table, owed)}", f"{tag_of(owed.line)} first")
    return Broken(f"{name} draws although no draw of {name} is due", "no draw")


@GAME_BEGINS.rule("phylogenome.draw.from-own-deck", "L69 L76")
def from_own_deck(table: Phylo, event: ev.CardsDrawn | ev.CardsLookedAt) -> Verdict:
    """Cards are drawn from the own deck."""
    player = table.players[event.player]
    if event.cards is UNSET or not player.listed:
        return NOT_APPLICABLE
    names, deck = event.cards or (), table.decks[player.id]
    wrong = next((name for name in names if not may_lie_in(table, name, deck)), "")
    if wrong:
        return f"{called(table, wrong)} is not in the deck of {player.name}: {where_is(table, wrong)}"
    twice = next((name for name in names if names.count(name) > 1), "")
    return f"{player.name} draws {called(table, twice)} twice in one line" if twice else None


def as_many(table: Phylo, event: ev.CardsDrawn | ev.CardsLookedAt) -> Verdict:
    """As many cards as are due, or as many as the deck still has; abilities for the start of the turn come first."""
    due = answered_by(table, event) if isinstance(event, ev.CardsDrawn) else table.owed[0]
    if due is None:
        return NOT_APPLICABLE
    size, is_late, number = table.decks[due.player].size, due in table.missed, number_of_cards(event)
    expected = due.count if is_late else table.number_to_draw(due)
    if number == expected:
        return None if is_late else _in_turn(table, due)
    if isinstance(event, ev.CardsDrawn) and all_answered_by(table, event):
        return None
    left = f", all that the deck has left of {due.count}" if expected == size < due.count else ""
    if expected < min(size, due.count):
        left = f" of {due.count}, for the hand has {table.hands[due.player].size} ({by_ruling(table, 'hand_limit')})"
    expected = max(expected, 0)  # more may be drawn of a deck that nobody knows than it has
    message = f"{name_of(table, event.player)} {what_is_owed(table, due, number)}, not {expected}{left}"
    return Broken(message, how_many(expected, "card"))


def _in_turn(table: Phylo, due: Owed) -> Verdict:
    """Judge the order of what is drawn at the start of a turn; that of several abilities may be free (ruling)."""
    if due.rule != ABILITY_DRAW:
        return None
    name = name_of(table, due.player)
    if all(each.rule != TURN_DRAW for each in table.owed):
        return f"{name} {what_is_owed(table, due)} after the draw for the turn; abilities for its start come first"
    if due is not table.owed[0] and table.options["start_trigger_order"] == "played_order":
        message = f"{comes_first(table, due)} ({by_ruling(table, 'start_trigger_order')})"
        return Broken(message, f"for {named(table, table.owed[0].source)}, played earlier")
    return None


EXCHANGE: Final = "phylogenome.cycle.draw-three"
start_abilities: Final = GAME_BEGINS.rule(ABILITY_DRAW, "L75", "Abilities for the start of the turn come first.")(
    as_many
)
draw_one: Final = GAME_BEGINS.rule(TURN_DRAW, "L76", "Then one card is drawn.")(as_many)
draw_three: Final = GAME_BEGINS.rule(EXCHANGE, "L78", "Then three cards are drawn.")(as_many)
ACTS: Final = follows(
    ev.AbilityTriggered,
    rule=start_abilities,
    why=lambda table, event: f"it does not act now: {where_is(table, event.card)}",
)
OWING_CASES: Final = {
    each.id: rules.case(each)(as_many) for each in (start_abilities, draw_one, draw_three, AS_DECLARED)
}
"""For each rule that luck owes something to, the case about how many cards."""
DECK_OUT: Final = WRITTEN["phylogenome.end.deck-out"]


# -- judging a draw ----------------------------------------------------------------------------------------------------


OPENING_TESTS: Final = (setup.shuffled_before_draw, from_own_deck, setup.opening_five)
OPENING: Final = (rules.stop(setup.listed_before_draw), *OPENING_TESTS)
WELL_OPENED: Final = rules.all_passed(setup.listed_before_draw, *OPENING_TESTS)
WELL_DRAWN: Final = {
    each: rules.all_passed(known_card, from_own_deck, only_when_due, owed) for each, owed in OWING_CASES.items()
}
"""What there is to say about most draws, for each rule that luck owes cards to."""


def draws_well(table: Phylo, event: ev.CardsDrawn) -> AllPassed | None:
    """Return what is kept where nothing is wrong with an opening hand, or with a draw that is due."""
    deck, names, player = table.decks[event.player], event.cards or (), table.players[event.player]
    if not names or not _lie_in(table, names, deck):
        return None
    if table.phase == SETUP:
        is_ready = player.listed and player.shuffled and not player.opened
        return WELL_OPENED if is_ready and len(names) == setup.HAND else None
    due = table.owed[0] if table.owed and not table.hand_limit else None
    if (
        due is None
        or due.line is not ev.CardsDrawn
        or due.player != player.id
        or not len(names) == due.count <= deck.size
    ):
        return None
    in_turn = due.rule != ABILITY_DRAW or table.owed[-1].rule == TURN_DRAW or _in_turn(table, due) is None
    return WELL_DRAWN[due.rule] if in_turn else None


def _lie_in(table: Phylo, names: tuple[str, ...], deck: Zone) -> bool:
    """Return whether these are different cards that are known to lie in a deck."""
    for name in names:
        card = table.cards.get(name)
        if card is None or card.zone is not deck:
            return False
    return len(names) == 1 or len(set(names)) == len(names)


def judge_draw(table: Phylo, event: ev.CardsDrawn) -> Iterable[rules.Judgement]:
    """Judge a draw: of the opening hand, or as one is due."""
    if table.phase == SETUP:
        return rules.check_in_order(OPENING, table, event)
    is_due = answered_by(table, event) is not None and table.decks[event.player].size > 0
    return rules.check_in_order(DRAW_TESTS, table, event) if is_due or number_of_cards(event) else ()


def _which_draw(table: Phylo, event: ev.CardsDrawn) -> rules.Case:
    """Return the case about how many cards are drawn, where a draw is due."""
    due: Any = answered_by(table, event)
    return OWING_CASES[due.rule]


DRAW_TESTS: Final = (known_card, from_own_deck, rules.stop(only_when_due), rules.select_rule(_which_draw))


@move(ev.CardsDrawn, rules.group_check(judge_draw, draws_well))
def cards_drawn(table: Phylo, event: ev.CardsDrawn) -> None:
    """Move drawn cards to the hand, and strike off what luck owed."""
    player, owed = event.player, table.owed
    deck, hand = table.decks[player], table.hands[player]
    left: tuple[Owed, ...] = ()
    if owed and (len(owed) > 1 or owed[0].line is not ev.CardsDrawn):
        left = _left_after(table, event)
    if event.cards is UNSET:
        table.draw((), int(event.count), deck, hand)  # type: ignore[arg-type]  # one of the two stands
    elif event.cards:
        _take_drawn(table, event.cards, deck, hand)
    if table.phase == SETUP:
        table.set(table.players[player], "opened", True)
    elif owed and owed[0].player == player:
        table.set(table, "owed", left)
    elif table.missed and (late := answered_by(table, event)) is not None:
        make_up(table, late)


# -- what a draw does --------------------------------------------------------------------------------------------------


def _take_drawn(table: Phylo, names: tuple[str, ...], deck: Zone, hand: Zone) -> None:
    """Move named cards from the deck to the hand; an unnamed one is one of the unseen ones there.

    So is a card that lies open in play: another one was drawn.
    """
    unnamed = len(names)
    cards = table.cards
    for name in names if unnamed == 1 else dict.fromkeys(names):
        card = cards.get(name)
        if card is not None and card.zone is deck:
            table.move(card, hand)
        elif is_unseen(name) or lies_in_play(table, name):
            continue
        else:
            table.draw((name,), 0, deck, hand)
        unnamed -= 1
    if unnamed:
        table.draw((), unnamed, deck, hand)


def _left_after(table: Phylo, event: ev.CardsDrawn) -> tuple[Owed, ...]:
    """Return what luck still owes after a draw that is about to be made."""
    left = [] if all_answered_by(table, event) else [*table.owed]
    if (answered := answered_by(table, event)) in left:
        left.remove(answered)
    return tuple(left)


def lies_in_play(table: Phylo, name: str) -> bool:
    """Return whether a card lies open in play."""
    card = table.find(name)
    return card is not None and card.in_play


def due_of_draws(table: Phylo) -> list[Due]:
    """Return the draw or the look at the deck that luck owes, or first the shuffling of a pile that became the deck."""
    if not table.owed or table.owed[0].line is ev.CardKept:
        return []
    owed = table.owed[0]
    if not table.players[owed.player].shuffled:
        known = {"player": owed.player, "reason": "reshuffle"}
        return [Due(line=ev.DeckShuffled, known=known, rule=DECK_OUT.id)]
    deck, number = table.decks[owed.player].name, table.number_to_draw(owed)
    return [draw_due(table, owed.line, deck, number, owed.rule, player=owed.player)]
