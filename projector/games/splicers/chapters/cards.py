"""Card types: where cards are, what they are, and which card turns out to be a hidden one."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.games.splicers import board
from tabletape.projector.games.splicers.chapters import CARD_TYPES, EVENT_CARDS, SET_UP, WRITTEN, setup
from tabletape.projector.games.splicers.effects import add_actions, to_discard_pile
from tabletape.projector.games.splicers.naming import called, not_in, not_named, title
from tabletape.projector.games.splicers.schema import SplicersText
from tabletape.projector.games.splicers.state import Splicers, SplicersCard
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.adopting import surplus
from tabletape.projector.kit.consequence import Adopt, Follows, Words, consequence
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model import showing
from tabletape.projector.model.amounts import how_many, with_article
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule, Undecidable, Verdict, case
from tabletape.projector.model.suggestions import nearest

Played = ev.SeedPlayed | ev.JumperPlayed | ev.TingUpgraded | ev.MutationPlayed | ev.EventPlayed
"""A card that is played from the hand."""


@EVENT_CARDS.rule("splicers.state.card-location", "L95.1 L126.1 L140.2", rests_on="cards")
def in_hand(table: Splicers, event: Played) -> Verdict:
    """A card can be used only from the zone it is in (structural, inferred)."""
    hand = zone_of(table, "hand", event.player)
    return None if table.may_be_in(event.card, hand) else not_in(table, event.card, hand)


@case(in_hand)
def in_deck(table: Splicers, event: ev.CardsDrawn | ev.MulliganTaken) -> Verdict:
    """What is drawn are different cards of the own deck, and no more than there are."""
    deck = zone_of(table, "deck", event.player)
    cards = event.cards if isinstance(event, ev.CardsDrawn) else event.drawn
    if cards is UNSET:
        count = event.count if isinstance(event.count, int) else 0
        return None if count <= deck.size else f"{how_many(count, 'card')} drawn from a deck of {deck.size}"
    returned: tuple[str, ...] = ()
    if isinstance(event, ev.MulliganTaken) and table.options["mulligan_destination"] != "discard_pile":
        returned = event.returned
    for name in cards or ():
        if not table.may_be_in(name, deck) and name not in returned:
            return not_in(table, name, deck)
    return f"{called(table, cards[0])} is drawn twice" if cards and len(set(cards)) < len(cards) else None


@SET_UP.rule("splicers.setup.exclude-splicer-bioms", "L40.1")
def no_splicer_or_biom(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Splicer and bioms are not part of the shuffled deck."""
    if event.cards is UNSET:
        return NOT_APPLICABLE
    for name in event.cards or ():
        card = table.find(name)
        if card is not None and card.text is not None and card.text.kind in {"splicer", "biom"}:
            return f"{card.text.name} is drawn, {with_article(card.text.kind)} is never in the deck"
    return None


def text_of(table: Splicers, name: str) -> SplicersText | None:
    """Return what is printed on a card that a line names, as far as its name tells."""
    card = table.find(name)
    text: SplicersText | None = table.library.get(card_of(name)) if card is None else card.text
    return text


def depends(card: str, text: SplicersText | None, judge: Callable[[Any], str | None]) -> Verdict:
    """Return the verdict on what is printed on a card, now or when it is shown; one that no file knows never is."""
    return not_named(card, judge) if text is None else judge(text)


def of_kind(table: Splicers, name: str, kind: str) -> Verdict:
    """Return whether a card is of a kind, now or when it is shown."""

    def judge(text: SplicersText) -> str | None:
        is_so = text.kind == kind
        return None if is_so else f"{text.name} is {with_article(text.kind)}, not {with_article(kind)}"

    return depends(name, text_of(table, name), judge)


def named_hand(table: Splicers, player: str) -> list[SplicersCard]:
    """Return the hand cards that the log names."""
    return [card for card in zone_of(table, "hand", player).cards if card.text is not None]


