-- What do players have, turn by turn?
-- group: games
-- definition: every total of the game (cards in hand, crystals, energy …) of the player on turn at the end of that
--   player's own turns: median and quartiles, with the number of players still in the game.
-- counts: actions
-- chart: a line of the median with a band from q1 to q3, a panel a total; the number of players below
-- column name: which total
-- column own_turn: the player's own turn, from 1
-- column players: players who had so many turns
WITH counted AS (
  SELECT game, ruleset, name, own_turn, value, sum(players) AS players
  FROM total_values
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset, name, own_turn, value
),
placed AS (
  SELECT game, ruleset, name, own_turn, value,
    sum(players) OVER (PARTITION BY game, ruleset, name, own_turn ORDER BY value) AS so_far,
    sum(players) OVER (PARTITION BY game, ruleset, name, own_turn) AS players
  FROM counted
)
SELECT game, ruleset, name, own_turn,
  CAST(max(players) AS BIGINT) AS players,
  min(value) FILTER (WHERE so_far >= 0.25 * players) AS q1,
  min(value) FILTER (WHERE so_far >= 0.5 * players) AS median,
  min(value) FILTER (WHERE so_far >= 0.75 * players) AS q3
FROM placed
GROUP BY game, ruleset, name, own_turn
ORDER BY game, ruleset, name, own_turn
