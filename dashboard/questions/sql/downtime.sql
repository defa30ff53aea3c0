-- How long do players wait?
-- group: time
-- definition: seconds of the others' turns between two turns of a player's own, where times were written down; 0 where
--   the player had two turns one after the other. By number of players: with more of them everybody waits longer.
-- counts: times
-- chart: a range from the median to p90, by ruleset
-- column players: how many players
-- column waits: turns of which it is known how long their player had waited; nobody waits for a first one
-- column median: half of the waits were this short, in seconds
-- column p90: nine of ten waits were this short, in seconds
SELECT game, ruleset, players,
  count(*) AS waits,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) AS median,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY waited) AS p90
FROM turns
JOIN (SELECT game_id, ruleset_id, players FROM games) USING (game_id, ruleset_id)
WHERE waited IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
