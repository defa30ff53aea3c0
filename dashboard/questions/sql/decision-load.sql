-- How much is there to choose from?
-- group: games
-- definition: legal decisions that the player had, for each decision taken; a decision is forced where there was only
--   one. `branching` is the effective number of choices, exp of the mean logarithm. Needs legal decisions to be counted.
--   By number of players: with more of them there are more to choose from.
-- counts: load
-- share forced_rate: forced / decisions in clumps
-- chart: a line of the median with a band from p10 to p90, by round
-- column players: how many players
-- column round: the round, from 1
-- column decisions: decisions whose alternatives were counted
-- column branching: as many equal choices at every decision are as wide
-- column forced: of these, decisions without an alternative
WITH chosen AS (
  SELECT choices.*, players
  FROM choices
  JOIN (SELECT game_id, ruleset_id, players FROM games) USING (game_id, ruleset_id)
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
),
counted AS (
  SELECT game, ruleset, players, round, legal, sum(decisions) AS decisions
  FROM chosen
  GROUP BY game, ruleset, players, round, legal
),
of_games AS (
  SELECT game, ruleset, ruleset_id, players, game_id, round, sum(decisions) AS n,
    coalesce(sum(decisions) FILTER (WHERE legal = 1), 0) AS h
  FROM chosen
  GROUP BY game, ruleset, ruleset_id, players, game_id, round
),
clumped AS (
  SELECT game, ruleset, players, round,
    {'games': count(*), 'hh': sum(h * h), 'hn': sum(h * n), 'nn': sum(n * n)} AS clumps
  FROM of_games
  GROUP BY game, ruleset, players, round
),
placed AS (
  SELECT game, ruleset, players, round, legal, decisions,
    sum(decisions) OVER (PARTITION BY game, ruleset, players, round ORDER BY legal) AS so_far,
    sum(decisions) OVER (PARTITION BY game, ruleset, players, round) AS of_all
  FROM counted
)
SELECT game, ruleset, players, round,
  CAST(sum(decisions) AS BIGINT) AS decisions,
  CAST(coalesce(sum(decisions) FILTER (WHERE legal = 1), 0) AS BIGINT) AS forced,
  round(exp(sum(decisions * ln(legal)) / sum(decisions)), 6) AS branching,
  min(legal) FILTER (WHERE so_far >= 0.1 * of_all) AS p10,
  min(legal) FILTER (WHERE so_far >= 0.5 * of_all) AS median,
  min(legal) FILTER (WHERE so_far >= 0.9 * of_all) AS p90,
  clumps
FROM placed
JOIN clumped USING (game, ruleset, players, round)
GROUP BY game, ruleset, players, round, clumps
ORDER BY game, ruleset, players, round
