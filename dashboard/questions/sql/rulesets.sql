-- What does another reading of the rules change?
-- group: rules
-- definition: games that stand in the datasets by two versions (`tabletape build --ruling` or `--edition`), A beside B:
--   in how many of them the winner, the length or the findings differ. B is each version that is not the table's own.
-- share winner_rate: other_winner / games
-- chart: table
-- column games: games read both ways
-- column other_winner: games with another winner, or none
-- column other_length: games with another number of turns
-- column first_player_a: games won by the player who began, by A
-- column first_player_b: the same by B
-- column illegal_a: games with an illegal event, by A
-- column illegal_b: the same by B
SELECT a.game, a.ruleset AS ruleset_a, b.ruleset AS ruleset_b,
  count(*) AS games,
  count(*) FILTER (WHERE a.winner IS DISTINCT FROM b.winner) AS other_winner,
  count(*) FILTER (WHERE a.turns <> b.turns) AS other_length,
  count(*) FILTER (WHERE a.winner = a.first_player) AS first_player_a,
  count(*) FILTER (WHERE b.winner = b.first_player) AS first_player_b,
  count(*) FILTER (WHERE NOT a.clean) AS illegal_a,
  count(*) FILTER (WHERE NOT b.clean) AS illegal_b
FROM games AS a
JOIN games AS b ON b.game_id = a.game_id AND a.as_played AND NOT b.as_played
WHERE ($game IS NULL OR a.game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (b.ruleset, b.ruleset_id))
  AND ($source IS NULL OR a.source = $source)
GROUP BY a.game, a.ruleset, b.ruleset
ORDER BY a.game, a.ruleset, b.ruleset
