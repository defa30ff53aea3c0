"""Whose part it is: the tests that a player acts in an own one, and ends no other."""

from typing import Any

from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Broken, Case, Check, Rule, Verdict


def own_part(doing: str) -> Check:
    """Return the check that it is a player's own part, in which one is called to be `doing` something."""

    def is_own(table: Any, event: Any) -> Verdict:
        if table.active == event.player:
            return None
        name = name_of(table, event.player)
        if not table.active:
            return f"{name} acts although nobody is {doing} now"
        active = name_of(table, table.active)
        return Broken(f"{name} acts although {active} is {doing}", active)

    return is_own


def own_end(own: Rule) -> Case:
    """Return the case of `own` that only whose part it is ends it; to say it twice changes nothing."""

    def ends_own(table: Any, event: Any) -> Verdict:
        if table.active == event.player:
            return None
        if has_just_ended(table, event.player):
            return Broken(f"{name_of(table, event.player)} has declared to be done already", "no second line", "info")
        return own.check(table, event)

    return Case(own, ends_own)


def has_just_ended(table: Any, player: str) -> bool:
    """Return whether a player's part was the last to end, and no card has been touched since."""
    if table.handed_over:
        return False
    for _, field, before, _ in reversed(table.journal):
        if field == "zone" or (field == "active" and before):
            return bool(field == "active" and before == player)
    return False
