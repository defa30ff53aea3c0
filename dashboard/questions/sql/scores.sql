-- How many points are scored?
-- group: games
-- definition: points at the end of finished games: those of each player, and those of the whole table where a game is
--   played together. By version and number of players.
-- counts: finished, scores
-- chart: a range of points by ruleset
-- column players: how many players
-- column whose: each player's points, or those of the whole table
-- column scores: how many points at an end are known
-- column lowest: the fewest points
-- column p25: a quarter of them are not above this
-- column median: half of them are not above this
-- column p75: three quarters of them are not above this
-- column highest: the most points
-- column mean: the mean
WITH found AS (
  SELECT game, ruleset, game_id, ruleset_id, players, 'the table' AS whose, score FROM games
  WHERE over AND score IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  UNION ALL
  SELECT seats.game, seats.ruleset, game_id, ruleset_id, games.players, 'each player', seats.score
  FROM seats JOIN games USING (game_id, ruleset_id)
  WHERE seats.over AND seats.score IS NOT NULL
    AND ($game IS NULL OR seats.game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (seats.ruleset, ruleset_id))
    AND ($source IS NULL OR seats.source = $source)
    AND (seats.clean OR NOT $clean)
)
SELECT game, ruleset, players, whose,
  count(*) AS scores,
  min(score) AS lowest,
  percentile_disc(0.25) WITHIN GROUP (ORDER BY score) AS p25,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY score) AS median,
  percentile_disc(0.75) WITHIN GROUP (ORDER BY score) AS p75,
  max(score) AS highest,
  round(avg(score), 6) AS mean
FROM found
GROUP BY game, ruleset, players, whose
ORDER BY game, ruleset, players, whose
