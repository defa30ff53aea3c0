-- Do new players break more rules than old ones?
-- group: rules
-- definition: decisions that broke a rule / decisions, by how many games of that name there had been before, under
--   whatever version, clean or not; who has played elsewhere, or before the days that are asked about, is not known. Only
--   first hand: after something illegal, until it is taken back, neither mistakes nor decisions count, and what only
--   follows from another mistake does not either.
-- share trouble_rate: broken / decisions in clumps
-- counts: dated, actions
-- chart: dots of trouble_rate by experience, with its interval
-- column experience: the player's first game, the second one, or a later one
-- column people: how many players
-- column games: games of theirs
-- column decisions: their decisions in these
-- column broken: of these, decisions that broke a rule
-- promise trouble_of_newcomers: trouble_rate
-- with: plays
, decided AS (
  SELECT game, ruleset, game_id, name, least(play, 3) AS stage, count(*) AS n,
    count(*) FILTER (WHERE list_contains(broken, seq)) AS h
  FROM events
  JOIN plays USING (game_id, ruleset_id, player)
  LEFT JOIN (
    SELECT game_id, ruleset_id, list(DISTINCT seq) AS broken
    FROM findings
    WHERE kind = 'illegal' AND first_hand
    GROUP BY game_id, ruleset_id
  ) USING (game_id, ruleset_id)
  WHERE class = 'decision'
    AND fair
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, game_id, name, least(play, 3)
)
, tables AS (
  SELECT game, ruleset, game_id, stage, list(name) AS names, sum(n) AS n, sum(h) AS h
  FROM decided
  GROUP BY game, ruleset, game_id, stage
)
SELECT game, ruleset, list_extract(['first', 'second', 'later'], stage) AS experience,
  len(list_distinct(flatten(list(names)))) AS people, count(*) AS games, CAST(sum(n) AS BIGINT) AS decisions,
  CAST(sum(h) AS BIGINT) AS broken,
  {'games': count(*), 'hh': sum(h * h), 'hn': sum(h * n), 'nn': sum(n * n)} AS clumps
FROM tables
GROUP BY game, ruleset, stage
ORDER BY game, ruleset, stage
