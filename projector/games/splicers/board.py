"""What happens to cards on the table: they enter, turn over, exhaust, move on and leave, and their texts act.

No rule is looked at here.
"""

from typing import Final

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Consequence
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.splicers import dominance
from tabletape.projector.games.splicers.abilities import Trigger
from tabletape.projector.games.splicers.selecting import has_keyword, holds, is_itself, reaches, types_of
from tabletape.projector.games.splicers.state import Doing, Splicers, SplicersCard, in_play, place_of, tings_and_seeds
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.changes import Derived
from tabletape.projector.model.table import NOWHERE
from tabletape.projector.model.things import Zone

HOST_GONE: Final = "splicers.mutation.lost-on-devolve"
NOBODY: Final[frozenset[str]] = frozenset()


# -- texts that act by themselves --------------------------------------------------------------------------------------


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
        first = table.first
        meant.sort(key=lambda each: each[0].owner != first)
    for source, trigger in meant:
        if holds(table, trigger.condition, source.owner, source):
            that = card.name if card is not None else ""
            doing = Doing(source.owner, source.name, trigger.effects, that=that)
            table.set(table, "agenda", (*table.agenda, doing))
            table.applied.append("splicers.ability.passive-triggers")


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


# -- coming and going --------------------------------------------------------------------------------------------------


def recognise(table: Splicers, was: str, name: str) -> SplicersCard:
    """Name an unnamed card as what it turns out to be, also for its host; it is none of the row."""
    known = table.find(name)
    if not is_unseen(was) or (known is not None and known.zone.name == "row"):
        return table.card(name)
    card = table.recognise(was, name)
    if card.host:
        host = table.card(card.host)
        table.set(host, "mutations", tuple(name if each == was else each for each in host.mutations))
    return card


def relocate(table: Splicers, card: SplicersCard, place: str) -> None:
    """Move a card to another biom, with all that lies on it and under it."""
    dominance.withdraw(table, card)
    table.set_place(card, place)
    touch(table, card)
    if card.mutations and table.options["mutation_with_roam"] == "discarded":
        lose_mutations(table, card, HOST_GONE)
    if table.statics:
        look_at_everything(table)


def enter(table: Splicers, card: SplicersCard, place: str, *, exhausted: bool) -> None:
    """Lay a card down face up at a biom, on its owner's side."""
    lay(table, card, place)
    table.set_exhausted(card, exhausted)
    turn_up(table, card)
    touch(table, card)


def lay(table: Splicers, card: SplicersCard, place: str) -> None:
    """Lay a card down as it is; nobody has looked yet at what it counts there."""
    owner = table.players.get(card.owner)
    zone = table.zones[NOWHERE if owner is None else owner.side]
    if card.zone is not zone:
        table.move(card, zone)
    if card.worth:
        dominance.withdraw(table, card)
    table.set_place(card, place)


def turn_up(table: Splicers, card: SplicersCard) -> None:
    """Turn a card face up in play."""
    table.set(card, "face_up", True)
    if card.text is not None and card.text.says.speaks:
        activate_text(table, card)


def attach(table: Splicers, mutation: SplicersCard, host: SplicersCard) -> None:
    """Put a mutation under its host; it is exhausted as the host is. A card that lies at a biom stays there."""
    host = table.card(host.host) if host.host else host
    if mutation is host or mutation.host or mutation.place is not None:
        return
    table.move(mutation, table.zones["mutations"])
    table.set(mutation, "host", host.name)
    table.set(host, "mutations", (*host.mutations, mutation.name))
    table.set_exhausted(mutation, host.exhausted and table.options["mutation_enters"] == "like_host")
    turn_up(table, mutation)
    table.applied.append("splicers.mutation.visible")
    if mutation.text is not None and mutation.text.says.host_change:
        table.applied.append("splicers.ability.passive-triggers")
    touch(table, host)


def leave(
    table: Splicers, card: SplicersCard, zone: Zone, rule: str = HOST_GONE, says: Consequence | None = None
) -> None:
    """Take a card out of play into a zone, which the line `says`; it keeps nothing, its mutations go too.

    `rule` is the one because of which all this happens.
    """
    place = card.place
    deactivate_text(table, card)
    dominance.withdraw(table, card)
    if card.host:
        host = table.card(card.host)
        table.set(host, "mutations", tuple(name for name in host.mutations if name != card.name))
        touch(table, host)
    table.move(card, zone)
    knowing = table.everybody if card.face_up and zone.seen_by == "owner" else NOBODY
    tokens = card.tokens if table.options["tokens_outside_play"] == "kept" else 0
    table.update(card, exhausted=False, tokens=tokens, changes=0, since=0, jumped=False, place=None, host="")
    table.update(card, known_to=knowing, face_up=zone.seen_by == "all")
    if says is not None:
        table.derive(says, rule)
    if card.mutations:
        _outlive(table, card, rule, place)
    if table.roamed:
        forget_roaming(table, card)


def _outlive(table: Splicers, host: SplicersCard, rule: str, place: str | None) -> None:
    """Discard the mutations of a host that leaves, return them to the hand or leave them behind (ruling)."""
    fate = table.options["mutation_when_host_leaves"]
    if fate == "discarded":
        lose_mutations(table, host, rule)
        return
    for name in host.mutations:
        mutation = table.card(name)
        if fate == "stays":
            table.update(mutation, host="", place=place)
        else:
            return_to_hand(table, mutation, "host-gone", rule)
    table.set(host, "mutations", ())


def lose_mutations(table: Splicers, host: SplicersCard, rule: str) -> None:
    """Discard the mutations of a host."""
    for name in host.mutations:
        discard(table, table.card(name), "host-gone", rule)


