-- When can we stop testing?
-- group: overview
-- definition: every share of wins (of the first player, of each deck) against its baseline of one in the number of
--   players. *Fair*: it lies within ten points of the baseline with a probability above 0.9; *not fair*: below 0.05; else
--   *keep testing*, with about how many more games. Before the first game it weighs as much as ten games around the
--   baseline, for two players Beta(5, 5). `e_value` is the evidence against the baseline: 20 rejects it at 0.05, and one
--   may look after every game. `power` is the chance that so many games tell a share ten points above the baseline.
--   Games between equal decks are left out of the decks.
-- method: outlooks
-- share win_rate: wins / games
-- counts: decisive
-- percents: baseline, fair, power
-- chart: table
-- column measure: first player, or what decks are told by
-- column value: the deck
-- column games: games that tell
-- column baseline: the share if it did not matter
-- column verdict: fair, not fair or keep testing
-- column fair: probability that the share lies within ten points of its baseline
-- column e_value: evidence against the baseline
-- column power: chance to tell a share ten points above the baseline from so many games
-- column more: about how many games are missing, if they go on like this
WITH players AS (
  SELECT game_id, ruleset_id, count(*) AS players, count(DISTINCT deck) AS decks FROM seats GROUP BY game_id, ruleset_id
),
counted AS (
  SELECT game, ruleset, 'first player' AS measure, '' AS value, players, won
  FROM seats
  JOIN players USING (game_id, ruleset_id)
  WHERE first
    AND decisive
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  UNION ALL
  SELECT game, ruleset, 'deck', deck, players, bool_or(won)
  FROM seats
  JOIN players USING (game_id, ruleset_id)
  WHERE deck IS NOT NULL
    AND decks = players
    AND decisive
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, deck, players
)
SELECT game, ruleset, measure, value, players, count(*) AS games, count(*) FILTER (WHERE won) AS wins,
  1.0 / players AS baseline
FROM counted
WHERE players > 1
GROUP BY game, ruleset, measure, value, players
ORDER BY game, ruleset, measure DESC, value, players
