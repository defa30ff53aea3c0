-- How did the games feel, and to whom?
-- group: games
-- definition: what players said about a game from 1 to 5, how much fun and how fair it was: of all, of those who won, of
--   those who did not, and of those who began; with the people who said it, because one person's fives are not twenty
--   facts. What a player says again about a game counts as it was said last.
-- personal: who
-- chart: table
-- column felt: fun or fair
-- column among: all, winners, others, or who began; who nobody knows counts among all alone
-- column answers: how often it was said
-- column games: about how many games
-- column people: by how many people; those whom nobody knows are not among them
-- column who: their names
-- column ones: how many said 1, and so on up to 5
-- column median: the middle of the answers
WITH said AS (
  SELECT game, ruleset, game_id, ruleset_id, player, unnest(['fun', 'fair']) AS felt, unnest([fun, fair]) AS points
  FROM feedback
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
),
known AS (
  SELECT said.*, seats.name, seats.won AND seats.over AS won, NOT seats.won AND seats.over AS lost, seats.first
  FROM said
  LEFT JOIN seats USING (game, game_id, ruleset_id, player)
  WHERE points IS NOT NULL
),
told AS (
  SELECT *, unnest(list_filter(
    [
      'all',
      CASE WHEN won THEN 'winners' END,
      CASE WHEN lost THEN 'others' END,
      CASE WHEN first THEN 'who began' END
    ],
    lambda each: each IS NOT NULL
  )) AS among
  FROM known
)
SELECT game, ruleset, felt, among,
  count(*) AS answers,
  count(DISTINCT game_id) AS games,
  count(DISTINCT name) AS people,
  string_agg(DISTINCT name, ', ' ORDER BY name) AS who,
  count(*) FILTER (points = 1) AS ones,
  count(*) FILTER (points = 2) AS twos,
  count(*) FILTER (points = 3) AS threes,
  count(*) FILTER (points = 4) AS fours,
  count(*) FILTER (points = 5) AS fives,
  median(points) AS median
FROM told
GROUP BY game, ruleset, felt, among
ORDER BY game, ruleset, felt DESC, list_position(['all', 'winners', 'others', 'who began'], among)
