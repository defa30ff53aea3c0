-- How long do games take, with those that did not finish?
-- group: games
-- definition: the length that half of the games pass. A game that broke off after 40 turns says that it takes longer
--   than that (Kaplan and Meier), so that leaving out the long games that nobody finished does not make games look short. By number of players.
-- method: durations
-- counts: actions
-- chart: a range from low to high with the median, by measure and ruleset
-- column measure: turns, decisions or minutes
-- column players: how many players
-- column games: games that tell it
-- column unfinished: of these, games that did not finish
-- column median: half of the games take longer; none where too few finished
-- column low: lower end of the 95 % interval
-- column high: upper end of the 95 % interval
-- promise median_with_abandoned_games: low, high
WITH chosen AS (
  SELECT game, ruleset, players, game_id, over, turns, decisions, minutes
  FROM games
  WHERE detail <> 'results'
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
)
SELECT game, ruleset, 'turns' AS measure, players, game_id, over, CAST(turns AS DOUBLE) AS length FROM chosen WHERE turns > 0
UNION ALL
SELECT game, ruleset, 'decisions', players, game_id, over, decisions FROM chosen WHERE decisions > 0
UNION ALL
SELECT game, ruleset, 'minutes', players, game_id, over, minutes FROM chosen WHERE minutes > 0
ORDER BY game, ruleset, measure, players, game_id
