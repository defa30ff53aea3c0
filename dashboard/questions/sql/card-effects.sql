-- What is a card worth, whoever plays it in whichever deck?
-- group: cards
-- definition: the adjusted effect of having a card in hand on winning, in shares won at one half (0.05 is five points):
--   a conditional logit of who won each game on the cards that each side had in hand at least once, its deck, its
--   player and whether it began. Before the first game effects are normal around 0, of cards with a deviation of 0.3,
--   of all others of 0.5 (Laplace's method). Hands that are not wholly known count as average ones. A card about which
--   fewer than ten games tell gets no word; of many cards some stand out by luck (`by_luck`).
-- method: card_effects
-- counts: decisive, hands
-- percents: effect, low, high, low_80, high_80, helps
-- chart: dots of effect with intervals, those that stand out most first
-- column games: games in which a known hand held it
-- column effect: what it adds to the share of games won, at one half
-- column low: lower end of the 95 % interval
-- column high: upper end of the 95 % interval
-- column low_80: lower end of the 80 % interval
-- column high_80: upper end of the 80 % interval
-- column helps: probability that it helps
-- column stands_out: at least ten games tell, and the 95 % interval leaves out 0
-- column tested: cards with at least ten games
-- column by_luck: so many of them would stand out if no card mattered: few, as long as few games tell
WITH held AS (
  SELECT game_id, ruleset_id, player, list(card ORDER BY card) AS cards, list(card_name ORDER BY card) AS card_names
  FROM cards
  WHERE decisive
    AND seen > 0
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game_id, ruleset_id, player
)
SELECT game, ruleset, ruleset_id, game_id, player, deck, name, first, won, hand_known, cards, card_names
FROM seats
LEFT JOIN held USING (game_id, ruleset_id, player)
WHERE decisive
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
