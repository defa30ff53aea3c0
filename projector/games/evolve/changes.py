"""What happens to players and organisms: resources, energy, stress, death, entering and leaving play.

What waits for one of these is put on the agenda with it.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve.abilities import Trigger
from tabletape.projector.games.evolve.selecting import limit_of, reach_change
from tabletape.projector.games.evolve.state import Doing, Evolve, EvolveCard, EvolvePlayer, organisms
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.things import Zone

Ending = Literal["tier3", "starvation", "deck-out", "concession", "abandoned"]

EXCESS: Final = "evolve.energy.excess-lost"
INVALID_CHOICE: Final = "evolve.event.invalid-choice"
COSTS_FIRST: Final = "evolve.main.costs-first"


def end_game(table: Evolve, winner: str, reason: Ending, rule: str) -> None:
    """End the game; `winner` is empty where nobody has won. What is still open never happens."""
    table.applied += ["evolve.win.first-wins", "evolve.end.nothing-after-end", "evolve.state.conservation"]
    ended = ev.GameEnded(winner=winner or None, reason=reason)
    end(table, ended, rule, phase="over", pending=None, answer=None, event=None, owed=None, agenda=())


def change_mp(table: Evolve, player: EvolvePlayer, by: int, rule: str) -> None:
    """Add to a player's Manipulation Points or take from them, never below 0 (ruling `mp_five`)."""
    before = player.mp
    if before + by < 0:
        by = -before
    elif by > 0 and table.options["mp_five"] == "at_most_five":
        by = max(min(by, 5 - before), 0)
    if by:
        after = before + by
        table.change(player, "mp", before, after)
        table.derive(ev.MpChanged(player=player.id, by=by, to=after), rule)


def change_dna(table: Evolve, player: EvolvePlayer, by: int, rule: str) -> None:
    """Add to a player's DNA or take from it, never below 0 (but for the ruling `dna_negative`)."""
    before = player.dna
    if before + by < 0 and table.options["dna_negative"] == "illegal":
        by = -before
    if by:
        after = before + by
        table.change(player, "dna", before, after)
        table.derive(ev.DnaChanged(player=player.id, by=by, to=after), rule)


def change_energy(table: Evolve, card: EvolveCard, by: int, rule: str) -> None:
    """Add energy to an organism up to its limit, or take it, never below 0; what is above the limit is lost."""
    before = card.energy
    lost = 0
    if by > 0:
        limit = limit_of(table, card)
        if limit is not None and before + by > limit:
            lost = min(by, before + by - limit)
            by -= lost
            rule = EXCESS
        table.applied.append("evolve.energy.cap")
    else:
        by = max(by, -before)
    table.count(card, "energy", by)
    if by or lost:
        table.derive(ev.EnergyChanged(card=card.name, by=by, to=card.energy, lost=lost or msgspec.UNSET), rule)


def gain_energy(table: Evolve, card: EvolveCard, action: str, amount: int, rule: str) -> None:
    """Add to an organism the energy that its action brings, with what other cards add to it, not below 0."""
    change = reach_change(table, "gain", action, card) if table.reaching else 0
    if change:
        rule = "evolve.status.global"
    change_energy(table, card, max(amount + change, 0), rule)


def fit_energy(table: Evolve, card: EvolveCard) -> None:
    """Take the energy that an organism cannot hold any more because its limit has fallen."""
    limit = limit_of(table, card)
    if limit is not None and card.energy > limit and table.options["energy_cap_changes"] == "surplus_lost":
        change_energy(table, card, limit - card.energy, EXCESS)


def _fit_energies(table: Evolve, card: EvolveCard) -> None:
    """Take that of all organisms, where a card that changes limits has come or gone."""
    if card.text is not None and card.text.says.caps:
        for each in organisms(table):
            fit_energy(table, each)


def fire(table: Evolve, when: str, names: Iterable[str]) -> None:
    """Put the abilities of some cards that wait for a moment on the agenda, in the order of the cards."""
    for name in names:
        card = table.find(name)
        if card is None or card.text is None:
            continue
        for trigger in card.text.says.triggers:
            if trigger.when == when:
                table.set(table, "agenda", (*table.agenda, happens(card, trigger)))


def happens(card: EvolveCard, trigger: Trigger) -> Doing:
    """Return what an ability does that happens by itself."""
    return Doing(
        source=card.name,
        player=card.controller,
        means=card.text.kind,
        effects=trigger.effects,
        condition=trigger.condition,
    )


def cancel(table: Evolve) -> None:
    """Cancel the open event: it has no effect and is put away."""
    if table.event is not None:
        table.set(table, "event", msgspec.structs.replace(table.event, cancelled=True))


def stress(table: Evolve, card: EvolveCard, by: str, rule: str) -> bool:
    """Stress an organism in play, for the card `by`; one that is stressed already dies. Return whether it died."""
    watching = table.watching
    if card.stressed:
        controller = card.controller
        put_away(table, card, ev.OrganismDied(card=card.name), "evolve.stress.second-kills")
        table.applied.append("evolve.stress.death-owner-discard")
        if watching:
            fire_death(table, card, controller, watching)
        return True
    set_stressed(table, card, stressed=True, by=by if table.options["kill_by"] == "nobody" else "")
    table.derive(ev.OrganismStressed(card=card.name), rule)
    if watching and card.name in watching:
        fire(table, "self.stressed", (card.name,))
    return False


def set_stressed(table: Evolve, card: EvolveCard, *, stressed: bool, by: str = "") -> None:
    """Stress an organism, for the card `by` if that is known, or unstress it."""
    table.set(card, "stressed", stressed)
    if card.stressed_by != by:
        table.set(card, "stressed_by", by)


