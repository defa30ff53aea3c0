"""The rules about what somebody reads off the table: `state.observed` against the fold."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import board, rounds, triggers
from tabletape.projector.games.splicers.chapters.counting import COUNTS, DOMINATED
from tabletape.projector.games.splicers.chapters.evolving import REQUIREMENT
from tabletape.projector.games.splicers.dominance import unmet
from tabletape.projector.games.splicers.naming import rule_ids, title
from tabletape.projector.games.splicers.state import START, Splicers, SplicersCard
from tabletape.projector.kit.totals import counter, read_totals, size
from tabletape.projector.model.deciding import as_it_was
from tabletape.projector.model.game import Drift
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import declare

PUBLIC_COUNTS: Final = declare(
    "splicers.info.counts-public", "Misc. Rules: Public Information", "L149.2", "Deck and hand sizes are public."
)
OBSERVED: Final = declare(
    "splicers.state.observed",
    "Misc. Rules: Public Information",
    "L149.1",
    "What somebody reads off the table is what the fold says (structural, inferred).",
)
ABOUT: Final = {
    "hand": rule_ids("mulligan.discard", "old.splice-play-now"),
    "discard": rule_ids("mulligan.discard", "setup.discard-empty"),
    "actions": rule_ids(
        *("mutation.free", "kw.upgrade", "kw.graze-gain", "kw.harvest", "turn.action-list", "action.one-per-turn")
    ),
    "exhausted": rule_ids(
        *("seed.face-down-exhausted", "kw.upgrade-placement", "kw.jumper-play", "old.splice-ting-evolved-exhausted")
    ),
    "face": rule_ids(
        *("evolve.no-longer-seed", "seed.face-down-exhausted", "kw.jumper-play", "kw.upgrade-placement"),
        "setup.splicer-face-up",
    ),
    "total": rule_ids("seed.counts-one"),
}
"""For each total the derived rules that may have made it what it is; the one carried out last is named."""
MUTATIONS: Final = {"exhausted": "splicers.mutation.shares-exhaustion", "face": "splicers.mutation.visible"}
"""The derived rules that say how a mutation lies."""


def observe(table: Splicers, event: Any) -> list[Drift]:
    """Return what was read off the table beside what the fold has there, also where they agree.

    That is after the end of a turn that ends by itself where only that fits.
    """
    now = list(_read(table, event))
    if not rounds.is_spent(table) or all(read.seen == read.folded for read in now):
        return now
    with as_it_was(table, rounds.end_spent_turn):
        later = list(_read(table, event))
    return later if all(read.seen == read.folded for read in later) else now


def _read(table: Splicers, event: Any) -> Iterator[Drift]:
    if event.player is not UNSET and event.player in table.players:
        yield from _of_player(table, event, event.player)
    if event.biom is not UNSET and event.biom in table.bioms:
        yield from _of_biom(table, event, table.cards[table.bioms[event.biom]])
    if event.card is not UNSET:
        card = table.find(event.card)
        if card is not None:
            yield from _of_card(table, event, card)


def _because(table: Splicers, field: str, card: SplicersCard | None = None) -> str:
    """Return the derived rule that an observation contradicts, as far as one can tell."""
    if card is not None and card.host:
        return MUTATIONS.get(field, "")
    about = ABOUT.get(field, ())
    carried_out = [*(each.rule for each in reversed(table.derived)), *reversed(table.newly_applied)]
    found = next((each for each in carried_out if each in about), "")
    if not found and field in {"hand", "deck", "discard"}:
        return "splicers.state.conservation"
    if not found and field == "exhausted" and table.phase == START:
        return "splicers.round.unexhaust"
    return found


def _of_player(table: Splicers, event: ev.StateObserved, player: str) -> Iterator[Drift]:
    mine = table.players[player]
    for field, each in read_totals(OBSERVED, TOTALS, table, event, mine):
        of = PUBLIC_COUNTS if field in ZONES else OBSERVED
        yield msgspec.structs.replace(each, rule=of, because=_because(table, field))


ZONES: Final = ("hand", "deck", "discard")
TOTALS: Final = {
    "hand": size("hand"),
    "deck": size("deck"),
    "discard": size("discard", "discard pile"),
    "actions": counter("the number of actions of {}", "actions"),
}
"""What can be read off the table for a player."""


def _of_biom(table: Splicers, event: ev.StateObserved, biom: SplicersCard) -> Iterator[Drift]:
    name = title(table, biom)
    player = None if event.player is UNSET else table.players.get(event.player)
    if event.total is not UNSET and player is not None:
        noun, total = f"the total of {player.name} at {name}", biom.totals[player.seat]
        yield Drift(COUNTS, noun, total, event.total, because=_because(table, "total"))
    if event.dominator is not UNSET:
        folded, seen = (name_of(table, each) if each else None for each in (biom.dominator, event.dominator))
        yield Drift(DOMINATED, f"the dominator of {name}", folded, seen, because=_because(table, "dominator"))


def _of_card(table: Splicers, event: ev.StateObserved, card: SplicersCard) -> Iterator[Drift]:
    name, seen = title(table, card), event.dominance
    if event.face is not UNSET:
        yield _of_face(table, card, event.face)
    if event.exhausted is not UNSET:
        adopt, because = partial(table.set_exhausted, card, event.exhausted), _because(table, "exhausted", card)
        yield Drift(OBSERVED, name, _lies(card.exhausted), _lies(event.exhausted), adopt, because)
    if event.tokens is not UNSET:
        adopt, because = partial(table.set, card, "tokens", event.tokens), _because(table, "tokens", card)
        yield Drift(OBSERVED, f"the number of tokens on {name}", card.tokens, event.tokens, adopt, because)
    if seen is not UNSET:
        adopt = partial(_adopt_worth, table, card, seen - card.worth)
        yield Drift(COUNTS, f"the dominance of {name}", card.worth, seen, adopt)


def _lies(exhausted: bool) -> str:  # noqa: FBT001 - it is what the log says
    return "exhausted" if exhausted else "unexhausted"


def _of_face(table: Splicers, card: SplicersCard, seen: str) -> Drift:
    """Return how a card lies; a ting that had to devolve and is seen face up breaks a rule of its own."""
    stays = seen == "up" and not card.face_up and card.place is not None and unmet(table, card, card.place)
    folded = "face up" if card.face_up else "face down"
    because = _because(table, "face", card)
    rule, name = REQUIREMENT if stays else OBSERVED, title(table, card)
    return Drift(rule, name, folded, f"face {seen}", lambda: _turn(table, card, up=seen == "up"), because)


def _turn(table: Splicers, card: SplicersCard, *, up: bool) -> None:
    """Turn a card as somebody has seen it, without looking at its requirement."""
    if up:
        board.turn_up(table, card)
    else:
        triggers.deactivate_text(table, card)
        table.set(card, "face_up", False)
    table.touched += (card,)
    rounds.settle(table)


def _adopt_worth(table: Splicers, card: SplicersCard, by: int) -> None:
    table.count(card, "changes", by)
    table.touched += (card,)
    rounds.settle(table)
