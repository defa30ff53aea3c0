-- What is wrong, and where?
-- group: rules
-- definition: every finding of the audit with its game and event; the way from a number to the steps behind it.
--   Findings after the first illegal event of their game are tainted: they may only follow from it.
-- personal: message, expected, player, game_id
-- chart: table
-- column game_id: the played match
-- column seq: the event
-- column expected: what the rules expect in its place
-- column because: the derived rule that a mismatch contradicts
-- column first_hand: nothing illegal stood on the table before, and it follows from no other finding
-- column tainted: it comes after the first illegal event of its game
-- column follows: the event whose finding it follows from; empty for a finding of its own
-- column followers: how many later events follow from it
SELECT
  game, ruleset, game_id, seq, turn, player, type, rule, kind, message, expected, section, lines, because, tainted,
  first_hand, follows, coalesce(followers, 0) AS followers
FROM findings
LEFT JOIN (
  SELECT game_id, ruleset_id, follows AS seq, count(DISTINCT seq) AS followers
  FROM findings
  WHERE follows IS NOT NULL
  GROUP BY ALL
) USING (game_id, ruleset_id, seq)
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
ORDER BY game, ruleset, tainted, game_id, seq, rule
