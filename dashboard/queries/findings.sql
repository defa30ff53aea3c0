-- What does the audit find most often?
-- group: rules
-- definition: findings by rule and kind. Those after the first illegal event of their game may only follow from it:
--   `first_hand` leaves them out.
-- chart: bars of findings by rule, coloured by kind
-- column findings: how often
-- column first_hand: how often, without what comes after a first illegal event
-- column games: in how many games
-- column example_game: a game to look at
-- column example_seq: its event to look at
SELECT game, ruleset, rule, kind, any_value(section) AS section, any_value(lines) AS lines,
  count(*) AS findings,
  count(*) FILTER (WHERE NOT tainted) AS first_hand,
  count(DISTINCT game_id) AS games,
  min(game_id) AS example_game,
  arg_min(seq, game_id) AS example_seq
FROM findings
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
GROUP BY game, ruleset, rule, kind
ORDER BY game, ruleset, findings DESC, rule, kind
