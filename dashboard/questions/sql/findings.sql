-- What does the audit find most often?
-- group: rules
-- definition: findings by rule and kind. Those that come after something illegal, or follow from another finding, say
--   nothing of their own: `first_hand` leaves them out.
-- personal: example_game
-- chart: bars of findings by rule, coloured by kind
-- column findings: how often
-- column first_hand: how often, without what only follows from something else
-- column games: in how many games
-- column example_game: a game to look at
-- column example_seq: its event to look at
SELECT game, ruleset, rule, kind, any_value(section) AS section, any_value(lines) AS lines,
  count(*) AS findings,
  count(*) FILTER (WHERE first_hand) AS first_hand,
  count(DISTINCT game_id) AS games,
  min(game_id) AS example_game,
  arg_min(seq, game_id) AS example_seq
FROM findings
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
GROUP BY game, ruleset, rule, kind
ORDER BY game, ruleset, findings DESC, rule, kind
