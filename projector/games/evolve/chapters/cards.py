"""The cards: what is printed on those of a list, where they are and what they cost (L3, L10 to L34, L60, L75, L229)."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.events.vocabulary.names import copies
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.chapters import COSTS, EVOLVING, INTRODUCTION, ORGANISM_CARDS, STATUSES, WRITTEN
from tabletape.projector.games.evolve.chapters.setup import declared_once, list_before_hand
from tabletape.projector.games.evolve.naming import called, in_hand, short_of
from tabletape.projector.games.evolve.orders import right_in_another_order
from tabletape.projector.games.evolve.schema import KINDS, EvolveText
from tabletape.projector.games.evolve.selecting import can_pay, mp_cost
from tabletape.projector.games.evolve.state import MAIN, SETUP, Evolve, EvolveCard, EvolvePlayer
from tabletape.projector.kit.moves import move
from tabletape.projector.model import legality, listed_cards
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Check, Rows, Rule, Undecidable, Verdict, case

WRONG: Final[list[Callable[[EvolveText], bool]]] = []
"""What may be wrong with a printed card by itself."""


def no_card(is_wrong: Callable[[EvolveText], bool], message: str, expected: str, kind: Any = "illegal") -> Check:
    """Return the check that with no card of a list something is wrong; `message` has a place for the card."""
    WRONG.append(is_wrong)

    def check(table: Evolve, event: ev.DeckDeclared) -> Verdict:
        texts = map(table.library.get, event.cards)
        wrong = next((text for text in texts if text is not None and is_wrong(text)), None)
        return None if wrong is None else Broken(message.format(wrong), expected, kind)

    return check


def _evolves(text: EvolveText) -> bool:
    return text.kind == "organism" and not text.food


NO_TYPE: Final = "{0.name} is called {0.kind!r}, which is no card type"
known_type: Final = no_card(lambda text: text.kind not in KINDS, NO_TYPE, ", ".join(KINDS))


@ORGANISM_CARDS.rule("evolve.card.main-types", "L10.1 L35.1", rests_on="nothing")
def main_types(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """Four card types: organism, event (two subtypes), mutation, status."""
    are_known = listed_cards.are_known(table.library, event.cards)
    unknown = None if are_known else Undecidable(unknown_cards(event.cards, table.library), once=True)
    return known_type(table, event) or unknown


food_label: Final = ORGANISM_CARDS.rule(
    "evolve.card.food-label",
    "L10.1",
    "An organism is food only if it says so; otherwise it is non-food and normally has a phylum.",
)(
    no_card(
        lambda text: _evolves(text) and not text.phylum,
        "{0.name} is neither food nor of a phylum",
        "food, or a phylum",
        "info",
    )
)
phylum_tier: Final = ORGANISM_CARDS.rule(
    "evolve.card.phylum-tier",
    "L25.1 L28.1",
    "A non-food organism has two subtypes, phylum and tier; the type line shows both.",
)(no_card(lambda text: _evolves(text) and not text.tier, "{0.name} is no food and prints no tier", "a tier"))
tier_three: Final = EVOLVING.rule("evolve.tier.three", "L169.1", "There are tiers 1, 2 and 3.")(
    no_card(lambda text: _evolves(text) and text.tier not in range(4), "{0.name} is of tier {0.tier}", "tier 1, 2 or 3")
)
tier3_evolve_cost: Final = EVOLVING.rule(
    "evolve.tier3.evolve-cost", "L197.1", "A tier 3 organism lists an evolve cost too."
)(
    no_card(
        lambda text: _evolves(text) and text.tier == 3 and text.evolve is None,
        "{0.name} is of tier 3 and prints no evolve cost",
        "an evolve cost",
    )
)
status_subtypes: Final = STATUSES.rule(
    "evolve.status.subtypes", "L60.1", "Statuses have subtypes, e.g. environmental, natural selection."
)(
    no_card(
        lambda text: text.kind == "status" and not text.subtypes, "{0.name} prints no subtype", "at least one subtype"
    )
)


@INTRODUCTION.rule("evolve.deck.construction", "L3.2 L4.3")
def deck_construction(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """The text sets no deck size and no copy limit; phyla are meant to limit mixing."""
    if table.options["deck_limits"] == "unchecked":
        return NOT_APPLICABLE
    if len(event.cards) < 40:
        message = f"the list has {how_many(len(event.cards), 'card')}, fewer than 40{as_ruled(table, 'deck_limits')}"
        return Broken(message, "at least 40 cards")
    most = next((card for card, count in Counter(event.cards).items() if count > 3), "")
    message = f"the list holds {most} {event.cards.count(most)} times, more than 3{as_ruled(table, 'deck_limits')}"
    return Broken(message, "at most 3 copies of a card") if most else None


PRINTED_TESTS: Final = (main_types, food_label, phylum_tier, tier_three, tier3_evolve_cost, status_subtypes)
"""What is asked of the printed cards of a list."""


@listed_cards.once_a_list
def _are_sound(library: Mapping[str, EvolveText], cards: tuple[str, ...]) -> bool:
    is_known = listed_cards.are_known(library, cards)
    return is_known and not any(is_wrong(library[card]) for card in {*cards} for is_wrong in WRONG)


def is_sound(table: Evolve, event: ev.DeckDeclared) -> bool:
    """Return whether no card of a list is worth a word, and the list is declared in time: nearly all are so."""
    player = table.players[event.player]
    is_in_time = table.phase == SETUP and not player.opened and not player.listed
    return is_in_time and table.options["deck_limits"] == "unchecked" and _are_sound(table.library, event.cards)


@move(
    ev.DeckDeclared,
    *(declared_once, *PRINTED_TESTS, deck_construction, list_before_hand),
    is_usual=is_sound,
    keeps=(declared_once, *PRINTED_TESTS, list_before_hand),
)
def declare_deck(table: Evolve, event: ev.DeckDeclared) -> None:
    """Put the cards of a list into the deck; one that has been drawn before is not there any more."""
    player = table.players[event.player]
    deck = table.zones[player.deck_zone]
    known = table.make_all(copies(event.player, event.cards), deck)
    if deck.unseen < 0:
        table.count(deck, "unseen", min(len(known), -deck.unseen))
    table.set(player, "listed", True)
    table.set(player, "phylum", _commonest_phylum(table.library, event.cards))


@listed_cards.once_a_list
def _commonest_phylum(library: Mapping[str, Any], cards: tuple[str, ...]) -> str:
    """Return the phylum with most copies, the first by name of several."""
    counted = Counter(library[card].phylum for card in cards if card in library)
    del counted[""]
    return min(counted, key=lambda phylum: (-counted[phylum], phylum), default="")


Played = ev.OrganismPlayed | ev.MutationPlayed | ev.StatusPlayed | ev.EventPlayed | ev.ResponsePlayed
"""A card that is played."""


@EVOLVING.rule("evolve.state.card-location", "L171.1 L229.1 L251.1")
def card_location(table: Evolve, event: Played | ev.SurplusDiscarded) -> Verdict:
    """A card can be used only from the zone it is in (structural, inferred)."""
    return in_hand(table, event, event.card)


def lay_open(table: Evolve, player: EvolvePlayer, name: str) -> EvolveCard:
    """Lay a card of the hand open on the stack."""
    card = table.take(name, table.zones[player.hand])
    table.move(card, table.zones["stack"])
    table.set(card, "face_up", True)
    return card


@move(ev.CardShown)
def show_card(table: Evolve, event: ev.CardShown) -> None:
    """Name an unnamed card."""
    card = table.recognise(event.was, event.card)
    if card.in_play and card.name not in {*table.watching, *table.reaching}:
        changes.watch(table, card)


def is_own_main_step(table: Evolve, event: Any) -> bool:
    """Return whether it is the main step of the event's player; only then are costs looked at."""
    return table.phase == MAIN and event.player == table.active


