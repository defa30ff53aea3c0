-- How do the lengths of games differ?
-- group: games
-- definition: how many finished games have how many rounds and turns, tens of decisions and tens of minutes.
-- counts: finished
-- chart: histogram of games by length, a panel a measure
-- column measure: rounds, turns, decisions or minutes
-- column length: the length; of decisions and minutes the beginning of a step of ten
WITH lengths AS (
  SELECT game, ruleset, 'rounds' AS measure, rounds AS length FROM games WHERE over
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'turns', turns FROM games WHERE over
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'decisions', decisions - decisions % 10 FROM games WHERE over
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'minutes', CAST(floor(minutes / 10) * 10 AS INTEGER) FROM games WHERE over
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
)
SELECT game, ruleset, measure, length, count(*) AS games
FROM lengths
WHERE length IS NOT NULL
GROUP BY game, ruleset, measure, length
ORDER BY game, ruleset, measure, length