@CARD_TYPES.rule("splicers.state.single-identity", "L55.2 L149.3")
def one_identity(table: Splicers, event: ev.EventRevealed | ev.TingEvolved) -> Verdict:
    """A face-down card keeps its identity until it leaves play (structural, inferred)."""
    if event.was is UNSET:
        return NOT_APPLICABLE
    before = table.cards.get(event.was)
    card = table.find(event.card)
    if before is not None and before.renamed_to and before.renamed_to != event.card:
        was = called(table, before.renamed_to)
        return Broken(f"{event.was} has turned out to be {was}, not {called(table, event.card)}", was)
    if before is None:
        return f"no card {event.was} has been mentioned"
    if card is None or card is table.find(event.was) or card.zone.unseen < 0 or not is_unseen(event.was):
        return None
    return f"{called(table, event.card)} lies in {card.zone.name.partition(':')[0]} and cannot be {event.was}"


@case(one_identity)
def shown_identity(table: Splicers, event: ev.CardShown) -> Verdict:
    """A card without a name that is shown is the one of the table that goes by it, or one of a hidden hand."""
    if table.find(event.was) is None:
        return showing.why_not_shown(table, event.was, event.card)
    return one_identity.check(table, event)


@SET_UP.rule("splicers.setup.deck-face-down", "L40.1", "The deck lies face down in front of its owner.")
def deck_face_down(table: Splicers, event: ev.CardShown) -> Verdict:
    """No card that lies in a deck is shown."""
    unnamed = table.find(event.was)
    card = table.find(event.card) if unnamed is None else unnamed
    if card is None or card.zone.role != "deck" or (unnamed is None and showing.may_be_unseen(card)):
        return None
    return f"{called(table, event.card)} is shown although it lies in a deck"


@move(ev.CardShown, shown_identity, deck_face_down)
def card_shown(table: Splicers, event: ev.CardShown) -> None:
    """Name an unnamed card as what it turns out to be: one of the table, or of its owner's hidden hand."""
    if table.find(event.was) is None and (owner := table.players.get(owner_of(event.card))) is not None:
        card = showing.show(table, event.was, event.card, table.zones[owner.hand])
    else:
        card = board.recognise(table, event.was, event.card)
    if card.zone.name[:4] in {"play", "hand"} or card.zone.name == "event":
        table.set(card, "known_to", table.everybody)
    board.touch(table, card)


# -- what nobody can tell ----------------------------------------------------------------------------------------------

CONSEQUENCE: Final = WRITTEN["splicers.state.consequence"]
SEED_AT_BIOM: Final = "splicers.seed.at-biom"
CARDS: Final = frozenset(
    (
        *("card", "cards", "splicer", "bioms", "row", "biom", "to", "target", "shown", "tings", "found", "host"),
        *("mutations", "discarded", "replacement", "returned", "drawn", "was"),
    )
)
"""The fields of lines that name cards and bioms."""


def doubt(table: Splicers, rule: Rule, event: Any) -> RuleVerdict | None:
    """Return the verdict that it is open whether a line breaks a rule; None where the log can tell."""
    if rule.rests_on not in {"play", "nothing"}:
        unknown = {
            card
            for card in filter(None, map(card_of, common_rules.names_in(event, CARDS)))
            if card not in table.library
        }
        if rule.id == SEED_AT_BIOM and not nearest(event.biom, table.row):  # It is no slip for one of the row.
            unknown.discard(event.biom)
        new = unknown.difference(card_of(name) for name in table.cards)
        if unknown:
            message = unknown_cards(sorted(new), table.library)
            return RuleVerdict(setup.card_types, Undecidable(message, once=True) if new else NOT_APPLICABLE)
    if rule.rests_on not in {"cards", "play"}:
        return None
    unchecked = _unchecked(table)
    return None if unchecked is None else RuleVerdict(CONSEQUENCE, unchecked)


def _unchecked(table: Splicers) -> Undecidable | None:
    """Return the verdict that something was done which nobody can check; None where there is no such thing."""
    if table.unclear:
        message = f"nobody can tell which ability {table.unclear!r} was; what follows may come from it"
        return Undecidable(message, once=True)
    for card in table.cards.values():
        if _is_unchecked(card):
            does = f' ("{card.text.manual}")' if card.text is not None else ""
            message = f"{title(table, card)} is a card that nobody can check{does}; what follows may come from it"
            return Undecidable(message, once=True)
    return None


