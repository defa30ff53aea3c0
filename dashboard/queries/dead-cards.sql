-- Which cards die in the hand?
-- group: cards
-- definition: copies that were still in hand at the end, or discarded, without ever being played / copies that came to
--   the hand. Split by why: discarded, never playable (and the rule that most often stood against it), come too late to
--   decide anything, playable but never chosen; all but the first need `tabletape build --decision-load`. Finished
--   games, known hands.
-- share dead_rate: dead / entered in clumps
-- counts: finished, hands
-- chart: stacked bars by why, a bar a card
-- column entered: copies that came to the hand
-- column dead: copies that never did anything
-- column discarded: of these, copies that were discarded
-- column left_in_hand: of these, all others, where it is not known why
-- column never_playable: of these, copies that could never be played
-- column too_late: of these, copies that came when their player had nothing left to decide
-- column never_chosen: of these, copies that could have been played
-- column blocked_by: the rule that most often stood against a copy that could never be played
WITH held AS (
  SELECT *, sum(seen) OVER of_game AS n, sum(dead) OVER of_game AS h, row_number() OVER of_game = 1 AS first_of_game
  FROM cards
  WHERE over
    AND hand_known
    AND seen > 0
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  WINDOW of_game AS (PARTITION BY game_id, ruleset_id, card)
)
SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
  CAST(sum(seen) AS BIGINT) AS entered,
  CAST(sum(dead) AS BIGINT) AS dead,
  CAST(sum(dead_discarded) AS BIGINT) AS discarded,
  CAST(sum(dead - dead_discarded) FILTER (WHERE dead_unplayable IS NULL) AS BIGINT) AS left_in_hand,
  CAST(sum(dead_unplayable) AS BIGINT) AS never_playable,
  CAST(sum(dead_too_late) AS BIGINT) AS too_late,
  CAST(sum(dead - dead_discarded - dead_unplayable - dead_too_late) AS BIGINT) AS never_chosen,
  {'games': count(*) FILTER (WHERE first_of_game), 'hh': sum(h * h) FILTER (WHERE first_of_game),
    'hn': sum(h * n) FILTER (WHERE first_of_game), 'nn': sum(n * n) FILTER (WHERE first_of_game)} AS clumps,
  mode() WITHIN GROUP (ORDER BY blocked_by) AS blocked_by
FROM held
GROUP BY game, ruleset, card
ORDER BY game, ruleset, dead DESC, card
