-- When is a game decided?
-- group: games
-- definition: turn of the last lead change / all turns; 0 where the lead never changed. After it the rest of the game
--   changed nothing.
-- chart: a range from p10 to p90 with the median, by ruleset
-- column games: games that somebody won and in which somebody led
-- column median: half of the games were decided by this part of their turns
WITH leaders AS (
  SELECT game, ruleset, ruleset_id, game_id, turn, turns, player, won,
    lag(player) OVER (PARTITION BY game_id, ruleset_id ORDER BY turn) AS leader_before
  FROM turns
  WHERE ahead > 0
    AND decisive
    AND game = coalesce($game, game)
      AND coalesce($ruleset, ruleset) IN (ruleset, ruleset_id)
      AND source = coalesce($source, source)
      AND (clean OR NOT $clean)
),
changes AS (
  SELECT game, ruleset, game_id, any_value(turns) AS turns,
    count(*) FILTER (WHERE player <> leader_before) AS lead_changes,
    coalesce(max(turn) FILTER (WHERE player <> leader_before), 0) AS last_change
  FROM leaders
  GROUP BY game, ruleset, ruleset_id, game_id
)
SELECT game, ruleset,
  count(*) AS games,
  percentile_cont(0.1) WITHIN GROUP (ORDER BY 1.0 * last_change / turns) AS p10,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY 1.0 * last_change / turns) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY 1.0 * last_change / turns) AS p90
FROM changes
GROUP BY game, ruleset
ORDER BY game, ruleset
