-- Which deck beats which?
-- group: decks
-- definition: for each pair of decks (factions, splicers, generals), the games that one of the two won against the
--   other; games between two of the same kind are left out. `shrunk` is (wins + 5) / (games + 10): few games are pulled
--   towards one half.
-- share win_rate: wins / games
-- shrunk shrunk: wins / games
-- chart: heat map of shrunk by own and other; grey below five games; the cell shows the percentage and the games
-- column dimension: what decks are told by
-- column own: the deck whose wins are counted
-- column other: the deck it played against
WITH pairs AS (
  SELECT one.game, one.ruleset, one.dimension, one.value AS own, other.value AS other, one.won
  FROM dimensions AS one
  JOIN dimensions AS other
    ON other.game_id = one.game_id
    AND other.ruleset_id = one.ruleset_id
    AND other.dimension = one.dimension
    AND other.player <> one.player
    AND other.value <> one.value
  WHERE (one.won OR other.won)
    AND ($game IS NULL OR one.game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (one.ruleset, one.ruleset_id))
    AND ($source IS NULL OR one.source = $source)
    AND (one.clean OR NOT $clean)
)
SELECT game, ruleset, dimension, own, other, count(*) AS games, count(*) FILTER (WHERE won) AS wins
FROM pairs
GROUP BY game, ruleset, dimension, own, other
ORDER BY game, ruleset, dimension, own, other
