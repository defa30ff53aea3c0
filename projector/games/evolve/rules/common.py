"""What the rules of all sections ask of a table: who may act now, where a card is, what it costs."""

from collections.abc import Callable
from typing import Any

from projector.games.evolve.state import MAIN, Evolve, EvolveCard, EvolveText, is_organism, name_of
from projector.model.rules import Undecidable, Verdict


def is_own_main_step(table: Evolve, event: Any) -> bool:
    """Return whether it is the main step of the event's player; only then are costs looked at."""
    return table.phase == MAIN and event.player == table.active


def known(card: EvolveCard | None, name: str, judge: Callable[[EvolveText], Verdict]) -> Verdict:
    """Return the verdict on a card's text, or wait for the text where nobody knows the card."""
    if card is None:
        return None
    if card.text is None:
        return Undecidable(f"nobody knows which card {name} is", name, judge)  # type: ignore[arg-type]  # judge never waits
    return judge(card.text)


def short_of(table: Evolve, player: str, mp: int, dna: int) -> str:
    """Say what a player lacks to pay, or nothing."""
    found = table.players[player]
    if found.mp < mp:
        return f"it costs {mp} MP, {found.name} has {found.mp}"
    if found.dna < dna:
        return f"it costs {dna} DNA, {found.name} has {found.dna}"
    return ""


def where(table: Evolve, card: EvolveCard | None) -> str:
    """Say where a card is."""
    if card is None:
        return "on no list"
    zone = card.zone.name.partition(":")[0]
    places = {"play": "in play", "attached": "under an organism", "status": "in play", "stack": "being played"}
    owner = card.zone.owner
    return places.get(zone, f"in the {zone} of {name_of(table, owner)}" if owner else "nowhere")


def organism_in_play(table: Evolve, name: str) -> EvolveCard | None:
    """Return an organism in play by its name, or None."""
    card = table.find(name)
    return card if card is not None and is_organism(card) else None
