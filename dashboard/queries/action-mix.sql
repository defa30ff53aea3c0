-- What do players do in which round?
-- group: games
-- definition: share of each type of decision among all decisions of a round; what was taken back is left out.
-- share share: decisions / all_decisions
-- chart: stacked areas of share by round, coloured by type
-- column round: the round, from 1
-- column type: the type of decision
-- column decisions: how often it was taken
-- column all_decisions: all decisions of the round
SELECT game, ruleset, round, type,
  CAST(sum(in_play) AS BIGINT) AS decisions,
  CAST(sum(sum(in_play)) OVER (PARTITION BY game, ruleset, round) AS BIGINT) AS all_decisions
FROM actions
WHERE class = 'decision'
  AND in_play > 0
  AND player IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, round, type
ORDER BY game, ruleset, round, decisions DESC, type