def fire_death(table: Evolve, card: EvolveCard, controller: str, watching: Iterable[str]) -> None:
    """Put on the agenda what waits for a death: the dead card's own abilities and those of its enemies.

    `controller` and `watching` are those before it died.
    """
    if card.name in watching:
        fire(table, "self.died", (card.name,))
    enemies = (table.find(name) for name in table.watching)
    fire(table, "enemy.died", [each.name for each in enemies if each is not None and each.controller != controller])


def leave(
    table: Evolve, card: EvolveCard, reason: Literal["evolved", "removed", "status-ended", "fizzled"], rule: str
) -> None:
    """Put a card that leaves play into its owner's discard pile."""
    put_away(table, card, ev.CardLeft(card=card.name, reason=reason), rule)


def put_away(table: Evolve, card: EvolveCard, gone: ev.OrganismDied | ev.CardLeft, rule: str = "") -> None:
    """Put a card away after its mutations, by a rule or as it is written: then nothing else follows from it."""
    if rule and card.mutations:
        _strip(table, card)
    host = table.find(card.host) if rule and card.host else None
    to_discard(table, card)
    if rule:
        table.derive(gone, rule)
    if host is not None:
        fit_energy(table, host)


def _strip(table: Evolve, card: EvolveCard, *, is_derived: bool = True) -> None:
    """Put the mutations of an organism away; the rules say nothing of it where only the log makes it leave."""
    for name in card.mutations:
        mutation = table.find(name)
        if mutation is not None:
            to_discard(table, mutation)
            if is_derived:
                table.derive(ev.CardLeft(card=mutation.name, reason="host-gone"), "evolve.mutation.leave-discard")
    table.set(card, "mutations", ())


def to_discard(table: Evolve, card: EvolveCard) -> None:
    """Put a card into its owner's discard pile, where it is a mere card again."""
    forget(table, card)
    table.move(card, zone_of(table, "discard", card.owner))
    table.set(card, "face_up", True)


def forget(table: Evolve, card: EvolveCard) -> None:
    """Reset what a card was in play: its energy, its stress, its host and what it did to others."""
    if card.mutations:
        _strip(table, card, is_derived=False)
    if card.host:
        host = table.find(card.host)
        if host is not None:
            table.set(host, "mutations", tuple(name for name in host.mutations if name != card.name))
        table.set(card, "host", "")
    if card.energy or card.stressed or card.actions or card.since:
        table.update(card, energy=0, stressed=False, stressed_by="", actions=0, since=0)
    if card.name in table.watching:
        table.set(table, "watching", tuple(name for name in table.watching if name != card.name))
    if card.name in table.reaching:
        table.set(table, "reaching", tuple(name for name in table.reaching if name != card.name))
        _fit_energies(table, card)


# -- entering play -----------------------------------------------------------------------------------------------------


def enter(table: Evolve, card: EvolveCard, zone: Zone, player: str, rule: str = COSTS_FIRST) -> None:
    """Put a card into play as a new object: a played one, or one that another rule brings."""
    put_into_play(table, card, zone, player)
    table.derive(ev.CardEntered(card=card.name), rule)
    if card.name in table.watching:
        fire(table, "enters", (card.name,))
    _fit_energies(table, card)


def put_into_play(table: Evolve, card: EvolveCard, zone: Zone, player: str) -> None:
    """Put a card into play for a player."""
    table.move(card, zone)
    table.set(card, "controller", player)
    watch(table, card)


def watch(table: Evolve, card: EvolveCard) -> None:
    """Note which abilities of a card in play have to be looked at from now on."""
    if card.text is None:
        return
    says = card.text.says
    if says.triggers:
        table.set(table, "watching", (*table.watching, card.name))
    if says.gains or says.caps:
        table.set(table, "reaching", (*table.reaching, card.name))


def found_in_play(table: Evolve, name: str) -> EvolveCard:
    """Return a card that a line uses in play.

    An organism that the log has elsewhere was on the table: the line that brought it there is missing. So it enters,
    unless another copy lies there that the line may have meant.
    """
    card = table.card(name)
    if card.is_organism:
        return card
    owner = table.players.get(card.owner)
    is_elsewhere = card.text is not None and card.text.kind == "organism" and card.zone.name != "stack"
    if owner and is_elsewhere and all(other.text is not card.text for other in table.zones[owner.play].cards):
        card = table.take(name, table.zones[owner.hand])
        put_into_play(table, card, table.zones[owner.play], owner.id)
        table.set(card, "face_up", True)
    return card


def hand_back(table: Evolve, card: EvolveCard) -> None:
    """Put a card into its owner's hand again (rulings)."""
    owner = table.players.get(card.owner)
    if owner is not None:
        forget(table, card)
        table.move(card, table.zones[owner.hand])
        table.update(card, face_up=False, known_to=frozenset(table.players))


def draw(table: Evolve, player: EvolvePlayer, names: Iterable[str], count: int) -> None:
    """Take cards from a deck to the hand, and note what remains known of its bottom."""
    deck = table.zones[player.deck_zone]
    for name in names:
        card = table.cards.get(name)
        if card is not None and card.zone is not deck and (card := table.find(name)) is not None and card.in_play:
            forget(table, card)
    table.draw(names, count, deck, table.zones[player.hand])
    if player.bottom:
        left = tuple(name for name in player.bottom if name not in set(names))
        table.set(player, "bottom", left[len(left) - deck.size :] if deck.size < len(left) else left)


def is_there(table: Evolve, name: str) -> EvolveCard | None:
    """Return an organism that is still in play, or None."""
    card = table.find(name)
    return card if card is not None and card.is_organism else None
