-- What is keeping a card worth, over all decks?
-- group: cards
-- definition: what having kept a card in the opening hand adds to the share of games won, compared with having sent it
--   back, in shares won at one half (0.05 is five points). Both stand in the model of `card-effects` in the place of
--   the cards seen, so decks, players and who began are allowed for: cards kept are compared with the same cards sent
--   back by the same decks. Before the first game each of the two is normal around 0 with a deviation of 0.3. A card
--   that was kept or sent back in fewer than ten games gets no word.
-- method: keeping
-- counts: decisive, hands
-- percents: effect, low, high, low_80, high_80, helps
-- chart: table
-- column kept_games: games in which play began with it in a known hand
-- column mulliganed_games: games in which it was sent back
-- column effect: what keeping adds to the share of games won, at one half
-- column low: lower end of the 95 % interval
-- column high: upper end of the 95 % interval
-- column low_80: lower end of the 80 % interval
-- column high_80: upper end of the 80 % interval
-- column helps: probability that keeping is better than sending it back
-- column stands_out: at least ten games of either kind tell, and the 95 % interval leaves out 0
WITH held AS (
  SELECT game_id, ruleset_id, player, list(card ORDER BY card) AS cards, list(card_name ORDER BY card) AS card_names,
    list(opening > 0 ORDER BY card) AS kept, list(mulliganed > 0 ORDER BY card) AS mulliganed
  FROM cards
  WHERE decisive
    AND opening + mulliganed > 0
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game_id, ruleset_id, player
)
SELECT game, ruleset, ruleset_id, game_id, player, deck, name, first, won, hand_known, cards, card_names, kept, mulliganed
FROM seats
LEFT JOIN held USING (game_id, ruleset_id, player)
WHERE decisive
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
