-- How many decisions of each type were taken in each phase, during turns, without those that were taken back.
SELECT game, ruleset_id, ruleset, source, clean, phase, type, count(*) AS decisions
FROM events
WHERE class = 'decision' AND turn > 0 AND NOT taken_back
GROUP BY game, ruleset_id, ruleset, source, clean, phase, type
