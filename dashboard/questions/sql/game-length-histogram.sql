-- How do the lengths of games differ?
-- group: games
-- definition: how many finished games have how many rounds and turns, tens of decisions and tens of minutes, by number
--   of players.
-- counts: finished
-- chart: histogram of games by length, a panel a measure
-- column measure: rounds, turns, decisions or minutes
-- column players: how many players
-- column length: the length; of decisions and minutes the beginning of a step of ten
WITH chosen AS (
  SELECT game, ruleset, players, rounds, turns, decisions, minutes
  FROM games
  WHERE over
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
),
lengths AS (
  SELECT game, ruleset, players, 'rounds' AS measure, rounds AS length FROM chosen
  UNION ALL
  SELECT game, ruleset, players, 'turns', turns FROM chosen
  UNION ALL
  SELECT game, ruleset, players, 'decisions', decisions - decisions % 10 FROM chosen
  UNION ALL
  SELECT game, ruleset, players, 'minutes', CAST(floor(minutes / 10) * 10 AS INTEGER) FROM chosen
)
SELECT game, ruleset, measure, players, length, count(*) AS games
FROM lengths
WHERE length IS NOT NULL
GROUP BY game, ruleset, measure, players, length
ORDER BY game, ruleset, measure, players, length
