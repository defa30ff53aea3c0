-- How many players had each value of a total at the end of a turn of their own.
SELECT game, ruleset_id, ruleset, source, clean, name, own_turn, value, count(*) AS players
FROM totals
GROUP BY game, ruleset_id, ruleset, source, clean, name, own_turn, value
