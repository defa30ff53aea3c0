"""The rules of what luck writes: draws, tokens, targets and Battle Pets."""

from typing import Any, Final

from msgspec import UNSET

from events.games import duelyst as ev
from events.names import card_of, is_unseen, owner_of
from projector.games.duelyst.agenda import can_draw, due_now, enemy_minions, is_again
from projector.games.duelyst.board import next_name
from projector.games.duelyst.pets import ADJACENT, NEAREST, TOWARD, Choice, Choices, choices_of, keyword_ignored
from projector.games.duelyst.rules.setup import draw_five, known_cards
from projector.games.duelyst.state import (
    HAND,
    DrawDue,
    Duelyst,
    PetDue,
    TargetDue,
    TokenDue,
    called,
    name_of,
    zone_of,
)
from projector.games.duelyst.tiles import free_beside, unit_called
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Case, Judgement, Kept, Rule, Verdict, case, rule

# -- draws -------------------------------------------------------------------------------------------------------------


@rule("duelyst.turn.end-draw", "Player's turn overview", "L89 L90", "One card is drawn in the end phase.")
def end_draw(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """One card, as many as are owed."""
    return _as_many(table, event, "at the end of the turn")


@rule(
    "duelyst.draw.only-when-due",
    "Player's turn overview",
    "L76 L77 L84 L90",
    "Cards are drawn only where a rule or a card says so.",
)
def draw_when_due(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """No draw is owed, or not to this player."""
    return f"{name_of(table, event.player)} draws although nothing says so"


@rule(
    "duelyst.replace.another-card",
    "Player's turn overview",
    "L84",
    "The card goes back to the deck and another one is drawn.",
)
def another_card(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """One card, not the one that was put back (ruling `replace`)."""
    wrong = _as_many(table, event, "for the card that was put back")
    due = due_now(table)
    if wrong is not None or not isinstance(due, DrawDue) or is_again(table):
        return wrong
    if event.cards is UNSET or any(map(is_unseen, (*event.cards, due.besides))):
        return CannotTell(f"nobody wrote down which card {name_of(table, event.player)} drew")
    if due.besides in event.cards:
        return f"{name_of(table, event.player)} draws the card that was just put back"
    return None


@case(another_card)
def card_to_draw(table: Duelyst, event: ev.CardReplaced) -> Verdict:
    """There is another card in the deck."""
    if zone_of(table, "deck", event.player).size > 0:
        return NOT_AT_STAKE
    return f"the deck of {name_of(table, event.player)} is empty, so there is no other card to draw"


@rule("duelyst.hand.limit", "", "", "A limit of the hand is not covered: ruling `hand_limit`.")
def hand_limit(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Only with a limit: nobody draws into a full hand."""
    if table.options["hand_limit"] == "none" or not table.turn:
        return NOT_AT_STAKE
    size = zone_of(table, "hand", event.player).size
    if size < HAND:
        return None
    return Broken(f"{name_of(table, event.player)} draws with {size} cards in the hand", f"no draw from {HAND} on")


@rule("duelyst.deck.empty-draw", "", "", "Drawing from an empty deck is not covered: ruling `empty_deck`.")
def empty_draw(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Nothing is drawn from an empty deck."""
    return f"{name_of(table, event.player)} draws from an empty deck"


@rule("duelyst.ability.as-declared", "Card types", "", "A card does what its declared text says.")
def ability_draw(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """As many cards as the card text says."""
    return _as_many(table, event, "for the card text")


DRAW_RULES: Final[dict[str, Rule]] = {"end": end_draw, "replace": another_card, "ability": ability_draw}


def judge_draw(table: Duelyst, event: ev.CardsDrawn) -> tuple[Judgement, ...]:
    """Look whether a draw is owed, and at the rule that owes it; one that nobody owes breaks only the nearest rule."""
    if not table.turn:
        if table.players[event.player].opened:
            return ((draw_when_due, draw_when_due(table, event)),)
        return (draw_when_due, None), (draw_five, draw_five(table, event))
    due = due_now(table)
    if isinstance(due, DrawDue) and due.player == event.player:
        rule = DRAW_RULES[due.why]
        return (draw_when_due, None), (rule, rule(table, event))
    rule = draw_when_due
    if zone_of(table, "hand", event.player).size >= HAND and table.options["hand_limit"] != "none":
        rule = hand_limit
    elif zone_of(table, "deck", event.player).size <= 0:
        rule = empty_draw
    return ((rule, rule(table, event)),)


def _as_many(table: Duelyst, event: ev.CardsDrawn, why: str) -> Verdict:
    """Tell whether as many cards are drawn as are owed."""
    due = due_now(table)
    if not isinstance(due, DrawDue) or not can_draw(table, due):
        return draw_when_due(table, event)
    owed = min(due.count, zone_of(table, "deck", event.player).size)
    drawn = event.count if event.cards is UNSET else len(event.cards)
    if drawn == owed:
        return None
    return Broken(f"{name_of(table, event.player)} draws {drawn} cards {why}", str(owed))


# -- tokens and targets ------------------------------------------------------------------------------------------------


@rule(
    "duelyst.dervish.obelysk-spawns",
    "Dervish",
    "L227",
    "An Obelysk brings a token at the start of its player's turn, unless it is surrounded.",
)
def obelysk_spawns(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """One token, on a free tile beside the Obelysk."""
    return _token(table, event)


@rule(
    "duelyst.structure.dispelled",
    "Structure",
    "L254-L256",
    "A dispelled Structure summons nothing any more, but still cannot move or attack and keeps its tile.",
)
def dispelled_structure(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """A dispelled Structure brings nothing."""
    return f"{called(table, event.source)} is dispelled and summons nothing any more"


@rule("duelyst.vespyr.tokens-count", "Vespyr", "L262", "Vespyr tokens trigger Vespyr effects too.")
def token_counts(table: Duelyst, event: ev.TargetPicked) -> Verdict:
    """Luck picks a target because of a token."""
    return target_fits(table, event)


@case(ability_draw)
def only_people_can_tell(table: Duelyst, event: Any) -> Verdict:
    """A text beyond the vocabulary is carried out by the people at the table."""
    card = table.cards.get(event.card)
    if card is None or card.text is None or not card.text.manual:
        return NOT_AT_STAKE
    return CannotTell(f"only people can tell what {card.text.name} does: {card.text.manual}")


@case(ability_draw)
def token_fits(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """The token is due, and lands where the card text says."""
    return _token(table, event)


@case(ability_draw)
def target_fits(table: Duelyst, event: ev.TargetPicked) -> Verdict:
    """A target is due, and is one of those that the card text allows."""
    due = due_now(table)
    if not isinstance(due, TargetDue) or due.source != event.source:
        return f"{called(table, event.source)} picks a target although nothing says so"
    names = [unit.name for unit in enemy_minions(table, due.player)]

    def words() -> str:
        return ", ".join(called(table, name) for name in names)

    if event.target in names:
        return Kept(lambda: f"luck could pick one of {words()}")
    return Broken(f"{called(table, event.target)} is no enemy minion on the board", f"one of {words()}")


def token_at_stake(table: Duelyst, event: ev.TokenSummoned) -> Any:
    """Give the rule that a token is judged by."""
    source = unit_called(table, event.source)
    if source is not None and source.dispelled and source.text.tribe == "structure":
        return dispelled_structure
    is_obelysk = source is not None and "obelysk" in source.text.says.keywords
    return obelysk_spawns if is_obelysk else token_fits


def target_at_stake(table: Duelyst, _event: ev.TargetPicked) -> Any:
    """Give the rule that a picked target is judged by."""
    due = due_now(table)
    return token_counts if isinstance(due, TargetDue) and due.rule == token_counts.id else target_fits


def _token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """Tell whether a token is due and where it may appear."""
    due = due_now(table)
    if not isinstance(due, TokenDue) or due.source != event.source:
        return f"{called(table, event.source)} summons a token although nothing says so"
    if card_of(event.unit) != due.card or owner_of(event.unit) != due.player:
        return Broken(f"{called(table, event.source)} brings {event.unit}", next_name(table, due.player, due.card))
    unit = unit_called(table, due.beside)
    tiles = free_beside(table, unit.place) if unit is not None else []

    def words() -> str:
        return ", ".join(str(list(tile)) for tile in tiles)

    if event.tile in tiles:
        return Kept(lambda: f"the token could appear on one of {words()}")
    return Broken(f"the token of {called(table, event.source)} appears on {list(event.tile)}", f"one of {words()}")


@case(known_cards)
def known_token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """It has the next free number."""
    if card_of(event.unit) not in table.library:
        return f"nobody knows the card {event.unit}"
    name = next_name(table, owner_of(event.unit), card_of(event.unit))
    return None if event.unit == name else Broken(f"the new unit is called {event.unit}", name)


# -- Battle Pets -------------------------------------------------------------------------------------------------------


@rule(
    "duelyst.pet.at-turn-start",
    "Battle pet",
    "L215 L216",
    "Pets act when their player's turn begins, in the order in which they entered.",
)
def pet_in_order(table: Duelyst, event: ev.PetActed) -> Verdict:
    """It is this pet that acts now."""
    due = due_now(table)
    if isinstance(due, PetDue) and due.unit == event.unit:
        return None
    if isinstance(due, PetDue):
        return Broken(f"{called(table, event.unit)} acts out of order", f"{called(table, due.unit)} acts first")
    return f"{called(table, event.unit)} acts, but it is not at the beginning of its player's turn"


@rule(
    ADJACENT,
    "Battle pet",
    "L194-L197",
    "With enemies beside it a pet attacks the closest one without moving; row and column come before diagonals; luck"
    " among equals.",
)
def pet_adjacent(table: Duelyst, event: ev.PetActed) -> Verdict:
    """The choice is one of step A."""
    return _pet(table, event)


@rule(
    NEAREST,
    "Battle pet",
    "L201-L207",
    "Else it goes where an attack needs the fewest tiles, and attacks the closest enemy from there.",
)
def pet_nearest(table: Duelyst, event: ev.PetActed) -> Verdict:
    """The choice is one of step B."""
    return _pet(table, event)


@rule(
    TOWARD,
    "Battle pet",
    "L198-L200",
    "If nobody can be attacked even after moving it moves toward a closest enemy.",
)
def pet_toward(table: Duelyst, event: ev.PetActed) -> Verdict:
    """The choice is one of step C."""
    return _pet(table, event)


PET_RULES: Final[dict[str, Rule]] = {ADJACENT: pet_adjacent, NEAREST: pet_nearest, TOWARD: pet_toward}


def pet_at_stake(table: Duelyst, event: ev.PetActed) -> Rule | Case:
    """Give the rule that a pet's choice is judged by, with the verdict: the permitted choices are found only once."""
    pet = unit_called(table, event.unit)
    if pet is None:
        return pet_toward
    choices = choices_of(table, pet)
    return Case(PET_RULES[choices.rule], lambda table, event: _judged(table, event, choices))


def _pet(table: Duelyst, event: ev.PetActed) -> Verdict:
    """Tell whether a pet's choice is one of the permitted ones, and which these are."""
    pet = unit_called(table, event.unit)
    if pet is None:
        return f"{called(table, event.unit)} is not on the board"
    return _judged(table, event, choices_of(table, pet))


def _judged(table: Duelyst, event: ev.PetActed, choices: Choices) -> Verdict:
    chosen = (None if event.to is UNSET else event.to, None if event.target is UNSET else event.target)

    def words() -> str:
        return "; ".join(sorted(choice_in_words(table, choice) for choice in choices.permitted))

    if chosen in choices.permitted:
        others = "nothing else was permitted" if len(choices.permitted) == 1 else "permitted were: {}"
        return Kept(lambda: f"{called(table, event.unit)} {choice_in_words(table, chosen)}; {others.format(words())}")
    message = f"{called(table, event.unit)} {choice_in_words(table, chosen)}"
    return Broken(message, f"one of: {words()}", because=keyword_ignored(table, event.unit, chosen, choices))


def choice_in_words(table: Duelyst, choice: Choice) -> str:
    """Give a pet's choice as people say it."""
    tile, target = choice
    where = "stays" if tile is None else f"goes to {list(tile)}"
    return f"{where} and attacks {called(table, target) if target else 'nobody'}"
