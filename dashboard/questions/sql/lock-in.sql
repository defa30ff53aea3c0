-- When does the lead change for the last time?
-- group: games
-- definition: turn of the last lead change / all turns; 0 where the lead never changed. It says nothing more: a lead
--   that no longer changes may have been in danger to the end.
-- counts: decisive, lead
-- percents: p10, median, p90
-- chart: a range from p10 to p90 with the median, by ruleset
-- column players: how many players
-- column games: games that somebody won and in which somebody led
-- column median: in half of the games the lead last changed by this part of their turns
SELECT game, ruleset, players,
  count(*) AS games,
  percentile_disc(0.1) WITHIN GROUP (ORDER BY 1.0 * last_lead_change / turns) AS p10,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY 1.0 * last_lead_change / turns) AS median,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY 1.0 * last_lead_change / turns) AS p90
FROM games
WHERE winner IS NOT NULL
  AND lead_changes IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, players
ORDER BY game, ruleset, players
