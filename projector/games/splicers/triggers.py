"""Texts that act by themselves: which are in force, what they wait for, and which cards to look at again."""

from tabletape.projector.games.splicers.abilities import Trigger
from tabletape.projector.games.splicers.selecting import holds, is_itself, reaches, types_of
from tabletape.projector.games.splicers.state import Doing, Splicers, SplicersCard, place_of, tings_and_seeds


def touch(table: Splicers, card: SplicersCard) -> None:
    """Remember that a card may count differently now, and that its requirement has to be looked at."""
    table.touched += (card,)
    if card.face_up and card.place is not None:
        table.requirement_queue += (card,)


def activate_text(table: Splicers, card: SplicersCard) -> None:
    """Activate the text of a card that has come face up into play."""
    says = card.text.says if card.text is not None else None
    if says is None:
        return
    if says.triggers:
        _add_name(table, "watching", card.name)
        _note_moments(table)
    if says.statics:
        _add_name(table, "statics", card.name)
        if says.restless:
            _add_name(table, "restless", card.name)
        if says.grants:
            _add_name(table, "granting", card.name)
        look_at_everything(table)
    if says.statics or says.host_change:
        table.set(card, "since", table.round)


def deactivate_text(table: Splicers, card: SplicersCard) -> None:
    """Deactivate the text of a card that leaves play or is turned over."""
    name = card.name
    if name in table.watching:
        _take_name(table, "watching", name)
        _note_moments(table)
    if name in table.statics:
        _take_name(table, "statics", name)
        _take_name(table, "restless", name)
        _take_name(table, "granting", name)
        look_at_everything(table)


def _add_name(table: Splicers, field: str, name: str) -> None:
    names = getattr(table, field)
    if name not in names:
        table.set(table, field, (*names, name))


def _take_name(table: Splicers, field: str, name: str) -> None:
    table.set(table, field, tuple(each for each in getattr(table, field) if each != name))


def _note_moments(table: Splicers) -> None:
    moments: dict[str, tuple[str, ...]] = {}
    for name in table.watching:
        for moment in table.cards[name].text.says.moments:
            moments[moment] = (*moments.get(moment, ()), name)
    table.set(table, "moments", moments)


def look_at_everything(table: Splicers) -> None:
    """Weigh all cards at bioms again and look at their requirements."""
    cards = tings_and_seeds(table)  # not touched one by one: each would copy all before it
    table.touched += tuple(cards)
    table.requirement_queue += tuple([card for card in cards if card.face_up and card.place is not None])


def fire(table: Splicers, when: str, card: SplicersCard | None = None) -> None:
    """Put the triggers of a moment on the agenda, those of the first player first.

    `card` is the one that evolves, hunts, roams and so on.
    """
    names = table.moments.get(when)
    if names is None:
        return
    meant: list[tuple[SplicersCard, Trigger]] = []
    for name in names:
        source = table.cards[name]
        for trigger in source.text.says.triggers:
            if trigger.moment == when and _is_meant(table, trigger, source, card) and reaches(table, source, card):
                meant.append((source, trigger))  # noqa: PERF401 - a loop costs less than a comprehension of two levels
    if len(meant) > 1:
        _put_first(table.first, meant)
    for source, trigger in meant:
        if holds(table, trigger.condition, source.owner, source):
            that = card.name if card is not None else ""
            doing = Doing(source.owner, source.name, trigger.effects, that=that)
            table.set(table, "agenda", (*table.agenda, doing))
            table.applied.append("splicers.ability.passive-triggers")


def _put_first(player: str, meant: list[tuple[SplicersCard, Trigger]]) -> None:
    """Sort triggers so that those of a player come first."""
    meant.sort(key=lambda each: each[0].owner != player)


def _is_meant(table: Splicers, trigger: Trigger, source: SplicersCard, card: SplicersCard | None) -> bool:
    """Return whether a trigger means that its moment has come for this card, or for no card in particular."""
    whose = trigger.whose
    if not whose or card is None:
        return not whose
    if whose == "self":
        return card is source
    if whose == "friendly":
        return card.owner == source.owner
    of_type = trigger.type in types_of(table, card) and not is_itself(table, card, source)
    return of_type and place_of(table, source) == place_of(table, card) != ""
