-- The first, second … game of each player by the time at which it began, over all games that have one.
WITH plays AS (
  SELECT game_id, ruleset_id, player, name, dense_rank() OVER (PARTITION BY game, name ORDER BY started_at, game_id) AS play
  FROM seats
  JOIN (
    SELECT game_id, ruleset_id, started_at FROM games WHERE as_played AND started_at IS NOT NULL
  ) USING (game_id, ruleset_id)
  WHERE name <> ''
)
