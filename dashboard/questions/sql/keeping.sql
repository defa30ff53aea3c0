-- What is keeping a card worth, over all decks?
-- group: cards
-- definition: what having kept a card in the opening hand adds to the share of games won, compared with having sent it
--   back, in shares won at one half (0.05 is five points). Decks, players, who began and that the card was dealt are
--   allowed for: cards kept are compared with the same cards sent back by the same decks. Interval, effect and
--   `narrowed` are those of `card-effects`. A card that was kept or sent back in fewer than ten games gets no word.
-- method: keeping
-- counts: decisive, hands
-- percents: narrowed, helps
-- points: effect, alone, low, high, low_80, high_80
-- chart: table
-- column kept_games: games in which play began with it in a known hand
-- column mulliganed_games: games in which it was sent back
-- column effect: what keeping adds to the share of games won, at one half, weighed with how large effects are
-- column alone: the same as these games alone say it
-- column low: lower end of the 95 % interval of these games alone, none where they narrowed by less than a fifth
-- column high: upper end of the 95 % interval
-- column low_80: lower end of the 80 % interval
-- column high_80: upper end of the 80 % interval
-- column narrowed: by how much the games narrowed what was thought before
-- column helps: probability that keeping is better than sending it back
-- column stands_out: at least ten games of either kind tell, and it is above 0, or below it, with a probability of 0.975
-- column tested: cards with at least ten games of either kind
-- column by_luck: so many of them would stand out if keeping did not matter
-- promise worth_of_keeping: low, high
-- promise narrower_intervals_of_cards: low_80, high_80
-- promise helps_of_cards: helps
-- promise cards_that_stand_out: stands_out, by_luck
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
