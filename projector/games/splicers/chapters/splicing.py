"""Splicing: two tings find a card in the deck that shares a gene with each."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Final

from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board
from tabletape.projector.games.splicers.chapters import MUTATION_CARDS, SPLICER_CARDS, SPLICING, TING_CARDS
from tabletape.projector.games.splicers.chapters.cards import in_hand
from tabletape.projector.games.splicers.chapters.playing import at_biom
from tabletape.projector.games.splicers.chapters.turns import ACTOR_RULE, TURNS, act, consume, may_act
from tabletape.projector.games.splicers.effects import owe_shuffle
from tabletape.projector.games.splicers.naming import called, not_in, not_named, title
from tabletape.projector.games.splicers.schema import SplicersText
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, actions_left, place_of
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many, pluralized, with_article
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import all_passed, case, is_broken, stop, usually
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict

CARRY_GENES: Final = frozenset({"ting", "mutation", "event"})


def _tings_of(table: Splicers, event: ev.TingsSpliced) -> list[SplicersCard]:
    return [card for card in map(table.find, event.tings) if card is not None]


def _are_ready(table: Splicers, event: ev.TingsSpliced, tings: list[SplicersCard]) -> bool:
    """Return whether these are two unexhausted own tings at bioms, which may lie anywhere."""
    if len(tings) != 2 or len(event.tings) != 2 or tings[0] is tings[1]:
        return False
    player, sides = event.player, table.sides
    for card in tings:
        if card.place is None or not card.face_up or card.exhausted or card.text is None:
            return False
        if card.owner != player or card.zone.name not in sides or not card.text.genes:
            return False
    return table.options["splice_same_biom"] == "any_bioms"


def _is_plain_match(table: Splicers, match: str, tings: list[SplicersCard]) -> bool:
    """Return whether a card that lies in the own deck shares a gene with each of two tings without mutations."""
    card = table.find(match)
    if card is None or card.text is None or card.text.kind not in CARRY_GENES:
        return False
    if tings[0].mutations or tings[1].mutations:
        return False
    in_deck = card.zone is table.zones[table.players[tings[0].owner].draws_from]
    return in_deck and _shares(table, card.text, [ting.text for ting in tings]) is None


@SPLICING.rule("splicers.splice.two-tings", "L140.1", rests_on="cards")
def two_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """A splice uses two different tings in play."""
    if len(event.tings) != 2 or event.tings[0] == event.tings[1]:
        names = " and ".join([called(table, name) for name in event.tings])
        return Broken(f"{names} are spliced", "two different tings")
    tings = _tings_of(table, event)
    if table.options["splice_same_biom"] == "any_bioms" or len(tings) < 2:
        return None
    first, second = tings
    if place_of(table, first) == place_of(table, second):
        return None
    ruling = by_ruling(table, "splice_same_biom")
    return f"{title(table, first)} and {title(table, second)} do not lie at the same biom, which they have to {ruling}"


@case(in_hand)
def on_table(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both lie on the table."""
    missing = [called(table, name) for name in event.tings if table.find(name) is None]
    return pluralized(missing, "is not on the table", "are not on the table") if missing else NOT_APPLICABLE


@case(two_tings)
def are_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both lie face up at bioms (or as seeds, by ruling)."""
    for card in _tings_of(table, event):
        if card.place is None or card.zone.name[:4] != "play":
            return f"{title(table, card)} does not lie at a biom"
        if not card.face_up and table.options["splice_seeds"] == "forbidden":
            return f"{title(table, card)} is a seed; only tings are spliced {by_ruling(table, 'splice_seeds')}"
        if table.options["splice_geneless"] == "forbidden" and card.text is not None and not card.text.genes:
            ruling = by_ruling(table, "splice_geneless")
            return f"{title(table, card)} has no genes; only tings with genes are spliced {ruling}"
    return NOT_APPLICABLE


@SPLICER_CARDS.rule("splicers.splicer.not-ting", "L104.1")
def no_splicer(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The splicer is neither ting nor seed."""
    splicers = [title(table, card) for card in _tings_of(table, event) if card.zone.name == f"splicer:{card.owner}"]
    return f"{splicers[0]} is a splicer, no ting" if splicers else None


