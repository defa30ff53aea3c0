-- What do feelings go with?
-- group: games
-- definition: how fun and fair (1 to 5) rise with what happened in the game: Spearman's rank correlation, -1 to 1, 0 for
--   none. Answers come in clumps, by evening and by person, so the interval has the variance of single answers and what
--   evenings and people add to it (jackknife, Student's quantile). Few evenings do not tell that they are all alike: it
--   holds the truth in 94 to 98 of a hundred cases. With fewer than six evenings or six people there is no number at
--   all. Only answers whose person is known count. Ten things are looked at: by luck alone up to one in twenty would
--   seem to go with a feeling.
-- method: felt_with
-- personal: who
-- chart: table
-- column felt: fun or fair
-- column goes_with: what happened
-- column answers: how many answers know it
-- column people: by how many people
-- column evenings: on how many evenings
-- column who: their names
-- column rho: the rank correlation; none with too few evenings or people
-- column low: lower end of the 95 % interval
-- column high: upper end of it
-- column worth: what it is worth
-- promise rank_correlation_of_feelings: low, high
-- promise rank_correlation_of_a_half: low, high
WITH said AS (
  SELECT game, ruleset, game_id, ruleset_id, player, unnest(['fun', 'fair']) AS felt, unnest([fun, fair]) AS points
  FROM feedback
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
),
stuck AS (
  SELECT game_id, ruleset_id, player, CAST(sum(dead) AS BIGINT) AS dead
  FROM cards
  WHERE hand_known AND over
  GROUP BY game_id, ruleset_id, player
),
chosen AS (
  SELECT game_id, ruleset_id, 1.0 * sum(decisions) FILTER (legal = 1) / sum(decisions) AS forced
  FROM choices
  GROUP BY game_id, ruleset_id
),
found AS (
  SELECT game_id, ruleset_id, count(*) AS wrong
  FROM findings
  WHERE kind IN ('illegal', 'missing', 'mismatch', 'drift')
  GROUP BY game_id, ruleset_id
)
SELECT said.game, said.ruleset, felt, points, seats.name,
  coalesce(strftime(games.began, '%Y-%m-%d'), said.game_id) AS evening,
  CASE WHEN games.over THEN CAST(seats.won AS INTEGER) END AS won,
  CAST(seats.first AS INTEGER) AS first,
  seats.seat, games.minutes, games.turns, games.lead_changes, stuck.dead,
  CASE WHEN games.decision_load THEN coalesce(chosen.forced, 0) END AS forced,
  games.questions AS asked,
  CASE WHEN games.detail = 'actions' THEN coalesce(found.wrong, 0) END AS wrong
FROM said
JOIN games USING (game_id, ruleset_id)
JOIN seats USING (game_id, ruleset_id, player)
LEFT JOIN stuck USING (game_id, ruleset_id, player)
LEFT JOIN chosen USING (game_id, ruleset_id)
LEFT JOIN found USING (game_id, ruleset_id)
WHERE points IS NOT NULL
