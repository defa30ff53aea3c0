-- When can we stop testing?
-- group: overview
-- definition: every share of wins (of the first player, of each deck) against its baseline of one in the number of
--   players. *Fair*: its odds are within a factor of 1.5 of the baseline's (0.4 to 0.6 for two players, 0.18 to 0.33 for
--   four) with a probability above 0.9; *not fair*: below 0.05; else *keep testing*, with a forecast: of tests that stand
--   so, one in ten is decided by `soon` games more, half by `more`, nine in ten by `late` (none: beyond 4,000). Before
--   the first game it weighs as much as ten games around the baseline, for two players Beta(5, 5). `e_value` is the
--   evidence against the baseline: 20 rejects it at 0.05, and one may look after every game; for the whole table it is
--   the mean of the rows' (`family_e_value`). `power` is the chance that so many games tell a share at the upper end of
--   what is fair. Games between equal decks are left out of the decks.
-- method: outlooks
-- share win_rate: wins / games
-- counts: decisive
-- percents: baseline, fair_from, fair_to, fair, power
-- chart: table
-- column measure: first player, or what decks are told by
-- column value: the deck
-- column games: games that tell
-- column baseline: the share if it did not matter
-- column verdict: fair, not fair or keep testing
-- column fair_from: the lowest share that counts as fair
-- column fair_to: the highest one
-- column fair: probability that the share lies between these
-- column e_value: evidence against the baseline
-- column family_e_value: evidence against "none of these shares differs from its baseline", by version
-- column power: chance to tell a share at the upper end of what is fair from so many games
-- column soon: one in ten such tests is decided by so many games more
-- column more: half of them are
-- column late: nine in ten are; none where more than 4,000 are needed, or it is decided already
-- promise verdict_fair: verdict, fair
-- promise verdict_not_fair: verdict, fair
-- promise unfair_game_is_called_so: verdict
-- promise e_value_at_every_look: e_value
-- promise unfair_game_is_found: e_value
-- promise e_value_of_a_family: family_e_value
-- promise power_of_40_games: power
-- promise forecast_of_one_in_ten: soon
-- promise forecast_of_half: more
-- promise forecast_of_nine_in_ten: late
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
