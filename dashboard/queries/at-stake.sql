-- How often was each rule at stake?
-- group: rules
-- definition: times that a rule applied: kept, broken, or the log cannot tell; beside it the questions and take-backs
--   that name it. Rules that gave no trouble are here too, so that two rulesets can be compared.
-- share trouble_rate: trouble / opportunities
-- chart: table
-- column opportunities: times the rule was at stake
-- column trouble: times broken, questions and take-backs together
-- column unverifiable: times the log cannot tell
-- column games: games in which it was at stake
WITH counted AS (
  SELECT game, ruleset, rule,
    CAST(sum(kept) AS BIGINT) AS kept,
    CAST(sum(broken) AS BIGINT) AS broken,
    CAST(sum(unverifiable) AS BIGINT) AS unverifiable,
    CAST(sum(questions) AS BIGINT) AS questions,
    CAST(sum(take_backs) AS BIGINT) AS take_backs,
    count(*) AS games
  FROM opportunities
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
  GROUP BY game, ruleset, rule
)
SELECT game, ruleset, rule,
  greatest(kept + broken + unverifiable, broken + questions + take_backs) AS opportunities,
  broken + questions + take_backs AS trouble,
  kept, broken, unverifiable, questions, take_backs, games
FROM counted
ORDER BY game, ruleset, rule
