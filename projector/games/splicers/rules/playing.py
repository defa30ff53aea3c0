"""The rules of playing cards: seeds, jumpers, upgrades, mutations and events."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from events.games import splicers as ev
from events.names import card_of, is_unseen
from projector.games.splicers.naming import called, not_in, not_named, title
from projector.games.splicers.rules.turns import TURNS, consume, may_act, out_of_turn
from projector.games.splicers.schema import SplicersText
from projector.games.splicers.selecting import genes_of
from projector.games.splicers.state import END, Splicers
from projector.games.splicers.turns import is_final_turn
from projector.kit.seating import zone_of
from projector.model.amounts import how_many, with_article
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Verdict, all_passed, case, rule
from projector.model.showing import may_be_unseen, why_not_shown

# -- where cards are ---------------------------------------------------------------------------------------------------


@rule(
    "splicers.state.card-location",
    "Card Types: Event",
    "L95.1 L126.1 L140.2",
    "A card can be used only from the zone it is in (structural, inferred).",
)
def in_hand(table: Splicers, event: Any) -> Verdict:
    """The card is in the player's hand."""
    hand = zone_of(table, "hand", event.player)
    return None if table.may_be_in(event.card, hand) else not_in(table, event.card, hand)


@case(in_hand)
def in_deck(table: Splicers, event: Any) -> Verdict:
    """What is drawn are different cards of the own deck, and no more than there are."""
    deck = zone_of(table, "deck", event.player)
    is_draw = type(event) is ev.CardsDrawn
    cards = event.cards if is_draw else event.drawn
    if cards is UNSET:
        count = event.count if isinstance(event.count, int) else 0
        return None if count <= deck.size else f"{how_many(count, 'card')} drawn from a deck of {deck.size}"
    returned = () if is_draw or table.options["mulligan_destination"] == "discard_pile" else event.returned
    for name in cards or ():
        if not table.may_be_in(name, deck) and name not in returned:
            return not_in(table, name, deck)
    return f"{called(table, cards[0])} is drawn twice" if cards and len(set(cards)) < len(cards) else None


# -- seeds -------------------------------------------------------------------------------------------------------------


@rule("splicers.seed.at-biom", "Misc. Rules: Seeds", "L126.2", "A seed is placed at one biom.")
def at_biom(table: Splicers, event: ev.SeedPlayed | ev.JumperPlayed) -> Verdict:
    """The biom lies in the row (and is an own one, by ruling)."""
    name = table.bioms.get(event.biom)
    if not table.row:
        return NOT_APPLICABLE
    if name is None:
        return Broken(f"there is no biom {event.biom} in the row", ", ".join(table.row))
    if table.options["seed_biom"] == "own_bioms" and table.cards[name].owner != event.player:
        own = f"a biom of {name_of(table, event.player)}, as it has to be {by_ruling(table, 'seed_biom')}"
        return f"{title(table, table.cards[name])} is not {own}"
    return None


SEEDED: Final = {of: all_passed(of, consume, in_hand, at_biom) for of in TURNS}


def seeds_well(table: Splicers, event: ev.SeedPlayed) -> AllPassed | None:
    """Return what is kept where a hand card becomes a seed at a biom in the own turn."""
    player, card = event.player, table.cards.get(event.card)
    if card is not None and card.zone is table.zones[table.players[player].hand] and event.biom in table.bioms:
        of = may_act(table, player)
        if of is not None and table.options["seed_biom"] != "own_bioms":
            return SEEDED[of]
    return None


# -- what is printed ---------------------------------------------------------------------------------------------------


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
    return depends(
        name,
        text_of(table, name),
        lambda text: (
            None if text.kind == kind else f"{text.name} is {with_article(text.kind)}, not {with_article(kind)}"
        ),
    )


# -- jumpers and upgrades ----------------------------------------------------------------------------------------------


