-- How did the lead go in each game?
-- group: games
-- definition: every player's progress (0 to 1) at the end of every turn, of one game (`$game_id`) or of all.
-- counts: actions
-- personal: player, game_id
-- chart: a line a player, by turn
-- column game_id: the played match
-- column progress: how far the player is
-- column ahead: own progress minus the best of the others
SELECT game, ruleset, game_id, turn, round, player, on_turn, progress, ahead, won
FROM turns
WHERE ($game_id IS NULL OR game_id = $game_id)
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
ORDER BY game, ruleset, game_id, turn, player
