-- What do players do in which round?
-- group: games
-- definition: share of each type of decision among all decisions of a round; what was taken back is left out.
-- share share: decisions / all_decisions in clumps
-- counts: actions
-- chart: stacked areas of share by round, coloured by type
-- column round: the round, from 1
-- column type: the type of decision
-- column decisions: how often it was taken
-- column all_decisions: all decisions of the round
WITH taken AS (
  SELECT game, ruleset, ruleset_id, game_id, round, type, sum(in_play) AS h
  FROM actions
  WHERE class = 'decision'
    AND in_play > 0
    AND player IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, round, type
),
of_games AS (
  SELECT game, ruleset, ruleset_id, game_id, round, sum(h) AS n
  FROM taken
  GROUP BY game, ruleset, ruleset_id, game_id, round
),
rounds AS (
  SELECT game, ruleset, round, CAST(sum(n) AS BIGINT) AS all_decisions, count(*) AS games, sum(n * n) AS nn
  FROM of_games
  GROUP BY game, ruleset, round
)
SELECT game, ruleset, round, type, CAST(sum(h) AS BIGINT) AS decisions, all_decisions,
  {'games': games, 'hh': sum(h * h), 'hn': sum(h * n), 'nn': nn} AS clumps
FROM taken
JOIN of_games USING (game, ruleset, ruleset_id, game_id, round)
JOIN rounds USING (game, ruleset, round)
GROUP BY game, ruleset, round, type, all_decisions, games, nn
ORDER BY game, ruleset, round, decisions DESC, type
