-- Does whoever leads at half time win?
-- group: games
-- definition: games won by the sole leader at half time / games that somebody won and that had one. Half time is the end
--   of the turn at half of the game's turns, rounded down; the baseline is one in the number of players.
-- share win_rate: wins / games
-- counts: decisive, leader
-- percents: baseline
-- chart: bars of win_rate by ruleset with their intervals, and a line at the baseline
-- column players: how many players
-- column games: games with a sole leader at half time
-- column wins: of these, games that the leader won
-- column baseline: the share if leading did not matter
SELECT game, ruleset, players,
  count(*) AS games,
  count(*) FILTER (WHERE winner = half_time_leader) AS wins,
  1.0 / players AS baseline
FROM games
WHERE winner IS NOT NULL
  AND half_time_leader IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
