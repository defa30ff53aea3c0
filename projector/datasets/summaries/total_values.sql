-- How many players had each value of a total at the end of a turn of their own.
SELECT game, ruleset_id, ruleset, source, clean, players, name, own_turn, value, count(*) AS sides
FROM totals
JOIN (SELECT game_id, ruleset_id, players FROM games) USING (game_id, ruleset_id)
GROUP BY game, ruleset_id, ruleset, source, clean, players, name, own_turn, value
