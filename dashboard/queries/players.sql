-- Who plays, and how often do they win?
-- group: overview
-- definition: games of each player, by name, and how many of those that somebody won were won by that player.
-- share win_rate: wins / decisive
-- chart: table
-- column name: the player's name
-- column games: games with this player
-- column decisive: of these, games that somebody won
-- column wins: of these, games that this player won
SELECT game, ruleset, name,
  count(*) AS games,
  count(*) FILTER (WHERE decisive) AS decisive,
  count(*) FILTER (WHERE won) AS wins
FROM seats
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, name
ORDER BY game, ruleset, games DESC, name
