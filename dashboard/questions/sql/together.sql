-- How often is a game won that is played together?
-- group: games
-- definition: games that all players won together / finished games that were played together. By version and number of
--   players.
-- share win_rate: wins / games
-- counts: finished, cooperative
-- chart: bars of win_rate by ruleset with their intervals
-- column players: how many players
-- column games: finished games that were played together
-- column wins: of these, games that were won
-- column median_score: half of the known points of the table are not above this
SELECT game, ruleset, players,
  count(*) AS games,
  count(*) FILTER (WHERE winners > 0) AS wins,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY score) AS median_score
FROM games
WHERE over AND cooperative
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
