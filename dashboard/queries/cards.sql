-- Which cards win?
-- group: cards
-- definition: `seen_rate`: games won by the side that had at least one copy in hand / such games. Copy-weighted beside
--   it: `gih_rate` (games in hand) counts each copy that was in the opening hand or drawn, `gns_rate` (games not seen)
--   each copy of the deck that never came to the hand; `iwd` is their difference, where both have at least ten copies.
--   Only sides whose hands are known; `sides_known` of `sides` says how many those are.
-- share seen_rate: seen_wins / seen_games
-- share gih_rate: gih_wins / gih
-- share gns_rate: gns_wins / gns
-- chart: dots of seen_rate with intervals, a dot a card
-- column seen_games: sides that had the card in hand
-- column gih: copies in the opening hand or drawn
-- column gns: copies that never came to the hand
-- column iwd: gih_rate minus gns_rate
WITH sides AS (
  SELECT game, ruleset, count(*) AS sides, count(*) FILTER (WHERE hand_known) AS sides_known
  FROM seats
  WHERE decisive
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset
),
counted AS (
  SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
    count(*) FILTER (WHERE opening + drawn > 0) AS seen_games,
    count(*) FILTER (WHERE opening + drawn > 0 AND won) AS seen_wins,
    CAST(coalesce(sum(opening + drawn), 0) AS BIGINT) AS gih,
    CAST(coalesce(sum(opening + drawn) FILTER (WHERE won), 0) AS BIGINT) AS gih_wins,
    CAST(coalesce(sum(greatest(copies - seen, 0)), 0) AS BIGINT) AS gns,
    CAST(coalesce(sum(greatest(copies - seen, 0)) FILTER (WHERE won), 0) AS BIGINT) AS gns_wins
  FROM cards
  WHERE decisive
    AND hand_known
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card
)
SELECT game, ruleset, card, card_name, kind, seen_games, seen_wins, gih, gih_wins, gns, gns_wins,
  CASE WHEN gih >= 10 AND gns >= 10 THEN 1.0 * gih_wins / gih - 1.0 * gns_wins / gns END AS iwd,
  sides_known, sides
FROM counted
JOIN sides USING (game, ruleset)
WHERE gih + gns > 0
ORDER BY game, ruleset, seen_games DESC, card
