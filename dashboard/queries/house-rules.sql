-- Which rules do tables play differently?
-- group: rules
-- definition: rules that were broken, without being taken back, in most of the games in which they were at stake, and in
--   two games at least, counted as in `rules-confusion`: the tables may be playing a house rule.
-- share broken_rate: games_broken / games
-- chart: bars of broken_rate by rule
-- column games: games in which the rule was at stake
-- column games_broken: games in which it was broken and play went on
SELECT game, ruleset, rule, count(*) AS games, count(*) FILTER (WHERE broken > take_backs) AS games_broken
FROM opportunities
WHERE kept + broken > 0
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
GROUP BY game, ruleset, rule
HAVING count(*) FILTER (WHERE broken > take_backs) > 0.5 * count(*)
  AND count(*) FILTER (WHERE broken > take_backs) >= 2
ORDER BY game, ruleset, games_broken DESC, rule
