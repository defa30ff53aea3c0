"""How likely luck alone brings so many wins, for every row of a question that has `wins` of games with `chances`."""

import pyarrow as pa

from tabletape.dashboard.statistics.luck import chance_of_luck


def answer(rows: pa.Table) -> pa.Table:
    """Return the rows with that chance as `by_luck` in place of the chances of their games; none of no game."""
    counts = zip(rows["wins"].to_pylist(), rows["chances"].to_pylist(), strict=True)
    by_luck = [round(chance_of_luck(wins, chances), 6) if chances else None for wins, chances in counts]
    return rows.drop_columns("chances").append_column("by_luck", pa.array(by_luck, pa.float64()))
