-- The median of each measure of a card, over the sides of the chosen games; `all_sides` is how many these are.
WITH placed AS (
  SELECT game, ruleset, card, measure, value, sum(sides) AS sides,
    sum(sum(sides)) OVER (PARTITION BY game, ruleset, card, measure ORDER BY value) AS so_far,
    sum(sum(sides)) OVER (PARTITION BY game, ruleset, card, measure) AS all_sides
  FROM card_values
  WHERE ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card, measure, value
),
medians AS (
  SELECT game, ruleset, card, measure, max(all_sides) AS all_sides,
    (min(value) FILTER (WHERE so_far >= 0.5 * all_sides) + min(value) FILTER (WHERE so_far > 0.5 * all_sides)) / 2
      AS median
  FROM placed
  GROUP BY game, ruleset, card, measure
)
