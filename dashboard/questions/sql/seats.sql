-- Does the seat matter?
-- group: games
-- definition: games won from a seat (clockwise from 1, as the log names the players) / games that somebody won; the
--   baseline is one in the number of players.
-- share win_rate: wins / games
-- counts: decisive, actions
-- percents: baseline
-- chart: dots of win_rate by seat with their intervals, and a line at the baseline
-- column players: how many players
-- column seat: place at the table, clockwise from 1
-- column games: games that somebody won
-- column wins: of these, games won from this seat
-- column baseline: the share if the seat did not matter
WITH seated AS (
  SELECT game, ruleset, seat, won, count(*) OVER (PARTITION BY game_id, ruleset_id) AS players
  FROM seats
  WHERE decisive AND seat IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
)
SELECT game, ruleset, players, seat,
  count(*) AS games,
  count(*) FILTER (WHERE won) AS wins,
  1.0 / players AS baseline
FROM seated
GROUP BY game, ruleset, players, seat
ORDER BY game, ruleset, players, seat
