-- How do games end?
-- group: games
-- definition: share of the finished games by the reason of their ending, by number of players: some endings come with
--   more of them.
-- share share: games / finished
-- parts: reason
-- counts: finished
-- chart: stacked bars of share by reason, a bar a ruleset and number of players
-- column players: how many players
-- column reason: how the game ended
-- column games: games that ended so
-- column decisive: of these, games that somebody won
-- column finished: all finished games
SELECT game, ruleset, players, reason,
  count(*) AS games,
  count(winner) AS decisive,
  CAST(sum(count(*)) OVER (PARTITION BY game, ruleset, players) AS BIGINT) AS finished
FROM games
WHERE over
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players, reason
ORDER BY game, ruleset, players, games DESC, reason
