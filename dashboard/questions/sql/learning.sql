-- How much shorter is the second play?
-- group: games
-- definition: how long a player's second game took beside that player's first one: -20 % is a fifth shorter. Two games are
--   set side by side where both were finished, by equally many players under one version; players who share them, and
--   pairs that share a game, are one observation, because a long evening is long for all who sat there. Shown is the mean
--   of the logarithms of the ratios, with its interval (Student's). The first game is the first one of that name under
--   whatever version, clean or not; who has played elsewhere, or before the days that are asked about, is not known.
--   Later games of a player may also be shorter for other reasons, other players among them: no number here tells these
--   apart.
-- method: learning
-- counts: finished, dated
-- percents: difference, low, high
-- chart: dots of difference with intervals, a dot a measure
-- column measure: decisions, rounds, turns or minutes
-- column players: how many players
-- column pairs: first games that stand beside a second one
-- column independent: groups of these that share no game
-- column difference: by how much the second game is longer, as a part of the first one
-- column low: lower end of the 95 % interval; none with a single group, or where all are exactly alike
-- column high: upper end of it
-- promise second_play: low, high
-- promise second_play_of_unequal_people: low, high
-- with: plays
SELECT DISTINCT one.game, one.ruleset, one.players, one.game_id AS first_game, two.game_id AS second_game,
  one.decisions AS decisions_first, two.decisions AS decisions_second, one.rounds AS rounds_first, two.rounds AS rounds_second,
  one.turns AS turns_first, two.turns AS turns_second, one.minutes AS minutes_first, two.minutes AS minutes_second
FROM plays AS earlier
JOIN plays AS later ON later.name = earlier.name AND later.play = 2 AND earlier.play = 1
JOIN games AS one ON one.game_id = earlier.game_id AND one.ruleset_id = earlier.ruleset_id
JOIN games AS two ON two.game_id = later.game_id AND two.ruleset_id = later.ruleset_id
WHERE one.game = two.game
  AND one.ruleset_id = two.ruleset_id
  AND one.players = two.players
  AND one.over
  AND two.over
  AND ($game IS NULL OR one.game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (one.ruleset, one.ruleset_id))
  AND ($source IS NULL OR (one.source = $source AND two.source = $source))
  AND ((one.clean AND two.clean) OR NOT $clean)
ORDER BY one.game, one.ruleset, one.players, first_game, second_game
