-- How often does the lead change?
-- group: games
-- definition: how often the sole leader's identity changes between the ends of turns; ties and the first lead do not
--   count. Only games that somebody won and in which somebody led.
-- chart: histogram of games by lead_changes
-- column lead_changes: changes of the lead
-- column games: games with so many
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
SELECT game, ruleset, lead_changes, count(*) AS games
FROM changes
GROUP BY game, ruleset, lead_changes
ORDER BY game, ruleset, lead_changes