@COSTS.rule("evolve.cost.affordable", "L75.1 L251.1", "A cost that cannot be paid in full cannot be chosen (inferred).")
def affordable(table: Evolve, event: Played) -> Verdict:
    """The printed MP and DNA of a card that is played in the own main step."""
    return printed_cost(table, event) if is_own_main_step(table, event) else NOT_APPLICABLE


@case(affordable)
def printed_cost(table: Evolve, event: Played) -> Verdict:
    """The printed MP and DNA of a card, whenever it is played (ruling `event_pay_fail`)."""
    card = table.find(event.card)
    text = None if card is None else card.text
    if text is None:
        return NOT_APPLICABLE
    if can_pay(table, event.player, text):
        return None
    if isinstance(event, ev.EventPlayed | ev.ResponsePlayed) and table.options["event_pay_fail"] == "withdrawn":
        return NOT_APPLICABLE
    short = short_of(table, event.player, mp_cost(table, text), text.dna)
    return f"{text.name} cannot be paid: {short}" if short else NOT_APPLICABLE


def lay_paid(table: Evolve, event: Played) -> EvolveCard:
    """Lay a card of the hand open on the stack and pay what it prints."""
    player = table.players[event.player]
    card = lay_open(table, player, event.card)
    text = card.text
    if text is not None and (cost := mp_cost(table, text)):
        rule = "evolve.mp.primary" if player.id == table.active else "evolve.mp.opponents-turn"
        changes.change_mp(table, player, -cost, rule)
    if text is not None and text.dna:
        rule = "evolve.dna.play-cost" if text.kind == "organism" else "evolve.dna.extra-cost"
        changes.change_dna(table, player, -text.dna, rule)
    return card


