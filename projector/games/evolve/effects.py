"""What cards print: effects carried out one after the other, and abilities that happen by themselves."""

from functools import cache
from typing import Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import changes
from tabletape.projector.games.evolve.abilities import Effect, verb
from tabletape.projector.games.evolve.selecting import candidates, fits, holds, is_immune
from tabletape.projector.games.evolve.state import Doing, Evolve, EvolveCard, Owed, Unordered
from tabletape.projector.kit.card_text import Condition

RULES: Final = {
    ("event", "energy"): "evolve.energy.sources",
    ("event", "dna"): "evolve.cost.card-effects",
    ("event", "mp"): "evolve.cost.card-effects",
    ("attack", "energy"): "evolve.attack.kill-energy",
    ("duplicate", "dna"): "evolve.dna.duplicate",
    ("divide", "dna"): "evolve.dna.duplicate",
    ("photosynthesize", "energy"): "evolve.energy.photosynthesis",
    ("mutation", "energy"): "evolve.energy.sources",
    ("event", ""): "evolve.event.normal-if-none",
    ("response", ""): "evolve.response.resolves-first",
    ("attack", ""): "evolve.attack.card-text",
    ("duplicate", ""): "evolve.duplicate.extra",
    ("consume", ""): "evolve.main.own-consume-replaces",
    ("status", ""): "evolve.status.global",
    ("organism", ""): "evolve.begin.triggers",
    ("mutation", ""): "evolve.begin.triggers",
}
"""The rule that a kind of ability carries out with a verb, or with any other one."""

ENERGY_ACTIONS: Final = frozenset({"consume", "photosynthesize"})
"""Kinds of action whose energy other cards may raise or lower."""


def carry_out(table: Evolve, doing: Doing) -> None:
    """Carry effects out in their order, as far as the first draw that somebody has to make."""
    if doing.condition is not None and not _holds(table, doing, doing.condition):
        return
    died = doing.died
    for index, effect in enumerate(doing.effects):
        condition = effect.condition
        if condition is not None and not _holds(table, doing, condition, effect.verb, died=died):
            continue
        if effect.verb != "draw":
            has_killed = verb.does[effect.verb](table, doing, effect)
            died = died if has_killed is None else has_killed
        elif order_draw(
            table, msgspec.structs.replace(doing, effects=doing.effects[index:], condition=None, died=died)
        ):
            return
        if table.over:
            return


def carry_on(table: Evolve) -> None:
    """Carry out what is on the agenda, as far as the next draw."""
    while table.agenda and table.owed is None and not table.over:
        waiting = table.agenda
        table.set(table, "agenda", ())
        carry_out_together(table, waiting)


def carry_out_together(table: Evolve, due: tuple[Doing, ...], *, is_said: bool = False, at_start: bool = False) -> None:
    """Carry out abilities that wait at the same time, in the order that they have or that is supposed of them."""
    if table.supposed and not is_said:
        cards = {each.source for each in due}
        orders = (order for turn, order in table.supposed if turn == table.turn and cards == {*order})
        due = in_order(due, next(orders, ()))
    carry_out_in_order(table, due, is_said=is_said, at_start=at_start)


def in_order(due: tuple[Doing, ...], cards: tuple[str, ...]) -> tuple[Doing, ...]:
    """Return the abilities of some moment in another order of their cards, if one is given."""
    return tuple(sorted(due, key=lambda doing: cards.index(doing.source))) if cards else due


def carry_out_in_order(table: Evolve, due: tuple[Doing, ...], *, is_said: bool = False, at_start: bool = False) -> None:
    """Carry out abilities one after the other, and what they set off, as far as the next draw.

    No rule says what comes first: their order is noted as open, unless it `is_said`; `at_start` as in `Unordered`.
    """
    if len(due) > 1:  # a change of its own parts what was derived before from what these abilities make
        table.record(table, "unordered", table.unordered)
    before = len(table.journal)
    for index, doing in enumerate(due):
        carry_out(table, doing)
        if table.owed is not None:
            table.set(table, "agenda", (*due[index + 1 :], *table.agenda))
        if table.owed is not None or table.over:
            break
    else:
        carry_on(table)
    if len(due) > 1 and not is_said:
        run = Unordered(due=due, before=before, after=len(table.journal), at_start=at_start)
        if len(run.cards) > 1:
            table.set(table, "unordered", (*table.unordered, run))


def go_on_after(table: Evolve, owed: Owed) -> None:
    """Put what comes after a draw on the agenda, before everything else."""
    rest = owed.doing.effects[1:]
    if rest and not table.over:
        table.set(table, "agenda", (msgspec.structs.replace(owed.doing, effects=rest), *table.agenda))


def _holds(table: Evolve, doing: Doing, condition: Condition, word: str = "", *, died: bool = False) -> bool:
    """Return whether a condition holds; energy for a kill is given otherwise by the ruling `kill_energy`."""
    is_for_kill = condition.what == "died" and word == "energy" and doing.means == "attack"
    if is_for_kill and table.options["kill_energy"] != "printed_only":
        return False
    source = table.find(doing.source)
    host = table.find(source.host) if source is not None and source.host else source
    return holds(table, condition, host, doing.player, died=died)


@cache
def _rule(means: str, verb: str) -> str:
    """Return the rule that a kind of ability carries out with a verb."""
    return RULES.get((means, verb)) or RULES.get((means, ""), "evolve.main.listed-actions")


