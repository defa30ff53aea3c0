-- Which cards go with winning, deck and player allowed for?
-- group: cards
-- definition: how much more often sides won that had the card in hand, in shares won at one half (0.05 is five points):
--   a conditional logit of who won each game on the cards that each side had in hand at least once, its deck, its
--   player, whether it began, and how many cards it saw: who wins has mostly drawn more of them, whichever they were.
--   It is no cause: `whatif --without` plays without the card. Before the first game effects have Student's distribution
--   around 0 (3 degrees of freedom), so that many are small and a few may be large; how large they are altogether (the
--   scale: 0.45, or between 0.32 and 0.64 in two of three games) the games tell, too. `narrowed` is how much of the
--   interval's width the games took away; below a fifth it is what was thought before, and is not shown. Hands that
--   are not wholly known count as average ones. A card about which fewer than ten games tell gets no word; of many cards
--   some stand out by luck (`by_luck`).
-- method: card_effects
-- counts: decisive, hands
-- percents: effect, low, high, low_80, high_80, narrowed, helps, top_3
-- chart: dots of effect with intervals, those that stand out most first
-- column games: games in which a known hand held it
-- column effect: how much the share of games won is higher with it, at one half
-- column low: lower end of the 95 % interval, none that the games narrowed by less than a fifth
-- column high: upper end of the 95 % interval
-- column low_80: lower end of the 80 % interval
-- column high_80: upper end of the 80 % interval
-- column narrowed: by how much the games narrowed the interval
-- column helps: probability that the effect is above 0
-- column rank: its middle rank among the cards, 1 the highest effect
-- column top_3: probability that it is among the three highest
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
