-- Which place does a seat come to?
-- group: games
-- definition: places at the end by the seat (clockwise from 1, as the log names the players); equal players share the
--   better place. In games whose places are known, as written or by the points.
-- share first_rate: first / games
-- counts: finished, places, actions
-- percents: baseline
-- chart: dots of mean_place by seat
-- column players: how many players
-- column seat: place at the table, clockwise from 1
-- column games: games whose places are known
-- column first: of these, games in which the seat came first, alone or with others
-- column last: of these, games in which nobody came behind it
-- column mean_place: the mean of its places
-- column baseline: the share of first places if the seat did not matter
WITH seated AS (
  SELECT game, ruleset, seat, place,
    count(*) OVER one_game AS players, max(place) OVER one_game AS last_place,
    count(*) FILTER (WHERE place = 1) OVER one_game AS firsts
  FROM seats
  WHERE over AND seat IS NOT NULL AND place IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  WINDOW one_game AS (PARTITION BY game_id, ruleset_id)
)
SELECT game, ruleset, players, seat,
  count(*) AS games,
  count(*) FILTER (WHERE place = 1) AS first,
  count(*) FILTER (WHERE place = last_place) AS last,
  round(avg(place), 6) AS mean_place,
  round(avg(1.0 * firsts / players), 6) AS baseline
FROM seated
GROUP BY game, ruleset, players, seat
ORDER BY game, ruleset, players, seat
