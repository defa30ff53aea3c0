-- What do players have, turn by turn?
-- group: games
-- definition: every total of the game (cards in hand, crystals, energy …) of the player on turn at the end of that
--   player's own turns: median and quartiles, with how many of them there were. By number of players: with more of them
--   more happens between two turns of a player's own.
-- counts: actions
-- chart: a line of the median with a band from q1 to q3, a panel a total; how many they are below
-- column name: which total
-- column own_turn: the player's own turn, from 1
-- column players: how many players the games had
-- column sides: players who had so many turns
WITH counted AS (
  SELECT game, ruleset, players, name, own_turn, value, sum(sides) AS sides
  FROM total_values
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset, players, name, own_turn, value
),
placed AS (
  SELECT game, ruleset, players, name, own_turn, value,
    sum(sides) OVER (PARTITION BY game, ruleset, players, name, own_turn ORDER BY value) AS so_far,
    sum(sides) OVER (PARTITION BY game, ruleset, players, name, own_turn) AS sides
  FROM counted
)
SELECT game, ruleset, players, name, own_turn,
  CAST(max(sides) AS BIGINT) AS sides,
  min(value) FILTER (WHERE so_far >= 0.25 * sides) AS q1,
  min(value) FILTER (WHERE so_far >= 0.5 * sides) AS median,
  min(value) FILTER (WHERE so_far >= 0.75 * sides) AS q3
FROM placed
GROUP BY game, ruleset, players, name, own_turn
ORDER BY game, ruleset, players, name, own_turn
