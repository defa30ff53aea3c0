-- By how much is a game won?
-- group: games
-- definition: the points between the winner and the best of the others, in games that one player or one team won and in
--   which the points of all players are known; those of a team are what all of it have alike. Where the fewest points
--   win, how many fewer they are.
-- share close_rate: close / games
-- counts: margins
-- chart: a range of points by ruleset
-- column players: how many players
-- column games: games that one player or team won and whose points are known
-- column close: of these, games whose margin is at most a tenth of the winner's points
-- column median: half of the margins are not above this
-- column p90: nine of ten margins are not above this
-- column lowest: the smallest margin
-- column highest: the greatest margin
WITH each_side AS (
  SELECT game, ruleset, game_id, ruleset_id, count(*) AS members, bool_or(won) AS won,
    CASE WHEN count(score) = count(*) AND min(score) = max(score) THEN max(score) END AS score
  FROM seats
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, game_id, ruleset_id, coalesce('team ' || team, player)
),
sides AS (
  SELECT game, ruleset, game_id, ruleset_id, sum(members)::BIGINT AS players, count(*) AS sides, count(score) AS known,
    count(*) FILTER (WHERE won) AS winners, max(score) FILTER (WHERE won) AS mine,
    max(score) FILTER (WHERE NOT won) AS highest, min(score) FILTER (WHERE NOT won) AS lowest
  FROM each_side
  GROUP BY game, ruleset, game_id, ruleset_id
),
margins AS (
  -- A winner between the others has won by something else than points.
  SELECT game, ruleset, players, mine, CASE WHEN mine >= highest THEN mine - highest ELSE lowest - mine END AS margin
  FROM sides
  WHERE winners = 1 AND known = sides AND sides > 1 AND (mine >= highest OR mine <= lowest)
)
SELECT game, ruleset, players,
  count(*) AS games,
  count(*) FILTER (WHERE margin <= 0.1 * abs(mine)) AS close,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY margin) AS median,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY margin) AS p90,
  min(margin) AS lowest, max(margin) AS highest
FROM margins
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
