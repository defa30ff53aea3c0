-- Which decks win?
-- group: decks
-- definition: games won / games that somebody won, by what decks are told by (deck, faction, splicer, general). Games
--   in which all sides have the same are left out; the baseline is one in the number of players.
-- method: luck
-- share win_rate: wins / games in clumps
-- counts: decisive, opponents
-- percents: baseline, by_luck
-- chart: bars of win_rate by value with their intervals
-- column dimension: what decks are told by
-- column value: its value
-- column games: seats with it in games that somebody won
-- column wins: of these, seats that won
-- column baseline: the share if the deck did not matter, over the numbers of players
-- column by_luck: chance that luck alone brings a number of wins that is no likelier, game by game
WITH tables AS (
  SELECT game_id, ruleset_id, dimension, count(DISTINCT value) AS kinds
  FROM dimensions
  GROUP BY game_id, ruleset_id, dimension
),
players AS (SELECT game_id, ruleset_id, count(*) AS players FROM seats GROUP BY game_id, ruleset_id),
played AS (
  SELECT game, ruleset, ruleset_id, game_id, dimension, value, any_value(players) AS players,
    count(*) AS n, count(*) FILTER (WHERE won) AS h
  FROM dimensions
  JOIN tables USING (game_id, ruleset_id, dimension)
  JOIN players USING (game_id, ruleset_id)
  WHERE decisive
    AND kinds > 1
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, dimension, value
)
SELECT game, ruleset, dimension, value, CAST(sum(n) AS BIGINT) AS games, CAST(sum(h) AS BIGINT) AS wins,
  round(sum(1.0 * n / players) / sum(n), 6) AS baseline, list(least(1.0, 1.0 * n / players)) AS chances,
  {'games': count(*), 'hh': sum(h * h), 'hn': sum(h * n), 'nn': sum(n * n)} AS clumps
FROM played
GROUP BY game, ruleset, dimension, value
ORDER BY game, ruleset, dimension, value