def forget_roaming(table: Splicers, card: SplicersCard) -> None:
    """Forget where a card has roamed to, which leaves its place or is turned over (ruling `req_roam_both`)."""
    table.set(table, "roamed", tuple(each for each in table.roamed if each[0] != card.name))


def discard(table: Splicers, card: SplicersCard, reason: str, rule: str) -> None:
    """Discard a card from play, or return it to the hand if it has backup.

    Backup works face up, and not on a mutation that has lost its host (rulings).
    """
    is_lost = reason == "host-gone" and table.options["mutation_backup"] == "does_not_work"
    works = not is_lost and (card.face_up or table.options["backup_on_seed"] == "seeds_too")
    if works and in_play(card) and has_keyword(table, card, "backup"):
        return_to_hand(table, card, "backup", "splicers.kw.backup")
        return
    table.applied.append("splicers.splicer.no-discard")
    fire(table, "discarded", card)
    discarded = ev.CardDiscarded(card=card.name, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    leave(table, card, zone_of(table, "discard", card.owner), rule, discarded)


def return_to_hand(table: Splicers, card: SplicersCard, reason: str, rule: str) -> None:
    """Move a card to its owner's hand."""
    returned = ev.CardReturned(card=card.name, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    leave(table, card, zone_of(table, "hand", card.owner), rule, returned)


def declined_backup(table: Splicers, name: str) -> Derived | None:
    """Return the derived return of a card by backup, where its owner may decline it (ruling `backup_optional`)."""
    if table.options["backup_optional"] == "mandatory":
        return None
    returned = ev.CardReturned(card=name, reason="backup")
    return next((each for each in table.derived if each.event == returned), None)


def moulder(table: Splicers, card: SplicersCard, player: str) -> None:
    """Put a card into a player's deck; shuffling it is a line of its own."""
    leave(table, card, zone_of(table, "deck", player), "splicers.kw.moulder", ev.CardMouldered(card=card.name))


def lift_biom(table: Splicers, biom: SplicersCard) -> None:
    """Move a biom of the row to its owner's hand (ruling `bounce_scope`); what lies there stays beside the row."""
    place = biom.place or ""
    for card in tings_and_seeds(table):
        if card.place == place:
            dominance.withdraw(table, card)
    table.set(table, "row", tuple(each for each in table.row if each != place))
    table.set(table, "bioms", {key: name for key, name in table.bioms.items() if key != place})
    table.update(biom, dominator="", totals=())
    table.turning = tuple(each for each in table.turning if each is not biom)
    return_to_hand(table, biom, "bounce", "splicers.kw.bounce")


def end_season(table: Splicers, owner: str = "") -> None:
    """Discard the active season, or only that of one player (ruling `season_ends`)."""
    for card in list(table.zones["season"].cards):
        if not owner or card.owner == owner:
            discard(table, card, "season-over", "splicers.kw.season-replaced")


# -- turning and counting ----------------------------------------------------------------------------------------------


def devolve(table: Splicers, card: SplicersCard, reason: str, rule: str) -> None:
    """Turn a ting face down and exhausted; its mutations and changes are lost, both players know what it is."""
    if table.watching or table.statics:
        fire(table, "devolves", card)
        deactivate_text(table, card)
    table.set(card, "face_up", False)
    if card.changes and table.options["mods_on_devolve"] == "dropped":
        table.set(card, "changes", 0)
    if card.jumped and table.options["jumper_devolved"] == "stays":
        table.set(card, "jumped", False)
    if card.tokens and table.options["tokens_on_devolve"] == "dropped":
        table.set(card, "tokens", 0)
    table.set_exhausted(card, True)
    table.set(card, "known_to", table.everybody)
    devolved = ev.TingDevolved(card=card.name, reason=reason)  # type: ignore[arg-type]  # one of the reasons
    table.derive(devolved, rule)
    if card.mutations:
        lose_mutations(table, card, HOST_GONE)
    if table.roamed:
        forget_roaming(table, card)
    table.touched += (card,)


def exhaust(table: Splicers, card: SplicersCard, rule: str) -> None:
    """Exhaust a card that is not exhausted yet, and its mutations with it."""
    if not card.exhausted:
        if card.mutations:
            turn_sideways(table, card, True)
        else:
            table.set_exhausted(card, True)
        table.derived.append(Derived(ev.CardExhausted(card=card.name), rule, len(table.journal)))


def turn_sideways(table: Splicers, card: SplicersCard, exhausted: bool) -> None:  # noqa: FBT001 - as `set` takes it
    """Turn a card sideways or back; its mutations lie as it does."""
    table.set_exhausted(card, exhausted)
    for name in card.mutations:
        table.set_exhausted(table.cards[name], exhausted)
        table.applied.append("splicers.mutation.shares-exhaustion")


def change_dominance(table: Splicers, card: SplicersCard, by: int, rule: str = "splicers.kw.plus-minus") -> None:
    """Change what a card counts until the round ends."""
    modify_dominance(table, card, by)
    table.derive(ev.DominanceChanged(card=card.name, by=by), rule)
    table.touched += (card,)


def modify_dominance(table: Splicers, card: SplicersCard, by: int) -> None:
    """Change what a card counts in this round."""
    table.count(card, "changes", by)
    if card.name not in table.swayed:
        table.set(table, "swayed", (*table.swayed, card.name))


def change_tokens(table: Splicers, card: SplicersCard, by: int, rule: str) -> None:
    """Put tokens on a card or take them off, as far as there are any."""
    by = put_tokens(table, card, by)
    if by:
        table.derive(ev.TokensChanged(card=card.name, by=by), rule)


def put_tokens(table: Splicers, card: SplicersCard, by: int) -> int:
    """Put tokens on a card, or take off as many as there are of them; return how many more there are now."""
    by = max(by, -card.tokens)
    table.count(card, "tokens", by)
    return by
