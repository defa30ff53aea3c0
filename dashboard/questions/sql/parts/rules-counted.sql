-- How often each rule was at stake, and what became of it, over the chosen games. A line that a rule asks for and that
-- nobody wrote does not tell whether the rule was broken: it is counted apart.
WITH left_out AS (
  SELECT game, ruleset, rule, count(DISTINCT (game_id, seq)) AS lines
  FROM findings
  WHERE kind = 'missing' AND first_hand
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
  GROUP BY game, ruleset, rule
), counted AS (
  SELECT game, ruleset, rule,
    CAST(sum(n) AS BIGINT) AS opportunities,
    CAST(sum(h) AS BIGINT) AS trouble,
    CAST(sum(kept) AS BIGINT) AS kept,
    CAST(greatest(sum(broken) - coalesce(any_value(lines), 0), 0) AS BIGINT) AS broken,
    CAST(least(sum(broken), coalesce(any_value(lines), 0)) AS BIGINT) AS unwritten,
    CAST(sum(questions) AS BIGINT) AS questions,
    CAST(sum(take_backs) AS BIGINT) AS take_backs,
    CAST(sum(unverifiable) AS BIGINT) AS unverifiable,
    CAST(sum(follow_ups) AS BIGINT) AS follow_ups,
    CAST(sum(games) AS BIGINT) AS games,
    {'games': sum(games), 'hh': sum(hh), 'hn': sum(hn), 'nn': sum(nn)} AS clumps
  FROM rule_sums LEFT JOIN left_out USING (game, ruleset, rule)
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
  GROUP BY game, ruleset, rule
)