@rule("splicers.ting.enter-face-down", "Card Types: Ting", "L75.1", "A ting played normally starts face down.")
def may_enter_face_up(table: Splicers, event: ev.JumperPlayed | ev.TingUpgraded) -> Verdict:
    """A hand card enters face up only with the keyword for it."""
    word = "jumper" if isinstance(event, ev.JumperPlayed) else "upgrade"
    return depends(
        event.card,
        text_of(table, event.card),
        lambda text: None if word in text.says.keywords else f"{text.name} enters face up without having {word}",
    )


@rule("splicers.kw.upgrade-cost", "Advanced Keywords", "L188.1", "For that a friendly ting is discarded.")
def upgrade_cost(table: Splicers, event: ev.TingUpgraded) -> Verdict:
    """What is given up is an own face-up ting."""
    card = table.find(event.discarded)
    name = called(table, event.discarded)
    if card is None or card.place is None or card.zone.name[:4] != "play":
        return f"{name} does not lie at a biom"
    if not card.face_up:
        return f"{name} is a seed; a ting has to be given up"
    if card.owner == event.player:
        return None
    return f"{name} belongs to {name_of(table, card.owner)}; a friendly ting has to be given up"


@rule("splicers.kw.upgrade-genes", "Advanced Keywords", "L188.1", "Both tings have one and the same gene set.")
def upgrade_genes(table: Splicers, event: ev.TingUpgraded) -> Verdict:
    """The genes of both tings are the same."""
    old = table.find(event.discarded)
    new = text_of(table, event.card)
    if old is None or old.text is None or new is None:
        return NOT_APPLICABLE
    ruling = table.options["upgrade_genes"]
    printed = frozenset(old.text.genes)
    genes = printed if ruling == "printed_only" else genes_of(table, old)
    if genes == frozenset(new.genes) and (genes or ruling == "empty_matches"):
        return None
    theirs = " and ".join(sorted(genes)) or "no genes"
    ours = " and ".join(sorted(new.genes)) or "none"
    ruling = by_ruling(table, "upgrade_genes")
    return Broken(f"{old.text.name} has {theirs}, {new.name} {ours}; they need the same {ruling}", "the same genes")


# -- mutations ---------------------------------------------------------------------------------------------------------


