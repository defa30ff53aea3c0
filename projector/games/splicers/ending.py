"""Who has won when the last round is over."""

from collections.abc import Mapping
from typing import Final

from tabletape.projector.games.splicers.state import Splicers

NEEDED_BIOMS: Final = 3
"""Bioms that a player has to dominate to win."""


def winner_of_both(table: Splicers, dominated: Mapping[str, tuple[str, ...]]) -> str:
    """Return who has won where both dominate three bioms (ruling `both_three`); empty: nobody."""
    return table.first if table.options["both_three"] == "first_player_wins" else final_result(table, dominated)[0]


def final_result(table: Splicers, dominated: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str]:
    """Return winner (empty: a draw), reason and rule of a last round, by the bioms and then by their printed values."""
    most = max(len(bioms) for bioms in dominated.values())
    best = [player for player, bioms in dominated.items() if len(bioms) == most]
    if len(best) == 1:
        return best[0], "final-round", "splicers.end.final-most-bioms"
    sums = {player: sum(_value(table, place, player) for place in dominated[player]) for player in best}
    rule = "splicers.end.final-tie-printed-sum"
    best = [player for player in best if sums[player] == max(sums.values())]
    if len(best) == 1:
        return best[0], "final-round-sum", rule
    if table.options["final_tie_unbroken"] == "first_player_wins":
        return table.first, "final-round", rule
    return "", "final-round-draw", rule


def _value(table: Splicers, place: str, player: str) -> int:
    """Return what a dominated biom adds to the sum: its printed value, or that of the own tings there (ruling)."""
    if table.options["final_tie_sum_of"] == "tings":
        tings = [card for card in table.zones[f"play:{player}"].cards if card.place == place and card.face_up]
        return sum(card.text.dominance or 0 for card in tings if card.text is not None)
    text = table.cards[table.bioms[place]].text
    return (text.dominance or 0) if text is not None else 0
