-- How varied are decisions?
-- group: games
-- definition: the entropy of the type of decision that is taken in a phase, as a number of equally likely types
--   (2 to the power of the entropy in bits): 1 where all decisions of the phase are of one type.
-- counts: actions
-- chart: table
-- column phase: the phase of the turn
-- column decisions: decisions taken in it, not those that were taken back
-- column types: different types among them
-- column kinds_in_effect: as many equally likely types are as varied
WITH counted AS (
  SELECT game, ruleset, phase, type, sum(decisions) AS decisions
  FROM decision_sums
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, phase, type
),
shares AS (
  SELECT game, ruleset, phase, decisions, 1.0 * decisions / sum(decisions) OVER (PARTITION BY game, ruleset, phase) AS share
  FROM counted
)
SELECT game, ruleset, phase, CAST(sum(decisions) AS BIGINT) AS decisions, count(*) AS types,
  round(exp(-sum(share * ln(share))), 6) AS kinds_in_effect
FROM shares
GROUP BY game, ruleset, phase
ORDER BY game, ruleset, decisions DESC, phase
