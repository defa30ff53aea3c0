-- The decisions of a round by number of players and type; those without a type are all of a round together, whose
-- squares are those of n.
WITH of_types AS (
  SELECT game, ruleset_id, ruleset, source, clean, players, game_id, round, type,
    coalesce(sum(in_play) FILTER (WHERE class = 'decision' AND player IS NOT NULL), 0) AS h
  FROM actions
  JOIN (SELECT game_id, ruleset_id, players FROM games) USING (game_id, ruleset_id)
  GROUP BY game, ruleset_id, ruleset, source, clean, players, game_id, round, type
),
of_rounds AS (
  SELECT game, ruleset_id, ruleset, source, clean, players, game_id, round, sum(h) AS n
  FROM of_types
  GROUP BY game, ruleset_id, ruleset, source, clean, players, game_id, round
)
SELECT game, ruleset_id, ruleset, source, clean, players, round, type, count(*) FILTER (WHERE h > 0) AS games,
  sum(h) AS h, sum(h * h) AS hh, sum(h * n) AS hn
FROM of_types
JOIN (SELECT game_id, ruleset_id, round, n FROM of_rounds) USING (game_id, ruleset_id, round)
GROUP BY game, ruleset_id, ruleset, source, clean, players, round, type
UNION ALL
SELECT game, ruleset_id, ruleset, source, clean, players, round, NULL, count(*) FILTER (WHERE n > 0), sum(n),
  sum(n * n), sum(n * n)
FROM of_rounds
GROUP BY game, ruleset_id, ruleset, source, clean, players, round
