-- Which cards are worth keeping in the opening hand?
-- group: cards
-- definition: copies that play began with in hand (kept) and copies that left it again before (mulliganed),
--   each with the share that their side won, by deck: kept cards are compared with mulliganed ones of the same deck.
--   Known hands, games that somebody won.
-- share kept_rate: kept_wins / kept in kept_clumps
-- share mulliganed_rate: mulliganed_wins / mulliganed in mulliganed_clumps
-- counts: decisive, hands
-- chart: table
-- column deck: the deck of the side
-- column kept: copies in the hand with which play began
-- column mulliganed: copies that went back
WITH held AS (
  SELECT cards.game, cards.ruleset, cards.ruleset_id, cards.game_id, coalesce(deck, '') AS deck, card,
    any_value(card_name) AS card_name,
    sum(opening) AS kept_n, sum(CASE WHEN cards.won THEN opening ELSE 0 END) AS kept_h,
    sum(mulliganed) AS back_n, sum(CASE WHEN cards.won THEN mulliganed ELSE 0 END) AS back_h
  FROM cards
  JOIN (SELECT game_id, ruleset_id, player, deck FROM seats) USING (game_id, ruleset_id, player)
  WHERE decisive
    AND hand_known
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY cards.game, cards.ruleset, cards.ruleset_id, cards.game_id, coalesce(deck, ''), card
)
SELECT game, ruleset, deck, card, any_value(card_name) AS card_name,
  CAST(sum(kept_n) AS BIGINT) AS kept, CAST(sum(kept_h) AS BIGINT) AS kept_wins,
  CAST(sum(back_n) AS BIGINT) AS mulliganed, CAST(sum(back_h) AS BIGINT) AS mulliganed_wins,
  {'games': count(*) FILTER (WHERE kept_n > 0), 'hh': sum(kept_h * kept_h), 'hn': sum(kept_h * kept_n),
    'nn': sum(kept_n * kept_n)} AS kept_clumps,
  {'games': count(*) FILTER (WHERE back_n > 0), 'hh': sum(back_h * back_h), 'hn': sum(back_h * back_n),
    'nn': sum(back_n * back_n)} AS mulliganed_clumps
FROM held
GROUP BY game, ruleset, deck, card
HAVING sum(back_n) > 0
ORDER BY game, ruleset, sum(back_n) DESC, card, deck
