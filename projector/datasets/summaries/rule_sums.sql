-- What the games tell of each rule together: how often it was at stake (n) and gave trouble (h), with the squares.
WITH of_games AS (
  SELECT *, broken + questions + take_backs AS h,
    greatest(kept + broken + unverifiable, broken + questions + take_backs) AS n
  FROM opportunities
)
SELECT game, ruleset_id, ruleset, source, clean, rule, count(*) FILTER (WHERE n > 0) AS games,
  count(*) FILTER (WHERE kept + broken > 0) AS games_first_hand,
  count(*) FILTER (WHERE kept + broken > 0 AND broken > take_backs) AS games_broken,
  sum(kept) AS kept, sum(broken) AS broken, sum(unverifiable) AS unverifiable, sum(questions) AS questions,
  sum(take_backs) AS take_backs, sum(kept_later) AS kept_later, sum(follow_ups) AS follow_ups,
  sum(n) AS n, sum(h) AS h, sum(h * h) AS hh, sum(h * n) AS hn, sum(n * n) AS nn
FROM of_games
GROUP BY game, ruleset_id, ruleset, source, clean, rule
