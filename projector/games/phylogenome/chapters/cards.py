"""Types of cards: what a log may name, what each kind is for, and which cards a player has at hand."""

from typing import Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.events.vocabulary.names import owner_of
from tabletape.projector.games.phylogenome import effects, tableau
from tabletape.projector.games.phylogenome.chapters import EVENT_CARD, GAME_BEGINS, TYPES_OF_CARDS
from tabletape.projector.games.phylogenome.naming import not_in_hand
from tabletape.projector.games.phylogenome.schema import PhyloText
from tabletape.projector.games.phylogenome.state import EVENT, SPECIES, TABLEAU, Phylo, PhyloCard, is_event
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.card_verdicts import as_printed
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model import listed_cards, showing
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import named
from tabletape.projector.model.rules import OUTSIDE, Rule, Undecidable, Verdict, case
from tabletape.projector.model.things import Zone

CARD_FIELDS: Final = ("card", "discarded", "target", "cards", "paid")
"""The fields of lines that name cards."""


@OUTSIDE.rule("phylogenome.state.known-card", "", rests_on="nothing")
def known_cards(table: Phylo, event: ev.DeckDeclared) -> Verdict:
    """A log names cards that exist."""
    are_known = listed_cards.are_known(table.library, event.cards)
    return None if are_known else common_rules.unknown_among(table, event.cards)


@case(known_cards)
def known_card(table: Phylo, event: Event) -> Verdict:
    """The cards that a line names lie on the table, or are known, or nobody has seen them."""
    moved = (move.card for move in getattr(event, "moves", ()))
    return common_rules.unknown_among(table, (*common_rules.names_in(event, CARD_FIELDS), *moved))


one_identity: Final = OUTSIDE.rule(
    "phylogenome.state.single-identity", "", common_rules.SINGLE_IDENTITY, rests_on="nothing"
)(common_rules.shown_as_one_card)


def may_lie_in(table: Phylo, name: str, zone: Zone) -> bool:
    """Return whether a card lies in a zone, may be an unseen one there, or cannot be told because it is unknown."""
    return table.may_be_in(name, zone) or common_rules.is_unknown(table, name)


def named_hand(table: Phylo, player: str) -> list[PhyloCard]:
    """Return the hand cards of a player that the log names."""
    return [card for card in zone_of(table, "hand", player).cards if card.text is not None]


@TYPES_OF_CARDS.rule("phylogenome.card.three-types", "L15", rests_on="nothing")
@as_printed
def plays_species(_table: Phylo, _event: ev.SpeciesPlayed, text: PhyloText) -> Verdict:
    """A card is a Species, an Event or a Generation progress card; each kind has its own way of being played."""
    return f"{text.name} is an Event; only Species are laid on a cell" if text.kind == EVENT else None


@case(plays_species)
@as_printed
def plays_event(_table: Phylo, _event: ev.EventPlayed, text: PhyloText) -> Verdict:
    """What is played as an Event is one."""
    return f"{text.name} is a Species; it is laid on a cell" if text.kind == SPECIES else None


@GAME_BEGINS.rule("phylogenome.play.from-hand", "L76 L79 L81", "The card comes from the player's hand.")
def from_hand(table: Phylo, event: ev.EventPlayed | ev.SpeciesPlayed) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there."""
    if may_lie_in(table, event.card, table.hands[event.player]):
        return None
    return not_in_hand(table, event.card, event.player)


AS_DECLARED: Final = EVENT_CARD.declare(
    "phylogenome.event.as-declared", "L30.1 L30.2", "A card does what its declared text says."
)


def nameless_species(table: Phylo, player: str = "") -> str:
    """Return the name of a Species in play (facing a player) whose text is unknown, or nothing."""
    lying = table.zones[TABLEAU].cards
    return next((each.name for each in lying if each.text is None and player in {"", each.controller}), "")


@move(ev.CardShown, known_card, one_identity)
def card_shown(table: Phylo, event: ev.CardShown) -> None:
    """Name an unnamed card; in play it is what is printed on it from now on."""
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    if unnamed is not None:
        tableau.withdraw(table, unnamed)
    card = showing.show(table, event.was, event.card, table.hands[owner])
    if unnamed is not None and card.zone.name == TABLEAU:
        for name in card.beneath:
            table.set(table.cards[name], "host", card.name)
        table.lay_out_cells()
        tableau.become_known(table, card)
    elif unnamed is not None and card.zone.name == f"table:{owner}":
        if table.unchecked == event.was:
            table.set(table, "unchecked", card.name)
        if is_event(card) and card.text.says.mode != "table":  # what it has done when played nobody has written down
            effects.put_on_pile(table, card, card.owner)


# -- what nobody can tell ----------------------------------------------------------------------------------------------


def unchecked_card(table: Phylo) -> str:
    """Return the name of a card that acts now although nobody can check what it does, or nothing.

    Such a card is in play, or was played once and its text may still hold.
    """
    if table.unchecked and table.turn <= table.unchecked_until:
        return table.unchecked
    return next((card.name for card in table.cards.values() if card.in_play and _is_unchecked(card)), "")


def _is_unchecked(card: PhyloCard) -> bool:
    if card.text is None:
        return card.zone.name != TABLEAU
    return bool(card.text.manual)


def doubt(table: Phylo, rule: Rule, event: Event) -> RuleVerdict | None:
    """Return the verdict that a card may have set a rule aside which nobody can check; None where there is none."""
    if rule.rests_on == "nothing":
        return None
    if isinstance(event, ev.StateObserved):
        totals = doubt_of_totals(table, event.player or "")
        return None if totals is None else RuleVerdict(rule, totals)
    own = table.find(event.card) if isinstance(event, ev.EventPlayed) else None
    card = own.name if own is not None and _is_unchecked(own) else unchecked_card(table)
    if not card:
        return None
    if isinstance(event, Consequence):
        message = f"{named(table, card)} does what only people can tell, so nobody can check what follows"
        return RuleVerdict(AS_DECLARED, Undecidable(message, once=True))
    message = f"{named(table, card)} is a card that nobody can check: it may allow what the rules forbid"
    return RuleVerdict(rule, Undecidable(message, once=True))


def doubt_of_totals(table: Phylo, player: str = "") -> Undecidable | None:
    """Return why the totals of a player (of all) may rest on an uncheckable card, or None."""
    card = table.unchecked or unchecked_card(table) or nameless_species(table, player)
    if not card:
        return None
    return Undecidable(f"a card that nobody can check has been played: {named(table, card)}", once=True)
