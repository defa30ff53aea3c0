-- How often was each rule at stake?
-- group: rules
-- definition: times that a rule applied: kept, broken, or the log cannot tell; beside it the questions and take-backs
--   that name it, counted as in `rules-confusion`. Rules that gave no trouble are here too, so that two rulesets can be compared.
-- share trouble_rate: trouble / opportunities in clumps
-- chart: table
-- column opportunities: times the rule was at stake
-- column trouble: times broken, questions and take-backs together
-- column unverifiable: times the log cannot tell
-- column follow_ups: further findings about it, which count in nothing
-- column games: games in which it was at stake
WITH counted AS (
  SELECT game, ruleset, rule,
    CAST(sum(n) AS BIGINT) AS opportunities,
    CAST(sum(h) AS BIGINT) AS trouble,
    CAST(sum(kept) AS BIGINT) AS kept,
    CAST(sum(broken) AS BIGINT) AS broken,
    CAST(sum(questions) AS BIGINT) AS questions,
    CAST(sum(take_backs) AS BIGINT) AS take_backs,
    CAST(sum(unverifiable) AS BIGINT) AS unverifiable,
    CAST(sum(follow_ups) AS BIGINT) AS follow_ups,
    CAST(sum(games) AS BIGINT) AS games,
    {'games': sum(games), 'hh': sum(hh), 'hn': sum(hn), 'nn': sum(nn)} AS clumps
  FROM rule_sums
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
  GROUP BY game, ruleset, rule
)
SELECT game, ruleset, rule, opportunities, trouble, kept, broken, questions, take_backs, unverifiable, follow_ups,
  games, clumps
FROM counted
ORDER BY game, ruleset, rule
