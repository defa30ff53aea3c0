-- What is in the log?
-- group: overview
-- definition: how many games of each kind and version there are, how they ended and how many findings the audit has.
--   A game is clean where nobody did anything illegal; it has stopped where an event could not be carried out at all.
-- chart: table
-- column games: games in the log
-- column by_result: of these, games of which only the result is known
-- column partial: of these, games of which some lines could not be read
-- column finished: games that came to an end
-- column decisive: games that somebody won
-- column clean_games: games without an illegal or missing event
-- column stopped: games whose replay could not go on
-- column events: events in the log
-- column first_played: the first day on which one of them began, by the clock of its table
-- column last_played: the last one
-- column illegal: findings of this kind, and so on for the other kinds
WITH found AS (
  SELECT game, ruleset,
    count(*) FILTER (WHERE kind = 'illegal') AS illegal,
    count(*) FILTER (WHERE kind = 'missing') AS missing,
    count(*) FILTER (WHERE kind = 'mismatch') AS mismatch,
    count(*) FILTER (WHERE kind = 'drift') AS drift,
    count(*) FILTER (WHERE kind = 'unverifiable') AS unverifiable,
    count(*) FILTER (WHERE kind = 'info') AS info
  FROM findings
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset
),
played AS (
  SELECT game, ruleset, any_value(ruleset_id) AS ruleset_id,
    count(*) AS games,
    count(*) FILTER (WHERE detail = 'results') AS by_result,
    count(*) FILTER (WHERE detail = 'partial') AS partial,
    count(*) FILTER (WHERE over) AS finished,
    count(winner) AS decisive,
    count(*) FILTER (WHERE clean) AS clean_games,
    count(stopped_seq) AS stopped,
    CAST(sum(events) AS BIGINT) AS events,
    CAST(min(began) AS DATE) AS first_played,
    CAST(max(began) AS DATE) AS last_played
  FROM games
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset
)
SELECT game, ruleset, ruleset_id, games, by_result, partial, finished, decisive, clean_games, stopped, events,
  first_played, last_played,
  coalesce(illegal, 0) AS illegal,
  coalesce(missing, 0) AS missing,
  coalesce(mismatch, 0) AS mismatch,
  coalesce(drift, 0) AS drift,
  coalesce(unverifiable, 0) AS unverifiable,
  coalesce(info, 0) AS info
FROM played
LEFT JOIN found USING (game, ruleset)
ORDER BY game, ruleset
