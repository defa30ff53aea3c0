"""Paying what a card or an action costs."""

from typing import Final

from projector.games.evolve.abilities import Action
from projector.games.evolve.changes import change_dna, change_energy, change_mp, stress
from projector.games.evolve.schema import EvolveText
from projector.games.evolve.selecting import dna_cost, energy_cost, mp_cost
from projector.games.evolve.state import Evolve, EvolveCard, EvolvePlayer

SUPPLY: Final = "evolve.energy.own-supply"


def pay_for(table: Evolve, player: EvolvePlayer, text: EvolveText | None) -> None:
    """Pay the printed costs of a card."""
    if text is None:
        return
    cost = mp_cost(table, text)
    if cost:
        rule = "evolve.mp.primary" if player.id == table.active else "evolve.mp.opponents-turn"
        change_mp(table, player, -cost, rule)
    if text.dna:
        rule = "evolve.dna.play-cost" if text.kind == "organism" else "evolve.dna.extra-cost"
        change_dna(table, player, -text.dna, rule)


def pay_action(table: Evolve, player: EvolvePlayer, card: EvolveCard, action: Action | None) -> None:
    """Pay what an action costs."""
    if action is None:
        return
    if action.mp:
        change_mp(table, player, -action.mp, "evolve.energy.action-cost")
    dna = dna_cost(table, card, action) if card.mutations else action.dna
    if dna:
        change_dna(table, player, -dna, "evolve.energy.action-cost")
    energy = energy_cost(table, card, action) if card.mutations else action.energy
    if energy:
        change_energy(table, card, -energy, SUPPLY)
    if action.discard:
        table.count(table.zones[player.hand], "unseen", -action.discard)
        table.count(table.zones[player.discard], "unseen", action.discard)
    if action.stress:
        stress(table, card, card.name, "evolve.energy.action-cost")
