-- Which deck beats which?
-- group: decks
-- definition: for each pair of decks (factions, splicers, generals), the games in which both were played and one of them
--   won; a game counts once, however many sat at the table, and games that a third deck won say nothing about the two.
--   `shrunk` is (wins + 5) / (games + 10): few games are pulled towards one half.
-- share win_rate: wins / games
-- shrunk shrunk: wins / games
-- counts: decisive, opponents
-- percents: baseline
-- chart: heat map of shrunk by own and other; grey below five games; the cell shows the percentage and the games
-- column dimension: what decks are told by
-- column own: the deck whose wins are counted
-- column other: the deck it played against
-- column baseline: the share if the decks did not matter: one half, where each was played once
WITH played AS (
  SELECT game, ruleset, ruleset_id, game_id, dimension, value, count(*) AS seats, bool_or(won) AS won
  FROM dimensions
  WHERE decisive
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, dimension, value
)
SELECT own.game, own.ruleset, dimension, own.value AS own, other.value AS other,
  count(*) AS games,
  count(*) FILTER (WHERE own.won) AS wins,
  round(avg(1.0 * own.seats / (own.seats + other.seats)), 6) AS baseline
FROM played AS own
JOIN played AS other USING (game_id, ruleset_id, dimension)
WHERE own.value <> other.value
  AND (own.won OR other.won)
GROUP BY own.game, own.ruleset, dimension, own.value, other.value
ORDER BY own.game, own.ruleset, dimension, own.value, other.value
