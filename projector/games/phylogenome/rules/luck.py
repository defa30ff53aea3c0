"""The rules of what luck owes: draws, looks at the deck, cards that are kept."""

from typing import Any, Final

from msgspec import UNSET

from events.games import phylogenome as ev
from projector.games.phylogenome.rules.in_order import Judgements, check_in_order
from projector.games.phylogenome.rules.preparing import (
    listed_before_draw,
    number_of,
    opening_five,
    shuffled_before_draw,
)
from projector.games.phylogenome.state import SETUP, Due, Phylo, name_of, named, zone_of
from projector.model.rules import NOT_APPLICABLE, Broken, Rule, Verdict, all_passed, case, rule, stop
from projector.model.things import Zone


@rule(
    "phylogenome.draw.only-when-due",
    "The game begins",
    "L69 L76 L78",
    "Cards are drawn only where a step, an action or an Event says so.",
)
def only_when_due(table: Phylo, event: ev.CardsDrawn) -> Verdict:
    """A draw of this player is due."""
    due = table.due[0] if table.due else None
    if due is not None and due.what == "draw" and due.player == event.player:
        return None
    name = name_of(table, event.player)
    return Broken(f"{name} draws although no draw of {name} is due", owed_in_words(table, due) if due else "no draw")


@rule(
    "phylogenome.draw.from-own-deck",
    "The game begins",
    "L69 L76",
    "Cards are drawn from the own deck.",
)
def from_own_deck(table: Phylo, event: Any) -> Verdict:
    """Every drawn card can be in the own deck, and stands once."""
    player = table.players[event.player]
    if event.cards is UNSET or not player.listed:
        return NOT_APPLICABLE
    deck = zone_of(table, "deck", player.id)
    for name in event.cards:
        if not table.may_be_in(name, deck):
            return f"{named(table, name)} is not in the deck of {player.name}"
    return f"a card is drawn twice by {player.name}" if len(set(event.cards)) < len(event.cards) else None


def _as_many(table: Phylo, event: Any) -> Verdict:
    """As many cards as are due, or as many as the deck still has."""
    due = table.due[0]
    expected = min(due.count, zone_of(table, "deck", due.player).size)
    number = number_of(event)
    if number == expected:
        return None
    what = "draws" if due.what == "draw" else "looks at"
    return Broken(f"{name_of(table, event.player)} {what} {number} card(s) {due.why}", str(expected))


START_ABILITIES: Final = Rule(
    id="phylogenome.turn.start-abilities-first",
    section="The game begins",
    lines="L75",
    text="Abilities for the start of the turn come first.",
)
DRAW_ONE: Final = Rule(
    id="phylogenome.turn.draw-one", section="The game begins", lines="L76", text="Then one card is drawn."
)
DRAW_THREE: Final = Rule(
    id="phylogenome.cycle.draw-three", section="The game begins", lines="L78", text="Then three cards are drawn."
)
AS_DECLARED: Final = Rule(
    id="phylogenome.event.as-declared",
    section="Event card",
    lines="L19 L30",
    text="A card does what its declared text says.",
)
OWED: Final = {each.id: case(each)(_as_many) for each in (START_ABILITIES, DRAW_ONE, DRAW_THREE, AS_DECLARED)}
"""For each rule that luck owes something to, the case about how many cards."""


OPENING: Final = (stop(listed_before_draw), shuffled_before_draw, from_own_deck, opening_five)
WELL_DRAWN: Final = {each: all_passed(from_own_deck, only_when_due, owed) for each, owed in OWED.items()}
"""What there is to say about most draws, for each rule that luck owes cards to."""


def judge_draw(table: Phylo, event: ev.CardsDrawn) -> Judgements:
    """Judge a draw: of the opening hand, or as one is due; where nothing can be wrong that takes one look."""
    if table.phase == SETUP:
        return check_in_order(OPENING, table, event)[0]
    if table.due and event.cards is not UNSET:
        due, deck = table.due[0], table.decks[event.player]
        as_many = len(event.cards) == due.count <= deck.size
        if as_many and due.what == "draw" and due.player == event.player and _lie_in(table, event.cards, deck):
            return WELL_DRAWN[due.rule]
    found, goes_on = check_in_order((from_own_deck, stop(only_when_due)), table, event)
    if not goes_on:
        return found
    at_stake = OWED[table.due[0].rule]
    return *found, (at_stake.rule, at_stake(table, event))


def _lie_in(table: Phylo, names: tuple[str, ...], deck: Zone) -> bool:
    """Return whether these are different cards that are known to lie in a deck."""
    for name in names:
        card = table.cards.get(name)
        if card is None or card.zone is not deck:
            return False
    return len(names) == 1 or len(set(names)) == len(names)


@case(DRAW_THREE)
def deck_has_three(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """The deck has three cards for an exchange, if the ruling `short_draw` asks for them."""
    if table.options["short_draw"] != "forbidden":
        return NOT_APPLICABLE
    size = zone_of(table, "deck", event.player).size
    return None if size >= 3 else Broken(f"a card is exchanged with {size} card(s) in the deck", "three cards")


@case(AS_DECLARED)
def looks_when_due(table: Phylo, event: ev.CardsLookedAt) -> Verdict:
    """A look at the own deck is due, and as many cards are looked at as the Event says."""
    due = table.due[0] if table.due else None
    if due is None or due.what != "look" or due.player != event.player:
        name = name_of(table, event.player)
        return f"{name} looks at the deck although no Event says so"
    return _as_many(table, event)


@case(AS_DECLARED)
def keeps_what_was_seen(table: Phylo, event: ev.CardKept) -> Verdict:
    """What is kept is one of the cards that were looked at."""
    due = table.due[0] if table.due else None
    player = name_of(table, event.player)
    if due is None or due.what != "keep" or due.player != event.player:
        return f"{player} keeps {named(table, event.card)} although no cards were looked at"
    deck = zone_of(table, "deck", event.player)
    if (due.cards and event.card not in due.cards) or not table.may_be_in(event.card, deck):
        return Broken(f"{player} keeps {named(table, event.card)}, which was not looked at", _listed(table, due))
    return None


def _listed(table: Phylo, due: Due) -> str:
    return "one of " + ", ".join(named(table, name) for name in due.cards) if due.cards else "a card of the deck"


def owed_in_words(table: Phylo, due: Due) -> str:
    """Say what has to come first."""
    what = {"draw": "draws", "look": "looks at the deck", "keep": "keeps a card"}[due.what]
    return f"{name_of(table, due.player)} {what} {due.why} first"
