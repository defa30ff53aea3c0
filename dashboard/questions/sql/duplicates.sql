-- Which games stand in the log twice?
-- group: overview
-- definition: games whose logs say the same, line by line, under different ids. They count as often as they stand there.
-- personal: ids
-- chart: table
-- column copies: ids under which the same game stands
-- column ids: these ids
SELECT game, ruleset, count(*) AS copies, string_agg(game_id, ', ' ORDER BY game_id) AS ids
FROM games
WHERE as_played
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, content
HAVING count(*) > 1
ORDER BY game, ruleset, ids
