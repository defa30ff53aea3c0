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
WITH held AS (
  SELECT *, sum(seen) OVER of_game AS n, sum(least(played, seen)) OVER of_game AS h,
    row_number() OVER of_game = 1 AS first_of_game
  FROM cards
  WHERE over
    AND hand_known
    AND stays > 0
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  WINDOW of_game AS (PARTITION BY game_id, ruleset_id, card)
)
SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
  CAST(sum(seen) AS BIGINT) AS seen,
  CAST(sum(least(played, seen)) AS BIGINT) AS played,
  {'games': count(*) FILTER (WHERE first_of_game), 'hh': sum(h * h) FILTER (WHERE first_of_game),
    'hn': sum(h * n) FILTER (WHERE first_of_game), 'nn': sum(n * n) FILTER (WHERE first_of_game)} AS clumps,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY 1.0 * turns_in_hand / stays) AS turns_in_hand
FROM held
GROUP BY game, ruleset, card
ORDER BY game, ruleset, seen DESC, card
