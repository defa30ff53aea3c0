"""The rules of what luck owes: draws, looks at the deck, cards that are kept."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import UNSET

from events.games import phylogenome as ev
from events.names import is_unseen
from events.vocabulary import tag_of
from projector.games.phylogenome.naming import called, where_is
from projector.games.phylogenome.play import EXCHANGE, all_answered_by, answered_by, is_too_short, owed_as
from projector.games.phylogenome.rules.carried_out import AS_DECLARED
from projector.games.phylogenome.rules.doubt import doubt, known_card, may_lie_in
from projector.games.phylogenome.rules.setup import HAND, listed_before_draw, opening_five, shuffled_before_draw
from projector.games.phylogenome.state import SETUP, Owed, Phylo, number_to_draw
from projector.games.phylogenome.turns import FOR_ABILITIES, FOR_THE_TURN
from projector.kit.owed import comes_first, missing, what_is_owed
from projector.kit.seating import zone_of
from projector.model.amounts import how_many
from projector.model.due import number_of_cards
from projector.model.phrases import by_ruling, name_of, named
from projector.model.rules import (
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Case,
    Judgement,
    Rule,
    Verdict,
    all_passed,
    case,
    check_in_order,
    rule,
    select_rule,
    stop,
)
from projector.model.things import Zone


@rule(
    "phylogenome.draw.only-when-due",
    "The game begins",
    "L69 L76 L78",
    "Cards are drawn only where a step, an action or an Event says so.",
)
def only_when_due(table: Phylo, event: ev.CardsDrawn) -> Verdict:
    """A draw of this player is due."""
    if answered_by(table, event) is not None:
        return None
    name = name_of(table, event.player)
    if table.owed:
        return Broken(f"{name} draws, but {comes_first(table, table.owed[0])}", f"{tag_of(table.owed[0].line)} first")
    return Broken(f"{name} draws although no draw of {name} is due", "no draw")


@rule("phylogenome.draw.from-own-deck", "The game begins", "L69 L76", "Cards are drawn from the own deck.")
def from_own_deck(table: Phylo, event: Any) -> Verdict:
    """Every drawn card can be in the own deck, and stands once."""
    player = table.players[event.player]
    if event.cards is UNSET or not player.listed:
        return NOT_APPLICABLE
    deck = zone_of(table, "deck", player.id)
    names = event.cards or ()
    for name in names:
        if not may_lie_in(table, name, deck):
            return f"{called(table, name)} is not in the deck of {player.name}: {where_is(table, name)}"
    twice = next((name for name in names if names.count(name) > 1), "")
    return f"{player.name} draws {called(table, twice)} twice in one line" if twice else None


def _as_many(table: Phylo, event: Any) -> Verdict:
    """As many cards as are due, or as many as the deck still has; abilities for the start of the turn come first."""
    due = answered_by(table, event) if isinstance(event, ev.CardsDrawn) else table.owed[0]
    if due is None:
        return NOT_APPLICABLE
    size = zone_of(table, "deck", due.player).size
    is_late = due in table.missed
    expected = due.count if is_late else number_to_draw(table, due)
    number = number_of_cards(event)
    name = name_of(table, event.player)
    if number != expected and isinstance(event, ev.CardsDrawn) and all_answered_by(table, event):
        return None
    if number == expected:
        return None if is_late else _in_turn(table, due)
    left = f", all that the deck has left of {due.count}" if expected == size < due.count else ""
    if expected < min(size, due.count):
        left = f" of {due.count}, for the hand has {table.hands[due.player].size} ({by_ruling(table, 'hand_limit')})"
    says = what_is_owed(table, due, number)
    return Broken(f"{name} {says}, not {expected}{left}", how_many(expected, "card"))


def _in_turn(table: Phylo, due: Owed) -> Verdict:
    """Judge the order of what is drawn at the start of a turn; that of several abilities may be free (ruling)."""
    if due.rule != FOR_ABILITIES:
        return None
    name = name_of(table, due.player)
    if all(each.rule != FOR_THE_TURN for each in table.owed):
        return f"{name} {what_is_owed(table, due)} after the draw for the turn; abilities for its start come first"
    if due is not table.owed[0] and table.options["start_trigger_order"] == "played_order":
        message = f"{comes_first(table, due)} ({by_ruling(table, 'start_trigger_order')})"
        return Broken(message, f"for {named(table, table.owed[0].source)}, played earlier")
    return None


start_abilities: Final = rule(
    FOR_ABILITIES, "The game begins", "L75", "Abilities for the start of the turn come first."
)(_as_many)
draw_one: Final = rule(FOR_THE_TURN, "The game begins", "L76", "Then one card is drawn.")(_as_many)
draw_three: Final = rule(EXCHANGE, "The game begins", "L78", "Then three cards are drawn.")(_as_many)
OWED: Final = {each.id: case(each)(_as_many) for each in (start_abilities, draw_one, draw_three, AS_DECLARED)}
"""For each rule that luck owes something to, the case about how many cards."""


OPENING: Final = (stop(listed_before_draw), shuffled_before_draw, from_own_deck, opening_five)
WELL_OPENED: Final = all_passed(listed_before_draw, shuffled_before_draw, from_own_deck, opening_five)
WELL_DRAWN: Final = {each: all_passed(known_card, from_own_deck, only_when_due, owed) for each, owed in OWED.items()}
"""What there is to say about most draws, for each rule that luck owes cards to."""


def draws_well(table: Phylo, event: ev.CardsDrawn) -> AllPassed | None:
    """Return what is kept where nothing is wrong with an opening hand, or with a draw that is due."""
    deck = table.decks[event.player]
    if table.phase == SETUP:
        return WELL_OPENED if _opens_well(table, event, deck) else None
    if table.owed and event.cards:
        due = table.owed[0]
        as_many = len(event.cards) == due.count <= deck.size
        if (
            as_many
            and not table.hand_limit
            and due.line is ev.CardsDrawn
            and due.player == event.player
            and _lie_in(table, event.cards, deck)
            and (due.rule != FOR_ABILITIES or table.owed[-1].rule == FOR_THE_TURN or _in_turn(table, due) is None)
        ):
            return WELL_DRAWN[due.rule]
    return None


def judge_draw(table: Phylo, event: ev.CardsDrawn) -> Iterable[Judgement]:
    """Judge a draw: of the opening hand, or as one is due."""
    if table.phase == SETUP:
        return check_in_order(OPENING, table, event)
    is_due = answered_by(table, event) is not None and table.decks[event.player].size > 0
    return check_in_order(DRAWING, table, event) if is_due or number_of_cards(event) else ()


def _which_draw(table: Phylo, event: ev.CardsDrawn) -> Case:
    """Return the case about how many cards are drawn, where a draw is due."""
    due: Any = answered_by(table, event)
    return OWED[due.rule]


DRAWING: Final = (known_card, from_own_deck, stop(only_when_due), select_rule(_which_draw))


def _opens_well(table: Phylo, event: ev.CardsDrawn, deck: Zone) -> bool:
    """Return whether this is the opening hand of a player whose deck is declared and shuffled, with all cards named."""
    player = table.players[event.player]
    ready = player.listed and player.shuffled and not player.opened
    return ready and bool(event.cards) and len(event.cards) == HAND and _lie_in(table, event.cards, deck)  # type: ignore[arg-type]


def _lie_in(table: Phylo, names: tuple[str, ...], deck: Zone) -> bool:
    """Return whether these are different cards that are known to lie in a deck."""
    for name in names:
        card = table.cards.get(name)
        if card is None or card.zone is not deck:
            return False
    return len(names) == 1 or len(set(names)) == len(names)


@case(draw_three)
def deck_has_three(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """The deck has three cards for an exchange, if the ruling `short_draw` asks for them."""
    if table.options["short_draw"] != "forbidden":
        return NOT_APPLICABLE
    size = zone_of(table, "deck", event.player).size
    left = how_many(size, "card")
    by = by_ruling(table, "short_draw")
    return None if size >= 3 else Broken(f"a card is exchanged with {left} left in the deck ({by})", "three cards")


@case(AS_DECLARED)
def deck_has_enough(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """The deck has as many cards as an Event draws or looks at, if the ruling `event_short_draw` asks for them."""
    if table.options["event_short_draw"] != "forbidden":
        return NOT_APPLICABLE
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_APPLICABLE
    if not is_too_short(table, event.player, card.text.says):
        return None
    left = how_many(table.decks[event.player].size, "card")
    by = by_ruling(table, "event_short_draw")
    return Broken(f"{card.text.name} is played with {left} left in the deck ({by})", "as many cards as it draws")


@case(AS_DECLARED)
def looks_when_due(table: Phylo, event: ev.CardsLookedAt) -> Verdict:
    """A look at the own deck is due, and as many cards are looked at as the Event says."""
    if owed_as(table, event) is not None:
        return _as_many(table, event)
    name = name_of(table, event.player)
    return f"{name} looks at the deck although no Event says so" if number_of_cards(event) else NOT_APPLICABLE


@case(AS_DECLARED)
def keeps_what_was_seen(table: Phylo, event: ev.CardKept) -> Verdict:
    """What is kept is one of the cards that were looked at."""
    due, player = owed_as(table, event), name_of(table, event.player)
    if due is None:
        return f"{player} keeps {called(table, event.card)} although no cards were looked at"
    deck = zone_of(table, "deck", event.player)
    seen = not due.cards or event.card in due.cards or any(map(is_unseen, due.cards))
    if not seen or not may_lie_in(table, event.card, deck):
        listed = ", ".join(called(table, name) for name in due.cards)
        expected = f"one of {listed}" if listed else "a card of the deck"
        return Broken(f"{player} keeps {called(table, event.card)}, which was not looked at", expected)
    return None


OF_THE_TURN: Final = frozenset({FOR_ABILITIES, FOR_THE_TURN})


def owed_first(table: Phylo, event: Any) -> Judgement | None:
    """Return the rule by which luck owes something first, unless this is the line or it may be left out (ruling)."""
    due = table.owed[0]
    if due.line is ev.CardKept and isinstance(event, ev.CardKept):
        return None
    if table.options["skip_draw"] == "optional":
        due = next((each for each in table.owed if each.rule != FOR_THE_TURN), due)
        if due.rule == FOR_THE_TURN:
            return None
    because = "phylogenome.turn.step-order" if due.rule in OF_THE_TURN else ""
    rule: Rule = OWED[due.rule].rule
    allowed = doubt(table, rule, event)
    return rule, missing(table, due, event, because) if allowed is None else allowed.verdict
