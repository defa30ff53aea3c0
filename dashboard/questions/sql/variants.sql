-- What does it change what a table chooses?
-- group: games
-- definition: finished games by what their tables chose before the game (difficulty, colours, an expansion), for each
--   choice whatever the others were: how many were won, of those that are played together, by how many points, and in how
--   many turns.
-- share win_rate: wins / together
-- counts: finished, variants
-- chart: bars of win_rate by choice with their intervals
-- column variant: what is chosen
-- column choice: what these tables have chosen
-- column games: finished games with this choice
-- column together: of these, games that were played together
-- column wins: of these, games that were won
-- column median_score: half of the known points are not above this, those of the table or of each player
-- column median_turns: half of the games do not take more turns
WITH points AS (
  SELECT game_id, ruleset_id, avg(score) AS score FROM seats GROUP BY game_id, ruleset_id
)
SELECT games.game, variant, choice,
  count(*) AS games,
  count(*) FILTER (WHERE cooperative) AS together,
  count(*) FILTER (WHERE cooperative AND winners > 0) AS wins,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY coalesce(games.score, points.score)) AS median_score,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY turns) AS median_turns
FROM games
JOIN variants USING (game_id, ruleset_id)
LEFT JOIN points USING (game_id, ruleset_id)
WHERE over
  AND ($game IS NULL OR games.game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (games.ruleset, ruleset_id))
  AND ($source IS NULL OR games.source = $source)
  AND (games.clean OR NOT $clean)
GROUP BY games.game, variant, choice
ORDER BY games.game, variant, choice
