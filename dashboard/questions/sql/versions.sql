-- What differs between two versions?
-- group: rules
-- definition: A and B are all pairs of versions (text, rulings, cards) that games were played by; at a day that is
--   named (`--split`) the games of each version are parted into those before and those since, and games without a date
--   are left out. What both have is compared, among equal numbers of players: who wins (first player, decks), in points,
--   with the probability that the share is larger in B (Beta(5, 5) before the first game), the interval of the
--   difference (Newcombe), how often luck alone makes such a difference (games exchanged between A and B within the same
--   deck or beginner), and the smallest difference that so many games would find with a power of 0.8; how long finished
--   games take, with the interval of the difference of the medians (whole games drawn with repetition; none with fewer
--   than five games on a side, which do not tell how much games differ), and how often luck alone makes averages differ
--   so. Games count for decks in which no two sides have
--   the same. Where no day has games of both, the evenings and their players differ as well, and no number here tells
--   that from the ruling.
-- method: versions
-- percents: larger_in_b, by_luck, detectable
-- chart: dots of difference with intervals, a dot a measure
-- column measure: first player, deck, rounds, turns or minutes
-- column value: the deck, or the median
-- column players: how many players
-- column wins_a: games won, in A
-- column games_a: games, in A
-- column wins_b: games won, in B
-- column games_b: games, in B
-- column days_a: days on which A was played, where they are known
-- column days_b: days on which B was played
-- column days_in_both: days on which both were
-- column larger_in_b: probability that the share is larger in B
-- column by_luck: chance that luck alone makes so large a difference, of lengths: of their averages
-- column detectable: smallest difference of shares that so many games would find
-- column unit: what the difference is counted in: points of a share, rounds, turns or minutes
-- column middle_a: the median in A, of lengths
-- column middle_b: the median in B
-- column difference: B minus A
-- column low: lower end of the 95 % interval of the difference; of lengths none below five games on a side
-- column high: upper end of it
-- promise difference_of_shares: low, high
-- promise difference_of_medians: low, high
-- promise larger_in_b: larger_in_b
-- promise luck_in_versions: by_luck
-- promise detectable_difference: detectable
WITH players AS (
  SELECT game_id, ruleset_id, count(*) AS players, count(DISTINCT deck) < count(deck) AS mirror
  FROM seats
  GROUP BY game_id, ruleset_id
),
of_games AS (
  SELECT game_id, ruleset_id, started_at,
    CASE
      WHEN $split IS NULL THEN ''
      WHEN began < TRY_CAST($split AS TIMESTAMP) THEN ', before ' || $split
      ELSE ', since ' || $split
    END AS part, CAST(began AS DATE) AS day, CASE WHEN over THEN rounds END AS rounds,
    CASE WHEN over THEN turns END AS turns, CASE WHEN over THEN minutes END AS minutes
  FROM games
  WHERE as_played
    AND ($split IS NULL OR started_at IS NOT NULL)
)
SELECT game, seats.ruleset || part AS ruleset, game_id, day, players, deck, mirror, coalesce(first, false) AS first,
  CASE WHEN decisive THEN won END AS won, rounds, turns, minutes
FROM seats
JOIN players USING (game_id, ruleset_id)
JOIN of_games USING (game_id, ruleset_id)
WHERE true
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (seats.ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
ORDER BY game, min(started_at) OVER (PARTITION BY game, seats.ruleset || part), seats.ruleset || part, game_id, seat
