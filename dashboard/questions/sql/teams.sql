-- How often does a team win?
-- group: games
-- definition: games that the team won / finished games with this team that a team won. The baseline is one in the number
--   of teams.
-- share win_rate: wins / games
-- counts: finished, teams
-- percents: baseline
-- chart: dots of win_rate by team
-- column team: the team as the log names it
-- column players: how many players it had, as a mean
-- column games: finished games with this team that a team won
-- column wins: of these, games that it won
-- column baseline: the share of wins if all teams were equally good
WITH members AS (
  SELECT game, ruleset, game_id, ruleset_id, team, count(*) AS members, bool_or(won) AS won
  FROM seats
  WHERE over AND team IS NOT NULL
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, game_id, ruleset_id, team
), played AS (
  SELECT *, count(*) OVER one_game AS teams, bool_or(won) OVER one_game AS decided
  FROM members
  WINDOW one_game AS (PARTITION BY game_id, ruleset_id)
)
SELECT game, ruleset, team,
  round(avg(members), 6) AS players,
  count(*) AS games,
  count(*) FILTER (WHERE won) AS wins,
  round(avg(1.0 / teams), 6) AS baseline
FROM played
WHERE decided
GROUP BY game, ruleset, team
ORDER BY game, ruleset, team
