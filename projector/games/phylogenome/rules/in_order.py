"""Tests made one after the other, where one look could not tell that nothing is wrong."""

from collections.abc import Iterable, Sequence
from typing import Any

from projector.games.phylogenome.state import Phylo
from projector.model.rules import Case, GroupCheck, Judgement, Rule, Stop, is_broken, judgement_of

Judgements = Sequence[Judgement]


def check_in_order(
    tests: Iterable[Rule | Case | Stop | GroupCheck], table: Phylo, event: Any
) -> tuple[Judgements, bool]:
    """Make tests in order; the verdicts, and whether none is broken that ends the row."""
    found: list[Judgement] = []
    for each in tests:
        if isinstance(each, GroupCheck):
            found += each.judge(table, event)
            continue
        test: Any = each.test if isinstance(each, Stop) else each
        found.append(judgement_of(test, table, event))
        if isinstance(each, Stop) and is_broken(found[-1][1]):
            return found, False
    return found, True