def _is_unchecked(card: SplicersCard) -> bool:
    """Return whether a card is out of hand and deck that no file knows, or open with a text that only people read."""
    if card.text is None:
        return not is_unseen(card.name) and card.zone.role not in {"deck", "hand"}
    return bool(card.text.manual) and (card.face_up or bool(card.known_to))


# -- what follows, as a log writes it ----------------------------------------------------------------------------------


def unlike(*lines: type[Consequence], **said: Any) -> Follows:
    """Return lines that the rules make of cards: what differs from that is no consequence of theirs."""
    return Follows(lines=lines, **{"rule": CONSEQUENCE, **said})


def by_reason(rules: Mapping[str, str]) -> Words:
    """Return the id of the derived rule that a line contradicts which comes out of nowhere, by its reason."""
    return lambda _table, event, expected: (
        "" if expected is not None else rules.get(getattr(event, "reason", ""), rules.get("", ""))
    )


def adopts_card(adopt: Callable[[Splicers, SplicersCard, Any, Any], object]) -> Adopt:
    """Return what does to the card of a line what that says, and takes what follows; no biom or splicer is moved."""

    def adopt_of_card(table: Splicers, event: Any, expected: Any) -> None:
        card = table.find(event.card)
        if card is not None and card.zone.name != "row" and not card.zone.name.startswith("splicer:"):
            adopt(table, card, event, expected)
            table.TURN.settle(table)

    return adopt_of_card


def puts_away(zone: str) -> Adopt:
    """Return what puts a card away, where the table did: into its owner's `zone`."""

    def leave(table: Splicers, card: SplicersCard, event: Event, _expected: Any) -> None:
        declined = board.declined_backup(table, card.name) if isinstance(event, ev.CardDiscarded) else None
        if declined is not None:
            table.derived.remove(declined)
            to_discard_pile(table, card)
        elif card.zone.name[:4] == "play" or card.zone.name == "mutations":
            board.leave(table, card, zone_of(table, zone, card.owner))
        elif card.zone.name in {"event", "season"} and zone == "discard":
            board.deactivate_text(table, card)
            to_discard_pile(table, card)

    return adopts_card(leave)


@consequence(ev.CardExhausted, rule=CONSEQUENCE, because=by_reason({"": "splicers.exhaust.at-symbol"}))
def adopt_exhausted(table: Splicers, event: ev.CardExhausted, _expected: object) -> None:
    """Exhaust the card, also a biom."""
    card = table.find(event.card)
    if card is not None:
        board.turn_sideways(table, card, exhausted=True)


@consequence(ev.DominanceChanged, rule=CONSEQUENCE, because=by_reason({"": "splicers.kw.plus-minus"}))
@adopts_card
def adopt_dominance(table: Splicers, card: SplicersCard, event: ev.DominanceChanged, expected: Any) -> None:
    """Change what the card counts."""
    board.modify_dominance(table, card, surplus(event, expected, "by"))
    board.touch(table, card)


@consequence(ev.TokensChanged, rule=CONSEQUENCE, because=by_reason({"": "splicers.ability.passive-triggers"}))
@adopts_card
def adopt_tokens(table: Splicers, card: SplicersCard, event: ev.TokensChanged, expected: Any) -> None:
    """Put tokens on the card."""
    board.put_tokens(table, card, surplus(event, expected, "by"))


@consequence(ev.ActionsGained, rule=CONSEQUENCE, because=by_reason({"": "splicers.kw.graze-gain"}))
def adopt_actions(table: Splicers, event: ev.ActionsGained, expected: Any) -> None:
    """Add the actions to those that the player has left."""
    if event.player in table.players:
        add_actions(table, event.player, surplus(event, expected, "count"))


BACK: Final = {"backup": "splicers.kw.backup", "bounce": "splicers.kw.bounce"}
RETURNED_CARD: Final = unlike(ev.CardReturned, adopt=puts_away("hand"), because=by_reason(BACK))
MOULDERED_CARD: Final = unlike(ev.CardMouldered, adopt=puts_away("deck"))
