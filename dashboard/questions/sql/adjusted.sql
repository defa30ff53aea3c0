-- Who wins, when players, decks, seats and beginning are allowed for?
-- group: decks
-- definition: the chance to beat the average one, at one half: a conditional logit of who won each game on its players (by
--   name), their decks, their seats and who began, all together, so that the deck of a strong player is not taken for a
--   strong deck. Seats are left out where one of them always begins, which is the same then. Each of them is normal around 0 with a deviation of 0.5 before the first game: with few games all
--   are pulled to one half, and `narrowed` says how much of the interval's width the games took away.
-- method: adjusted
-- counts: decisive
-- percents: strength, low, high, narrowed
-- personal: value
-- chart: dots with intervals of the strengths, by measure
-- column measure: player, deck, seat or first player
-- column value: the player's name, the deck, or the seat
-- column games: games with it, in which it was not on all sides
-- column strength: the chance to beat the average one, all else equal; of the first player, to beat one who does not begin
-- column low: lower end of the 95 % interval
-- column high: upper end of the 95 % interval
-- column narrowed: by how much the games narrowed the interval
-- promise strength_of_a_player: low, high
-- promise first_player_among_unequal_people: low, high
-- promise deck_of_unequal_people: low, high
SELECT game, ruleset, ruleset_id, game_id, player, deck, name, CAST(seat AS VARCHAR) AS seat,
  coalesce(first, false) AS first, won
FROM seats
WHERE decisive
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
