"""Who would win, deck against deck, by the strengths of the decks."""

from typing import Final

import pyarrow as pa
from scipy.special import ndtr

from tabletape.dashboard.questions.methods.ratings import compared, rated

PAIRS: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "dimension": pa.string(), "own": pa.string(), "other": pa.string(),
        "chance": pa.float64(), "low": pa.float64(), "high": pa.float64(), "stronger": pa.float64(),
        "narrowed": pa.float64(),
    }
)  # fmt: skip


def answer(rows: pa.Table) -> pa.Table:
    """Return for every two decks the chance that one beats the other, and how sure it is that it is the stronger."""
    chances = []
    for each in rated(rows):
        head = dict(zip(("game", "ruleset", "dimension"), each.kind, strict=True))
        for own, name in enumerate(each.names):
            for other, against in enumerate(each.names):
                if own != other:
                    weights = each.against(own, other)
                    mean, deviation = each.posterior.contrast(weights)
                    row = {**head, "own": name, "other": against, "stronger": float(ndtr(mean / deviation))}
                    chances.append(row | compared("chance", each.posterior, weights))
    return pa.Table.from_pylist(chances, PAIRS)
