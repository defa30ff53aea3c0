-- Does whoever leads at half time win?
-- group: games
-- definition: games won by the sole leader at half time / games that somebody won and that had one. Half time is the end
--   of the turn at half of the game's turns, rounded down; the baseline is one in the number of players.
-- share win_rate: wins / games
-- chart: bars of win_rate by ruleset with their intervals, and a line at the baseline
-- column games: games with a sole leader at half time
-- column wins: of these, games that the leader won
WITH seated AS (
  SELECT game_id, ruleset_id, players FROM games
)
SELECT game, ruleset, players, count(*) AS games, count(*) FILTER (WHERE won) AS wins, 1.0 / players AS baseline
FROM turns
JOIN seated USING (game_id, ruleset_id)
WHERE decisive
  AND turn = floor(turns / 2.0)
  AND ahead > 0
  AND game = coalesce($game, game)
  AND coalesce($ruleset, ruleset) IN (ruleset, ruleset_id)
  AND source = coalesce($source, source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
