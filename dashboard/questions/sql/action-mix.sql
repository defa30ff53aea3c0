-- What do players do in which round?
-- group: games
-- definition: share of each type of decision among all decisions of a round; what was taken back is left out. By number
--   of players: where games of some numbers have fewer rounds, the late rounds of a pool would be of the others alone.
-- share share: decisions / all_decisions in clumps
-- parts: type
-- counts: actions
-- chart: stacked areas of share by round, coloured by type, a panel a number of players
-- column players: how many players
-- column round: the round, from 1
-- column type: the type of decision
-- column decisions: how often it was taken
-- column all_decisions: all decisions of the round
WITH chosen AS (
  SELECT *
  FROM action_sums
  WHERE games > 0
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
),
rounds AS (
  SELECT game, ruleset, players, round, CAST(sum(h) AS BIGINT) AS all_decisions, CAST(sum(games) AS BIGINT) AS games,
    sum(hh) AS nn
  FROM chosen
  WHERE type IS NULL
  GROUP BY game, ruleset, players, round
)
SELECT game, ruleset, players, round, type, CAST(sum(h) AS BIGINT) AS decisions, all_decisions,
  {'games': any_value(rounds.games), 'hh': sum(hh), 'hn': sum(hn), 'nn': any_value(nn)} AS clumps
FROM chosen
JOIN rounds USING (game, ruleset, players, round)
WHERE type IS NOT NULL
GROUP BY game, ruleset, players, round, type, all_decisions
ORDER BY game, ruleset, players, round, decisions DESC, type
