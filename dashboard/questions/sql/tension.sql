-- How tense are games?
-- group: games
-- definition: `drama`: the mean of the square roots of the winner's deficits at the ends of turns behind (0: never
--   behind). `decisiveness`: the part of a game at its end in which the winner's chance stayed above 0.8. `uncertainty`:
--   how open it was who wins, on average over a game: 1 is anybody's, 0 is decided. Chances come from a fit of who won on
--   the players' progress and how much of the game was over: on the games of whoever is asked about alone (people,
--   or one kind of bots), those with mistakes too, where at least thirty tell, else not at all: `missing` then says how
--   many games are. By number of players.
--   Each is a mean over the games, with its interval: how much the mean and the fit together vary with each game (the
--   jackknife, a slope for each end), Wilson's for as many hits and misses as vary as much, with Student's quantile. In
--   simulations of 40 games it held the truth in 94 to 96 of a hundred (docs/benchmarks.md).
-- method: tension
-- counts: decisive, actions
-- percents: drama, drama_low, drama_high, decisiveness, decisiveness_low, decisiveness_high, uncertainty, uncertainty_low, uncertainty_high
-- chart: table
-- column players: how many players
-- column games: games that somebody won
-- column drama: 0 to 1, the mean over the games
-- column decisiveness: 0 to 1, the mean over the games
-- column uncertainty: 0 to 1, the mean over the games
-- column drama_low: lower end of the 95 % interval, and so on for the others; none with a single game
-- column drama_high: upper end of it
-- column fitted_on: whose games say what a lead is worth
-- column fitted_games: how many of them
-- column missing: how many games are missing until chances can be fitted; none where they were
-- promise mean_of_games: drama_low, drama_high
-- promise decisiveness_of_games: decisiveness_low, decisiveness_high
-- promise decisiveness_among_unequal_people: decisiveness_low, decisiveness_high
-- promise uncertainty_of_games: uncertainty_low, uncertainty_high
-- promise uncertainty_among_unequal_people: uncertainty_low, uncertainty_high
SELECT game, ruleset, ruleset_id, players, game_id, turn, progress, ahead, won, source,
  clean OR NOT $clean AS mine
FROM turns
JOIN (SELECT game_id, ruleset_id, players FROM games) USING (game_id, ruleset_id)
WHERE decisive
  AND ahead IS NOT NULL
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
