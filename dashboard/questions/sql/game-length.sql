-- How long do games take?
-- group: games
-- definition: rounds, turns and decisions of finished games, minutes only where times were written down: the median,
--   and between which of the lengths at least eight of ten games lie (P10 to P90), by number of players: with more of
--   them games have more turns, which says nothing about a version.
-- counts: finished
-- chart: a range from p10 to p90 with the median, by measure and ruleset
-- column measure: rounds, turns, decisions or minutes
-- column players: how many players
-- column games: finished games that tell it
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
  SELECT game, ruleset, players, 'rounds' AS measure, CAST(rounds AS DOUBLE) AS length FROM chosen
  UNION ALL
  SELECT game, ruleset, players, 'turns', turns FROM chosen
  UNION ALL
  SELECT game, ruleset, players, 'decisions', decisions FROM chosen
  UNION ALL
  SELECT game, ruleset, players, 'minutes', minutes FROM chosen
)
SELECT game, ruleset, measure, players,
  count(*) AS games,
  percentile_disc(0.1) WITHIN GROUP (ORDER BY length) AS p10,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY length) AS median,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY length) AS p90
FROM lengths
WHERE length IS NOT NULL
GROUP BY game, ruleset, measure, players
ORDER BY game, ruleset, measure, players
