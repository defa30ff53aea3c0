-- Which rules trouble new players, and which old ones?
-- group: rules
-- definition: trouble with a rule (as in `rules-confusion`: broken, asked about, taken back, first hand) / times that it
--   was at stake, told apart by the experience of the table: *all new* where everybody plays the game for the first time
--   among the games that there are, *all old* where everybody has played it before, else *some new*. A rule that
--   troubles new tables alone is hard to learn; one that troubles old ones is hard to keep. Who has played elsewhere is
--   not known. Rules that troubled no table, and tables with somebody without a name, are left out.
-- share trouble_rate: trouble / opportunities in clumps
-- counts: dated, actions
-- chart: dots of trouble_rate by rule and experience, with its interval
-- column experience: all new, some new, or all old
-- column games: games in which the rule was at stake
-- column opportunities: times the rule was at stake
-- column trouble: the three parts together
-- column broken: decisions that broke it
-- column questions: questions that name it
-- column take_backs: take-backs that name it
-- with: plays
, tables AS (
  SELECT game_id, ruleset_id,
    CASE WHEN max(play) = 1 THEN 1 WHEN min(play) = 1 THEN 2 ELSE 3 END AS stage
  FROM seats
  LEFT JOIN plays USING (game_id, ruleset_id, player)
  GROUP BY game_id, ruleset_id
  HAVING count(play) = count(*)
)
, of_games AS (
  SELECT game, ruleset, rule, stage, broken, questions, take_backs, broken + questions + take_backs AS h,
    greatest(kept + broken + unverifiable, broken + questions + take_backs) AS n
  FROM opportunities
  JOIN tables USING (game_id, ruleset_id)
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
)
SELECT game, ruleset, rule, list_extract(['all new', 'some new', 'all old'], stage) AS experience,
  count(*) FILTER (WHERE n > 0) AS games, CAST(sum(n) AS BIGINT) AS opportunities, CAST(sum(h) AS BIGINT) AS trouble,
  CAST(sum(broken) AS BIGINT) AS broken, CAST(sum(questions) AS BIGINT) AS questions,
  CAST(sum(take_backs) AS BIGINT) AS take_backs,
  {'games': count(*) FILTER (WHERE n > 0), 'hh': sum(h * h), 'hn': sum(h * n), 'nn': sum(n * n)} AS clumps
FROM of_games
GROUP BY game, ruleset, rule, stage
QUALIFY sum(sum(h)) OVER (PARTITION BY game, ruleset, rule) > 0
ORDER BY game, ruleset, sum(sum(h)) OVER (PARTITION BY game, ruleset, rule) DESC, rule, stage
