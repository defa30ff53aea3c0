-- When is a card played, and does an early one win?
-- group: cards
-- definition: the player's own turn in which a copy of the card was first played: for each card the median, and games
--   won / games by that turn (4 and later together). Sides of games that somebody won.
-- share win_rate: wins / sides in clumps
-- counts: decisive, actions
-- percents: baseline
-- chart: a range of turns by card
-- column own_turn: the player's own turn, from 1; 4 stands for the fourth and all later ones
-- column sides: sides that first played it then
-- column wins: of these, sides that won
-- column median_turn: half of all sides that played the card had done so by this turn
-- column baseline: the share if it did not matter
WITH players AS (SELECT game_id, ruleset_id, count(*) AS players FROM seats GROUP BY game_id, ruleset_id),
medians AS (
  SELECT game, ruleset, card, any_value(card_name) AS card_name, count(*) AS all_sides,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY first_played) AS median_turn
  FROM cards
  WHERE decisive
    AND first_played IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card
),
played AS (
  SELECT game, ruleset, ruleset_id, game_id, card, least(first_played, 4) AS own_turn, any_value(players) AS players,
    count(*) AS n, count(*) FILTER (WHERE won) AS h
  FROM cards
  JOIN players USING (game_id, ruleset_id)
  WHERE decisive
    AND first_played IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, card, least(first_played, 4)
)
SELECT game, ruleset, card, card_name, median_turn, own_turn, CAST(sum(n) AS BIGINT) AS sides,
  CAST(sum(h) AS BIGINT) AS wins, round(sum(1.0 * n / players) / sum(n), 6) AS baseline,
  {'games': count(*), 'hh': sum(h * h), 'hn': sum(h * n), 'nn': sum(n * n)} AS clumps
FROM played
JOIN medians USING (game, ruleset, card)
GROUP BY game, ruleset, card, card_name, median_turn, own_turn, all_sides
ORDER BY game, ruleset, all_sides DESC, card, own_turn
