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
-- with: card-medians
SELECT game, ruleset, card, any_value(card_name) AS card_name, median AS median_turn, own_turn, CAST(sum(n) AS BIGINT) AS sides,
  CAST(sum(h) AS BIGINT) AS wins, round(sum(1.0 * n / players) / sum(n), 6) AS baseline,
  {'games': sum(games), 'hh': sum(hh), 'hn': sum(hn), 'nn': sum(nn)} AS clumps
FROM card_sums
JOIN medians USING (game, ruleset, card, measure)
WHERE measure = 'first played'
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, card, median, own_turn, all_sides
ORDER BY game, ruleset, all_sides DESC, card, own_turn
