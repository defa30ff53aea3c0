-- How far behind were the winners?
-- group: games
-- definition: the winner's deepest deficit in progress (0 to 1) at the end of a turn, 0 where the winner was never
--   behind. Turns count once all players together have a fifth of their last progress: before that one step is a
--   deficit of everything. Where progress is a share of the points (PhyloGenome), the deficit is a part of all points
--   that there are at the end. A comeback is a deficit of at least a quarter. By number of players.
-- share comeback_rate: comebacks / games
-- counts: decisive, actions
-- percents: median, p90, deepest
-- chart: a range from the median to p90, by ruleset
-- column players: how many players
-- column games: games that somebody won
-- column comebacks: games whose winner was at least a quarter behind
-- column median: the median of the deepest deficits
-- column p90: nine of ten winners were not further behind
-- column deepest: the deepest deficit of all
SELECT game, ruleset, players,
  count(*) AS games,
  count(*) FILTER (WHERE deepest_deficit >= 0.25) AS comebacks,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY deepest_deficit) AS median,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY deepest_deficit) AS p90,
  max(deepest_deficit) AS deepest
FROM games
WHERE deepest_deficit IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
