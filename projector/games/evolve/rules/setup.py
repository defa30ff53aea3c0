"""Starting a game: players, lists, opening hands and mulligans (L205 to L208)."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from events.games.evolve import CardsDrawn, DeckDeclared, DeckShuffled, FirstPlayerChosen, MulliganTaken
from events.names import is_unseen
from events.shared import GameStarted
from projector.games.evolve.rules.common import where
from projector.games.evolve.state import BEGIN, DRAW, KINDS, SETUP, Evolve, EvolvePlayer, EvolveText, name_of, title_of
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Case, Verdict, case, rule

# -- who plays, with what ----------------------------------------------------------------------------------------------


@rule(
    "evolve.players.two",
    "Introduction",
    "L2.3 L210.1 L213.1",
    "Two players, called current player and opponent by whose turn it is.",
)
def players_two(_table: Evolve, event: GameStarted) -> Verdict:
    """Two different ids sit at the table."""
    ids = [seat.id for seat in event.players]
    if len(ids) == 2 and ids[0] != ids[1]:
        return None
    return Broken(f"{len(set(ids))} players sit at the table; Evolve is for two", "two players")


@case(players_two)
def lists_declared(table: Evolve, _event: Any) -> Verdict:
    """Both lists have to be there before the first turn."""
    missing = [player.name for player in table.players.values() if not player.listed]
    if not missing:
        return None
    return Broken(f"the game goes on before {' and '.join(missing)} has declared a list", "deck.declared", "missing")


@rule(
    "evolve.card.main-types",
    "The Cards: Organisms",
    "L10.1 L35.1",
    "Four card types: organism, event (two subtypes), mutation, status.",
)
def main_types(table: Evolve, event: DeckDeclared) -> Verdict:
    """Each card of the list is known and of one of the four types."""
    for card in dict.fromkeys(event.cards):
        text = table.library.get(card)
        if text is None:
            return f"nobody knows a card called {card!r}"
        if text.kind not in KINDS:
            return Broken(f"{text.name} is called {text.kind!r}, which is no card type", ", ".join(KINDS))
    return None


def _organisms(table: Evolve, event: DeckDeclared) -> Iterable[EvolveText]:
    """Give the non-food organisms of a list, each once."""
    texts = (table.library.get(card) for card in dict.fromkeys(event.cards))
    return (text for text in texts if text is not None and text.kind == "organism" and not text.food)


@rule(
    "evolve.card.food-label",
    "The Cards: Organisms",
    "L10.1",
    "An organism is food only if it says so; otherwise it is non-food and normally has a phylum.",
)
def food_label(table: Evolve, event: DeckDeclared) -> Verdict:
    """A non-food organism without a phylum is worth a word, no more."""
    for text in _organisms(table, event):
        if not text.phylum:
            return Broken(f"{text.name} is neither food nor of a phylum", "food, or a phylum", "info")
    return None


@rule(
    "evolve.card.phylum-tier",
    "The Cards: Organisms",
    "L25.1 L28.1",
    "A non-food organism has two subtypes, phylum and tier; the type line shows both.",
)
def phylum_tier(table: Evolve, event: DeckDeclared) -> Verdict:
    """A non-food organism prints its tier."""
    for text in _organisms(table, event):
        if not text.tier:
            return Broken(f"{text.name} is no food and prints no tier", "a tier")
    return None


@rule(
    "evolve.tier.three",
    "Duplicating and Evolving Organisms",
    "L169.1",
    "There are tiers 1, 2 and 3.",
)
def tier_three(table: Evolve, event: DeckDeclared) -> Verdict:
    """Printed tiers are 1, 2 or 3."""
    for text in _organisms(table, event):
        if text.tier not in {0, 1, 2, 3}:
            return Broken(f"{text.name} is of tier {text.tier}", "tier 1, 2 or 3")
    return None


@rule(
    "evolve.tier3.evolve-cost",
    "Duplicating and Evolving Organisms",
    "L197.1",
    "A tier 3 organism lists an evolve cost too.",
)
def tier3_evolve_cost(table: Evolve, event: DeckDeclared) -> Verdict:
    """An organism of tier 3 prints an evolve cost; without one it can never win."""
    for text in _organisms(table, event):
        if text.tier == 3 and text.evolve is None:
            return Broken(f"{text.name} is of tier 3 and prints no evolve cost", "an evolve cost")
    return None


@rule(
    "evolve.status.subtypes",
    "Statuses",
    "L60.1",
    "Statuses have subtypes, e.g. environmental, natural selection.",
)
def status_subtypes(table: Evolve, event: DeckDeclared) -> Verdict:
    """A status prints a subtype."""
    for card in dict.fromkeys(event.cards):
        text = table.library.get(card)
        if text is not None and text.kind == "status" and not text.subtypes:
            return Broken(f"{text.name} prints no subtype", "at least one subtype")
    return None


@rule(
    "evolve.deck.construction",
    "Introduction",
    "L3.2 L4.3",
    "The text sets no deck size and no copy limit; phyla are meant to limit mixing.",
)
def deck_construction(table: Evolve, event: DeckDeclared) -> Verdict:
    """Only a table that has agreed on limits has them (ruling `deck_limits`)."""
    if table.options["deck_limits"] == "unchecked":
        return NOT_AT_STAKE
    if len(event.cards) < 40:
        return Broken(f"the list has {len(event.cards)} cards", "at least 40 cards")
    for card in dict.fromkeys(event.cards):
        if event.cards.count(card) > 3:
            return Broken(f"the list holds {card!r} {event.cards.count(card)} times", "at most 3 copies of a card")
    return None


# -- the opening -------------------------------------------------------------------------------------------------------


@rule(
    "evolve.setup.first-player",
    "Starting a Game",
    "L205.1 L205.2",
    "The first player is decided by an agreed method.",
)
def first_player(table: Evolve, event: FirstPlayerChosen) -> Verdict:
    """The first player is chosen once, during the set-up."""
    if table.phase != SETUP:
        return f"{name_of(table, event.player)} is made first player after the game has begun"
    return f"{name_of(table, table.first)} is the first player already" if table.first else None


@case(first_player)
def first_player_chosen(table: Evolve, _event: Any) -> Verdict:
    """Somebody has to be first before the first turn."""
    return None if table.first else Broken("the game goes on without a first player", "first-player.chosen", "missing")


@rule(
    "evolve.setup.hand-five",
    "Starting a Game",
    "L206.1",
    "Each player draws five cards.",
)
def hand_five(table: Evolve, event: CardsDrawn) -> Verdict:
    """The opening hand is drawn once, during the set-up, and has five cards."""
    name = name_of(table, event.player)
    if table.phase != SETUP or table.players[event.player].opened:
        return (
            f"{name} draws an opening hand again" if table.phase == SETUP else f"{name} draws an opening hand too late"
        )
    number = drawn_number(event)
    return None if number == 5 else Broken(f"{name} draws {number} cards for the opening hand", "5 cards")


@case(hand_five)
def hands_drawn(table: Evolve, _event: Any) -> Verdict:
    """Both hands have to be there before the first turn."""
    missing = [player.name for player in table.players.values() if not player.opened]
    if not missing:
        return None
    return Broken(f"the game goes on before {' and '.join(missing)} has an opening hand", "cards.drawn", "missing")


@case(hand_five)
def list_before_hand(table: Evolve, event: DeckDeclared) -> Verdict:
    """A list comes before the own opening hand."""
    late = table.players[event.player].opened or table.phase != SETUP
    return f"the list of {name_of(table, event.player)} comes after the opening hand" if late else None


@case(hand_five)
def shuffle_before_hand(table: Evolve, event: DeckShuffled) -> Verdict:
    """The shuffle of the set-up comes between the list and the opening hand."""
    if event.reason != "setup":
        return NOT_AT_STAKE
    player = table.players[event.player]
    if player.listed and not player.opened:
        return None
    return f"{player.name} shuffles for the set-up {'after the opening hand' if player.opened else 'before the list'}"


def missing_in_setup(table: Evolve, _event: Any) -> Case:
    """Say what the set-up lacks first: a list, the first player or a hand."""
    if not all(player.listed for player in table.players.values()):
        return lists_declared
    return hands_drawn if table.first else first_player_chosen


# -- cards of the deck -------------------------------------------------------------------------------------------------


def drawn_number(event: CardsDrawn | MulliganTaken) -> int:
    """Give how many cards a line draws."""
    cards = event.drawn if isinstance(event, MulliganTaken) else event.cards
    if cards is not UNSET:
        return len(cards)
    return 0 if event.count is UNSET else event.count


def drawn_from_deck(table: Evolve, player: EvolvePlayer, cards: Iterable[str], returned: Iterable[str] = ()) -> Verdict:
    """Drawn cards are different ones of the own deck; `returned` have just been put there."""
    deck = table.zones[player.deck_zone]
    back = set(returned)
    seen: set[str] = set()
    for name in cards:
        if name in seen:
            return f"{name} is drawn twice at once"
        seen.add(name)
        card = table.find(name)
        if name not in back and not table.may_be_in(name, deck) and not is_unseen(name):
            return f"{title_of(card, name)} is {where(table, card)}, not in the deck of {player.name}"
    return None


def bottom_in_order(table: Evolve, player: EvolvePlayer, cards: tuple[str, ...], bottom: tuple[str, ...]) -> Verdict:
    """Cards that are known to lie at the bottom come only in their order and when nothing lies above them."""
    if not bottom or not cards:
        return NOT_AT_STAKE
    above = table.zones[player.deck_zone].size - len(player.bottom)
    left = list(bottom)
    for name in cards:
        if name not in left:
            above -= 1
        elif above > 0 or left[0] != name:
            card = table.find(name)
            return (
                f"{title_of(card, name)} lies under other cards of the deck of {player.name} and is drawn all the same"
            )
        else:
            left.pop(0)
    return None


# -- mulligans ---------------------------------------------------------------------------------------------------------


def _keeps(event: MulliganTaken) -> bool:
    """Tell whether the line says only that a hand is kept."""
    return not event.free and not event.returned


@rule(
    "evolve.mulligan.setup-only",
    "Starting a Game",
    "L206.1 L206.2",
    "Mulligans happen before the first turn (inferred).",
)
def mulligan_in_setup(table: Evolve, event: MulliganTaken) -> Verdict:
    """No mulligan after the first turn has begun."""
    return None if table.phase == SETUP else f"{name_of(table, event.player)} takes a mulligan after the game has begun"


@case(hand_five)
def hand_before_mulligan(table: Evolve, event: MulliganTaken) -> Verdict:
    """A mulligan needs a hand."""
    if table.players[event.player].opened:
        return None
    return Broken(f"{name_of(table, event.player)} takes a mulligan without an opening hand", "cards.drawn", "missing")


@rule(
    "evolve.mulligan.free-not-after-claim",
    "Starting a Game",
    "L206.2",
    "Not after a mulligan was claimed.",
)
def free_not_after_claim(table: Evolve, event: MulliganTaken) -> Verdict:
    """A free mulligan comes before any other."""
    player = table.players[event.player]
    if not event.free:
        return NOT_AT_STAKE
    if player.free_mulligans and table.options["free_mulligan_repeat"] == "once":
        return f"{player.name} claims a second free mulligan"
    if player.mulligans and table.options["paid_then_free"] == "forbidden":
        return f"{player.name} claims a free mulligan after the ordinary one"
    return None


def is_whole_hand(table: Evolve, event: MulliganTaken) -> bool:
    """Tell whether a mulligan returns the whole hand and nothing else."""
    hand = table.zones[table.players[event.player].hand]
    different = len(set(event.returned)) == len(event.returned)
    return (
        different and hand.size == len(event.returned) and all(table.may_be_in(each, hand) for each in event.returned)
    )


@rule(
    "evolve.mulligan.free-reveal",
    "Starting a Game",
    "L206.2",
    "The hand is revealed.",
)
def free_reveal(table: Evolve, event: MulliganTaken) -> Verdict:
    """The whole hand is shown for a free mulligan."""
    if not event.free:
        return NOT_AT_STAKE
    if is_whole_hand(table, event):
        return None
    player = table.players[event.player]
    size = table.zones[player.hand].size
    return Broken(
        f"{player.name} shows {len(event.returned)} cards of a hand of {size}", f"the {size} cards of the hand"
    )


@rule(
    "evolve.mulligan.free-condition",
    "Starting a Game",
    "L206.2",
    "A hand without non-food organisms allows a free mulligan.",
)
def free_condition(table: Evolve, event: MulliganTaken) -> Verdict:
    """The hand of a free mulligan holds no non-food organism."""
    if not event.free or not is_whole_hand(table, event):
        return NOT_AT_STAKE
    for name in event.returned:
        card = table.find(name)
        if card is None or card.text is None:
            return CannotTell(f"nobody knows which card {name} is", name, _is_no_nonfood)
        verdict = _is_no_nonfood(card.text)
        if verdict is not None:
            return verdict
    return None


def _is_no_nonfood(text: EvolveText) -> str | None:
    nonfood = text.kind == "organism" and not text.food
    return f"the hand holds {text.name}, a non-food organism, and so has no free mulligan" if nonfood else None


@rule(
    "evolve.mulligan.free-bottom",
    "Starting a Game",
    "L206.2",
    "Those cards go to the bottom of the deck (no shuffle stated).",
)
def free_bottom(table: Evolve, event: MulliganTaken) -> Verdict:
    """The deck is not shuffled in a free mulligan (ruling `free_mulligan_shuffle`)."""
    if not event.free:
        return NOT_AT_STAKE
    shuffles = table.options["free_mulligan_shuffle"] == "shuffle"
    if event.shuffled == shuffles:
        return None
    name = name_of(table, event.player)
    return f"{name} does not shuffle in the free mulligan" if shuffles else f"{name} shuffles in the free mulligan"


@rule(
    "evolve.mulligan.one",
    "Starting a Game",
    "L207.1",
    "One ordinary mulligan per player, independent of the free one.",
)
def mulligan_one(table: Evolve, event: MulliganTaken) -> Verdict:
    """One ordinary mulligan a player."""
    if event.free or _keeps(event):
        return NOT_AT_STAKE
    player = table.players[event.player]
    if player.free_mulligans and table.options["free_then_paid"] == "forbidden":
        return f"{player.name} takes an ordinary mulligan after the free one"
    return f"{player.name} takes a second ordinary mulligan" if player.mulligans else None


@rule(
    "evolve.mulligan.whole-hand",
    "Starting a Game",
    "L207.2",
    "The ordinary mulligan exchanges the whole hand.",
)
def mulligan_whole_hand(table: Evolve, event: MulliganTaken) -> Verdict:
    """The ordinary mulligan exchanges the whole hand (ruling `mulligan_partial`)."""
    if event.free or _keeps(event) or table.options["mulligan_partial"] == "any_number":
        return NOT_AT_STAKE
    if is_whole_hand(table, event):
        return None
    player = table.players[event.player]
    size = table.zones[player.hand].size
    return Broken(
        f"{player.name} returns {len(event.returned)} cards of a hand of {size}", f"the {size} cards of the hand"
    )


@rule(
    "evolve.mulligan.shuffle",
    "Starting a Game",
    "L207.2",
    "The ordinary mulligan puts the cards on the bottom and shuffles the deck.",
)
def mulligan_shuffle(table: Evolve, event: MulliganTaken) -> Verdict:
    """The deck is shuffled in an ordinary mulligan."""
    if event.free or _keeps(event):
        return NOT_AT_STAKE
    return None if event.shuffled else f"{name_of(table, event.player)} does not shuffle in the ordinary mulligan"


@rule(
    "evolve.mulligan.redraw-five",
    "Starting a Game",
    "L206.2 L207.2",
    "Five new cards are drawn.",
)
def redraw_five(table: Evolve, event: MulliganTaken) -> Verdict:
    """As many cards are drawn as the opening hand has: five."""
    if _keeps(event):
        return NOT_AT_STAKE
    wanted = len(event.returned) if table.options["mulligan_partial"] == "any_number" and not event.free else 5
    number = drawn_number(event)
    if number == wanted:
        return None
    return Broken(f"{name_of(table, event.player)} draws {number} new cards", f"{wanted} cards")


@case(free_bottom)
def redraw_leaves_bottom(table: Evolve, event: MulliganTaken) -> Verdict:
    """The returned cards are not drawn again at once, unless the deck was shuffled or is too small."""
    if event.drawn is UNSET or _keeps(event) or event.shuffled or not is_whole_hand(table, event):
        return NOT_AT_STAKE
    player = table.players[event.player]
    return bottom_in_order(table, player, event.drawn, (*player.bottom, *event.returned))


@case(free_bottom)
def draw_leaves_bottom(table: Evolve, event: CardsDrawn) -> Verdict:
    """A draw does not reach the bottom before its time."""
    if event.cards is UNSET:
        return NOT_AT_STAKE
    player = table.players[event.player]
    return bottom_in_order(table, player, event.cards, player.bottom)


# -- the first turn ----------------------------------------------------------------------------------------------------


@rule(
    "evolve.setup.first-turn-no-draw",
    "Starting a Game",
    "L208.1",
    "The first player draws no card in the first begin step.",
)
def first_turn_no_draw(table: Evolve, event: CardsDrawn) -> Verdict:
    """The first player draws no card in the first begin step."""
    return f"{name_of(table, event.player)} draws at the start of the first turn of the game"


@rule(
    "evolve.setup.first-turn-no-dna",
    "Starting a Game",
    "L208.1",
    "Nor gains 1 DNA there.",
)
def first_turn_no_dna(table: Evolve, _event: Any) -> Verdict:
    """The first player gains no DNA there (a wrong consequence)."""
    return Broken(f"{name_of(table, table.first)} gains 1 DNA at the start of the first turn of the game", "no DNA")


def is_first_begin_step(table: Evolve) -> bool:
    """Tell whether the first turn has begun and nothing has been done in it."""
    return table.turn == 1 and table.phase in {BEGIN, DRAW}
