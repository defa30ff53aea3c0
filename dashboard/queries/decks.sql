-- Which decks win?
-- group: decks
-- definition: games won / games that somebody won, by what decks are told by (deck, faction, splicer, general). Games
--   between two of the same kind count for both sides.
-- share win_rate: wins / games
-- chart: bars of win_rate by value with their intervals
-- column dimension: what decks are told by
-- column value: its value
-- column games: seats with it in games that somebody won
-- column wins: of these, seats that won
SELECT game, ruleset, dimension, value, count(*) AS games, count(*) FILTER (WHERE won) AS wins
FROM dimensions
WHERE decisive
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, dimension, value
ORDER BY game, ruleset, dimension, value
