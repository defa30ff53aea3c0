"""Asking about some games only: a connection in which every dataset holds the rows of the chosen games and no others.

Any question can be narrowed so, without a word about it in its SQL.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import duckdb

from tabletape.projector.datasets.columns import OWN_SCHEMAS, SUMMARIES
from tabletape.projector.datasets.summaries import summary_sql

Value = str | Sequence[str] | None

KINDS: Final = """
SELECT game_id, ruleset_id,
  CASE count(DISTINCT split_part(name, ' bot ', 1)) WHEN 0 THEN 'unknown'
  WHEN 1 THEN lower(split_part(any_value(name), ' bot ', 1)) ELSE 'mixed' END AS bots
FROM games LEFT JOIN (SELECT game_id, ruleset_id, name FROM seats) USING (game_id, ruleset_id)
WHERE source = 'bots' GROUP BY game_id, ruleset_id
"""
"""Which kind of bots played a game: `mixed` for several, `unknown` where nobody sits at the table."""

CONDITIONS: Final = {
    "games": "SELECT game_id, ruleset_id FROM games WHERE game_id IN (SELECT unnest($games))",
    "decks": "SELECT game_id, ruleset_id FROM seats WHERE deck IN (SELECT unnest($decks))",
    "deck": "SELECT game_id, ruleset_id FROM dimensions WHERE value = $deck",
    "card": "SELECT game_id, ruleset_id FROM cards WHERE card = $card AND seen + played > 0",
    "rule": "SELECT game_id, ruleset_id FROM opportunities WHERE rule = $rule "
    "AND broken + follow_ups + questions + take_backs > 0",
    "bots": f"SELECT game_id, ruleset_id FROM ({KINDS}) WHERE bots = $bots",  # noqa: S608 - our own text
    "reason": "SELECT game_id, ruleset_id FROM games WHERE reason = $reason",
    "player": "SELECT game_id, ruleset_id FROM seats WHERE name = $player",
    "since": "SELECT game_id, ruleset_id FROM games WHERE began >= TRY_CAST($since AS TIMESTAMP)",
    "before": "SELECT game_id, ruleset_id FROM games WHERE began < TRY_CAST($before AS TIMESTAMP)",
}
"""What games can be chosen by: their ids, one of several decks, what tells decks apart, a card in a hand or played, a
rule that gave trouble, the kind of bots (`mixed` for several), how the game ended, who played, the day since which or
before which they began by the clock of their tables."""


def narrowing(sql: str, chosen_by: Mapping[str, Value]) -> str:
    """Return what may be asked in all, where some SQL of ours is asked of the games that meet all conditions."""
    asked = [line for line in sql.splitlines() if not line.startswith("--")]
    conditions = [CONDITIONS[key] for key, value in chosen_by.items() if value]
    sums = [summary_sql(name) for name in SUMMARIES if name in sql] if conditions else []
    return "\n".join([*asked, *conditions, *sums])


def narrow(connection: duckdb.DuckDBPyConnection, chosen_by: Mapping[str, Value]) -> None:
    """Leave only the games that meet all conditions (see `CONDITIONS`); an empty value asks for nothing."""
    values = {key: value for key, value in chosen_by.items() if value}
    if not values:
        return
    games = " INTERSECT ".join(CONDITIONS[key] for key in values)
    connection.execute(f"CREATE TEMP TABLE chosen AS {games}", values)
    for name in OWN_SCHEMAS:
        connection.execute(
            f"CREATE TEMP VIEW {name} AS SELECT * FROM memory.main.{name} SEMI JOIN chosen USING (game_id, ruleset_id)"  # noqa: S608 - the names of our own datasets
        )
    for name in SUMMARIES:
        connection.execute(f"CREATE TEMP VIEW {name} AS {summary_sql(name)}")
