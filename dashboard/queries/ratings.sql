-- How strong is each deck, whomever it met?
-- group: decks
-- definition: games that one deck won against another. Bradley-Terry strengths are fitted to these where every deck can
--   be reached from every other along won games.
-- chart: dots with intervals of the strengths, the strongest first
-- column winner: the deck that won
-- column loser: the deck that lost to it
-- column wins: how often
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
SELECT game, ruleset, dimension, own AS winner, other AS loser, count(*) AS wins
FROM pairs
WHERE won
GROUP BY game, ruleset, dimension, own, other
ORDER BY game, ruleset, dimension, own, other
