"""The rules of splicing."""

from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers.rules.playing import at_biom, in_hand
from projector.games.splicers.rules.preparing import named
from projector.games.splicers.state import (
    Splicers,
    SplicersCard,
    SplicersText,
    a_kind,
    name_of,
    place_of,
    title_of,
    zone_of,
)
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Rule, Verdict, case, rule


@rule(
    "splicers.splice.two-tings",
    "Misc. Rules: Genes & Splicing",
    "L140.1",
    "A splice uses two different tings in play.",
)
def two_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Two different cards are named (at one biom, by ruling)."""
    if len(event.tings) != 2 or event.tings[0] == event.tings[1]:
        names = " and ".join([named(table, name) for name in event.tings])
        return Broken(f"{names} are spliced", "two different tings")
    if table.options["splice_same_biom"] == "any_bioms":
        return None
    first, second = (table.find(name) for name in event.tings)
    if first is None or second is None or place_of(table, first) == place_of(table, second):
        return None
    return f"{title_of(first)} and {title_of(second)} do not lie at the same biom"


def _tings(table: Splicers, event: ev.TingsSpliced) -> list[SplicersCard]:
    found = [table.find(name) for name in event.tings]
    return [card for card in found if card is not None]


@case(in_hand)
def spliced_exist(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both cards are on the table."""
    missing = [name for name in event.tings if table.find(name) is None]
    return f"there is no card {', '.join(missing)} on the table" if missing else None


@rule("splicers.splicer.not-ting", "Card Types: Splicer", "L104.1", "The splicer is neither ting nor seed.")
def not_a_splicer(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """No splicer is spliced."""
    for card in _tings(table, event):
        if card.text is not None and card.text.kind == "splicer":
            return f"{card.text.name} is a splicer, no ting"
    return None


@case(two_tings)
def both_are_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both lie face up at bioms (or as seeds, by ruling)."""
    for card in _tings(table, event):
        if card.place is None or card.zone.name[:4] != "play":
            return f"{title_of(card)} does not lie at a biom"
        if not card.face_up and table.options["splice_seeds"] == "forbidden":
            return f"{title_of(card)} is a seed; only tings are spliced"
    return None


@rule("splicers.splice.own-tings", "Misc. Rules: Genes & Splicing", "L140.1", "Both belong to the splicing player.")
def own_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both tings are the player's own."""
    for card in _tings(table, event):
        if card.owner != event.player:
            return f"{title_of(card)} belongs to {name_of(table, card.owner)}"
    return None


@rule("splicers.splice.unexhausted", "Misc. Rules: Genes & Splicing", "L140.1", "Both are unexhausted.")
def unexhausted_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Neither ting is exhausted."""
    for card in _tings(table, event):
        if card.exhausted:
            return f"{title_of(card)} is exhausted; only unexhausted tings are spliced"
    return None


@rule(
    "splicers.splice.search-deck",
    "Misc. Rules: Genes & Splicing",
    "L140.2",
    "The card is searched in the own deck only.",
)
def found_in_deck(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The found card is in the own deck."""
    deck = zone_of(table, "deck", event.player)
    if isinstance(event.found, str):
        if table.may_be_in(event.found, deck):
            return None
        return f"{named(table, event.found)} is not in the deck of {name_of(table, event.player)}"
    if event.found is not None and event.count:
        return None if deck.size >= int(event.count) else f"{event.count} card(s) found in a deck of {deck.size}"
    return NOT_AT_STAKE


@rule(
    "splicers.splice.genes-on",
    "Misc. Rules: Genes & Splicing",
    "L138.2",
    "Tings, mutations and events carry genes; these are what a splice can find.",
)
def found_kind(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The found card is a ting, a mutation or an event."""
    text = _found_text(table, event)
    if text is None:
        return NOT_AT_STAKE
    return (
        None
        if text.kind in {"ting", "mutation", "event"}
        else f"{text.name} is {a_kind(text.kind)} and carries no genes"
    )


def _found_text(table: Splicers, event: ev.TingsSpliced) -> SplicersText | None:
    card = table.find(event.found) if isinstance(event.found, str) else None
    return card.text if card is not None else None


@rule(
    "splicers.splice.gene-match",
    "Misc. Rules: Genes & Splicing",
    "L140.2",
    "The card must share a gene with the first ting and a gene with the second.",
)
def gene_match(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The found card shares a printed gene with each of the two tings."""
    if not isinstance(event.found, str) and not event.count:
        return NOT_AT_STAKE
    tings = _tings(table, event)
    unknown = [card.name for card in tings if card.text is None]
    if unknown:
        return CannotTell(f"nobody knows the genes of {', '.join(unknown)}")
    texts = [card.text for card in tings]
    text = _found_text(table, event)
    if text is not None:
        return _shares(text, texts)
    name = event.found if isinstance(event.found, str) else ""
    message = "nobody wrote down which card was found, so its genes are not known"
    return CannotTell(message, name, lambda shown: _shares(shown, texts))


def _shares(found: SplicersText, tings: list[SplicersText]) -> Broken | None:
    for ting in tings:
        if not set(found.genes) & set(ting.genes):
            theirs = " or ".join(ting.genes) or "no gene at all"
            message = f"{found.name} ({' and '.join(found.genes)}) shares no gene with {ting.name}"
            return Broken(message, f"a card with {theirs}")
    return None


@rule(
    "splicers.mutation.no-splice-genes",
    "Card Types: Mutation",
    "L86.1",
    "Genes on a mutation do not count for splicing with its host.",
)
def no_mutation_genes(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The match is made by printed genes, although a ting has mutations."""
    text = _found_text(table, event)
    if text is None or all(set(text.genes) & set(card.text.genes) for card in _tings(table, event)):
        return None
    return f"{text.name} matches only by a gene of a mutation under one of the tings"


@rule(
    "splicers.splice.to-hand",
    "Card Types: Ting",
    "L75.5 L140.3",
    "The found card goes to the hand.",
    editions=("0.2a",),
)
def to_hand(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The found card is not laid down at a biom (ruling `splice_destination`)."""
    if event.biom is UNSET:
        return NOT_AT_STAKE if not isinstance(event.found, str) else None
    if table.options["splice_destination"] == "play_now":
        return NOT_AT_STAKE
    return f"{named(table, str(event.found))} is laid down at {event.biom}; what a splice finds goes to the hand"


@case(at_biom)
def found_at_biom(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """A found ting that is played at once enters at a biom of the row."""
    if event.biom is UNSET:
        return NOT_AT_STAKE
    if event.biom not in table.bioms:
        return Broken(f"there is no biom {event.biom} in the row", ", ".join(table.row))
    text = _found_text(table, event)
    if text is not None and text.kind != "ting":
        return f"{text.name} is {a_kind(text.kind)}; only a found ting enters at a biom"
    return None


def matching(table: Splicers, event: ev.TingsSpliced) -> Rule:
    """Say which rule decides about the genes: where a mutation could make the match, its genes do not count."""
    text = _found_text(table, event)
    tings = _tings(table, event)
    if text is None or any(card.text is None for card in tings) or not any(card.mutations for card in tings):
        return gene_match
    genes = set(text.genes)
    for card in tings:
        if not genes & set(card.text.genes) and not genes & _mutation_genes(table, card):
            return gene_match
    return no_mutation_genes


def _mutation_genes(table: Splicers, card: SplicersCard) -> set[str]:
    texts = [table.card(name).text for name in card.mutations]
    return {gene for text in texts if text is not None for gene in text.genes}
