-- Which cards die in the hand?
-- group: cards
-- definition: copies that were still in hand at the end, or discarded, without ever being played / copies that came to
--   the hand. Split by why: discarded, never playable (and the rule that most often stood against it), come too late to
--   decide anything, playable but never chosen; all but the first need legal decisions to be counted. Finished games,
--   known hands.
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
WITH against AS (
  SELECT game, ruleset, card, mode() WITHIN GROUP (ORDER BY blocked_by) AS blocked_by
  FROM cards
  WHERE over
    AND hand_known
    AND seen > 0
    AND blocked_by IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card
),
counted AS (
  SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
    CAST(sum(n) FILTER (WHERE measure = 'dead') AS BIGINT) AS entered,
    CAST(sum(h) FILTER (WHERE measure = 'dead') AS BIGINT) AS dead,
    CAST(sum(n) FILTER (WHERE measure = 'dead, discarded') AS BIGINT) AS discarded,
    CAST(sum(n) FILTER (WHERE measure = 'dead, left in hand') AS BIGINT) AS left_in_hand,
    CAST(sum(n) FILTER (WHERE measure = 'dead, never playable') AS BIGINT) AS never_playable,
    CAST(sum(n) FILTER (WHERE measure = 'dead, too late') AS BIGINT) AS too_late,
    CAST(sum(n) FILTER (WHERE measure = 'dead, never chosen') AS BIGINT) AS never_chosen,
    {'games': sum(games) FILTER (WHERE measure = 'dead'), 'hh': sum(hh) FILTER (WHERE measure = 'dead'),
      'hn': sum(hn) FILTER (WHERE measure = 'dead'), 'nn': sum(nn) FILTER (WHERE measure = 'dead')} AS clumps
  FROM card_sums
  WHERE starts_with(measure, 'dead')
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card
)
SELECT game, ruleset, card, card_name, kind, entered, dead, discarded, left_in_hand, never_playable, too_late,
  never_chosen, clumps, blocked_by
FROM counted
LEFT JOIN against USING (game, ruleset, card)
ORDER BY game, ruleset, dead DESC, card
