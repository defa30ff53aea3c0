-- How long do players think?
-- group: time
-- definition: seconds from the end of one turn to the end of the next, where both times were written down; the first
--   begins with the end of the set-up, the last ends with the game. What is said about a game takes none of its time.
--   By number of players.
-- counts: times
-- chart: a range from the median to p90, by ruleset
-- column players: how many players
-- column turns: turns that tell it
-- column median: half of the turns were this short, in seconds
-- column p90: nine of ten turns were this short, in seconds
SELECT game, ruleset, players,
  count(*) AS turns,
  count(DISTINCT game_id) AS games,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY seconds) AS p90
FROM turns
JOIN (SELECT game_id, ruleset_id, players FROM games) USING (game_id, ruleset_id)
WHERE on_turn
  AND seconds IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
