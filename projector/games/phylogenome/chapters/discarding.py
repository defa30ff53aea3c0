"""Addressing inconsistencies, and what becomes of Events: what is discarded, and when (L25 to L28, L57, L82)."""

from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome import effects
from tabletape.projector.games.phylogenome.chapters import WRITTEN
from tabletape.projector.games.phylogenome.chapters.cards import AS_DECLARED
from tabletape.projector.games.phylogenome.naming import by_other_rulings, called, where_is
from tabletape.projector.games.phylogenome.state import BENEATH, TABLEAU, Phylo, PhyloCard, is_species
from tabletape.projector.games.phylogenome.steps import adopted, clear, is_timely
from tabletape.projector.games.phylogenome.tableau import CLASHING_KIND, FIELDS, misfits
from tabletape.projector.kit.consequence import Follows, consequence, follows
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled, by_ruling, name_of
from tabletape.projector.model.rules import Broken, Rule, Undecidable

Ruled = Rule | str | RuleVerdict

UNTIL_NEXT_TURN: Final = WRITTEN["phylogenome.fix.until-end-of-next-turn"]
DISCARD_UNFIXED: Final = WRITTEN["phylogenome.fix.discard-unfixed"]
END_DISCARDS: Final = WRITTEN["phylogenome.turn.end-discards"]


# -- a discard that is written -----------------------------------------------------------------------------------------


def _card_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded | None) -> Ruled:
    card = table.find(event.card)
    if expected is not None:
        return _otherwise_discarded(table, event, expected)
    if card is not None and event.reason in FIELDS:
        return _untimely(table, card, event)
    if card is not None and event.reason == "host-left" and card.host:
        host = table.find(card.host)
        if host is not None and host.changed > table.changes - 2:
            message = f"{called(table, card.name)} is discarded although {called(table, host.name)} was only moved"
            broken, travels = Broken(message, "it moves along"), WRITTEN["phylogenome.event.travels-with-host"]
            return RuleVerdict(travels, broken, because="phylogenome.move.carries-events")
    if card is not None and event.reason == "effect" and card.zone.name == TABLEAU and card.text is not None:
        player = table.players.get(card.controller)
        if player is not None and card.text.sequencing_generation > player.generation:
            message = f"{called(table, card.name)} is discarded, but nothing but its lost generation is wrong with it"
            stays = f"it stays in play; {player.name} has generation {player.generation}"
            return RuleVerdict(WRITTEN["phylogenome.generation.species-stay"], Broken(message, stays))
    return _by_reason(table, card, event.reason)


def _otherwise_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded) -> Ruled:
    """Return the rule about the pile or the reason of a discard; where a paid card goes is a ruling."""
    card = table.find(event.card)
    if event.pile == expected.pile:
        if card is not None and {event.reason, expected.reason} == {*FIELDS} and _was_broken(table, card, event.reason):
            return RuleVerdict(END_DISCARDS, None)
        return _by_reason(table, card, expected.reason)
    rule = WRITTEN[f"phylogenome.discard.{'species' if is_species(card) else 'event'}-pile"]
    is_free = table.options["paid_card_pile"] == "any_pile" and event.pile in table.players
    return RuleVerdict(rule, None) if is_free and expected.reason == event.reason == "paid" else rule


def _was_broken(table: Phylo, card: PhyloCard, kind: str) -> bool:
    """Return whether a Species that was just discarded was cut off, or was incompatible, in the tableau."""
    for thing, field, before, after in reversed(table.journal):
        if thing is card and field == FIELDS[kind]:
            return bool(before)
        if thing is card and field == "place" and after is None:
            return False
    return False


def _by_reason(table: Phylo, card: PhyloCard | None, reason: str) -> Rule | str:
    """Return the rule about discarding a card for a reason."""
    zone = card.zone.name if card is not None else ""
    stays = "beneath" if zone == BENEATH else "table" if zone[:6] == "table:" else ""
    if stays and reason in {"effect", "used", "resolved"}:
        return f"phylogenome.event.{stays}-stays"
    if reason == "resolved":
        mode = card.text.says.mode if card is not None and card.text is not None else ""
        return "phylogenome.event.on-top-once" if mode == "on_top" else "phylogenome.event.momentary"
    return effects.RULES[reason]


def _untimely(table: Phylo, card: PhyloCard, event: ev.CardDiscarded) -> Ruled:
    """Return the rule against discarding a Species that is not broken or has time; one in time is discarded rightly.

    Step 4 of the turn may be written down before the line that says that the turn has ended.
    """
    name, by = called(table, event.card), by_ruling(table, "grace")
    others = blamed_instead(table, card) if event.reason == CLASHING_KIND else []
    if any(is_timely(table, each, event) for each in others):
        return RuleVerdict(END_DISCARDS, None)
    if not others and _is_written_too_late(table, event):
        message = f"nobody has written down before the end of the turn that {name} is the one to be discarded"
        by_blame = by_ruling(table, "incompatible_blame")
        return RuleVerdict(DISCARD_UNFIXED, Undecidable(f"{message} ({by_blame})"))
    if not (card.cut_off or card.clashing or others):
        sound = "connected" if event.reason == "disconnected" else "compatible with its neighbours"
        why = f"although it is {sound}" if card.zone.name == TABLEAU else f"but {where_is(table, card.name)}"
        return RuleVerdict(DISCARD_UNFIXED, f"{name} is discarded, {why}")
    if is_timely(table, card, event):
        return RuleVerdict(END_DISCARDS, None)
    whose = name_of(table, card.controller)
    message = f"{name} is discarded although {whose} still has time to repair ({by})"
    deadline = DEADLINES[table.options["grace"]].format(whose)
    return RuleVerdict(UNTIL_NEXT_TURN, Broken(message, deadline))


