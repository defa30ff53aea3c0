-- How far behind were the winners?
-- group: games
-- definition: the winner's deepest deficit in progress (0 to 1) at the end of a turn, 0 where the winner was never
--   behind. A comeback is a deficit of at least a quarter.
-- share comeback_rate: comebacks / games
-- chart: a range from the median to p90, by ruleset
-- column games: games that somebody won
-- column comebacks: games whose winner was at least a quarter behind
-- column median: the median of the deepest deficits
WITH deepest AS (
  SELECT game, ruleset, ruleset_id, game_id, greatest(max(-ahead), 0) AS deficit
  FROM turns
  WHERE won
    AND ahead IS NOT NULL
    AND game = coalesce($game, game)
      AND coalesce($ruleset, ruleset) IN (ruleset, ruleset_id)
      AND source = coalesce($source, source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id
)
SELECT game, ruleset,
  count(*) AS games,
  count(*) FILTER (WHERE deficit >= 0.25) AS comebacks,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY deficit) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY deficit) AS p90,
  max(deficit) AS deepest
FROM deepest
GROUP BY game, ruleset
ORDER BY game, ruleset
