-- Do bots of every kind say the same?
-- group: overview
-- definition: games won by the player who begins, and by each deck, in games between bots of one kind: random, greedy and
--   search side by side, in the order of their strength. What `bots_say`, here and in every
--   question about games of several kinds: (of its first share): *agree* where the interval of each kind lies on
--   the same side of its baseline, however far apart they are, or, of shares without one, surely within ten points of each
--   other; *depends on play* where they do not agree so and two kinds clearly differ (the 99 % interval of their difference
--   leaves out 0, which luck does to one pair in a hundred); else it is open. Kinds with other baselines, from tables of
--   other sizes, are not set against each other. Of an interval without a share one half, or 0, stands for the baseline, and
--   two differ where they do not touch. What depends on play says how a kind of bot
--   plays, and nothing about the game: a pool of several kinds would hide it. The trend is how much the share changes
--   from one rung of the ladder to the next (least squares, one more win and one more loss on each rung), with its 95 %
--   interval: what grows with strength may be larger still among good players. Games between equal decks are left out of
--   the decks.
-- share win_rate: wins / games
-- counts: decisive
-- percents: baseline
-- chart: dots of win_rate by kind with their intervals
-- column measure: first player, or deck
-- column value: the deck
-- column players: how many players
-- column played_by: the kind of bots, the weakest first
-- column games: games between bots of this kind
-- column wins: of these, games won
-- column baseline: the share if it did not matter
-- column bots_say: agree, depends on play, or open; none where one kind alone has played
-- column trend: how much the share changes from one kind to the next; none where one kind alone has played
-- column trend_low: lower end of its 95 % interval
-- column trend_high: upper end of it
-- promise kinds_that_play_alike: bots_say
-- promise kinds_that_differ_are_found: bots_say
-- promise trend_of_bots: trend_low, trend_high
WITH sides AS (
  SELECT game, ruleset, ruleset_id, game_id, deck, first, won, lower(split_part(name, ' bot ', 1)) AS bots
  FROM seats
  WHERE decisive AND source = 'bots'
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
),
tables AS (
  SELECT game_id, ruleset_id, count(*) AS players, count(DISTINCT deck) AS decks, any_value(bots) AS kind
  FROM sides
  GROUP BY game_id, ruleset_id
  HAVING count(DISTINCT bots) = 1 AND count(*) > 1
),
counted AS (
  SELECT game, ruleset, 'first player' AS measure, '' AS value, players, kind, won
  FROM sides JOIN tables USING (game_id, ruleset_id)
  WHERE first
  UNION ALL
  SELECT game, ruleset, 'deck', deck, players, kind, won
  FROM sides JOIN tables USING (game_id, ruleset_id)
  WHERE deck IS NOT NULL AND decks = players
)
SELECT game, ruleset, measure, value, players, kind AS played_by, count(*) AS games, count(*) FILTER (WHERE won) AS wins,
  1.0 / players AS baseline
FROM counted
WHERE kind IN ('random', 'greedy', 'search')
GROUP BY game, ruleset, measure, value, players, kind
ORDER BY game, ruleset, measure DESC, value, players, list_position(['random', 'greedy', 'search'], kind)
