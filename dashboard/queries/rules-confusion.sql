-- Which rules give trouble?
-- group: rules
-- definition: per rule, (times broken + questions and take-backs that name it) / times it was at stake.
-- share trouble_rate: trouble / opportunities
-- chart: stacked bars of the three parts by rule, with the interval of trouble_rate
-- column opportunities: times the rule was at stake
-- column trouble: the three parts together
-- column broken: times it was broken
-- column questions: questions that name it
-- column take_backs: take-backs that name it
-- column unverifiable: times the log cannot tell
-- column games: games in which it was at stake
WITH counted AS (
  SELECT game, ruleset, rule,
    CAST(sum(broken + questions + take_backs) AS BIGINT) AS trouble,
    CAST(sum(broken) AS BIGINT) AS broken,
    CAST(sum(questions) AS BIGINT) AS questions,
    CAST(sum(take_backs) AS BIGINT) AS take_backs,
    CAST(sum(unverifiable) AS BIGINT) AS unverifiable,
    CAST(sum(kept + broken + unverifiable) AS BIGINT) AS at_stake,
    count(*) AS games
  FROM opportunities
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
  GROUP BY game, ruleset, rule
)
SELECT game, ruleset, rule, greatest(at_stake, trouble) AS opportunities, trouble, broken, questions, take_backs,
  unverifiable, games
FROM counted
WHERE trouble > 0
ORDER BY game, ruleset, trouble DESC, opportunities, rule
