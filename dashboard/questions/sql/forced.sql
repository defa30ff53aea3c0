-- How often was there only one thing to do?
-- group: games
-- definition: decisions at which the player had one legal decision only / decisions whose alternatives were counted, of
--   people and of bots. Needs legal decisions to be counted.
-- counts: load
-- share forced_rate: forced / decisions in clumps
-- chart: a dot with its interval for people and one for bots
-- column source: who played: people or bots
-- column decisions: decisions whose alternatives were counted
-- column forced: of these, decisions without an alternative
WITH of_games AS (
  SELECT game, ruleset, source, ruleset_id, game_id, sum(decisions) AS n,
    coalesce(sum(decisions) FILTER (WHERE legal = 1), 0) AS h
  FROM choices
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, source, ruleset_id, game_id
)
SELECT game, ruleset, source,
  CAST(sum(n) AS BIGINT) AS decisions,
  CAST(sum(h) AS BIGINT) AS forced,
  {'games': count(*), 'hh': sum(h * h), 'hn': sum(h * n), 'nn': sum(n * n)} AS clumps
FROM of_games
GROUP BY game, ruleset, source
ORDER BY game, ruleset, source DESC
