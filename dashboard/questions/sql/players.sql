-- Who plays, and how often do they win?
-- group: overview
-- definition: games of each player, by name, and how many of those that somebody won were won by that player.
-- method: luck
-- share win_rate: wins / decisive
-- percents: baseline, by_luck
-- personal: name
-- chart: table
-- column name: the player's name
-- column games: games with this player
-- column decisive: of these, games that somebody won
-- column wins: of these, games that this player won
-- column placed: games whose places are known, also those of which only the result is
-- column mean_place: the mean of the player's places in these, 1 for the best
-- column baseline: the share if all were equally good: one in the number of players, over the games that somebody won
-- column by_luck: chance that luck alone brings a number of wins that is no likelier, game by game
WITH tables AS (SELECT game_id, ruleset_id, count(*) AS players FROM seats GROUP BY game_id, ruleset_id)
SELECT game, ruleset, name,
  count(*) AS games,
  count(*) FILTER (WHERE decisive) AS decisive,
  count(*) FILTER (WHERE won AND decisive) AS wins,
  count(place) AS placed,
  round(avg(place), 6) AS mean_place,
  round(avg(1.0 / players) FILTER (WHERE decisive), 6) AS baseline,
  list(1.0 / players) FILTER (WHERE decisive) AS chances
FROM seats
JOIN tables USING (game_id, ruleset_id)
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, name
ORDER BY game, ruleset, games DESC, name
