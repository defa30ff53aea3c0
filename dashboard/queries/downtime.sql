-- How long do players wait?
-- group: time
-- definition: seconds of the others' turns between two turns of a player's own, where times were written down.
-- chart: a range from the median to p90, by ruleset
-- column waits: stretches of others' turns
-- column median: half of the waits were this short, in seconds
-- column p90: nine of ten waits were this short, in seconds
WITH waits AS (
  SELECT game, ruleset, ruleset_id, game_id, player, own_turn, sum(seconds) AS seconds
  FROM turns
  WHERE NOT on_turn
    AND game = coalesce($game, game)
      AND coalesce($ruleset, ruleset) IN (ruleset, ruleset_id)
      AND source = coalesce($source, source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, player, own_turn
  HAVING count(*) = count(seconds)
)
SELECT game, ruleset,
  count(*) AS waits,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY seconds) AS p90
FROM waits
GROUP BY game, ruleset
ORDER BY game, ruleset
