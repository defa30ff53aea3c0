-- How strong is each deck, whomever it met?
-- group: decks
-- definition: the chance to beat the average deck: strengths fitted to who won against all others at the table, allowing
--   for the player and for who began (Bradley and Terry; with more than two sides Plackett and Luce). Before the first
--   game all differences are normal around 0 with a deviation of 0.5, so that few games say little:
--   where the interval holds one half, a high `strongest` is what a few games look like and no verdict (`clear` says so).
-- method: ratings
-- counts: decisive, opponents
-- percents: strength, low, high, strongest, narrowed
-- chart: dots with intervals of the strengths, the strongest first
-- column dimension: what decks are told by
-- column value: its value
-- column games: games in which it was played
-- column strength: its chance to win against the average one, neither of them beginning
-- column low: lower end of the 95 % interval
-- column high: upper end of the 95 % interval
-- column strongest: probability that it is the strongest of all
-- column clear: the interval leaves out one half
-- column narrowed: by how much the games narrowed the interval of before the first one
-- promise rating_of_a_deck: low, high
-- promise strongest_of_all: strongest
-- promise clearly_stronger_of_equals: clear
-- promise stronger_deck_is_found: clear
WITH different AS (
  SELECT game_id, ruleset_id, dimension
  FROM dimensions
  GROUP BY game_id, ruleset_id, dimension
  HAVING count(DISTINCT value) > 1
)
SELECT game, ruleset, ruleset_id, dimension, game_id, player, value, name, coalesce(first, false) AS first, won
FROM dimensions
JOIN different USING (game_id, ruleset_id, dimension)
JOIN (SELECT game_id, ruleset_id, player, name, first FROM seats) USING (game_id, ruleset_id, player)
WHERE decisive
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
