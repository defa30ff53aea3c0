"""Tings that enter face up: jumpers and upgrades."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board, dominance
from tabletape.projector.games.splicers.chapters import ADVANCED_KEYWORDS, TING_CARDS, WRITTEN
from tabletape.projector.games.splicers.chapters.cards import depends, in_hand, named_hand, puts_away, text_of
from tabletape.projector.games.splicers.chapters.evolving import came_evolved, must_hold, no_abomination
from tabletape.projector.games.splicers.chapters.playing import at_biom
from tabletape.projector.games.splicers.chapters.turns import ACTOR_RULE, act, consume
from tabletape.projector.games.splicers.chapters.using import face_up
from tabletape.projector.games.splicers.naming import called
from tabletape.projector.games.splicers.selecting import genes_of, has_keyword
from tabletape.projector.games.splicers.state import Splicers
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, stop


@case(consume)
def consume_for_entry(table: Splicers, event: Event) -> Verdict:
    """A jumper or an upgrade is an action unless it is free (ruling `upgrade_counts_action`)."""
    return consume.check(table, event) if table.options["upgrade_counts_action"] == "uses_action" else NOT_APPLICABLE


@case(face_up)
def keywords_in_hand(table: Splicers, event: ev.JumperPlayed | ev.TingUpgraded) -> Verdict:
    """Jumper and upgrade do not work in the hand (ruling `abilities_outside_play`)."""
    if table.options["abilities_outside_play"] == "keyword_exceptions":
        return NOT_APPLICABLE
    return f"{called(table, event.card)} works nowhere but face up in play {by_ruling(table, 'abilities_outside_play')}"


@TING_CARDS.rule("splicers.ting.enter-face-down", "L75.1", "A ting played normally starts face down.")
def may_enter_face_up(table: Splicers, event: ev.JumperPlayed | ev.TingUpgraded) -> Verdict:
    """A hand card enters face up only with the keyword for it."""
    word = "jumper" if isinstance(event, ev.JumperPlayed) else "upgrade"
    return depends(
        event.card,
        text_of(table, event.card),
        lambda text: None if word in text.says.keywords else f"{text.name} enters face up without having {word}",
    )


@ADVANCED_KEYWORDS.rule("splicers.kw.upgrade-cost", "L188.1", rests_on="cards")
def upgrade_cost(table: Splicers, event: ev.TingUpgraded) -> Verdict:
    """For that a friendly ting is discarded."""
    card = table.find(event.discarded)
    name = called(table, event.discarded)
    if card is None or card.place is None or card.zone.name[:4] != "play":
        return f"{name} does not lie at a biom"
    if not card.face_up:
        return f"{name} is a seed; a ting has to be given up"
    if card.owner == event.player:
        return None
    return f"{name} belongs to {name_of(table, card.owner)}; a friendly ting has to be given up"


@ADVANCED_KEYWORDS.rule("splicers.kw.upgrade-genes", "L188.1", rests_on="cards")
def upgrade_genes(table: Splicers, event: ev.TingUpgraded) -> Verdict:
    """Both tings have one and the same gene set."""
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


@case(must_hold)
def may_stay_there(table: Splicers, event: ev.JumperPlayed | ev.TingUpgraded) -> Verdict:
    """A ting enters face up only where its requirements are met (ruling `req_on_entry`)."""
    text = text_of(table, event.card)
    if table.options["req_on_entry"] == "devolves" or text is None:
        return NOT_APPLICABLE
    old = table.find(event.discarded) if isinstance(event, ev.TingUpgraded) else None
    place = event.biom if isinstance(event, ev.JumperPlayed) else (old.place or "") if old is not None else ""
    lacking = dominance.lacks(table, text, frozenset(text.genes), place)
    return f"{lacking}; without it nothing enters {by_ruling(table, 'req_on_entry')}" if lacking else None


FROM_HAND: Final = (ACTOR_RULE, consume_for_entry, keywords_in_hand, in_hand)
JUMPER_RETURN: Final = WRITTEN["splicers.kw.jumper-return"]


def _entry_cost(table: Splicers) -> int:
    """Return the actions that a jumper or an upgrade uses (ruling `upgrade_counts_action`)."""
    return int(table.options["upgrade_counts_action"] == "uses_action")


def offer_jumpers(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each jumper of the hand at each biom."""
    for card, place in product(named_hand(table, player), table.row):
        if "jumper" in card.text.says.keywords:
            yield ev.JumperPlayed(player=player, card=card.name, biom=place)


@move(ev.JumperPlayed, *FROM_HAND, may_enter_face_up, at_biom, no_abomination, may_stay_there, offers=offer_jumpers)
def jumper_played(table: Splicers, event: ev.JumperPlayed) -> None:
    """Lay a hand card face up and unexhausted at a biom."""
    act(table, event.player, _entry_cost(table))
    card = table.take(event.card, zone_of(table, "hand", event.player))
    table.set(card, "jumped", True)
    table.set(table, "jumpers", (*table.jumpers, card.name))
    board.enter(table, card, event.biom, exhausted=False)
    came_evolved(table, card)
    table.applied.append("splicers.kw.jumper-play")
    if has_keyword(table, card, "abomination"):
        table.applied.append("splicers.kw.abomination")


def offer_upgrades(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each upgrade of the hand in the place of each own ting."""
    for card, old in product(named_hand(table, player), table.zones[f"play:{player}"].cards):
        if "upgrade" in card.text.says.keywords and old.face_up and old.text is not None:
            yield ev.TingUpgraded(player=player, card=card.name, discarded=old.name)


@move(
    ev.TingUpgraded,
    *FROM_HAND,
    stop(may_enter_face_up),
    stop(upgrade_cost),
    upgrade_genes,
    no_abomination,
    may_stay_there,
    offers=offer_upgrades,
)
def ting_upgraded(table: Splicers, event: ev.TingUpgraded) -> None:
    """Discard a ting and lay a hand card face up and exhausted in its place."""
    act(table, event.player, _entry_cost(table))
    old = table.card(event.discarded)
    place = old.place or ""
    card = table.take(event.card, zone_of(table, "hand", event.player))
    if old.place is not None and old.zone.name[:4] == "play":
        board.discard(table, old, "upgrade", "splicers.kw.upgrade-cost")
    if place:
        board.enter(table, card, place, exhausted=True)
        came_evolved(table, card)
        table.applied.append("splicers.kw.upgrade-placement")
    table.applied.append("splicers.kw.upgrade")


JUMPER_RETURNED: Final = follows(
    ev.JumperReturned,
    rule=JUMPER_RETURN,
    why="it has not jumped in this round, or has returned already",
    adopt=puts_away("hand"),
)
