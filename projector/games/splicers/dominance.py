"""What cards count, the totals at the bioms, who dominates them, and which tings may not stay where they are."""

from collections.abc import Collection
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers.abilities import Keyword
from tabletape.projector.games.splicers.schema import SplicersText
from tabletape.projector.games.splicers.selecting import dominator_of, fits, genes_of, holds, lines_given, reaches
from tabletape.projector.games.splicers.state import Splicers, SplicersCard, tings_and_seeds

STEADY_AFTER: Final = 8
"""How often everything is weighed again while static lines that depend on totals change each other."""


def _changed(table: Splicers, card: SplicersCard, worth: int) -> int:
    """Return what a card counts with its changes, those by its mutations and those by static lines."""
    if not card.face_up and table.options["seed_mods"] == "fixed_one":
        return 1
    worth += card.changes
    for name in card.mutations:
        mutation = table.cards[name]
        if mutation.text is not None and mutation.text.says.host_change and still_adds(table, mutation):
            worth += mutation.text.says.host_change
    if table.statics:
        worth += _change_by_statics(table, card)
    return 0 if worth < 0 and table.options["negative_dominance"] == "floor_zero" else worth


def still_adds(table: Splicers, source: SplicersCard) -> bool:
    """Return whether static lines of a card still change dominance (ruling `static_plus`)."""
    return source.since == table.round or table.options["static_plus"] == "continuous"


def _change_by_statics(table: Splicers, card: SplicersCard) -> int:
    change, cards, always = 0, table.cards, table.options["static_plus"] == "continuous"
    for name in table.statics:
        source = cards[name]
        if not (always or still_adds(table, source)):
            continue
        owner = source.owner
        for condition, effect, wanted in source.text.says.sways:
            if not (fits(table, wanted, card, owner, source) and reaches(table, source, card)):
                continue
            if holds(table, condition, owner, source) and holds(table, effect.condition, owner, source):
                change += effect.n
    return change


def update_totals(table: Splicers) -> None:
    """Bring the totals up to date with the cards that have been touched, or with all where that may change others."""
    touched = table.touched
    table.touched = ()
    for card in touched:
        weigh_card(table, card)
    if table.restless:
        for _ in range(STEADY_AFTER):
            changed = [weigh_card(table, card) for card in tings_and_seeds(table)]
            if not any(changed):
                break


def weigh_card(table: Splicers, card: SplicersCard) -> bool:
    """Count one card where it lies now: a seed 1, a ting its printed value, both with all changes.

    Returns whether anything changed.
    """
    if card.place is None:
        return False
    text = card.text
    worth = 1 if not card.face_up else (text.dominance or 0) if text is not None else 0
    if card.changes or card.mutations or table.statics or worth < 0:
        worth = _changed(table, card, worth)
    if worth == card.worth:
        return False
    _count_as(table, card, worth)
    return True


def withdraw(table: Splicers, card: SplicersCard) -> None:
    """Stop counting a card that is about to leave its place."""
    if card.worth:
        _count_as(table, card, 0)


def _count_as(table: Splicers, card: SplicersCard, worth: int) -> None:
    """Set what a card counts in the total of its owner at its place."""
    try:
        biom, seat = table.cards[table.bioms[card.place or ""]], table.players[card.owner].seat
    except KeyError:  # what lies beside the row, or is nobody's, counts for nobody
        table.set(card, "worth", worth)
        return
    more, totals = worth - card.worth, biom.totals
    changing = [*totals]
    changing[seat] += more
    now = tuple(changing)
    table.set_worth(card, worth, biom, now)
    if biom.dominator == card.owner and more > 0:
        return  # who dominates a biom and counts more there still does
    text = biom.text
    if text is not None and text.dominance is not None and totals[seat] < text.dominance > now[seat]:
        return  # a total that was and is below the value of the biom decides nothing there
    if dominator_of(table, biom) != biom.dominator and biom not in table.turning:
        table.turning += (biom,)


def adopt_total(table: Splicers, biom: SplicersCard, seat: int, total: int) -> None:
    """Set what a player counts at a biom, as the log says it: nobody knows which card there counts otherwise."""
    table.set(biom, "totals", (*biom.totals[:seat], total, *biom.totals[seat + 1 :]))
    table.turning += (biom,)
    table.TURN.settle(table)


def rotate(table: Splicers) -> None:
    """Turn the bioms whose dominator has changed."""
    turning = table.turning
    table.turning = ()
    if len(turning) > 1:
        turning = tuple(sorted(turning, key=lambda biom: table.row.index(biom.place or "")))
    for biom in turning:
        dominator = dominator_of(table, biom)
        if dominator != biom.dominator:
            place = biom.place or ""
            table.set(biom, "dominator", dominator)
            table.derive(ev.BiomRotated(biom=place, dominator=dominator or None), "splicers.biom.rotate")


def unmet(table: Splicers, card: SplicersCard, place: str) -> str:
    """Return what a face-up ting lacks to be at a biom, in words; empty where nothing is lacking."""
    text = card.text
    if text is None:
        return ""
    if table.roamed and table.options["req_roam_both"] == "biom_only" and (card.name, place) in table.roamed:
        return lacks_gene(table, genes_of(table, card), place)
    if not (table.granting or card.mutations):
        return lacks(table, text, text.genes, place)
    return lacks(table, text, genes_of(table, card), place) or _lacks_type(
        table, text, _given_needs(table, card, "req type"), place
    )


def lacks(table: Splicers, text: SplicersText, genes: Collection[str], place: str) -> str:
    """Return what a ting with these genes lacks to be at a biom, in words; empty where nothing is lacking.

    The biom needs all genes that it requires of the ting, the ting all types that it requires of the biom.
    """
    lacking = lacks_gene(table, genes, place)
    types = text.says.needs_types
    return lacking if lacking or not types else _lacks_type(table, text, types, place)


def lacks_gene(table: Splicers, genes: Collection[str], place: str) -> str:
    """Return which gene a biom needs that is not among these, in words; empty where none is lacking."""
    name = table.bioms.get(place)
    there = None if name is None else table.cards[name].text
    if name is None or there is None:
        return ""
    needs = there.says.needs_genes
    if table.granting:
        needs += _given_needs(table, table.cards[name], "req gene")
    for gene in needs:
        if gene not in genes:
            return "" if any_will_do(table, needs, genes) else f"{there.name} needs the gene {gene}"
    return ""


def any_will_do(table: Splicers, needs: tuple[str, ...], has: Collection[str]) -> bool:
    """Return whether one of several requirements is met, and that is enough (ruling `req_multiple`)."""
    return len(needs) > 1 and table.options["req_multiple"] == "any" and any(need in has for need in needs)


def _lacks_type(table: Splicers, text: SplicersText, types: tuple[str, ...], place: str) -> str:
    biom = table.cards[table.bioms[place]] if types and place in table.bioms else None
    if biom is not None and biom.text is not None and not any_will_do(table, types, biom.text.types):
        for kind in types:
            if kind not in biom.text.types:
                return f"{text.name} needs a biom of type {kind}"
    return ""


def _given_needs(table: Splicers, card: SplicersCard, word: str) -> tuple[str, ...]:
    text = card.text
    if text is None or not (card.mutations or table.granting) or not (card.face_up or word in text.says.keywords):
        return ()
    return tuple([line.needs for line in lines_given(table, card) if isinstance(line, Keyword) and line.word == word])
