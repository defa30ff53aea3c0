"""What a rulebook comes to: which sentence gave most trouble, and what no game tells of the others."""

from collections.abc import Iterator
from typing import Final

from tabletape.dashboard.rulebook.margins import Margins, Show
from tabletape.projector.model.amounts import counted, often

COUNTED: Final[tuple[Show, ...]] = ("without a rule", "unclear", "never exercised")
"""Which sentences are counted."""


def in_short(margins: Margins, *, moved: bool) -> str:
    """Say which sentence gave the most trouble, and how many have no rule, are unclear, or were never exercised.

    `moved`: of some game that is counted more than the result is known.
    """
    told = []
    sentences = counted(len(margins.said), "sentence")
    if not margins.counted:
        told.append("No game has been counted yet, so the margin says nothing of how often anything was tried.")
    if margins.counted and not moved:
        told.append("No move was written down, so nobody can tell which sentence gives trouble.")
    elif troubled := margins.by_trouble():
        worst = troubled[0]
        told.append(
            f"{len(troubled)} of {sentences} gave trouble; most, "
            f"{often(worst.trouble)}, line {worst.sentence.first} of this text: "
            f"{worst.sentence.text.removesuffix('.')}."
        )
    elif margins.counted and any(each.rules for each in margins.said):
        told.append("No sentence has given any trouble yet.")
    if later := sum(each.later > 0 for each in margins.sentences if not each.trouble):
        told.append(f"{later} more gave trouble only after an earlier mistake of the same game.")
    return " ".join([*told, *_rest(margins, sentences)])


def _rest(margins: Margins, sentences: str) -> Iterator[str]:
    """Yield how many of the sentences, which are counted in words, have no rule, are unclear, or came up in no game."""
    number = {show: sum(each.is_shown(show) for each in margins.sentences) for show in COUNTED}
    if not any(each.rules or each.rulings for each in margins.said):
        yield f"None of the {sentences} is watched yet."
        return
    words = (
        (number["without a rule"], "have no rule"),
        (number["unclear"], "can be read in two ways"),
        (number["never exercised"], "came up in no game"),
    )
    if rest := [f"{times} {said}" for times, said in words if times]:
        yield f"Of all sentences {', '.join(rest)}."