def _is_written_too_late(table: Phylo, event: ev.CardDiscarded) -> bool:
    """Return whether another Species has just been discarded in whose place this one may have been chosen (ruling)."""
    may_be = table.options["incompatible_blame"] == "owner_chooses" and event.reason == CLASHING_KIND
    discards = [each.event for each in table.derived if isinstance(each.event, ev.CardDiscarded)]
    return may_be and (CLASHING_KIND, event.pile) in [(each.reason, each.pile) for each in discards]


DEADLINES: Final = {
    "owner_next_turn": "no discard before the end of the next turn of {}",
    "strict_end_of_turn": "no discard before the end of this turn",
    "both_players_next_turn": "no discard before both players have had their next turn",
}


def _behind_discard(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded | None) -> str:
    is_paid = expected is not None and expected.reason == event.reason == "paid"
    return as_ruled(table, "paid_card_pile") if is_paid else ""


DISCARD: Final = adopted(
    lambda table, event: effects.discard(table, table.card(event.card), event.pile, event.reason, effects.AS_DECLARED)
)


@consequence(
    ev.CardDiscarded, rule=_card_discarded, why=lambda table, event: where_is(table, event.card), behind=_behind_discard
)
def adopt_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded | None) -> None:
    """Discard the card that is written, and with it all that has to go at the end of the turn."""
    card = table.find(event.card)
    if card is not None and event.pile in table.players:
        _take_blame(table, event, event.reason, expected)
        if expected is None and is_timely(table, card, event):
            clear(table, event)
        else:
            DISCARD(table, event, expected)


def _take_blame(table: Phylo, event: ev.InconsistencyArisen | ev.CardDiscarded, kind: str, expected: Any) -> None:
    card = table.find(event.card)
    if expected is None and card is not None and kind == CLASHING_KIND:
        take_blame(table, card)


# -- what is broken, and what is repaired ------------------------------------------------------------------------------


def _inconsistency(table: Phylo, event: ev.InconsistencyArisen, expected: Any) -> Ruled:
    """A Species that has been broken for a while may be said to be so later."""
    card = table.find(event.card) if isinstance(event, ev.InconsistencyArisen) else None
    is_late = card is not None and getattr(card, FIELDS[event.kind]) > 0
    # It may say which of two incompatible Species their player gives up (ruling).
    is_chosen = card is not None and event.kind == CLASHING_KIND and bool(blamed_instead(table, card))
    return RuleVerdict(UNTIL_NEXT_TURN, None) if is_late or is_chosen else UNTIL_NEXT_TURN


def _not_so(table: Phylo, event: ev.InconsistencyArisen | ev.InconsistencyFixed) -> str:
    card = table.find(event.card)
    if card is None or card.zone.name != TABLEAU:
        return where_is(table, event.card)
    if isinstance(event, ev.InconsistencyFixed):
        return "it is so still" if getattr(card, FIELDS[event.kind]) else "it has not been so"
    fits = "its genome scale goes with those beside it, or another one was changed after it"
    return fits if event.kind == CLASHING_KIND else "a way leads from it to a progress card"


RULED_BY: Final = ("geometry", "compat_scope", "connect_to", "incompatible_blame")
REPAIR_RULES: Final[dict[str, Any]] = {
    "rule": _inconsistency,
    "why": _not_so,
    "behind": lambda table, _event, _expected: by_other_rulings(table, RULED_BY),
}
FIXED_INCONSISTENCY: Final = follows(ev.InconsistencyFixed, **REPAIR_RULES)


@consequence(ev.InconsistencyArisen, **REPAIR_RULES)
def adopt_arisen(table: Phylo, event: ev.InconsistencyArisen, expected: ev.InconsistencyArisen | None) -> None:
    """Take the Species that is written for the one which is given up."""
    _take_blame(table, event, event.kind, expected)


EVENT_LINES: Final = Follows(rule=AS_DECLARED)
"""What is said of all other lines."""


# -- which of two incompatible Species goes (ruling `incompatible_blame`, L57) -----------------------------------------


def blamed_instead(table: Phylo, card: PhyloCard) -> list[PhyloCard]:
    """Return the incompatible Species beside one in the place of which their player may give that one up."""
    if table.options["incompatible_blame"] != "owner_chooses" or card.clashing or card.place is None:
        return []
    wrong = misfits(table, card, card.controller, card.near)
    return [other for other in wrong if other.clashing and other.controller == card.controller]


def take_blame(table: Phylo, card: PhyloCard) -> None:
    """Count a Species as the one that was changed last, and so as incompatible for as long as the other one was."""
    others = blamed_instead(table, card)
    if not others:
        return
    since = min(other.clashing for other in others)
    table.changes += 1
    table.set(card, "changed", table.changes)
    table.set(card, "clashing", since)
    table.clashing += 1
    for other in others:
        if not any(other.changed > each.changed for each in misfits(table, other, other.controller, other.near)):
            table.set(other, "clashing", 0)
            table.clashing -= 1
    relieved = [ev.InconsistencyArisen(card=each.name, kind=CLASHING_KIND) for each in others if not each.clashing]
    table.derived = [each for each in table.derived if each.event not in relieved]
