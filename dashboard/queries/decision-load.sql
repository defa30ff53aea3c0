-- How much is there to choose from?
-- group: games
-- definition: legal decisions that the player had, for each decision taken; a decision is forced where there was only
--   one. Needs `tabletape build --decision-load`.
-- share forced_rate: forced / decisions
-- chart: a line of the median with a band from p10 to p90, by round
-- column round: the round, from 1
-- column decisions: decisions whose alternatives were counted
-- column forced: of these, decisions without an alternative
SELECT game, ruleset, round,
  count(*) AS decisions,
  count(*) FILTER (WHERE legal = 1) AS forced,
  percentile_cont(0.1) WITHIN GROUP (ORDER BY legal) AS p10,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY legal) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY legal) AS p90
FROM events
WHERE legal > 0
  AND turn > 0
  AND NOT taken_back
  AND game = coalesce($game, game)
  AND coalesce($ruleset, ruleset) IN (ruleset, ruleset_id)
  AND source = coalesce($source, source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, round
ORDER BY game, ruleset, round