# -- what nobody can tell ----------------------------------------------------------------------------------------------
# Card text goes before rules ("unless the card says otherwise": L21.1, L36.1, L49.1, L89.1, L234.1, L235.1). So while a
# card is about whose text only people can check, what seems to break a rule that card text can change is reported once,
# as a doubt: nobody is accused of it.

state_consequence: Final = WRITTEN["evolve.state.consequence"]


def doubt(rows: Rows, table: Evolve, rule: Rule, event: Event) -> RuleVerdict | None:
    """Return the doubt whether a rule is broken, because of a card's text or of an order; or None.

    `rows` are the tests of each line, to be made again after another order.
    """
    if rule.rests_on == "nothing":
        return None
    name: str = getattr(event, "card", "") or ""
    card = unchecked_card(table, name)
    if card is not None and (rule.rests_on != "printed" or card is table.find(name)):
        return RuleVerdict(rule, only_people_can_tell(table, card.name))

    def is_kept() -> bool:
        return rule.id not in legality.failing_rules(rows.get(type(event), ()), table, event)

    if not table.unordered:
        return None
    is_right = partial(_is_so, table, event) if isinstance(event, Consequence) else is_kept
    verdict = right_in_another_order(table, is_right)
    return RuleVerdict(rule, verdict) if verdict is not None else None


def only_people_can_tell(table: Evolve, name: str) -> Undecidable:
    """Return, once a game, that a card may do what the log says of it or of other cards."""
    return Undecidable(f"only people can tell what {called(table, name)} allows and does", once=True)


def unchecked_card(table: Evolve, name: str = "") -> EvolveCard | None:
    """Return a card with a text that only people can check: the one of a line, or one that is or has been at work."""
    if not any(text.manual for text in table.library.values()):
        return None
    own = table.find(name) if name else None
    open_zones = [zone for zone in table.zones.values() if zone.role in {"", "discard"}]
    cards = chain(() if own is None else (own,), *(zone.cards for zone in open_zones))
    return next((card for card in cards if card.text is not None and card.text.manual), None)


def _is_so(table: Evolve, event: Consequence) -> bool:
    """Return whether the table is as a written consequence leaves it."""
    if isinstance(event, ev.MpChanged | ev.DnaChanged):
        player = table.players.get(event.player)
        return player is not None and event.to == (player.mp if isinstance(event, ev.MpChanged) else player.dna)
    card = table.find(getattr(event, "card", ""))
    if card is None or isinstance(event, ev.OrganismDied | ev.CardLeft):
        return card is not None and card.zone.role == "discard"
    is_so: Any = isinstance(event, ev.CardEntered)
    if isinstance(event, ev.EnergyChanged):
        is_so = card.energy == event.to
    elif isinstance(event, ev.OrganismStressed | ev.FoodUnstressed):
        is_so = card.stressed is isinstance(event, ev.OrganismStressed)
    return bool(is_so) and card.in_play


def may_come_of_a_card(table: Evolve, _event: object, expected: object) -> RuleVerdict | None:
    """Return the doubt whether a line follows from a card that only people can check, or None."""
    if expected is None and table.manual and not table.over:
        return RuleVerdict(state_consequence, only_people_can_tell(table, table.manual))
    return None
