-- How long do games take?
-- group: games
-- definition: rounds, turns and decisions of finished games, minutes only where times were written down: the median,
--   and between which numbers eight of ten games lie (P10 to P90).
-- counts: finished
-- chart: a range from p10 to p90 with the median, by measure and ruleset
-- column measure: rounds, turns, decisions or minutes
-- column games: finished games that tell it
WITH lengths AS (
  SELECT game, ruleset, 'rounds' AS measure, CAST(rounds AS DOUBLE) AS length FROM games WHERE over AND rounds IS NOT NULL
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'turns', turns FROM games WHERE over AND turns IS NOT NULL
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'decisions', decisions FROM games WHERE over AND decisions IS NOT NULL
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'minutes', minutes FROM games WHERE over AND minutes IS NOT NULL
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
)
SELECT game, ruleset, measure,
  count(*) AS games,
  percentile_cont(0.1) WITHIN GROUP (ORDER BY length) AS p10,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY length) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY length) AS p90
FROM lengths
GROUP BY game, ruleset, measure
ORDER BY game, ruleset, measure
