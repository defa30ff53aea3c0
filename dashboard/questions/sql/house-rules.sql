-- Which rules do tables play differently?
-- group: rules
-- definition: rules that were broken, without being taken back, in most of the games in which they were at stake, and in
--   two games at least, counted as in `rules-confusion`: the tables may be playing a house rule.
-- share broken_rate: games_broken / games
-- chart: bars of broken_rate by rule
-- column games: games in which the rule was at stake
-- column games_broken: games in which it was broken and play went on
SELECT game, ruleset, rule, CAST(sum(games_first_hand) AS BIGINT) AS games,
  CAST(sum(games_broken) AS BIGINT) AS games_broken
FROM rule_sums
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
GROUP BY game, ruleset, rule
HAVING sum(games_broken) > 0.5 * sum(games_first_hand)
  AND sum(games_broken) >= 2
ORDER BY game, ruleset, games_broken DESC, rule