def _cards(table: Evolve, doing: Doing, effect: Effect) -> list[EvolveCard]:
    """Return the cards that an effect reaches; those that are gone or do not fit any more are left out.

    Rulings: `status_scope_food` for what a status reaches, `response_targets` for what a response has chosen.
    """
    cards, means, options = effect.cards, doing.means, table.options
    if cards is None:
        return []
    if cards.quantity == 0:
        reached = [card for card in candidates(table, cards.noun) if fits(cards, card, doing.player)]
        if means == "status" and options["status_scope_food"] == "non_food_only":
            reached = [card for card in reached if not card.is_food]
    else:
        card = table.find(doing.target if effect.is_chosen else doing.source)
        if not effect.is_chosen and cards.noun == "host" and card is not None:
            card = table.find(card.host)
        rechecked = effect.is_chosen and not (means == "response" and options["response_targets"] == "not_rechecked")
        is_reached = card is not None and (fits(cards, card, doing.player) if rechecked else card.in_play)
        reached = [card] if card is not None and is_reached else []
    return [card for card in reached if card.name not in doing.shielded] if doing.shielded else reached


@verb("stress {cards or self}")
def _stress(table: Evolve, doing: Doing, effect: Effect) -> bool:
    """Stress cards; return whether one died that these effects have killed (ruling `kill_by`)."""
    died = False
    rule = _rule(doing.means, effect.verb)
    for card in _cards(table, doing, effect):
        if card.mutations and is_immune(table, card, "stressed", doing.means):
            continue
        if doing.means == "event" and card.is_food:
            rule = "evolve.food.can-be-stressed"
        is_kill = table.options["kill_by"] == "effect_that_killed" or card.stressed_by == doing.source
        if changes.stress(table, card, doing.source, rule) and is_kill:
            died = True
            _feed_killer(table, doing, card)
    return died


def _feed_killer(table: Evolve, doing: Doing, victim: EvolveCard) -> None:
    """Add to the attacker's energy that of a non-food organism that it has killed (ruling `kill_energy`)."""
    reading = table.options["kill_energy"]
    killer = changes.is_there(table, doing.source) if doing.means == "attack" else None
    if reading == "printed_only" or killer is None or victim.text is None or victim.text.food:
        return
    amount = victim.text.tier if reading == "victims_tier" else victim.text.food_energy
    changes.change_energy(table, killer, amount, "evolve.attack.kill-energy")


@verb("energy {n:change} {cards or self}")
def _energy(table: Evolve, doing: Doing, effect: Effect) -> None:
    """Change the energy of organisms."""
    rule = _rule(doing.means, effect.verb)
    for card in _cards(table, doing, effect):
        if doing.means in ENERGY_ACTIONS and effect.n > 0:
            changes.gain_energy(table, card, doing.means, effect.n, rule)
        else:
            changes.change_energy(table, card, effect.n, rule)


@verb("dna {n:change}")
def _dna(table: Evolve, doing: Doing, effect: Effect) -> None:
    """Change the player's DNA."""
    changes.change_dna(table, table.players[doing.player], effect.n, _rule(doing.means, effect.verb))


@verb("mp {n:change}")
def _mp(table: Evolve, doing: Doing, effect: Effect) -> None:
    """Change the player's MP."""
    changes.change_mp(table, table.players[doing.player], effect.n, _rule(doing.means, effect.verb))


@verb("remove {cards or self}")
def _remove(table: Evolve, doing: Doing, effect: Effect) -> bool | None:
    """Remove cards from play; return that an organism was one that counts as killed (ruling `removed_is_killed`)."""
    killed = None
    for card in _cards(table, doing, effect):
        if is_immune(table, card, "removed", doing.means):
            continue
        controller, watching = card.controller, table.watching
        is_killed = card.is_organism and table.options["removed_is_killed"] == "removed_too"
        changes.leave(table, card, "removed", _rule(doing.means, effect.verb))
        if is_killed:
            killed = True
            changes.fire_death(table, card, controller, watching)
            _feed_killer(table, doing, card)
    return killed


@verb("end {cards or self}")
def _end(table: Evolve, doing: Doing, effect: Effect) -> None:
    """End statuses."""
    for card in _cards(table, doing, effect):
        changes.leave(table, card, "status-ended", "evolve.status.ended-to-owner")


@verb("cancel {cards or self}")
def _cancel(table: Evolve, _doing: Doing, _effect: Effect) -> None:
    """Cancel the event that is answered."""
    changes.cancel(table)


@verb("shield {cards or self} from event")
def _shield(table: Evolve, doing: Doing, effect: Effect) -> None:
    """Shield organisms from the event that is answered."""
    if table.event is not None:
        names = tuple(card.name for card in _cards(table, doing, effect))
        table.set(table, "event", msgspec.structs.replace(table.event, shielded=(*table.event.shielded, *names)))


verb.add(["draw {n}"])


def order_draw(table: Evolve, doing: Doing) -> bool:
    """Order the draw that effects begin with; return whether the rest has to wait for it or the game is over."""
    player, count = doing.player, doing.effects[0].n
    size = table.zones[table.players[player].deck_zone].size
    if size > 0:
        rule, beyond, by = "evolve.event.normal-if-none", max(count - size, 0), doing.source
        owed = Owed(
            line=ev.CardsDrawn, player=player, rule=rule, source=by, count=count - beyond, beyond=beyond, doing=doing
        )
        table.set(table, "owed", owed)
        return True
    return deck_out(table, player, is_begin_step=False)


def deck_out(table: Evolve, player: str, *, is_begin_step: bool) -> bool:
    """End the game for a player who has to draw from an empty deck; return whether it is over."""
    if not is_begin_step and table.options["deckout_when"] == "begin_step_only":
        return False
    changes.end_game(table, table.players[player].opponent, "deck-out", "evolve.win.deck-out")
    return True
