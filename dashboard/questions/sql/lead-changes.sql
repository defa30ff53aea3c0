-- How often does the lead change?
-- group: games
-- definition: how often the sole leader's identity changes between the ends of turns; ties and the first lead do not
--   count. Only games that somebody won and in which somebody led.
-- counts: decisive, lead
-- chart: histogram of games by lead_changes
-- column players: how many players
-- column lead_changes: changes of the lead
-- column games: games with so many
SELECT game, ruleset, players, lead_changes, count(*) AS games
FROM games
WHERE winner IS NOT NULL
  AND lead_changes IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players, lead_changes
ORDER BY game, ruleset, players, lead_changes