@SPLICING.rule("splicers.splice.own-tings", "L140.1")
def own_tings(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both belong to the splicing player."""
    others = [card for card in _tings_of(table, event) if card.owner != event.player]
    return f"{title(table, others[0])} belongs to {name_of(table, others[0].owner)}" if others else None


@SPLICING.rule("splicers.splice.unexhausted", "L140.1", rests_on="cards")
def unexhausted(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Both are unexhausted."""
    tired = [title(table, card) for card in _tings_of(table, event) if card.exhausted]
    return f"{tired[0]} is exhausted; only unexhausted tings are spliced" if tired else None


@SPLICING.rule("splicers.splice.search-deck", "L140.2", rests_on="cards")
def search_deck(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The card is searched in the own deck only."""
    if event.found is None:
        return NOT_APPLICABLE
    deck = zone_of(table, "deck", event.player)
    if isinstance(event.found, str):
        return None if table.may_be_in(event.found, deck) else not_in(table, event.found, deck)
    count = event.count if isinstance(event.count, int) else 0
    return None if deck.size >= count else f"{how_many(count, 'card')} found in a deck of {deck.size}"


@SPLICING.rule("splicers.splice.genes-on", "L138.2")
def genes_on(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Tings, mutations and events carry genes; these are what a splice can find."""
    text = _found_text(table, event)
    if text is None:
        return NOT_APPLICABLE
    carries = text.kind in CARRY_GENES
    return None if carries else f"{text.name} is {with_article(text.kind)} and carries no genes"


def _found_text(table: Splicers, event: ev.TingsSpliced) -> SplicersText | None:
    card = table.find(event.found) if isinstance(event.found, str) else None
    return card.text if card is not None else None


@SPLICING.rule("splicers.splice.gene-match", "L140.2", rests_on="cards")
def gene_match(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The card must share a gene with the first ting and a gene with the second."""
    if event.found is None or not (event.found or event.count):
        return NOT_APPLICABLE
    text, tings = _found_text(table, event), _tings_of(table, event)
    texts = [card.text for card in tings if card.text is not None]
    for card in tings:
        if card.text is None:
            return not_named(card.name)
    if text is None:
        if isinstance(event.found, str):
            return not_named(event.found, lambda shown: _shares(table, shown, texts))
        return Undecidable("the log does not say which card was found, so its genes are not known")
    verdict = _shares(table, text, texts)
    return NOT_APPLICABLE if verdict is not None and _matches_by_mutation(table, text, tings) else verdict


@case(gene_match)
def something_found(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """A splice may end without a card: always, or where the deck may hold no match (ruling `splice_fail`)."""
    if event.found is not None or table.options["splice_fail"] == "may_decline":
        return NOT_APPLICABLE
    tings = _tings_of(table, event)
    texts = [card.text for card in tings if card.text is not None]
    if len(texts) < len(tings) or own_tings(table, event) or unexhausted(table, event):
        return NOT_APPLICABLE
    deck = zone_of(table, "deck", event.player)
    in_deck = [card.text for card in deck.cards if card.text is not None and card.text.kind in CARRY_GENES]
    if sum(_shares(table, text, texts) is None for text in in_deck) <= -deck.unseen:
        return NOT_APPLICABLE
    return f"nothing is taken although the deck holds a card that matches {by_ruling(table, 'splice_fail')}"


@MUTATION_CARDS.rule("splicers.mutation.no-splice-genes", "L86.1", rests_on="cards")
def no_mutation_genes(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """Genes on a mutation do not count for splicing with its host."""
    text, tings = _found_text(table, event), _tings_of(table, event)
    if text is None or not any(card.mutations for card in tings):
        return NOT_APPLICABLE
    shares = _shares(table, text, [card.text for card in tings if card.text is not None]) is None
    if shares or not _matches_by_mutation(table, text, tings):
        return None if shares else NOT_APPLICABLE
    return f"{text.name} matches only by a gene of a mutation under one of the tings"


def _matches_by_mutation(table: Splicers, text: SplicersText, tings: list[SplicersCard]) -> bool:
    genes = set(text.genes)
    for card in tings:
        texts = [each.text for each in (card, *map(table.card, card.mutations)) if each.text is not None]
        if card.text is not None and all(genes.isdisjoint(each.genes) for each in texts):
            return False
    return any(card.mutations for card in tings)


def _shares(table: Splicers, match: SplicersText, tings: list[SplicersText]) -> Broken | None:
    genes = set(match.genes)
    for ting in tings:
        if genes.isdisjoint(ting.genes):
            theirs = " or ".join(ting.genes) or "no gene at all"
            message = f"{match.name} ({' and '.join(match.genes) or 'no genes'}) shares no gene with {ting.name}"
            return Broken(message, f"a card with {theirs}")
    may_serve_both = table.options["splice_shared_gene"] == "one_gene_may_serve_both" or len(tings) < 2
    if may_serve_both or len(genes & {gene for ting in tings for gene in ting.genes}) > 1:
        return None
    both, ruling = " and ".join([ting.name for ting in tings]), by_ruling(table, "splice_shared_gene")
    return Broken(f"{match.name} shares one gene only with {both}, which has to be two {ruling}", "two different genes")


@TING_CARDS.rule("splicers.splice.to-hand", "L75.5 L140.3", "The found card goes to the hand.", editions=("0.2a",))
def to_hand(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """The found card is not laid down at a biom (ruling `splice_destination`)."""
    if event.biom is UNSET:
        return NOT_APPLICABLE if not isinstance(event.found, str) else None
    if table.options["splice_destination"] == "play_now":
        return NOT_APPLICABLE
    due = f"what a splice finds goes to the hand {by_ruling(table, 'splice_destination')}"
    return f"{called(table, str(event.found))} is laid down at {event.biom}; {due}"


@case(at_biom)
def found_at_biom(table: Splicers, event: ev.TingsSpliced) -> Verdict:
    """A found ting that is played at once enters at a biom of the row."""
    if event.biom is UNSET or table.options["splice_destination"] == "hand":
        return NOT_APPLICABLE
    if event.biom not in table.bioms:
        return Broken(f"there is no biom {event.biom} in the row", ", ".join(table.row))
    text = _found_text(table, event)
    if text is not None and text.kind != "ting":
        return f"{text.name} is {with_article(text.kind)}; only a found ting enters at a biom"
    return None


TING_TESTS: Final = (two_tings, no_splicer, own_tings, unexhausted)
SPLICE_KEPT: Final = {of: all_passed(of, consume, *TING_TESTS) for of in TURNS}
FOUND: Final = {of: all_passed(of, consume, *TING_TESTS, search_deck, genes_on, gene_match) for of in TURNS}


def splices_well(table: Splicers, event: ev.TingsSpliced) -> AllPassed | None:
    """Return what is kept where two tings are spliced that are ready for it, and what was found fits both."""
    tings = _tings_of(table, event)
    of = may_act(table, event.player)
    if of is not None and _are_ready(table, event, tings):
        if event.found is None and table.options["splice_fail"] == "may_decline":
            return SPLICE_KEPT[of]
        if isinstance(event.found, str) and _is_plain_match(table, event.found, tings):
            return FOUND[of]
    return None


def _take_found(table: Splicers, event: ev.TingsSpliced, card: SplicersCard) -> None:
    """Keep a found card in the hand, or play it at once where the table does so (ruling `splice_destination`)."""
    if isinstance(event.biom, str) and not table.keeps_found:
        board.enter(table, card, event.biom, exhausted=True)
        table.applied.extend(("splicers.old.splice-play-now", "splicers.old.splice-ting-evolved-exhausted"))
    elif table.options["splice_destination"] == "play_now" and card.text is not None and card.text.kind == "event":
        table.set(card, "known_to", table.everybody)
        table.set(table, "last_note", ("found", card.name))
        table.applied.append("splicers.old.splice-event-shown")


def offer_splices(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each pair of ready cards with nothing found, and with each card that shares a gene with both."""
    if actions_left(table, player) <= 0:
        return
    deck = [card for card in zone_of(table, "deck", player).cards if card.text is not None]
    cards = table.zones[f"play:{player}"].cards
    for first, second in combinations([card for card in cards if not card.exhausted and card.text is not None], 2):
        splice = partial(ev.TingsSpliced, player=player, tings=(first.name, second.name))
        nothing = splice(found=None)
        if two_tings(table, nothing) or is_broken(are_tings(table, nothing)):
            continue  # whatever was found
        yield nothing
        one, other = set(first.text.genes), set(second.text.genes)
        for card in deck:
            if one.intersection(card.text.genes) and other.intersection(card.text.genes):
                yield splice(found=card.name)
                if table.options["splice_destination"] == "play_now":
                    for place in table.row:
                        yield splice(found=card.name, biom=place)


@move(
    ev.TingsSpliced,
    usually(
        splices_well,
        *(ACTOR_RULE, consume, stop(two_tings), stop(on_table), stop(no_splicer), stop(are_tings)),
        *(own_tings, unexhausted, something_found, stop(search_deck), genes_on, gene_match, no_mutation_genes),
    ),
    to_hand,
    found_at_biom,
    offers=offer_splices,
)
def tings_spliced(table: Splicers, event: ev.TingsSpliced) -> None:
    """Exhaust two tings and take the found card into the hand; the deck has to be shuffled next."""
    act(table, event.player, 1)
    for name in event.tings:
        board.exhaust(table, table.card(name), "splicers.splice.exhausts")
    player = table.players[event.player]
    deck, hand = table.zones[player.draws_from], table.zones[player.hand]
    if isinstance(event.found, str):
        card = table.take(event.found, deck)
        table.move(card, hand)
        _take_found(table, event, card)
    elif event.count is not UNSET and event.count:
        table.draw((), event.count, deck, hand)
    else:
        table.applied.append("splicers.splice.optional-take")
    owe_shuffle(table, event.player, "splicers.splice.shuffle", "splice")
