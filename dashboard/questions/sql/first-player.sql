-- Does the player who begins win more often?
-- group: games
-- definition: games won by the player who had the first turn / games that somebody won; the baseline is one in the
--   number of players.
-- share win_rate: wins / games
-- counts: decisive, beginner
-- percents: baseline
-- chart: bars of win_rate by ruleset with their intervals, and a line at the baseline
-- column players: how many players
-- column games: games that somebody won
-- column wins: of these, games won by the player who began
-- column baseline: the share if beginning did not matter
SELECT game, ruleset, players,
  count(*) AS games,
  count(*) FILTER (WHERE winner = first_player) AS wins,
  1.0 / players AS baseline
FROM games
WHERE winner IS NOT NULL
  AND first_player IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