@rule(
    "splicers.mutation.own-turn",
    "Card Types: Mutation",
    "L85.2",
    "Mutations are played only by the player on turn, in the action phase.",
)
def mutation_own_turn(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """The player is on turn."""
    if table.active == event.player and table.phase == "action":
        if table.options["mutation_timing"] == "any_time" or table.has_acted:
            return None
        early = f"{name_of(table, event.player)} plays a mutation before the required action of the turn"
        return f"{early} {by_ruling(table, 'mutation_timing')}"
    return out_of_turn(table, event, "plays a mutation")


@rule(
    "splicers.mutation.host-is-ting",
    "Card Types: Mutation",
    "L78.1 L84.1 L84.2",
    "A mutation is played under a ting, its host.",
)
def is_mutation(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """What is played is a mutation."""
    return of_kind(table, event.card, "mutation")


@rule("splicers.splicer.no-host", "Card Types: Splicer", "L104.2", "The splicer cannot host mutations.")
def splicer_no_host(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """The host is no splicer."""
    host = table.find(event.host)
    if host is None or host.text is None or host.text.kind != "splicer":
        return None
    return f"{host.text.name} is a splicer and cannot host a mutation"


@case(is_mutation)
def host_is_ting(table: Splicers, event: ev.MutationPlayed) -> Verdict:
    """The host is a face-up ting in play."""
    host = table.find(event.host)
    if host is None or host.place is None or host.zone.name[:4] != "play":
        return f"{called(table, event.host)} is not a ting that lies at a biom"
    if host.mutations and table.options["mutation_limit"] == "one_per_host":
        return f"{called(table, event.host)} hosts a mutation already, one is all {by_ruling(table, 'mutation_limit')}"
    if host.face_up or table.options["mutation_host_facedown"] == "allowed":
        return None
    if table.options["evolve_mutation_timing"] == "on_seed_first" and host.owner == event.player:
        return None
    ruling = by_ruling(table, "mutation_host_facedown")
    return f"{called(table, event.host)} is a seed; the host of a mutation is a ting {ruling}"


# -- events ------------------------------------------------------------------------------------------------------------


@rule("splicers.event.one-per-round", "Card Types: Event", "L95.3", "At most one player plays an event in a round.")
def one_event(table: Splicers, event: ev.EventPlayed) -> Verdict:
    """No event was played this round (and by ruling the other player has not passed)."""
    forbidden = table.options["event_after_pass"] == "forbidden"  # noqa: S105 - a ruling
    if forbidden and table.passed_first not in {"", event.player}:
        passed, ruling = name_of(table, table.passed_first), by_ruling(table, "event_after_pass")
        return f"{name_of(table, event.player)} plays an event after {passed} has passed {ruling}"
    if not table.event_by:
        return None
    if table.event_by == event.player and table.options["event_limit"] == "one_player_any_number":
        return None
    return f"{name_of(table, table.event_by)} has played an event in round {table.round} already"


@rule(
    "splicers.event.play-as-action", "Card Types: Event", "L95.1", "A player may spend an action to play an event card."
)
def is_event(table: Splicers, event: ev.EventPlayed) -> Verdict:
    """What is laid down is an event, as soon as the log shows it, unless anything may be laid down (ruling)."""
    return NOT_APPLICABLE if table.options["event_bluff"] == "allowed" else of_kind(table, event.card, "event")


@rule(
    "splicers.event.reveal-before-win",
    "Card Types: Event",
    "L95.5",
    "A played event is revealed when the round ends and before the win check.",
)
def reveal_in_time(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """An event is turned over after the final turn."""
    if table.phase == END and table.zones["event"].cards:
        return None
    if table.zones["event"].cards and is_final_turn(table):
        return NOT_APPLICABLE  # what is missing then is the final turn, or its end
    if table.zones["event"].cards:
        return f"{called(table, event.card)} is turned over before the final turn of round {table.round} is over"
    return f"{called(table, event.card)} is turned over although no event lies face down"


@case(reveal_in_time)
def revealed_before_draw(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws for the next round while an event lies face down."""
    if table.phase != END:
        return NOT_APPLICABLE
    lying = ", ".join([title(table, card) for card in table.zones["event"].cards])
    return Broken(f"the next round begins although {lying} still lies face down", "event.revealed", "missing")


@rule("splicers.event.face-down", "Card Types: Event", "L95.4", "Events are played face down.")
def same_event(table: Splicers, event: ev.EventRevealed) -> Verdict:
    """The event that was laid down is turned over, by its owner."""
    card = table.find(event.card if event.was is UNSET else event.was)
    lying = table.zones["event"].cards
    if card is None or card not in lying:
        names = ", ".join([title(table, each) for each in lying])
        return Broken(f"{called(table, event.card)} is not the event that was laid down", names)
    if card.owner == event.player:
        return None
    return f"{title(table, card)} belongs to {name_of(table, card.owner)}, who has to turn it over"


# -- names of hidden cards ---------------------------------------------------------------------------------------------


@rule(
    "splicers.state.single-identity",
    "Card Types",
    "L55.2 L149.3",
    "A face-down card keeps its identity until it leaves play (structural, inferred).",
)
def one_identity(table: Splicers, event: Any) -> Verdict:
    """A card without a name turns out to be one card, which is nowhere else."""
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
        return why_not_shown(table, event.was, event.card)
    return one_identity.check(table, event)


@rule("splicers.setup.deck-face-down", "Set-up", "L40.1", "The deck lies face down in front of its owner.")
def deck_face_down(table: Splicers, event: ev.CardShown) -> Verdict:
    """No card that lies in a deck is shown."""
    unnamed = table.find(event.was)
    card = table.find(event.card) if unnamed is None else unnamed
    if card is None or card.zone.role != "deck" or (unnamed is None and may_be_unseen(card)):
        return None
    return f"{called(table, event.card)} is shown although it lies in a deck"
