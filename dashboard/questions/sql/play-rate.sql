-- How often is a card played, and how long does it wait?
-- group: cards
-- definition: copies played / copies seen in the hand, and the median number of turns of the table (over sides, of the
--   mean over the copies) between coming to the hand and leaving it. Finished games, known hands.
-- share play_rate: played / seen in clumps
-- counts: finished, hands
-- chart: bars of play_rate by card
-- column seen: copies that were in the hand
-- column played: copies of these that were played
-- column turns_in_hand: the median
-- with: card-medians
, counted AS (
  SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
    CAST(sum(n) AS BIGINT) AS seen,
    CAST(sum(h) AS BIGINT) AS played,
    {'games': sum(games), 'hh': sum(hh), 'hn': sum(hn), 'nn': sum(nn)} AS clumps
  FROM card_sums
  WHERE measure = 'played'
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card
)
SELECT game, ruleset, card, card_name, kind, seen, played, clumps, median AS turns_in_hand
FROM counted
JOIN medians USING (game, ruleset, card)
WHERE measure = 'turns in hand'
ORDER BY game, ruleset, seen DESC, card
